#include "fracture/split.h"

#include <algorithm>

#include "core/check.h"
#include "fracture/split_check.h"

namespace sunder {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

std::uint32_t slot(Corner c) { return 4 * c.tet.index + static_cast<std::uint32_t>(c.index); }
Corner from_slot(std::uint32_t s) { return {TetId(s / 4), static_cast<int>(s % 4)}; }

int corner_of(const TetMesh& mesh, TetId tet, NodeId node) {
  const auto& c = mesh.corners(tet);
  for (int i = 0; i < 4; ++i) {
    if (c[at(i)] == node) return i;
  }
  return -1;
}

constexpr std::uint32_t kNone = 0xffffffffu;

void clear(SplitResult& r) {
  r.cut_nodes.clear(), r.duplicates.clear(), r.removed.clear(), r.added.clear();
  r.crack_faces.clear(), r.snapped.clear(), r.tips.clear();
  r.bent = false;
  r.hard_snaps = 0;
}

}  // namespace

const char* name(SplitStatus status) {
  switch (status) {
    case SplitStatus::done:
      return "done";
    case SplitStatus::one_sided:
      return "all tets lie on one side of the plane";
    case SplitStatus::not_finite:
      return "the plane or a position near it is not finite";
    case SplitStatus::no_room:
      return "there are no ids left for more tets";
  }
  return "";
}

Column<TetId, double> reference_lengths(const TetMesh& mesh) {
  Column<TetId, double> result(mesh.tet_slots());
  for (const TetId t : id_range<TetId>(mesh.tet_slots())) {
    if (mesh.alive(t)) result[t] = mean_edge(mesh.material_corners(t));
  }
  return result;
}

const SplitResult& NodeSplitter::split(TetMesh& mesh, NodeId node, const Vec3& normal,
                                       const Column<NodeId, Vec3>& position, Column<TetId, double>& reference_length) {
  clear(result_);
  SUNDER_CHECK(mesh.alive(node), "a node is split that is not there");
  result_.status = plan_.make(mesh, node, normal, position, reference_length, parameters_);
  if (!result_.done()) return result_;

  result_.bent = plan_.bent();
  result_.hard_snaps = plan_.hard_snaps();
  for (const SplitPlan::LinkNode& n : plan_.link()) {
    if (n.sign == 0) result_.snapped.push_back(n.node);
  }
  const std::size_t first_new_node = mesh.node_slots();
  replace_pieces(mesh, reference_length);
  part_sides(mesh);
  for (const NodeId n : touched_) {
    const bool is_new = n.index >= first_new_node;  // between two crack fronts, its tets need never have hung together
    if (n != node && !is_new && still_one(mesh, n)) {
      result_.tips.push_back(n);
    } else {
      give_each_group_its_node(mesh, n);
    }
  }

#ifndef NDEBUG
  const auto problems = split_problems(mesh, result_, {node, normal, position, reference_length, parameters_});
  SUNDER_CHECK(problems.empty(), "a split went wrong: " + problems.front());
#endif
  return result_;
}

void NodeSplitter::replace_pieces(TetMesh& mesh, Column<TetId, double>& reference_length) {
  sided_.clear();
  for (const SplitPlan::StarTet& t : plan_.star()) {
    if (t.side != 0) sided_.push_back({{t.tet, t.corner}, t.side});
  }
  cut_node_.clear();
  for (const SplitPlan::Cut& cut : plan_.cuts()) {
    const NodeId n = mesh.add_node(cut.material_position);
    cut_node_.push_back(n);
    result_.cut_nodes.push_back(
        {n, plan_.link()[cut.plus].node, plan_.link()[cut.minus].node, cut.fraction, cut.on_outer_surface});
  }

  // Faces wait in open_face_ for the tet behind them: first those of the tets that stay, then the children's.
  open_face_.clear();
  parents_.clear();
  for (const SplitPlan::Piece& piece : plan_.pieces()) {
    Parent parent = {mesh.tags(piece.tet), mesh.crack_faces(piece.tet), 0, 0, {}};
    for (int i = 0; i < 4; ++i) {
      if (const FaceSkin* skin = mesh.has_skin() ? mesh.skin({piece.tet, i}) : nullptr) {
        parent.skin_faces = static_cast<std::uint8_t>(parent.skin_faces | 1u << i);
        parent.skin[at(i)] = *skin;
      }
      const TetId behind = mesh.neighbour({piece.tet, i});
      if (!behind.valid()) continue;
      parent.joined_faces = static_cast<std::uint8_t>(parent.joined_faces | 1u << i);
      if (plan_.is_piece(behind)) continue;
      const auto nodes = mesh.face_nodes({piece.tet, i});
      open_face_.insert(FaceKey(nodes), slot({behind, mesh.face_index(behind, nodes)}));
    }
    parents_.push_back(parent);
    result_.removed.push_back({piece.tet, mesh.corners(piece.tet)});
  }
  for (const SplitPlan::Piece& piece : plan_.pieces()) mesh.remove_tet(piece.tet);
  for (std::size_t p = 0; p < parents_.size(); ++p) {
    add_children(mesh, plan_.pieces()[p], result_.removed[p].corners, parents_[p]);
  }
  for (const auto& child : result_.added) reference_length.push_back(reference_length[child.parent]);
}

void NodeSplitter::add_children(TetMesh& mesh, const SplitPlan::Piece& piece, const std::array<NodeId, 4>& corners,
                                const Parent& parent) {
  for (std::size_t c = 0; c < piece.children.count; ++c) {
    const Subdivision::Child& child = piece.children.children[c];
    std::array<NodeId, 4> nodes;
    std::uint8_t crack_faces = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const TetPlace p = child.corners[i];
      nodes[i] = p < 4 ? corners[p] : cut_node_[piece.cut[p - 4u]];
      const int face = child.parent_face[i];
      if (face >= 0 && (parent.crack_faces >> face & 1u) != 0) {
        crack_faces = static_cast<std::uint8_t>(crack_faces | 1u << i);
      }
    }
    const TetId t = mesh.add_tet_apart(nodes, parent.tags, crack_faces);
    result_.added.push_back({t, piece.tet});
    for (int i = 0; i < 4; ++i) {
      const int face = child.parent_face[at(i)];
      if (face >= 0 && (parent.skin_faces >> face & 1u) != 0) {
        const auto& f = kTetFaces[at(i)];
        const std::array<TetPlace, 3> places = {child.corners[at(f[0])], child.corners[at(f[1])],
                                                child.corners[at(f[2])]};
        mesh.set_skin({t, i}, child_skin(piece, parent.skin[at(face)], face, places));
      }
      if (face >= 0 && (parent.joined_faces >> face & 1u) == 0) continue;
      const std::uint32_t waiting = open_face_.insert(FaceKey(mesh.face_nodes({t, i})), slot({t, i}));
      if (waiting != kNone) mesh.join({t, i}, from_slot(waiting));
    }
    if (piece.star_corner >= 0) sided_.push_back({{t, piece.star_corner}, plan_.side(piece, child)});
  }
}

// The part of the whole face; texture coordinates and normals go along edges as positions do.
FaceSkin NodeSplitter::child_skin(const SplitPlan::Piece& piece, const FaceSkin& parent, int parent_face,
                                  const std::array<TetPlace, 3>& corners) const {
  const auto& order = kTetFaces[at(parent_face)];
  const auto place_of = [&](int corner) {
    return static_cast<std::size_t>(std::find(order.begin(), order.end(), corner) - order.begin());
  };
  FaceSkin skin = parent;
  for (std::size_t i = 0; i < 3; ++i) {
    if (corners[i] < 4) {
      const std::size_t k = place_of(corners[i]);
      skin.uv[i] = parent.uv[k];
      skin.normals[i] = parent.normals[k];
      continue;
    }
    const auto edge = static_cast<std::size_t>(corners[i] - 4);
    const SplitPlan::Cut& cut = plan_.cuts()[piece.cut[edge]];
    int from = kTetEdges[edge][0], to = kTetEdges[edge][1];
    if (piece.link[at(from)] != cut.plus) std::swap(from, to);
    const std::size_t k = place_of(from), l = place_of(to);
    skin.uv[i] = parent.uv[k] + cut.fraction * (parent.uv[l] - parent.uv[k]);
    skin.normals[i] = (parent.normals[k] + cut.fraction * (parent.normals[l] - parent.normals[k])).stableNormalized();
  }
  return skin;
}

// The star of the node falls into two sides; the faces between them become crack faces.
void NodeSplitter::part_sides(TetMesh& mesh) {
  place_of_tet_.clear();
  for (std::uint32_t s = 0; s < sided_.size(); ++s) place_of_tet_.insert(sided_[s].at_node.tet, s);
  seen_node_.clear();
  touched_.clear();
  const auto touch = [&](NodeId n) {
    if (seen_node_.insert(n, 1) == kNone) touched_.push_back(n);
  };
  touch(plan_.node());
  for (const SidedTet& t : sided_) {
    if (t.side < 0) continue;
    for (int i = 0; i < 4; ++i) {
      if (i == t.at_node.index) continue;
      const Corner plus = {t.at_node.tet, i};
      const TetId other = mesh.neighbour(plus);
      if (!other.valid() || sided_[place_of_tet_.find(other)].side > 0) continue;
      const auto nodes = mesh.face_nodes(plus);
      const Corner minus = {other, mesh.face_index(other, nodes)};
      mesh.part(plus);
      mesh.set_crack_face(plus);
      mesh.set_crack_face(minus);
      result_.crack_faces.push_back({plus, minus});
      for (const NodeId n : nodes) touch(n);
    }
  }
}

// Whether the tets round a node that was no hinge still hang together: they do if those at its new crack faces do, and
// the flood from one of them need not go on once it has met the others.
bool NodeSplitter::still_one(const TetMesh& mesh, NodeId node) {
  place_of_tet_.clear();  // 0: at a new crack face, not yet met; 1: met
  group_star_.clear();
  std::size_t to_meet = 0;
  for (const auto& pair : result_.crack_faces) {
    for (const Corner face : {pair.plus, pair.minus}) {
      const int corner = corner_of(mesh, face.tet, node);
      if (corner < 0 || corner == face.index || place_of_tet_.insert(face.tet, 0) != kNone) continue;
      if (group_star_.empty()) group_star_.push_back({face.tet, corner});
      ++to_meet;
    }
  }
  place_of_tet_.set(group_star_.front().tet, 1);
  --to_meet;
  while (!group_star_.empty() && to_meet > 0) {
    const Corner c = group_star_.back();
    group_star_.pop_back();
    for (int i = 0; i < 4; ++i) {
      if (i == c.index) continue;
      const TetId behind = mesh.neighbour({c.tet, i});
      if (!behind.valid()) continue;
      const std::uint32_t known = place_of_tet_.set(behind, 1);
      if (known == 1) continue;
      if (known == 0) --to_meet;
      group_star_.push_back({behind, corner_of(mesh, behind, node)});
    }
  }
  return to_meet == 0;
}

// Which nodes become two is decided by topology: the tets round a node are grouped by shared faces that hold the node,
// and each group gets a node of its own. This lets a crack through an edge on the boundary, and leaves no hinges. The
// group with the oldest tet keeps the node.
void NodeSplitter::give_each_group_its_node(TetMesh& mesh, NodeId node) {
  group_star_.clear();
  for (const Corner c : mesh.star(node)) group_star_.push_back(c);
  group_.assign(group_star_.size(), kNone);
  place_of_tet_.clear();
  for (std::uint32_t s = 0; s < group_star_.size(); ++s) place_of_tet_.insert(group_star_[s].tet, s);
  std::uint32_t groups = 0;
  for (std::uint32_t first = 0; first < group_star_.size(); ++first) {
    if (group_[first] != kNone) continue;
    group_[first] = groups;
    stack_.push_back(first);
    while (!stack_.empty()) {
      const Corner c = group_star_[stack_.back()];
      stack_.pop_back();
      for (int i = 0; i < 4; ++i) {
        if (i == c.index) continue;
        const TetId behind = mesh.neighbour({c.tet, i});
        if (!behind.valid()) continue;
        const std::uint32_t s = place_of_tet_.find(behind);
        if (group_[s] != kNone) continue;
        group_[s] = groups;
        stack_.push_back(s);
      }
    }
    ++groups;
  }
  if (groups == 1) {
    if (node != plan_.node()) result_.tips.push_back(node);
    return;
  }
  // Groups are named by their oldest tet, so that the order of the star does not matter.
  oldest_.assign(groups, {kNone, 0});
  for (std::uint32_t s = 0; s < group_star_.size(); ++s) {
    const Uid uid = mesh.uid(group_star_[s].tet);
    auto& [group, oldest] = oldest_[group_[s]];
    if (group == kNone || uid < oldest) oldest = uid;
    group = group_[s];
  }
  std::sort(oldest_.begin(), oldest_.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  for (std::uint32_t g = 1; g < groups; ++g) {
    const NodeId twin = mesh.add_node(mesh.material_position(node));
    result_.duplicates.push_back({twin, node});
    for (std::uint32_t s = 0; s < group_star_.size(); ++s) {
      if (group_[s] == oldest_[g].first) mesh.give_corner(group_star_[s], twin);
    }
  }
}

}  // namespace sunder
