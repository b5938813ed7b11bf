#include "sim/run.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "core/error.h"
#include "sim/run_testing.h"

namespace sunder {
namespace {

TEST(FrameCount, CountsTheFrameAtTimeZero) {
  Scene scene;
  const auto count = [&](double duration, double fps) {
    scene.duration = duration;
    scene.fps = fps;
    return frame_count(scene);
  };
  EXPECT_EQ(count(1, 24), 25);
  EXPECT_EQ(count(0.99 / 24, 24), 1);
  EXPECT_EQ(count(1.0 / 24, 24), 2);
  EXPECT_EQ(count(0.1, 30), 4);  // 0.1 * 30 is a hair above 3
  EXPECT_EQ(count(0.7, 10), 8);  // 0.7 * 10 is a hair below 7
  EXPECT_EQ(count(1.5, 1), 2);
  for (int frames = 2; frames < 3000; ++frames) {  // what --frames N does
    ASSERT_EQ(count((frames - 1) / 24.0, 24), frames);
    ASSERT_EQ(count((frames - 1) / 29.97, 29.97), frames);
  }
}

TEST_F(RunScene, FramesAreAtExactlyTheirTimes) {
  const Scene scene = scene_of(kBlock, {"fps=30", "duration=0.1", "body.0.edge=0.1"});
  const RunResult result = run_scene(scene, into("a"));
  EXPECT_FALSE(result.interrupted);
  EXPECT_EQ(result.progress.frame, 4);
  const std::vector<Row> rows = stats("a");
  ASSERT_EQ(rows.size(), 4u);
  double steps = 0;
  for (int n = 1; n <= 4; ++n) {
    const double time = (n - 1) / 30.0;
    const Row& row = rows[static_cast<std::size_t>(n - 1)];
    EXPECT_EQ(row[0], std::to_string(n));
    EXPECT_EQ(std::strtod(row[1].c_str(), nullptr), time);
    const Frame f = frame("a", "block.000" + std::to_string(n) + ".vtu");
    EXPECT_EQ(f.time, time);
    EXPECT_EQ(f.number, n);
    steps += std::strtod(row[2].c_str(), nullptr);
    if (n > 1) {
      EXPECT_GT(std::strtod(row[2].c_str(), nullptr), 0);
      EXPECT_GT(std::strtod(row[3].c_str(), nullptr), 0);
      EXPECT_LE(std::strtod(row[3].c_str(), nullptr), 1 / 30.0);
    }
  }
  EXPECT_EQ(static_cast<double>(result.progress.steps), steps);
  EXPECT_EQ(record("a")["totals"]["steps"], result.progress.steps);
  EXPECT_EQ(record("a")["totals"]["frames"], 4);
  EXPECT_EQ(record("a")["status"], "complete");
}

TEST_F(RunScene, StepsLongerThanAFrameStillEndOnIt) {
  const Scene scene = scene_of(kBlock, {"fps=100000", "duration=0.0001", "body.0.edge=0.1"});
  run_scene(scene, into("a"));
  const std::vector<Row> rows = stats("a");
  ASSERT_EQ(rows.size(), 11u);
  for (std::size_t i = 1; i < rows.size(); ++i) EXPECT_EQ(rows[i][2], "1") << "frame " << i + 1;
}

// Free fall has a closed form, whatever the body: symplectic Euler with n equal steps falls g t^2 / 2 (1 + 1/n).
TEST_F(RunScene, FreeFallFollowsGravity) {
  const Scene scene = scene_of(kBlock, {"body.0.edge=0.1", "body.0.position=[0,50,0]", "body.0.velocity=[0,0,0]",
                                        "body.0.spin=[0,0,0]", "region.push.force=[0,0,0]"});
  run_scene(scene, into("a"));
  const std::vector<Row> rows = stats("a");
  ASSERT_EQ(rows.size(), 7u);
  const double time = 6 / 24.0, mass = std::strtod(rows[6][8].c_str(), nullptr);
  EXPECT_NEAR(std::strtod(rows[6][10].c_str(), nullptr), -9.81 * mass * time, 1e-9 * mass);
  const Frame first = frame("a", "block.0001.vtu"), last = frame("a", "block.0007.vtu");
  const double fallen = first.position[0].y() - last.position[0].y();
  EXPECT_NEAR(fallen, 0.5 * 9.81 * time * time, 0.5 * 9.81 * time * time * 0.02);
}

TEST_F(RunScene, TheWrittenSceneGivesTheSameBits) {
  const Scene scene = scene_of(kBlock, {"duration=0.13", "body.0.material.young=3.3e5", "gravity=[0.1,-9.7,0]"});
  run_scene(scene, into("a"));
  const Scene again = read_scene(scene_source(top_ / "a" / "scene.toml"));
  run_scene(again, into("b"));
  EXPECT_EQ(lasting_stats("a"), lasting_stats("b"));
  EXPECT_EQ(frame_bytes("a"), frame_bytes("b"));
  EXPECT_EQ(read_file(top_ / "a/scene.toml"), read_file(top_ / "b/scene.toml"));
  EXPECT_EQ(read_file(top_ / "a/forces.csv"), read_file(top_ / "b/forces.csv"));
  EXPECT_EQ(read_file(top_ / "a/rigid.jsonl"), read_file(top_ / "b/rigid.jsonl"));
  const std::vector<std::string> all = hashes("a");
  EXPECT_EQ(all.size(), 4u);
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), 4u) << "a hash that does not change proves nothing";
}

TEST_F(RunScene, TheNumberOfThreadsChangesNothing) {
  const Scene scene = scene_of(kBlock, {"body.0.edge=0.035", "duration=0.09"});
  run_scene(scene, into("1", 1));
  ASSERT_GT(record("1")["totals"]["elements"], 5000) << "too few to be shared out";
  double contact = 0;
  for (const Row& row : stats("1")) contact = std::max(contact, std::strtod(row[15].c_str(), nullptr));
  ASSERT_GT(contact, 0) << "nothing touches: contact is no part of what is compared";
  for (const int threads : {2, 3, 4, 7}) {
    const std::string folder = std::to_string(threads);
    run_scene(scene, into(folder, threads));
    EXPECT_EQ(hashes(folder), hashes("1")) << threads << " threads";
    EXPECT_EQ(lasting_stats(folder), lasting_stats("1")) << threads << " threads";
    EXPECT_EQ(read_file(top_ / folder / "forces.csv"), read_file(top_ / "1/forces.csv")) << threads << " threads";
    EXPECT_EQ(record(folder)["options"]["threads"], threads);
  }
}

TEST_F(RunScene, AnInterruptedRunGoesOnToTheSameBits) {
  const Scene scene = scene_of(kBlock);
  run_scene(scene, into("whole", 2));
  const RunResult stopped = run_and_stop(scene, into("cut", 1), [](const Progress& p) { return p.frame == 3; });
  EXPECT_TRUE(stopped.interrupted);
  EXPECT_EQ(stopped.progress.frame, 3);
  EXPECT_EQ(record("cut")["status"], "interrupted");
  EXPECT_EQ(stats("cut").size(), 3u);

  RunOptions options = into("cut", 3);
  options.resume = true;
  EXPECT_FALSE(run_scene(scene, options).interrupted);
  EXPECT_EQ(lasting_stats("cut"), lasting_stats("whole"));
  EXPECT_EQ(frame_bytes("cut"), frame_bytes("whole"));
  for (const char* file : {"forces.csv", "rigid.jsonl", "cracks.jsonl", "debris.jsonl", "block.pvd", "scene.toml"}) {
    EXPECT_EQ(read_file(top_ / "cut" / file), read_file(top_ / "whole" / file)) << file;
  }
  EXPECT_EQ(record("cut")["status"], "complete");
  EXPECT_EQ(record("cut")["totals"]["steps"], record("whole")["totals"]["steps"]);
}

// The callback comes after a step if a quarter of a second has passed: one that takes longer is called after each.
TEST_F(RunScene, AStopInsideAFrameLosesNothing) {
  const Scene scene = scene_of(kBlock, {"fps=12"});
  run_scene(scene, into("whole"));
  int calls = 0;
  const auto third_slow_call = [&](const Progress&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    return ++calls == 3;
  };
  const RunResult stopped = run_and_stop(scene, into("cut", 2), third_slow_call);
  ASSERT_TRUE(stopped.interrupted);
  ASSERT_GT(stopped.progress.time, (stopped.progress.frame - 1) / 12.0) << "it stopped on a frame, not inside one";
  ASSERT_LT(stopped.progress.time, stopped.progress.frame / 12.0);

  RunOptions options = into("cut", 1);
  options.resume = true;
  run_scene(scene, options);
  EXPECT_EQ(lasting_stats("cut"), lasting_stats("whole"));
  EXPECT_EQ(frame_bytes("cut"), frame_bytes("whole"));
  EXPECT_EQ(read_file(top_ / "cut/forces.csv"), read_file(top_ / "whole/forces.csv"));
}

// A killed run has written beyond its last checkpoint, and half a line on top.
TEST_F(RunScene, WhatWasWrittenAfterTheCheckpointIsWrittenAgain) {
  const Scene scene = scene_of(kBlock, {"body.0.edge=0.1"});
  run_scene(scene, into("whole"));
  RunOptions options = into("cut");
  options.checkpoint_frames = 2;
  run_scene(scene, options);
  EXPECT_EQ(checkpoints("cut"), (Names{"block.0001.checkpoint", "block.0003.checkpoint", "block.0005.checkpoint",
                                       "block.0007.checkpoint"}));
  fs::remove(top_ / "cut/checkpoints/block.0005.checkpoint");
  fs::remove(top_ / "cut/checkpoints/block.0007.checkpoint");
  write_file_atomically(top_ / "cut/stats.csv", read_file(top_ / "cut/stats.csv") + "8,0.3,1");
  write_file_atomically(top_ / "cut/frames/block.0008.vtu.part", "half a frame");
  options.resume = true;
  run_scene(scene, options);
  EXPECT_EQ(lasting_stats("cut"), lasting_stats("whole"));
  EXPECT_EQ(frame_bytes("cut"), frame_bytes("whole"));
}

TEST_F(RunScene, CheckpointsAreWrittenByTimeAndByFrames) {
  const Scene scene = scene_of(kBlock, {"body.0.edge=0.1", "duration=0.21"});  // 6 frames
  RunOptions options = into("a");
  options.checkpoint_seconds = 0;  // after every step
  options.checkpoint_frames = 0;
  run_scene(scene, options);
  Names kept = checkpoints("a");
  ASSERT_EQ(kept.size(), 3u) << "the first for good, and the newest two";
  EXPECT_TRUE(kept.contains("block.0001.checkpoint"));
  EXPECT_TRUE(kept.contains("block.0006+0.checkpoint"));
  options = into("b");
  options.checkpoint_frames = 3;
  run_scene(scene, options);
  EXPECT_EQ(checkpoints("b"), (Names{"block.0001.checkpoint", "block.0004.checkpoint", "block.0006+0.checkpoint"}));
}

TEST_F(RunScene, ACheckpointCanBeAskedFor) {
  std::atomic<bool> now{false};
  RunOptions options = into("a");
  options.checkpoint_frames = 0;
  options.checkpoint_now = &now;
  options.progress = [&](const Progress& p) { now = p.frame == 3; };
  run_scene(scene_of(kBlock, {"body.0.edge=0.1"}), options);
  EXPECT_EQ(checkpoints("a"), (Names{"block.0001.checkpoint", "block.0003+0.checkpoint", "block.0007+0.checkpoint"}));
}

TEST_F(RunScene, ADamagedCheckpointIsNamedAndThePreviousOneServes) {
  const Scene scene = scene_of(kBlock, {"body.0.edge=0.1"});
  run_scene(scene, into("whole"));
  const std::string wrong = "x";
  for (const std::size_t damaged : {1u, 2u, 3u}) {
    RunOptions options = into("a");
    options.checkpoint_frames = 2;
    run_and_stop(scene, options, [](const Progress& p) { return p.frame == 4; });
    ASSERT_EQ(checkpoints("a").size(), 3u);  // frames 1, 3 and 4
    const Names files = checkpoints("a");
    std::vector<fs::path> hit;
    for (auto file = files.rbegin(); hit.size() < damaged; ++file) {
      hit.push_back(top_ / "a/checkpoints" / *file);
      write_file_atomically(hit.back(), read_file(hit.back()) + wrong);
    }
    std::string notes;
    options.resume = true;
    options.warn = [&](const std::string& note) { notes += note + "\n"; };
    if (damaged == 3) {
      EXPECT_THROW(run_scene(scene, options), FileError);
    } else {
      EXPECT_FALSE(run_scene(scene, options).interrupted);
      EXPECT_EQ(lasting_stats("a"), lasting_stats("whole"));
      EXPECT_EQ(frame_bytes("a"), frame_bytes("whole"));
    }
    for (const fs::path& file : hit) EXPECT_NE(notes.find(file.string() + ": is damaged"), std::string::npos) << notes;
  }
}

TEST_F(RunScene, AChangedSceneIsNotResumedAndTheRunStaysAsItIs) {
  run_and_stop(scene_of(kBlock, {"body.0.edge=0.1"}), into("a"), [](const Progress& p) { return p.frame == 3; });
  const auto frames = frame_bytes("a");
  RunOptions options = into("a");
  options.resume = true;
  try {
    run_scene(scene_of(kBlock, {"body.0.edge=0.1", "gravity=[0,-1,0]"}), options);
    FAIL() << "it was taken";
  } catch (const FileError& error) {
    EXPECT_NE(std::string(error.what()).find("another scene"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("--from"), std::string::npos) << error.what();
  }
  EXPECT_EQ(frame_bytes("a"), frames);
}

TEST_F(RunScene, ARunKilledBeforeItsFirstCheckpointStartsAnew) {
  const Scene scene = scene_of(kBlock, {"body.0.edge=0.1", "duration=0.1"});
  run_scene(scene, into("whole"));
  fs::create_directories(top_ / "a");
  std::string notes;
  RunOptions options = into("a");
  options.resume = true;
  options.warn = [&](const std::string& note) { notes += note; };
  EXPECT_FALSE(run_scene(scene, options).interrupted);
  EXPECT_NE(notes.find("beginning"), std::string::npos) << notes;
  EXPECT_EQ(lasting_stats("a"), lasting_stats("whole"));
}

// A branch that changes nothing goes on as its parent did, but for what contacts and the step had learnt: in free
// flight, to the last bits but a few.
TEST_F(RunScene, ABranchTakesTheMotionOver) {
  const std::vector<std::string> flying = {"body.0.edge=0.1", "body.0.position=[0,9,0]"};
  const Scene scene = scene_of(kBlock, flying);
  RunOptions options = into("parent");
  options.checkpoint_frames = 2;
  run_scene(scene, options);
  options = into("branch");
  options.branch = BranchPoint{top_ / "parent", "block", 3};
  run_scene(scene, options);
  const Frame was = frame("parent", "block.0007.vtu"), is = frame("branch", "block.0007.vtu");
  for (std::size_t i = 0; i < was.position.size(); ++i) {
    ASSERT_LT((was.position[i] - is.position[i]).norm(), 1e-4) << "of 0.4 m, after steps of other lengths";
  }
  for (std::size_t row = 0; row < 3; ++row) EXPECT_EQ(hashes("branch")[row], hashes("parent")[row]);
  EXPECT_EQ(record("branch")["parent"]["frame"], 3);
  EXPECT_EQ(record("branch")["status"], "complete");

  // It can itself be stopped and resumed.
  options = into("cut");
  options.branch = BranchPoint{top_ / "parent", "block", 3};
  run_and_stop(scene, options, [](const Progress& p) { return p.frame == 5; });
  options = into("cut");
  options.resume = true;
  run_scene(scene, options);
  EXPECT_EQ(lasting_stats("cut"), lasting_stats("branch"));
}

TEST_F(RunScene, ABranchFollowsItsOwnScene) {
  const Scene scene = scene_of(kBlock, {"body.0.edge=0.1", "body.0.position=[0,9,0]", "region.push.force=[0,0,0]"});
  RunOptions options = into("parent");
  options.checkpoint_frames = 2;
  run_scene(scene, options);
  options = into("branch");
  options.branch = BranchPoint{top_ / "parent", "block", 3};
  Scene weightless = scene;
  weightless.gravity.setZero();
  run_scene(weightless, options);
  const auto rows = stats("branch");
  const double then = std::strtod(rows[2][10].c_str(), nullptr), now = std::strtod(rows[6][10].c_str(), nullptr);
  EXPECT_NEAR(now, then, 1e-9 * std::abs(then)) << "momentum stays without gravity";
  EXPECT_EQ(read_scene(scene_source(top_ / "branch/scene.toml")).gravity, Vec3(Vec3::Zero()));
}

// The step is a little too long: the energy grows by and by. The run must end soon after, while all is finite.
TEST_F(RunScene, EnergyFromNowhereEndsTheRunSoon) {
  const std::vector<std::string> flying = {"body.0.edge=0.1", "body.0.position=[0,90,0]", "region.push.force=[0,0,0]",
                                           "duration=60", "fps=0.05"};
  const double limit = build_run(scene_of(kBlock, flying)).solver->stability_limit();
  for (const double excess : {1.4, 2.0, 10.0}) {
    const double dt = 20 / std::ceil(20 / (excess * limit));  // steps fit into frames: the loop takes them as they are
    Scene scene = scene_of(kBlock, flying);
    scene.dt = dt;
    // The first step at which there is half as much energy again as flight and fall explain.
    const BuiltRun built = build_run(scene);
    const auto energy = [](const Totals& t) { return t.kinetic + t.elastic + t.gravity + t.dissipated; };
    const Totals start = built.solver->totals();
    std::uint64_t grown = 0;
    for (Totals t = start; energy(t) - energy(start) < 0.5 * (start.kinetic + start.gravity - t.gravity);
         t = built.solver->totals()) {
      built.solver->step(dt);
      ASSERT_LT(++grown, 10'000u);
    }
    try {
      run_scene(scene, into("a"));
      FAIL() << "a step of " << excess << " times the limit was survived";
    } catch (const SimulationError& error) {
      const std::string what = error.what();
      EXPECT_NE(what.find("body \"block\" blew up at step "), std::string::npos) << what;
      EXPECT_NE(what.find("node "), std::string::npos) << what;
      EXPECT_NE(what.find("remove dt"), std::string::npos) << what;
      const auto stopped = std::strtoull(what.c_str() + what.find("at step ") + 8, nullptr, 10);
      EXPECT_LT(stopped, grown + 100) << excess;
      EXPECT_GT(stopped + 100, grown) << "stopped while all was well";
    }
    EXPECT_EQ(stats("a").size(), 1u) << "the last good frame stays";
    EXPECT_EQ(record("a")["status"], "failed");
  }
}

TEST_F(RunScene, AStepFarTooLargeEndsTheRunWithAWord) {
  const Scene scene = scene_of(kBlock, {"dt=0.004", "duration=20", "fps=250", "body.0.edge=0.1"});
  std::string what;
  try {
    run_scene(scene, into("a"));
    FAIL() << "a step thirty times too long was survived";
  } catch (const SimulationError& error) {
    EXPECT_EQ(error.code(), ExitCode::simulation);
    what = error.what();
  }
  EXPECT_NE(what.find("body \"block\" blew up at step "), std::string::npos) << what;
  EXPECT_NE(what.find("remove dt"), std::string::npos) << what;
  if (const std::size_t below = what.find("below "); below != std::string::npos) {  // then it must be of use
    EXPECT_NEAR(std::strtod(what.c_str() + below + 6, nullptr), stable_dt_of(kBlock, {"body.0.edge=0.1"}), 1e-4)
        << what;
  }

  const Json failed = record("a");
  EXPECT_EQ(failed["status"], "failed");
  EXPECT_EQ(failed["message"], what);
  EXPECT_EQ(failed["totals"]["frames"], stats("a").size());
  for (const auto& [file, bytes] : frame_bytes("a")) {
    const Frame f = frame("a", file);
    for (const double x : flat(f.position)) ASSERT_TRUE(std::isfinite(x)) << file;
  }
  EXPECT_EQ(frame_bytes("a").size(), stats("a").size());
}

// Forward Euler lives off damping; a contact without any leaves it no step at all, which must not become an endless
// loop of steps of nothing.
TEST_F(RunScene, NoStableStepIsAnErrorNotAnEndlessRun) {
  const Scene scene = scene_of(
      kBlock, {"integrator=forward-euler", "collider.floor.damping=0", "body.0.edge=0.1", "body.0.material.phi=2000",
               "body.0.material.psi=2000", "damping=literal", "body.0.position=[0,0.25,0]"});
  std::atomic<bool> stop{false};
  RunOptions options = into("a");
  options.stop = &stop;
  std::uint64_t calls = 0;
  options.progress = [&](const Progress&) {
    if (++calls > 40) stop = true;  // ten seconds
  };
  try {
    run_scene(scene, options);
    FAIL() << (stop ? "it would run for ever" : "it ran without a stable step");
  } catch (const SimulationError& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find("forward-euler"), std::string::npos) << what;
    EXPECT_NE(what.find("symplectic-euler"), std::string::npos) << what;
  }
  EXPECT_EQ(record("a")["status"], "failed");
}

TEST_F(RunScene, AStopBeforeTheFirstStepLeavesAResumableRun) {
  const Scene scene = scene_of(kBlock, {"body.0.edge=0.1"});
  run_scene(scene, into("whole"));
  const std::atomic<bool> stop{true};
  RunOptions options = into("cut");
  options.stop = &stop;
  const RunResult result = run_scene(scene, options);
  EXPECT_TRUE(result.interrupted);
  EXPECT_EQ(stats("cut").size(), 1u);
  options = into("cut");
  options.resume = true;
  EXPECT_FALSE(run_scene(scene, options).interrupted);
  EXPECT_EQ(lasting_stats("cut"), lasting_stats("whole"));
}

TEST_F(RunScene, ProgressGoesFromStartToEnd) {
  std::vector<Progress> seen;
  RunOptions options = into("a");
  options.progress = [&](const Progress& p) { seen.push_back(p); };
  run_scene(scene_of(kBlock, {"body.0.edge=0.1"}), options);
  ASSERT_GE(seen.size(), 7u);
  std::set<int> frames;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    EXPECT_EQ(seen[i].frames, 7);
    EXPECT_GE(seen[i].seconds_left, 0);
    if (i > 0) {
      EXPECT_GE(seen[i].done, seen[i - 1].done);
    }
    frames.insert(seen[i].frame);
  }
  EXPECT_EQ(frames, (std::set<int>{1, 2, 3, 4, 5, 6, 7})) << "every frame is told, the one at t = 0 included";
  EXPECT_NEAR(seen.back().done, 1, 1e-12);
  EXPECT_NEAR(seen.back().seconds_left, 0, 1e-6);
}

}  // namespace
}  // namespace sunder
