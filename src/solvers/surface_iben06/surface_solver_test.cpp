#include "solvers/surface_iben06/surface_solver.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <map>

#include "core/parallel.h"
#include "solvers/surface_iben06/surface_testing.h"

namespace sunder::surface_iben06 {
namespace {

SurfaceSolver drying(std::uint64_t seed, LoadRise rise = {}, DisplayRules display = {}) {
  Dice dice(seed);
  CoatSetup coat;
  coat.name = "mud";
  coat.membrane = membrane_of(square_sheet(30, 0.25, dice), {.length = 5});
  set_uniform(coat.membrane, Mat2::Identity());
  spread_toughness(coat.membrane, 0.0866, seed);
  coat.rise = rise;
  coat.display = display;
  std::vector<CoatSetup> coats;
  coats.push_back(std::move(coat));
  return SurfaceSolver(std::move(coats));
}

void run(SurfaceSolver& solver, int frames) {
  for (int i = 0; i < frames; ++i) {
    solver.step(0.1);
    solver.prepare_frame();
  }
}

TEST(SurfaceSolver, SameBitsForAnyNumberOfThreads) {
  std::vector<std::uint64_t> hashes;
  for (const int threads : {1, 2, 3, 4, 7}) {
    Threads(threads).run([&] {
      SurfaceSolver solver = drying(1);
      run(solver, 10);
      hashes.push_back(solver.state_hash());
    });
  }
  for (const std::uint64_t hash : hashes) EXPECT_EQ(hash, hashes[0]);
}

TEST(SurfaceSolver, StopsBetweenCracksWhenItIsTold) {
  SurfaceSolver solver = drying(1);
  std::atomic<bool> stop{true};
  solver.stop_on(&stop);
  EXPECT_EQ(solver.step(1).dt, 0);
  EXPECT_EQ(solver.totals().splits, 0u);
  stop = false;
  EXPECT_EQ(solver.step(1).dt, 1);
  EXPECT_GT(solver.totals().splits, 100u);
  EXPECT_TRUE(solver.take_notes().empty());
}

TEST(SurfaceSolver, PatternDoesNotDependOnTheFrames) {
  SurfaceSolver fine = drying(2), coarse = drying(2);
  run(fine, 10);
  for (int i = 0; i < 2; ++i) coarse.step(0.5);
  EXPECT_EQ(fine.state_hash(), coarse.state_hash());
  EXPECT_GT(fine.totals().splits, 100u);
}

TEST(SurfaceSolver, GoesOnFromACheckpointToTheSameBits) {
  const LoadRise slow{.cracks_per_second = 300};
  SurfaceSolver one = drying(3, slow), two = drying(3, slow);
  run(one, 5);
  Writer out;
  one.save(out);
  Reader in(out.bytes(), "memory");
  two.load(in);
  EXPECT_TRUE(in.at_end());
  run(one, 5), run(two, 5);
  Writer a, b;
  one.save(a), two.save(b);
  EXPECT_EQ(a.bytes(), b.bytes());
  Frame x, y;
  one.snapshot(x), two.snapshot(y);
  EXPECT_EQ(x.fragment, y.fragment);
  EXPECT_EQ(x.crack_order, y.crack_order);
}

TEST(SurfaceSolver, CracksWaitForTheirTurnInATimeLapse) {
  SurfaceSolver solver = drying(4, {.seconds = 0.1, .cracks_per_second = 100});
  solver.step(0.1);
  solver.step(0.1);
  EXPECT_LE(solver.cracks().cracks.size(), 20u);
  EXPECT_GE(solver.cracks().cracks.size(), 15u);
  double last = 0;
  for (const CrackEvent& event : solver.cracks().cracks) {
    EXPECT_GE(event.time, last);
    EXPECT_LE(event.time, 0.2);
    last = event.time;
  }
}

TEST(SurfaceSolver, BooksOfEnergyBalance) {
  SurfaceSolver solver = drying(5);
  for (int i = 0; i < 10; ++i) {
    solver.step(0.1);
    const Totals totals = solver.totals();
    EXPECT_GE(totals.dissipated, 0);
    EXPECT_NEAR(totals.elastic + totals.dissipated, solver.reactions()[0].work, 1e-9 * totals.elastic);
  }
}

TEST(SurfaceSolver, FrameTellsOfEveryCrackEdge) {
  SurfaceSolver solver = drying(6, {}, {.depth = 0.5});
  solver.begin_frame();
  run(solver, 10);
  Frame frame;
  solver.snapshot(frame);
  ASSERT_EQ(frame.triangles.size(), frame.crack_order.size());
  ASSERT_EQ(frame.wall.size(), frame.position.size());
  const auto events = static_cast<std::uint32_t>(solver.cracks().cracks.size());
  for (std::size_t i = 0; i < frame.triangles.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t order = frame.crack_order[i][k];
      EXPECT_EQ(order != 0, (frame.crack_faces[i] >> k & 1) != 0);
      ASSERT_LE(order, events);
      if (order != 0) {
        EXPECT_EQ(frame.crack_time[i][k], solver.cracks().cracks[order - 1].time);
      }
    }
  }
  for (const Vec3& wall : frame.wall) EXPECT_NEAR((wall - Vec3(0, -0.5, 0)).norm(), 0, 1e-12);
}

TEST(Display, GapsOpenAcrossCracksAndNowhereElse) {
  SurfaceSolver solver = drying(7, {}, {.gap = 0.1});
  run(solver, 10);
  Frame frame;
  solver.snapshot(frame);
  std::map<std::array<double, 3>, std::vector<std::size_t>> at;
  for (std::size_t n = 0; n < frame.rest.size(); ++n) {
    at[{frame.rest[n].x(), frame.rest[n].y(), frame.rest[n].z()}].push_back(n);
  }
  double widest = 0;
  for (const auto& [place, nodes] : at) {
    for (const std::size_t n : nodes) widest = std::max(widest, (frame.position[n] - frame.position[nodes[0]]).norm());
  }
  EXPECT_GT(widest, 0.1);                              // of an edge
  EXPECT_LT(widest, 2 * 0.1 * 1.5 * 1.35 * 5 + 1e-9);  // the limit on either side
  for (const Vec3& p : frame.position) EXPECT_EQ(p.y(), 0);
}

// Slender triangles along the lips would hang over their edges as flaps.
TEST(Display, NoTriangleIsTurnedOver) {
  for (const std::uint64_t seed : {7, 8, 9}) {
    SurfaceSolver solver = drying(seed, {}, {.gap = 0.2});
    run(solver, 10);
    Frame frame;
    solver.snapshot(frame);
    const auto up = [&](const std::vector<Vec3>& at, const std::array<std::uint32_t, 3>& t) {
      return (at[t[1]] - at[t[0]]).cross(at[t[2]] - at[t[0]]).y();
    };
    std::size_t over = 0;
    for (const auto& t : frame.triangles) {
      if (up(frame.position, t) * up(frame.rest, t) <= 0) ++over;
    }
    EXPECT_EQ(over, 0u) << "of " << frame.triangles.size() << ", seed " << seed;
  }
}

TEST(Display, LipsCurlUpAndMiddlesStayDown) {
  SurfaceSolver solver = drying(8, {}, {.gap = 0.1, .curl = 2, .curl_width = 0.2});
  run(solver, 10);
  Frame frame;
  solver.snapshot(frame);
  std::vector<bool> lip(frame.position.size(), false);
  for (std::size_t i = 0; i < frame.triangles.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      if (frame.crack_order[i][k] == 0) continue;
      lip[frame.triangles[i][(k + 1) % 3]] = lip[frame.triangles[i][(k + 2) % 3]] = true;
    }
  }
  double lips = 0, others = 0;
  int lip_count = 0, other_count = 0;
  for (std::size_t n = 0; n < lip.size(); ++n) {
    const double rise = frame.position[n].y();
    EXPECT_GE(rise, 0);
    (lip[n] ? lips : others) += rise;
    ++(lip[n] ? lip_count : other_count);
  }
  EXPECT_GT(lips / lip_count, 3 * others / other_count);
}

}  // namespace
}  // namespace sunder::surface_iben06
