#include "cache/run_folder.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cache/checkpoint_store.h"
#include "cache/frame_vtu.h"
#include "core/error.h"
#include "core/files.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Files = std::map<std::string, std::string>;

Frame one_tet(int number, double time) {
  Frame frame;
  frame.number = number;
  frame.time = time;
  frame.position = frame.rest = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  frame.velocity.assign(4, Vec3(0, -time, 0));
  frame.node_uid = {1, 2, 3, 4};
  frame.tets = {{0, 1, 2, 3}};
  frame.body = frame.material = {0};
  frame.fragment = {1};
  frame.tet_uid = {1};
  frame.stress = {0};
  frame.crack_faces = {0};
  return frame;
}

FrameStats stats_of(int number, double time) {
  FrameStats stats;
  stats.frame = number;
  stats.time = time;
  stats.steps = 10;
  stats.dt_min = 1e-4;
  stats.totals.nodes = 4;
  stats.totals.elements = stats.totals.fragments = 1;
  stats.totals.mass = 0.25;
  stats.totals.momentum = Vec3(0.5, -1, 2);
  stats.state_hash = 0xabcull;
  stats.wall_s = 1.5;
  return stats;
}

class RunFolderTest : public testing::Test {
 protected:
  RunFolderTest() : top_(fs::temp_directory_path() / ("sunder_run_folder_test_" + std::to_string(::getpid()))) {
    fs::remove_all(top_);
    fs::create_directories(top_);
  }
  ~RunFolderTest() override { fs::remove_all(top_); }

  // Every file below the folder with its content; folders end in / and have none.
  static Files files(const fs::path& folder) {
    Files result;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      const std::string name = fs::relative(entry.path(), folder).generic_string();
      if (entry.is_directory()) {
        result[name + "/"] = "";
      } else {
        result[name] = read_file(entry.path());
      }
    }
    return result;
  }
  static std::set<std::string> names(const Files& all) {
    std::set<std::string> result;
    for (const auto& [name, content] : all) result.insert(name);
    return result;
  }
  // The message of the FileError that the action must throw.
  static std::string file_error(const std::function<void()>& action) {
    try {
      action();
    } catch (const FileError& error) {
      return error.what();
    }
    ADD_FAILURE() << "no FileError";
    return "";
  }

  static void add(RunFolder& run, int number) {
    const double time = (number - 1) / 24.0;
    const FrameStats stats = stats_of(number, time);
    run.add_frame(one_tet(number, time));
    run.add_reactions(stats, {{.name = "grip", .kind = "hold"}, {.name = "floor", .kind = "collider"}}, 1 / 24.0);
    run.add_poses(stats, {{.name = "floor", .kind = "ground"}});
    run.add_stats(stats);
  }
  // A run of some frames in top_/run.
  RunFolder make_run(const std::string& name, int frames) {
    RunFolder run(top_ / "run", name);
    run.start({.name = name}, "about = \"" + name + "\"\n");
    for (int n = 1; n <= frames; ++n) add(run, n);
    run.write_record({.name = name, .status = "complete", .frames = frames});
    CheckpointStore(top_ / "run", name).write({.frame = frames, .steps = 0, .keep = true}, "state");
    return run;
  }

  fs::path top_;
};

TEST_F(RunFolderTest, HoldsWhatTheInterfaceNames) {
  make_run("bowl", 2);
  EXPECT_EQ(names(files(top_ / "run")),
            (std::set<std::string>{"bowl.pvd", "checkpoints/", "checkpoints/bowl.0002.checkpoint", "cracks.jsonl",
                                   "debris.jsonl", "forces.csv", "frames/", "frames/bowl.0001.vtu",
                                   "frames/bowl.0002.vtu", "rigid.jsonl", "run.json", "scene.toml", "stats.csv"}));
  EXPECT_EQ(read_file(top_ / "run/scene.toml"), "about = \"bowl\"\n");
}

TEST_F(RunFolderTest, StatsHaveTheColumnsOfTheInterface) {
  make_run("bowl", 1);
  EXPECT_EQ(read_file(top_ / "run/stats.csv"),
            "frame,time,steps,dt_min,nodes,elements,fragments,crack_area,mass,momentum_x,momentum_y,momentum_z,kinetic,"
            "elastic,gravity,contact,dissipated,state_hash,wall_s\n"
            "1,0,10,0.0001,4,1,1,0,0.25,0.5,-1,2,0,0,0,0,0,0000000000000abc,1.500\n");
}

TEST_F(RunFolderTest, StatsKeepEveryBitOfANumber) {
  RunFolder run = make_run("bowl", 0);
  FrameStats stats = stats_of(1, 0.1 + 0.2);
  stats.totals.kinetic = 1.0 / 3;
  run.add_stats(stats);
  std::istringstream in(read_file(top_ / "run/stats.csv"));
  std::string line, cell;
  std::getline(in, line), std::getline(in, line);
  std::istringstream cells(line);
  std::vector<double> numbers;
  while (std::getline(cells, cell, ',')) numbers.push_back(std::strtod(cell.c_str(), nullptr));
  ASSERT_EQ(numbers.size(), 19u);
  EXPECT_EQ(numbers[1], 0.1 + 0.2);
  EXPECT_EQ(numbers[12], 1.0 / 3);
}

TEST_F(RunFolderTest, ForcesAreMeansOverTheFrame) {
  RunFolder run = make_run("bowl", 0);
  Reaction grip{
      .name = "grip", .kind = "hold", .force = Vec3(1, 2, 3), .impulse = Vec3(2, 4, -6), .peak = 9, .work = 7};
  run.add_reactions(stats_of(2, 0.5), {grip}, 0.5);
  grip.name = "start";
  run.add_reactions(stats_of(1, 0), {grip}, 0);  // no time has passed: the force itself
  EXPECT_EQ(read_file(top_ / "run/forces.csv"),
            "frame,time,region,kind,force_x,force_y,force_z,mean_x,mean_y,mean_z,peak,work\n"
            "2,0.5,grip,hold,1,2,3,4,8,-12,9,7\n"
            "1,0,start,hold,1,2,3,1,2,3,9,7\n");
}

TEST_F(RunFolderTest, PosesAreQuaternionsWithTheScalarFirst) {
  RunFolder run = make_run("bowl", 0);
  RigidPose pose{.name = "ball", .kind = "sphere", .position = Vec3(1, 2, 3)};
  pose.rotation << 0, -1, 0, 1, 0, 0, 0, 0, 1;  // 90 degrees about z
  run.add_poses(stats_of(3, 0.25), {pose});
  const Json line = Json::parse(read_file(top_ / "run/rigid.jsonl"));
  EXPECT_EQ(line["frame"], 3);
  EXPECT_EQ(line["time"], 0.25);
  EXPECT_EQ(line["name"], "ball");
  EXPECT_EQ(line["position"], (Json{1.0, 2.0, 3.0}));
  const double half = std::sqrt(0.5);
  const std::vector<double> expected = {half, 0, 0, half};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(line["rotation"][i].get<double>(), expected[i], 1e-15);
}

TEST_F(RunFolderTest, AForeignFolderIsRefusedAndLeftUntouched) {
  const std::vector<Files> foreign = {
      {{"thesis.tex", "years of work"}},
      {{"frames/", ""}, {"frames/movie.0001.png", "a picture"}},
      {{"scene.toml", "a scene somebody wrote"}},
      {{"run.json", "{\"program\": \"another\"}"}, {"frames/", ""}, {"frames/a.vtu", "theirs"}},
      {{"run.json", "not JSON"}, {"stats.csv", "theirs"}},
      {{"run.json/", ""}, {"run.json/x", "a folder of that name"}},
      {{".hidden", "a dot file"}},
  };
  for (std::size_t i = 0; i < foreign.size(); ++i) {
    const fs::path folder = top_ / std::to_string(i);
    fs::create_directories(folder);
    for (const auto& [name, content] : foreign[i]) {
      if (name.ends_with('/')) {
        fs::create_directories(folder / name);
      } else {
        write_file_atomically(folder / name, content);
      }
    }
    const std::string problem = file_error([&] { RunFolder(folder, "bowl").start({.name = "bowl"}, "scene"); });
    EXPECT_NE(problem.find(folder.string()), std::string::npos) << problem;
    EXPECT_NE(problem.find("-o"), std::string::npos) << "no way out: " << problem;
    EXPECT_EQ(files(folder), foreign[i]);
  }
}

TEST_F(RunFolderTest, AFileInTheWayIsRefused) {
  write_file_atomically(top_ / "run", "a file");
  EXPECT_NE(file_error([&] { RunFolder(top_ / "run", "bowl").start({.name = "bowl"}, "scene"); }).find("is a file"),
            std::string::npos);
  EXPECT_EQ(read_file(top_ / "run"), "a file");
}

TEST_F(RunFolderTest, AnEarlierRunIsReplacedAndNothingElseIsTouched) {
  make_run("old", 5);
  write_file_atomically(top_ / "run/notes.txt", "mine");
  make_run("new", 2);
  EXPECT_EQ(
      names(files(top_ / "run")),
      (std::set<std::string>{"new.pvd", "checkpoints/", "checkpoints/new.0002.checkpoint", "cracks.jsonl",
                             "debris.jsonl", "forces.csv", "frames/", "frames/new.0001.vtu", "frames/new.0002.vtu",
                             "notes.txt", "rigid.jsonl", "run.json", "scene.toml", "stats.csv"}));
  fs::create_directories(top_ / "fresh");
  make_run("fresh", 2);
  EXPECT_EQ(read_file(top_ / "run/notes.txt"), "mine");
}

TEST_F(RunFolderTest, AnEmptyFolderIsFine) {
  fs::create_directories(top_ / "run");
  EXPECT_NO_THROW(make_run("bowl", 1));
}

TEST_F(RunFolderTest, AFolderDeepDownIsMade) {
  RunFolder run(top_ / "a/b/c", "bowl");
  EXPECT_NO_THROW(run.start({.name = "bowl"}, "scene"));
  EXPECT_TRUE(fs::exists(top_ / "a/b/c/run.json"));
}

TEST_F(RunFolderTest, ARunThatDiedAtOnceCanBeReplaced) {
  RunFolder(top_ / "run", "bowl").start({.name = "bowl"}, "scene");
  EXPECT_NO_THROW(make_run("bowl", 1));
}

// A run of two frames, and one of five that went back to the second, differ in nothing.
TEST_F(RunFolderTest, CutBackRemovesExactlyLaterFramesAndLines) {
  make_run("bowl", 2);
  const Files wanted = files(top_ / "run");
  make_run("bowl", 5);
  fs::rename(top_ / "run/checkpoints/bowl.0005.checkpoint", top_ / "run/checkpoints/bowl.0002.checkpoint");
  RunFolder again(top_ / "run", "bowl");  // as --resume opens it
  again.cut_back_to(2, "about = \"bowl\"\n");
  again.write_record({.name = "bowl", .status = "complete", .frames = 2});
  EXPECT_EQ(files(top_ / "run"), wanted);
}

TEST_F(RunFolderTest, AfterCutBackTheRunGoesOn) {
  make_run("bowl", 5);
  const Files wanted = files(top_ / "run");
  make_run("bowl", 4);
  fs::rename(top_ / "run/checkpoints/bowl.0004.checkpoint", top_ / "run/checkpoints/bowl.0005.checkpoint");
  RunFolder again(top_ / "run", "bowl");
  again.cut_back_to(2, "about = \"bowl\"\n");
  for (int n = 3; n <= 5; ++n) add(again, n);
  again.write_record({.name = "bowl", .status = "complete", .frames = 5});
  EXPECT_EQ(files(top_ / "run"), wanted);
}

TEST_F(RunFolderTest, CutBackDropsAnUnfinishedLastLine) {
  for (const char* table : {"stats.csv", "forces.csv", "rigid.jsonl"}) {
    make_run("bowl", 2);
    const Files wanted = files(top_ / "run");
    const std::string line = table == std::string("rigid.jsonl") ? "{\"frame\":1,\"time\":0,\"na" : "1,0.0416,gri";
    write_file_atomically(top_ / "run" / table, wanted.at(table) + line);
    RunFolder again(top_ / "run", "bowl");
    again.cut_back_to(2, "about = \"bowl\"\n");
    EXPECT_EQ(files(top_ / "run"), wanted) << table;
  }
}

TEST_F(RunFolderTest, CutBackKeepsLinesThatDoNotSayTheirFrame) {
  make_run("bowl", 2);
  Files wanted = files(top_ / "run");
  wanted["rigid.jsonl"] += "{\"frame\":null}\n{\"frame\":\"1\"}\n{\"frame\":1.5}\n{}\n[]\n17\nnothing\n";
  write_file_atomically(top_ / "run/rigid.jsonl",
                        wanted.at("rigid.jsonl") + "{\"frame\":3}\n{\"frame\":9223372036854775807}\n");
  write_file_atomically(top_ / "run/stats.csv", wanted.at("stats.csv") + "99999999999999999999,1\n");
  RunFolder again(top_ / "run", "bowl");
  again.cut_back_to(2, "about = \"bowl\"\n");
  EXPECT_EQ(files(top_ / "run"), wanted);
}

TEST_F(RunFolderTest, CutBackRemovesFramesUnderConstruction) {
  RunFolder run = make_run("bowl", 3);
  write_file_atomically(top_ / "run/frames/bowl.0004.vtu.part", "half a frame");
  run.cut_back_to(3, "about = \"bowl\"\n");
  EXPECT_FALSE(fs::exists(top_ / "run/frames/bowl.0004.vtu.part"));
  EXPECT_TRUE(fs::exists(run.frame_file(3)));
}

TEST_F(RunFolderTest, NoFileUnderConstructionIsLeft) {
  RunFolder run = make_run("bowl", 3);
  run.cut_back_to(1, "about = \"bowl\"\n");
  for (const auto& [name, content] : files(top_ / "run")) EXPECT_FALSE(name.ends_with(kTemporaryEnding)) << name;
}

// A branch of five frames at the third, and a run of three, differ in nothing but what they say about themselves.
TEST_F(RunFolderTest, ABranchBeginsAsACopyOfItsParent) {
  make_run("bowl", 5);
  const RunFolder parent(top_ / "run", "bowl");
  RunFolder branch(top_ / "branch.part", "cup");
  const RunRecord record = {.name = "cup", .parent = ParentRun{"run", 3, 17}};
  branch.start_branch(record, "about = \"cup\"\n", parent, 3);
  branch.move_to(top_ / "branch");
  EXPECT_FALSE(fs::exists(top_ / "branch.part"));
  for (int n = 1; n <= 3; ++n) EXPECT_EQ(read_file(branch.frame_file(n)), read_file(parent.frame_file(n)));
  EXPECT_FALSE(fs::exists(branch.frame_file(4)));
  const Json written = Json::parse(read_file(top_ / "branch/run.json"));
  EXPECT_EQ(written["parent"], (Json{{"folder", "run"}, {"frame", 3}, {"steps", 17}}));
  add(branch, 4);
  EXPECT_EQ(parent.frame_file(4).filename(), "bowl.0004.vtu");
  const Files before = files(top_ / "branch");
  make_run("cup", 4);
  for (const char* file : {"stats.csv", "forces.csv", "rigid.jsonl", "cup.pvd"}) {
    EXPECT_EQ(before.at(file), read_file(top_ / "run" / file)) << file;
  }
}

TEST_F(RunFolderTest, FindRunKnowsOursFromOthers) {
  EXPECT_FALSE(find_run(top_ / "run"));
  fs::create_directories(top_ / "run");
  EXPECT_EQ(find_run(top_ / "run")->status, "starting") << "killed before the first write";
  write_file_atomically(top_ / "run/run.json.part", "{");
  EXPECT_EQ(find_run(top_ / "run")->status, "starting") << "killed within the first write";
  RunFolder run(top_ / "run", "bowl");
  EXPECT_NO_THROW(run.start({.name = "bowl", .overrides = {"seed=3"}}, "scene"));
  EXPECT_EQ(find_run(top_ / "run")->overrides, std::vector<std::string>{"seed=3"});
  run.write_record({.name = "bowl", .status = "interrupted"});
  EXPECT_EQ(find_run(top_ / "run")->status, "interrupted");
  write_file_atomically(top_ / "run/run.json", "{\"program\": \"other\"}");
  EXPECT_FALSE(find_run(top_ / "run"));
  write_file_atomically(top_ / "run/run.json", "{\"program\": \"sun");
  EXPECT_NE(file_error([&] { find_run(top_ / "run"); }).find("run.json"), std::string::npos);
}

TEST_F(RunFolderTest, AVanishedFolderIsAFileErrorThatNamesThePath) {
  RunFolder run = make_run("bowl", 1);
  fs::remove_all(top_ / "run");
  const FrameStats stats = stats_of(2, 0);
  const std::vector<std::pair<std::string, std::function<void()>>> writes = {
      {"frames/bowl.0002.vtu", [&] { run.add_frame(one_tet(2, 0)); }},
      {"stats.csv", [&] { run.add_stats(stats); }},
      {"forces.csv", [&] { run.add_reactions(stats, {{.name = "grip", .kind = "hold"}}, 1); }},
      {"rigid.jsonl", [&] { run.add_poses(stats, {{.name = "floor", .kind = "ground"}}); }},
      {"run.json", [&] { run.write_record({.name = "bowl"}); }},
      {"checkpoints/bowl.0001.checkpoint",
       [&] { CheckpointStore(top_ / "run", "bowl").write({.keep = true}, "state"); }},
      {"", [&] { run.cut_back_to(1, "about = \"bowl\"\n"); }},
  };
  for (const auto& [file, write] : writes) {
    const std::string problem = file_error(write);
    EXPECT_NE(problem.find((top_ / "run" / file).string()), std::string::npos) << problem;
  }
  EXPECT_FALSE(fs::exists(top_ / "run"));  // nothing was conjured up again
}

TEST_F(RunFolderTest, SeriesListsTheFramesWithTheirTimes) {
  make_run("bowl", 3);
  const std::string text = read_file(top_ / "run/bowl.pvd");
  EXPECT_NE(text.find("<DataSet timestep=\"0\" part=\"0\" file=\"frames/bowl.0001.vtu\"/>"), std::string::npos) << text;
  EXPECT_NE(text.find("<DataSet timestep=\"0.08333333333333333\" part=\"0\" file=\"frames/bowl.0003.vtu\"/>"),
            std::string::npos)
      << text;
}

TEST_F(RunFolderTest, RecordSaysWhatItWasGiven) {
  RunFolder run = make_run("bowl", 0);
  run.write_record({.name = "bowl",
                    .version = "1.2",
                    .status = "failed",
                    .message = "it \"blew\" up\nat once",
                    .threads = 3,
                    .seed = 0xffffffffffffffffull,
                    .overrides = {"a=1"},
                    .bodies = {"b"},
                    .materials = {"glass"},
                    .colliders = {"floor"},
                    .frames = 4,
                    .frames_planned = 9,
                    .steps = 77,
                    .nodes = 5,
                    .elements = 6,
                    .fragments = 7,
                    .largest_inverted = 8,
                    .plastic_work = 9.5,
                    .simulated_seconds = 0.25,
                    .wall_seconds = 1.5,
                    .phase_seconds = {{"steps", 1.25}}});
  const Json record = Json::parse(read_file(top_ / "run/run.json"));
  EXPECT_EQ(record["program"], "sunder");
  EXPECT_EQ(record["version"], "1.2");
  EXPECT_EQ(record["name"], "bowl");
  EXPECT_EQ(record["status"], "failed");
  EXPECT_EQ(record["message"], "it \"blew\" up\nat once");
  EXPECT_EQ(record["options"]["threads"], 3);
  EXPECT_EQ(record["options"]["set"], Json{"a=1"});
  EXPECT_EQ(record["seed"].get<std::uint64_t>(), 0xffffffffffffffffull);
  EXPECT_EQ(record["bodies"], Json{"b"});
  EXPECT_EQ(record["materials"], Json{"glass"});
  EXPECT_EQ(record["colliders"], Json{"floor"});
  const Json& totals = record["totals"];
  EXPECT_EQ(totals["frames"], 4);
  EXPECT_EQ(totals["frames_planned"], 9);
  EXPECT_EQ(totals["steps"], 77);
  EXPECT_EQ(totals["nodes"], 5);
  EXPECT_EQ(totals["elements"], 6);
  EXPECT_EQ(totals["fragments"], 7);
  EXPECT_EQ(totals["largest_inverted"], 8);
  EXPECT_EQ(totals["plastic_work"], 9.5);
  EXPECT_EQ(totals["simulated_seconds"], 0.25);
  EXPECT_EQ(totals["wall_seconds"], 1.5);
  EXPECT_EQ(record["seconds"]["steps"], 1.25);
}

TEST(FrameNumber, IsReadFromNamesOfThisRunOnly) {
  EXPECT_EQ(frame_number("frames/bowl.0001.vtu", "bowl"), 1);
  EXPECT_EQ(frame_number("bowl.0120.vtu", "bowl"), 120);
  EXPECT_EQ(frame_number("bowl.12345.vtu", "bowl"), 12345);
  for (const char* other : {"bowl.001.vtu", "bowl.0001.vtu.part", "bowl.0001.vtk", "cup.0001.vtu", "bowl.00x1.vtu",
                            "bowl.-001.vtu", "bowl.0000000001.vtu", "bowl-2.0001.vtu", "0001.vtu", "bowl.vtu", ""}) {
    EXPECT_EQ(frame_number(other, "bowl"), 0) << other;
  }
}

}  // namespace
}  // namespace sunder
