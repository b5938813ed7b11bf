#pragma once
// The fracture phase of a step, O'Brien & Hodgins 1999, 4.2 and 4.3: nodes whose separation exceeds their toughness are
// split, the most overloaded first, until no node is overloaded any more. Nothing moves meanwhile.
//
// Most nodes never get a tensor: the force kernel flags tets whose tension comes near what their corners bear, by a
// bound that is never below the truth (fracture/separation_bound.h), and only those corners are looked at.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/byte_stream.h"
#include "core/column.h"
#include "core/ids.h"
#include "core/vec.h"
#include "fracture/failure_queue.h"
#include "fracture/node_resistances.h"
#include "fracture/scratch_map.h"
#include "fracture/separation_tensor.h"
#include "fracture/split.h"
#include "fracture/toughness_field.h"
#include "frame/crack_log.h"
#include "mesh/tet_mesh.h"
#include "solvers/tet_oh99/elements.h"
#include "solvers/tet_oh99/fast_forces.h"
#include "solvers/tet_oh99/forces.h"
#include "solvers/tet_oh99/tet_tension.h"

namespace sunder::tet_oh99 {

struct FractureParameters {
  bool on = true;
  Compression compression = Compression::negative_part;
  FailureRules rules;
  SplitParameters split;
  bool cull = true;                    // false: every node gets its tensor in every step, to the same end
  std::size_t most_tets = 100000000u;  // no splits beyond
};

class FractureStep {
 public:
  // Toughness by material; 0 cannot break. The references must live as long as this.
  FractureStep(const FractureParameters& parameters, std::vector<ToughnessField> toughness, TetMesh& mesh,
               const std::vector<TetMaterial>& materials, const ElementConstants& elements);

  // Whether anything can break at all.
  bool on() const { return on_; }
  bool cull() const { return parameters_.cull && parameters_.compression == Compression::negative_part; }

  // Brings data beside the mesh up to date after a split, before the next one.
  using Upkeep = std::function<void(const SplitResult&)>;

  // What nodes bear at this time; before the forces are found, whose kernel looks at the limits.
  void set_time(double time, FastForces* fast);

  // Splits what fails; `fast` has just evaluated this state, or is null: then every node is looked at. Returns how many
  // splits were done. `state` must be carried on by `upkeep`.
  std::size_t run(std::uint64_t step, double time, const NodeState& state, FastForces* fast, const Upkeep& upkeep);

  // s: from then on no factor of the toughness changes. Before, what rests may break by itself.
  double toughness_settles_at() const { return on_ ? resistances_.settle_at() : 0; }

  // Nodes that sleep are not looked at. The argument must live as long as this.
  void leave_out(const Asleep* asleep) { asleep_ = asleep; }

  // Sets the limits of all tets; after the blocks were cut anew or loaded, too.
  void set_limits(FastForces& fast);

  const CrackCounts& counts() const { return counts_; }
  // Nodes round which a tet was over the node's limit in the last step; and those of them that were looked at more
  // closely.
  std::size_t flagged() const { return flagged_nodes_.size(); }
  std::size_t candidates() const { return candidates_.size(); }
  // What happened since the log was cleared; who finds new fragments adds them.
  const CrackLog& log() const { return log_; }
  CrackLog& log() { return log_; }

  // The rest shapes of these tets have flowed.
  void reshaped(std::span<const TetId> tets, FastForces* fast);

  void renumber_tets(const std::vector<TetId>& tet);  // old index -> new id
  void drop_gone() { queue_.drop_gone(mesh_); }       // nodes have been removed

  void save(Writer& out) const;
  void load(Reader& in);

  // How much the tets round a node pull it apart, and across which plane. For tests.
  Separation separation(NodeId node, const NodeState& state);

 private:
  // How a node is pulled apart, and what it bears across that plane.
  struct Load {
    Separation separation;
    double toughness = 0;  // N, what a tip bears less included
    Vec3 plane;            // the normal of the one it opens across, world
    Mat3 turn;             // of the material round it
    double ratio() const { return separation.eigenvalue / toughness; }
  };
  Load known_load(NodeId node, const NodeState& state) const;
  // The nearest tip round a node on the flank of a crack; null beside none, and off the flanks.
  const CrackTip* tip_beside(NodeId node) const;
  // N, never above the toughness across any plane; infinity if it cannot break. `areas` is sum_e w_ei, m^2.
  double least_toughness(NodeId node, double areas) const;
  Mat3 mean_deformation(NodeId node, const NodeState& state) const;
  double area(NodeId node, const Vec3& normal, const NodeState& state) const;
  // Pa: no tet round the node stretched so far, no failure by strength (fracture/effective_area.h). 0 by toughness.
  double least_stretch(NodeId node, double areas) const;
  double ratio(NodeId node, const NodeState& state);  // 0 where the bound says that it is below 1
  bool may_fail(NodeId node) const;                   // by the bound
  void offer(std::span<const NodeId> nodes, const NodeState& state);
  void find_candidates(const FastForces* fast, const NodeState& state);
  double mean_reference_length(NodeId node) const;
  void find_touched(Journal::Mark since);
  void refresh_limits(FastForces* fast);
  void find_safe_stretches();
  double safe_stretch(NodeId node) const;  // Pa: see safe_stretch_
  double safe_stretch(TetId tet) const;    // Pa: the lowest of its corners
  void record(double time, const Load& load, const SplitResult& result, const Vec3& position, Uid uid,
              const Vec3& rest);

  const Asleep* asleep_ = nullptr;
  FractureParameters parameters_;
  TetMesh& mesh_;
  const ElementConstants& elements_;
  bool on_ = false;
  NodeResistances resistances_;
  FailureQueue queue_;
  NodeSplitter splitter_;
  TetTensions tensions_;
  Column<TetId, double> reference_length_;  // m
  Column<NodeId, double> safe_stretch_;     // Pa: below, no tet of the star can break the node
  Column<TetId, double> known_flow_;        // plastic strain that the safe stretches of the corners know of
  CrackCounts counts_;
  CrackLog log_;

  struct FlaggedNode {
    explicit FlaggedNode(NodeId n) : node(n) {}
    NodeId node;
    bool over = false;           // one of its flagged tets is over its own limit
    double pull = 0, bears = 0;  // N, of its flagged tets: what they pull, at most, and their share of what it bears
  };

  // scratch
  std::vector<TetId> flagged_;
  std::vector<FlaggedNode> flagged_nodes_;
  std::vector<NodeId> touched_, candidates_, doubtful_;
  std::vector<std::uint8_t> may_fail_;
  std::vector<double> ratio_;
  ScratchMap<TetId> seen_tet_;
  ScratchMap<NodeId> seen_node_;
};

}  // namespace sunder::tet_oh99
