#include "collision/between_bodies.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "collision/body_contacts.h"
#include "collision/overlap_contacts.h"
#include "core/parallel.h"

namespace sunder {

std::unique_ptr<BetweenBodies> make_between_bodies(const ContactRules& rules, double edge) {
  if (rules.criterion == ContactCriterion::overlap_volume) return std::make_unique<OverlapContacts>(rules, edge);
  return std::make_unique<BodyContacts>(rules, edge);
}

double time_to_travel(double distance, std::span<const NodeId> nodes, const Column<NodeId, Vec3>& velocity,
                      std::vector<double>& scratch) {
  constexpr std::size_t kNodesPerTask = 4096;
  scratch.assign((nodes.size() + kNodesPerTask - 1) / kNodesPerTask, 0);
  parallel_chunks(nodes.size(), kNodesPerTask, [&](std::size_t begin, std::size_t end) {
    double square = 0;
    for (std::size_t i = begin; i < end; ++i) square = std::max(square, velocity[nodes[i]].squaredNorm());
    scratch[begin / kNodesPerTask] = square;
  });
  double square = 0;
  for (const double s : scratch) square = std::max(square, s);
  return square > 0 ? distance / std::sqrt(square) : std::numeric_limits<double>::infinity();
}

}  // namespace sunder
