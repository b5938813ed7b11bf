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

// The same coat, struck; it may shrink, too.
enum class Sources { blow_acts_once, all_grow };
const Vec3 kStruckPlace(14, 0, 16);
constexpr double kStruckRadius = 9;
SurfaceSolver struck(std::uint64_t seed, double shrinkage, Sources which = Sources::blow_acts_once,
                     LoadRise rise = {}) {
  Dice dice(seed);
  CoatSetup coat;
  coat.name = "glaze";
  coat.membrane = membrane_of(square_sheet(30, 0.25, dice), {.length = 5});
  StressSources blow{.tension = 0};
  blow.impacts = {{.point = kStruckPlace, .hoop = 3, .radial = 0, .radius = kStruckRadius}};
  const std::vector<Mat2> stress = stress_pattern(coat.membrane, blow);
  const bool once = which == Sources::blow_acts_once;
  for (const TriangleId t : id_range<TriangleId>(coat.membrane.mesh().triangle_count())) {
    if (once) coat.membrane.set_once(t, stress[t.index]);
    coat.membrane.set_pattern(t, shrinkage * Mat2::Identity() + (once ? Mat2(Mat2::Zero()) : stress[t.index]));
  }
  spread_toughness(coat.membrane, 0.0866, seed);
  coat.rise = rise;
  std::vector<CoatSetup> coats;
  coats.push_back(std::move(coat));
  return SurfaceSolver(std::move(coats));
}

TEST(SurfaceSolver, SameBitsForAnyNumberOfThreads) {
  for (const bool is_struck : {false, true}) {
    std::vector<std::uint64_t> hashes;
    for (const int threads : {1, 2, 3, 4, 7}) {
      Threads(threads).run([&] {
        SurfaceSolver solver = is_struck ? struck(1, 1) : drying(1);
        run(solver, 10);
        hashes.push_back(solver.state_hash());
      });
    }
    for (const std::uint64_t hash : hashes) EXPECT_EQ(hash, hashes[0]);
  }
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
  for (const bool is_struck : {false, true}) {
    SurfaceSolver solver = is_struck ? struck(5, 1) : drying(5);
    for (int i = 0; i < 10; ++i) {
      solver.step(0.1);
      const Totals totals = solver.totals();
      EXPECT_GE(totals.dissipated, 0);
      EXPECT_NEAR(totals.elastic + totals.dissipated, solver.reactions()[0].work, 1e-9 * totals.elastic);
    }
  }
}

// Of two lists of cracks, how many are the same at the start.
std::size_t same_at_start(const std::vector<CrackEvent>& a, const std::vector<CrackEvent>& b) {
  std::size_t same = 0;
  while (same < std::min(a.size(), b.size()) && a[same].node == b[same].node && a[same].normal == b[same].normal)
    ++same;
  return same;
}

TEST(SurfaceSolver, StarOfABlowComesBeforeAnyOtherCrack) {
  SurfaceSolver alone = struck(9, 0), both = struck(9, 1), dried = drying(9);
  run(alone, 10), run(both, 10), run(dried, 10);
  const auto& star = alone.cracks().cracks;
  const auto& all = both.cracks().cracks;
  ASSERT_GT(star.size(), 30u);
  ASSERT_GT(all.size(), star.size() + 50);
  EXPECT_EQ(same_at_start(star, all), star.size());
  EXPECT_EQ(same_at_start(dried.cracks().cracks, all), 0u);
  double across = 0, far = 0;
  for (std::size_t i = 0; i < star.size(); ++i) {
    EXPECT_EQ(all[i].time, 0);  // before any load, which comes up at once
    const Vec3 from = all[i].position - kStruckPlace;
    across += std::abs(all[i].normal.dot(from.stableNormalized())) / static_cast<double>(star.size());
    far = std::max(far, from.norm());
  }
  EXPECT_LT(across, 0.3);  // cracks run away from the place: 0.64 if in all directions alike
  EXPECT_GT(far, kStruckRadius / 2);
  // Its cracks stay where they are, and nothing crosses them: later ones end there.
  EXPECT_GT(both.totals().fragments, alone.totals().fragments + 5);
}

TEST(SurfaceSolver, BlowThatGrowsWithTheLoadGivesAnotherPattern) {
  SurfaceSolver once = struck(10, 1), grows = struck(10, 1, Sources::all_grow);
  run(once, 10), run(grows, 10);
  EXPECT_NE(once.state_hash(), grows.state_hash());
  EXPECT_LT(same_at_start(once.cracks().cracks, grows.cracks().cracks), 10u);
}

TEST(SurfaceSolver, GoesOnFromACheckpointAmidTheCracksOfABlow) {
  const LoadRise slow{.cracks_per_second = 100};
  SurfaceSolver one = struck(11, 1, Sources::blow_acts_once, slow), two = struck(11, 1, Sources::blow_acts_once, slow);
  run(one, 2);
  EXPECT_EQ(one.cracking(0).load(), 0);
  EXPECT_GT(one.totals().splits, 10u);
  Writer out;
  one.save(out);
  Reader in(out.bytes(), "memory");
  two.load(in);
  EXPECT_TRUE(in.at_end());
  run(one, 20), run(two, 20);
  EXPECT_GT(one.cracking(0).load(), 0.8);
  EXPECT_EQ(one.state_hash(), two.state_hash());
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
