#include "solvers/lattice_norton91/sleep.h"

#include <algorithm>

#include "core/disjoint_sets.h"
#include "solvers/lattice_norton91/idle.h"
#include "solvers/lattice_norton91/node_contacts.h"
#include "solvers/lattice_norton91/sorted_labels.h"

namespace sunder::lattice_norton91 {
namespace {

constexpr std::uint32_t kLook = 128;  // steps from one look at who is at rest to the next
constexpr double kSteady = 0.1;       // of the speed
// Of an island's weight, and of its moment about the centre if all of it were at the outermost node.
constexpr double kBalanced = 0.05;

}  // namespace

// Those that are awake, joined by what they touch.
class Sleep::Pieces {
 public:
  explicit Pieces(const World& world)
      : nodes_(world.idle.pieces_awake(world.components)), joined_(nodes_.size()), of_(nodes_.size()) {
    for (Index p = 0; p < nodes_.size(); ++p) {
      of_[p].label = world.components.labels()[nodes_[p][0]];
      if (of_[p].label >= number_.size()) number_.resize(of_[p].label + std::size_t{1}, 0);
      number_[of_[p].label] = p;
    }
  }

  struct Piece {
    std::uint32_t label = 0;
    bool at_rest = false, barred = false, carried = false;
  };
  Index size() const { return static_cast<Index>(nodes_.size()); }
  Piece& operator[](Index piece) { return of_[piece]; }
  Index number(std::uint32_t label) const { return number_[label]; }  // which must be awake
  Piece& labelled(std::uint32_t label) { return of_[number_[label]]; }
  std::span<const Index> nodes(Index piece) const { return nodes_[piece]; }
  void join(std::uint32_t label, std::uint32_t other) { joined_.join(number_[label], number_[other]); }
  Index island(Index piece) { return joined_.root(piece); }

 private:
  Lists nodes_;
  DisjointSets joined_;
  std::vector<Piece> of_;
  std::vector<Index> number_;  // by label
};

Sleep::Sleep(const SleepRules& rules, double automatic_speed, std::size_t nodes)
    : speed_(rules.speed.value_or(automatic_speed)), after_(rules.after), island_(nodes, 0) {
  on_ = rules.on && speed_ > 0;
  if (on_) before_.assign(nodes, Vec3::Zero()), last_.assign(nodes, Vec3::Zero());
}

bool Sleep::look(const World& world) {
  if (!on_) return false;
  if (until_look_ > 0) {
    --until_look_;
    return false;
  }
  until_look_ = kLook - 1;
  Pieces pieces(world);
  follow_calm(world, pieces);
  disturbed_.clear();
  bool any = false;
  for (Index p = 0; p < pieces.size() && !any; ++p) any = pieces[p].at_rest;
  if (!any) return false;

  find_islands(world, pieces);
  struct Island {
    bool sleeps = true, carried = false;
    std::vector<Index> nodes;
  };
  std::vector<Island> islands(pieces.size());  // by the first piece
  for (Index p = 0; p < pieces.size(); ++p) {
    Island& island = islands[pieces.island(p)];
    island.sleeps = island.sleeps && pieces[p].at_rest && !pieces[p].barred;
    island.carried = island.carried || pieces[p].carried;
    const std::span<const Index> nodes = pieces.nodes(p);
    island.nodes.insert(island.nodes.end(), nodes.begin(), nodes.end());
  }
  const std::size_t before = sleeping_;
  for (Index p = 0; p < pieces.size(); ++p) {
    const Island& island = islands[p];
    if (island.nodes.empty() || !island.sleeps || !island.carried || !balanced(world, island.nodes)) continue;
    for (const Index n : island.nodes) island_[n] = pieces[p].label;
    sleeping_ += island.nodes.size();
  }
  std::erase_if(calm_, [&](const Calm& calm) { return island_[pieces.nodes(pieces.number(calm.piece))[0]] != 0; });
  return sleeping_ > before;
}

// Who is slow, for how long, and whether it was as slow as that on the way.
void Sleep::follow_calm(const World& world, Pieces& pieces) {
  sort_once(disturbed_);
  std::vector<Calm> calm;
  for (Index p = 0; p < pieces.size(); ++p) {
    Pieces::Piece& piece = pieces[p];
    if (holds(disturbed_, piece.label)) continue;
    const std::span<const Index> nodes = pieces.nodes(p);
    const bool slow = std::all_of(nodes.begin(), nodes.end(),
                                  [&](Index n) { return world.velocity[NodeId(n)].squaredNorm() < speed_ * speed_; });
    if (!slow) continue;
    const auto old = std::lower_bound(calm_.begin(), calm_.end(), piece.label,
                                      [](const Calm& c, std::uint32_t label) { return c.piece < label; });
    Calm now = {piece.label};
    if (old != calm_.end() && old->piece == piece.label) now = *old;
    mark(world, nodes, now);
    piece.at_rest = now.steady;
    calm.push_back(now);
  }
  std::sort(calm.begin(), calm.end(), [](const Calm& a, const Calm& b) { return a.piece < b.piece; });
  calm_ = std::move(calm);
}

void Sleep::mark(const World& world, std::span<const Index> nodes, Calm& calm) {
  if (calm.marks > 0 && world.time - calm.last < 0.5 * after_) return;
  if (calm.marks >= 2) {
    const double first = calm.last - calm.before, second = world.time - calm.last;
    calm.steady = std::all_of(nodes.begin(), nodes.end(), [&](Index n) {
      const Vec3 was = (last_[n] - before_[n]) / first, is = (world.position[NodeId(n)] - last_[n]) / second;
      return (is - was).squaredNorm() <= kSteady * kSteady * speed_ * speed_;
    });
  }
  for (const Index n : nodes) before_[n] = last_[n], last_[n] = world.position[NodeId(n)];
  calm.before = calm.last, calm.last = world.time;
  calm.marks = std::min(calm.marks + 1, 2u);
}

// Who touches whom, who is carried, and who is moved.
void Sleep::find_islands(const World& world, Pieces& pieces) const {
  const std::vector<std::uint32_t>& label = world.components.labels();
  const auto touch = [&](Index a, Index b) {
    if (world.idle[a] || world.idle[b]) {  // it is about to wake
      if (!world.idle[a]) pieces.labelled(label[a]).barred = true;
      if (!world.idle[b]) pieces.labelled(label[b]).barred = true;
    } else {
      pieces.join(label[a], label[b]);
    }
  };
  world.contacts.for_each_touching(world.position, touch);
  for (const Index bond : world.pushing) touch(world.lattice.ends[bond][0], world.lattice.ends[bond][1]);
  world.regions.for_each_bound(world.time, [&](NodeId n) {
    if (!world.idle[n.index]) pieces.labelled(label[n.index]).barred = true;
  });
  std::vector<ColliderContacts::NodeTouch> touches;
  world.colliders.list_touches(touches);
  for (const ColliderContacts::NodeTouch& t : touches) {
    if (world.idle[t.node.index]) continue;
    Pieces::Piece& piece = pieces.labelled(label[t.node.index]);
    (world.colliders.rigid().moves(t.collider) ? piece.barred : piece.carried) = true;
  }
}

bool Sleep::balanced(const World& world, std::span<const Index> nodes) const {
  double mass = 0, reach = 0;
  Vec3 first = Vec3::Zero(), force = Vec3::Zero(), moment = Vec3::Zero();
  const Vec3 from = world.position[NodeId(nodes[0])];
  for (const Index n : nodes) {
    mass += world.lattice.mass[NodeId(n)];
    first += world.lattice.mass[NodeId(n)] * (world.position[NodeId(n)] - from);
  }
  const Vec3 centre = from + first / mass;
  for (const Index n : nodes) {
    const Vec3 arm = world.position[NodeId(n)] - centre;
    const Vec3 on_node = world.force[NodeId(n)] + world.lattice.mass[NodeId(n)] * world.gravity;
    force += on_node, moment += arm.cross(on_node);
    reach = std::max(reach, arm.norm());
  }
  const double most = kBalanced * mass * world.gravity.norm();
  return force.norm() <= most && moment.norm() <= most * reach;
}

bool Sleep::wake_touched(const ColliderContacts& colliders, const NodeContacts& contacts,
                         const Column<NodeId, Vec3>& position) {
  contacts.for_each_touching(position, [&](Index a, Index b) { wake_at(a), wake_at(b); });  // one of them is awake
  std::vector<ColliderContacts::NodeTouch> touches;
  if (colliders.rigid().any_moves()) colliders.list_touches(touches);  // those that sleep touch colliders that move
  for (const ColliderContacts::NodeTouch& t : touches) wake_at(t.node.index);
  return wake_disturbed();
}

void Sleep::disturb(const Components& components, std::span<const NodeId> nodes) {
  if (!on_) return;
  for (const NodeId n : nodes) {
    disturbed_.push_back(components.labels()[n.index]);
    wake_at(n.index);
  }
  sort_once(disturbed_), sort_once(waking_);
}

void Sleep::disturb_all() {
  calm_.clear();
  for (Index n = 0; n < island_.size() && any(); ++n) wake_at(n);
}

bool Sleep::wake_disturbed() {
  if (waking_.empty()) return false;
  sort_once(waking_);
  const std::size_t before = sleeping_;
  for (std::uint32_t& island : island_) {
    if (island != 0 && holds(waking_, island)) island = 0, --sleeping_;
  }
  waking_.clear();
  return sleeping_ < before;
}

void Sleep::forget() {
  std::fill(island_.begin(), island_.end(), 0u);
  sleeping_ = 0, until_look_ = 0;
  calm_.clear(), disturbed_.clear(), waking_.clear();
}

void Sleep::save(Writer& out) const {
  out.put_all(std::span<const std::uint32_t>(island_));
  out.put(until_look_);
  out.put<std::uint64_t>(calm_.size());
  for (const Calm& c : calm_) {
    out.put(c.piece), out.put(c.marks), out.put(c.before), out.put(c.last), out.put<std::uint8_t>(c.steady ? 1 : 0);
  }
  out.put_all(std::span<const Vec3>(before_)), out.put_all(std::span<const Vec3>(last_));
  out.put_all(std::span<const std::uint32_t>(disturbed_)), out.put_all(std::span<const std::uint32_t>(waking_));
}

void Sleep::load(Reader& in, const Components& components) {
  const std::vector<std::uint32_t>& label = components.labels();
  in.get_into(std::span(island_));
  std::vector<std::uint32_t> island_of(*std::max_element(label.begin(), label.end()) + std::size_t{1}, Asleep::kAway);
  sleeping_ = 0;
  for (Index n = 0; n < island_.size(); ++n) {
    std::uint32_t& island = island_of[label[n]];
    if (island_[n] >= Asleep::kAway || (island != Asleep::kAway && island != island_[n])) in.fail();
    island = island_[n];
    sleeping_ += island != 0 ? 1 : 0;
  }
  if (sleeping_ > 0 && !on_) in.fail();
  until_look_ = in.get<std::uint32_t>();
  calm_.clear();
  for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
    Calm c;
    c.piece = in.get<std::uint32_t>(), c.marks = in.get<std::uint32_t>();
    c.before = in.get<double>(), c.last = in.get<double>(), c.steady = in.get<std::uint8_t>() != 0;
    if (!calm_.empty() && c.piece <= calm_.back().piece) in.fail();
    calm_.push_back(c);
  }
  in.get_into(std::span(before_)), in.get_into(std::span(last_));
  disturbed_ = in.get_all<std::uint32_t>(), waking_ = in.get_all<std::uint32_t>();
}

}  // namespace sunder::lattice_norton91
