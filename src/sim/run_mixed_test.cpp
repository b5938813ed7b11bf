// Tetrahedra and lattices in one scene, through the whole path: scene, steps, run folder, checkpoints, check.
#include <gtest/gtest.h>

#include "core/error.h"
#include "sim/check_run.h"
#include "sim/recorded_run.h"
#include "sim/run_testing.h"

namespace sunder {
namespace {

// J, of all books.
double energy_of(const Totals& t) { return t.kinetic + t.elastic + t.gravity + t.contact + t.dissipated; }

constexpr const char* kHead = R"(
name = "plates"
duration = 0.005
fps = 2000
[[collider]]
shape = { kind = "ground" }
[[collider]]
name = "hammer"
shape = { kind = "box", size = [1, 0.05, 1] }
motion = "kinematic"
keyframes = [{ time = 0, position = [0, 0.23, 0] }, { time = 0.005, position = [0, 0.2, 0] }]
)";

constexpr const char* kLatticePlate = R"(
[[body]]
name = "bonds"
solver = "lattice_norton91"
shape = { kind = "slab", size = [0.2, 0.12, 0.01] }
edge = 0.01
position = [-0.2, 0.092, 0]
rotation = [0, 0, 20]
velocity = [0, -5, 0]
material = { young = 1e8, poisson = 0.25, density = 2000, strength = 1e6 }
)";

constexpr const char* kTetPlate = R"(
[[body]]
name = "tets"
shape = { kind = "slab", size = [0.2, 0.12, 0.01] }
edge = 0.03
position = [0.2, 0.092, 0]
rotation = [0, 0, 20]
velocity = [0, -5, 0]
material = { young = 1e8, poisson = 0.25, density = 2000, toughness = 10 }
)";

std::string text_of(std::initializer_list<const char*> parts) {
  std::string text = kHead;
  for (const char* part : parts) text += part;
  return text;
}

std::string message_of(const std::string& text) {
  try {
    scene_of(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

using RunMixed = RunScene;

TEST_F(RunMixed, BothMethodsBreakInOneRunThatChecksAndCanBeDrawn) {
  const RunResult result = run_scene(scene_of(text_of({kLatticePlate, kTetPlate})), into("plates"));
  const CheckReport report = check_run(top_ / "plates");
  EXPECT_EQ(report.problems, std::vector<std::string>());
  EXPECT_EQ(report.elements.cells, 240u);
  EXPECT_GT(report.elements.tets, 100u);
  EXPECT_EQ(report.elements.count(), result.progress.elements);
  const Frame first = frame("plates", "plates.0001.vtu"), last = frame("plates", "plates.0011.vtu");
  for (const Frame* f : {&first, &last}) {
    for (std::size_t e = 0; e < f->body.size(); ++e) EXPECT_EQ(f->body[e], e < f->tets.size() ? 1u : 0u);
  }
  EXPECT_EQ(std::set<std::uint32_t>(first.fragment.begin(), first.fragment.end()).size(), 2u);
  const auto fragments_from = [&](std::size_t begin, std::size_t end) {
    return std::set<std::uint32_t>(last.fragment.begin() + static_cast<std::ptrdiff_t>(begin),
                                   last.fragment.begin() + static_cast<std::ptrdiff_t>(end));
  };
  EXPECT_GT(fragments_from(0, last.tets.size()).size(), 1u);
  EXPECT_GT(fragments_from(last.tets.size(), last.fragment.size()).size(), 1u);
  const Frame solid = RecordedRun(top_ / "plates").frame(11);
  EXPECT_EQ(solid.tets.size(), last.tets.size() + 48u * 240);
  EXPECT_EQ(std::set<Uid>(solid.tet_uid.begin(), solid.tet_uid.end()).size(), solid.tets.size());
  EXPECT_EQ(std::set<Uid>(solid.node_uid.begin(), solid.node_uid.end()).size(), solid.node_uid.size());
}

// Points that pictures make between nodes must not jump because tetrahedra have cracked beside them.
TEST_F(RunMixed, TheLatticesSurfaceDoesNotDependOnCracksOfTets) {
  run_scene(scene_of(text_of({kLatticePlate, kTetPlate})), into("plates"));
  const RecordedRun run(top_ / "plates");
  const auto rest_of_lattice = [&](int number) {
    const Frame f = run.frame(number);
    std::map<Uid, Vec3> rest;
    for (std::size_t t = 0; t < f.tets.size(); ++t) {
      if (f.body[t] != 0) continue;
      for (const std::uint32_t n : f.tets[t]) rest[f.node_uid[n]] = f.rest[n];
    }
    return rest;
  };
  const auto before = rest_of_lattice(1), after = rest_of_lattice(11);
  ASSERT_GT(frame("plates", "plates.0011.vtu").position.size(), frame("plates", "plates.0001.vtu").position.size());
  std::size_t lasting = 0;
  for (const auto& [uid, rest] : before) {
    const auto found = after.find(uid);
    if (found == after.end()) continue;
    EXPECT_EQ(found->second, rest);
    ++lasting;
  }
  EXPECT_GT(lasting, before.size() / 2);
}

TEST_F(RunMixed, SameBitsForAnyNumberOfThreadsAndAfterResuming) {
  expect_same_bits(scene_of(text_of({kLatticePlate, kTetPlate})));
  EXPECT_EQ(read_file(top_ / "one" / "cracks.jsonl"), read_file(top_ / "resumed" / "cracks.jsonl"));
  EXPECT_EQ(read_file(top_ / "one" / "forces.csv"), read_file(top_ / "resumed" / "forces.csv"));
}

// A step for all is as long as the shortest, so only a step that the scene sets is the same with and without company.
TEST_F(RunMixed, EachHalfIsToTheBitWhatItIsAlone) {
  const std::string dt = "dt=4e-6";
  const auto run = [&](const std::string& text, const char* folder) {
    run_scene(scene_of(text, {dt}), into(folder));
    return frame(folder, "plates.0011.vtu");
  };
  const Frame bonds = run(text_of({kLatticePlate}), "bonds"), tets = run(text_of({kTetPlate}), "tets");
  const Frame both = run(text_of({kLatticePlate, kTetPlate}), "both");
  ASSERT_EQ(both.position.size(), bonds.position.size() + tets.position.size());
  std::vector<Vec3> position = tets.position, velocity = tets.velocity;
  position.insert(position.end(), bonds.position.begin(), bonds.position.end());
  velocity.insert(velocity.end(), bonds.velocity.begin(), bonds.velocity.end());
  EXPECT_EQ(both.position, position);
  EXPECT_EQ(both.velocity, velocity);
  EXPECT_EQ(both.tets, tets.tets);
  EXPECT_EQ(both.broken_edges, bonds.broken_edges);
}

TEST_F(RunMixed, BooksAndReactionsAreThoseOfBothTogether) {
  const BuiltRun run = build_run(scene_of(text_of({kLatticePlate, kTetPlate})));
  Solver& both = run.any();
  const auto energy = [&] {
    const Totals t = both.totals();
    double work = 0;
    for (const Reaction& r : both.reactions()) work += r.work;
    return energy_of(t) - work;
  };
  const double before = energy();
  double time = 0, peak = 0;
  Vec3 impulse = Vec3::Zero();
  while (time < 0.005) {
    const double dt = both.step(std::min(both.stable_dt(), 0.005 - time)).dt;
    time += dt;
    const Vec3 force = run.solver->reactions()[0].force + run.lattice->reactions()[0].force;
    EXPECT_EQ(both.reactions()[0].force, force);
    peak = std::max(peak, force.norm());
    impulse += dt * force;
  }
  ASSERT_EQ(both.reactions().size(), 2u);
  EXPECT_EQ(both.reactions()[0].name, "ground");
  EXPECT_EQ(both.reactions()[0].peak, peak);
  EXPECT_NEAR(both.reactions()[0].impulse.y(), impulse.y(), 0.01 * impulse.norm());
  EXPECT_EQ(both.totals().mass, run.solver->totals().mass + run.lattice->totals().mass);
  const double turnover = 0.5 * 2 * 0.48 * 25;  // two plates of 0.48 kg at 5 m/s
  EXPECT_NEAR(energy(), before, 0.03 * turnover);
}

// A block of bonds flies at a block of tets that hangs in the air, a little off its middle and turned.
constexpr const char* kBlocks = R"(
name = "blocks"
duration = 0.02
fps = 1000
gravity = [0, 0, 0]
[contact]
friction = 0.3
damping = 0
[[body]]
name = "bonds"
solver = "lattice_norton91"
shape = { kind = "box", size = [0.1, 0.1, 0.1] }
edge = 0.025
position = [-0.09, 0.02, 0]
rotation = [10, 20, 30]
velocity = [4, 0, 0]
material = { young = 1e7, poisson = 0.25, density = 2000, toughness = 0 }
lattice = { damping = 0.01 }
[[body]]
name = "tets"
shape = { kind = "box", size = [0.1, 0.1, 0.1] }
edge = 0.03
position = [0.06, 0, 0]
material = { young = 1e7, poisson = 0.25, density = 1000, phi = 0, psi = 0, toughness = 0 }
)";

TEST_F(RunMixed, BodiesOfTwoMethodsPushEachOther) {
  const BuiltRun run = build_run(scene_of(kBlocks));
  const Totals before = run.mixed->totals();
  double time = 0, most = 0;
  std::size_t touching = 0;
  while (time < 0.02) {
    time += run.mixed->step(run.mixed->stable_dt()).dt;
    most = std::max(most, energy_of(run.mixed->totals()));
    touching = std::max(touching, run.mixed->touching());
  }
  const Totals after = run.mixed->totals(), tets = run.solver->totals(), bonds = run.lattice->totals();
  EXPECT_GT(touching, 3u);
  EXPECT_EQ(run.mixed->touching(), 0u) << "they have come apart again";
  EXPECT_LT((after.momentum - before.momentum).norm(), 1e-9 * before.momentum.norm());
  EXPECT_GT(tets.momentum.x() / tets.mass, 1.05 * bonds.momentum.x() / bonds.mass) << "the struck one is faster";
  EXPECT_NEAR(energy_of(after), energy_of(before), 0.02 * energy_of(before));
  EXPECT_LT(most, 1.02 * energy_of(before));
}

TEST_F(RunMixed, ABranchGoesOnWithTheBooksOfContact) {
  const Scene scene = scene_of(kBlocks, {"contact.damping=0.5"});
  const BuiltRun run = build_run(scene), branch = build_run(scene);
  for (double time = 0; time < 0.015;) time += run.mixed->step(run.mixed->stable_dt()).dt;
  const double of_parts = run.solver->totals().dissipated + run.lattice->totals().dissipated;
  const double all = run.mixed->totals().dissipated;
  ASSERT_GT(all, 1.01 * of_parts);
  Writer out;
  run.mixed->save(out);
  Reader in(out.bytes(), "checkpoint");
  branch.mixed->load_motion(in);
  EXPECT_EQ(branch.mixed->totals().dissipated, all);
}

TEST_F(RunMixed, ContactOfTwoMethodsIsTheSameForAnyThreadsAndAfterResuming) { expect_same_bits(scene_of(kBlocks)); }

TEST_F(RunMixed, ContactOfALatticeThatSoftensIsTheSameAfterResuming) {
  expect_same_bits(scene_of(std::string(kBlocks) + "[lattice]\ncontrol = [{ time = 0, stiffness = 1 }, { time = 0.02, "
                                                   "stiffness = 0.3 }]\n"));
}

TEST_F(RunMixed, WithoutContactBodiesPassThroughEachOther) {
  const BuiltRun run = build_run(scene_of(kBlocks, {"contact.on=false"}));
  for (double time = 0; time < 0.02;) time += run.mixed->step(run.mixed->stable_dt()).dt;
  EXPECT_EQ(run.mixed->touching(), 0u);
  EXPECT_LT(run.solver->totals().kinetic, 1e-12);
}

// Blocks that start one in the other must not fly apart.
TEST_F(RunMixed, OverlapAtTheStartIsNoSpring) {
  const BuiltRun run =
      build_run(scene_of(kBlocks, {"body.bonds.position=[-0.02, 0, 0]", "body.bonds.velocity=[0, 0, 0]"}));
  for (int i = 0; i < 200; ++i) run.mixed->step(run.mixed->stable_dt());
  EXPECT_LT(run.mixed->totals().kinetic, 1e-9);
}

// What sleeps is woken by a lattice that falls on it.
TEST_F(RunMixed, ALatticeWakesTheTetsItFallsOn) {
  const BuiltRun run = build_run(
      scene_of(std::string(kBlocks) + "[[collider]]\nshape = { kind = \"ground\" }\n",
               {"gravity=[0, -9.81, 0]", "contact.damping=0.5", "contact.sleep_after=0.01",
                "body.tets.position=[0, 0.05, 0]", "body.tets.material.psi=2000", "body.tets.material.phi=2000",
                "body.bonds.position=[0, 0.9, 0]", "body.bonds.velocity=[0, 0, 0]"}));
  double time = 0, asleep = 0, woke = 0;
  for (double frame = 0.01; time < 0.6 && woke == 0; frame += 0.01) {
    while (time < frame) time += run.mixed->step(std::min(run.mixed->stable_dt(), frame - time)).dt;
    run.mixed->prepare_frame();
    run.mixed->begin_frame();
    if (asleep == 0 && run.solver->asleep().any()) asleep = time;
    if (asleep > 0 && !run.solver->asleep().any()) woke = time;
  }
  EXPECT_GT(asleep, 0);
  EXPECT_NEAR(woke, 0.39, 0.03) << "a fall of some 0.73 m";
}

TEST_F(RunMixed, TetsWakeTheLatticeTheyFallOn) {
  const BuiltRun run = build_run(
      scene_of(std::string(kBlocks) + "[[collider]]\nshape = { kind = \"ground\" }\ndamping = 0.5\n",
               {"gravity=[0, -9.81, 0]", "contact.damping=0.5", "contact.sleep_after=0.05",
                "body.bonds.position=[0, 0.05, 0]", "body.bonds.rotation=[0, 0, 0]", "body.bonds.velocity=[0, 0, 0]",
                "body.bonds.lattice.damping=0.3", "body.tets.position=[0, 0.9, 0]", "body.tets.velocity=[0, 0, 0]"}));
  double time = 0, asleep = 0, woke = 0;
  while (time < 0.6 && woke == 0) {
    time += run.mixed->step(run.mixed->stable_dt()).dt;
    if (asleep == 0 && run.lattice->sleep().any()) asleep = time;
    if (asleep > 0 && !run.lattice->sleep().any()) woke = time;
  }
  EXPECT_GT(asleep, 0);
  EXPECT_NEAR(woke, 0.39, 0.03) << "a fall of some 0.73 m";
  // Who lies under it stays awake.
  while (time < 1) {
    time += run.mixed->step(run.mixed->stable_dt()).dt;
    if (run.mixed->touching() > 0) {
      ASSERT_FALSE(run.lattice->sleep().any()) << time;
    }
  }
}

TEST_F(RunMixed, RegionsNameTheBodyTheyAreForAndActOnNoOther) {
  const std::string both = text_of({kLatticePlate, kTetPlate});
  const std::string hold = "[[region]]\nwhere = { kind = \"everywhere\" }\naction = \"hold\"\n";
  const auto held = [&](const char* body) { return hold + "name = \"" + body + "\"\nbody = \"" + body + "\"\n"; };
  EXPECT_NE(message_of(both + hold).find("name the `body` it is for"), std::string::npos) << message_of(both + hold);
  const auto run_of = [&](const std::string& regions) {
    BuiltRun run = build_run(scene_of(both + regions));
    for (int i = 0; i < 20; ++i) run.any().step(run.any().stable_dt());
    return run;
  };
  constexpr double kRoundOff = 1e-25;  // of what holds them
  const BuiltRun tets = run_of(held("tets"));
  EXPECT_LT(tets.solver->totals().kinetic, kRoundOff);
  EXPECT_GT(tets.lattice->totals().kinetic, 1);
  const BuiltRun bonds = run_of(held("bonds"));
  EXPECT_GT(bonds.solver->totals().kinetic, 1);
  EXPECT_LT(bonds.lattice->totals().kinetic, kRoundOff);
  const BuiltRun all = run_of(held("bonds") + held("tets"));
  EXPECT_LT(all.any().totals().kinetic, kRoundOff);
  std::map<std::string, double> force;  // N, upwards
  for (const Reaction& r : all.any().reactions()) force[r.name] = r.force.y();
  const double weight = 9.81 * 2000 * 0.2 * 0.12 * 0.01;
  EXPECT_NEAR(force.at("bonds"), weight, 1e-6 * weight);
  EXPECT_NEAR(force.at("tets"), weight, 1e-6 * weight);
}

TEST_F(RunMixed, ToughnessWithoutABodyIsForBothMethods) {
  const std::string both = text_of({kLatticePlate, kTetPlate});
  const std::string weak = "[[toughness]]\npattern = { kind = \"uniform\" }\nfactor = 0.5\n";
  const BuiltRun as_they_are = build_run(scene_of(both)), all = build_run(scene_of(both + weak)),
                 tets = build_run(scene_of(both + weak + "body = \"tets\"\n"));
  const auto ratio = [&](const BuiltRun& run) {
    return run.lattice->lattice().threshold[7] / as_they_are.lattice->lattice().threshold[7];
  };
  EXPECT_NEAR(ratio(all), 0.5, 1e-12);
  EXPECT_EQ(ratio(tets), 1);
  const auto splits = [](const BuiltRun& run) {
    for (double time = 0; time < 0.003;) time += run.any().step(run.any().stable_dt()).dt;
    return run.solver->totals().splits;
  };
  const auto usual = splits(as_they_are), weaker = splits(all);
  EXPECT_GT(weaker, usual);
  EXPECT_GT(splits(tets), usual);
}

// Crumbs of the lattice fly among shards of the tetrahedra, past their sharp corners.
TEST_F(RunMixed, ABallThroughBothMethodsBringsNoEnergyFromNowhere) {
  const BuiltRun run = build_run(scene_of(R"(
name = "ball"
duration = 0.25
fps = 40
[[body]]
name = "bonds"
solver = "lattice_norton91"
shape = { kind = "slab", size = [0.3, 0.3, 0.02] }
edge = 0.02
position = [-0.12, 0.15, 0]
rotation = [0, 90, 0]
material = { young = 1e8, poisson = 0.25, density = 2000, strength = 1e6 }
[[body]]
name = "tets"
shape = { kind = "slab", size = [0.3, 0.3, 0.02] }
edge = 0.04
position = [0.12, 0.15, 0]
rotation = [0, 90, 0]
material = { young = 1e8, poisson = 0.25, density = 2000, toughness = 30 }
[[collider]]
shape = { kind = "ground" }
[[collider]]
name = "ball"
shape = { kind = "sphere", radius = 0.05 }
motion = "dynamic"
mass = 2
position = [-0.5, 0.18, 0]
velocity = [8, 1, 0]
)"));
  const double before = energy_of(run.mixed->totals());
  double time = 0;
  while (time < 0.1) {
    for (int i = 0; i < 10; ++i) time += run.mixed->step(run.mixed->stable_dt()).dt;
    ASSERT_NEAR(energy_of(run.mixed->totals()), before, 0.01 * before) << "t = " << time;
  }
  EXPECT_GT(run.solver->totals().splits, 100u);
  EXPECT_GT(run.lattice->totals().fragments, 5u);
}

// Caught between a lattice and tetrahedra that come from both sides.
constexpr const char* kBall = R"(
[[collider]]
name = "ball"
shape = { kind = "sphere", radius = 0.06 }
motion = "dynamic"
mass = 1.5
friction = 0.3
damping = 0
velocity = [0, 0.5, 0]
spin = [0, 0, 20]
)";
const std::vector<std::string> kFromBothSides = {
    "body.bonds.position=[-0.135, 0.01, 0]", "body.bonds.velocity=[3, 0, 0]", "body.tets.position=[0.125, -0.01, 0.01]",
    "body.tets.velocity=[-2, 0, 0]"};

TEST_F(RunMixed, ABallIsPushedByBothMethodsAndMomentumStays) {
  const BuiltRun run = build_run(scene_of(std::string(kBlocks) + kBall, kFromBothSides));
  const auto pushes = [](Solver& part) { return part.reactions()[0].force.norm(); };
  const Totals before = run.mixed->totals();
  EXPECT_NEAR(before.mass, 2 + 1 + 1.5, 1e-9);
  EXPECT_NEAR(before.momentum.x(), 2 * 3 - 1 * 2, 1e-9);
  EXPECT_NEAR(before.momentum.y(), 1.5 * 0.5, 1e-9);
  double time = 0;
  int by_both = 0;
  while (time < 0.03) {
    const double dt = run.mixed->step(run.mixed->stable_dt()).dt;
    time += dt;
    by_both += pushes(*run.solver) > 0 && pushes(*run.lattice) > 0 ? 1 : 0;
    EXPECT_EQ(run.mixed->reactions()[0].force, run.solver->reactions()[0].force + run.lattice->reactions()[0].force);
    EXPECT_NEAR(energy_of(run.mixed->totals()), energy_of(before), 0.02 * energy_of(before));
    const RigidPose mine = run.solver->poses()[0], theirs = run.lattice->poses()[0];
    ASSERT_EQ(mine.position, theirs.position);
    ASSERT_EQ(mine.velocity, theirs.velocity);
    ASSERT_LT((run.mixed->totals().momentum - before.momentum).norm(), 1e-9 * before.momentum.norm());
  }
  EXPECT_GT(by_both, 20);
  EXPECT_GT(run.mixed->poses()[0].velocity.x(), 0.1) << "the lattice came with more";
  EXPECT_GT(run.solver->totals().momentum.x(), -1.5);
}

TEST_F(RunMixed, ABallBetweenTwoMethodsIsTheSameForAnyThreadsAndAfterResuming) {
  expect_same_bits(scene_of(std::string(kBlocks) + kBall, kFromBothSides));
}

// The tetrahedra's solver lets a ball at rest sleep; a lattice that falls on it wakes it.
TEST_F(RunMixed, ALatticeWakesTheBallItFallsOn) {
  const BuiltRun run = build_run(scene_of(
      std::string(kBlocks) + kBall + "[[collider]]\nshape = { kind = \"ground\" }\n",
      {"gravity=[0, -9.81, 0]", "contact.sleep_after=0.01", "collider.ball.position=[0, 0.06, 0]",
       "collider.ball.velocity=[0, 0, 0]", "collider.ball.spin=[0, 0, 0]", "collider.ball.damping=0.7",
       "body.tets.position=[1, 0.05, 0]", "body.bonds.position=[0.04, 0.6, 0]", "body.bonds.velocity=[0, 0, 0]"}));
  double time = 0, asleep = 0, pushed = 0;
  for (double frame = 0.01; time < 0.6 && pushed == 0; frame += 0.01) {
    while (time < frame) {
      time += run.mixed->step(std::min(run.mixed->stable_dt(), frame - time)).dt;
      if (asleep > 0 && pushed == 0 && run.mixed->poses()[0].velocity.norm() > 0.1) pushed = time;
    }
    run.mixed->prepare_frame();
    run.mixed->begin_frame();
    if (asleep == 0 && run.solver->asleep().any_rigid()) asleep = time;
  }
  EXPECT_GT(asleep, 0);
  EXPECT_NEAR(pushed, 0.3, 0.05) << "a fall of some 0.43 m";
}

// Both parts know the contact of the ball and the ground; its spring is in the owner's books only.
TEST_F(RunMixed, SpringsBetweenCollidersAreInTheBooksOnce) {
  const BuiltRun run = build_run(
      scene_of(std::string(kBlocks) + kBall + R"(
[[collider]]
shape = { kind = "ground" }
stiffness = 1e5
damping = 0
)",
               {"gravity=[0, -9.81, 0]", "collider.ball.stiffness=1e5", "collider.ball.spin=[0, 0, 0]",
                "collider.ball.position=[0, 0.061, 0]", "collider.ball.velocity=[0, -2, 0]",
                "body.tets.position=[3, 2, 0]", "body.bonds.position=[-3, 2, 0]", "body.bonds.velocity=[0, 0, 0]"}));
  const double before = energy_of(run.mixed->totals());
  double time = 0, stored = 0;
  while (time < 0.02) {
    time += run.mixed->step(run.mixed->stable_dt()).dt;
    const Totals t = run.mixed->totals();
    stored = std::max(stored, t.contact);
    ASSERT_NEAR(energy_of(t), before, 0.05) << "of 3 J that the ball has; t = " << time;
  }
  EXPECT_GT(stored, 2) << "the ball was never on the ground";
  EXPECT_GT(run.mixed->poses()[0].velocity.y(), 1) << "it bounces";
}

// A slab falls on both at a step a tenth of the longest: nothing passes through anything.
TEST_F(RunMixed, AShortStepOfTheSceneIsNotSaidToBeTooLong) {
  const BuiltRun run =
      build_run(scene_of(std::string(kBlocks) + kBall,
                         {"dt=2e-6", "body.bonds.position=[-0.135, 0.01, 0]", "body.bonds.velocity=[3, 0, 0]",
                          "body.tets.position=[0.125, -0.01, 0.01]", "body.tets.velocity=[-2, 0, 0]"}));
  bool by_both = false;
  for (int i = 0; i < 6000; ++i) {
    ASSERT_FALSE(run.mixed->step(2e-6).outran_contact) << "step " << i;
    by_both = by_both || (run.solver->reactions()[0].force.norm() > 0 && run.lattice->reactions()[0].force.norm() > 0);
  }
  EXPECT_TRUE(by_both);
}

TEST_F(RunMixed, ABallThatALatticeLiesOnDoesNotSleep) {
  const BuiltRun run = build_run(
      scene_of(std::string(kBlocks) + kBall + "[[collider]]\nshape = { kind = \"ground\" }\n",
               {"gravity=[0, -9.81, 0]", "contact.sleep_after=0.01", "contact.sleep_speed=10", "contact.damping=0.5",
                "collider.ball.shape={ kind = \"box\", size = [0.2, 0.1, 0.2] }", "collider.ball.position=[0, 0.05, 0]",
                "collider.ball.velocity=[0, 0, 0]", "collider.ball.spin=[0, 0, 0]", "collider.ball.damping=0.7",
                "body.tets.position=[1, 0.05, 0]", "body.bonds.position=[0, 0.15, 0]", "body.bonds.rotation=[0, 0, 0]",
                "body.bonds.velocity=[0, 0, 0]"}));
  double time = 0;
  bool asleep = false, touched = false;
  for (double frame = 0.01; time < 0.15; frame += 0.01) {
    while (time < frame) time += run.mixed->step(std::min(run.mixed->stable_dt(), frame - time)).dt;
    run.mixed->prepare_frame();
    run.mixed->begin_frame();
    touched = touched || run.lattice->reactions()[0].force.norm() > 0;
    asleep = asleep || run.solver->asleep().any_rigid();
  }
  EXPECT_TRUE(touched);
  EXPECT_FALSE(asleep);
}

TEST_F(RunMixed, WhatCannotBeIsRefusedWithTheReason) {
  const std::string both = text_of({kLatticePlate, kTetPlate});
  const std::string coat =
      "[[body]]\nsolver = \"surface_iben06\"\nshape = { kind = \"slab\" }\ncoat = { kind = \"mud\" }\n";
  EXPECT_NE(message_of(both + coat).find("solids and surfaces are in one scene"), std::string::npos)
      << message_of(both + coat);
}

}  // namespace
}  // namespace sunder
