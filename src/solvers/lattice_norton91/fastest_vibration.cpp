#include "solvers/lattice_norton91/fastest_vibration.h"

#include <algorithm>
#include <cmath>

#include "core/random.h"

namespace sunder::lattice_norton91 {

std::vector<double> gershgorin_bounds(const Lattice& lattice, std::size_t bodies) {
  std::vector<double> bound(bodies, 0);
  for (Index n = 0; n < lattice.node_count(); ++n) {
    double sum = 0;
    for (const Index b : lattice.node_bonds[n]) sum += lattice.stiffness[b];
    double& most = bound[lattice.node_body[n]];
    most = std::max(most, 2 * sum / lattice.mass[NodeId(n)]);
  }
  return bound;
}

std::vector<double> fastest_vibrations(const Lattice& lattice, std::size_t bodies) {
  constexpr int kIterations = 200;
  constexpr double kSettled = 1e-3, kRaise = 1.05;
  const std::vector<double> bound = gershgorin_bounds(lattice, bodies);
  const std::size_t nodes = lattice.node_count();
  std::vector<Vec3> u(nodes), next(nodes), along(lattice.bond_count());
  for (std::size_t n = 0; n < nodes; ++n) {
    for (int a = 0; a < 3; ++a) u[n][a] = random_unit(1, n, static_cast<std::uint64_t>(a)) - 0.5;
  }
  for (std::size_t b = 0; b < along.size(); ++b) {
    const auto& [i, j] = lattice.ends[b];
    along[b] = (lattice.rest[NodeId(j)] - lattice.rest[NodeId(i)]) / lattice.length[b];
  }
  // Bodies do not touch: all are iterated at once, each with a norm of its own.
  std::vector<double> value(bodies, 0), before(bodies, 0), norm(bodies, 0);
  bool settled = false;
  for (int i = 0; i < kIterations && !settled; ++i) {
    std::fill(norm.begin(), norm.end(), 0.0);
    for (std::size_t n = 0; n < nodes; ++n) norm[lattice.node_body[n]] += u[n].squaredNorm();
    for (std::size_t n = 0; n < nodes; ++n) u[n] /= std::sqrt(norm[lattice.node_body[n]]);
    std::fill(next.begin(), next.end(), Vec3(Vec3::Zero()));
    for (std::size_t b = 0; b < along.size(); ++b) {
      const auto& [p, q] = lattice.ends[b];
      const Vec3 pull = lattice.stiffness[b] * (u[q] - u[p]).dot(along[b]) * along[b];
      next[p] -= pull, next[q] += pull;
    }
    std::fill(value.begin(), value.end(), 0.0);
    for (std::size_t n = 0; n < nodes; ++n) {
      next[n] /= lattice.mass[NodeId(n)];
      value[lattice.node_body[n]] += next[n].squaredNorm();
    }
    settled = i > 10;
    for (std::size_t b = 0; b < bodies; ++b) {
      value[b] = std::sqrt(value[b]);
      settled = settled && std::abs(value[b] - before[b]) < kSettled * value[b];
    }
    before = value;
    u.swap(next);
  }
  for (std::size_t b = 0; b < bodies; ++b) value[b] = settled ? std::min(kRaise * value[b], bound[b]) : bound[b];
  return value;
}

double largest_step(double omega, double ratio) { return 2 * (std::sqrt(1 + ratio * ratio) - ratio) / omega; }

}  // namespace sunder::lattice_norton91
