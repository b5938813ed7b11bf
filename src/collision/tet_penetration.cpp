#include "collision/tet_penetration.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "geometry/tetrahedron.h"

namespace sunder {
namespace {

constexpr double kOneSided = 0.05;  // |N| over the sum of the areas, below which there is no way out

struct Side {
  Vec3 area = Vec3::Zero();  // of the boundary faces that take part, outward, m^2
  double size = 0;           // m^2, the sum of their areas
  double cones = 0;          // m^3, three times the volume between them and the centroid
  std::uint8_t crossed = 0;
};

Side side(const TetCorners& x, std::uint8_t boundary, const std::array<Vec3, 4>& areas, const Vec3& centroid) {
  Side s;
  for (std::size_t i = 0; i < 4; ++i) {
    if ((boundary >> i & 1) == 0 || areas[i].isZero(0)) continue;
    s.area += areas[i];
    s.size += areas[i].norm();
    s.cones += areas[i].dot(x[static_cast<std::size_t>(kTetFaces[i][0])] - centroid);
    s.crossed = static_cast<std::uint8_t>(s.crossed | 1u << i);
  }
  return s;
}

std::array<double, 4> weights(const TetCorners& t, const Vec3& x) {
  const Vec3 e1 = t[1] - t[0], e2 = t[2] - t[0], e3 = t[3] - t[0], r = x - t[0];
  const double volume = e1.cross(e2).dot(e3);
  const double b1 = r.cross(e2).dot(e3) / volume, b2 = e1.cross(r).dot(e3) / volume, b3 = e1.cross(e2).dot(r) / volume;
  return {1 - b1 - b2 - b3, b1, b2, b3};
}

}  // namespace

bool find_penetration(const TetCorners& a, std::uint8_t boundary_a, const TetCorners& b, std::uint8_t boundary_b,
                      TetPenetration& found) {
  const TetOverlap overlap = tet_overlap(a, b);
  if (!(overlap.volume > 0)) return false;
  const Side in_b = side(a, boundary_a, overlap.area_a, overlap.centroid);
  const Side in_a = side(b, boundary_b, overlap.area_b, overlap.centroid);
  const Vec3 out = in_a.area - in_b.area;
  const double size = out.norm();
  if (!(size > kOneSided * (in_a.size + in_b.size))) return false;
  found.normal = out / size;
  const double area_a = -in_b.area.dot(found.normal), area_b = in_a.area.dot(found.normal);
  found.area = std::max(area_a, area_b);
  found.volume = overlap.volume;
  found.centroid = overlap.centroid;
  found.crossed_a = in_b.crossed, found.crossed_b = in_a.crossed;

  // From the centroid to a side's surface it is cones / area along the normal: exact for one face, or for a point or
  // an edge right below the centroid. Between a slab (1) and a pyramid (3) the height is so often V / A.
  double height = 0;
  if (area_a > 0) height += in_b.cones / area_a;
  if (area_b > 0) height += in_a.cones / area_b;
  if (!(area_a > 0) || !(area_b > 0)) height *= 2;
  found.height = std::clamp(height, found.depth(), 3 * found.depth());
  found.at_a = weights(a, overlap.centroid);
  found.at_b = weights(b, overlap.centroid);
  return true;
}

}  // namespace sunder
