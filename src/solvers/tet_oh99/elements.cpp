#include "solvers/tet_oh99/elements.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/parallel.h"

namespace sunder::tet_oh99 {

TetMaterial isotropic_material(const Material& constants, bool with_barrier) {
  TetMaterial material{constants, isotropic_stress(constants), {}, true};
  if (with_barrier) material.barrier.modulus = constants.lambda + 2 * constants.mu;
  return material;
}

Moduli symmetric_root(const Moduli& moduli) {
  const Eigen::SelfAdjointEigenSolver<Moduli> eigen(moduli);
  const Eigen::Matrix<double, 6, 1> roots = eigen.eigenvalues().cwiseMax(0).cwiseSqrt();
  return eigen.eigenvectors() * roots.asDiagonal() * eigen.eigenvectors().transpose();
}

namespace {

// Least x^T V x / x^T C x. What holds for the moduli holds for every tet and every assembly of tets.
double smallest_damping_time(const StressModel& law) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<Moduli> eigen(law.viscous_moduli(), law.elastic_moduli(),
                                                               Eigen::EigenvaluesOnly);
  return std::max(0.0, eigen.eigenvalues()[0]);
}

}  // namespace

double largest_element_eigenvalue(const TetCorners& corners, const Moduli& moduli_root, double density) {
  // vol cancels. B^T C B and C^1/2 B B^T C^1/2 have the same non-zero eigenvalues, and the second is only 6x6.
  Moduli bbt = Moduli::Zero();
  const double r = 1 / std::sqrt(2.0);
  for (const Vec3& g : barycentric_gradients(corners)) {
    Eigen::Matrix<double, 6, 3> b;  // Mandel strain of sym(u g^T)
    b << g.x(), 0, 0,               //
        0, g.y(), 0,                //
        0, 0, g.z(),                //
        0, r * g.z(), r * g.y(),    //
        r * g.z(), 0, r * g.x(),    //
        r * g.y(), r * g.x(), 0;
    bbt += b * b.transpose();
  }
  const Moduli product = moduli_root * bbt * moduli_root;
  const Eigen::SelfAdjointEigenSolver<Moduli> eigen(product, Eigen::EigenvaluesOnly);
  return 4 / density * std::max(0.0, eigen.eigenvalues()[5]);
}

ElementConstants element_constants(const TetMesh& mesh, const std::vector<TetMaterial>& materials,
                                   const DampingParameters& damping) {
  std::vector<Moduli> elastic_root, viscous_root;
  for (const TetMaterial& m : materials) {
    elastic_root.push_back(symmetric_root(m.law->elastic_moduli()));
    viscous_root.push_back(symmetric_root(m.law->viscous_moduli()));
  }
  const std::size_t slots = mesh.tet_slots();
  ElementConstants e;
  e.rest_inverse.resize(slots, Mat3::Zero());
  e.volume.resize(slots);
  e.damping_scale.resize(slots, 1);
  e.elastic_eigen.resize(slots);
  e.viscous_eigen.resize(slots);
  e.gradient_square.resize(slots);
  parallel_for(slots, [&](std::size_t i) {
    const TetId t(i);
    if (!mesh.alive(t)) return;
    const TetCorners corners = mesh.material_corners(t);
    const std::size_t material = mesh.tags(t).material;
    const double density = materials[material].constants.density;
    e.rest_inverse[t] = edge_matrix(corners).inverse();
    e.volume[t] = signed_volume(corners);
    e.elastic_eigen[t] = largest_element_eigenvalue(corners, elastic_root[material], density);
    e.viscous_eigen[t] = largest_element_eigenvalue(corners, viscous_root[material], density);
    const double ratio = e.viscous_eigen[t] / (2 * std::sqrt(e.elastic_eigen[t]));
    if (damping.capped && ratio > damping.largest_ratio) {
      e.damping_scale[t] = damping.largest_ratio / ratio;
      e.viscous_eigen[t] *= e.damping_scale[t];
    }
    Mat3 squares = Mat3::Zero();
    for (const Vec3& g : barycentric_gradients(corners)) squares += g * g.transpose();
    e.gradient_square[t] = Eigen::SelfAdjointEigenSolver<Mat3>(squares, Eigen::EigenvaluesOnly).eigenvalues()[2];
  });
  e.smallest_damping_time = std::numeric_limits<double>::infinity();
  std::vector<double> damping_time;
  for (const TetMaterial& m : materials) damping_time.push_back(smallest_damping_time(*m.law));
  for (const TetId t : id_range<TetId>(slots)) {
    if (!mesh.alive(t)) continue;
    e.largest_gradient_square = std::max(e.largest_gradient_square, e.gradient_square[t]);
    e.smallest_damping_time =
        std::min(e.smallest_damping_time, e.damping_scale[t] * damping_time[mesh.tags(t).material]);
  }
  return e;
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

Column<NodeId, double> node_stiffness(const TetMesh& mesh, const std::vector<TetMaterial>& materials) {
  std::vector<double> wave_modulus;  // lambda + 2 mu if isotropic
  for (const TetMaterial& m : materials)
    wave_modulus.push_back(m.law->elastic_moduli().diagonal().head<3>().maxCoeff());
  Column<NodeId, double> stiffness(mesh.node_slots());
  for (const TetId t : id_range<TetId>(mesh.tet_slots())) {
    if (!mesh.alive(t)) continue;
    const TetCorners corners = mesh.material_corners(t);
    const double volume_modulus = signed_volume(corners) * wave_modulus[mesh.tags(t).material];
    const auto gradients = barycentric_gradients(corners);
    for (std::size_t i = 0; i < 4; ++i) {
      stiffness[mesh.corners(t)[i]] += volume_modulus * gradients[i].squaredNorm();
    }
  }
  return stiffness;
}

}  // namespace sunder::tet_oh99
