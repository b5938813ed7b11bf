#pragma once

#include "core/random.h"
#include "mesh/curvature.h"
#include "mesh/surface_testing.h"
#include "solvers/surface_iben06/cracking.h"
#include "solvers/surface_iben06/stress_sources.h"

namespace sunder::surface_iben06 {

inline Membrane membrane_of(const SurfaceSample& s, const MembraneRules& rules) {
  const TriMesh mesh(s.points, s.triangles);
  return Membrane(mesh, rules, node_normals(mesh));
}

inline void set_uniform(Membrane& membrane, const Mat2& stress) {
  for (const TriangleId t : id_range<TriangleId>(membrane.mesh().triangle_count())) membrane.set_pattern(t, stress);
}

// The same stress in the world's x and z for every triangle of a flat sheet.
inline void set_uniform_in_plane(Membrane& membrane, double xx, double zz, double xz) {
  Mat3 world = Mat3::Zero();
  world(0, 0) = xx, world(2, 2) = zz, world(0, 2) = world(2, 0) = xz;
  for (const TriangleId t : id_range<TriangleId>(membrane.mesh().triangle_count())) {
    const auto& frame = membrane.facet(t).frame;
    membrane.set_pattern(t, frame.transpose() * world * frame);
  }
}

inline void spread_toughness(Membrane& membrane, double spread, std::uint64_t seed) {
  for (const NodeId n : id_range<NodeId>(membrane.mesh().node_count())) {
    membrane.joint(n).toughness = 1 + spread * (2 * random_unit(seed, n.index) - 1);
  }
}

inline bool on_border(const TriMesh& mesh, NodeId n) { return mesh.fan(n).open; }

}  // namespace sunder::surface_iben06
