#include "sim/check_run.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <functional>
#include <limits>

#include "cache/frame_vtu.h"
#include "core/error.h"
#include "core/files.h"
#include "scene/read_scene.h"
#include "sim/run.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;

// Two boxes that fall on the ground, one of them held: four frames, a hundred tets.
constexpr const char* kScene = R"(
name = "two"
duration = 0.125
[[body]]
name = "low"
shape = { kind = "box", size = [0.2, 0.2, 0.2] }
edge = 0.1
position = [0, 0.1001, 0]
material = { preset = "jelly", young = 4e5, poisson = 0.3, phi = 50, psi = 50 }
[[body]]
name = "high"
shape = { kind = "box", size = [0.2, 0.1, 0.1] }
edge = 0.1
position = [0, 1, 0]
material = { preset = "jelly", young = 4e5, poisson = 0.3, phi = 50, psi = 50 }
[[collider]]
name = "floor"
shape = { kind = "ground" }
[[region]]
name = "grip"
where = { kind = "half-space", point = [0, 1.04, 0], normal = [0, 1, 0] }
action = "hold"
)";

class CheckRun : public testing::Test {
 protected:
  CheckRun() : run_(fs::temp_directory_path() / ("sunder_check_test_" + std::to_string(::getpid()))) {
    fs::remove_all(run_);
    RunOptions options;
    options.folder = run_;
    run_scene(read_scene({.text = kScene, .file_name = "two.toml"}), options);
  }
  ~CheckRun() override { fs::remove_all(run_); }

  std::vector<std::string> problems() const { return check_run(run_).problems; }

  // The damage must be named, by a sentence with all of these words in it.
  void expect_named(std::initializer_list<std::string_view> words) const {
    std::string all;
    for (const std::string& problem : problems()) {
      all += "  " + problem + "\n";
      bool here = true;
      for (const std::string_view word : words) here = here && problem.find(word) != std::string::npos;
      if (here) return;
    }
    ADD_FAILURE() << "no problem says all of: " << testing::PrintToString(std::vector<std::string_view>(words))
                  << "\nthere are:\n"
                  << all;
  }

  fs::path frame_file(int number) const { return run_ / "frames" / ("two.000" + std::to_string(number) + ".vtu"); }
  // Rewrites a frame, or all of them if number is 0, after a change: the file is whole, what it says is wrong.
  void change_frame(int number, const std::function<void(Frame&)>& change) const {
    for (int n = 1; n <= 4; ++n) {
      if (number != 0 && n != number) continue;
      Frame frame = read_frame(frame_file(n));
      change(frame);
      write_file_atomically(frame_file(n), frame_text(frame));
    }
  }
  void change_file(const std::string& name, const std::function<void(std::string&)>& change) const {
    std::string text = read_file(run_ / name);
    const std::string before = text;
    change(text);
    ASSERT_NE(text, before) << "the damage did nothing to " << name;
    write_file_atomically(run_ / name, text);
  }
  void replace(const std::string& name, const std::string& from, const std::string& to) const {
    change_file(name, [&](std::string& text) {
      const std::size_t at = text.find(from);
      ASSERT_NE(at, std::string::npos) << name << " does not hold " << from;
      text.replace(at, from.size(), to);
    });
  }
  // Gives one cell of stats.csv another content; the row is the frame's.
  void edit_stats(int frame, int column, const std::string& value) const {
    change_file("stats.csv", [&](std::string& text) {
      std::size_t at = text.find("\n" + std::to_string(frame) + ",") + 1;
      for (int i = 0; i < column; ++i) at = text.find(',', at) + 1;
      text.replace(at, text.find_first_of(",\n", at) - at, value);
    });
  }

  fs::path run_;
};

TEST_F(CheckRun, AGoodRunIsFine) {
  const CheckReport report = check_run(run_);
  EXPECT_EQ(report.problems, std::vector<std::string>{});
  EXPECT_EQ(report.frames, 4);
  EXPECT_EQ(report.status, "complete");
  EXPECT_EQ(report.elements.tets, read_frame(frame_file(4)).tets.size());
  EXPECT_GT(report.elements.tets, 0u);
  EXPECT_EQ(report.elements.count(), report.elements.tets);
}

TEST_F(CheckRun, AnInterruptedRunIsFine) {
  std::atomic<bool> stop{false};
  RunOptions options;
  options.folder = run_;
  options.stop = &stop;
  options.progress = [&](const Progress& p) { stop = p.frame >= 2; };
  ASSERT_TRUE(run_scene(read_scene({.text = kScene, .file_name = "two.toml"}), options).interrupted);
  const CheckReport report = check_run(run_);
  EXPECT_EQ(report.problems, std::vector<std::string>{});
  EXPECT_EQ(report.status, "interrupted");
  EXPECT_EQ(report.frames, 2);
}

TEST_F(CheckRun, AFailedRunIsNotFine) {
  RunOptions options;
  options.folder = run_;
  const Scene scene = read_scene({.text = kScene, .file_name = "two.toml"}, {.overrides = {"dt=0.01", "duration=20"}});
  EXPECT_THROW(run_scene(scene, options), SimulationError);
  expect_named({"the run failed", "blew up"});
}

TEST_F(CheckRun, WhatIsNoRunIsAFileError) {
  EXPECT_THROW(check_run(run_ / "nowhere"), FileError);
  EXPECT_THROW(check_run(run_ / "frames"), FileError);
  EXPECT_THROW(check_run(run_ / "scene.toml"), FileError);
}

// --- files that are not there

TEST_F(CheckRun, AMissingFrameIsNamed) {
  fs::remove(frame_file(2));
  expect_named({"frame 2 is missing"});
  expect_named({"stats.csv has frame 2"});
}

TEST_F(CheckRun, AMissingLastFrameIsNamed) {
  fs::remove(frame_file(4));
  change_file("stats.csv", [](std::string& text) { text.erase(text.find("\n4,") + 1); });
  expect_named({"run.json counts 4 frames, frames/ holds 3"});
}

TEST_F(CheckRun, AMissingFileIsNamed) {
  for (const char* file :
       {"scene.toml", "stats.csv", "forces.csv", "rigid.jsonl", "cracks.jsonl", "debris.jsonl", "two.pvd"}) {
    const std::string text = read_file(run_ / file);
    fs::remove(run_ / file);
    expect_named({file});
    write_file_atomically(run_ / file, text);
  }
  EXPECT_EQ(problems(), std::vector<std::string>{});
}

TEST_F(CheckRun, AMissingFramesFolderIsNamed) {
  fs::remove_all(run_ / "frames");
  expect_named({"frames/", "No such file"});
}

TEST_F(CheckRun, AFileUnderConstructionIsNamed) {
  write_file_atomically(run_ / "frames" / "two.0005.vtu.part", "half a frame");
  expect_named({"two.0005.vtu.part", "never completed"});
}

TEST_F(CheckRun, AFrameTooManyIsNamed) {
  fs::copy_file(frame_file(4), run_ / "frames" / "two.0005.vtu");
  expect_named({"two.0005.vtu", "says it is frame 4"});
  expect_named({"two.0005.vtu", "no row in stats.csv"});
}

// --- frames that cannot be read

TEST_F(CheckRun, ATruncatedFrameIsNamed) {
  fs::resize_file(frame_file(3), fs::file_size(frame_file(3)) / 2);
  expect_named({"two.0003.vtu"});
  fs::resize_file(frame_file(3), 0);
  expect_named({"two.0003.vtu"});
}

TEST_F(CheckRun, AFlippedByteInAFrameIsNamed) {
  const std::string good = read_file(frame_file(2));
  const std::size_t data = good.find('_', good.find("<AppendedData"));
  for (const double where : {0.1, 0.3, 0.5, 0.7, 0.9}) {
    std::string text = good;
    const auto at = data + static_cast<std::size_t>(where * static_cast<double>(text.size() - data));
    text[at] = static_cast<char>(text[at] ^ 0x10);
    write_file_atomically(frame_file(2), text);
    expect_named({"two.0002.vtu"});
  }
}

TEST_F(CheckRun, AFrameThatIsNoFrameIsNamed) {
  write_file_atomically(frame_file(2), "P6 640 480 255\n");
  expect_named({"two.0002.vtu"});
}

// --- frames that say something wrong

TEST_F(CheckRun, AFrameUnderAnothersNameIsNamed) {
  fs::copy_file(frame_file(3), frame_file(2), fs::copy_options::overwrite_existing);
  expect_named({"two.0002.vtu", "says it is frame 3"});
  expect_named({"two.0002.vtu", "time differs"});
}

TEST_F(CheckRun, AWrongTimeIsNamed) {
  change_frame(2, [](Frame& f) { f.time = std::nextafter(f.time, 1); });
  expect_named({"two.0002.vtu", "time differs"});
}

TEST_F(CheckRun, NumbersThatAreNotFiniteAreNamed) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  change_frame(1, [&](Frame& f) { f.position.back().z() = nan; });
  change_frame(2, [&](Frame& f) { f.velocity.front().x() = inf; });
  change_frame(3, [&](Frame& f) { f.stress[1] = -inf; });
  change_frame(4, [&](Frame& f) { f.rest[0].y() = nan; });
  expect_named({"two.0001.vtu", "position is not finite"});
  expect_named({"two.0002.vtu", "velocity is not finite"});
  expect_named({"two.0003.vtu", "stress is not finite"});
  expect_named({"two.0004.vtu", "material position", "not finite"});
}

TEST_F(CheckRun, AFragmentThatIsTornIsNamed) {
  change_frame(3, [](Frame& f) { f.fragment[0] = 7; });
  expect_named({"two.0003.vtu", "share a face but not a fragment"});
  expect_named({"two.0003.vtu", "fragment count differs from stats.csv"});
}

TEST_F(CheckRun, TwoPiecesOfOneFragmentAreNamed) {
  change_frame(0, [](Frame& f) { f.fragment.assign(f.fragment.size(), 1); });
  for (int n = 1; n <= 4; ++n) edit_stats(n, 6, "1");
  expect_named({"two.0001.vtu", "2 separate pieces have 1 different fragment ids"});
}

TEST_F(CheckRun, ADuplicateUidIsNamed) {
  change_frame(2, [](Frame& f) { f.node_uid[3] = f.node_uid[5]; });
  change_frame(3, [](Frame& f) { f.tet_uid[0] = f.tet_uid[1]; });
  expect_named({"two.0002.vtu", "two nodes share a uid"});
  expect_named({"two.0003.vtu", "two elements share a uid"});
}

TEST_F(CheckRun, AnInvertedTetIsNamed) {
  change_frame(2, [](Frame& f) { std::swap(f.tets[4][0], f.tets[4][1]); });
  expect_named({"two.0002.vtu", "tet 4", "not positive"});
}

TEST_F(CheckRun, ATetWithACornerTwiceIsNamed) {
  change_frame(2, [](Frame& f) { f.tets[4][0] = f.tets[4][1]; });
  expect_named({"two.0002.vtu", "tet 4", "node twice"});
}

TEST_F(CheckRun, ATetTwiceIsNamed) {
  change_frame(2, [](Frame& f) { f.tets[4] = f.tets[5]; });
  expect_named({"two.0002.vtu", "duplicate"});
}

TEST_F(CheckRun, AnOrphanedNodeIsNamed) {
  change_frame(2, [](Frame& f) {
    f.position.push_back(Vec3::Zero()), f.rest.push_back(Vec3::Zero()), f.velocity.push_back(Vec3::Zero());
    f.node_uid.push_back(100000);
  });
  expect_named({"two.0002.vtu", "orphan"});
  expect_named({"two.0002.vtu", "count differs from stats.csv"});
}

TEST_F(CheckRun, ACrackInsideIsNamed) {
  change_frame(2, [](Frame& f) { f.crack_faces.assign(f.crack_faces.size(), 15); });
  expect_named({"two.0002.vtu", "crack face", "has a neighbour"});
}

TEST_F(CheckRun, ALostTetIsNamed) {
  change_frame(2, [](Frame& f) {
    f.tets.pop_back(), f.body.pop_back(), f.fragment.pop_back(), f.material.pop_back();
    f.tet_uid.pop_back(), f.stress.pop_back(), f.crack_faces.pop_back();
    f.parts.pop_back(), f.uv.pop_back();
  });
  expect_named({"two.0002.vtu", "element count differs"});
}

// --- tables and logs

TEST_F(CheckRun, AnEditedStatsRowIsNamed) {
  edit_stats(2, 4, "7");
  expect_named({"two.0002.vtu", "node or element count differs"});
  edit_stats(3, 8, "heavy");
  expect_named({"stats.csv:4", "mass is not a finite number"});
  edit_stats(3, 8, "1.5kg");
  expect_named({"stats.csv:4", "mass is not a finite number"});
  edit_stats(3, 8, "nan");
  expect_named({"stats.csv:4", "mass is not a finite number"});
  edit_stats(3, 8, "");
  expect_named({"stats.csv:4", "mass is not a finite number"});
  edit_stats(4, 17, "123");
  expect_named({"state_hash of frame 4"});
}

TEST_F(CheckRun, AStatsTableThatIsNotOneIsNamed) {
  const std::string good = read_file(run_ / "stats.csv");
  replace("stats.csv", "frame,time", "time,frame");
  expect_named({"stats.csv", "header"});
  write_file_atomically(run_ / "stats.csv", good + "5,0.2");
  expect_named({"stats.csv:6", "2 fields instead of 19"});
  write_file_atomically(run_ / "stats.csv", good);
  replace("stats.csv", "\n3,", "\n5,");
  expect_named({"stats.csv", "frame 5 is out of order"});
  write_file_atomically(run_ / "stats.csv", good);
  edit_stats(3, 1, "0.5");
  expect_named({"two.0003.vtu", "time differs"});
}

TEST_F(CheckRun, DamagedForcesAreNamed) {
  const std::string good = read_file(run_ / "forces.csv");
  ASSERT_NE(good.find("\n2,"), std::string::npos);
  replace("forces.csv", ",hold,", ",hold,x");
  expect_named({"forces.csv:2", "force_x is not a finite number"});
  write_file_atomically(run_ / "forces.csv", good + "4,0.125,gri");
  expect_named({"forces.csv", "3 fields instead of 12"});
  write_file_atomically(run_ / "forces.csv", good.substr(good.find('\n') + 1));
  expect_named({"forces.csv", "header"});
  write_file_atomically(run_ / "forces.csv", good);
  replace("forces.csv", "\n2,", "\n9,");
  expect_named({"forces.csv", "frame 9 is out of order"});
}

TEST_F(CheckRun, BrokenJsonLinesAreNamed) {
  change_file("rigid.jsonl", [](std::string& text) { text += "{\"frame\":5,"; });
  expect_named({"rigid.jsonl:5"});
  change_file("cracks.jsonl", [](std::string& text) { text += "crack\n"; });
  expect_named({"cracks.jsonl:1"});
}

TEST_F(CheckRun, ASeriesThatLeavesOutAFrameIsNamed) {
  replace("two.pvd", "two.0003.vtu", "two.0033.vtu");
  expect_named({"two.pvd", "frame 3"});
}

TEST_F(CheckRun, ASeriesWithAWrongTimeIsNamed) {
  replace("two.pvd", "timestep=\"0.125\"", "timestep=\"0.126\"");
  expect_named({"two.pvd", "frame 4"});
}

TEST_F(CheckRun, ADamagedSceneIsNamedWithItsPlace) {
  replace("scene.toml", "fps", "fsp");
  expect_named({"scene.toml:", "fsp"});
}

TEST_F(CheckRun, ADamagedRecordIsNamed) {
  const std::string good = read_file(run_ / "run.json");
  replace("run.json", "{", "");
  expect_named({"run.json is damaged"});
  write_file_atomically(run_ / "run.json", good);
  replace("run.json", "\"complete\"", "17");
  expect_named({"run.json is damaged"});
  write_file_atomically(run_ / "run.json", "");
  expect_named({"run.json is damaged"});
  for (const char* frames : {"4e65", "4.5", "\"4\"", "true"}) {  // no int holds the first
    write_file_atomically(run_ / "run.json", good);
    replace("run.json", "\"frames\": 4", std::string("\"frames\": ") + frames);
    expect_named({"run.json is damaged"});
  }
  write_file_atomically(run_ / "run.json", good);
  replace("run.json", "\"two\"", "\"" + std::string(1000, 'x') + "\"");
  expect_named({".pvd is missing"});
}

}  // namespace
}  // namespace sunder
