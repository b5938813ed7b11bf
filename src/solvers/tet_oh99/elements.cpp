#include "solvers/tet_oh99/elements.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/parallel.h"
#include "core/rotation.h"
#include "geometry/symmetric_eigen.h"

namespace sunder::tet_oh99 {

TetMaterial isotropic_material(const Material& constants, bool with_barrier) {
  TetMaterial material{constants, isotropic_stress(constants), {}, true};
  if (with_barrier) material.barrier.modulus = constants.lambda + 2 * constants.mu;
  return material;
}

TetMaterial material_of_body(const Material& constants, const Mat3& rotation, bool with_barrier) {
  if (!constants.anisotropy) return isotropic_material(constants, with_barrier);
  const Mat3 axes = rotation * rotation_matrix(constants.anisotropy->axes);
  TetMaterial material{constants, anisotropic_stress(constants, axes), {}, false};
  if (with_barrier) material.barrier.modulus = wave_modulus(material);
  return material;
}

namespace {

Moduli symmetric_root(const Moduli& moduli) {
  const Eigen::SelfAdjointEigenSolver<Moduli> eigen(moduli);
  const Eigen::Matrix<double, 6, 1> roots = eigen.eigenvalues().cwiseMax(0).cwiseSqrt();
  return eigen.eigenvectors() * roots.asDiagonal() * eigen.eigenvectors().transpose();
}

// Least x^T V x / x^T C x. What holds for the moduli holds for every tet and every assembly of tets.
double smallest_damping_time(const StressModel& law) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<Moduli> eigen(law.viscous_moduli(), law.elastic_moduli(),
                                                               Eigen::EigenvaluesOnly);
  return std::max(0.0, eigen.eigenvalues()[0]);
}

// sum_i b_i b_i^T over the corners, b_i the Mandel strain of sym(u grad b_i^T).
Moduli strain_squares(const std::array<Vec3, 4>& gradients) {
  Moduli bbt = Moduli::Zero();
  const double r = 1 / std::sqrt(2.0);
  for (const Vec3& g : gradients) {
    Eigen::Matrix<double, 6, 3> b;
    b << g.x(), 0, 0,             //
        0, g.y(), 0,              //
        0, 0, g.z(),              //
        0, r * g.z(), r * g.y(),  //
        r * g.z(), 0, r * g.x(),  //
        r * g.y(), r * g.x(), 0;
    bbt += b * b.transpose();
  }
  return bbt;
}

// Largest eigenvalue of (rho vol / 4)^-1 vol B^T C B, with B the strain of the four corners' motion. No assembly of
// elements has a larger one (Rayleigh quotients), while altitude over wave speed is no bound at all. vol cancels. B^T C
// B and C^1/2 B B^T C^1/2 have the same non-zero eigenvalues, and the second is only 6x6.
double largest_eigenvalue(const Moduli& strain_squares, const Moduli& moduli_root, double density) {
  const Moduli product = moduli_root * strain_squares * moduli_root;
  const Eigen::SelfAdjointEigenSolver<Moduli> eigen(product, Eigen::EigenvaluesOnly);
  return 4 / density * std::max(0.0, eigen.eigenvalues()[5]);
}

// The same for the moduli first tr(e) I + 2 second e, from the eigenvalues g of G = sum_i grad b_i grad b_i^T. B B^T
// takes a strain e to sym(e G): in the axes of G it multiplies e_ij by (g_i + g_j) / 2. So shear has the eigenvalues
// second (g_i + g_j), and stretch those of the 3x3 matrix 2 second diag(g) + first r r^T with r_i = sqrt(g_i).
double largest_isotropic_eigenvalue(const std::array<double, 3>& g, double first, double second, double density) {
  const Vec3 squares(g[0], g[1], std::max(0.0, g[2])), roots = squares.cwiseSqrt();
  const Mat3 stretch = Mat3((2 * second * squares).asDiagonal()) + first * roots * roots.transpose();
  return 4 / density * std::max({0.0, second * (g[0] + g[1]), symmetric_eigenvalues(stretch)[0]});
}

}  // namespace

ElementMaker::ElementMaker(const std::vector<TetMaterial>& materials, const DampingParameters& damping)
    : damping_(damping) {
  for (const TetMaterial& m : materials) {
    laws_.push_back({m.constants, m.isotropic, symmetric_root(m.law->elastic_moduli()),
                     symmetric_root(m.law->viscous_moduli()), smallest_damping_time(*m.law)});
  }
}

void ElementMaker::make_room(const TetMesh& mesh, ElementConstants& e) const {
  const std::size_t slots = mesh.tet_slots();
  if (e.plastic.flows.empty()) {
    for (const Law& law : laws_) e.plastic.flows.push_back(law.constants.flows() ? 1 : 0);
  }
  if (e.plastic.any()) {
    e.plastic.deformation.resize(slots, Mat3::Identity());
    e.plastic.strain.resize(slots, 0);
  }
  e.rest_inverse.resize(slots, Mat3::Zero());
  e.damping_scale.resize(slots, 1);
  for (auto* column : {&e.volume, &e.elastic_eigen, &e.viscous_eigen, &e.gradient_square}) column->resize(slots);
}

void ElementMaker::make(const TetMesh& mesh, TetId t, ElementConstants& e) const {
  const TetCorners corners = rest_corners(mesh, e.plastic, t);
  const Law& law = laws_[mesh.tags(t).material];
  e.rest_inverse[t] = edge_matrix(corners).inverse();
  e.volume[t] = signed_volume(mesh.material_corners(t));  // flow keeps it
  std::array<Vec3, 4> gradients;
  for (int i = 0; i < 4; ++i) gradients[static_cast<std::size_t>(i)] = shape_gradient(e, {t, i});
  Mat3 squares = Mat3::Zero();
  for (const Vec3& g : gradients) squares += g * g.transpose();
  const Material& m = law.constants;
  if (m.flows()) {
    // At every step that it flows: cheap bounds have to do.
    const double largest = largest_eigenvalue_bound(squares), sum = squares.trace();
    e.gradient_square[t] = largest;
    e.elastic_eigen[t] = 4 / m.density * (2 * m.mu * largest + std::max(0.0, m.lambda) * sum);
    e.viscous_eigen[t] = 4 / m.density * (2 * m.psi * largest + m.phi * sum);
  } else if (law.isotropic) {
    const std::array<double, 3> g = symmetric_eigenvalues(squares);
    e.gradient_square[t] = g[0];
    e.elastic_eigen[t] = largest_isotropic_eigenvalue(g, m.lambda, m.mu, m.density);
    e.viscous_eigen[t] = largest_isotropic_eigenvalue(g, m.phi, m.psi, m.density);
  } else {
    e.gradient_square[t] = symmetric_eigenvalues(squares)[0];
    const Moduli strains = strain_squares(gradients);
    e.elastic_eigen[t] = largest_eigenvalue(strains, law.elastic_root, m.density);
    e.viscous_eigen[t] = largest_eigenvalue(strains, law.viscous_root, m.density);
  }
  e.damping_scale[t] = 1;
  const double ratio = e.viscous_eigen[t] / (2 * std::sqrt(e.elastic_eigen[t]));
  if (damping_.capped && ratio > damping_.largest_ratio) {
    e.damping_scale[t] = damping_.largest_ratio / ratio;
    e.viscous_eigen[t] *= e.damping_scale[t];
  }
}

void ElementMaker::count(const TetMesh& mesh, TetId t, ElementConstants& e) const {
  e.largest_gradient_square = std::max(e.largest_gradient_square, e.gradient_square[t]);
  e.smallest_damping_time =
      std::min(e.smallest_damping_time, e.damping_scale[t] * laws_[mesh.tags(t).material].damping_time);
}

TetCorners rest_corners(const TetMesh& mesh, const PlasticShapes& plastic, TetId tet) {
  TetCorners corners = mesh.material_corners(tet);
  if (plastic.flows[mesh.tags(tet).material] != 0) {
    for (Vec3& x : corners) x = plastic.deformation[tet] * x;
  }
  return corners;
}

ElementConstants element_constants(const TetMesh& mesh, const std::vector<TetMaterial>& materials,
                                   const DampingParameters& damping) {
  return element_constants(mesh, materials, damping, {});
}

ElementConstants element_constants(const TetMesh& mesh, const std::vector<TetMaterial>& materials,
                                   const DampingParameters& damping, PlasticShapes plastic) {
  const ElementMaker maker(materials, damping);
  ElementConstants e;
  e.plastic = std::move(plastic);
  maker.make_room(mesh, e);
  parallel_for(mesh.tet_slots(), [&](std::size_t i) {
    if (mesh.alive(TetId(i))) maker.make(mesh, TetId(i), e);
  });
  count_again(mesh, materials, damping, e);
  return e;
}

void count_again(const TetMesh& mesh, const std::vector<TetMaterial>& materials, const DampingParameters& damping,
                 ElementConstants& e) {
  const ElementMaker maker(materials, damping);
  e.largest_gradient_square = 0;
  e.smallest_damping_time = std::numeric_limits<double>::infinity();
  for (const TetId t : id_range<TetId>(mesh.tet_slots())) {
    if (mesh.alive(t)) maker.count(mesh, t, e);
  }
}

void renumber_tets(const std::vector<TetId>& tet, ElementConstants& e) {
  std::size_t count = 0;
  for (const TetId t : tet) count += t.valid() ? 1 : 0;
  const auto renumber = [&](auto& column) {
    auto old = std::move(column);
    column = {};
    column.resize(count);
    for (std::size_t t = 0; t < tet.size(); ++t) {
      if (tet[t].valid()) column[tet[t]] = old[TetId(t)];
    }
  };
  renumber(e.rest_inverse), renumber(e.volume), renumber(e.damping_scale);
  renumber(e.elastic_eigen), renumber(e.viscous_eigen), renumber(e.gradient_square);
  if (e.plastic.any()) renumber(e.plastic.deformation), renumber(e.plastic.strain);
}

Column<NodeId, double> lumped_masses(const TetMesh& mesh, const std::vector<TetMaterial>& materials) {
  Column<NodeId, double> mass(mesh.node_slots());
  for (const TetId t : id_range<TetId>(mesh.tet_slots())) {
    if (!mesh.alive(t)) continue;
    const double quarter =
        materials[mesh.tags(t).material].constants.density * signed_volume(mesh.material_corners(t)) / 4;
    for (const NodeId n : mesh.corners(t)) mass[n] += quarter;
  }
  return mass;
}

double wave_modulus(const TetMaterial& material) {
  return material.law->elastic_moduli().diagonal().head<3>().maxCoeff();
}

Column<NodeId, double> node_stiffness(const TetMesh& mesh, const std::vector<TetMaterial>& materials,
                                      const ElementConstants& elements) {
  std::vector<double> moduli;
  for (const TetMaterial& m : materials) moduli.push_back(wave_modulus(m));
  Column<NodeId, double> stiffness(mesh.node_slots());
  for (const TetId t : id_range<TetId>(mesh.tet_slots())) {
    if (!mesh.alive(t)) continue;
    for (int i = 0; i < 4; ++i) {
      stiffness[mesh.corners(t)[static_cast<std::size_t>(i)]] +=
          corner_stiffness(elements, {t, i}, moduli[mesh.tags(t).material]);
    }
  }
  return stiffness;
}

}  // namespace sunder::tet_oh99
