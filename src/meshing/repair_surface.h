#pragma once
// Makes the best of a dirty surface: welds, drops what has no area or is there twice, and turns triangles so that
// neighbours agree and the solid lies behind them. Holes and overlaps stay; the winding number bridges them.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/vec.h"
#include "mesh/triangle_mesh.h"

namespace sunder {

struct RepairedSurface {
  // In a frame of its own, in which the bounding box is centred and its diagonal is 1: models of micrometres, of
  // megametres or far from the origin are all alike to what follows. World position = centre + scale * point.
  std::vector<Vec3> points;
  std::vector<std::array<std::uint32_t, 3>> triangles;
  Vec3 centre = Vec3::Zero();  // m
  double scale = 1;            // m

  std::vector<std::uint32_t> source;    // the input triangle each one comes from
  std::vector<std::uint8_t> is_turned;  // its second and third corner are the third and second of the input
  std::size_t dropped = 0;              // without area
  std::size_t doubled = 0;              // there twice
  std::size_t turned = 0;
  std::size_t open_edges = 0;  // with one triangle only
  std::size_t shells = 0;      // sets of triangles that hang together through edges
  double volume = 0;           // by the divergence theorem, in the frame; right if closed and without overlaps
};

// InputError (`name` is the file) if there is nothing to work with: no triangles, no area, absurd coordinates.
RepairedSurface repair_surface(const TriangleMesh& mesh, const std::string& name);

}  // namespace sunder
