#pragma once
// How a material answers strain with stress, for a batch of elements at a time: one virtual call per batch.
//
// Strain is Green's E = (F^T F - I) / 2, the rate is dE/dt, stress is the second Piola-Kirchhoff tensor S. In the
// paper's notation eps = 2E and sigma = 2S, so that lambda and mu are the ordinary Lame constants (docs/maths.md).

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <memory>

#include "core/vec.h"
#include "materials/material.h"

namespace sunder {

inline constexpr std::size_t kBatch = 64;

// A symmetric tensor per element, component by component: xx, yy, zz, yz, xz, xy (tensor components, no factor 2).
struct SymmetricBatch {
  alignas(64) std::array<std::array<double, kBatch>, 6> component;
};

// Moduli as a 6x6 matrix over the components above in the orthonormal (Mandel) scaling, where off-diagonal tensor
// components count sqrt(2): then tensor and matrix have the same norms and eigenvalues.
using Moduli = Eigen::Matrix<double, 6, 6>;

class StressModel {
 public:
  virtual ~StressModel() = default;

  // The two parts of S of elements 0 .. count-1. `rate` is what drives viscosity; the caller may have scaled it down
  // (damping cap).                                                                                        OH99 (4)
  virtual void stress(const SymmetricBatch& strain, const SymmetricBatch& rate, std::size_t count,
                      SymmetricBatch& elastic, SymmetricBatch& viscous) const = 0;

  // dS/dt, given dE/dt and d2E/dt2; the Taylor integrator's jerk needs it.
  virtual void stress_rate(const SymmetricBatch& strain, const SymmetricBatch& rate, const SymmetricBatch& second_rate,
                           std::size_t count, SymmetricBatch& result) const = 0;

  // Elastic energy per material volume, J/m^3.
  virtual void energy_density(const SymmetricBatch& strain, std::size_t count,
                              std::array<double, kBatch>& density) const = 0;

  // Upper bounds (in the sense of quadratic forms) for dS/dE and dS/d(dE/dt); the stable step rests on them.
  virtual Moduli elastic_moduli() const = 0;
  virtual Moduli viscous_moduli() const = 0;
};

// Elastic lambda tr(E) I + 2 mu E, viscous phi tr(dE/dt) I + 2 psi dE/dt                              OH99 (7), (8)
std::unique_ptr<StressModel> isotropic_stress(const Material& material);

// Elastic C E with the material's Anisotropy, whose axes lie in material coordinates as the columns of `axes`; viscous
// as the isotropic law.
std::unique_ptr<StressModel> anisotropic_stress(const Material& material, const Mat3& axes);

}  // namespace sunder
