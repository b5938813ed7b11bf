#include "fracture/separation_bound.h"

#include <algorithm>
#include <cmath>

#include "geometry/symmetric_eigen.h"

namespace sunder {
namespace {

constexpr double kRoundOff = 1e-12;

}  // namespace

double tensile_stretch(double deformation_square, const Mat3& stress) {
  const double positive = std::max(0.0, largest_eigenvalue_bound(stress));
  return std::sqrt(deformation_square) * (positive + kRoundOff * stress.norm());
}

double deformation_square_bound(const Mat3& deformation) {
  return largest_eigenvalue_bound(deformation.transpose() * deformation) * (1 + kRoundOff);
}

double tensile_stretch(const Mat3& deformation, const Mat3& stress) {
  return tensile_stretch(deformation_square_bound(deformation), stress);
}

double tensile_pull(double stretch, double deformation_norm, const Mat3& stress, const Vec3& scaled_gradient) {
  const double area = scaled_gradient.norm();
  const double pulled = (stress * scaled_gradient).norm() + kRoundOff * stress.norm() * area;
  return std::min(stretch * area, deformation_norm * pulled);
}

double separation_bound(double sum_of_tensile, double net_force, Compression compression) {
  const double lipschitz = 2 / std::sqrt(3.0);
  const double unbalanced = compression == Compression::printed ? lipschitz * net_force : 0;
  return 0.5 * (1 + kRoundOff) * (sum_of_tensile + unbalanced);
}

double safe_tensile_stretch(double toughness, double sum_of_areas) {
  return (1 - kRoundOff) * 2 * toughness / sum_of_areas;
}

}  // namespace sunder
