#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>

#include "core/check.h"
#include "materials/anisotropy.h"
#include "materials/linear_stress.h"

namespace sunder {
namespace {

using Vec6 = Eigen::Matrix<double, 6, 1>;

const double kRoot2 = std::sqrt(2.0);

// What takes Voigt's components to those that keep norms (Mandel): C_IJ w_I w_J.
Vec6 mandel_weights() {
  Vec6 w;
  w << 1, 1, 1, kRoot2, kRoot2, kRoot2;
  return w;
}

Moduli mandel(const VoigtMatrix& c) { return mandel_weights().asDiagonal() * c * mandel_weights().asDiagonal(); }

double smallest(const Moduli& m) {
  return Eigen::SelfAdjointEigenSolver<Moduli>(m, Eigen::EigenvaluesOnly).eigenvalues()[0];
}

// T -> R T R^T on Mandel components; orthogonal, as R is.
Moduli turning(const Mat3& r) {
  constexpr std::array<std::array<int, 2>, 6> kIndex = {{{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}}};
  Moduli turn;
  for (int j = 0; j < 6; ++j) {
    const auto [a, b] = kIndex[static_cast<std::size_t>(j)];
    Mat3 unit = Mat3::Zero();
    unit(a, b) = unit(b, a) = j < 3 ? 1 : 1 / kRoot2;
    const Mat3 turned = r * unit * r.transpose();
    for (int i = 0; i < 6; ++i) {
      const auto [c, d] = kIndex[static_cast<std::size_t>(i)];
      turn(i, j) = (i < 3 ? 1 : kRoot2) * turned(c, d);
    }
  }
  return turn;
}

class AnisotropicStress final : public LinearStress {
 public:
  AnisotropicStress(const Moduli& elastic, const Material& viscosity)
      : elastic_(elastic), viscosity_(isotropic_stress(viscosity)) {
    // Tensor components in, tensor components out: S_I = sum_J c_IJ w_J / w_I E_J, c Mandel's.
    const Vec6 w = mandel_weights();
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j < 6; ++j) {
        c_[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = elastic(i, j) * w[j] / w[i];
      }
    }
  }

  void stress(const SymmetricBatch& strain, const SymmetricBatch& rate, std::size_t count, SymmetricBatch& elastic,
              SymmetricBatch& viscous) const override {
    viscosity_->stress(strain, rate, count, elastic, viscous);  // its elastic part is overwritten
    apply(strain, count, elastic);
  }

  // W = 1/2 E : C E
  void energy_density(const SymmetricBatch& strain, std::size_t count,
                      std::array<double, kBatch>& density) const override {
    SymmetricBatch s;
    apply(strain, count, s);
    for (std::size_t i = 0; i < count; ++i) {
      double sum = 0;
      for (std::size_t k = 0; k < 3; ++k) sum += 0.5 * strain.component[k][i] * s.component[k][i];
      for (std::size_t k = 3; k < 6; ++k) sum += strain.component[k][i] * s.component[k][i];
      density[i] = sum;
    }
  }

  Moduli elastic_moduli() const override { return elastic_; }
  Moduli viscous_moduli() const override { return viscosity_->viscous_moduli(); }

 private:
  void apply(const SymmetricBatch& strain, std::size_t count, SymmetricBatch& result) const {
    const auto& e = strain.component;
    for (std::size_t k = 0; k < 6; ++k) {
      const std::array<double, 6>& c = c_[k];
      for (std::size_t i = 0; i < count; ++i) {
        result.component[k][i] =
            c[0] * e[0][i] + c[1] * e[1][i] + c[2] * e[2][i] + (c[3] * e[3][i] + c[4] * e[4][i] + c[5] * e[5][i]);
      }
    }
  }

  Moduli elastic_;
  std::unique_ptr<StressModel> viscosity_;
  std::array<std::array<double, 6>, 6> c_;
};

}  // namespace

VoigtMatrix voigt_matrix(const std::array<double, 21>& constants) {
  VoigtMatrix c;
  std::size_t next = 0;
  for (int i = 0; i < 6; ++i) {
    for (int j = i; j < 6; ++j) c(i, j) = c(j, i) = constants[next++];
  }
  return c;
}

std::array<double, 21> constants_of(const VoigtMatrix& matrix) {
  std::array<double, 21> constants;
  std::size_t next = 0;
  for (int i = 0; i < 6; ++i) {
    for (int j = i; j < 6; ++j) constants[next++] = matrix(i, j);
  }
  return constants;
}

VoigtMatrix compliance(const Orthotropy& o) {
  VoigtMatrix s = VoigtMatrix::Zero();
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    s(i, i) = 1 / o.young[i];
    s(i, j) = s(j, i) = -o.poisson[i] / o.young[i];  // nu12 / E1, nu23 / E2, nu31 / E3
    s(3 + k, 3 + k) = 1 / o.shear[i];                // G12 is of xy, the last; G23 of yz, G31 of xz
  }
  return s;
}

double smallest_eigenvalue(const VoigtMatrix& stiffness) { return smallest(mandel(stiffness)); }

// Engineering shears are twice the tensor's: S_IJ / (w_I w_J).
double smallest_compliance(const VoigtMatrix& compliance) {
  const Vec6 inverse = mandel_weights().cwiseInverse();
  return smallest(inverse.asDiagonal() * compliance * inverse.asDiagonal());
}

MeanModuli mean_moduli(const VoigtMatrix& c) {
  const double pull = c(0, 0) + c(1, 1) + c(2, 2), across = c(0, 1) + c(0, 2) + c(1, 2);
  const double shear = c(3, 3) + c(4, 4) + c(5, 5);
  return {.lambda = (pull + 4 * across - 2 * shear) / 15, .mu = (pull - across + 3 * shear) / 15};
}

std::unique_ptr<StressModel> anisotropic_stress(const Material& material, const Mat3& axes) {
  SUNDER_CHECK(material.anisotropy.has_value(), "the material has no constants of direction");
  const Moduli turn = turning(axes);
  const Moduli turned = turn * mandel(voigt_matrix(material.anisotropy->stiffness)) * turn.transpose();
  return std::make_unique<AnisotropicStress>(0.5 * (turned + turned.transpose()), material);
}

}  // namespace sunder
