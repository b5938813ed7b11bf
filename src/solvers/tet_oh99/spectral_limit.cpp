#include "solvers/tet_oh99/spectral_limit.h"

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "core/random.h"

namespace sunder::tet_oh99 {
namespace {

constexpr std::size_t kChunk = 1024;
constexpr double kTrial = 1e-6;  // displacement over element size: small against strain, large against round-off

double largest_component(const Column<NodeId, Vec3>& u) {
  double largest = 0;
  for (const Vec3& x : u) largest = std::max(largest, x.cwiseAbs().maxCoeff());
  return largest;
}

}  // namespace

double SpectralLimit::mass_norm(const Column<NodeId, Vec3>& u, const Column<NodeId, double>& mass) const {
  return parallel_sum(u.size(), kChunk, [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += mass[NodeId(i)] * u[NodeId(i)].squaredNorm();
    return sum;
  });
}

void SpectralLimit::response(const NodeState& state, double position_weight, double velocity_weight,
                             const ForceAt& force_at) {
  parallel_for(mode_.size(), [&](std::size_t i) {
    const NodeId n(i);
    trial_.position[n] = state.position[n] + position_weight * mode_[n];
    trial_.velocity[n] = velocity_weight * mode_[n];
  });
  force_at(trial_, force_);
  parallel_for(mode_.size(), [&](std::size_t i) { force_[NodeId(i)] = base_[NodeId(i)] - force_[NodeId(i)]; });
}

Stiffness SpectralLimit::estimate(const NodeState& state, const Column<NodeId, double>& mass, double dt, double length,
                                  int iterations, const ForceAt& force_at) {
  const std::size_t nodes = state.position.size();
  if (mode_.size() != nodes) {
    mode_.resize(nodes);
    for (std::size_t i = 0; i < nodes; ++i) {
      for (int a = 0; a < 3; ++a) {
        mode_[NodeId(i)][a] = kTrial * length * (random_unit(0, i, static_cast<std::uint64_t>(a)) - 0.5);
      }
    }
  }
  trial_.position.resize(nodes);
  trial_.velocity.assign(nodes, Vec3::Zero());
  trial_.position = state.position;
  force_at(trial_, base_);  // f(p, 0)

  for (int i = 0; i < iterations; ++i) {
    response(state, 1, 2 / dt, force_at);
    parallel_for(nodes, [&](std::size_t k) {
      const double m = mass[NodeId(k)];  // 0 where no tet is
      mode_[NodeId(k)] = m > 0 ? Vec3(force_[NodeId(k)] / m) : Vec3(Vec3::Zero());
    });
    const double largest = largest_component(mode_);
    if (!(largest > 0) || !std::isfinite(largest)) {
      forget();
      return {};
    }
    parallel_for(nodes, [&](std::size_t k) { mode_[NodeId(k)] *= kTrial * length / largest; });
  }

  const auto along_mode = [&] {
    return parallel_sum(nodes, kChunk, [&](std::size_t begin, std::size_t end) {
      double sum = 0;
      for (std::size_t k = begin; k < end; ++k) sum += mode_[NodeId(k)].dot(force_[NodeId(k)]);
      return sum;
    });
  };
  const double norm = mass_norm(mode_, mass);
  Stiffness result;
  response(state, 1, 0, force_at);
  result.elastic = along_mode() / norm;
  response(state, 0, 1 / dt, force_at);  // viscosity is linear: any velocity will do
  result.viscous = along_mode() * dt / norm;
  return result;
}

void SpectralLimit::load(Reader& in, std::size_t nodes) {
  const std::vector<double> numbers = in.get_all<double>();
  if (!numbers.empty() && numbers.size() != 3 * nodes) in.fail();
  mode_.resize(numbers.size() / 3);
  for (std::size_t i = 0; i < mode_.size(); ++i) {
    mode_[NodeId(i)] = Vec3(numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]);
  }
}

}  // namespace sunder::tet_oh99
