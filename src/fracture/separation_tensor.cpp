#include "fracture/separation_tensor.h"

#include "geometry/symmetric_eigen.h"

namespace sunder {

Mat3 force_matrix(const Vec3& f) {
  double length = f.norm();
  if (!(length > 1e-150 && length < 1e150)) length = f.stableNorm();  // squares may have left the range
  if (!(length > 0)) return Mat3::Zero();
  return (f / length) * f.transpose();
}

namespace {

// m(sum f) - sum m(f): what is left of the forces once their unbalanced part is taken away, with a minus.
Mat3 unbalanced_less_all(std::span<const Vec3> forces) {
  Vec3 sum = Vec3::Zero();
  Mat3 all = Mat3::Zero();
  for (const Vec3& f : forces) {
    sum += f;
    all += force_matrix(f);
  }
  return force_matrix(sum) - all;
}

}  // namespace

Mat3 separation_tensor(std::span<const Vec3> tensile, std::span<const Vec3> compressive, Compression compression) {
  // zeta = 1/2 ( -m(f+) + sum m(f) + m(f-) - sum m(f) )                                                OH99 (32)
  const Mat3 pull = -unbalanced_less_all(tensile);
  const Mat3 push = unbalanced_less_all(compressive);
  const Mat3 counted = compression == Compression::printed ? push : tensile_split(push).compressive;
  return 0.5 * (pull + counted);
}

Separation largest_separation(const Mat3& tensor) {
  const SymmetricEigen e = symmetric_eigen(tensor);
  return {e.values[0], e.vectors.col(0)};
}

CornerForces corner_forces(const Mat3& deformation, const Mat3& tensile_stress, const Mat3& compressive_stress,
                           const Vec3& scaled_gradient) {
  return {-(deformation * (tensile_stress * scaled_gradient)), -(deformation * (compressive_stress * scaled_gradient))};
}

}  // namespace sunder
