#pragma once
// Finds the pieces that have left the world or are too small, once a frame, and keeps count of what became of them.

#include <cstdint>
#include <string>
#include <vector>

#include "collision/asleep.h"
#include "collision/debris_rules.h"
#include "core/byte_stream.h"
#include "frame/debris_log.h"
#include "mesh/fragments.h"
#include "mesh/tet_mesh.h"
#include "solvers/tet_oh99/elements.h"
#include "solvers/tet_oh99/forces.h"

namespace sunder::tet_oh99 {

class Debris {
 public:
  // The mesh before anything broke: whoever is as large as his body has not broken off.
  Debris(const DebrisRules& rules, const TetMesh& mesh, std::size_t bodies);

  const DebrisRules& rules() const { return rules_; }

  struct World {
    const TetMesh& mesh;
    const FragmentTracker& fragments;  // up to date
    const NodeState& state;
    const Column<NodeId, double>& mass;  // kg
    const Asleep& asleep;
    const std::vector<std::string>& body_names;
    double time;  // s
  };
  // Fragments that something is to happen to, by their ids. Who hangs on another by a node only is left alone, and so
  // are those who are frozen.
  struct Found {
    std::vector<DebrisEvent> freeze, remove;
  };
  Found look(const World& world) const;

  void book(const std::vector<DebrisEvent>& events);

  const DebrisLog& log() const { return log_; }
  void clear_log() { log_.clear(); }
  const DebrisCounts& counts() const { return counts_; }

  void save(Writer& out) const { out.put(counts_); }
  void load(Reader& in) { counts_ = in.get<DebrisCounts>(); }

 private:
  struct Piece;

  DebrisRules rules_;
  std::vector<double> body_volume_;  // m^3
  DebrisLog log_;
  DebrisCounts counts_;
};

}  // namespace sunder::tet_oh99
