#pragma once
// Two tets of a surface in each other, OH99 3.3: how much, where, and which way is out.

#include <array>
#include <cstdint>

#include "core/vec.h"
#include "geometry/tet_overlap.h"

namespace sunder {

// A tet's boundary faces, as far as they are in the other.
struct CrossedFaces {
  Vec3 area = Vec3::Zero();  // m^2, the sum of their area vectors, outward
  double size = 0;           // m^2, the sum of their areas
  double cones = 0;          // m^3, three times the volume between them and the overlap's centroid
  std::uint8_t bits = 0;     // bit i: the face opposite corner i is one
};

struct TetPenetration {
  double volume = 0;                     // m^3
  double surface = 0;                    // m^2, of all that bounds it
  Vec3 centroid = Vec3::Zero();          // of the volume
  std::array<double, 4> at_a{}, at_b{};  // its weights in either tet
  CrossedFaces faces_a, faces_b;

  Vec3 normal = Vec3::Zero();  // the way out for a
  double area = 0;             // m^2, of the surface, across the normal: dV / d(depth)
  double height = 0;           // m, from surface to surface, through the centroid

  double depth() const { return volume / area; }  // m, the mean

  // The way out as the pair alone sees it, weighted by area.
  //   N = (area vectors on b's boundary faces) - (area vectors on a's)
  Vec3 own_way_out() const { return faces_b.area - faces_a.area; }
  // False, and nothing set, if hardly any surface looks that way.
  bool set_way_out(const Vec3& direction);
};

// Boundary faces as bits, by the corner opposite: only they tell the way out. False if the tets do not overlap, or no
// boundary face takes part, or the way out is as long on either side, or the faces do not look at each other (sides of
// two bodies that lie flush).
bool find_penetration(const TetCorners& a, std::uint8_t boundary_a, const TetCorners& b, std::uint8_t boundary_b,
                      TetPenetration& found);

}  // namespace sunder
