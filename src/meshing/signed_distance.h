#pragma once
// A solid as a function of space, for meshers that never see its surface.

#include <cstddef>
#include <span>

#include "core/parallel.h"
#include "core/vec.h"

namespace sunder {

class SignedDistance {
 public:
  virtual ~SignedDistance() = default;

  // Negative inside, positive outside; its size is the distance to the surface, or near it a good guess. May jump where
  // a surface with holes does not say where inside ends. Called from many threads at once.
  virtual double value(const Vec3& x) const = 0;

  void values(std::span<const Vec3> x, std::span<double> out) const {
    constexpr std::size_t batch = 256;
    parallel_chunks(x.size(), batch, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) out[i] = value(x[i]);
    });
  }
};

}  // namespace sunder
