#pragma once
// Cracks in coats on surfaces (Iben & O'Brien 2006), behind the seam of all solvers. Time is that of the load, which
// rises evenly: a coat dries, shrinks, and cracks whenever a node cannot bear it.

#include <array>
#include <atomic>
#include <string>
#include <vector>

#include "mesh/fragments.h"
#include "solvers/solver.h"
#include "solvers/surface_iben06/cracking.h"
#include "solvers/surface_iben06/display.h"

namespace sunder::surface_iben06 {

// How the load rises. It waits while cracks are still running, those of sources that act once among them: it is 0 then.
struct LoadRise {
  double from = 0.8, to = 1.35;  // in units of toughness where the pattern of stress is one
  double step = 0.02;            // all cracks of one step run before the next
  double seconds = 1;            // s, from one end to the other
  double cracks_per_second = 0;  // 0: as many as there are
};

struct CoatSetup {
  std::string name;
  Membrane membrane;  // with its patterns of stress, toughness, held borders
  CrackingRules cracking;
  RelaxRules relax;
  LoadRise rise;
  DisplayRules display;
  std::vector<std::array<Vec2, 3>> uvs;  // of the corners of each triangle of the input; empty: none
};

class SurfaceSolver final : public Solver {
 public:
  explicit SurfaceSolver(std::vector<CoatSetup> coats);

  double stable_dt() const override;        // any: nothing moves
  double stability_limit() const override;  // so is the largest
  StepReport step(double dt) override;
  void snapshot(Frame& frame) const override;
  Totals totals() const override;
  double kinetic_energy() const override { return 0; }
  FastestNode fastest_node() const override { return {}; }
  const std::vector<Reaction>& reactions() const override { return reactions_; }
  std::vector<RigidPose> poses() const override { return {}; }
  const CrackLog& cracks() const override { return log_; }
  const DebrisLog& debris() const override { return debris_; }
  void prepare_frame() override;
  void begin_frame() override { log_ = {}; }
  std::uint64_t state_hash() const override;
  void save(Writer& out) const override;
  void load(Reader& in) override;
  void load_motion(Reader& in) override { load(in); }

  // Asked between cracks; if it says so, step() ends half way and reports no time: its state is of no use any more.
  void stop_on(const std::atomic<bool>* stop) { stop_ = stop; }
  // What the user should know, each once.
  std::vector<std::string> take_notes();

  std::size_t coats() const { return coats_.size(); }
  const Cracking& cracking(std::size_t coat) const { return coats_[coat].cracking; }

 private:
  struct Coat {
    std::string name;
    Cracking cracking;
    LoadRise rise;
    DisplayRules display;
    std::vector<std::array<Vec2, 3>> uvs;  // of the input's triangles ...
    std::vector<TriangleCorners> places;   // ... and where they are; both empty without texture
    SurfaceFragments fragments;
    struct Event {
      std::uint32_t number = 0;  // of all coats together
      double time = 0;           // s
    };
    std::vector<Event> events;  // in the coat's own order, which its edges name
    std::uint32_t steps = 0;    // of the load, so far; the first brings it to where it starts
    double work = 0;            // that load and sources did
    double allowed = 0;         // cracks that the limit of their rate leaves
    bool acts_once = false;     // some of its sources do
    bool told_unfinished = false, told_full = false;
  };
  bool stopping() const { return stop_ != nullptr && stop_->load(std::memory_order_relaxed); }
  void advance(Coat& coat, double dt);
  void raise(Coat& coat);
  void add_work(Coat& coat, double work);
  double load_of(const LoadRise& rise, std::uint32_t steps) const;
  std::uint32_t frame_fragment(std::size_t coat, std::uint32_t fragment) const;

  std::vector<Coat> coats_;
  const std::atomic<bool>* stop_ = nullptr;
  std::uint32_t events_ = 0;
  double time_ = 0;
  CrackLog log_;
  DebrisLog debris_;
  std::vector<Reaction> reactions_;  // the load on each coat
};

}  // namespace sunder::surface_iben06
