#pragma once
// How much memory a run will take, and whether this machine has it.

#include "scene/scene.h"

namespace sunder {

// Bytes that a run with so many tets needs at its peak: mesh, solver, and the frames on their way to disk.
double estimated_memory(double tets);

// Bytes that this process may still take: what the machine has left, or less where a container or ulimit allows less.
double available_memory();

// InputError with both figures and an edge that would fit, if so many tets do not fit into `available` bytes.
void require_memory(const Scene& scene, double tets, double available);

}  // namespace sunder
