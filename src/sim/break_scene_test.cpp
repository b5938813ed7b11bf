#include "sim/break_scene.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/error.h"
#include "scene/read_scene.h"

namespace sunder {
namespace {

// The corners of a box, as a survey of it has them.
ModelSurvey box_of(const Vec3& size) {
  ModelSurvey model;
  for (int corner = 0; corner < 8; ++corner) {
    model.points.emplace_back((corner & 1) * size.x(), (corner >> 1 & 1) * size.y(), (corner >> 2) * size.z());
  }
  model.volume = size.prod();
  model.area = 2 * (size.x() * size.y() + size.y() * size.z() + size.z() * size.x());
  model.edge = size.maxCoeff() / 12;
  model.tets = 3000;
  return model;
}

BreakWishes wishes() {
  BreakWishes w;
  w.name = "drop-box";
  w.command = "sunder drop box";
  w.shape = "{ kind = \"box\" }";
  w.material = "ceramic";
  return w;
}

double wave_speed(const BreakScene& s) { return s.blow.speed / mach_of(s.material, s.blow); }

TEST(BreakScene, SmallAndLargeDifferInUnitsOnly) {
  const BreakScene small = drop_scene(box_of({0.02, 0.01, 0.015}), wishes(), {});
  const BreakScene large = drop_scene(box_of({200, 100, 150}), wishes(), {});
  const auto froude = [](const BreakScene& s) { return s.duration * std::sqrt(s.blow.gravity / s.blow.size); };
  const auto strength = [](const BreakScene& s) {
    return s.material.strength / (s.material.density * wave_speed(s) * s.blow.speed);
  };
  const auto viscosity = [](const BreakScene& s) {
    return s.material.psi * wave_speed(s) / (s.material.mu * s.blow.size);
  };
  EXPECT_NEAR(mach_of(small.material, small.blow), mach_of(large.material, large.blow), 1e-12);
  EXPECT_NEAR(froude(small), froude(large), 1e-9);
  EXPECT_NEAR(strength(small), strength(large), 1e-12);
  EXPECT_NEAR(viscosity(small), viscosity(large), 1e-12);
  EXPECT_GT(large.blow.speed, 50 * small.blow.speed);
}

TEST(BreakScene, FewIsStrongerThanSomeThanMany) {
  BreakWishes w = wishes();
  const ModelSurvey model = box_of({0.1, 0.1, 0.01});
  const double some = drop_scene(model, w, {}).material.strength;
  w.pieces = Pieces::few;
  EXPECT_GT(drop_scene(model, w, {}).material.strength, 1.3 * some);
  w.pieces = Pieces::many;
  EXPECT_LT(drop_scene(model, w, {}).material.strength, some / 1.3);
}

TEST(BreakScene, FewIsStrongerThanSomeThanManyHoweverThick) {
  for (const double thickness : {0.003, 0.01, 0.015}) {
    const auto strength = [&](Pieces pieces) {
      BreakWishes w = wishes();
      w.pieces = pieces;
      return drop_scene(box_of({0.1, 0.1, thickness}), w, {}).material.strength;
    };
    EXPECT_GT(strength(Pieces::few), 1.15 * strength(Pieces::some)) << thickness;
    EXPECT_GT(strength(Pieces::some), 1.15 * strength(Pieces::many)) << thickness;
  }
}

TEST(BreakScene, ThinWallsHaveLessStrengthThanRods) {
  for (const Pieces pieces : {Pieces::few, Pieces::some, Pieces::many}) {
    BreakWishes w = wishes();
    w.pieces = pieces;
    const auto strength = [&](const Vec3& size) { return drop_scene(box_of(size), w, {}).material.strength; };
    EXPECT_LT(strength({0.1, 0.1, 0.003}), 0.95 * strength({0.1, 0.024, 0.024}));  // thickness 0.03 and 0.11
  }
}

TEST(BreakScene, CompactThingsHaveFlawsAndThinOnesHaveNone) {
  const auto flaws = [](const Vec3& size, Pieces pieces) {
    BreakWishes w = wishes();
    w.pieces = pieces;
    return read_scene({drop_scene(box_of(size), w, {}).text, "drop.toml", {}, "drop"}).toughness;
  };
  EXPECT_TRUE(flaws({1, 1, 0.1}, Pieces::many).empty());
  EXPECT_TRUE(flaws({1, 0.1, 0.1}, Pieces::many).empty());
  std::uint32_t before = 0;
  for (const Pieces pieces : {Pieces::few, Pieces::some, Pieces::many}) {
    const auto cube = flaws({1, 1, 1}, pieces), brick = flaws({1, 0.5, 0.4}, pieces);
    ASSERT_EQ(cube.size(), 1u);
    ASSERT_EQ(brick.size(), 1u);
    EXPECT_LT(cube[0].factor.value(), 0.1);
    EXPECT_GT(brick[0].factor.value(), 1.3 * cube[0].factor.value());
    EXPECT_LT(brick[0].factor.value(), 0.9);
    const std::uint32_t cells = std::get<VoronoiPattern>(cube[0].pattern).cells;
    EXPECT_GT(cells, before);
    before = cells;
  }
}

TEST(BreakScene, NothingIsStifferThanItIs) {
  DropWishes high;
  high.height = {20000, true};
  const BreakScene scene = drop_scene(box_of({100, 100, 100}), wishes(), high);
  EXPECT_NEAR(scene.material.mu, find_material_preset("ceramic")->material.mu, 1);
}

TEST(BreakScene, WhatCannotBreakDoesNot) {
  BreakWishes w = wishes();
  w.material = "rubber";
  const BreakScene scene = drop_scene(box_of({1, 1, 1}), w, {});
  EXPECT_EQ(scene.material.strength, 0);
  EXPECT_EQ(read_scene({scene.text, "drop.toml", {}, "drop"}).bodies[0].material.toughness, 0);
}

TEST(BreakScene, EveryMaterialAndTargetMakesASceneThatReads) {
  for (const MaterialPreset& preset : material_presets()) {
    BreakWishes w = wishes();
    w.material = preset.name;
    const BreakScene made = drop_scene(box_of({0.3, 0.2, 0.1}), w, {});
    const Scene scene = read_scene({made.text, "drop.toml", {}, "drop"});
    EXPECT_EQ(scene.bodies[0].material_name, preset.name);
    EXPECT_NEAR(scene.bodies[0].material.mu, made.material.mu, 1e-5 * made.material.mu) << preset.name;
  }
  for (const Onto onto : {Onto::ground, Onto::edge, Onto::corner, Onto::table}) {
    DropWishes drop;
    drop.onto = onto;
    const Scene scene = read_scene({drop_scene(box_of({0.3, 0.2, 0.1}), wishes(), drop).text, "drop.toml", {}, "drop"});
    EXPECT_EQ(scene.colliders.back().name, "ground");
  }
}

TEST(BreakScene, ATableIsThickEnoughForCoarseModels) {
  DropWishes drop;
  drop.onto = Onto::table;
  ModelSurvey model = box_of({0.3, 0.2, 0.1});
  for (const double edge : {0.01, 0.05, 0.08}) {
    model.edge = edge;
    const Scene scene = read_scene({drop_scene(model, wishes(), drop).text, "drop.toml", {}, "drop"});
    const auto& table = std::get<BoxCollider>(scene.colliders.front().shape);
    EXPECT_GT(table.size.y(), 2 * edge);
    EXPECT_NEAR(scene.colliders.front().position.y() + table.size.y() / 2, 0.27, 1e-6) << "its top stays where it is";
  }
}

TEST(BreakScene, TheModelStartsAboveTheGroundAndArrivesWithTheSpeedOfItsFall) {
  DropWishes drop;
  drop.height = {3, true};
  BreakWishes w = wishes();
  w.tilt = Vec3(30, 0, 20);
  const BreakScene made = drop_scene(box_of({1, 1, 1}), w, drop);
  const Scene scene = read_scene({made.text, "drop.toml", {}, "drop"});
  EXPECT_NEAR(made.blow.speed, std::sqrt(2 * 9.81 * 3), 1e-9);
  const double v0 = scene.bodies[0].velocity.y();
  EXPECT_NEAR(v0 * v0 + 2 * 9.81 * 0.35, made.blow.speed * made.blow.speed, 1e-3);
}

TEST(BreakScene, TheCameraShowsTheWholeModelAndNotMuchElse) {
  for (const Onto onto : {Onto::ground, Onto::corner, Onto::table}) {
    for (const Vec3& size : {Vec3(0.1, 0.02, 0.1), Vec3(20, 100, 20)}) {
      DropWishes drop;
      drop.onto = onto;
      const Scene scene = read_scene({drop_scene(box_of(size), wishes(), drop).text, "drop.toml", {}, "drop"});
      ASSERT_EQ(scene.cameras.size(), 1u);
      const CameraSpec& camera = scene.cameras[0];
      const Vec3 axis = (camera.target - camera.position).normalized();
      const Vec3 up = (Vec3::UnitY() - axis.y() * axis).normalized();
      double lowest = 1, highest = -1;  // in half heights of the picture
      for (const Vec3& corner : box_of(size).points) {
        const Vec3 x = corner + scene.bodies[0].position - camera.position;
        const double at = x.dot(up) / x.dot(axis) / std::tan(camera.fov / 2 * std::numbers::pi / 180);
        lowest = std::min(lowest, at), highest = std::max(highest, at);
      }
      EXPECT_GT(lowest, -1);
      EXPECT_LT(highest, 1);
      EXPECT_GT(highest - lowest, 0.2);
    }
  }
}

TEST(BreakScene, StrikersStandBesideTheModel) {
  for (const Striker with : {Striker::ball, Striker::box, Striker::capsule}) {
    HitWishes hit;
    hit.with = with;
    const Scene scene = read_scene({hit_scene(box_of({2, 3, 1}), wishes(), hit).text, "hit.toml", {}, "hit"});
    EXPECT_LT(scene.colliders[0].position.x(), -1.0);
    EXPECT_GT(scene.colliders[0].velocity.x(), 0);
  }
}

TEST(ReadMeasure, NumbersAreTheModelsOwnUnlessTheyHaveAUnit) {
  EXPECT_EQ(read_measure("--height", "2", MeasureOf::length).times(0.1), 0.2);
  EXPECT_EQ(read_measure("--height", "30cm", MeasureOf::length).times(7), 0.3);
  EXPECT_EQ(read_measure("--speed", "36km/h", MeasureOf::speed).times(7), 10);
  EXPECT_EQ(read_measure("--mass", "500 g", MeasureOf::mass).times(7), 0.5);
  for (const char* bad : {"", "m", "-1", "0", "2kg", "nan", "1e30", "1 2"}) {
    EXPECT_THROW(read_measure("--height", bad, MeasureOf::length), UsageError) << bad;
  }
}

TEST(BreakScene, UnknownMaterialsAreNamedWithASuggestion) {
  BreakWishes w = wishes();
  w.material = "ceramik";
  try {
    drop_scene(box_of({1, 1, 1}), w, {});
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("`ceramic`"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace sunder
