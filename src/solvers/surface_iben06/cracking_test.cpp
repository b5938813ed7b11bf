#include "solvers/surface_iben06/cracking.h"

#include <gtest/gtest.h>

#include "solvers/surface_iben06/surface_testing.h"

namespace sunder::surface_iben06 {
namespace {

Cracking drying_sheet(std::uint64_t seed, std::uint32_t cells = 24, RelaxRules relax = {}) {
  Dice dice(seed);
  Membrane membrane = membrane_of(square_sheet(cells, 0.25, dice), {.length = 5});
  set_uniform(membrane, Mat2::Identity());
  spread_toughness(membrane, 0.0866, seed);
  return Cracking(std::move(membrane), {}, relax);
}

TEST(Cracking, TakesTheCurrentMaximumAmongNodesNotRefused) {
  Cracking cracking = drying_sheet(1);
  std::uint64_t cracks = 0;
  for (double load = 0.8; load < 1.2; load += 0.02) {
    cracking.raise_to(load);
    for (;;) {
      // By brute force, before it is cracked; a node that is refused in passing makes the next one the largest.
      std::vector<std::pair<double, Uid>> failing;
      for (const NodeId n : id_range<NodeId>(cracking.membrane().mesh().node_count())) {
        const double ratio = cracking.evaluate(n).ratio;
        if (ratio >= 1 && !cracking.refused(n)) failing.emplace_back(-ratio, TriMesh::uid(n));
      }
      std::sort(failing.begin(), failing.end());
      const auto event = cracking.crack();
      std::size_t passed = 0;
      while (passed < failing.size() && (!event || failing[passed].second != event->node)) {
        ASSERT_TRUE(cracking.refused(NodeId(failing[passed].second - 1)) || event) << "a failing node was lost";
        ++passed;
      }
      if (!event) {
        ASSERT_EQ(passed, failing.size());
        break;
      }
      ASSERT_LT(passed, failing.size()) << "cracked a node that did not fail";
      ++cracks;
      ASSERT_LT(cracks, 5000u);
    }
  }
  EXPECT_GT(cracks, 50u);
  EXPECT_TRUE(cracking.membrane().mesh().problems().empty());
}

// Two fields of stress on held sheets, which stay as they are: what the first says of the second.
TEST(Cracking, NodeFailsOnlyIfItsTrianglesChangeByMoreThanItsSlack) {
  Dice dice(5);
  int safe = 0, nearly = 0;
  for (int round = 0; round < 60; ++round) {
    const SurfaceSample sample = round % 2 == 0 ? square_sheet(8, 0.25, dice) : ball_surface(1, 2);
    const double difference = dice(0, 0.3);
    std::vector<Membrane> membranes(2, membrane_of(sample, {.length = 5}));
    for (const TriangleId t : id_range<TriangleId>(membranes[0].mesh().triangle_count())) {
      Mat2 stress, other;
      const double shear = dice(-0.5, 0.5), more = dice(-0.5, 0.5);
      stress << dice(-1, 1.5), shear, shear, dice(-1, 1.5);
      other << dice(-1, 1), more, more, dice(-1, 1);
      membranes[0].set_pattern(t, stress);
      membranes[1].set_pattern(t, stress + difference * other);
    }
    std::vector<Cracking> fields;
    for (Membrane& membrane : membranes) {
      for (const NodeId n : id_range<NodeId>(membrane.mesh().node_count())) membrane.joint(n).fixed = true;
      fields.emplace_back(std::move(membrane), CrackingRules{}, RelaxRules{});
      fields.back().raise_to(1);
    }
    const Membrane &one = fields[0].membrane(), &two = fields[1].membrane();
    for (const NodeId n : id_range<NodeId>(one.mesh().node_count())) {
      double change = 0;
      for (const Side corner : one.fan(n)) {
        const TriangleId t = corner.triangle;
        change += one.facet(t).opposite[static_cast<std::size_t>(corner.index)] / 2 *
                  (two.facet(t).stress - one.facet(t).stress).norm();
      }
      const double slack = fields[0].evaluate(n).slack, ratio = fields[1].evaluate(n).ratio;
      if (!(change < slack)) continue;
      ++safe;
      nearly += ratio > 0.8 ? 1 : 0;
      EXPECT_LT(ratio, 1) << "change " << change << ", slack " << slack;
    }
  }
  EXPECT_GT(safe, 500);
  EXPECT_GT(nearly, 5) << "nothing came near to failing";
}

TEST(Cracking, EqualRatiosGoById) {
  // Two cells that are mirror images of each other, and the same stress: their middles fail alike.
  SurfaceSample s;
  for (const double x : {-10.0, 10.0}) {
    const auto first = static_cast<std::uint32_t>(s.points.size());
    s.points.insert(s.points.end(),
                    {Vec3(x, 0, 0), Vec3(x + 1, 0, 0), Vec3(x, 0, -1), Vec3(x - 1, 0, 0), Vec3(x, 0, 1)});
    for (std::uint32_t i = 0; i < 4; ++i) s.triangles.push_back({first, first + 1 + i, first + 1 + (i + 1) % 4});
  }
  Membrane membrane = membrane_of(s, {.length = 0.01});
  set_uniform_in_plane(membrane, 1, 0.5, 0);
  Cracking cracking(std::move(membrane), {}, {});
  cracking.raise_to(2);
  ASSERT_EQ(cracking.evaluate(NodeId(0)).ratio, cracking.evaluate(NodeId(5)).ratio);
  const auto event = cracking.crack();
  ASSERT_TRUE(event);
  EXPECT_EQ(event->node, TriMesh::uid(NodeId(0)));
}

TEST(Cracking, EveryCrackEdgeComesFromAnEvent) {
  Cracking cracking = drying_sheet(2);
  std::uint32_t events = 0;
  double length = 0;
  for (double load = 0.8; load < 1.2; load += 0.05) {
    cracking.raise_to(load);
    while (const auto event = cracking.crack()) ++events, length += event->area;
  }
  const TriMesh& mesh = cracking.membrane().mesh();
  std::vector<bool> seen(events + 1, false);
  double sides = 0;
  for (const TriangleId t : id_range<TriangleId>(mesh.triangle_count())) {
    for (int i = 0; i < 3; ++i) {
      const std::uint32_t event = mesh.crack({t, i});
      ASSERT_LE(event, events);
      if (event == 0) continue;
      seen[event] = true;
      sides += (mesh.position(mesh.clockwise_node({t, i})) - mesh.position(mesh.counter_clockwise_node({t, i}))).norm();
    }
  }
  for (std::uint32_t e = 1; e <= events; ++e) EXPECT_TRUE(seen[e]) << e;
  EXPECT_NEAR(sides, 2 * length, 1e-9 * length);  // two sides each
}

TEST(Cracking, GoesOnFromBytesAsIfNothingHadHappened) {
  Cracking one = drying_sheet(3);
  one.raise_to(0.95);
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(one.crack() || i > 0);
  Writer out;
  one.save(out);
  Cracking two = drying_sheet(3);
  Reader in(out.bytes(), "test");
  two.load_state(in);
  EXPECT_TRUE(in.at_end());
  for (Cracking* c : {&one, &two}) {
    while (c->crack()) {
    }
    c->raise_to(1.1);
    while (c->crack()) {
    }
  }
  Writer a, b;
  one.save(a);
  two.save(b);
  EXPECT_EQ(a.bytes(), b.bytes());
}

TEST(Cracking, CracksRunAcrossThePull) {
  Dice dice(4);
  Membrane membrane = membrane_of(square_sheet(24, 0.25, dice), {.length = 5});
  set_uniform_in_plane(membrane, 1, 0, 0);
  spread_toughness(membrane, 0.05, 4);
  Cracking cracking(std::move(membrane), {}, {});
  double across = 0, all = 0;
  cracking.raise_to(1.1);
  while (const auto event = cracking.crack()) {
    across += event->area * std::abs(event->normal.x());
    all += event->area;
  }
  ASSERT_GT(all, 20);
  EXPECT_GT(across / all, 0.9);
}

}  // namespace
}  // namespace sunder::surface_iben06
