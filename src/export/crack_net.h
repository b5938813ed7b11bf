#pragma once
// The net of cracks of a frame of a surface, and what other programs want of it.

#include <filesystem>
#include <string>
#include <vector>

#include "fracture/crack_statistics.h"
#include "frame/frame.h"

namespace sunder {

// Cracks and borders in material coordinates, each edge once.
CrackGraph crack_graph_of(const Frame& frame);

// The direction across a flat surface; zero if the surface is not flat.
Vec3 flat_normal(const Frame& frame);

// Mean length of the triangles' edges in the material, m.
double mean_edge_of(const Frame& frame);

// Lines as OBJ, in the order in which they cracked; each is an object named after its first event.
std::string crack_lines_obj(const Frame& frame);

// A drawing in millimetres of cracks (and the border) of a flat surface, seen from outside. UsageError if it is not
// flat.
std::string crack_lines_svg(const Frame& frame, double width);

}  // namespace sunder
