#pragma once
// The separation tensor of a node, O'Brien & Hodgins 1999 (28) to (32): how the forces of the elements round a node
// pull it apart. Made of forces, so its eigenvalues are newtons, and so is the toughness they are compared with.

#include <span>

#include "core/vec.h"

namespace sunder {

// What the compressive forces count for. As printed, (32) lets compression separate: m(f-) - sum m(f) can have a
// positive eigenvalue where the pushes are not balanced, so a body cracks under the thing that presses on it.
enum class Compression {
  negative_part,  // only the negative part of that difference: compression hinders, and never opens
  printed,        // the paper's literal formula
};

// m(f) = f f^T / |f|, and 0 for f = 0: the matrix with the eigenvalue |f| along f.                        OH99 (28)
template <class Force>
auto force_matrix(const Eigen::MatrixBase<Force>& force) {
  using Matrix = Eigen::Matrix<double, Force::RowsAtCompileTime, Force::RowsAtCompileTime>;
  const Eigen::Vector<double, Force::RowsAtCompileTime> f = force;
  double length = f.norm();
  if (!(length > 1e-150 && length < 1e150)) length = f.stableNorm();  // squares may have left the range
  if (!(length > 0)) return Matrix(Matrix::Zero());
  return Matrix((f / length) * f.transpose());
}

// The tensor of a node, element by element of its star: of solids in space, of surfaces in the node's tangent plane.
template <int Dimension>
class SeparationSum {
 public:
  using Force = Eigen::Vector<double, Dimension>;
  using Tensor = Eigen::Matrix<double, Dimension, Dimension>;

  void pull(const Force& tensile) { add(tensile, pull_sum_, pulls_); }
  void push(const Force& compressive) { add(compressive, push_sum_, pushes_); }
  // zeta = 1/2 ( -m(f+) + sum m(f) + m(f-) - sum m(f) )                                                OH99 (32)
  Tensor tensor(Compression compression = Compression::negative_part) const;

 private:
  static void add(const Force& f, Force& sum, Tensor& all) {
    sum += f;
    all += force_matrix(f);
  }
  Force pull_sum_ = Force::Zero(), push_sum_ = Force::Zero();
  Tensor pulls_ = Tensor::Zero(), pushes_ = Tensor::Zero();
};

// The tensor of a node from the tensile and the compressive force of each element of its star.            OH99 (32)
Mat3 separation_tensor(std::span<const Vec3> tensile, std::span<const Vec3> compressive,
                       Compression compression = Compression::negative_part);

// How much, and across which plane.
struct Separation {
  double eigenvalue = 0;        // the largest, N; not above 0 if nothing separates
  Vec3 normal = Vec3::UnitX();  // of the plane, world, unit length
};
Separation largest_separation(const Mat3& tensor);

// The force that an element with stress S exerts on its corner i is -vol F S grad b_i, OH99 (27): tensile and
// compressive force are that with the tensile and the compressive part of S. `scaled_gradient` = vol grad b_i (m^2), a
// third of the area of the face opposite the corner, pointing inward.
struct CornerForces {
  Vec3 tensile, compressive;
};
CornerForces corner_forces(const Mat3& deformation, const Mat3& tensile_stress, const Mat3& compressive_stress,
                           const Vec3& scaled_gradient);

}  // namespace sunder
