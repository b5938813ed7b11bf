#include "geometry/symmetric_eigen.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

namespace sunder {
namespace {

Mat3 from_lower(const Mat3& a) {
  Mat3 m;
  m << a(0, 0), a(1, 0), a(2, 0),  //
      a(1, 0), a(1, 1), a(2, 1),   //
      a(2, 0), a(2, 1), a(2, 2);
  return m;
}

// The root of t^3 - 3t = 2r in [sqrt 3, 2], for r in [0, 1]. From the chord between its ends Newton's steps gain
// 1e-4, 1e-8, 1e-16; the slope there is at least 6.
double largest_root(double r) {
  const double sqrt3 = 1.7320508075688772;
  double t = sqrt3 + (2 - sqrt3) * r;
  for (int i = 0; i < 3; ++i) t -= ((t * t - 3) * t - 2 * r) / (3 * (t * t - 1));
  return t;
}

// A unit vector that the symmetric matrix b, of rank two, maps to zero: orthogonal to its rows, so along the longest
// of their cross products.
Vec3 kernel(const Mat3& b) {
  const Vec3 c01 = b.col(0).cross(b.col(1)), c12 = b.col(1).cross(b.col(2)), c20 = b.col(2).cross(b.col(0));
  const double n01 = c01.squaredNorm(), n12 = c12.squaredNorm(), n20 = c20.squaredNorm();
  if (n01 >= n12 && n01 >= n20) return c01 / std::sqrt(n01);
  return n12 >= n20 ? c12 / std::sqrt(n12) : c20 / std::sqrt(n20);
}

// Some unit vector orthogonal to the unit vector w.
Vec3 orthogonal_to(const Vec3& w) {
  if (std::abs(w[0]) > std::abs(w[1])) return Vec3(-w[2], 0, w[0]) / std::hypot(w[0], w[2]);
  return Vec3(0, w[2], -w[1]) / std::hypot(w[1], w[2]);
}

Vec3 with_positive_peak(const Vec3& v) {
  Eigen::Index peak = 0;
  v.cwiseAbs().maxCoeff(&peak);
  return v[peak] < 0 ? Vec3(-v) : v;
}

Mat3 outer(const Vec3& v) { return v * v.transpose(); }

}  // namespace

SymmetricEigen symmetric_eigen(const Mat3& lower) {
  const Mat3 given = from_lower(lower);
  if (!given.allFinite()) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    return {{nan, nan, nan}, Mat3::Constant(nan)};
  }
  const double scale = given.cwiseAbs().maxCoeff();
  if (scale == 0) return {{0, 0, 0}, Mat3::Identity()};
  const Mat3 a = given / scale;  // so that nothing overflows or dies below
  const double mean = a.trace() / 3;
  const Mat3 deviator = a - mean * Mat3::Identity();
  const double p = std::sqrt(deviator.squaredNorm() / 6);
  if (p < 1e-16) return {{scale * mean, scale * mean, scale * mean}, Mat3::Identity()};

  // The eigenvalues of b = deviator / p are the roots of t^3 - 3t = det b. The one with the sign of det b keeps away
  // from the other two by at least sqrt 3: its vector is well defined whatever the others do.
  const Mat3 b = deviator / p;
  const double half_det = std::clamp(0.5 * b.col(0).cross(b.col(1)).dot(b.col(2)), -1.0, 1.0);
  const bool alone_is_largest = half_det >= 0;
  const double alone = std::copysign(largest_root(std::abs(half_det)), alone_is_largest ? 1.0 : -1.0);
  const Vec3 w = kernel(b - alone * Mat3::Identity());

  // The other two: the 2x2 problem in the plane orthogonal to w, solved by one rotation of Jacobi's.
  const Vec3 u = orthogonal_to(w), v = w.cross(u);
  const Vec3 bu = b * u, bv = b * v;
  const double uu = u.dot(bu), vv = v.dot(bv), uv = u.dot(bv);
  const double half_gap = 0.5 * (uu - vv), radius = std::hypot(half_gap, uv);
  double c = 1, s = 0;  // the larger one's vector is c u + s v
  if (radius > 0) {
    // Of the two forms of the rotation the one without cancellation.
    if (half_gap >= 0) {
      c = std::sqrt(0.5 * (1 + half_gap / radius));
      s = 0.5 * uv / (radius * c);
    } else {
      s = std::sqrt(0.5 * (1 - half_gap / radius));
      c = 0.5 * uv / (radius * s);
    }
  }
  const Vec3 high = c * u + s * v, low = c * v - s * u;
  const double middle = 0.5 * (uu + vv);

  const std::array<Vec3, 3> vectors =
      alone_is_largest ? std::array<Vec3, 3>{w, high, low} : std::array<Vec3, 3>{high, low, w};
  const double of_w = w.dot(b * w);  // Rayleigh's quotient: its error is the square of the vector's
  const std::array<double, 3> values = alone_is_largest ? std::array<double, 3>{of_w, middle + radius, middle - radius}
                                                        : std::array<double, 3>{middle + radius, middle - radius, of_w};
  SymmetricEigen result;
  for (std::size_t i = 0; i < 3; ++i) result.values[i] = scale * (mean + p * values[i]);
  result.vectors.col(0) = with_positive_peak(vectors[0]);
  result.vectors.col(1) = with_positive_peak(vectors[1]);
  const Vec3 third = result.vectors.col(0).cross(result.vectors.col(1));
  result.vectors.col(2) = vectors[2].dot(third) < 0 ? Vec3(-vectors[2]) : vectors[2];
  return result;
}

std::array<double, 3> symmetric_eigenvalues(const Mat3& a) {
  const double mean = (a(0, 0) + a(1, 1) + a(2, 2)) / 3;
  const double x = a(0, 0) - mean, y = a(1, 1) - mean, z = a(2, 2) - mean;
  const double xy = a(1, 0), xz = a(2, 0), yz = a(2, 1);
  const double square = (x * x + y * y + z * z) / 6 + (xy * xy + xz * xz + yz * yz) / 3;
  if (!(square > 0)) return {mean + square, mean + square, mean + square};  // NaN stays NaN
  const double p = std::sqrt(square);
  const double det = x * (y * z - yz * yz) - xy * (xy * z - yz * xz) + xz * (xy * yz - y * xz);
  const double half_det = std::clamp(0.5 * det / (square * p), -1.0, 1.0);
  // As above; the other two roots have the sum -alone and the product alone^2 - 3.
  const double alone = largest_root(std::abs(half_det));
  const double radius = std::sqrt(std::max(0.0, 3 - 0.75 * alone * alone));
  if (half_det >= 0) return {mean + p * alone, mean + p * (radius - alone / 2), mean - p * (radius + alone / 2)};
  return {mean + p * (radius + alone / 2), mean - p * (radius - alone / 2), mean - p * alone};
}

TensileSplit tensile_split(const Mat3& a) {
  const SymmetricEigen e = symmetric_eigen(a);
  const Mat3 whole = from_lower(a);
  // At most two terms have to be added up, and a matrix of one sign comes back bit by bit.
  if (!(e.values[0] > 0)) return {Mat3::Zero(), whole};
  if (!(e.values[2] < 0)) return {whole, Mat3::Zero()};
  if (e.values[1] > 0) {
    const Mat3 compressive = e.values[2] * outer(e.vectors.col(2));
    return {whole - compressive, compressive};
  }
  const Mat3 tensile = e.values[0] * outer(e.vectors.col(0));
  return {tensile, whole - tensile};
}

PlaneEigen plane_eigen(const Mat2& a) {
  const double mean = (a(0, 0) + a(1, 1)) / 2, half = (a(0, 0) - a(1, 1)) / 2, shear = a(1, 0);
  const double radius = std::sqrt(half * half + shear * shear);
  if (!(radius > 0)) return {{mean, mean}, Vec2::UnitX()};
  // (shear, radius - half) and (radius + half, shear) are both along the first; the longer one is the exact one.
  const Vec2 along = half > 0 ? Vec2(radius + half, shear) : Vec2(shear, radius - half);
  return {{mean + radius, mean - radius}, along / along.norm()};
}

PlaneSplit plane_split(const Mat2& a) {
  Mat2 whole;
  whole << a(0, 0), a(1, 0), a(1, 0), a(1, 1);
  const double mean = (a(0, 0) + a(1, 1)) / 2, half = (a(0, 0) - a(1, 1)) / 2, shear = a(1, 0);
  const double radius = std::sqrt(half * half + shear * shear);
  if (!(mean + radius > 0)) return {Mat2::Zero(), whole};
  if (!(mean - radius < 0)) return {whole, Mat2::Zero()};
  // v1 v1^T = (I + D / radius) / 2 with the deviator D, which needs no eigenvector.
  Mat2 first;
  first << radius + half, shear, shear, radius - half;
  const Mat2 tensile = ((mean + radius) / (2 * radius)) * first;
  return {tensile, whole - tensile};
}

double largest_eigenvalue_bound(const Mat3& a) {
  const double mean = (a(0, 0) + a(1, 1) + a(2, 2)) / 3;
  const double x = a(0, 0) - mean, y = a(1, 1) - mean, z = a(2, 2) - mean;
  const double off = a(1, 0) * a(1, 0) + a(2, 0) * a(2, 0) + a(2, 1) * a(2, 1);
  return mean + std::sqrt(2.0 / 3 * (x * x + y * y + z * z + 2 * off));
}

}  // namespace sunder
