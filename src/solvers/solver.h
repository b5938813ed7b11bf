#pragma once
// The seam: what every way of breaking things offers to the frame loop.

#include <cstdint>
#include <string>
#include <vector>

#include "core/byte_stream.h"
#include "frame/crack_log.h"
#include "frame/debris_log.h"
#include "frame/frame.h"
#include "frame/totals.h"

namespace sunder {

struct StepReport {
  double dt = 0;                // that was taken: shorter than asked where cracks have just made smaller elements
  std::size_t inverted = 0;     // elements turned inside out; survived, but worth a word
  bool finite = true;           // whether every position and velocity is a number; if not, the run must stop
  bool outran_contact = false;  // the step the scene sets is so long that something may have passed through another
};

// The fastest node: where it is, and whose. If the motion blows up, that is where it began. A node that has left the
// numbers altogether is the fastest there can be.
struct FastestNode {
  std::string body;
  Uid node = 0;
  Vec3 rest = Vec3::Zero(), position = Vec3::Zero();  // m
  double speed = 0;                                   // m/s
};

class Solver {
 public:
  virtual ~Solver() = default;

  virtual double stable_dt() const = 0;        // s, safety included, or what the scene sets
  virtual double stability_limit() const = 0;  // s, the largest safe step, whatever the scene sets
  virtual StepReport step(double dt) = 0;

  virtual void snapshot(Frame& frame) const = 0;
  virtual Totals totals() const = 0;
  virtual double kinetic_energy() const = 0;  // J; much cheaper than all totals
  virtual FastestNode fastest_node() const = 0;
  virtual const std::vector<Reaction>& reactions() const = 0;
  virtual std::vector<RigidPose> poses() const = 0;  // of the colliders, where they are now
  virtual const CrackLog& cracks() const = 0;        // since the last begin_frame()
  virtual const DebrisLog& debris() const = 0;       // since the last begin_frame()
  // Before anything of a frame is looked at: what is brought up to date only once a frame.
  virtual void prepare_frame() = 0;
  virtual void begin_frame() = 0;  // impulses, peaks, cracks and debris count from here
  virtual std::uint64_t state_hash() const = 0;

  virtual void save(Writer& out) const = 0;
  virtual void load(Reader& in) = 0;
  // Takes over where everything is and how it moves, but not what was learnt about contacts and steps: for a state that
  // was saved under other materials, colliders or loads. The mesh must be the same. Reads the beginning of what save()
  // wrote.
  virtual void load_motion(Reader& in) = 0;
};

}  // namespace sunder
