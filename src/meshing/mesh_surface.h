#pragma once
// Any closed or nearly closed surface filled with tetrahedra: docs/meshing.md tells how and what is guaranteed.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "mesh/tet_soup.h"
#include "mesh/triangle_mesh.h"
#include "shapes/shape.h"

namespace sunder {

// Called by the thread that meshes: what is done next, and the share of all the work that is behind.
using MeshProgress = std::function<void(const char* what, double share)>;

struct SurfaceMeshOptions {
  double edge = 0;  // m, mean edge of the tets at the surface
  FillOptions fill{};
  double sharp_floor = 7;  // degrees: no sharp edge is kept at the price of a smaller dihedral angle
  bool refine_thin_walls = true;
  double jitter = 0.12;  // of an edge, for points inside; 0 leaves them on the lattice
  std::uint64_t seed = 1;
  std::size_t most_tets = 4'000'000;
  MeshProgress progress;
};

struct SurfaceMeshReport {
  std::size_t nodes = 0, tets = 0, pieces = 0;
  double edge = 0;            // m, as asked for
  double input_volume = 0;    // m^3, by the divergence theorem: means little if the surface is open or overlaps
  bool input_closed = false;  // no open edges
  double volume = 0;          // m^3, of the tets
  double deviation_max = 0, deviation_mean = 0;            // m, mesh to surface
  double back_deviation_max = 0, back_deviation_mean = 0;  // m, surface to mesh
  double filled = 0;                                       // part of the boundary that closes holes of the surface
  double lost = 0;  // part of the surface that the mesh does not come near to: details that are too fine
  Vec3 worst_place = Vec3::Zero();                 // m, where the surface is farthest from the mesh
  double min_dihedral = 0, max_dihedral = 0;       // radians
  double thinnest_wall = 0;                        // m, 0 if none was found
  double given_up_below = 0;                       // m, thinner parts are not resolved; 0: all walls are
  double finest_edge = 0;                          // m, where walls or regions asked for it
  std::size_t corners = 0, corners_kept = 0;       // sharp ones
  std::size_t curves = 0, curves_kept = 0;         // chains of sharp edges between corners, kept over their full length
  double sharp_length = 0, sharp_length_kept = 0;  // m
  std::size_t doubled = 0, dropped = 0, turned = 0, open_edges = 0, shells = 0;  // of the input, and what was mended
  std::size_t lost_pieces = 0;                                                   // specks smaller than a cell, left out
};

struct SurfaceMesh {
  TetSoup soup;  // m; numbered along a Hilbert curve; every boundary face has a skin (meshing/surface_skin.h)
  SurfaceMeshReport report;
};

// InputError (`name` is the file) with the reason and a remedy if the surface encloses nothing, if walls are too thin
// for the edge and the budget, or if there would be too many tets.
SurfaceMesh mesh_surface(const TriangleMesh& surface, const SurfaceMeshOptions& options, const std::string& name);

// Cells of the lattice have edges of 1 (6 of them) and sqrt(3)/2 (8): their mean, in lengths of the cell.
inline constexpr double kEdgePerCell = (6 + 8 * 0.8660254037844387) / 14;

}  // namespace sunder
