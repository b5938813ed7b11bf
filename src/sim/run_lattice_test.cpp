// Lattices through the whole path: scene, run folder, checkpoints, check.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "core/error.h"
#include "scene/write_scene.h"
#include "sim/check_run.h"
#include "sim/lattice_plate_testing.h"
#include "sim/recorded_run.h"
#include "sim/run_testing.h"

namespace sunder {
namespace {

using RunLattice = RunScene;

TEST_F(RunLattice, LeavesARunThatChecksAndCanBeDrawn) {
  const RunResult result = run_scene(scene_of(kLatticePlate), into("plate"));
  EXPECT_GT(result.progress.splits, 3u);
  EXPECT_EQ(check_run(top_ / "plate").problems, std::vector<std::string>());
  const Frame last = frame("plate", "plate.0011.vtu");
  EXPECT_EQ(last.hexes.size(), 240u);
  EXPECT_TRUE(last.tets.empty());
  const Frame solid = RecordedRun(top_ / "plate").frame(11);
  EXPECT_EQ(solid.tets.size(), 48u * 240);
  EXPECT_EQ(std::set<std::uint32_t>(solid.fragment.begin(), solid.fragment.end()),
            std::set<std::uint32_t>(last.node_fragment.begin(), last.node_fragment.end()));
}

TEST_F(RunLattice, SameBitsForAnyNumberOfThreadsAndAfterResuming) { expect_same_bits(scene_of(kLatticePlate)); }

TEST_F(RunLattice, ContactStifferThanBondsIsRefusedWithTheReason) {
  try {
    scene_of(std::string(kLatticePlate) + "[contact]\nstiffness = 3\n");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("stiffer than the bonds"), std::string::npos) << error.what();
  }
}

TEST_F(RunLattice, WhatLatticesDoNotHeedIsRefused) {
  for (const char* keys : {"[[dust]]\nthickness = 1e-4\n", "[debris]\nlowest = -1\noutside = \"remove\"\n"}) {
    try {
      scene_of(std::string(kLatticePlate) + keys);
      ADD_FAILURE() << keys;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("means nothing to lattices"), std::string::npos) << error.what();
    }
  }
}

TEST_F(RunLattice, BuildsWhatTheSceneSays) {
  const BuiltRun run = build_run(scene_of(kLatticePlate));
  ASSERT_TRUE(run.lattice);
  EXPECT_EQ(run.lattice->lattice().cell_count(), 20u * 12);
  EXPECT_NEAR(run.lattice->totals().mass, 2000 * 0.2 * 0.12 * 0.01, 1e-9);
  EXPECT_TRUE(run.warnings.empty());
}

TEST_F(RunLattice, OtherPoissonsRatiosAreNotHeededButSaid) {
  std::string text = kLatticePlate;
  text.replace(text.find("0.25, density"), 4, "0.4");
  const BuiltRun run = build_run(scene_of(text));
  ASSERT_EQ(run.warnings.size(), 1u);
  EXPECT_NE(run.warnings[0].find("Poisson"), std::string::npos);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

double mean_threshold(const BuiltRun& run) {
  const std::vector<double>& all = run.lattice->lattice().threshold;
  return std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size());
}

std::string plate_of(const std::string& material) {
  std::string text = kLatticePlate;
  const auto at = text.find("material = "), end = text.find('\n', at);
  return text.replace(at, end - at, "material = " + material + "\nlattice = { scatter = 0 }");
}

TEST_F(RunLattice, PresetsBreakAtTheirStrength) {
  const BuiltRun glass = build_run(scene_of(plate_of("\"glass\"")));
  EXPECT_NEAR(mean_threshold(glass), 45e6 / 70e9, 1e-9);
  for (const std::string& warning : glass.warnings) EXPECT_EQ(warning.find("cannot break"), std::string::npos);
  EXPECT_NEAR(mean_threshold(build_run(scene_of(plate_of("{ preset = \"glass\", young = 1e9, poisson = 0.25 }")))),
              45e6 / 1e9, 1e-9);
  EXPECT_NEAR(mean_threshold(build_run(scene_of(plate_of("{ preset = \"glass\", strength = 7e6 }")))), 7e6 / 70e9,
              1e-9);
  // As the run folder keeps the scene, it means the same.
  const std::string kept = scene_text(scene_of(plate_of("\"glass\"")));
  EXPECT_NEAR(mean_threshold(build_run(scene_of(kept))), 45e6 / 70e9, 1e-9);
  EXPECT_TRUE(std::isinf(mean_threshold(build_run(scene_of(plate_of("\"rubber\""))))));
}

TEST_F(RunLattice, ToughnessByHandIsToldWhatToGiveInstead) {
  for (const char* material : {"{ preset = \"glass\", toughness = 500 }", "\"paper-glass\"",
                               "{ young = 1e8, poisson = 0.25, density = 2000, toughness = 500 }"}) {
    const BuiltRun run = build_run(scene_of(plate_of(material)));
    EXPECT_TRUE(std::isinf(mean_threshold(run))) << material;
    ASSERT_FALSE(run.warnings.empty()) << material;
    EXPECT_NE(run.warnings.back().find("a `strength` in its place"), std::string::npos) << run.warnings.back();
  }
  // 500 N / (1 cm)^2
  EXPECT_NE(build_run(scene_of(plate_of("{ preset = \"glass\", toughness = 500 }"))).warnings.back().find("5e+06 Pa"),
            std::string::npos);
}

TEST_F(RunLattice, InvisiblePushersPush) {
  const std::string pusher = R"(
[[collider]]
name = "pusher"
shape = { kind = "sphere", radius = 0.03 }
motion = "kinematic"
keyframes = [{ time = 0, position = [0.01, 0.09, 0.05] }, { time = 0.01, position = [0.01, 0.09, 0.02] }]
hidden = HIDDEN
)";
  const std::string still = "gravity = [0, 0, 0]\n" + replaced(kLatticePlate, "velocity = [0, -5, 0]", "");
  const auto pushed = [&](const char* hidden) {
    const BuiltRun run = build_run(scene_of(still + replaced(pusher, "HIDDEN", hidden)));
    for (double time = 0; time < 0.01;) time += run.any().step(run.any().stable_dt()).dt;
    return run.any().totals().momentum.z();
  };
  EXPECT_LT(pushed("true"), -0.1);
  EXPECT_EQ(pushed("true"), pushed("false"));
}

TEST_F(RunLattice, FramesHoldHexahedraAndReadBackAsTheyWere) {
  const BuiltRun run = build_run(scene_of(kLatticePlate));
  Solver& solver = run.any();
  for (int i = 0; i < 900; ++i) solver.step(solver.stable_dt());
  solver.prepare_frame();
  Frame frame;
  solver.snapshot(frame);
  ASSERT_GT(run.lattice->breakage().broken_cells(), 0u);
  const Frame back = parse_frame(frame_text(frame), "frame.vtu");
  EXPECT_EQ(back.hexes, frame.hexes);
  EXPECT_EQ(back.broken_edges, frame.broken_edges);
  EXPECT_EQ(back.node_fragment, frame.node_fragment);
  EXPECT_EQ(back.turn, frame.turn);
  EXPECT_EQ(back.position, frame.position);
}

std::string with_lattice(const std::string& keys) {
  return replaced(kLatticePlate, "[[collider]]", "lattice = { " + keys + " }\n\n[[collider]]");
}

std::string message_of(const std::string& text) {
  try {
    build_run(scene_of(text));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST_F(RunLattice, SpringsMayBeGivenInThePlaceOfAMaterial) {
  const BuiltRun run =
      build_run(scene_of(with_lattice("spring = 3e4, spring_face = 2e4, spring_body = 1e4, spring_damping = 0.2")));
  const lattice_norton91::Lattice& lattice = run.lattice->lattice();
  std::map<double, std::size_t> springs;
  for (std::size_t b = 0; b < lattice.bond_count(); ++b) {
    ++springs[lattice.stiffness[b]];
    const double a = lattice.length[b] / 0.01;  // an edge, a face's or a cell's diagonal
    EXPECT_EQ(lattice.stiffness[b], a < 1.1 ? 3e4 : a < 1.5 ? 2e4 : 1e4);
  }
  EXPECT_EQ(springs.size(), 3u);
  // In the midst of a block 12 edges are a quarter each, 12 face diagonals a half, 4 body diagonals whole: with sum w =
  // 6, E = (3 3e4 + 2 6 2e4 + 3 4 1e4) / (6 0.01). A plate of one layer has edges and faces that fewer cells share.
  const double inside = (3 * 3e4 + 2 * 6 * 2e4 + 3 * 4 * 1e4) / (6 * 0.01);
  EXPECT_GT(lattice.mean_young[0], inside);
  EXPECT_LT(lattice.mean_young[0], 2 * inside);
  ASSERT_EQ(run.warnings.size(), 1u);
  EXPECT_NE(run.warnings[0].find("its springs amount to a Young's modulus of"), std::string::npos);
  // Without a threshold of its own the body breaks at its strength over that modulus.
  double sum = 0;
  for (const double t : lattice.threshold) sum += t;
  EXPECT_NEAR(sum / static_cast<double>(lattice.bond_count()) / (1e6 / lattice.mean_young[0]), 1, 0.2);
}

TEST_F(RunLattice, DiagonalsHaveTheSpringOfEdgesUnlessTheyHaveTheirOwn) {
  const BuiltRun run = build_run(scene_of(with_lattice("spring = 3e4, threshold = 0.02, scatter = 0")));
  for (const double k : run.lattice->lattice().stiffness) EXPECT_EQ(k, 3e4);
  for (const double t : run.lattice->lattice().threshold) EXPECT_EQ(t, 0.02);
}

TEST_F(RunLattice, SpringsOfTheTablesStrengthMoveAsTheirMaterialDoes) {
  // w E V / L^2 of one cell; a plate one cell thick has edges in one, two or four cells, so a cell alone is compared
  const std::string cell = R"(name = "cell"
duration = 0.01
[[body]]
solver = "lattice_norton91"
shape = { kind = "box", size = [0.1, 0.1, 0.1] }
edge = 0.1
velocity = [0, -1, 0]
position = [0, 0.06, 0]
rotation = [20, 0, 30]
material = { young = 1e6, poisson = 0.25, density = 1000, toughness = 0 }
lattice = { damping = 0.0, SPRINGS bonds = "full" }
[[collider]]
shape = { kind = "ground" }
)";
  const auto end = [&](const std::string& springs) {
    const BuiltRun run = build_run(scene_of(replaced(cell, "SPRINGS", springs)));
    for (int i = 0; i < 60; ++i) run.lattice->step(1e-4);
    return run.lattice->position();
  };
  const auto by_material = end("");
  const auto by_springs = end("spring = 1.5e4, spring_face = 1e4, spring_body = 1.5e4,");
  const auto damped = end("spring = 1.5e4, spring_face = 1e4, spring_body = 1.5e4, spring_damping = 20,");
  double apart = 0, damping = 0;
  for (const NodeId n : id_range<NodeId>(8)) {
    apart = std::max(apart, (by_springs[n] - by_material[n]).norm());
    damping = std::max(damping, (damped[n] - by_material[n]).norm());
  }
  EXPECT_LT(apart, 1e-9);
  EXPECT_GT(damping, 1e-5);
}

TEST_F(RunLattice, WrongSpringsAreRefusedWithTheirPlace) {
  EXPECT_NE(message_of(with_lattice("spring = -1")).find("spring"), std::string::npos);
  EXPECT_NE(message_of(with_lattice("spring_face = 1e4")).find("`spring`"), std::string::npos);
  EXPECT_NE(message_of(with_lattice("spring_damping = 1")).find("`spring`"), std::string::npos);
  EXPECT_NE(message_of(with_lattice("bonds = \"edges-body\", spring = 1e4, spring_face = 1e4")).find("edges-body"),
            std::string::npos);
  EXPECT_NE(message_of(with_lattice("bonds = \"edges-faces\", spring = 1e4, spring_body = 1e4")).find("spring_body"),
            std::string::npos);
}

TEST_F(RunLattice, SpringsAreWrittenOutWithTheScene) {
  const Scene scene = scene_of(with_lattice("spring = 3e4, spring_face = 2e4, spring_damping = 0.5"));
  const LatticeSpec back = scene_of(scene_text(scene)).bodies[0].lattice;
  EXPECT_EQ(back.spring, 3e4);
  EXPECT_EQ(back.spring_face, 2e4);
  EXPECT_EQ(back.spring_body, std::nullopt);
  EXPECT_EQ(back.spring_damping, 0.5);
}

TEST_F(RunLattice, LatticesSleepAsTheSceneSays) {
  const auto slept_at = [](const std::string& contact) {
    const BuiltRun run = build_run(scene_of(R"(
name = "block"
duration = 1
[[body]]
name = "block"
solver = "lattice_norton91"
shape = { kind = "box", size = [0.2, 0.1, 0.2] }
edge = 0.05
position = [0, 0.05, 0]
material = { young = 1e7, poisson = 0.25, density = 1000, strength = 1e6 }
lattice = { damping = 0.3 }
[[collider]]
shape = { kind = "ground" }
damping = 0.5
)" + contact));
    EXPECT_TRUE(run.warnings.empty()) << run.warnings[0];
    double time = 0;
    while (time < 1 && !run.lattice->sleep().any()) time += run.any().step(run.any().stable_dt()).dt;
    return time;
  };
  const double usual = slept_at("");
  EXPECT_GT(usual, 0.25);
  EXPECT_LT(usual, 0.5);
  EXPECT_EQ(slept_at("[contact]\nsleep = true\n"), usual);
  EXPECT_GE(slept_at("[contact]\nsleep = false\n"), 1);
  EXPECT_GT(slept_at("[contact]\nsleep_after = 0.5\n"), 0.5);
  EXPECT_LT(slept_at("[contact]\nsleep_after = 0.5\n"), 0.75);
  EXPECT_GT(slept_at("[contact]\nsleep_speed = 1e-9\n"), usual);
}

TEST_F(RunLattice, KeysThatOnlyTetrahedraHeedAreTold) {
  const auto notes = [](const std::string& text) { return build_run(scene_of(text)).warnings; };
  const auto told = notes(std::string("damping_cap = 0.5\n") + kLatticePlate +
                          "[fracture]\ntip_share = 0.5\n[contact]\ncrack_gap = 0.1\n");
  ASSERT_EQ(told.size(), 1u);
  EXPECT_NE(told[0].find("`damping_cap`, `fracture.tip_share`, `contact.crack_gap`"), std::string::npos) << told[0];
  // What both heed, and what is the default anyway, is not.
  EXPECT_TRUE(notes(std::string(kLatticePlate) + "[fracture]\ntip_share = 1\n[contact]\nfriction = 0.1\n").empty());
  const auto of_body =
      notes(replaced(kLatticePlate, "strength = 1e6", "strength = 1e6, psi = 50, toughness_spread = 0.2"));
  ASSERT_EQ(of_body.size(), 2u);
  EXPECT_NE(of_body[0].find("`psi` is for tetrahedra; its `lattice` has `damping`"), std::string::npos) << of_body[0];
  EXPECT_NE(of_body[1].find("`scatter`"), std::string::npos) << of_body[1];
}

TEST_F(RunLattice, BodiesThatStartInsideTheGroundAreTold) {
  const auto warnings = build_run(scene_of(kLatticePlate, {"body.0.position=[0, 0.05, 0]"})).warnings;
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("inside collider \"ground\""), std::string::npos) << warnings[0];
}

constexpr const char* kBall = R"(
[[collider]]
name = "ball"
shape = { kind = "sphere", radius = 0.03 }
motion = "dynamic"
mass = 0.3
position = [0.01, 0.09, 0.037]
velocity = [0, 0, -12]
)";

std::string struck_plate() {
  const std::string still = replaced(kLatticePlate, "velocity = [0, -5, 0]", "velocity = [0, 0, 0]");
  return "gravity = [0, 0, 0]\n" + replaced(still, "[[collider]]\nshape = { kind = \"ground\" }", kBall);
}

TEST_F(RunLattice, ADynamicBallBreaksAPlateAndMomentumIsKept) {
  const BuiltRun run = build_run(scene_of(struck_plate()));
  EXPECT_TRUE(run.warnings.empty());
  const Totals start = run.any().totals();
  EXPECT_NEAR(start.momentum.z(), -0.3 * 12, 1e-12);
  EXPECT_NEAR(start.mass, 0.3 + 0.48, 1e-9);
  const auto all = [](const Totals& t) { return t.kinetic + t.elastic + t.contact + t.dissipated; };
  for (double time = 0; time < 0.01;) time += run.any().step(run.any().stable_dt()).dt;
  const Totals end = run.any().totals();
  EXPECT_GT(run.lattice->components().count(), 1u);
  EXPECT_LT((end.momentum - start.momentum).norm(), 1e-9);
  EXPECT_NEAR(all(end), all(start), 0.03 * all(start));
  const RigidPose ball = run.lattice->poses().back();
  EXPECT_LT(ball.position.z(), 0);                           // it came through,
  EXPECT_GT((ball.velocity - Vec3(0, 0, -12)).norm(), 0.2);  // was slowed down
  EXPECT_LT(ball.velocity.norm(), 12);
}

TEST_F(RunLattice, WithADynamicBallItGoesOnToTheSameBits) { expect_same_bits(scene_of(struck_plate())); }

TEST_F(RunLattice, ModelsFromFilesBreakToo) {
  std::string octahedron = "v 6 0 0\nv -6 0 0\nv 0 6 0\nv 0 -6 0\nv 0 0 6\nv 0 0 -6\n";
  for (const char* face : {"1 3 5", "3 2 5", "2 4 5", "4 1 5", "3 1 6", "2 3 6", "4 2 6", "1 4 6"}) {
    octahedron += std::string("f ") + face + "\n";
  }
  write_file_atomically(top_ / "octahedron.obj", octahedron);
  write_file_atomically(top_ / "model.toml", replaced(kLatticePlate, "{ kind = \"slab\", size = [0.2, 0.12, 0.01] }",
                                                      "{ kind = \"file\", path = \"octahedron.obj\", scale = 0.01 }"));
  const Scene scene = read_scene(scene_source(top_ / "model.toml"));
  const RunResult result = run_scene(scene, into("model"));
  EXPECT_GT(result.progress.splits, 0u);
  EXPECT_EQ(check_run(top_ / "model").problems, std::vector<std::string>());
  const double octahedral = 4.0 / 3 * 0.06 * 0.06 * 0.06;
  EXPECT_NEAR(std::stod(stats("model")[0].at(8)) / (2000 * octahedral), 1, 0.15);  // its tips are blunt
}

}  // namespace
}  // namespace sunder
