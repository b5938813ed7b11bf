#include "mesh/fragments.h"

#include <algorithm>
#include <limits>
#include <map>

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

std::uint32_t label_of(const Labelled& labelled, Uid uid) {
  const auto found = std::lower_bound(labelled.begin(), labelled.end(), std::pair<Uid, std::uint32_t>(uid, 0));
  return found != labelled.end() && found->first == uid ? found->second : 0;
}

// piece_of gets the index of each tet's piece.
std::vector<Piece> find_pieces(const TetMesh& mesh, Column<TetId, std::uint32_t>& piece_of) {
  constexpr std::uint32_t none = 0xffffffffu;
  piece_of.assign(mesh.tet_slots(), none);
  std::vector<Piece> pieces;
  std::vector<TetId> open;
  for (const TetId seed : id_range<TetId>(mesh.tet_slots())) {
    if (!mesh.alive(seed) || piece_of[seed] != none) continue;
    const auto index = static_cast<std::uint32_t>(pieces.size());
    Piece& piece = pieces.emplace_back();
    piece_of[seed] = index;
    open.assign(1, seed);
    while (!open.empty()) {
      const TetId t = open.back();
      open.pop_back();
      piece.volume += signed_volume(mesh.material_corners(t));
      piece.smallest_uid = std::min(piece.smallest_uid, mesh.uid(t));
      for (int i = 0; i < 4; ++i) {
        const TetId next = mesh.neighbour({t, i});
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

void find_parents(const TetMesh& mesh, const FragmentTracker::State& before,
                  const Column<TetId, std::uint32_t>& piece_of, std::vector<Piece>& pieces) {
  Votes by_tets;
  for (const TetId t : id_range<TetId>(mesh.tet_slots())) {
    if (!mesh.alive(t)) continue;
    const std::uint32_t label = label_of(before.tets, mesh.uid(t));
    if (label != 0) by_tets[{piece_of[t], label}] += signed_volume(mesh.material_corners(t));
  }
  elect_parents(by_tets, pieces);

  std::vector<std::uint8_t> settled(pieces.size());
  for (std::size_t p = 0; p < pieces.size(); ++p) settled[p] = pieces[p].parent != 0 ? 1 : 0;
  if (std::find(settled.begin(), settled.end(), 0) == settled.end()) return;
  Votes by_nodes;
  for (const TetId t : id_range<TetId>(mesh.tet_slots())) {
    if (!mesh.alive(t) || settled[piece_of[t]] != 0) continue;
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

template <class IdType>
Labelled by_uid(const TetMesh& mesh, const Column<IdType, std::uint32_t>& labels) {
  Labelled labelled;
  labelled.reserve(labels.size());
  for (const IdType id : id_range<IdType>(labels.size())) {
    if (mesh.alive(id) && labels[id] != 0) labelled.emplace_back(mesh.uid(id), labels[id]);
  }
  // Storage keeps the order of birth, so this is nearly always sorted already.
  if (!std::is_sorted(labelled.begin(), labelled.end())) std::sort(labelled.begin(), labelled.end());
  return labelled;
}

}  // namespace

std::uint32_t FragmentTracker::label(Uid tet) const { return label_of(state_.tets, tet); }

void FragmentTracker::inherit(Uid child, Uid parent) {
  const std::uint32_t label = label_of(state_.tets, parent);
  if (label != 0) state_.tets.emplace_back(child, label);
}

std::vector<NewFragment> FragmentTracker::update(const TetMesh& mesh) {
  if (mark_) {
    const auto edits = mesh.journal().since(*mark_);
    mark_ = mesh.journal().now();
    if (std::none_of(edits.begin(), edits.end(), changes_fragments)) return {};
  }
  mark_ = mesh.journal().now();

  Column<TetId, std::uint32_t> piece_of;
  std::vector<Piece> pieces = find_pieces(mesh, piece_of);
  find_parents(mesh, state_, piece_of, pieces);
  std::vector<NewFragment> fresh = number_pieces(pieces, state_.next_id);

  labels_.assign(mesh.tet_slots(), 0);
  Column<NodeId, std::uint32_t> node_labels(mesh.node_slots(), 0);
  for (const TetId t : id_range<TetId>(mesh.tet_slots())) {
    if (!mesh.alive(t)) continue;
    labels_[t] = pieces[piece_of[t]].id;
    for (const NodeId n : mesh.corners(t)) node_labels[n] = labels_[t];  // at a hinge, the last tet's
  }
  state_.tets = by_uid(mesh, labels_);
  state_.nodes = by_uid(mesh, node_labels);
  count_ = pieces.size();
  return fresh;
}

}  // namespace sunder
