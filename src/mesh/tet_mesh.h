#pragma once
// The tetrahedral mesh: material positions, corners, neighbours, stars, lasting uids and a journal of every edit.
//
// Struct of arrays by strong id. Removing leaves a hole until compact(); ids stay valid until then. Neighbours and
// stars are kept up to date by every edit, at a cost that goes with the neighbourhood, not with the mesh.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/byte_stream.h"
#include "core/column.h"
#include "core/ids.h"
#include "core/vec.h"
#include "geometry/tetrahedron.h"
#include "mesh/face_skin.h"
#include "mesh/journal.h"
#include "mesh/tet_soup.h"

namespace sunder {

// Corner `index` (0 to 3) of a tet; also names the face opposite that corner.
struct Corner {
  TetId tet;
  int index = 0;
  friend bool operator==(const Corner&, const Corner&) = default;
};

// What a tet is part of; children of a split inherit it.
struct TetTags {
  std::uint32_t body = 0;
  std::uint32_t material = 0;
  friend bool operator==(const TetTags&, const TetTags&) = default;
};

// Whether two tets have a corner in common.
inline bool share_a_node(const std::array<NodeId, 4>& a, const std::array<NodeId, 4>& b) {
  for (const NodeId n : a) {
    if (n == b[0] || n == b[1] || n == b[2] || n == b[3]) return true;
  }
  return false;
}

class TetMesh {
 public:
  // --- building and editing ---------------------------------------------------------------------------------------

  NodeId add_node(const Vec3& material_position);
  TetId add_tet(const std::array<NodeId, 4>& corners, TetTags tags);
  void remove_tet(TetId tet);
  void remove_node(NodeId node);                // its star must be empty
  void set_corner(Corner corner, NodeId node);  // gives the corner to another node
  void set_crack_face(Corner face);             // the face opposite the corner is crack surface from now on

  // The same edits for a caller who knows the neighbours and spares the search for them; validate() tells if he erred.
  TetId add_tet_apart(const std::array<NodeId, 4>& corners, TetTags tags, std::uint8_t crack_faces = 0);
  void join(Corner a, Corner b);                 // two faces with the same nodes, nothing behind either
  void part(Corner face);                        // from whatever is behind it
  void give_corner(Corner corner, NodeId node);  // as set_corner, but neighbours stay: theirs must be given likewise

  // A sparse side table: goes with its tet, is gone with it, and no edit makes one (mesh/face_skin.h).
  void set_skin(Corner face, const FaceSkin& skin) {
    skin_[slot(face)] = skin;
    skin_contents_.add(skin);
  }
  std::uint32_t add_part(const std::string& name) { return part_index(part_names_, name); }

  // Adds points, tets and skin of a soup; point i of the soup becomes the returned first node plus i.
  NodeId append(const TetSoup& soup, TetTags tags);

  // Closes the holes that removed nodes and tets left, keeping the order, and journals `renumbered`. Or only those of
  // the tets: then nodes keep their ids.
  struct Renumbering {
    std::vector<NodeId> node;  // old index -> new id, or none
    std::vector<TetId> tet;
  };
  enum class Holes { all, of_tets };
  Renumbering compact(Holes holes = Holes::all);

  // All of it, holes and the order of stars included: what comes back does the same as what was saved, to the bit.
  // load() fails on what is no valid mesh. The journal starts anew.
  void save(Writer& out) const;
  void load(Reader& in);

  // --- looking ----------------------------------------------------------------------------------------------------

  // Slots, holes included: the size of columns that run beside the mesh.
  std::size_t node_slots() const { return material_position_.size(); }
  std::size_t tet_slots() const { return corners_.size(); }
  std::size_t node_count() const { return node_count_; }
  std::size_t tet_count() const { return tet_count_; }
  bool alive(NodeId node) const { return node.index < node_slots() && node_alive_[node] != 0; }
  bool alive(TetId tet) const { return tet.index < tet_slots() && corners_[tet][0].valid(); }

  const Vec3& material_position(NodeId node) const { return material_position_[node]; }
  const std::array<NodeId, 4>& corners(TetId tet) const { return corners_[tet]; }
  NodeId node(Corner c) const { return corners_[c.tet][static_cast<std::size_t>(c.index)]; }
  // The tet behind the face opposite the corner; none on the boundary.
  TetId neighbour(Corner face) const { return neighbours_[face.tet][static_cast<std::size_t>(face.index)]; }
  TetTags tags(TetId tet) const { return tags_[tet]; }
  Uid uid(NodeId node) const { return node_uid_[node]; }
  Uid uid(TetId tet) const { return tet_uid_[tet]; }
  // Bit i: the face opposite corner i is crack surface.
  std::uint8_t crack_faces(TetId tet) const { return crack_faces_[tet]; }
  // Null if the face has none.
  const FaceSkin* skin(Corner face) const {
    const auto found = skin_.find(slot(face));
    return found == skin_.end() ? nullptr : &found->second;
  }
  bool has_skin() const { return !skin_.empty(); }
  const SkinContents& skin_contents() const { return skin_contents_; }  // of all that were ever set
  const std::vector<std::string>& part_names() const { return part_names_; }
  std::array<NodeId, 3> face_nodes(Corner face) const {
    const auto& c = corners_[face.tet];
    const auto& f = kTetFaces[static_cast<std::size_t>(face.index)];
    return {c[static_cast<std::size_t>(f[0])], c[static_cast<std::size_t>(f[1])], c[static_cast<std::size_t>(f[2])]};
  }
  // The corner of the tet opposite the face with these three nodes; -1 if it has no such face.
  int face_index(TetId tet, const std::array<NodeId, 3>& nodes) const;
  TetCorners material_corners(TetId tet) const;
  template <class Positions>
  TetCorners corner_positions(TetId tet, const Positions& x) const {
    const auto& c = corners_[tet];
    return {x[c[0]], x[c[1]], x[c[2]], x[c[3]]};
  }

  const Column<NodeId, Vec3>& material_positions() const { return material_position_; }
  const Journal& journal() const { return journal_; }
  Journal& journal() { return journal_; }

  // The corners at a node: for (Corner c : mesh.star(n)). Newest tet first.
  class StarIterator {
   public:
    StarIterator(const TetMesh& mesh, std::uint32_t slot) : mesh_(&mesh), slot_(slot) {}
    Corner operator*() const { return from_slot(slot_); }
    StarIterator& operator++() {
      slot_ = mesh_->star_next_[slot_];
      return *this;
    }
    bool operator!=(const StarIterator& other) const { return slot_ != other.slot_; }

   private:
    const TetMesh* mesh_;
    std::uint32_t slot_;
  };
  class Star {
   public:
    Star(const TetMesh& mesh, std::uint32_t first) : mesh_(&mesh), first_(first) {}
    StarIterator begin() const { return {*mesh_, first_}; }
    StarIterator end() const { return {*mesh_, kNoSlot}; }
    bool empty() const { return first_ == kNoSlot; }

   private:
    const TetMesh* mesh_;
    std::uint32_t first_;
  };
  Star star(NodeId node) const { return {*this, star_first_[node]}; }

 private:
  friend class MeshSurgeon;    // breaks meshes on purpose, for the tests of validate()
  friend class MeshValidator;  // looks at the links of the stars before it follows them

  // A star is a doubly linked list through the corners; a slot is 4 * tet + corner.
  static constexpr std::uint32_t kNoSlot = 0xffffffffu;
  static std::uint32_t slot(Corner c) { return 4 * c.tet.index + static_cast<std::uint32_t>(c.index); }
  static Corner from_slot(std::uint32_t s) { return {TetId(s / 4), static_cast<int>(s % 4)}; }

  void link_star(Corner c, NodeId node);
  void unlink_star(Corner c);
  // Finds the tet behind a face by searching a star, and joins both sides.
  void join_face(Corner face);

  Column<NodeId, Vec3> material_position_;
  Column<NodeId, Uid> node_uid_;
  Column<NodeId, std::uint8_t> node_alive_;
  Column<NodeId, std::uint32_t> star_first_;

  Column<TetId, std::array<NodeId, 4>> corners_;
  Column<TetId, std::array<TetId, 4>> neighbours_;
  Column<TetId, TetTags> tags_;
  Column<TetId, Uid> tet_uid_;
  Column<TetId, std::uint8_t> crack_faces_;
  std::vector<std::uint32_t> star_next_, star_previous_;

  std::unordered_map<std::uint32_t, FaceSkin> skin_;  // by slot of the corner opposite the face
  SkinContents skin_contents_;
  std::vector<std::string> part_names_;

  std::size_t node_count_ = 0, tet_count_ = 0;
  Uid next_node_uid_ = 1, next_tet_uid_ = 1;
  Journal journal_;
};

}  // namespace sunder
