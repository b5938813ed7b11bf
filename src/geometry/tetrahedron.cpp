#include "geometry/tetrahedron.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace sunder {

Mat3 edge_matrix(const TetCorners& x) {
  Mat3 edges;
  edges << x[1] - x[0], x[2] - x[0], x[3] - x[0];
  return edges;
}

double signed_volume(const TetCorners& x) { return (x[1] - x[0]).cross(x[2] - x[0]).dot(x[3] - x[0]) / 6; }

std::array<Vec3, 4> barycentric_gradients(const TetCorners& x) {
  const Mat3 inverse = edge_matrix(x).inverse();
  const Vec3 g1 = inverse.row(0), g2 = inverse.row(1), g3 = inverse.row(2);
  return {-(g1 + g2 + g3), g1, g2, g3};
}

std::optional<std::array<double, 4>> barycentric_coordinates(const TetCorners& tet, const Vec3& x) {
  const Vec3 e1 = tet[1] - tet[0], e2 = tet[2] - tet[0], e3 = tet[3] - tet[0], r = x - tet[0];
  const double volume = e1.cross(e2).dot(e3);
  if (!(volume > 0)) return std::nullopt;
  const double b1 = r.cross(e2).dot(e3) / volume, b2 = e1.cross(r).dot(e3) / volume, b3 = e1.cross(e2).dot(r) / volume;
  return std::array<double, 4>{1 - b1 - b2 - b3, b1, b2, b3};
}

double quality(const TetCorners& x) {
  double sum = 0;
  for (const auto& [i, j] : kTetEdges) sum += (x[i] - x[j]).squaredNorm();
  const double l_rms = std::sqrt(sum / 6);
  return 6 * std::sqrt(2.0) * signed_volume(x) / (l_rms * l_rms * l_rms);
}

double smallest_altitude(const TetCorners& x) {
  double largest_area = 0;
  for (const auto& [i, j, k] : kTetFaces) {
    largest_area = std::max(largest_area, (x[j] - x[i]).cross(x[k] - x[i]).norm() / 2);
  }
  return 3 * std::abs(signed_volume(x)) / largest_area;
}

std::array<double, 6> dihedral_angles(const TetCorners& x) {
  std::array<Vec3, 4> outward;
  for (int f = 0; f < 4; ++f) {
    const auto& [i, j, k] = kTetFaces[f];
    outward[f] = (x[j] - x[i]).cross(x[k] - x[i]).normalized();
  }
  std::array<double, 6> angles;
  for (std::size_t e = 0; e < 6; ++e) {
    const auto& [f, g] = kTetEdges[e];
    angles[e] = std::acos(std::clamp(-outward[f].dot(outward[g]), -1.0, 1.0));
  }
  return angles;
}

double smallest_dihedral_angle(const TetCorners& x) {
  const std::array<double, 6> angles = dihedral_angles(x);
  return *std::min_element(angles.begin(), angles.end());
}

double largest_dihedral_angle(const TetCorners& x) {
  const std::array<double, 6> angles = dihedral_angles(x);
  return *std::max_element(angles.begin(), angles.end());
}

double mean_edge(const TetCorners& x) {
  double sum = 0;
  for (const auto& [i, j] : kTetEdges) sum += (x[i] - x[j]).norm();
  return sum / 6;
}

}  // namespace sunder
