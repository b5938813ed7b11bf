#pragma once
// Which node fails next: the one with the largest ratio of separation to toughness, ties by uid, evaluated anew when
// its turn comes because splits before it have changed the forces round it. And who has to wait: nodes whose split was
// refused, and nodes that a crack of finite speed cannot have reached yet.
//
// In a step: begin_step(), offer() the candidates, then while next() gives a node split it, tell cracked() or
// refused(), and offer the nodes of the tets that have changed.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "core/byte_stream.h"
#include "core/ids.h"
#include "core/vec.h"
#include "fracture/crack_tips.h"
#include "fracture/split.h"
#include "mesh/tet_mesh.h"

namespace sunder {

struct FailureRules {
  // m/s, in the material; 0: a crack runs as far in a step as the forces take it. Nodes beside a new crack wait their
  // distance over this: not a count of splits per step, which would depend on the step.
  double crack_speed = 0;
  // Steps after which a refused node may try again though its star has not changed.
  std::uint64_t refused_pause = 16;
  // A crack's tip fails at this share of the toughness. Below 1, short cracks run on instead of new ones starting.
  double tip_share = 1;
  // m, a length of the material; 0: none. With a length tips, and nodes nearer to one than it, fail at the intensity at
  // which a tip does in a mesh of that edge, whatever the mesh (fracture/crack_tips.h).
  double tip_length = 0;
  // alpha of residual propagation: alpha (v+ - toughness) is added along the crack's normal at its new tips, and they
  // keep to its course (fracture/crack_course.h). 0 is the 1999 paper.
  double residual = 0;
};

struct Failure {
  NodeId node;
  double ratio = 0;  // separation over toughness, at least 1
};

class FailureQueue {
 public:
  explicit FailureQueue(const FailureRules& rules = {})
      : rules_(rules), tips_({.share = rules.tip_share, .length = rules.tip_length, .residual = rules.residual}) {}

  const FailureRules& rules() const { return rules_; }

  // Forgets the candidates of before; lets go those who have waited long enough.
  void begin_step(std::uint64_t step, double time);

  // A candidate; one with a ratio below 1, or that may not fail now, is passed over. A node may be offered again.
  void offer(NodeId node, Uid uid, double ratio);
  bool may_fail(Uid uid) const;

  // The node that fails next, or none. evaluate(NodeId) gives its ratio as it is now; it must depend on nothing but the
  // state of the body.
  template <class Evaluate>
  std::optional<Failure> next(Evaluate&& evaluate) {
    while (std::optional<Candidate> top = pop()) {
      if (!may_fail(top->uid)) continue;
      top->ratio = evaluate(top->node);
      if (!fails(top->ratio)) continue;
      if (beaten(*top)) {
        push(*top);  // its turn comes later
        continue;
      }
      return Failure{top->node, top->ratio};
    }
    return std::nullopt;
  }

  // A split was refused: the node waits until its star changes, or for some steps.
  void refused(Uid uid);
  // A split was done, by a plane with this normal (in the material), where the separation exceeded the toughness by
  // `excess` (N), among tets of `edge` (m, in the start mesh). The nodes round it are free of refusals, those of the
  // crack wait for the crack to reach them, its tips remember it.
  void cracked(const TetMesh& mesh, const SplitResult& result, NodeId node, const Vec3& normal, double excess,
               double edge);

  // Nodes have been removed from the mesh.
  void drop_gone(const TetMesh& mesh);

  // nullptr if the node is no crack's tip.
  const CrackTip* tip(Uid uid) const { return tips_.find(uid); }
  // What of its toughness counts at a node ...
  double toughness_share(const TetMesh& mesh, NodeId node) const;
  // ... and at least counts wherever tips are.
  double least_toughness_share(Uid uid) const {
    const CrackTip* known = tip(uid);
    return known != nullptr ? known->share : 1;
  }

  std::size_t waiting() const { return refused_until_.size() + reached_at_.size(); }

  // All that lasts from step to step.
  void save(Writer& out) const;
  void load(Reader& in);

 private:
  struct Candidate {
    NodeId node;
    Uid uid = 0;
    double ratio = 0;
  };
  static bool less(const Candidate& a, const Candidate& b);
  static bool fails(double ratio);
  std::optional<Candidate> pop();
  void push(const Candidate& candidate);
  bool beaten(const Candidate& candidate) const;

  FailureRules rules_;
  std::uint64_t step_ = 0;
  double time_ = 0;
  std::vector<Candidate> heap_;
  std::map<Uid, std::uint64_t> refused_until_;  // step
  std::map<Uid, double> reached_at_;            // s
  CrackTips tips_;
};

}  // namespace sunder
