// Scenes in which bodies touch: they rest, they do not overlap, and no energy comes from contact.
#include <gtest/gtest.h>

#include <algorithm>

#include "geometry/tet_overlap.h"
#include "sim/build.h"
#include "sim/gallery_testing.h"

namespace sunder {
namespace {

void run_until(Solver& solver, double& time, double end) {
  while (time < end) time += solver.step(std::min(solver.stable_dt(), end - time + 1e-12)).dt;
  solver.prepare_frame();
}

// m^3 that tets of different bodies share.
double overlap_of_bodies(const Frame& frame) {
  const auto corners = [&](std::size_t t) {
    const auto& c = frame.tets[t];
    return TetCorners{frame.position[c[0]], frame.position[c[1]], frame.position[c[2]], frame.position[c[3]]};
  };
  double sum = 0;
  for (std::size_t a = 0; a < frame.tets.size(); ++a) {
    for (std::size_t b = a + 1; b < frame.tets.size(); ++b) {
      if (frame.body[a] != frame.body[b]) sum += tet_overlap(corners(a), corners(b)).volume;
    }
  }
  return sum;
}

TEST(Stack, OfTwentyBoxesStandsWhereItWasPut) {
  const BuiltRun run = build_run(gallery_scene("stack"));
  Frame before, after;
  run.solver->snapshot(before);
  double time = 0;
  run_until(*run.solver, time, 3);
  run.solver->snapshot(after);
  ASSERT_EQ(run.bodies.size(), 20u);
  double moved = 0;
  for (std::size_t i = 0; i < before.position.size(); ++i) {
    moved = std::max(moved, (after.position[i] - before.position[i]).norm());
  }
  EXPECT_LT(moved, 0.02);  // of 3 m: it settles, and leans a little
  const Totals t = run.solver->totals();
  EXPECT_LT(t.kinetic, 1e-2);  // of 162 kg
  // it still breathes a little
  EXPECT_NEAR(run.solver->reactions().back().force.y(), t.mass * 9.81, 0.1 * t.mass * 9.81);
}

TEST(PouredBlocks, ComeToRestWithoutJitterOrOverlap) {
  const BuiltRun run = build_run(gallery_scene("poured", {"body.0.copies=[4, 4, 4]"}));
  double time = 0;
  run_until(*run.solver, time, 4);
  Frame rest, later;
  run.solver->snapshot(rest);
  double volume = 0;
  for (const auto& c : rest.tets) {
    volume += signed_volume({rest.position[c[0]], rest.position[c[1]], rest.position[c[2]], rest.position[c[3]]});
  }
  EXPECT_LT(overlap_of_bodies(rest), 2e-3 * volume);
  run_until(*run.solver, time, 4.2);
  run.solver->snapshot(later);
  double moved = 0;
  for (std::size_t i = 0; i < rest.position.size(); ++i) {
    moved = std::max(moved, (later.position[i] - rest.position[i]).norm());
  }
  EXPECT_LT(moved, 1e-3);
  for (const Vec3& x : later.position) EXPECT_GT(x.y(), -0.01);
}

// A bowl without viscosity shatters in a closed box without damping or friction: its pieces fly about and hit each
// other and the walls, and the energy of motion, stretch, height and contact never rises. What the integrator itself
// errs by is allowed: 1 %.
TEST(ShatteringBowl, InAClosedBoxGainsNoEnergy) {
  Scene scene =
      gallery_scene("bowl-4", {"body.0.material={ lambda = 2.65e6, mu = 3.97e6, density = 1013, toughness = 13.2 }",
                               "body.0.position=[0, 0.1, 0]", "contact.friction=0", "contact.damping=0"});
  scene.colliders.clear();
  const auto wall = [&](const Vec3& normal, const Vec3& at) {
    ColliderSpec spec;
    spec.name = "wall-" + std::to_string(scene.colliders.size());
    spec.shape = PlaneCollider{normal};
    spec.position = at;
    spec.friction = spec.damping = 0;
    scene.colliders.push_back(spec);
  };
  for (int axis = 0; axis < 3; ++axis) {
    for (const double side : {-1.0, 1.0}) {
      const double distance = axis == 1 ? (side < 0 ? 0.0 : 0.25) : 0.17;
      wall(-side * Vec3::Unit(axis), side * distance * Vec3::Unit(axis));
    }
  }
  const BuiltRun run = build_run(scene);
  const auto alive = [&] {
    const Totals t = run.solver->totals();
    return t.kinetic + t.elastic + t.gravity + t.contact;
  };
  double least = alive(), time = 0;
  const double start = least;
  for (int frame = 1; frame <= 16; ++frame) {
    run_until(*run.solver, time, frame / 400.0);
    EXPECT_LT(alive(), least + 0.01 * start) << "at " << time << " s";
    least = std::min(least, alive());
  }
  EXPECT_GT(run.solver->totals().fragments, 20u);
  EXPECT_GT(run.solver->body_contacts().touching(), 20u);
  EXPECT_LT(run.solver->totals().fragments, 600u);  // shards, not dust
}

}  // namespace
}  // namespace sunder
