#include "mesh/tet_mesh.h"

#include "core/check.h"

namespace sunder {

NodeId TetMesh::add_node(const Vec3& material_position) {
  const NodeId node(node_slots());
  material_position_.push_back(material_position);
  node_uid_.push_back(next_node_uid_++);
  node_alive_.push_back(1);
  star_first_.push_back(kNoSlot);
  ++node_count_;
  journal_.add({Edit::Kind::node_added, node.index});
  return node;
}

TetId TetMesh::add_tet(const std::array<NodeId, 4>& corners, TetTags tags) {
  const TetId tet = add_tet_apart(corners, tags);
  for (int i = 0; i < 4; ++i) join_face({tet, i});
  return tet;
}

TetId TetMesh::add_tet_apart(const std::array<NodeId, 4>& corners, TetTags tags, std::uint8_t crack_faces) {
  const TetId tet(tet_slots());
  corners_.push_back(corners);
  neighbours_.push_back({});
  tags_.push_back(tags);
  tet_uid_.push_back(next_tet_uid_++);
  crack_faces_.push_back(crack_faces);
  star_next_.resize(star_next_.size() + 4, kNoSlot);
  star_previous_.resize(star_previous_.size() + 4, kNoSlot);
  for (int i = 0; i < 4; ++i) link_star({tet, i}, corners[static_cast<std::size_t>(i)]);
  ++tet_count_;
  journal_.add({Edit::Kind::tet_added, tet.index});
  return tet;
}

void TetMesh::remove_tet(TetId tet) {
  SUNDER_CHECK(alive(tet), "a tet is removed twice");
  for (int i = 0; i < 4; ++i) part({tet, i});
  for (int i = 0; i < 4; ++i) unlink_star({tet, i});
  for (int i = 0; i < 4; ++i) skin_.erase(slot({tet, i}));
  corners_[tet] = {};
  --tet_count_;
  journal_.add({Edit::Kind::tet_removed, tet.index});
}

void TetMesh::remove_node(NodeId node) {
  SUNDER_CHECK(alive(node) && star(node).empty(), "a node is removed that tets still use");
  node_alive_[node] = 0;
  --node_count_;
  journal_.add({Edit::Kind::node_removed, node.index});
}

void TetMesh::set_corner(Corner corner, NodeId node) {
  for (int i = 0; i < 4; ++i) {
    if (i != corner.index) part({corner.tet, i});  // the face opposite the corner keeps its three nodes
  }
  unlink_star(corner);
  corners_[corner.tet][static_cast<std::size_t>(corner.index)] = node;
  link_star(corner, node);
  for (int i = 0; i < 4; ++i) {
    if (i != corner.index) join_face({corner.tet, i});
  }
  journal_.add({Edit::Kind::tet_changed, corner.tet.index});
}

void TetMesh::give_corner(Corner corner, NodeId node) {
  unlink_star(corner);
  corners_[corner.tet][static_cast<std::size_t>(corner.index)] = node;
  link_star(corner, node);
  journal_.add({Edit::Kind::tet_changed, corner.tet.index});
}

void TetMesh::set_crack_face(Corner face) {
  crack_faces_[face.tet] = static_cast<std::uint8_t>(crack_faces_[face.tet] | (1u << face.index));
  journal_.add({Edit::Kind::tet_cracked, face.tet.index});
}

NodeId TetMesh::append(const TetSoup& soup, TetTags tags) {
  const NodeId first(node_slots());
  std::vector<std::uint32_t> part;
  for (const std::string& name : soup.part_names) part.push_back(add_part(name));
  for (const SkinFace& face : soup.skin) {
    FaceSkin skin = face.skin;
    skin.part = part[skin.part];
    set_skin({TetId(tet_slots() + face.tet), static_cast<int>(face.face)}, skin);
  }
  for (const Vec3& point : soup.points) add_node(point);
  for (const auto& t : soup.tets) {
    add_tet({NodeId(first.index + t[0]), NodeId(first.index + t[1]), NodeId(first.index + t[2]),
             NodeId(first.index + t[3])},
            tags);
  }
  return first;
}

TetCorners TetMesh::material_corners(TetId tet) const { return corner_positions(tet, material_position_); }

void TetMesh::link_star(Corner c, NodeId node) {
  const std::uint32_t s = slot(c);
  const std::uint32_t first = star_first_[node];
  star_previous_[s] = kNoSlot;
  star_next_[s] = first;
  if (first != kNoSlot) star_previous_[first] = s;
  star_first_[node] = s;
}

void TetMesh::unlink_star(Corner c) {
  const std::uint32_t s = slot(c);
  const std::uint32_t previous = star_previous_[s], next = star_next_[s];
  if (previous == kNoSlot) {
    star_first_[node(c)] = next;
  } else {
    star_next_[previous] = next;
  }
  if (next != kNoSlot) star_previous_[next] = previous;
}

void TetMesh::join(Corner a, Corner b) {
  neighbours_[a.tet][static_cast<std::size_t>(a.index)] = b.tet;
  neighbours_[b.tet][static_cast<std::size_t>(b.index)] = a.tet;
}

void TetMesh::join_face(Corner face) {
  const auto nodes = face_nodes(face);
  for (const Corner c : star(nodes[0])) {
    if (c.tet == face.tet) continue;
    const int opposite = face_index(c.tet, nodes);
    if (opposite < 0 || neighbour({c.tet, opposite}).valid()) continue;
    join(face, {c.tet, opposite});
    return;
  }
}

void TetMesh::part(Corner face) {
  TetId& other = neighbours_[face.tet][static_cast<std::size_t>(face.index)];
  if (!other.valid()) return;
  const int opposite = face_index(other, face_nodes(face));
  if (opposite >= 0) neighbours_[other][static_cast<std::size_t>(opposite)] = TetId();
  other = TetId();
}

int TetMesh::face_index(TetId tet, const std::array<NodeId, 3>& nodes) const {
  const auto& c = corners_[tet];
  int stranger = -1;
  for (int i = 0; i < 4; ++i) {
    const NodeId n = c[static_cast<std::size_t>(i)];
    if (n == nodes[0] || n == nodes[1] || n == nodes[2]) continue;
    if (stranger >= 0) return -1;
    stranger = i;
  }
  return stranger;
}

TetMesh::Renumbering TetMesh::compact(Holes holes) {
  Renumbering map;
  TetMesh packed;
  map.node.resize(node_slots());
  map.tet.resize(tet_slots());
  for (const NodeId n : id_range<NodeId>(node_slots())) {
    if (!alive(n) && holes == Holes::all) continue;
    const NodeId now = packed.add_node(material_position_[n]);
    packed.node_uid_[now] = node_uid_[n];
    if (!alive(n)) {
      packed.remove_node(now);
    } else {
      map.node[n.index] = now;
    }
  }
  for (const TetId t : id_range<TetId>(tet_slots())) {
    if (!alive(t)) continue;
    const auto& c = corners_[t];
    const TetId now = packed.add_tet(
        {map.node[c[0].index], map.node[c[1].index], map.node[c[2].index], map.node[c[3].index]}, tags_[t]);
    packed.tet_uid_[now] = tet_uid_[t];
    packed.crack_faces_[now] = crack_faces_[t];
    for (int i = 0; i < 4; ++i) {
      if (const FaceSkin* face = skin({t, i})) packed.set_skin({now, i}, *face);
    }
    map.tet[t.index] = now;
  }
  packed.next_node_uid_ = next_node_uid_;
  packed.next_tet_uid_ = next_tet_uid_;
  packed.skin_contents_ = skin_contents_;
  packed.part_names_ = std::move(part_names_);
  packed.journal_ = std::move(journal_);
  packed.journal_.add({Edit::Kind::renumbered});
  *this = std::move(packed);
  return map;
}

}  // namespace sunder
