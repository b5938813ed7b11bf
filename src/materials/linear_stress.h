#pragma once
// Laws that are linear in strain and its rate and do not change with time: the derivative is the law applied to the
// derivatives.

#include "materials/stress_model.h"

namespace sunder {

class LinearStress : public StressModel {
 public:
  void stress_rate(const SymmetricBatch&, const SymmetricBatch& rate, const SymmetricBatch& second_rate,
                   std::size_t count, SymmetricBatch& result) const final {
    SymmetricBatch viscous;
    stress(rate, second_rate, count, result, viscous);
    for (std::size_t k = 0; k < 6; ++k) {
      for (std::size_t i = 0; i < count; ++i) result.component[k][i] += viscous.component[k][i];
    }
  }
};

}  // namespace sunder
