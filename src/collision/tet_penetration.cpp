#include "collision/tet_penetration.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "geometry/tetrahedron.h"

namespace sunder {
namespace {

constexpr double kOneSided = 0.02;  // the area across the normal, over all, below which there is no way out

CrossedFaces crossed(const TetCorners& x, std::uint8_t boundary, const std::array<Vec3, 4>& areas,
                     const Vec3& centroid) {
  CrossedFaces f;
  for (std::size_t i = 0; i < 4; ++i) {
    if ((boundary >> i & 1) == 0 || areas[i].isZero(0)) continue;
    f.area += areas[i];
    f.size += areas[i].norm();
    f.cones += areas[i].dot(x[static_cast<std::size_t>(kTetFaces[i][0])] - centroid);
    f.bits = static_cast<std::uint8_t>(f.bits | 1u << i);
  }
  return f;
}

}  // namespace

bool TetPenetration::set_way_out(const Vec3& direction) {
  const Vec3 n = direction.normalized();
  const double area_a = -faces_a.area.dot(n), area_b = faces_b.area.dot(n), across = std::max(area_a, area_b);
  if (!(across > kOneSided * (faces_a.size + faces_b.size))) return false;
  normal = n, area = across;

  // From the centroid to a side's surface it is cones / area along the normal: exact for one face, or for a point or
  // an edge right below the centroid. The height is V / A of a slab, three times that of a pyramid.
  double sum = 0;
  if (area_a > 0) sum += faces_a.cones / area_a;
  if (area_b > 0) sum += faces_b.cones / area_b;
  if (!(area_a > 0) || !(area_b > 0)) sum *= 2;
  height = std::clamp(sum, depth(), 3 * depth());
  return true;
}

bool find_penetration(const TetCorners& a, std::uint8_t boundary_a, const TetCorners& b, std::uint8_t boundary_b,
                      TetPenetration& found) {
  const TetOverlap overlap = tet_overlap(a, b);
  if (!(overlap.volume > 0)) return false;
  found.volume = overlap.volume;
  found.centroid = overlap.centroid;
  found.faces_a = crossed(a, boundary_a, overlap.area_a, overlap.centroid);
  found.faces_b = crossed(b, boundary_b, overlap.area_b, overlap.centroid);
  if (found.faces_a.area.dot(found.faces_b.area) > 0) return false;
  if (!found.set_way_out(found.own_way_out())) return false;
  found.surface = 0;
  for (std::size_t i = 0; i < 4; ++i) found.surface += overlap.area_a[i].norm() + overlap.area_b[i].norm();
  const auto at_a = barycentric_coordinates(a, overlap.centroid), at_b = barycentric_coordinates(b, overlap.centroid);
  if (!at_a || !at_b) return false;
  found.at_a = *at_a, found.at_b = *at_b;
  return true;
}

}  // namespace sunder
