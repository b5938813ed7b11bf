#include "fracture/resistance.h"

#include <Eigen/LU>
#include <Eigen/SVD>
#include <cmath>

#include "geometry/symmetric_eigen.h"

namespace sunder {

PlaneFactors PlaneFactors::turned(const Mat3& rotation) const {
  return {rotation * tensor * rotation.transpose(), rotation * inverse_root * rotation.transpose(), weakest};
}

PlaneFactors plane_factors(const Mat3& log_tensor) {
  const SymmetricEigen e = symmetric_eigen(log_tensor);
  const Vec3 logs(e.values[0], e.values[1], e.values[2]);
  PlaneFactors result;
  result.tensor = e.vectors * logs.array().exp().matrix().asDiagonal() * e.vectors.transpose();
  result.inverse_root = e.vectors * (-0.5 * logs).array().exp().matrix().asDiagonal() * e.vectors.transpose();
  result.weakest = std::exp(logs.z());
  return result;
}

Separation weakest_separation(const Mat3& separation_tensor, const PlaneFactors& factors) {
  const Separation scaled =
      largest_separation(factors.inverse_root * separation_tensor * factors.inverse_root.transpose());
  const Vec3 normal = (factors.inverse_root * scaled.normal).normalized();
  return {normal.dot(separation_tensor * normal), normal};
}

Mat3 rotation_of(const Mat3& deformation) {
  // Newton's iteration (Higham 1986): R <- (R + R^-T) / 2. Small strains take three rounds.
  if (deformation.determinant() > 0) {
    Mat3 r = deformation / std::cbrt(deformation.determinant());
    for (int round = 0; round < 12; ++round) {
      const Mat3 next = 0.5 * (r + r.inverse().transpose());
      const double change = (next - r).cwiseAbs().maxCoeff();
      r = next;
      if (change < 1e-14) return r;
    }
  }
  const Eigen::JacobiSVD<Mat3> svd(deformation, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Mat3 u = svd.matrixU();
  if ((u * svd.matrixV().transpose()).determinant() < 0) u.col(2) *= -1;  // the thinnest direction
  return u * svd.matrixV().transpose();
}

}  // namespace sunder
