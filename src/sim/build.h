#pragma once
// A scene becomes a solver that is ready to step: meshes made and placed, regions resolved to nodes, colliders set up.

#include <memory>
#include <string>
#include <vector>

#include "frame/totals.h"
#include "scene/scene.h"
#include "solvers/lattice_norton91/lattice_solver.h"
#include "solvers/mixed/mixed_solver.h"
#include "solvers/solver.h"
#include "solvers/surface_iben06/surface_solver.h"
#include "solvers/tet_oh99/tet_solver.h"

namespace sunder {

struct BuiltRun {
  std::unique_ptr<tet_oh99::TetSolver> solver;               // of tetrahedra ...
  std::unique_ptr<surface_iben06::SurfaceSolver> surface;    // ... or of surfaces ...
  std::unique_ptr<lattice_norton91::LatticeSolver> lattice;  // ... or of lattices ...
  std::unique_ptr<mixed::MixedSolver> mixed;                 // ... or that of tetrahedra and that of lattices together
  Solver& any() const {
    if (mixed) return *mixed;
    return solver ? static_cast<Solver&>(*solver) : surface ? static_cast<Solver&>(*surface) : *lattice;
  }
  std::vector<std::string> bodies, materials, colliders, parts;  // names, in the order of the numbers in frames
  std::vector<std::string> warnings;                             // what will run, but may not be what was meant
  std::uint64_t mesh_fingerprint = 0;                            // equal if nodes, elements and bodies are
};

// InputError names the key of the scene that cannot be built.
BuiltRun build_run(const Scene& scene);

// A collider as the scene describes it, its surface read. InputError or FileError if that cannot be.
Collider make_collider(const ColliderSpec& spec);

}  // namespace sunder
