#include "solvers/tet_oh99/plastic_step.h"

#include <Eigen/LU>
#include <cmath>

#include "core/parallel.h"

namespace sunder::tet_oh99 {
namespace {

constexpr std::size_t kChunk = 512;  // tets: some ten microseconds where nothing flows

Mat3 edges(const std::array<NodeId, 4>& corner, const Column<NodeId, Vec3>& x) {
  Mat3 result;
  const Vec3& first = x[corner[0]];
  result << x[corner[1]] - first, x[corner[2]] - first, x[corner[3]] - first;
  return result;
}

}  // namespace

PlasticStep::PlasticStep(const TetMesh& mesh, const std::vector<TetMaterial>& materials,
                         const DampingParameters& damping)
    : mesh_(mesh), maker_(materials, damping) {
  for (const TetMaterial& m : materials) {
    laws_.emplace_back(m.constants);
    on_ = on_ || m.constants.flows();
  }
}

double PlasticStep::run(const NodeState& state, double centring, ElementConstants& elements) {
  const std::size_t slots = mesh_.tet_slots();
  has_flowed_.assign(slots, 0);
  const double lost = parallel_sum(slots, kChunk, [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const TetId t(i);
      if (!mesh_.alive(t) || (asleep_ != nullptr && (*asleep_)[mesh_.corners(t)[0]])) continue;
      if (elements.plastic.flows[mesh_.tags(t).material] != 0) {
        sum += flow(t, state, centring, elements);
      }
    }
    return sum;
  });
  flowed_.clear();
  for (std::size_t i = 0; i < slots; ++i) {
    if (has_flowed_[i] == 0) continue;
    flowed_.emplace_back(i);
    maker_.count(mesh_, TetId(i), elements);
  }
  return lost;
}

// Writes to what belongs to the tet only. The crush barrier's energy depends on the volume, which flow keeps.
double PlasticStep::flow(TetId t, const NodeState& state, double centring, ElementConstants& elements) {
  const PlasticFlow& law = laws_[mesh_.tags(t).material];
  PlasticShapes& plastic = elements.plastic;
  const Mat3 fe = edges(mesh_.corners(t), state.position) * elements.rest_inverse[t];
  const PlasticFlow::Step step = law.flow(fe.transpose() * fe, plastic.strain[t]);
  if (!(step.strain > 0)) return 0;

  const Mat3 rate = edges(mesh_.corners(t), state.velocity) * elements.rest_inverse[t];
  const Mat3 centred = fe - centring * rate;
  const Mat3 square = centred.transpose() * centred;
  const double lost = law.energy_density(square) - law.energy_density(step.back * square * step.back);

  Mat3& fp = plastic.deformation[t];
  fp = step.back.inverse() * fp;      // A^-1 Fp
  fp /= std::cbrt(fp.determinant());  // round-off of a million steps must not add up
  plastic.strain[t] += step.strain;
  maker_.make(mesh_, t, elements);
  has_flowed_[t.index] = 1;
  return elements.volume[t] * lost;
}

}  // namespace sunder::tet_oh99
