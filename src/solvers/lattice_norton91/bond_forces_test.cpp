#include "solvers/lattice_norton91/bond_forces.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/dice_testing.h"
#include "core/parallel.h"
#include "meshing/lattice_cells.h"
#include "solvers/lattice_norton91/components.h"
#include "solvers/lattice_norton91/lattice_testing.h"
#include "solvers/simd_target.h"

namespace sunder::lattice_norton91 {
namespace {

struct RestoreTarget {
  ~RestoreTarget() { force_simd_target(""); }
};

// What the kernel is to work on: bent, moving, some bonds too long, some broken, some of those pushing.
struct Case {
  Lattice lattice;
  Breakage breakage;
  std::vector<double> damping_time;
  std::vector<Index> broken;
  Column<NodeId, Vec3> x, v;
  BondControl control = {0.7, 1.01};
};

Case shaken(std::vector<LatticeBody> bodies) {
  Case c;
  for (LatticeBody& body : bodies) {
    body.material.threshold = 0.05, body.material.scatter = 0.3;
    c.damping_time.push_back(1e-3 * static_cast<double>(c.damping_time.size() + 1));
  }
  c.lattice = make_lattice(bodies);
  c.breakage = Breakage(c.lattice, 1);
  Dice dice(5);
  std::vector<OverstretchedBond> worst;
  for (Index b = 0; b < c.lattice.bond_count(); b += 97) worst.push_back({b, 2});
  const auto events = c.breakage.run(
      c.lattice, worst, [](Index b) { return b % 2 == 0; }, [](Index) {});
  EXPECT_FALSE(events.empty());
  for (Index b = 0; b < c.lattice.bond_count(); ++b) {
    if (!c.breakage.whole(b)) c.broken.push_back(b);
  }
  for (const NodeId n : id_range<NodeId>(c.lattice.node_count())) {
    c.x.push_back(c.lattice.rest[n] + 0.05 * c.lattice.radius[n.index] * dice.vec(-1, 1));
    c.v.push_back(dice.vec(-1, 1));
  }
  return c;
}

struct Result {
  Column<NodeId, Vec3> force, damping;
  std::vector<Index> overstretched, done;
};

Result by_kernel(const Case& c, std::size_t least = 3) {
  BondForces forces(c.lattice, c.damping_time, least);
  forces.follow(c.breakage, c.broken);
  Result result;
  result.force.assign(c.x.size(), Vec3::Zero()), result.damping.assign(c.x.size(), Vec3::Zero());
  const BondForces::Report& report = forces.evaluate(c.lattice, c.x, c.v, c.control, result.force, result.damping);
  for (const OverstretchedBond& bond : report.overstretched) result.overstretched.push_back(bond.bond);
  std::sort(result.overstretched.begin(), result.overstretched.end());
  result.done = report.done;
  return result;
}

// Bond by bond, as the paper has it.
Result bond_by_bond(const Case& c) {
  Result result;
  result.force.assign(c.x.size(), Vec3::Zero()), result.damping.assign(c.x.size(), Vec3::Zero());
  for (Index b = 0; b < c.lattice.bond_count(); ++b) {
    const BondState state = c.breakage.bonds()[b];
    if (state == BondState::retired) continue;
    const NodeId i(c.lattice.ends[b][0]), j(c.lattice.ends[b][1]);
    const double length = (c.x[j] - c.x[i]).norm(), rest = c.control.length * c.lattice.length[b];
    if (state == BondState::pushing && length >= rest) {
      result.done.push_back(b);
      continue;
    }
    const Vec3 n = (c.x[j] - c.x[i]) / length;
    const double k = c.control.stiffness * c.lattice.stiffness[b];
    const Vec3 damping = c.damping_time[c.lattice.node_body[i.index]] * k * (c.v[j] - c.v[i]).dot(n) * n;
    const Vec3 pull = k * (length - rest) * n + damping;
    result.force[i] += pull, result.force[j] -= pull;
    result.damping[i] += damping, result.damping[j] -= damping;
    if (state == BondState::whole && length > (1 + c.lattice.threshold[b]) * rest) result.overstretched.push_back(b);
  }
  return result;
}

void expect_near(const Result& one, const Result& other) {
  double scale = 0, apart = 0;
  for (const NodeId n : id_range<NodeId>(one.force.size())) {
    scale = std::max({scale, one.force[n].norm(), one.damping[n].norm()});
    apart = std::max({apart, (one.force[n] - other.force[n]).norm(), (one.damping[n] - other.damping[n]).norm()});
  }
  EXPECT_GT(scale, 0);
  EXPECT_LT(apart, 1e-12 * scale);
  EXPECT_EQ(one.overstretched, other.overstretched);
  EXPECT_EQ(one.done, other.done);
}

void expect_same_bits(const Result& one, const Result& other) {
  for (const NodeId n : id_range<NodeId>(one.force.size())) {
    ASSERT_EQ(one.force[n], other.force[n]) << "node " << n.index;
    ASSERT_EQ(one.damping[n], other.damping[n]) << "node " << n.index;
  }
  EXPECT_EQ(one.overstretched, other.overstretched);
}

std::vector<Case> cases() {
  std::vector<std::string> notes;
  std::vector<Case> all;
  all.push_back(shaken({body_of(grid(1, 1, 1, 0.1))}));
  all.push_back(shaken({body_of(grid(21, 9, 10, 0.02)), body_of(grid(3, 2, 1, 0.1), BondPattern::edges_body)}));
  all.push_back(shaken({body_of(lattice_cells(TeapotShape{}, {.edge = 0.02}, notes), BondPattern::edges_face)}));
  return all;
}

TEST(BondForces, AreThoseOfOneBondAfterTheOtherToRounding) {
  const RestoreTarget restore;
  for (const Case& c : cases()) {
    const Result wanted = bond_by_bond(c);
    for (const char* target : {"avx512", "avx2", "portable"}) {
      if (!force_simd_target(target)) continue;
      SCOPED_TRACE(std::string(target) + ", nodes " + std::to_string(c.x.size()));
      for (const std::size_t least : {1u, 3u, 9u}) expect_near(by_kernel(c, least), wanted);
    }
  }
}

TEST(BondForces, SameBitsForAnyWidthOfVectorsAndAnyNumberOfThreads) {
  const RestoreTarget restore;
  const auto with_threads = [](const Case& c, int threads) {
    Result result;
    Threads(threads).run([&] { result = by_kernel(c); });
    return result;
  };
  for (const Case& c : cases()) {
    const Result wanted = with_threads(c, 1);
    expect_same_bits(with_threads(c, 3), wanted);
    if (!force_simd_target("avx512")) continue;
    const Result wide = by_kernel(c);
    ASSERT_TRUE(force_simd_target("avx2"));
    expect_same_bits(by_kernel(c), wide);
    force_simd_target("");
  }
}

// Pieces that fly are left out: the others feel nothing of that, to the bit.
TEST(BondForces, LeavingPiecesOutChangesNothingForTheOthers) {
  for (const Case& c : cases()) {
    Components components;
    components.update(c.lattice, c.breakage);
    const std::vector<std::uint32_t>& label = components.labels();
    const Result all = by_kernel(c);
    BondForces forces(c.lattice, c.damping_time);
    forces.follow(c.breakage, c.broken);
    // A bond that pushes from one piece to another keeps both from flying.
    std::vector<std::uint8_t> stays(*std::max_element(label.begin(), label.end()) + std::size_t{1}, 0);
    for (const Index b : forces.pushing()) {
      const auto& [i, j] = c.lattice.ends[b];
      if (label[i] != label[j]) stays[label[i]] = stays[label[j]] = 1;
    }
    const auto flies = [&](Index n) { return label[n] % 2 == 1 && stays[label[n]] == 0; };
    forces.leave_out(c.lattice, flies);
    EXPECT_LE(forces.live().entries.size(), forces.rows().lanes.size());
    Column<NodeId, Vec3> force(c.x.size(), Vec3::Zero()), damping = force;
    const BondForces::Report& report = forces.evaluate(c.lattice, c.x, c.v, c.control, force, damping);
    std::vector<Index> expected, found;
    for (const Index b : all.overstretched) {
      if (!flies(c.lattice.ends[b][0])) expected.push_back(b);
    }
    for (const OverstretchedBond& bond : report.overstretched) found.push_back(bond.bond);
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, expected);
    for (Index n = 0; n < c.x.size(); ++n) {
      if (flies(n)) continue;
      ASSERT_EQ(force[NodeId(n)], all.force[NodeId(n)]) << n;
      ASSERT_EQ(damping[NodeId(n)], all.damping[NodeId(n)]) << n;
    }
    forces.leave_out(c.lattice, [](Index) { return true; });
    EXPECT_TRUE(forces.live().entries.empty());
    forces.leave_out(c.lattice, [](Index) { return false; });
    forces.evaluate(c.lattice, c.x, c.v, c.control, force, damping);
    for (const NodeId n : id_range<NodeId>(c.x.size())) ASSERT_EQ(force[n], all.force[n]) << n.index;
  }
}

TEST(BondForces, NodesInOnePlaceDoNotPull) {
  Case c = shaken({body_of(grid(2, 2, 2, 0.1))});
  c.x[NodeId(0)] = c.x[NodeId(1)], c.v[NodeId(0)] = c.v[NodeId(1)];
  for (const Vec3& f : by_kernel(c).force) EXPECT_TRUE(f.allFinite());
}

TEST(BondRows, EveryBondHasItsPlaceAndAGridNeedsFewGathers) {
  for (const Case& c : cases()) {
    const BondRows rows = make_bond_rows(c.lattice);
    for (Index b = 0; b < c.lattice.bond_count(); ++b) ASSERT_EQ(rows.number[rows.place[b]], b);
  }
  const Lattice block = make_lattice(std::vector<LatticeBody>{body_of(grid(31, 9, 9, 0.1))});
  const BondRows rows = make_bond_rows(block);
  EXPECT_LT(static_cast<double>(kLanes * rows.scattered.size()), 0.01 * static_cast<double>(block.bond_count()));
  EXPECT_GT(static_cast<double>(block.bond_count()), 0.9 * static_cast<double>(kLanes * rows.lanes.size()));
}

}  // namespace
}  // namespace sunder::lattice_norton91
