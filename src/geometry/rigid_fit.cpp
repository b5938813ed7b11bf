#include "geometry/rigid_fit.h"

#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

#include "core/check.h"

namespace sunder {

RigidFit fit_rigid_motion(std::span<const Vec3> from, std::span<const Vec3> to, std::span<const double> weights) {
  SUNDER_CHECK(from.size() == to.size() && from.size() == weights.size() && !from.empty(), "points do not pair up");
  double all = 0;
  Vec3 middle_from = Vec3::Zero(), middle_to = Vec3::Zero();
  for (std::size_t i = 0; i < from.size(); ++i) {
    all += weights[i];
    middle_from += weights[i] * from[i];
    middle_to += weights[i] * to[i];
  }
  SUNDER_CHECK(all > 0, "the points weigh nothing");
  middle_from /= all, middle_to /= all;

  // H = sum w (to - c') (from - c)^T = U S V^T; R = U diag(1, 1, det(U V^T)) V^T
  Mat3 h = Mat3::Zero();
  for (std::size_t i = 0; i < from.size(); ++i) {
    h += weights[i] * (to[i] - middle_to) * (from[i] - middle_from).transpose();
  }
  const Eigen::JacobiSVD<Mat3> svd(h, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const double handed = (svd.matrixU() * svd.matrixV().transpose()).determinant() < 0 ? -1 : 1;
  RigidFit fit;
  fit.motion.rotation = svd.matrixU() * Vec3(1, 1, handed).asDiagonal() * svd.matrixV().transpose();
  fit.motion.translation = middle_to - fit.motion.rotation * middle_from;

  double squares = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const double square = (fit.motion(from[i]) - to[i]).squaredNorm();
    squares += weights[i] * square;
    fit.largest = std::max(fit.largest, square);
  }
  fit.rms = std::sqrt(squares / all);
  fit.largest = std::sqrt(fit.largest);
  return fit;
}

}  // namespace sunder
