#include "collision/overlap_contacts.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "collision/near_faces.h"
#include "core/parallel.h"
#include "geometry/triangle.h"

namespace sunder {
namespace {

constexpr std::size_t kPairsPerTask = 128;
constexpr std::uint32_t kNone = 0xffffffffu;

// In edges.
constexpr double kMargin = 0.04;
constexpr double kFormula = 1.5;  // the energy by the formula may be so many times too large

// m/s: no point of one tet moves faster against any of the other.
double largest_relative_speed(const OverlapContact& c, const Column<NodeId, Vec3>& v) {
  double square = 0;
  for (const NodeId m : c.nodes_a) {
    for (const NodeId n : c.nodes_b) square = std::max(square, (v[m] - v[n]).squaredNorm());
  }
  return std::sqrt(square);
}

TetCorners corners(const std::array<NodeId, 4>& n, const Column<NodeId, Vec3>& x) {
  return {x[n[0]], x[n[1]], x[n[2]], x[n[3]]};
}

// A tet's boundary faces in the material: their mean area, and their nodes' mean stiffness.
struct SurfaceShare {
  double area = 0;       // m^2
  double stiffness = 0;  // N/m
};
SurfaceShare surface_share(const TouchingBodies& bodies, const std::array<NodeId, 4>& nodes, std::uint8_t boundary) {
  SurfaceShare sum;
  double faces = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    if ((boundary >> i & 1) == 0) continue;
    TriangleCorners x;
    for (std::size_t k = 0; k < 3; ++k) {
      const NodeId n = nodes[static_cast<std::size_t>(kTetFaces[i][k])];
      x[k] = bodies.mesh.material_position(n);
      sum.stiffness += bodies.stiffness[n] / 3;
    }
    sum.area += area_vector(x).norm();
    ++faces;
  }
  return {sum.area / faces, sum.stiffness / faces};
}

}  // namespace

OverlapContacts::OverlapContacts(const ContactRules& rules, double edge)
    : SpringContacts(rules, edge), near_(new_search()) {}

NearTets OverlapContacts::new_search() const { return {rules_.gap * edge_, kMargin * edge_}; }

bool OverlapContacts::has_unarmed_crack(const TetMesh& mesh, TetId tet, std::uint8_t faces) const {
  const unsigned cracks = mesh.crack_faces(tet) & faces;
  for (int i = 0; i < 4; ++i) {
    if ((cracks >> i & 1) == 0) continue;
    for (const NodeId n : mesh.face_nodes({tet, i})) {
      if (!armed(n)) return true;
    }
  }
  return false;
}

// The unarmed nodes of a tet that are not yet clear of the crack faces of another.
void OverlapContacts::hold_back(const TouchingBodies& bodies, TetId tet, TetId other, Part& part) const {
  const unsigned cracks = bodies.mesh.crack_faces(other);
  for (int i = 0; cracks != 0 && i < 4; ++i) {
    if ((cracks >> i & 1) == 0) continue;
    const auto f = bodies.mesh.face_nodes({other, i});
    const TriangleCorners t = {bodies.position[f[0]], bodies.position[f[1]], bodies.position[f[2]]};
    Bounds box;
    for (const Vec3& x : t) box.add(x);
    box = box.grown(rules_.gap * edge_);  // the cheaper question
    for (const NodeId n : bodies.mesh.corners(tet)) {
      const Vec3& x = bodies.position[n];
      if (armed(n) || !box.holds(x) || (closest_point(t, x).point - x).norm() > rules_.gap * edge_) continue;
      if (!are_neighbours(bodies.mesh, n, other)) part.held_back.push_back(n);
    }
  }
}

void OverlapContacts::look_at(const TouchingBodies& bodies, NearTets::Pair pair, Part& part) const {
  const TetMesh& mesh = bodies.mesh;
  if (mesh.uid(pair.b) < mesh.uid(pair.a)) std::swap(pair.a, pair.b);
  OverlapContact c;
  c.nodes_a = mesh.corners(pair.a), c.nodes_b = mesh.corners(pair.b);
  if (!unarmed_.empty()) {
    hold_back(bodies, pair.a, pair.b, part);
    hold_back(bodies, pair.b, pair.a, part);
  }
  c.boundary_a = boundary_faces_of(mesh, pair.a), c.boundary_b = boundary_faces_of(mesh, pair.b);
  if (!find_penetration(corners(c.nodes_a, bodies.position), c.boundary_a, corners(c.nodes_b, bodies.position),
                        c.boundary_b, c.in)) {
    return;
  }
  c.a = mesh.uid(pair.a), c.b = mesh.uid(pair.b);
  if (!unarmed_.empty()) {
    c.unarmed =
        has_unarmed_crack(mesh, pair.a, c.in.faces_a.bits) || has_unarmed_crack(mesh, pair.b, c.in.faces_b.bits);
    if (c.unarmed) {  // in each other, none is clear
      for (const auto& nodes : {c.nodes_a, c.nodes_b}) {
        part.held_back.insert(part.held_back.end(), nodes.begin(), nodes.end());
      }
    }
  }
  part.contacts.push_back(c);
}

void OverlapContacts::arm(const TouchingBodies& bodies, std::size_t parts) {
  const auto mark = [&](std::uint8_t value) {
    for (std::size_t p = 0; p < parts; ++p) {
      for (const NodeId n : parts_[p].held_back) {
        if (n.index >= held_back_.size()) held_back_.resize(n.index + std::size_t{1}, 0);
        held_back_[n] = value;
      }
    }
  };
  mark(1);
  unarmed_.arm([&](NodeId n) { return bodies.sleeps(n) || (n.index < held_back_.size() && held_back_[n] != 0); });
  mark(0);
}

std::span<const NodeId> OverlapContacts::find_contacts(const TouchingBodies& bodies, double last_dt) {
  near_.update(bodies.mesh, bodies.position, bodies.asleep);
  const auto pairs = near_.pairs();
  const std::size_t parts = (pairs.size() + kPairsPerTask - 1) / kPairsPerTask;
  parts_.resize(std::max(parts_.size(), parts));
  parallel_chunks(pairs.size(), kPairsPerTask, [&](std::size_t begin, std::size_t end) {
    Part& part = parts_[begin / kPairsPerTask];
    part.contacts.clear(), part.held_back.clear();
    for (std::size_t i = begin; i < end; ++i) {
      const auto sleeps = [&](TetId t) { return bodies.sleeps(bodies.mesh.corners(t)[0]); };
      if (!(sleeps(pairs[i].a) && sleeps(pairs[i].b))) look_at(bodies, pairs[i], part);
    }
  });
  for (std::size_t p = 0; p < parts; ++p) {
    contacts_.insert(contacts_.end(), parts_[p].contacts.begin(), parts_[p].contacts.end());
  }
  std::sort(contacts_.begin(), contacts_.end(), [](const auto& p, const auto& q) { return earlier(p, q); });
  smooth_normals();
  if (!unarmed_.empty()) arm(bodies, parts);
  take_over(bodies, last_dt);
  pool();
  return near_.search().nodes();
}

double OverlapContacts::volume() const {
  double sum = 0;
  for (const auto* contacts : {&contacts_, &resting_}) {
    for (const OverlapContact& c : *contacts) sum += c.in.volume;
  }
  return sum;
}

void OverlapContacts::list_touched(const std::vector<OverlapContact>& contacts, std::vector<Touched>& touched) {
  touched.clear();
  for (std::uint32_t i = 0; i < contacts.size(); ++i) {
    touched.push_back({contacts[i].a, i});
    touched.push_back({contacts[i].b, i});
  }
  std::sort(touched.begin(), touched.end());
}

// An edge that stands on a face is two pairs at least: each would push it to its own side. So the way out is summed
// over the pairs that have a tet in common.
void OverlapContacts::smooth_normals() {
  if (contacts_.size() < 2) return;
  list_touched(contacts_, touched_);
  tets_of_.resize(contacts_.size());
  std::uint32_t tets = 0;
  for (std::size_t i = 0; i < touched_.size(); ++i) {
    if (i > 0 && touched_[i].tet != touched_[i - 1].tet) ++tets;
    const std::uint32_t c = touched_[i].contact;
    tets_of_[c][contacts_[c].a == touched_[i].tet ? 0 : 1] = tets;
  }
  way_out_.assign(tets + std::size_t{1}, Vec3::Zero());
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Vec3 own = contacts_[i].in.own_way_out();
    way_out_[tets_of_[i][0]] += own;
    way_out_[tets_of_[i][1]] -= own;
  }
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Vec3 direction = way_out_[tets_of_[i][0]] - way_out_[tets_of_[i][1]];
    contacts_[i].in.set_way_out(direction);  // or keeps its own
  }
}

void OverlapContacts::begin(OverlapContact& c, const TouchingBodies& bodies) const {
  const SurfaceShare a = surface_share(bodies, c.nodes_a, c.boundary_a);
  const SurfaceShare b = surface_share(bodies, c.nodes_b, c.boundary_b);
  c.sides = a.stiffness * b.stiffness / (a.stiffness + b.stiffness);
  // Slivers of cracks are stiff for their size: no smaller than a face of the finest body before it cracked.
  const double intact = std::sqrt(3.0) / 4 * edge_ * edge_;
  c.modulus = rules_.stiffness * c.sides / std::max(intact, std::min(a.area, b.area));
}

// The deepest contact of before that has a tet of this one and, on the other side, one that touched the same nodes.
std::uint32_t OverlapContacts::beside(const OverlapContact& c) const {
  std::uint32_t best = kNone;
  const auto look = [&](Uid tet, const std::array<NodeId, 4>& other) {
    for (auto t = std::lower_bound(touched_.begin(), touched_.end(), Touched{tet, 0});
         t != touched_.end() && t->tet == tet; ++t) {
      const OverlapContact& p = previous_[t->contact];
      if (!share_a_node(p.a == tet ? p.nodes_b : p.nodes_a, other)) continue;
      if (best != kNone && p.in.volume < previous_[best].in.volume) continue;
      if (best == kNone || p.in.volume > previous_[best].in.volume || t->contact < best) best = t->contact;
    }
  };
  look(c.a, c.nodes_b);
  look(c.b, c.nodes_a);
  return best;
}

// The spring along the surface, stretched by what the two have `moved` since. Area that has come is not yet stretched.
void OverlapContacts::take_over_stretch(OverlapContact& c, const OverlapContact& old, bool lasts, const Vec3& moved) {
  const double sign = lasts || old.a == c.a || old.b == c.b ? 1 : -1;  // whether a is a
  const Vec3 stretch = tangential(sign * old.stretch + moved, c.in.normal);
  if (!lasts) {
    c.stretch = stretch;
    c.carried = c.stored();
    lost_ -= c.carried;
    return;
  }
  c.stretch = std::min(1.0, old.in.area / c.in.area) * stretch;
  const double held = 0.5 * old.stiffness * stretch.squaredNorm();
  c.carried = old.carried - (held - c.stored());
  lost_ += held - c.stored();
}

void OverlapContacts::take_over(const TouchingBodies& bodies, double last_dt) {
  same_.assign(contacts_.size(), kNone);
  lasts_.assign(previous_.size(), 0);
  std::size_t p = 0, lasting = 0;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    while (p < previous_.size() && earlier(previous_[p], contacts_[i])) ++p;
    if (p == previous_.size() || earlier(contacts_[i], previous_[p])) continue;
    same_[i] = static_cast<std::uint32_t>(p);
    lasts_[p] = 1;
    ++lasting;
  }
  if (lasting < contacts_.size()) list_touched(previous_, touched_);
  claimed_.assign(previous_.size(), 0);
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    OverlapContact& c = contacts_[i];
    begin(c, bodies);
    const bool lasts = same_[i] != kNone;
    const std::uint32_t from = lasts ? same_[i] : beside(c);
    const double depth = c.in.depth(), travel = last_dt * largest_relative_speed(c, bodies.velocity);
    double depth_before = depth;
    if (from == kNone) {
      if (last_dt <= 0 || depth > travel + kJump * edge_) c.free = depth;
    } else {
      const OverlapContact& old = previous_[from];
      c.modulus = old.modulus;
      c.free = old.free;
      const bool takes_its_place = lasts || lasts_[from] == 0;
      if (takes_its_place) {
        // A side that a crack has made weaker makes the spring weaker.
        c.modulus *= std::min(1.0, c.sides / old.sides);
        c.stiffness = c.modulus * c.in.area;
        take_over_stretch(c, old, lasts, last_dt * c.relative(bodies.velocity));
      }
      // What the motion explains, m^3: of a lasting pair by its depth, of one that stands in for one that has ended no
      // more than that one had, of one beside another what its surface may have swept.
      double claimed_before = 0;
      const double slack = c.in.area * (travel + kJump * edge_);
      double explained = c.in.surface * travel + kJump * edge_ * c.in.area;
      if (lasts) {
        depth_before = old.in.depth();
        explained = c.in.area * old.in.depth() + slack;
      } else if (takes_its_place) {
        explained = std::clamp(old.in.volume - claimed_[from], 0.0, c.in.area * old.in.depth()) + slack;
        claimed_before = claimed_[from];
        claimed_[from] += c.in.volume;
      }
      if (c.in.volume > explained) c.free += (c.in.volume - explained) / c.in.area;
      if (lasts) {
        c.kept = old.kept + 0.5 * old.elastic * old.approach(bodies.velocity, last_dt);
        c.share = old.share;
      } else if (takes_its_place) {
        c.kept =
            old.kept * std::clamp((old.in.volume - claimed_before) / old.in.volume, 0.0, c.in.volume / old.in.volume);
        lost_ -= c.kept;
        c.share = old.share;
      }
    }
    if (c.unarmed) {
      c.free = std::max(c.free, rules_.play * edge_);
    } else if (depth < c.free) {
      c.free = std::max(depth, c.free - std::max(0.0, depth_before - depth));
    }
    const double closer = c.approach(bodies.velocity, last_dt);
    const double push = c.modulus * c.pressing() * (closer > 0 ? 1 : c.share);
    c.kept = std::max(0.0, c.kept + 0.5 * push * closer);
    c.stiffness = c.modulus * c.in.area;
    c.normal = c.in.normal;
    double inverse_mass = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      inverse_mass += c.in.at_a[k] * c.in.at_a[k] / bodies.mass[c.nodes_a[k]];
      inverse_mass += c.in.at_b[k] * c.in.at_b[k] / bodies.mass[c.nodes_b[k]];
    }
    c.damping = 2 * rules_.damping * std::sqrt(c.stiffness / inverse_mass);
  }
  for (std::size_t o = 0; o < previous_.size(); ++o) {
    if (lasts_[o] != 0) continue;
    const OverlapContact& ended = previous_[o];  // if not because it has come out, what was in its spring is gone
    lost_ += std::max(0.0, ended.kept + 0.5 * ended.elastic * ended.approach(bodies.velocity, last_dt)) + ended.carried;
  }
}

// Pairs that have a tet in common are a patch, and share what they have kept by what the formula gives them: what
// slides from tet to tet takes its energy along. With less in store than by the formula, a patch gives back less: all
// in all no more than was put in.
void OverlapContacts::pool() {
  const auto count = static_cast<std::uint32_t>(contacts_.size());
  patches_.restart(count);
  list_touched(contacts_, touched_);
  for (std::size_t i = 1; i < touched_.size(); ++i) {
    if (touched_[i].tet == touched_[i - 1].tet) patches_.join(touched_[i].contact, touched_[i - 1].contact);
  }
  patch_energy_.assign(count, {0, 0});
  for (std::uint32_t i = 0; i < count; ++i) {
    patch_energy_[patches_.root(i)][0] += contacts_[i].kept;
    patch_energy_[patches_.root(i)][1] += contacts_[i].by_formula();
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto [kept, by_formula] = patch_energy_[patches_.root(i)];
    if (!(by_formula > 0)) continue;
    contacts_[i].kept = kept * (contacts_[i].by_formula() / by_formula);
    contacts_[i].share = std::min(1.0, kFormula * kept / by_formula);
  }
}

}  // namespace sunder
