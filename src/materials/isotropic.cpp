#include "materials/linear_stress.h"

namespace sunder {
namespace {

Moduli isotropic_moduli(double first, double second) {
  Moduli c = 2 * second * Moduli::Identity();
  c.topLeftCorner<3, 3>().array() += first;
  return c;
}

// first tr(e) I + 2 second e
void isotropic_law(double first, double second, const SymmetricBatch& tensor, std::size_t count,
                   SymmetricBatch& result) {
  const auto& e = tensor.component;
  auto& s = result.component;
  for (std::size_t i = 0; i < count; ++i) {
    const double trace = first * (e[0][i] + e[1][i] + e[2][i]);
    for (std::size_t k = 0; k < 3; ++k) s[k][i] = trace + 2 * second * e[k][i];
    for (std::size_t k = 3; k < 6; ++k) s[k][i] = 2 * second * e[k][i];
  }
}

class IsotropicStress final : public LinearStress {
 public:
  explicit IsotropicStress(const Material& material) : m_(material) {}

  void stress(const SymmetricBatch& strain, const SymmetricBatch& rate, std::size_t count, SymmetricBatch& elastic,
              SymmetricBatch& viscous) const override {
    isotropic_law(m_.lambda, m_.mu, strain, count, elastic);
    isotropic_law(m_.phi, m_.psi, rate, count, viscous);
  }

  // W = lambda/2 tr(E)^2 + mu E:E, a quarter of OH99's (9).
  void energy_density(const SymmetricBatch& strain, std::size_t count,
                      std::array<double, kBatch>& density) const override {
    const auto& e = strain.component;
    for (std::size_t i = 0; i < count; ++i) {
      const double trace = e[0][i] + e[1][i] + e[2][i];
      double squares = 0;
      for (std::size_t k = 0; k < 3; ++k) squares += e[k][i] * e[k][i];
      for (std::size_t k = 3; k < 6; ++k) squares += 2 * e[k][i] * e[k][i];
      density[i] = 0.5 * m_.lambda * trace * trace + m_.mu * squares;
    }
  }

  Moduli elastic_moduli() const override { return isotropic_moduli(m_.lambda, m_.mu); }
  Moduli viscous_moduli() const override { return isotropic_moduli(m_.phi, m_.psi); }

 private:
  Material m_;
};

}  // namespace

std::unique_ptr<StressModel> isotropic_stress(const Material& material) {
  return std::make_unique<IsotropicStress>(material);
}

}  // namespace sunder
