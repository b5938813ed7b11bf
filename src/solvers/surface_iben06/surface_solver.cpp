#include "solvers/surface_iben06/surface_solver.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/hash.h"
#include "geometry/symmetric_eigen.h"

namespace sunder::surface_iben06 {
namespace {

// Uids of all coats in one list of numbers: coats come in blocks of this size.
constexpr Uid kCoatUids = Uid{1} << 40;

Vec3 barycentric(const TriangleCorners& x, const Vec3& p) {
  const Vec3 normal = (x[1] - x[0]).cross(x[2] - x[0]);
  const double area = normal.squaredNorm();
  const double b = (p - x[0]).cross(x[2] - x[0]).dot(normal) / area;
  const double c = (x[1] - x[0]).cross(p - x[0]).dot(normal) / area;
  return {1 - b - c, b, c};
}

}  // namespace

SurfaceSolver::SurfaceSolver(std::vector<CoatSetup> setups) {
  for (CoatSetup& setup : setups) {
    Coat& coat = coats_.emplace_back();
    coat.name = setup.name;
    coat.rise = setup.rise;
    coat.display = setup.display;
    coat.uvs = std::move(setup.uvs);
    if (!coat.uvs.empty()) {
      const TriMesh& mesh = setup.membrane.mesh();
      for (const TriangleId t : id_range<TriangleId>(mesh.triangle_count())) coat.places.push_back(mesh.places(t));
    }
    coat.cracking = Cracking(std::move(setup.membrane), setup.cracking, setup.relax);
    coat.acts_once = coat.cracking.membrane().acts_once();
    reactions_.push_back({.name = coat.name, .kind = "shrinkage"});
    if (coat.acts_once) {
      add_work(coat, coat.cracking.act_once());
    } else {
      raise(coat);
    }
  }
}

double SurfaceSolver::stable_dt() const { return std::numeric_limits<double>::infinity(); }
double SurfaceSolver::stability_limit() const { return std::numeric_limits<double>::infinity(); }

double SurfaceSolver::load_of(const LoadRise& rise, std::uint32_t steps) const {
  return std::min(rise.to, rise.from + (steps - 1) * rise.step);
}

// One step of the load.
void SurfaceSolver::raise(Coat& coat) {
  ++coat.steps;
  add_work(coat, coat.cracking.raise_to(load_of(coat.rise, coat.steps)));
}

void SurfaceSolver::add_work(Coat& coat, double work) {
  coat.work += work;
  reactions_[static_cast<std::size_t>(&coat - coats_.data())].work = coat.work;
}

void SurfaceSolver::advance(Coat& coat, double dt) {
  const LoadRise& rise = coat.rise;
  const double end = time_ + dt;
  const double share = rise.seconds > 0 ? std::min(1.0, end / rise.seconds) : 1;
  const double target = rise.from + share * (rise.to - rise.from) + 1e-9;
  const double limit = rise.cracks_per_second;
  coat.allowed = limit > 0 ? coat.allowed + limit * dt : std::numeric_limits<double>::infinity();
  const double at_start = coat.allowed;
  for (;;) {
    if (coat.allowed < 1 || stopping()) return;
    if (auto event = coat.cracking.crack()) {
      // When the load was so high; with a limit, evenly over the step.
      const double risen = coat.steps == 0       ? 0
                           : rise.to > rise.from ? (coat.cracking.load() - rise.from) / (rise.to - rise.from)
                                                 : 1;
      event->time = limit > 0 ? time_ + dt * (at_start - coat.allowed) / std::max(1.0, at_start)
                              : std::clamp(risen * rise.seconds, time_, end);
      event->node += kCoatUids * static_cast<Uid>(&coat - coats_.data());
      coat.events.push_back({++events_, event->time});
      log_.cracks.push_back(*event);
      if (limit > 0) coat.allowed -= 1;
      continue;
    }
    if (coat.cracking.load() >= rise.to || load_of(rise, coat.steps + 1) > target) break;
    raise(coat);
  }
  coat.allowed = std::min(coat.allowed, 1.0);  // rest is not saved up
}

StepReport SurfaceSolver::step(double dt) {
  for (Coat& coat : coats_) advance(coat, dt);
  if (stopping()) return {};
  time_ += dt;
  StepReport report;
  report.dt = dt;
  for (const Coat& coat : coats_) report.finite = report.finite && std::isfinite(coat.cracking.membrane().energy());
  return report;
}

std::vector<std::string> SurfaceSolver::take_notes() {
  std::vector<std::string> notes;
  for (Coat& coat : coats_) {
    if (!coat.told_unfinished && coat.cracking.unfinished_relaxations() > 0) {
      coat.told_unfinished = true;
      notes.push_back(
          fmt::format("body \"{}\": stress did not even out in reasonable time, so cracks may be wrong: remesh the "
                      "model to triangles of similar size, or take a smaller `length`",
                      coat.name));
    }
    if (!coat.told_full && coat.cracking.is_full()) {
      coat.told_full = true;
      notes.push_back(
          fmt::format("body \"{}\": cracking ended at {} triangles, its limit, with stress left: lower `load_to`, or "
                      "make `length` larger",
                      coat.name, coat.cracking.membrane().mesh().triangle_count()));
    }
  }
  return notes;
}

void SurfaceSolver::prepare_frame() {
  for (std::size_t i = 0; i < coats_.size(); ++i) {
    for (const NewFragment& fresh : coats_[i].fragments.update(coats_[i].cracking.membrane().mesh())) {
      log_.fragments.push_back({frame_fragment(i, fresh.id), frame_fragment(i, fresh.parent)});
    }
  }
}

std::uint32_t SurfaceSolver::frame_fragment(std::size_t coat, std::uint32_t fragment) const {
  if (fragment == 0) return 0;
  const auto count = static_cast<std::uint32_t>(coats_.size());
  return (fragment - 1) * count + static_cast<std::uint32_t>(coat) + 1;
}

void SurfaceSolver::snapshot(Frame& frame) const {
  const bool walls = std::any_of(coats_.begin(), coats_.end(), [](const Coat& coat) { return coat.display.depth > 0; });
  const bool textured = std::any_of(coats_.begin(), coats_.end(), [](const Coat& coat) { return !coat.uvs.empty(); });
  for (std::size_t i = 0; i < coats_.size(); ++i) {
    const Coat& coat = coats_[i];
    const Membrane& membrane = coat.cracking.membrane();
    const TriMesh& mesh = membrane.mesh();
    const auto first = static_cast<std::uint32_t>(frame.position.size());
    const auto number = static_cast<std::uint32_t>(i);
    Displayed shown = displayed(membrane, coat.display, coat.cracking.load() + (coat.acts_once ? 1 : 0));
    if (walls && shown.wall.empty()) shown.wall.assign(mesh.node_count(), Vec3::Zero());
    frame.position.insert(frame.position.end(), shown.position.begin(), shown.position.end());
    frame.wall.insert(frame.wall.end(), shown.wall.begin(), shown.wall.end());
    for (const NodeId n : id_range<NodeId>(mesh.node_count())) {
      frame.rest.push_back(mesh.position(n));
      frame.velocity.push_back(Vec3::Zero());
      frame.node_uid.push_back(TriMesh::uid(n) + kCoatUids * i);
    }
    for (const TriangleId t : id_range<TriangleId>(mesh.triangle_count())) {
      auto& corners = frame.triangles.emplace_back();
      auto& order = frame.crack_order.emplace_back();
      auto& time = frame.crack_time.emplace_back();
      for (std::size_t k = 0; k < 3; ++k) {
        corners[k] = first + mesh.corners(t)[k].index;
        const std::uint32_t event = mesh.crack({t, static_cast<int>(k)});
        order[k] = event == 0 ? 0 : coat.events[event - 1].number;
        time[k] = event == 0 ? 0 : coat.events[event - 1].time;
      }
      frame.body.push_back(number);
      frame.material.push_back(number);
      frame.fragment.push_back(frame_fragment(i, coat.fragments.labels()[t]));
      frame.tet_uid.push_back(TriMesh::uid(t) + kCoatUids * i);
      frame.stress.push_back(plane_eigen(membrane.facet(t).stress).values[0]);
      frame.crack_faces.push_back(mesh.crack_mask(t));
      if (!textured) continue;
      auto& uv = frame.corner_uv.emplace_back();
      if (coat.uvs.empty()) continue;
      for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 weights = barycentric(coat.places[mesh.source(t)], mesh.position(mesh.corners(t)[k]));
        Vec2 at = Vec2::Zero();
        for (std::size_t j = 0; j < 3; ++j) at += weights[static_cast<int>(j)] * coat.uvs[mesh.source(t)][j];
        uv[2 * k] = static_cast<float>(at.x()), uv[2 * k + 1] = static_cast<float>(at.y());
      }
    }
  }
}

Totals SurfaceSolver::totals() const {
  Totals totals;
  for (const Coat& coat : coats_) {
    const CrackCounts& counts = coat.cracking.counts();
    totals.nodes += coat.cracking.membrane().mesh().node_count();
    totals.elements += coat.cracking.membrane().mesh().triangle_count();
    totals.fragments += coat.fragments.count();
    totals.crack_area += counts.area;
    totals.splits += counts.splits;
    totals.refused_splits += counts.refused;
    totals.hard_snapped_splits += counts.hard_snapped;
    const double energy = coat.cracking.membrane().energy();
    totals.elastic += energy;
    totals.dissipated += coat.work - energy;
  }
  return totals;
}

std::uint64_t SurfaceSolver::state_hash() const {
  Writer out;
  for (const Coat& coat : coats_) coat.cracking.save(out);
  return checksum(out.bytes());
}

void SurfaceSolver::save(Writer& out) const {
  out.put(time_), out.put(events_);
  for (const Coat& coat : coats_) {
    coat.cracking.save(out);
    out.put<std::uint64_t>(coat.events.size());
    for (const auto& event : coat.events) out.put(event.number), out.put(event.time);
    out.put(coat.steps), out.put(coat.work), out.put(coat.allowed);
    const auto& fragments = coat.fragments.state();
    for (const auto* list : {&fragments.tets, &fragments.nodes}) {
      out.put<std::uint64_t>(list->size());
      for (const auto& [uid, label] : *list) out.put(uid), out.put(label);
    }
    out.put(fragments.next_id);
  }
}

void SurfaceSolver::load(Reader& in) {
  time_ = in.get<double>(), events_ = in.get<std::uint32_t>();
  for (std::size_t i = 0; i < coats_.size(); ++i) {
    Coat& coat = coats_[i];
    coat.cracking.load_state(in);
    coat.events.clear();
    for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
      const auto number = in.get<std::uint32_t>();
      coat.events.push_back({number, in.get<double>()});
    }
    if (coat.events.size() != coat.cracking.counts().splits) in.fail();
    coat.steps = in.get<std::uint32_t>(), coat.work = in.get<double>(), coat.allowed = in.get<double>();
    SurfaceFragments::State state;
    for (auto* list : {&state.tets, &state.nodes}) {
      for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
        const Uid uid = in.get<Uid>();
        list->emplace_back(uid, in.get<std::uint32_t>());
      }
    }
    state.next_id = in.get<std::uint32_t>();
    coat.fragments = SurfaceFragments(std::move(state));
    reactions_[i].work = coat.work;
  }
}

}  // namespace sunder::surface_iben06
