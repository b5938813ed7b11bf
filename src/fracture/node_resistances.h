#pragma once
// What every node of a mesh bears now. Nodes never move in the material and are never renumbered, so what was found
// for one stays until a factor changes with time.

#include <cstdint>
#include <vector>

#include "core/column.h"
#include "fracture/toughness_field.h"
#include "mesh/tet_mesh.h"

namespace sunder {

class NodeResistances {
 public:
  // Fields by material; where several meet, the weakest counts, and what cannot break holds the others. The mesh must
  // live as long as this.
  NodeResistances(std::vector<ToughnessField> fields, const TetMesh& mesh);

  bool any_breakable() const;

  // s: from then on no factor changes.
  double settle_at() const { return settle_at_; }
  // True if factors have changed since the last call, or the mesh is another: all nodes were found anew.
  bool advance(double time);
  // Finds the nodes that were added since.
  void add_new_nodes();
  // The mesh is another one.
  void forget() { nodes_.resize(0), settled_ = false; }

  double value(NodeId node) const { return nodes_[node].value; }  // N or Pa; infinite: cannot break
  Toughness::Measure measure(NodeId node) const { return nodes_[node].measure; }
  const PlaneFactors* planes(NodeId node) const {  // null if all are alike
    const std::uint32_t place = nodes_[node].planes;
    return place == kNone ? nullptr : &planes_[place];
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  struct Node {
    double value = 0;
    Toughness::Measure measure = Toughness::Measure::force;
    std::uint32_t planes = kNone;  // in planes_
  };
  Resistance find(NodeId node) const;
  void keep(const Resistance& resistance);

  std::vector<ToughnessField> fields_;
  const TetMesh& mesh_;
  double settle_at_ = 0;                      // s
  bool settled_ = false;                      // whether the factors below are those of settle_at_ and after
  std::vector<std::vector<double>> factors_;  // by field and layer, now
  Column<NodeId, Node> nodes_;
  std::vector<PlaneFactors> planes_;
};

}  // namespace sunder
