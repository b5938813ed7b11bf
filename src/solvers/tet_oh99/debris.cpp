#include "solvers/tet_oh99/debris.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sunder::tet_oh99 {
namespace {

constexpr double kWhole = 1 - 1e-9;  // of a body's volume: round-off
constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

struct Debris::Piece {
  DebrisEvent event;
  std::uint32_t body = 0;
  double highest = -kInfinity;        // m
  double nearest_square = kInfinity;  // m^2, to the origin
  bool asleep = false, frozen = false;
  bool hangs = false;  // on another by a node
};

Debris::Debris(const DebrisRules& rules, const TetMesh& mesh, std::size_t bodies)
    : rules_(rules), body_volume_(bodies, 0) {
  for (const TetId t : id_range<TetId>(mesh.tet_slots())) {
    if (mesh.alive(t)) body_volume_[mesh.tags(t).body] += signed_volume(mesh.material_corners(t));
  }
}

Debris::Found Debris::look(const World& world) const {
  if (!rules_.on()) return {};
  const auto& labels = world.fragments.labels();
  std::vector<std::uint32_t> ids;
  for (const TetId t : id_range<TetId>(labels.size())) {
    if (labels[t] != 0 && (ids.empty() || ids.back() != labels[t])) ids.push_back(labels[t]);
  }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());

  std::vector<Piece> pieces(ids.size());
  Column<NodeId, std::uint32_t> owner(world.mesh.node_slots(), 0);  // the place of a piece, plus one
  for (const TetId t : id_range<TetId>(labels.size())) {
    if (labels[t] == 0) continue;
    const auto place = static_cast<std::size_t>(std::lower_bound(ids.begin(), ids.end(), labels[t]) - ids.begin());
    Piece& piece = pieces[place];
    piece.body = world.mesh.tags(t).body;
    piece.event.volume += signed_volume(world.mesh.material_corners(t));
    for (const NodeId n : world.mesh.corners(t)) {
      if (owner[n] == place + 1) continue;
      if (owner[n] != 0) piece.hangs = pieces[owner[n] - 1].hangs = true;
      owner[n] = static_cast<std::uint32_t>(place + 1);
      const Vec3& x = world.state.position[n];
      piece.highest = std::max(piece.highest, x.y());
      piece.nearest_square = std::min(piece.nearest_square, x.squaredNorm());
      piece.asleep = piece.asleep || world.asleep[n];
      piece.frozen = piece.frozen || world.asleep.frozen(n);
      piece.event.mass += world.mass[n];
      piece.event.position += world.mass[n] * x;
      piece.event.velocity += world.mass[n] * world.state.velocity[n];
    }
  }

  Found found;
  const double smallest_volume = std::pow(rules_.smallest, 3);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    Piece& piece = pieces[i];
    DebrisEvent& event = piece.event;
    if (piece.frozen || piece.hangs) continue;
    const bool outside = (rules_.lowest && piece.highest < *rules_.lowest) ||
                         (rules_.farthest && piece.nearest_square > *rules_.farthest * *rules_.farthest);
    const bool small = event.volume < smallest_volume && event.volume < kWhole * body_volume_[piece.body];
    DebrisAction action = DebrisAction::keep;
    if (outside) action = rules_.outside, event.reason = DebrisEvent::Reason::outside;
    if (small && action == DebrisAction::keep) {
      action = rules_.small, event.reason = DebrisEvent::Reason::small;
      if (action == DebrisAction::freeze && !piece.asleep) continue;
    }
    if (action == DebrisAction::keep) continue;
    event.time = world.time;
    event.fragment = ids[i];
    event.body = world.body_names[piece.body];
    event.position /= event.mass, event.velocity /= event.mass;
    event.kind = action == DebrisAction::remove ? DebrisEvent::Kind::removed : DebrisEvent::Kind::frozen;
    (action == DebrisAction::remove ? found.remove : found.freeze).push_back(event);
  }
  return found;
}

void Debris::book(const std::vector<DebrisEvent>& events) {
  for (const DebrisEvent& event : events) {
    if (event.kind == DebrisEvent::Kind::removed) {
      ++counts_.removed;
      counts_.removed_mass += event.mass;
    } else if (event.kind == DebrisEvent::Kind::frozen) {
      ++counts_.frozen;
    }
    log_.push_back(event);
  }
}

}  // namespace sunder::tet_oh99
