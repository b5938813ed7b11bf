#include "solvers/tet_oh99/forces.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "core/parallel.h"

namespace sunder::tet_oh99 {
namespace {

// d(positions)/d(material): F for positions, dF/dt for velocities.                             OH99 (21), (22)
Mat3 gradient(const TetMesh& mesh, TetId tet, const Column<NodeId, Vec3>& x, const Mat3& rest_inverse) {
  const auto& c = mesh.corners(tet);
  Mat3 edges;
  edges << x[c[1]] - x[c[0]], x[c[2]] - x[c[0]], x[c[3]] - x[c[0]];
  return edges * rest_inverse;
}

void store(SymmetricBatch& batch, std::size_t i, const Mat3& m) {
  auto& c = batch.component;
  c[0][i] = m(0, 0), c[1][i] = m(1, 1), c[2][i] = m(2, 2);
  c[3][i] = m(1, 2), c[4][i] = m(0, 2), c[5][i] = m(0, 1);
}

Mat3 load(const SymmetricBatch& batch, std::size_t i) {
  const auto& c = batch.component;
  Mat3 m;
  m << c[0][i], c[5][i], c[4][i],  //
      c[5][i], c[1][i], c[3][i],   //
      c[4][i], c[3][i], c[2][i];
  return m;
}

Mat3 green_strain(const Mat3& f) { return 0.5 * (f.transpose() * f - Mat3::Identity()); }  // half of OH99 (1)

Mat3 symmetric_part(const Mat3& m) { return 0.5 * (m + m.transpose()); }

// No eigenvalue of a symmetric 3x3 matrix exceeds its mean by more than sqrt(2/3) of the deviator's norm.
double largest_eigenvalue_bound(const Mat3& m) {
  const double mean = m.trace() / 3;
  return mean + std::sqrt(2.0 / 3 * (m - mean * Mat3::Identity()).squaredNorm());
}

}  // namespace

InternalForces::InternalForces(const TetMesh& mesh, const std::vector<TetMaterial>& materials,
                               const ElementConstants& elements)
    : mesh_(mesh), materials_(materials), elements_(elements) {}

const std::vector<InternalForces::Batch>& InternalForces::batches() const {
  if (!stale_) return batches_;
  stale_ = false;
  batches_.clear();
  for (const TetId t : id_range<TetId>(mesh_.tet_slots())) {
    if (!mesh_.alive(t)) continue;
    const std::uint32_t material = mesh_.tags(t).material;
    if (batches_.empty() || batches_.back().first + batches_.back().count != t.index ||
        batches_.back().material != material || batches_.back().count == kBatch) {
      batches_.push_back({t.index, 0, material});
    }
    ++batches_.back().count;
  }
  return batches_;
}

template <class Body>
void InternalForces::for_each_batch(Body&& body) const {
  const std::vector<Batch>& all = batches();
  parallel_chunks(all.size(), 8, [&](std::size_t begin, std::size_t end) {
    for (std::size_t b = begin; b < end; ++b) body(all[b], b);
  });
}

ForceReport InternalForces::evaluate(const NodeState& state, Column<NodeId, Vec3>& force) {
  partial_.assign(batches().size(), {});
  corner_force_.resize(4 * mesh_.tet_slots());  // only now: where FastForces does the work, it is never needed
  for_each_batch([&](const Batch& batch, std::size_t number) {
    std::array<Mat3, kBatch> f, g;
    SymmetricBatch strain, rate, elastic, viscous;
    ForceReport report;
    for (std::size_t i = 0; i < batch.count; ++i) {
      const TetId t(batch.first + i);
      f[i] = gradient(mesh_, t, state.position, elements_.rest_inverse[t]);
      g[i] = gradient(mesh_, t, state.velocity, elements_.rest_inverse[t]);
      store(strain, i, green_strain(f[i]));
      // half of OH99 (3), times the damping cap
      store(rate, i, elements_.damping_scale[t] * symmetric_part(f[i].transpose() * g[i]));
    }
    const TetMaterial& material = materials_[batch.material];
    material.law->stress(strain, rate, batch.count, elastic, viscous);
    for (std::size_t i = 0; i < batch.count; ++i) {
      const TetId t(batch.first + i);
      const Mat3 s = load(elastic, i) + load(viscous, i);
      const Mat3 true_rate = symmetric_part(f[i].transpose() * g[i]);  // the cap is on the stress, not on the motion
      report.viscous_power += elements_.volume[t] * load(viscous, i).cwiseProduct(true_rate).sum();
      const double j = f[i].determinant();
      Mat3 first_piola = f[i] * s;
      // The tangent's elastic part is at most |F|^2 times that at rest; tension S adds its own stiffness.
      const double stretch_square = std::max(0.0, 1 + 2 * largest_eigenvalue_bound(load(strain, i)));
      double own_stiffness = std::max(0.0, largest_eigenvalue_bound(s));
      if (material.barrier.acts(j)) {
        const Mat3 c = cofactor(f[i]);
        first_piola += material.barrier.slope(j) * c;
        // H : d2W/dF2 : H = W'' (cof F : H)^2 + 2 W' F : cof H, and |F : cof H| <= |F| |H|^2
        own_stiffness += material.barrier.curvature(j) * c.squaredNorm() +
                         2 * std::abs(material.barrier.slope(j)) * std::sqrt(stretch_square);
      }
      store_forces(t, elements_.volume[t] * first_piola);

      report.elastic_eigen = std::max(
          report.elastic_eigen, stretch_square * elements_.elastic_eigen[t] +
                                    4 / material.constants.density * own_stiffness * elements_.gradient_square[t]);
      report.viscous_eigen = std::max(report.viscous_eigen, stretch_square * elements_.viscous_eigen[t]);
      if (!(j > 0)) ++report.inverted;
    }
    partial_[number] = report;
  });
  sum_corners(force);

  ForceReport total;
  for (const ForceReport& p : partial_) {
    total.viscous_power += p.viscous_power;
    total.elastic_eigen = std::max(total.elastic_eigen, p.elastic_eigen);
    total.viscous_eigen = std::max(total.viscous_eigen, p.viscous_eigen);
    total.inverted += p.inverted;
  }
  return total;
}

void InternalForces::evaluate_rate(const NodeState& state, const Column<NodeId, Vec3>& acceleration,
                                   Column<NodeId, Vec3>& force_rate) {
  corner_force_.resize(4 * mesh_.tet_slots());
  for_each_batch([&](const Batch& batch, std::size_t) {
    std::array<Mat3, kBatch> f, g;
    SymmetricBatch strain, rate, scaled_rate, second_rate, elastic, viscous, stress_rate;
    for (std::size_t i = 0; i < batch.count; ++i) {
      const TetId t(batch.first + i);
      f[i] = gradient(mesh_, t, state.position, elements_.rest_inverse[t]);
      g[i] = gradient(mesh_, t, state.velocity, elements_.rest_inverse[t]);
      const Mat3 a = gradient(mesh_, t, acceleration, elements_.rest_inverse[t]);
      const double scale = elements_.damping_scale[t];
      store(strain, i, green_strain(f[i]));
      store(rate, i, symmetric_part(f[i].transpose() * g[i]));
      store(scaled_rate, i, scale * symmetric_part(f[i].transpose() * g[i]));
      store(second_rate, i, scale * (g[i].transpose() * g[i] + symmetric_part(f[i].transpose() * a)));
    }
    const TetMaterial& material = materials_[batch.material];
    material.law->stress(strain, scaled_rate, batch.count, elastic, viscous);
    material.law->stress_rate(strain, rate, second_rate, batch.count, stress_rate);
    for (std::size_t i = 0; i < batch.count; ++i) {
      const TetId t(batch.first + i);
      // d/dt (F S) = dF/dt S + F dS/dt
      Mat3 first_piola_rate = g[i] * (load(elastic, i) + load(viscous, i)) + f[i] * load(stress_rate, i);
      const double j = f[i].determinant();
      if (material.barrier.acts(j)) {
        const Mat3 c = cofactor(f[i]);
        const double j_rate = c.cwiseProduct(g[i]).sum();
        first_piola_rate +=
            material.barrier.curvature(j) * j_rate * c + material.barrier.slope(j) * cofactor_rate(f[i], g[i]);
      }
      store_forces(t, elements_.volume[t] * first_piola_rate);
    }
  });
  sum_corners(force_rate);
}

// f_i = -vol P grad b_i for corners 1, 2, 3; the four add up to zero                                 OH99 (27)
void InternalForces::store_forces(TetId tet, const Mat3& scaled_first_piola) {
  const Mat3 forces = -scaled_first_piola * elements_.rest_inverse[tet].transpose();
  Vec3* corner = &corner_force_[4 * tet.index];
  corner[1] = forces.col(0), corner[2] = forces.col(1), corner[3] = forces.col(2);
  corner[0] = -(corner[1] + corner[2] + corner[3]);
}

void InternalForces::sum_corners(Column<NodeId, Vec3>& force) const {
  force.resize(mesh_.node_slots());
  parallel_for(mesh_.node_slots(), [&](std::size_t i) {
    Vec3 sum = Vec3::Zero();
    for (const Corner c : mesh_.star(NodeId(i)))
      sum += corner_force_[4 * c.tet.index + static_cast<std::size_t>(c.index)];
    force[NodeId(i)] = sum;
  });
}

double InternalForces::elastic_energy(const Column<NodeId, Vec3>& position) const {
  std::vector<double> energy(batches().size());
  for_each_batch([&](const Batch& batch, std::size_t number) {
    const TetMaterial& material = materials_[batch.material];
    SymmetricBatch strain;
    std::array<double, kBatch> determinant, density;
    for (std::size_t i = 0; i < batch.count; ++i) {
      const TetId t(batch.first + i);
      const Mat3 f = gradient(mesh_, t, position, elements_.rest_inverse[t]);
      store(strain, i, green_strain(f));
      determinant[i] = f.determinant();
    }
    material.law->energy_density(strain, batch.count, density);
    for (std::size_t i = 0; i < batch.count; ++i) {
      if (material.barrier.acts(determinant[i])) density[i] += material.barrier.energy_density(determinant[i]);
      energy[number] += elements_.volume[TetId(batch.first + i)] * density[i];
    }
  });
  double sum = 0;
  for (const double e : energy) sum += e;
  return sum;
}

void InternalForces::principal_stress(const NodeState& state, Column<TetId, double>& result) const {
  result.resize(mesh_.tet_slots());
  for_each_batch([&](const Batch& batch, std::size_t) {
    std::array<Mat3, kBatch> f;
    SymmetricBatch strain, rate, elastic, viscous;
    for (std::size_t i = 0; i < batch.count; ++i) {
      const TetId t(batch.first + i);
      f[i] = gradient(mesh_, t, state.position, elements_.rest_inverse[t]);
      const Mat3 g = gradient(mesh_, t, state.velocity, elements_.rest_inverse[t]);
      store(strain, i, green_strain(f[i]));
      store(rate, i, elements_.damping_scale[t] * symmetric_part(f[i].transpose() * g));
    }
    const TetMaterial& material = materials_[batch.material];
    material.law->stress(strain, rate, batch.count, elastic, viscous);
    for (std::size_t i = 0; i < batch.count; ++i) {
      const double volume_ratio = f[i].determinant();
      double largest = 0;  // of F S F^T / det F; an inverted tet has no Cauchy stress but the barrier's pressure
      if (volume_ratio > 0) {
        const Mat3 s = load(elastic, i) + load(viscous, i);
        const Mat3 cauchy = f[i] * s * f[i].transpose() / volume_ratio;
        largest = Eigen::SelfAdjointEigenSolver<Mat3>(symmetric_part(cauchy), Eigen::EigenvaluesOnly).eigenvalues()[2];
      }
      if (material.barrier.acts(volume_ratio)) largest += material.barrier.slope(volume_ratio);
      result[TetId(batch.first + i)] = largest;
    }
  });
}

}  // namespace sunder::tet_oh99
