#include "mesh/fragments.h"

#include <algorithm>
#include <limits>
#include <map>
#include <type_traits>

namespace sunder {
namespace {

using Labelled = std::vector<std::pair<Uid, std::uint32_t>>;

// Pieces of the mesh as it is now, in the order of their first tet slot.
struct Piece {
  double volume = 0;  // material, m^3
  Uid smallest_uid = std::numeric_limits<Uid>::max();
  std::uint32_t parent = 0;
  std::uint32_t id = 0;
};

bool changes_fragments(const Edit& edit) {
  return edit.kind != Edit::Kind::node_added && edit.kind != Edit::Kind::node_removed;
}

// Uids ascend: a place is no further from either end than its uid is. Where few have gone there is little to search,
// and a large array is not touched all over.
std::uint32_t label_of(const Labelled& labelled, Uid uid) {
  if (labelled.empty() || uid < labelled.front().first || uid > labelled.back().first) return 0;
  const Uid last = labelled.size() - 1;
  const Uid high = std::min(last, uid - labelled.front().first);
  const Uid low = std::min(high, last - std::min(last, labelled.back().first - uid));
  const auto end = labelled.begin() + static_cast<std::ptrdiff_t>(high + 1);
  const auto found =
      std::lower_bound(labelled.begin() + static_cast<std::ptrdiff_t>(low), end, std::pair<Uid, std::uint32_t>(uid, 0));
  return found != end && found->first == uid ? found->second : 0;
}

// What the two kinds of mesh call their elements.
std::size_t slots(const TetMesh& mesh) { return mesh.tet_slots(); }
std::size_t slots(const TriMesh& mesh) { return mesh.triangle_count(); }
std::size_t node_slots(const TetMesh& mesh) { return mesh.node_slots(); }
std::size_t node_slots(const TriMesh& mesh) { return mesh.node_count(); }
template <class IdType>
bool alive(const TetMesh& mesh, IdType id) {
  return mesh.alive(id);
}
template <class IdType>
bool alive(const TriMesh&, IdType) {
  return true;
}
double size_of(const TetMesh& mesh, TetId t) { return signed_volume(mesh.material_corners(t)); }
double size_of(const TriMesh& mesh, TriangleId t) { return area_vector(mesh.places(t)).norm(); }

// piece_of gets the index of each tet's piece.
template <class Mesh, class Element = typename ElementOf<Mesh>::Id>
std::vector<Piece> find_pieces(const Mesh& mesh, Column<Element, std::uint32_t>& piece_of) {
  constexpr std::uint32_t none = 0xffffffffu;
  piece_of.assign(slots(mesh), none);
  std::vector<Piece> pieces;
  std::vector<Element> open;
  for (const Element seed : id_range<Element>(slots(mesh))) {
    if (!alive(mesh, seed) || piece_of[seed] != none) continue;
    const auto index = static_cast<std::uint32_t>(pieces.size());
    Piece& piece = pieces.emplace_back();
    piece_of[seed] = index;
    open.assign(1, seed);
    while (!open.empty()) {
      const Element t = open.back();
      open.pop_back();
      piece.volume += size_of(mesh, t);
      piece.smallest_uid = std::min(piece.smallest_uid, mesh.uid(t));
      for (int i = 0; i < static_cast<int>(mesh.corners(t).size()); ++i) {
        const Element next = mesh.neighbour({t, i});
        if (!next.valid() || piece_of[next] != none) continue;
        piece_of[next] = index;
        open.push_back(next);
      }
    }
  }
  return pieces;
}

// Votes for the parent of each piece: (piece, old label) -> weight. Few pieces have more than one candidate.
using Votes = std::map<std::pair<std::uint32_t, std::uint32_t>, double>;

// The heaviest candidate of each piece that has no parent yet; the smallest label decides a tie.
void elect_parents(const Votes& votes, std::vector<Piece>& pieces) {
  std::vector<double> best(pieces.size(), 0);
  for (const auto& [candidate, weight] : votes) {
    const auto& [piece, label] = candidate;
    if (weight <= best[piece]) continue;
    best[piece] = weight;
    pieces[piece].parent = label;
  }
}

template <class Mesh, class Element = typename ElementOf<Mesh>::Id>
void find_parents(const Mesh& mesh, const typename FragmentsOf<Mesh>::State& before,
                  const Column<Element, std::uint32_t>& piece_of, std::vector<Piece>& pieces) {
  Votes by_tets;
  for (const Element t : id_range<Element>(slots(mesh))) {
    if (!alive(mesh, t)) continue;
    const std::uint32_t label = label_of(before.tets, mesh.uid(t));
    if (label != 0) by_tets[{piece_of[t], label}] += size_of(mesh, t);
  }
  elect_parents(by_tets, pieces);

  std::vector<std::uint8_t> settled(pieces.size());
  for (std::size_t p = 0; p < pieces.size(); ++p) settled[p] = pieces[p].parent != 0 ? 1 : 0;
  if (std::find(settled.begin(), settled.end(), 0) == settled.end()) return;
  Votes by_nodes;
  for (const Element t : id_range<Element>(slots(mesh))) {
    if (!alive(mesh, t) || settled[piece_of[t]] != 0) continue;
    for (const NodeId n : mesh.corners(t)) {
      const std::uint32_t label = label_of(before.nodes, mesh.uid(n));
      if (label != 0) by_nodes[{piece_of[t], label}] += 1;
    }
  }
  elect_parents(by_nodes, pieces);
}

// The largest piece of each fragment keeps its id; the others get new ones by their smallest uid.
std::vector<NewFragment> number_pieces(std::vector<Piece>& pieces, std::uint32_t& next_id) {
  std::vector<Piece*> order;
  for (Piece& piece : pieces) order.push_back(&piece);
  std::sort(order.begin(), order.end(), [](const Piece* a, const Piece* b) {
    if (a->parent != b->parent) return a->parent < b->parent;
    if (a->volume != b->volume) return a->volume > b->volume;
    return a->smallest_uid < b->smallest_uid;
  });
  std::uint32_t parent = 0;
  for (Piece* piece : order) {
    if (piece->parent != parent) piece->id = piece->parent;
    parent = piece->parent;
  }
  std::sort(order.begin(), order.end(),
            [](const Piece* a, const Piece* b) { return a->smallest_uid < b->smallest_uid; });
  std::vector<NewFragment> fresh;
  for (Piece* piece : order) {
    if (piece->id != 0) continue;
    piece->id = next_id++;
    fresh.push_back({piece->id, piece->parent});
  }
  return fresh;
}

template <class IdType, class Mesh>
Labelled by_uid(const Mesh& mesh, const Column<IdType, std::uint32_t>& labels) {
  Labelled labelled;
  labelled.reserve(labels.size());
  for (const IdType id : id_range<IdType>(labels.size())) {
    if (alive(mesh, id) && labels[id] != 0) labelled.emplace_back(mesh.uid(id), labels[id]);
  }
  // Storage keeps the order of birth, so this is nearly always sorted already.
  if (!std::is_sorted(labelled.begin(), labelled.end())) std::sort(labelled.begin(), labelled.end());
  return labelled;
}

}  // namespace

template <class Mesh>
std::uint32_t FragmentsOf<Mesh>::label(Uid tet) const {
  return label_of(state_.tets, tet);
}

template <class Mesh>
void FragmentsOf<Mesh>::inherit(Uid child, std::uint32_t label) {
  if (label != 0) state_.tets.emplace_back(child, label);
}

template <class Mesh>
std::vector<NewFragment> FragmentsOf<Mesh>::update(const Mesh& mesh) {
  if constexpr (std::is_same_v<Mesh, TetMesh>) {
    if (mark_) {
      const auto edits = mesh.journal().since(*mark_);
      mark_ = mesh.journal().now();
      if (std::none_of(edits.begin(), edits.end(), changes_fragments)) return {};
    }
    mark_ = mesh.journal().now();
  }

  Column<ElementId, std::uint32_t> piece_of;
  std::vector<Piece> pieces = find_pieces(mesh, piece_of);
  find_parents(mesh, state_, piece_of, pieces);
  std::vector<NewFragment> fresh = number_pieces(pieces, state_.next_id);

  labels_.assign(slots(mesh), 0);
  Column<NodeId, std::uint32_t> node_labels(node_slots(mesh), 0);
  for (const ElementId t : id_range<ElementId>(slots(mesh))) {
    if (!alive(mesh, t)) continue;
    labels_[t] = pieces[piece_of[t]].id;
    for (const NodeId n : mesh.corners(t)) node_labels[n] = labels_[t];  // at a hinge, the last tet's
  }
  state_.tets = by_uid(mesh, labels_);
  state_.nodes = by_uid(mesh, node_labels);
  count_ = pieces.size();
  return fresh;
}

template class FragmentsOf<TetMesh>;
template class FragmentsOf<TriMesh>;

}  // namespace sunder
