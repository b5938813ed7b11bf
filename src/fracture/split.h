#pragma once
// The split of a node by a plane: local remeshing, O'Brien & Hodgins 1999, 4.3. Costs time proportional to the
// neighbourhood, and no memory once its scratch has grown.

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/column.h"
#include "core/ids.h"
#include "core/vec.h"
#include "fracture/split_plan.h"
#include "mesh/tet_mesh.h"

namespace sunder {

// What a split did, for whoever carries data beside the mesh. If refused, everything but `status` is empty.
struct SplitResult {
  // A new node on an edge that was cut, at a + fraction (b - a): position and velocity go the same way. Such a node is
  // held only if both ends are and the edge lies on the support, so not through the inside.
  struct CutNode {
    NodeId node, a, b;
    double fraction;
    bool on_outer_surface;  // the edge lay in the surface, not counting crack faces
  };
  // A new node at the place of an old one (or of a CutNode), with all that it carries.
  struct Duplicate {
    NodeId node, of;
  };
  struct RemovedTet {
    TetId tet;
    std::array<NodeId, 4> corners;  // as they were
  };
  struct AddedTet {
    TetId tet, parent;
  };
  // The two sides of a new crack face.
  struct CrackFace {
    Corner plus, minus;
  };

  SplitStatus status = SplitStatus::done;
  std::vector<CutNode> cut_nodes;
  std::vector<Duplicate> duplicates;
  std::vector<RemovedTet> removed;
  std::vector<AddedTet> added;  // in the order of `removed`
  std::vector<CrackFace> crack_faces;
  std::vector<NodeId> snapped;  // link nodes that counted as on the plane
  std::vector<NodeId> tips;     // nodes of the new crack faces that are still one: the crack's front
  bool bent = false;            // the plane was bent onto the crack behind a tip
  std::size_t hard_snaps = 0;   // of the snapped: by the floor, not by the thresholds

  bool done() const { return status == SplitStatus::done; }
};

// Why a split was refused, in words.
const char* name(SplitStatus status);

class NodeSplitter {
 public:
  explicit NodeSplitter(const SplitParameters& parameters = {}) : parameters_(parameters) {}

  const SplitParameters& parameters() const { return parameters_; }

  // Splits `node` by the plane through its world position. A refused split leaves the mesh as it was. The reference
  // lengths of new tets are appended, those of their parents. The result stays until the next call.
  const SplitResult& split(TetMesh& mesh, NodeId node, const Vec3& normal, const Column<NodeId, Vec3>& position,
                           Column<TetId, double>& reference_length);

 private:
  struct SidedTet {
    Corner at_node;  // where the split node is
    int side;
  };
  // What the children inherit.
  struct Parent {
    TetTags tags;
    std::uint8_t crack_faces, joined_faces;  // bit i: the face opposite corner i is crack surface, has a tet behind
    std::uint8_t skin_faces;                 // has a skin
    std::array<FaceSkin, 4> skin;
  };
  void replace_pieces(TetMesh& mesh, Column<TetId, double>& reference_length);
  void add_children(TetMesh& mesh, const SplitPlan::Piece& piece, const std::array<NodeId, 4>& corners,
                    const Parent& parent);
  FaceSkin child_skin(const SplitPlan::Piece& piece, const FaceSkin& parent, int parent_face,
                      const std::array<TetPlace, 3>& corners) const;
  void part_sides(TetMesh& mesh);
  bool still_one(const TetMesh& mesh, NodeId node);
  void give_each_group_its_node(TetMesh& mesh, NodeId node);

  SplitParameters parameters_;
  SplitPlan plan_;
  SplitResult result_;
  std::vector<SidedTet> sided_;   // the star after subdivision
  std::vector<NodeId> touched_;   // nodes of the new crack faces, the split node first
  std::vector<NodeId> cut_node_;  // by cut
  std::vector<Parent> parents_;   // by piece
  ScratchMap<FaceKey> open_face_;
  ScratchMap<TetId> place_of_tet_;
  ScratchMap<NodeId> seen_node_;
  std::vector<Corner> group_star_;
  std::vector<std::uint32_t> group_, stack_;
  std::vector<std::pair<std::uint32_t, Uid>> oldest_;  // group, uid of its oldest tet
};

// The reference length of a start mesh: each tet's mean edge, m.
Column<TetId, double> reference_lengths(const TetMesh& mesh);

// Carries a quantity that is linear along edges (position, velocity) to the new nodes. The column gets the length of
// the mesh's slots.
template <class Value>
void carry_to_new_nodes(const SplitResult& result, const TetMesh& mesh, Column<NodeId, Value>& column) {
  column.resize(mesh.node_slots());
  for (const auto& cut : result.cut_nodes) {
    column[cut.node] = column[cut.a] + cut.fraction * (column[cut.b] - column[cut.a]);
  }
  for (const auto& twin : result.duplicates) column[twin.node] = column[twin.of];
}

// Carries what a tet passes on to its children unchanged.
template <class Value>
void carry_to_new_tets(const SplitResult& result, const TetMesh& mesh, Column<TetId, Value>& column) {
  column.resize(mesh.tet_slots());
  for (const auto& child : result.added) column[child.tet] = column[child.parent];
}

}  // namespace sunder
