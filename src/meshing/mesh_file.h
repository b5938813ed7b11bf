#pragma once
// A model from a file as tetrahedra: read as they are, or made from a surface.

#include <cstdint>
#include <optional>

#include "mesh/tet_soup.h"
#include "meshing/mesh_surface.h"
#include "shapes/shape.h"

namespace sunder {

struct FileMesh {
  TetSoup soup;                              // m, y up
  std::optional<SurfaceMeshReport> surface;  // if it was made from a surface
};

// The file's axes turned so that its up is y, and its units made metres.
Mat3 placing(const FileShape& file);

// `edge` (m) is for surfaces; 0 takes one that gives a few thousand tets. InputError or FileError if the file holds
// nothing that can be simulated.
FileMesh mesh_file(const FileShape& file, double edge, std::uint64_t seed, const MeshProgress& progress = {});

}  // namespace sunder
