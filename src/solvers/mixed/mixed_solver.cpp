#include "solvers/mixed/mixed_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/hash.h"
#include "frame/append_frame.h"

namespace sunder::mixed {
namespace {

void add(Totals& all, const Totals& part) {
  all.nodes += part.nodes, all.elements += part.elements, all.fragments += part.fragments;
  all.crack_area += part.crack_area;
  all.splits += part.splits, all.refused_splits += part.refused_splits;
  all.hard_snapped_splits += part.hard_snapped_splits;
  all.removed_pieces += part.removed_pieces, all.frozen_pieces += part.frozen_pieces;
  all.removed_mass += part.removed_mass;
  all.grains += part.grains, all.dust_mass += part.dust_mass;
  all.mass += part.mass, all.momentum += part.momentum;
  all.kinetic += part.kinetic, all.elastic += part.elastic, all.gravity += part.gravity, all.contact += part.contact;
  all.dissipated += part.dissipated, all.plastic += part.plastic;
}

}  // namespace

MixedSolver::MixedSolver(std::vector<Part> parts, const BallContactRules& rules, bool automatic_step)
    : parts_(std::move(parts)), automatic_step_(automatic_step) {
  for (std::size_t p = 1; p < parts_.size(); ++p) colliders(p).rigid().follow(colliders(0).rigid());
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    for (std::size_t q = 0; q < parts_.size(); ++q) {
      if (p != q && !of(p).radius.empty() && !of(q).faces.empty()) touching_.push_back({p, q, BallContacts(rules)});
    }
  }
  for (const Part& part : parts_) {
    std::vector<std::size_t>& rows = row_.emplace_back();
    for (const Reaction& reaction : part.solver->reactions()) {
      const auto same = std::find_if(reactions_.begin(), reactions_.end(), [&](const Reaction& known) {
        return known.name == reaction.name && known.kind == reaction.kind;
      });
      rows.push_back(static_cast<std::size_t>(same - reactions_.begin()));
      if (same == reactions_.end()) reactions_.push_back({.name = reaction.name, .kind = reaction.kind});
    }
  }
}

// None, which is 0, stays so.
template <class Number>
Number MixedSolver::numbered(Number number, std::size_t part) const {
  if (number == 0) return 0;
  return static_cast<Number>((number - 1) * static_cast<Number>(parts_.size()) + static_cast<Number>(part) + 1);
}

double MixedSolver::stable_dt() const {
  double dt = std::numeric_limits<double>::infinity();
  for (const Part& part : parts_) dt = std::min(dt, part.solver->stable_dt());
  return dt;
}

double MixedSolver::stability_limit() const {
  double dt = std::numeric_limits<double>::infinity();
  for (const Part& part : parts_) dt = std::min(dt, part.solver->stability_limit());
  return dt;
}

double MixedSolver::contact_step(std::span<const double> own) const {
  double dt = std::numeric_limits<double>::infinity();
  for (const Touching& t : touching_) {
    dt = std::min(dt, t.contacts.longest());
    const std::pair<std::size_t, double> sides[] = {{t.balls, t.contacts.balls_load()},
                                                    {t.faces, t.contacts.faces_load()}};
    for (const auto& [part, load] : sides) {
      // 2 / limit is the fastest vibration without contact.
      const SharedSolver& solver = *parts_[part].solver;
      const double limit = solver.stability_limit();
      if (load > 0) dt = std::min(dt, solver.stable_dt() / std::sqrt(1 + load * limit * limit / 4));
    }
  }
  // A rigid body that several parts touch swings on the springs of all. With w2 and c of each, dt^2 w2 + 2 dt c <= 4
  // holds for their sums too if 1/dt is the sum of theirs.
  const std::vector<std::uint32_t> by_first = touched_rigid(0);
  double rate = 1 / own[0];
  for (std::size_t p = 1; p < parts_.size(); ++p) {
    const std::vector<std::uint32_t> by_this = touched_rigid(p);
    if (std::find_first_of(by_first.begin(), by_first.end(), by_this.begin(), by_this.end()) == by_first.end())
      continue;
    rate += 1 / own[p];
    dt = std::min(dt, 1 / rate);
  }
  return dt;
}

std::vector<std::uint32_t> MixedSolver::touched_rigid(std::size_t part) const {
  std::vector<ColliderContacts::NodeTouch> touches;
  colliders(part).list_touches(touches);
  std::vector<std::uint32_t> touched;
  for (const ColliderContacts::NodeTouch& touch : touches) {
    if (colliders(part).rigid().inverse_mass(touch.collider) > 0) touched.push_back(touch.collider);
  }
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  return touched;
}

StepReport MixedSolver::step(double dt) {
  const auto find = [&](Touching& t) {
    t.contacts.find(of(t.balls), of(t.faces));
    parts_[t.balls].solver->disturb(t.contacts.touched_balls());
    parts_[t.faces].solver->disturb(t.contacts.touched_faces());
  };
  for (Touching& t : touching_) find(t);
  // The owner of rigid bodies comes last: those that others touch are not to sleep.
  std::vector<double> own(parts_.size());
  for (std::size_t p = parts_.size(); p-- > 0;) {
    SharedSolver& solver = *parts_[p].solver;
    const double allowed = solver.begin_step(dt);
    own[p] = allowed < dt ? allowed : std::max(dt, solver.stable_dt());
    dt = allowed;
    if (p > 0) parts_[0].solver->disturb_colliders(touched_rigid(p));
  }
  for (Touching& t : touching_) {
    if (t.contacts.outdated(of(t.faces))) find(t);  // something broke
  }
  if (automatic_step_) dt = std::min(dt, contact_step(own));
  std::vector<BallContacts::Kick> kicks;
  for (Touching& t : touching_) {
    kicks.push_back({parts_[t.balls].solver->kick(dt), parts_[t.faces].solver->kick(dt)});
    t.contacts.add_forces(of(t.balls), of(t.faces), kicks.back());
  }
  for (const Part& part : parts_) part.solver->add_contact_forces(dt);
  // Impulses: forces act on velocities for as long as the part's scheme says.
  for (std::size_t p = 1; p < parts_.size(); ++p) {
    const double share = parts_[p].solver->kick(dt) / parts_[0].solver->kick(dt);
    colliders(0).rigid().take_forces(colliders(p).rigid(), share);
  }
  StepReport all;
  all.dt = dt;
  for (const Touching& t : touching_) all.outran_contact = all.outran_contact || dt > t.contacts.longest();
  for (const Part& part : parts_) {
    const StepReport report = part.solver->finish_step(dt);
    all.inverted += report.inverted;
    all.finite = all.finite && report.finite;
    all.outran_contact = all.outran_contact || report.outran_contact;
  }
  for (std::size_t i = 0; i < touching_.size(); ++i) {
    touching_[i].contacts.account(of(touching_[i].balls), of(touching_[i].faces), dt, kicks[i]);
  }
  gather_reactions();
  for (Reaction& reaction : reactions_) reaction.peak = std::max(reaction.peak, reaction.force.norm());
  return all;
}

// All but the peaks, which are not those of the parts: these need not come in the same step.
void MixedSolver::gather_reactions() {
  for (Reaction& r : reactions_) r.force.setZero(), r.impulse.setZero(), r.work = 0;
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const std::vector<Reaction>& own = parts_[p].solver->reactions();
    for (std::size_t i = 0; i < own.size(); ++i) {
      Reaction& r = reactions_[row_[p][i]];
      r.force += own[i].force, r.impulse += own[i].impulse, r.work += own[i].work;
    }
  }
}

void MixedSolver::snapshot(Frame& frame) const {
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    Frame part;
    parts_[p].solver->snapshot(part);
    for (Uid& uid : part.node_uid) uid = numbered(uid, p);
    for (Uid& uid : part.tet_uid) uid = numbered(uid, p);
    for (auto* fragments : {&part.fragment, &part.node_fragment}) {
      for (std::uint32_t& fragment : *fragments) fragment = numbered(fragment, p);
    }
    for (auto* bodies : {&part.body, &part.material}) {
      for (std::uint32_t& body : *bodies) body = parts_[p].bodies[body];
    }
    for (FrameGrain& grain : part.grains) grain.body = parts_[p].bodies[grain.body];
    if (p == 0) {
      frame = std::move(part);
    } else {
      append_frame(frame, part);
    }
  }
}

Totals MixedSolver::totals() const {
  Totals all;
  for (const Part& part : parts_) add(all, part.solver->totals());
  for (const Touching& t : touching_) {
    all.contact += t.contacts.energy(of(t.balls), of(t.faces));
    all.dissipated += t.contacts.dissipated();
  }
  return all;
}

double MixedSolver::kinetic_energy() const {
  double sum = 0;
  for (const Part& part : parts_) sum += part.solver->kinetic_energy();
  return sum;
}

FastestNode MixedSolver::fastest_node() const {
  FastestNode fastest;
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    FastestNode of_part = parts_[p].solver->fastest_node();
    if (p > 0 && !(of_part.speed > fastest.speed)) continue;
    of_part.node = numbered(of_part.node, p);
    fastest = std::move(of_part);
  }
  return fastest;
}

void MixedSolver::prepare_frame() {
  cracks_ = {}, debris_ = {};
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    Solver& solver = *parts_[p].solver;
    solver.prepare_frame();
    for (CrackEvent crack : solver.cracks().cracks) {
      crack.node = numbered(crack.node, p);
      cracks_.cracks.push_back(crack);
    }
    for (const FragmentEvent& fresh : solver.cracks().fragments) {
      cracks_.fragments.push_back({numbered(fresh.id, p), numbered(fresh.parent, p)});
    }
    for (DebrisEvent event : solver.debris()) {
      event.fragment = numbered(event.fragment, p);
      debris_.push_back(std::move(event));
    }
  }
  const auto earlier = [](const auto& a, const auto& b) { return a.time < b.time; };
  std::stable_sort(cracks_.cracks.begin(), cracks_.cracks.end(), earlier);
  std::stable_sort(debris_.begin(), debris_.end(), earlier);
}

void MixedSolver::begin_frame() {
  for (const Part& part : parts_) part.solver->begin_frame();
  cracks_ = {}, debris_ = {};
  for (Reaction& r : reactions_) r.impulse.setZero(), r.peak = 0;
}

std::size_t MixedSolver::touching() const {
  std::size_t sum = 0;
  for (const Touching& t : touching_) sum += t.contacts.touching();
  return sum;
}

std::uint64_t MixedSolver::state_hash() const {
  Hash64 hash;
  for (const Part& part : parts_) hash.add(part.solver->state_hash());
  return hash.value();
}

// A block for each part, so that a branch can read the beginning of each.
void MixedSolver::save(Writer& out) const {
  for (const Part& part : parts_) {
    Writer own;
    part.solver->save(own);
    out.put_text(own.bytes());
  }
  for (const Touching& t : touching_) out.put(t.contacts.dissipated());
  for (const Reaction& r : reactions_) out.put(r.peak);
  for (const Touching& t : touching_) t.contacts.save(out);
}

void MixedSolver::load(Reader& in) {
  for (const Part& part : parts_) {
    Reader own = in.get_block();
    part.solver->load(own);
    if (!own.at_end()) own.fail();
  }
  gather_reactions();
  for (Touching& t : touching_) t.contacts.go_on_from(in.get<double>());
  for (Reaction& r : reactions_) r.peak = in.get<double>();
  for (Touching& t : touching_) t.contacts.load(in, of(t.balls).radius.size());
}

void MixedSolver::load_motion(Reader& in) {
  for (const Part& part : parts_) {
    Reader own = in.get_block();
    part.solver->load_motion(own);
  }
  for (Touching& t : touching_) t.contacts.go_on_from(in.get<double>()), t.contacts.forget();
  gather_reactions();
}

}  // namespace sunder::mixed
