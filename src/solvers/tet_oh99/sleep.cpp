#include "solvers/tet_oh99/sleep.h"

#include <algorithm>
#include <limits>
#include <map>

#include "core/disjoint_sets.h"

namespace sunder::tet_oh99 {

namespace {

constexpr std::uint32_t kFirstColliderId = 0x80000000u;  // fragments' ids are lower

}  // namespace

// Pieces joined by what they touch: fragments, by their ids, then colliders. An island goes by its first piece.
class Sleep::Islands {
 public:
  Islands(const World& world, const Asleep& asleep) : of_node_(world.mesh.node_slots(), kNone) {
    const auto& labels = world.fragments.labels();
    std::uint32_t last = 0;  // neighbours mostly are of one fragment
    for (const TetId t : id_range<TetId>(labels.size())) {
      if (labels[t] != 0 && labels[t] != last) ids_.push_back(last = labels[t]);
    }
    std::sort(ids_.begin(), ids_.end());
    ids_.erase(std::unique(ids_.begin(), ids_.end()), ids_.end());
    first_collider_ = size();
    const RigidBodies& rigid = world.colliders.rigid();
    for (std::uint32_t c = 0; c < rigid.colliders().size(); ++c) ids_.push_back(kFirstColliderId + c);
    pieces_.resize(ids_.size());
    joined_.restart(ids_.size());
    std::uint32_t f = 0;
    for (const TetId t : id_range<TetId>(labels.size())) {
      if (labels[t] == 0) continue;
      if (ids_[f] != labels[t]) f = *number(labels[t]);
      for (const NodeId n : world.mesh.corners(t)) {
        pieces_[f].fastest_square = std::max(pieces_[f].fastest_square, world.state.velocity[n].squaredNorm());
        pieces_[f].frozen = pieces_[f].frozen || asleep.frozen(n);
        if (of_node_[n] != kNone) join(of_node_[n], f);  // at a hinge
        of_node_[n] = f;
      }
    }
    for (std::uint32_t c = 0; c < rigid.colliders().size(); ++c) {
      const double fastest = rigid.fastest_point(c);
      // What has no mass is nobody's piece: never calm, and never joined to anything.
      pieces_[collider(c)].fastest_square =
          rigid.inverse_mass(c) > 0 ? fastest * fastest : std::numeric_limits<double>::infinity();
    }
  }

  struct Piece {
    bool frozen = false;
    bool ready = false;      // has been calm for long enough
    bool barred = false;     // something moves it
    bool supported = false;  // by what stands still
    double fastest_square = 0;
  };
  Piece& operator[](std::uint32_t piece) { return pieces_[piece]; }
  Piece& at(NodeId node) { return pieces_[of_node_[node]]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(ids_.size()); }
  std::uint32_t id(std::uint32_t piece) const { return ids_[piece]; }
  std::optional<std::uint32_t> number(std::uint32_t id) const {
    const auto found = std::lower_bound(ids_.begin(), ids_.end(), id);
    if (found == ids_.end() || *found != id) return {};
    return static_cast<std::uint32_t>(found - ids_.begin());
  }
  std::uint32_t collider(std::uint32_t c) const { return first_collider_ + c; }
  std::uint32_t piece(NodeId node) const { return of_node_[node]; }

  std::uint32_t of(std::uint32_t piece) { return joined_.root(piece); }
  bool has(NodeId node) const { return of_node_[node] != kNone; }
  std::uint32_t of(NodeId node) { return of(of_node_[node]); }
  void join(std::uint32_t a, std::uint32_t b) { joined_.join(a, b); }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  std::vector<std::uint32_t> ids_;  // ascending
  std::uint32_t first_collider_ = 0;
  std::vector<Piece> pieces_;
  DisjointSets joined_;                    // of pieces
  Column<NodeId, std::uint32_t> of_node_;  // one of its fragments
};

// Who touches whom, who is carried, and who is moved.
void Sleep::find_islands(const World& world, Islands& islands) {
  for (std::size_t r = 0; r < world.regions.size(); ++r) {
    const Region& region = world.regions[r];
    if (world.time >= region.end) continue;
    const bool hold = region.kind == Region::Kind::hold, active = region.active(world.time);
    if (!hold && !active) continue;  // it will wake them
    for (const NodeId n : region.nodes) {
      if (islands.has(n)) (hold && active ? islands.at(n).supported : islands.at(n).barred) = true;
    }
    for (const auto& face : region.faces) islands.at(face[0]).barred = true;
  }
  const RigidBodies& rigid = world.colliders.rigid();
  const auto touches = [&](std::uint32_t piece, std::uint32_t collider) {
    if (rigid.inverse_mass(collider) > 0) {
      islands.join(piece, islands.collider(collider));
    } else {
      (rigid.moves(collider) ? islands[piece].barred : islands[piece].supported) = true;
    }
  };
  for (const NodeId n : world.pushed) {
    if (islands.has(n)) islands.at(n).barred = true;
  }
  for (const std::uint32_t c : world.pushed_colliders) islands[islands.collider(c)].barred = true;
  world.colliders.list_touches(collider_touches_);
  for (const auto& touch : collider_touches_) {
    if (asleep_.frozen(touch.node)) {  // as on something fixed
      islands[islands.collider(touch.collider)].supported = true;
    } else {
      touches(islands.piece(touch.node), touch.collider);
    }
  }
  world.colliders.list_touches(rigid_touches_);
  for (const RigidContacts::Touch& touch : rigid_touches_) {
    const bool one_has_mass = rigid.inverse_mass(touch.one) > 0;
    touches(islands.collider(one_has_mass ? touch.one : touch.other), one_has_mass ? touch.other : touch.one);
  }
  for (const RigidBodies::RopePull& rope : rigid.ropes()) {
    if (!rope.force.isZero(0)) islands[islands.collider(static_cast<std::uint32_t>(rope.collider))].supported = true;
  }
  world.bodies.list_touches(touches_);
  for (const Touch& touch : touches_) {
    if (asleep_.frozen(touch.one) || asleep_.frozen(touch.other)) {  // as on something fixed
      islands.at(touch.one).supported = islands.at(touch.other).supported = true;
    } else {
      islands.join(islands.piece(touch.one), islands.piece(touch.other));
    }
  }
}

bool Sleep::look(const World& world) {
  if (!on_ || !(speed_ > 0)) return false;
  Islands islands(world, asleep_);

  std::vector<Calm> calm;
  std::map<std::uint32_t, std::uint32_t> first_of;  // by island
  bool any_ready = false;
  auto old = calm_.begin();
  for (std::uint32_t f = 0; f < islands.size(); ++f) {
    Islands::Piece& piece = islands[f];
    if (piece.frozen || !(piece.fastest_square < speed_ * speed_)) continue;
    while (old != calm_.end() && old->piece < islands.id(f)) ++old;
    Calm c = {islands.id(f), 0, world.time};
    if (old != calm_.end() && old->piece == c.piece) c = *old;
    piece.ready = c.island != 0 || world.time - c.since >= after_;
    any_ready = any_ready || (c.island == 0 && piece.ready);
    if (c.island != 0) {
      islands.join(first_of.try_emplace(c.island, f).first->second, f);
      piece.supported = true;
    }
    calm.push_back(c);
  }
  calm_ = std::move(calm);
  if (!any_ready) return false;

  find_islands(world, islands);
  enum : std::uint8_t { kSupported = 1, kRestless = 2 };
  std::vector<std::uint8_t> found(islands.size(), 0);  // by the first fragment of an island
  for (std::uint32_t f = 0; f < islands.size(); ++f) {
    if (!islands[f].ready || islands[f].barred) found[islands.of(f)] |= kRestless;
    if (islands[f].supported) found[islands.of(f)] |= kSupported;
  }
  bool fell = false;
  for (Calm& c : calm_) {
    const std::uint32_t island = islands.of(*islands.number(c.piece));
    if (found[island] != kSupported) continue;
    fell = fell || c.island == 0;
    c.island = islands.id(island);
  }
  if (!fell) return false;
  asleep_.island.resize(world.mesh.node_slots(), 0);
  for (const NodeId n : id_range<NodeId>(world.mesh.node_slots())) {
    if (!islands.has(n)) continue;
    const std::uint32_t island = islands.of(n);
    if (found[island] == kSupported) asleep_.island[n] = islands.id(island);
  }
  asleep_.rigid.assign(world.colliders.colliders().size(), 0);
  for (std::uint32_t c = 0; c < asleep_.rigid.size(); ++c) {
    const std::uint32_t island = islands.of(islands.collider(c));
    if (found[island] == kSupported) asleep_.rigid[c] = islands.id(island);
  }
  return true;
}

void Sleep::count() {
  asleep_.count = 0;
  moving_ = {{}};
  for (std::size_t i = 0; i < asleep_.island.size(); ++i) {
    if (asleep_.island[NodeId(i)] == 0) continue;
    ++asleep_.count;
    moving_.back().end = i;
    if (moving_.back().begin == i) moving_.pop_back();
    moving_.push_back({i + 1, i + 1});
  }
}

std::span<const NodeRange> Sleep::moving(std::size_t nodes) {
  moving_.back().end = nodes;
  return moving_;
}

void Sleep::stop(NodeState& state) {
  count();
  for (const NodeId n : id_range<NodeId>(asleep_.island.size())) {
    if (asleep_.island[n] != 0) state.velocity[n].setZero();
  }
}

bool Sleep::wake_touched(const ColliderContacts& colliders, const BetweenBodies& bodies, const Regions& regions,
                         double time) {
  if (!any()) return false;
  waking_.clear();
  colliders.list_touches(collider_touches_);
  for (const auto& touch : collider_touches_) {  // one of the two is awake: else the contact would rest
    disturb(touch.node);
    disturb(touch.collider);
  }
  colliders.list_touches(rigid_touches_);
  for (const RigidContacts::Touch& touch : rigid_touches_) {
    if (colliders.rigid().stands_still(touch.one) && colliders.rigid().stands_still(touch.other)) continue;
    disturb(touch.one), disturb(touch.other);
  }
  bodies.list_touches(touches_);
  for (const Touch& touch : touches_) {
    if (touch.pushes) disturb(touch.one), disturb(touch.other);
  }
  for (std::size_t r = 0; r < regions.size(); ++r) {
    const Region& region = regions[r];
    if (region.kind == Region::Kind::hold ? time < region.end : !region.active(time)) continue;
    for (const NodeId n : region.nodes) disturb(n);
    for (const auto& face : region.faces) disturb(face[0]);
  }
  return wake_disturbed(time);
}

bool Sleep::wake(std::span<const NodeId> nodes, std::span<const std::uint32_t> colliders, double time) {
  waking_.clear();
  for (const NodeId n : nodes) disturb(n);
  for (const std::uint32_t c : colliders) disturb(std::size_t{c});
  return wake_disturbed(time);
}

bool Sleep::wake_disturbed(double time) {
  if (waking_.empty()) return false;
  std::sort(waking_.begin(), waking_.end());
  waking_.erase(std::unique(waking_.begin(), waking_.end()), waking_.end());
  const auto wakes = [&](std::uint32_t island) {
    return island != 0 && std::binary_search(waking_.begin(), waking_.end(), island);
  };
  std::erase_if(kept_, [&](const Kept& k) { return wakes(asleep_.island[k.node]); });
  for (std::uint32_t& island : asleep_.island) {
    if (wakes(island)) island = 0;
  }
  for (std::uint32_t& island : asleep_.rigid) {
    if (wakes(island)) island = 0;
  }
  count();
  for (Calm& c : calm_) {
    if (wakes(c.island)) c.island = 0, c.since = time;
  }
  return true;
}

void Sleep::freeze(const TetMesh& mesh, const FragmentTracker& fragments, std::span<const std::uint32_t> ids) {
  const auto frozen = [&](std::uint32_t fragment) { return std::binary_search(ids.begin(), ids.end(), fragment); };
  asleep_.island.resize(mesh.node_slots(), 0);
  for (const TetId t : id_range<TetId>(fragments.labels().size())) {
    if (!frozen(fragments.labels()[t])) continue;
    for (const NodeId n : mesh.corners(t)) asleep_.island[n] = Asleep::kFrozen;
  }
  std::erase_if(calm_, [&](const Calm& c) { return frozen(c.piece); });
}

void Sleep::drop_gone(const TetMesh& mesh) {
  std::erase_if(kept_, [&](const Kept& k) { return !mesh.alive(k.node); });
  for (const NodeId n : id_range<NodeId>(asleep_.island.size())) {
    if (!mesh.alive(n)) asleep_.island[n] = 0;
  }
  count();
}

void Sleep::keep_forces(const Regions& regions, const Column<NodeId, Vec3>& force) {
  std::vector<NodeId> held;
  for (std::size_t r = 0; r < regions.size(); ++r) {
    if (regions[r].kind != Region::Kind::hold) continue;
    for (const NodeId n : regions[r].nodes) {
      if (asleep_[n]) held.push_back(n);
    }
  }
  std::sort(held.begin(), held.end());
  held.erase(std::unique(held.begin(), held.end()), held.end());
  std::vector<Kept> kept;
  auto old = kept_.begin();
  for (const NodeId n : held) {
    while (old != kept_.end() && old->node < n) ++old;
    const bool slept = old != kept_.end() && old->node == n;
    kept.push_back({n, slept ? old->force : force[n]});
  }
  kept_ = std::move(kept);
}

void Sleep::put_kept_forces(Column<NodeId, Vec3>& force) const {
  for (const Kept& k : kept_) force[k.node] = k.force;
}

void Sleep::forget() {
  asleep_ = {};
  kept_.clear(), calm_.clear();
  count();
}

void Sleep::save(Writer& out) const {
  out.put<std::uint64_t>(asleep_.count);
  for (const NodeId n : id_range<NodeId>(asleep_.island.size())) {
    if (asleep_.island[n] != 0) out.put(n), out.put(asleep_.island[n]);
  }
  out.put<std::uint64_t>(kept_.size());
  for (const Kept& k : kept_) out.put(k.node), out.put(k.force);
  out.put<std::uint64_t>(calm_.size());
  for (const Calm& c : calm_) out.put(c.piece), out.put(c.island), out.put(c.since);
  out.put_all(std::span<const std::uint32_t>(asleep_.rigid));
}

void Sleep::load(Reader& in, const TetMesh& mesh, const RigidBodies& rigid, NodeState& state) {
  forget();
  const auto nodes = in.get<std::uint64_t>();
  if (nodes > 0) asleep_.island.resize(mesh.node_slots(), 0);
  for (auto left = nodes; left > 0; --left) {
    const NodeId n = in.get<NodeId>();
    if (!mesh.alive(n) || asleep_.island[n] != 0) in.fail();
    asleep_.island[n] = in.get<std::uint32_t>();
    if (asleep_.island[n] == 0) in.fail();
  }
  // Whoever looks at one node of a tet must know of all.
  for (const TetId t : id_range<TetId>(mesh.tet_slots())) {
    if (!mesh.alive(t) || nodes == 0) continue;
    const auto& c = mesh.corners(t);
    for (const NodeId n : c) {
      if (asleep_.island[n] != asleep_.island[c[0]]) in.fail();
    }
  }
  stop(state);
  for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
    const NodeId n = in.get<NodeId>();
    if (!mesh.alive(n) || !asleep_[n]) in.fail();
    if (!kept_.empty() && n <= kept_.back().node) in.fail();
    kept_.push_back({n, in.get_vec3()});
  }
  for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
    Calm c;
    c.piece = in.get<std::uint32_t>(), c.island = in.get<std::uint32_t>(), c.since = in.get<double>();
    if (!calm_.empty() && c.piece <= calm_.back().piece) in.fail();
    calm_.push_back(c);
  }
  asleep_.rigid = in.get_all<std::uint32_t>();
  if (asleep_.rigid.size() > rigid.colliders().size()) in.fail();
  for (std::size_t c = 0; c < asleep_.rigid.size(); ++c) {
    if (asleep_.collider(c) && rigid.inverse_mass(c) == 0) in.fail();
  }
}

}  // namespace sunder::tet_oh99
