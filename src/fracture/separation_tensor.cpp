#include "fracture/separation_tensor.h"

#include "geometry/symmetric_eigen.h"

namespace sunder {
namespace {

Mat2 compressive_part(const Mat2& a) { return plane_split(a).compressive; }
Mat3 compressive_part(const Mat3& a) { return tensile_split(a).compressive; }

}  // namespace

template <int Dimension>
typename SeparationSum<Dimension>::Tensor SeparationSum<Dimension>::tensor(Compression compression) const {
  // m(sum f) - sum m(f): what is left of the forces once their unbalanced part is taken away, with a minus.
  const Tensor pull = pulls_ - force_matrix(pull_sum_);
  if (pushes_.isZero(0)) return 0.5 * pull;
  const Tensor push = force_matrix(push_sum_) - pushes_;
  return 0.5 * (pull + (compression == Compression::printed ? push : compressive_part(push)));
}
template class SeparationSum<2>;
template class SeparationSum<3>;

Mat3 separation_tensor(std::span<const Vec3> tensile, std::span<const Vec3> compressive, Compression compression) {
  SeparationSum<3> sum;
  for (const Vec3& f : tensile) sum.pull(f);
  for (const Vec3& f : compressive) sum.push(f);
  return sum.tensor(compression);
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
