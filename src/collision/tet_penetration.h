#pragma once
// Two tets of a surface in each other, OH99 3.3: how much, where, and which way is out.

#include <array>
#include <cstdint>

#include "core/vec.h"
#include "geometry/tet_overlap.h"

namespace sunder {

struct TetPenetration {
  double volume = 0;                     // m^3
  Vec3 centroid = Vec3::Zero();          // of it
  Vec3 normal = Vec3::Zero();            // the way out for a
  double area = 0;                       // m^2, of the surface that is in the other, across the normal: dV / d(depth)
  double height = 0;                     // m, from surface to surface, through the centroid
  std::array<double, 4> at_a{}, at_b{};  // weights of the centroid in either tet
  std::uint8_t crossed_a = 0, crossed_b = 0;  // bit i: the boundary face opposite corner i takes part

  double depth() const { return volume / area; }  // m, the mean
};

// The boundary faces of a and b as bits, by the corner opposite. Only they tell the way out:
//
//   N = (area vectors on b's boundary faces) - (area vectors on a's),   normal = N / |N|
//
// False if the tets do not overlap, or no boundary face takes part, or those that do have no side in common (the way
// out is as long on either side).
bool find_penetration(const TetCorners& a, std::uint8_t boundary_a, const TetCorners& b, std::uint8_t boundary_b,
                      TetPenetration& found);

}  // namespace sunder
