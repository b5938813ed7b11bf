#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <cmath>
#include <numbers>

#include "core/random.h"
#include "materials/anisotropy.h"
#include "materials/stress_model.h"

namespace sunder {
namespace {

const Orthotropy kLamina = {{140e9, 10e9, 8e9}, {0.3, 0.4, 0.02}, {5e9, 3e9, 4e9}};

Material with(const VoigtMatrix& stiffness) {
  Material m;
  m.phi = 20, m.psi = 30, m.density = 1600;
  m.anisotropy = Anisotropy{constants_of(stiffness)};
  return m;
}

// Any symmetric, positive definite matrix.
VoigtMatrix random_stiffness(std::uint64_t seed) {
  VoigtMatrix a;
  for (int i = 0; i < 36; ++i) a(i / 6, i % 6) = random_unit(seed, static_cast<std::uint64_t>(i)) - 0.5;
  return 1e6 * (a * a.transpose() + 0.1 * VoigtMatrix::Identity());
}

SymmetricBatch random_batch(std::uint64_t seed) {
  SymmetricBatch batch;
  for (std::size_t k = 0; k < 6; ++k) {
    for (std::size_t i = 0; i < kBatch; ++i) batch.component[k][i] = 0.1 * (random_unit(seed, k, i) - 0.5);
  }
  return batch;
}

TEST(Anisotropy, IsotropicConstantsGivenAsTwentyOneAreTheIsotropicLaw) {
  Material m;
  m.lambda = 3e6, m.mu = 5e6, m.phi = 20, m.psi = 30;
  VoigtMatrix c = VoigtMatrix::Zero();
  c.topLeftCorner<3, 3>().setConstant(m.lambda);
  for (int i = 0; i < 3; ++i) c(i, i) += 2 * m.mu, c(3 + i, 3 + i) = m.mu;
  const MeanModuli mean = mean_moduli(c);
  EXPECT_NEAR(mean.lambda, m.lambda, 1e-9 * m.lambda);
  EXPECT_NEAR(mean.mu, m.mu, 1e-9 * m.mu);
  const Mat3 axes = Eigen::AngleAxisd(1.1, Vec3(1, 2, 3).normalized()).toRotationMatrix();  // it has none
  const auto isotropic = isotropic_stress(m), other = anisotropic_stress(with(c), axes);
  const SymmetricBatch strain = random_batch(1), rate = random_batch(2);
  SymmetricBatch elastic, viscous, elastic2, viscous2;
  isotropic->stress(strain, rate, kBatch, elastic, viscous);
  other->stress(strain, rate, kBatch, elastic2, viscous2);
  std::array<double, kBatch> energy, energy2;
  isotropic->energy_density(strain, kBatch, energy);
  other->energy_density(strain, kBatch, energy2);
  for (std::size_t i = 0; i < kBatch; ++i) {
    for (std::size_t k = 0; k < 6; ++k) {
      EXPECT_NEAR(elastic.component[k][i], elastic2.component[k][i], 1e-12 * 16e6 * 0.1);
      EXPECT_EQ(viscous.component[k][i], viscous2.component[k][i]);
    }
    EXPECT_NEAR(energy[i], energy2[i], 1e-12 * energy[i]);
  }
  EXPECT_LT((isotropic->elastic_moduli() - other->elastic_moduli()).norm(), 1e-12 * 16e6);
  EXPECT_EQ(isotropic->viscous_moduli(), other->viscous_moduli());
}

TEST(Anisotropy, StressIsTheGradientOfTheEnergy) {
  const auto law = anisotropic_stress(with(random_stiffness(3)), Mat3::Identity());
  const SymmetricBatch strain = random_batch(4);
  SymmetricBatch elastic, viscous;
  law->stress(strain, strain, kBatch, elastic, viscous);
  for (std::size_t k = 0; k < 6; ++k) {
    std::array<double, kBatch> up, down;
    SymmetricBatch moved = strain;
    for (double& x : moved.component[k]) x += 1e-4;
    law->energy_density(moved, kBatch, up);
    for (double& x : moved.component[k]) x -= 2e-4;
    law->energy_density(moved, kBatch, down);
    for (std::size_t i = 0; i < kBatch; ++i) {
      // An off-diagonal component stands twice in the tensor.
      EXPECT_NEAR((up[i] - down[i]) / 2e-4, (k < 3 ? 1 : 2) * elastic.component[k][i], 1e-3);
    }
  }
}

TEST(Anisotropy, PullAlongAnAxisShowsItsYoungsModulusAndPoissonsRatios) {
  const VoigtMatrix soft = compliance(kLamina);
  const auto law = anisotropic_stress(with(soft.inverse()), Mat3::Identity());
  for (int axis = 0; axis < 3; ++axis) {
    const int next = (axis + 1) % 3;
    Eigen::Matrix<double, 6, 1> stress = Eigen::Matrix<double, 6, 1>::Zero();
    stress[axis] = 1e6;
    const Eigen::Matrix<double, 6, 1> strain = law->elastic_moduli().ldlt().solve(stress);
    EXPECT_NEAR(strain[axis], 1e6 / kLamina.young[axis], 1e-12);
    EXPECT_NEAR(strain[next], -kLamina.poisson[axis] * strain[axis], 1e-12);
    EXPECT_NEAR(strain.tail<3>().norm(), 0, 1e-15);
  }
  // Shears: tau = G gamma, gamma twice the tensor's component. Order of components: yz, xz, xy.
  SymmetricBatch strain{}, elastic, viscous;
  for (std::size_t k = 3; k < 6; ++k) strain.component[k][0] = 0.5e-3;
  law->stress(strain, strain, 1, elastic, viscous);
  EXPECT_NEAR(elastic.component[5][0], 5e9 * 1e-3, 1e-3);  // G12
  EXPECT_NEAR(elastic.component[3][0], 3e9 * 1e-3, 1e-3);  // G23
  EXPECT_NEAR(elastic.component[4][0], 4e9 * 1e-3, 1e-3);  // G31
}

// 1/E(t) = cos^4/E1 + sin^4/E2 + cos^2 sin^2 (1/G12 - 2 nu12/E1): a lamina pulled at an angle t to its fibres.
TEST(Anisotropy, ALaminaPulledOffItsAxisHasTheModulusOfTheFormula) {
  for (int degrees = 0; degrees <= 90; degrees += 15) {
    const double t = degrees * std::numbers::pi / 180, c = std::cos(t), s = std::sin(t);
    const Mat3 axes = Eigen::AngleAxisd(t, Vec3::UnitZ()).toRotationMatrix();
    const auto law = anisotropic_stress(with(compliance(kLamina).inverse()), axes);
    const double young = 1 / law->elastic_moduli().inverse()(0, 0);
    const double formula =
        1 / (std::pow(c, 4) / 140e9 + std::pow(s, 4) / 10e9 + c * c * s * s * (1 / 5e9 - 0.6 / 140e9));
    EXPECT_NEAR(young, formula, 1e-10 * formula) << degrees;
  }
}

TEST(Anisotropy, TurnedAxesTurnStressAndStrain) {
  const Mat3 r = Eigen::AngleAxisd(0.8, Vec3(2, -1, 0.5).normalized()).toRotationMatrix();
  const Material m = with(random_stiffness(9));
  const auto law = anisotropic_stress(m, Mat3::Identity()), turned = anisotropic_stress(m, r);
  const auto at = [](const SymmetricBatch& b, std::size_t i) {
    const auto& c = b.component;
    Mat3 t;
    t << c[0][i], c[5][i], c[4][i], c[5][i], c[1][i], c[3][i], c[4][i], c[3][i], c[2][i];
    return t;
  };
  SymmetricBatch strain = random_batch(5), turned_strain, a, b, viscous;
  for (std::size_t i = 0; i < kBatch; ++i) {
    const Mat3 e = r * at(strain, i) * r.transpose();
    auto& c = turned_strain.component;
    c[0][i] = e(0, 0), c[1][i] = e(1, 1), c[2][i] = e(2, 2), c[3][i] = e(1, 2), c[4][i] = e(0, 2), c[5][i] = e(0, 1);
  }
  law->stress(strain, strain, kBatch, a, viscous);
  turned->stress(turned_strain, strain, kBatch, b, viscous);
  for (std::size_t i = 0; i < kBatch; ++i) {
    EXPECT_LT((r * at(a, i) * r.transpose() - at(b, i)).norm(), 1e-9 * at(a, i).norm() + 1e-9);
  }
}

TEST(Anisotropy, TheSmallestEigenvalueIsThatOfTheTensor) {
  VoigtMatrix c = VoigtMatrix::Zero();
  c.topLeftCorner<3, 3>().setConstant(-1e6);
  for (int i = 0; i < 3; ++i) c(i, i) += 2 * 4e6, c(3 + i, 3 + i) = 4e6;
  EXPECT_NEAR(smallest_eigenvalue(c), 3 * -1e6 + 2 * 4e6, 1e-6);  // three times the bulk modulus
  EXPECT_NEAR(smallest_compliance(c.inverse()), 1 / (2 * 4e6), 1e-18);
  const VoigtMatrix any = random_stiffness(2);
  EXPECT_EQ(voigt_matrix(constants_of(any)), VoigtMatrix(any.selfadjointView<Eigen::Upper>()));
}

TEST(Anisotropy, PoissonsRatiosThatAreTooLargeAreSeen) {
  Orthotropy o = kLamina;
  o.poisson[0] = std::sqrt(140e9 / 10e9) * 1.01;
  EXPECT_LT(smallest_compliance(compliance(o)), 0);
  EXPECT_GT(smallest_compliance(compliance(kLamina)), 0);
}

}  // namespace
}  // namespace sunder
