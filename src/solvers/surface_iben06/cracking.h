#pragma once
// The crack loop (Iben & O'Brien 2006, 3.1): crack the node with the largest separation, relax, look again; raise the
// load when nothing fails any more.

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "core/byte_stream.h"
#include "fracture/max_tree.h"
#include "frame/crack_log.h"
#include "solvers/surface_iben06/membrane.h"
#include "solvers/surface_iben06/relax.h"

namespace sunder::surface_iben06 {

struct CrackingRules {
  SurfaceSplitRules split;   // least_area is set by `child_area`
  double child_area = 0.01;  // of the mean triangle: no piece of one is smaller
  double residual = 0.85;    // alpha of (8): large ones run straight on, small ones are jagged
  double tip_factor = 1.6;   // on the separation at the tips of cracks: fewer dead ends
  // On the separation at borders and along cracks. A crack's lips are notched at the size of the mesh, and stress
  // doubles in the notches: without this, hairs start there, and end after an edge.
  double border_factor = 0.35;
  double turn_again = 15 * std::numbers::pi / 180;  // a refused node may try again when its plane has turned so far
  std::size_t most_triangles = 50'000'000;          // beyond that nothing cracks any more
};

class Cracking {
 public:
  Cracking() = default;
  Cracking(Membrane membrane, const CrackingRules& rules, const RelaxRules& relax);

  const Membrane& membrane() const { return membrane_; }
  double load() const { return load_; }
  const CrackCounts& counts() const { return counts_; }
  std::uint64_t relaxations() const { return relaxer_.relaxations(); }
  std::uint64_t unfinished_relaxations() const { return relaxer_.unfinished(); }
  // Cracks ended since the mesh must not grow any more, not for lack of stress.
  bool is_full() const { return queue_.top_value() >= 1 && membrane_.mesh().triangle_count() >= rules_.most_triangles; }

  // Brings the load to `load` and relaxes; returns the work of the load.
  double raise_to(double load);
  // The same when the sources act that act once; before any load.
  double act_once();

  // Cracks the node with the largest ratio of separation to toughness among those not refused, the smallest id first of
  // equal ones, and relaxes. Nothing if no node fails.
  std::optional<CrackEvent> crack();

  // What a node's separation is now: eigenvalue in units of stress, ratio to its toughness, direction in its frame.
  struct Failing {
    double eigenvalue = 0, ratio = 0;
    Vec2 normal = Vec2::UnitX();
    double raw = 0;    // the eigenvalue without the factors of tips and borders
    double slack = 0;  // m: the change of its triangles (Relaxer::Stirred) that it surely bears
  };
  Failing evaluate(NodeId n) const;
  bool refused(NodeId n) const { return refused_.contains(n.index); }

  void save(Writer& out) const;
  void load_state(Reader& in);

 private:
  // What the front of a crack remembers of it.
  struct Tip {
    Vec3 normal;      // of the crack, unit
    double residual;  // alpha (v+ - toughness), to be added to the separation tensor along it
  };

  void look_at(std::span<const Relaxer::Stirred> nodes);  // their places in the tournament follow their separation
  double slack(NodeId n, double eigenvalue, double factor) const;
  void settle(const std::vector<NodeId>& changed);
  void settle_everywhere();

  Membrane membrane_;
  CrackingRules rules_;
  Relaxer relaxer_;
  double load_ = 0;
  MaxTree queue_;
  std::map<std::uint32_t, Vec2> refused_;  // by node: the normal it was refused with
  std::map<std::uint32_t, Tip> tips_;
  CrackCounts counts_;
  std::vector<double> slack_;  // by node, m: the change (Relaxer::Stirred) that it surely bears
  std::vector<NodeId> looked_at_;
  std::vector<Failing> failing_;  // of them
};

}  // namespace sunder::surface_iben06
