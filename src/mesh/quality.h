#pragma once
// How good the elements of a mesh are, as a report.

#include <cstddef>

#include "core/vec.h"
#include "mesh/tet_mesh.h"
#include "mesh/tet_soup.h"

namespace sunder {

// Of no tets at all: zeros. Lengths in m.
struct MeshQuality {
  std::size_t nodes = 0, tets = 0;
  double volume = 0;                                 // m^3
  Vec3 lower = Vec3::Zero(), upper = Vec3::Zero();   // bounding box of the nodes that tets use
  double min_quality = 0, mean_quality = 0;          // 1 is regular, 0 flat (geometry/tetrahedron.h)
  double min_dihedral = 0, max_dihedral = 0;         // radians
  double min_altitude = 0;                           // sets the time step
  double min_edge = 0, mean_edge = 0, max_edge = 0;  // every edge counts once, however many tets share it
};

MeshQuality mesh_quality(const TetSoup& soup);
MeshQuality mesh_quality(const TetMesh& mesh);  // of the material positions

}  // namespace sunder
