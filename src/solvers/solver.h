#pragma once
// The seam: what every way of breaking things offers to the frame loop.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/byte_stream.h"
#include "frame/frame.h"
#include "frame/totals.h"

namespace sunder {

struct StepReport {
  double dt = 0;
  std::size_t inverted = 0;            // elements turned inside out; survived, but worth a word
  std::optional<std::string> trouble;  // numerical trouble: what, where, what to try; the run must stop
};

class Solver {
 public:
  virtual ~Solver() = default;

  virtual double stable_dt() const = 0;  // s, safety included
  virtual StepReport step(double dt) = 0;

  virtual void snapshot(Frame& frame) const = 0;
  virtual Totals totals() const = 0;
  virtual const std::vector<Reaction>& reactions() const = 0;
  virtual void begin_frame() = 0;  // impulses and peaks count from here
  virtual std::uint64_t state_hash() const = 0;

  virtual void save(Writer& out) const = 0;
  virtual void load(Reader& in) = 0;
};

}  // namespace sunder
