#pragma once
// What springs between bodies add to the bound on the step.
//
// With a row g_c of weights for each spring (how much its length goes with each node), the eigenvalues are those of
// G M^-1 G^T K, and no larger than its largest sum over a row: of |g_cj| / m_j times what all springs put on node j.

#include <algorithm>
#include <limits>

#include "collision/collider_contacts.h"
#include "core/column.h"
#include "core/ids.h"

namespace sunder {

class SpringBound {
 public:
  // for_each_spring(visit) calls visit(row, stiffness, damping), N/m and N s/m, for every spring, in the same order
  // each time; row(visit_weight) calls visit_weight(node, |weight|).
  template <class ForEachSpring>
  ColliderContacts::Limits find(const Column<NodeId, double>& mass, ForEachSpring&& for_each_spring) {
    ColliderContacts::Limits limits = {0, 0, std::numeric_limits<double>::infinity()};
    elastic_.resize(mass.size(), 0);
    viscous_.resize(mass.size(), 0);
    for_each_spring([&](auto&& row, double stiffness, double damping) {
      row([&](NodeId n, double w) {
        elastic_[n] += w * stiffness;
        viscous_[n] += w * damping;
      });
      limits.smallest_ratio = std::min(limits.smallest_ratio, damping / stiffness);
    });
    for_each_spring([&](auto&& row, double, double) {
      double elastic = 0, viscous = 0;
      row([&](NodeId n, double w) {
        elastic += w * elastic_[n] / mass[n];
        viscous += w * viscous_[n] / mass[n];
      });
      limits.elastic = std::max(limits.elastic, elastic);
      limits.viscous = std::max(limits.viscous, viscous);
    });
    for_each_spring([&](auto&& row, double, double) { row([&](NodeId n, double) { elastic_[n] = viscous_[n] = 0; }); });
    return limits;
  }

 private:
  Column<NodeId, double> elastic_, viscous_;  // zero between calls
};

}  // namespace sunder
