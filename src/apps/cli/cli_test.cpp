// The program as people and scripts meet it: run as a process, judged by what it prints and by its exit code.

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "core/files.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

// Five frames of a block that falls on the ground, in a few hundred cheap steps.
constexpr const char* kTiny = R"(name = "tiny"
duration = 0.17
[[body]]
name = "block"
shape = { kind = "box", size = [0.2, 0.1, 0.1] }
edge = 0.1
position = [0, 0.06, 0]
material = { preset = "jelly", young = 4e5, poisson = 0.3, phi = 50, psi = 50 }
[[collider]]
shape = { kind = "ground" }
)";

struct Outcome {
  int code = -1;  // as a shell reports it
  std::string out, err;
};

class Cli : public testing::Test {
 protected:
  Cli() : top_(fs::temp_directory_path() / ("sunder_cli_test_" + std::to_string(::getpid()))) {
    fs::remove_all(top_);
    fs::create_directories(top_);
    write("tiny.toml", kTiny);
  }
  ~Cli() override { fs::remove_all(top_); }

  void write(const std::string& file, const std::string& text) const { write_file_atomically(top_ / file, text); }
  std::string read(const std::string& file) const { return read_file(top_ / file); }

  // Starts a program in the test's folder. Its output goes to files: no pipe can fill up.
  pid_t start(const std::vector<std::string>& command) const {
    std::vector<char*> argv;
    for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    const std::string out = (top_ / "stdout.txt").string(), err = (top_ / "stderr.txt").string();
    const std::string path = fs::path(SUNDER_PROGRAM).parent_path().string() + ":" + std::getenv("PATH");
    const pid_t child = ::fork();
    if (child != 0) return child;
    ::setenv("PATH", path.c_str(), 1);
    const bool ready = ::chdir(top_.c_str()) == 0 && ::dup2(::open("/dev/null", O_RDONLY), 0) == 0 &&
                       ::dup2(::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644), 1) == 1 &&
                       ::dup2(::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644), 2) == 2;
    if (ready) ::execvp(argv[0], argv.data());
    ::_exit(127);
  }
  Outcome finish(pid_t child) const {
    int status = 0;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return {code, read("stdout.txt"), read("stderr.txt")};
  }
  // Waits until the program has written the file, or has ended.
  static void wait_for(pid_t child, const fs::path& file) {
    siginfo_t ended{};
    while (!fs::exists(file) && ::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           ended.si_pid == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  Outcome sunder(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), SUNDER_PROGRAM);
    return finish(start(arguments));
  }
  Outcome shell(const std::string& line) const { return finish(start({"/bin/sh", "-c", line})); }

  // The command must fail with this code, say why on stderr in one message of ours, and print nothing else.
  void expect_failure(const std::vector<std::string>& arguments, int code,
                      const std::vector<std::string>& words = {}) const {
    const Outcome o = sunder(arguments);
    const std::string line = fmt::format("sunder {}\n{}{}", fmt::join(arguments, " "), o.out, o.err);
    EXPECT_EQ(o.code, code) << line;
    EXPECT_EQ(o.out, "") << line;
    EXPECT_NE(("\n" + o.err).find("\nsunder: "), std::string::npos) << line;
    for (const std::string& word : words) EXPECT_NE(o.err.find(word), std::string::npos) << word << " in:\n" << line;
  }

  Json json_of(const std::vector<std::string>& arguments) const {
    const Outcome o = sunder(arguments);
    EXPECT_EQ(o.code, 0) << o.err;
    const Json parsed = Json::parse(o.out, nullptr, false);
    EXPECT_FALSE(parsed.is_discarded()) << o.out;
    return parsed;
  }

  std::vector<std::string> hashes(const std::string& folder) const {
    std::istringstream in(read(folder + "/stats.csv"));
    std::vector<std::string> result;
    for (std::string line; std::getline(in, line);) {
      const std::size_t end = line.rfind(','), begin = line.rfind(',', end - 1) + 1;
      result.push_back(line.substr(begin, end - begin));
    }
    return result;
  }

  fs::path top_;
};

// --- usage

TEST_F(Cli, HelpNamesEveryCommand) {
  const Outcome help = sunder({"--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_EQ(help.err, "");
  for (const char* command : {"gallery", "run", "new", "info", "check", "mesh", "reference"}) {
    EXPECT_NE(help.out.find(std::string("\n  ") + command + " "), std::string::npos) << command;
    const Outcome own = sunder({command, "--help"});
    EXPECT_EQ(own.code, 0) << command;
    EXPECT_EQ(own.err, "");
    EXPECT_GT(own.out.size(), 50u) << command;
  }
  const Outcome run = sunder({"run", "--help"});
  for (const char* option : {"--output", "--set", "--frames", "--threads", "--resume", "--progress"}) {
    EXPECT_NE(run.out.find(option), std::string::npos) << option;
  }
}

TEST_F(Cli, VersionIsOneLine) {
  const Outcome o = sunder({"--version"});
  EXPECT_EQ(o.code, 0);
  EXPECT_EQ(o.out.find("sunder "), 0u) << o.out;
  EXPECT_EQ(std::count(o.out.begin(), o.out.end(), '\n'), 1);
  EXPECT_NE(o.out.find_first_of("0123456789"), std::string::npos) << o.out;
}

TEST_F(Cli, UsageErrorsExitWithTwo) {
  expect_failure({}, 2, {"--help"});
  expect_failure({"crush"}, 2, {"--help"});
  expect_failure({"run"}, 2, {"SCENE", "sunder run --help"});
  expect_failure({"run", "tiny.toml", "extra"}, 2);
  expect_failure({"run", "tiny.toml", "--frames", "0"}, 2, {"--frames"});
  expect_failure({"run", "tiny.toml", "--frames", "many"}, 2, {"--frames"});
  expect_failure({"run", "tiny.toml", "--threads", "0"}, 2, {"--threads"});
  expect_failure({"run", "tiny.toml", "--progress", "loud"}, 2, {"--progress"});
  expect_failure({"run", "tiny.toml", "--colour"}, 2, {"--colour"});
  expect_failure({"run", "tiny.toml", "--set", "duration"}, 2, {"duration"});
  expect_failure({"new"}, 2);
  expect_failure({"info"}, 2);
  expect_failure({"check"}, 2);
  EXPECT_FALSE(fs::exists(top_ / "out"));
}

TEST_F(Cli, AnUnknownNameSuggestsTheNearest) {
  expect_failure({"run", "jely-block"}, 2, {"jely-block", "jelly-block"});
  expect_failure({"info", "jelly-blok"}, 2, {"jelly-blok", "jelly-block"});
}

// --- scenes

TEST_F(Cli, ABadSceneExitsWithThreeAndTheSpot) {
  write("bad.toml", "name = \"x\"\n[[body]]\nshape = { kind = \"box\" }\nmaterial = \"jelly\"\nedgge = 0.5\n");
  expect_failure({"run", "bad.toml"}, 3, {"bad.toml:5:1: ", "edgge", "edge"});
  expect_failure({"info", "bad.toml"}, 3, {"bad.toml:5:1: "});
  write("broken.toml", "duration = 1\nfps = = 3\n");
  expect_failure({"run", "broken.toml"}, 3, {"broken.toml:2:"});
  write("empty.toml", "");
  expect_failure({"run", "empty.toml"}, 3, {"empty.toml", "body"});
  expect_failure({"run", "tiny.toml", "--set", "durration=3"}, 3, {"durration", "duration"});
  expect_failure({"run", "tiny.toml", "--set", "duration=-3"}, 3, {"duration"});
  EXPECT_FALSE(fs::exists(top_ / "out"));
}

TEST_F(Cli, ARegionThatSelectsNothingExitsWithThreeAndTheSpot) {
  write("grip.toml",
        std::string(kTiny) +
            "[[region]]\nwhere = { kind = \"sphere\", center = [9, 9, 9], radius = 1 }\naction = \"hold\"\n");
  expect_failure({"run", "grip.toml"}, 3, {"grip.toml:12:", "selects no node"});
}

TEST_F(Cli, AMissingSceneExitsWithFive) {
  expect_failure({"run", "nowhere.toml"}, 5, {"nowhere.toml", "No such file"});
}

// --- running

TEST_F(Cli, ARunSaysWhereItsResultsAre) {
  const Outcome o = sunder({"run", "tiny.toml", "--threads", "1"});
  EXPECT_EQ(o.code, 0) << o.err;
  for (const char* word : {"tiny: 5 frames", "out/tiny/frames/", "out/tiny/tiny.pvd", "out/tiny/stats.csv"}) {
    EXPECT_NE(o.out.find(word), std::string::npos) << word << " in:\n" << o.out;
  }
  for (int n = 1; n <= 5; ++n) EXPECT_TRUE(fs::exists(top_ / fmt::format("out/tiny/frames/tiny.{:04d}.vtu", n)));
  EXPECT_FALSE(fs::exists(top_ / "out/tiny/frames/tiny.0006.vtu"));
  EXPECT_NE(o.err.find("frame 5/5"), std::string::npos) << "no progress: " << o.err;
  EXPECT_EQ(o.err.find('\r'), std::string::npos) << "a bar, though stderr is no terminal";
  EXPECT_EQ(Json::parse(read("out/tiny/run.json"))["options"]["threads"], 1);
}

TEST_F(Cli, FramesCountTheOneAtTimeZero) {
  for (const int frames : {1, 2, 3}) {
    const Outcome o = sunder({"run", "tiny.toml", "-o", "few", "--frames", std::to_string(frames)});
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_EQ(hashes("few").size(), static_cast<std::size_t>(frames) + 1) << "rows and a header";
    EXPECT_EQ(sunder({"check", "few"}).code, 0) << frames << " frames";
    const Outcome again = sunder({"run", "few/scene.toml", "-o", "again"});  // as long as the first
    EXPECT_EQ(again.code, 0) << again.err;
    EXPECT_EQ(hashes("again"), hashes("few"));
  }
}

TEST_F(Cli, SilenceIsKeptOnRequest) {
  const Outcome o = sunder({"run", "tiny.toml", "--progress", "none"});
  EXPECT_EQ(o.code, 0);
  EXPECT_EQ(o.out, "");
  EXPECT_EQ(o.err, "");
}

TEST_F(Cli, ProgressAsJsonIsOneObjectAFrame) {
  const Outcome o = sunder({"run", "tiny.toml", "--progress", "json"});
  ASSERT_EQ(o.code, 0) << o.err;
  std::istringstream in(o.out);
  int frame = 0;
  for (std::string line; std::getline(in, line);) {
    const Json object = Json::parse(line, nullptr, false);
    ASSERT_TRUE(object.is_object()) << line;
    EXPECT_EQ(object["frame"], ++frame);
    EXPECT_EQ(object["frames"], 5);
    EXPECT_EQ(object["time"].get<double>(), (frame - 1) / 24.0);
    for (const char* key : {"steps", "dt", "elements", "fragments", "wall_s", "done", "seconds_left"}) {
      EXPECT_TRUE(object.contains(key) && object[key].is_number()) << key;
    }
  }
  EXPECT_EQ(frame, 5);
}

TEST_F(Cli, SetChangesTheScene) {
  const Outcome o = sunder({"run", "tiny.toml", "--set", "fps=12", "--set", "body.block.velocity=[1,0,0]", "--set",
                            "name=other", "--progress", "none"});
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(hashes("out/other").size(), 4u);
  const Json record = Json::parse(read("out/other/run.json"));
  EXPECT_EQ(record["options"]["set"], (Json{"fps=12", "body.block.velocity=[1,0,0]", "name=other"}));
  EXPECT_NE(read("out/other/scene.toml").find("fps = 12.0"), std::string::npos);
  std::istringstream stats(read("out/other/stats.csv"));
  std::string line;
  std::getline(stats, line), std::getline(stats, line);
  std::vector<std::string> cells;
  std::istringstream row(line);
  for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
  EXPECT_GT(std::stod(cells.at(9)), 0) << "momentum along x";
}

TEST_F(Cli, ThreadsDoNotChangeTheResult) {
  ASSERT_EQ(sunder({"run", "tiny.toml", "-o", "a", "--threads", "1", "--progress", "none"}).code, 0);
  ASSERT_EQ(sunder({"run", "tiny.toml", "-o", "b", "--threads", "4", "--progress", "none"}).code, 0);
  EXPECT_EQ(hashes("a"), hashes("b"));
}

TEST_F(Cli, ASimulationThatBlowsUpExitsWithFour) {
  const Outcome o = sunder({"run", "tiny.toml", "-o", "burst", "--set", "dt=0.02", "--set", "duration=30"});
  EXPECT_EQ(o.code, 4) << o.out << o.err;
  EXPECT_NE(o.err.find("blew up at t = "), std::string::npos) << o.err;
  EXPECT_EQ(Json::parse(read("burst/run.json"))["status"], "failed");
  const Outcome check = sunder({"check", "burst"});
  EXPECT_NE(check.code, 0);
  EXPECT_NE(check.err.find("the run failed"), std::string::npos) << check.err;
}

TEST_F(Cli, AnOutputThatCannotBeWrittenExitsWithFive) {
  expect_failure({"run", "tiny.toml", "-o", "/dev/null/x"}, 5, {"/dev/null/x"});
  expect_failure({"run", "tiny.toml", "-o", "tiny.toml"}, 5, {"tiny.toml", "is a file", "-o"});
  fs::create_directories(top_ / "thesis");
  write("thesis/text.tex", "years of work");
  expect_failure({"run", "tiny.toml", "-o", "thesis"}, 5, {"thesis", "-o"});
  EXPECT_EQ(read("thesis/text.tex"), "years of work");
  EXPECT_EQ(read("tiny.toml"), kTiny);
}

TEST_F(Cli, ResumingWhatIsNotThereExitsWithFive) {
  expect_failure({"run", "tiny.toml", "--resume"}, 5, {"out/tiny", "without --resume"});
  ASSERT_EQ(sunder({"run", "tiny.toml", "--progress", "none"}).code, 0);
  expect_failure({"run", "tiny.toml", "--resume"}, 5, {"tiny.checkpoint"});  // never interrupted
}

// Ctrl-C in the middle of a run, in a folder whose name a shell would take apart.
TEST_F(Cli, AnInterruptedRunSaysHowToGoOnAndThatWorks) {
  const std::string folder = "my runs/it's $HOME";
  const std::vector<std::string> command = {SUNDER_PROGRAM,  "run",      "tiny.toml", "-o",        folder, "--set",
                                            "about=a b's c", "--frames", "150",       "--threads", "1"};
  const pid_t child = start(command);
  wait_for(child, top_ / folder / "frames/tiny.0003.vtu");
  ASSERT_EQ(::kill(child, SIGINT), 0);
  const Outcome o = finish(child);
  ASSERT_EQ(o.code, 130) << o.out << o.err;
  EXPECT_NE(o.err.find("interrupted at t = "), std::string::npos) << o.err;
  EXPECT_EQ(Json::parse(read(folder + "/run.json"))["status"], "interrupted");
  const std::size_t rows = hashes(folder).size();
  EXPECT_GE(rows, 4u);
  EXPECT_LT(rows, 151u);
  EXPECT_EQ(sunder({"check", folder}).code, 0) << "an interrupted run is a sound one";

  const std::size_t hint = o.err.find("\n  sunder run ");
  ASSERT_NE(hint, std::string::npos) << o.err;
  const std::string line = o.err.substr(hint + 3, o.err.find('\n', hint + 1) - hint - 3);
  EXPECT_NE(line.find("--resume"), std::string::npos) << line;
  const Outcome resumed = shell(line);
  ASSERT_EQ(resumed.code, 0) << line << "\n" << resumed.err;
  EXPECT_EQ(Json::parse(read(folder + "/run.json"))["status"], "complete");

  ASSERT_EQ(sunder({"run", "tiny.toml", "-o", "whole", "--set", "about=a b's c", "--frames", "150"}).code, 0);
  EXPECT_EQ(hashes(folder), hashes("whole"));
  EXPECT_EQ(hashes(folder).size(), 151u);
}

TEST_F(Cli, TerminatingCheckpointsToo) {
  const pid_t child = start({SUNDER_PROGRAM, "run", "tiny.toml", "-o", "cut", "--frames", "10000"});
  wait_for(child, top_ / "cut/frames/tiny.0002.vtu");
  ASSERT_EQ(::kill(child, SIGTERM), 0);
  EXPECT_EQ(finish(child).code, 130);
  EXPECT_TRUE(fs::exists(top_ / "cut/checkpoints/tiny.checkpoint"));
}

// --- the other commands

TEST_F(Cli, GalleryListsEveryBuiltInScene) {
  const Outcome o = sunder({"gallery"});
  EXPECT_EQ(o.code, 0);
  EXPECT_EQ(o.err, "");
  const Json list = json_of({"gallery", "--json"});
  ASSERT_TRUE(list.is_array());
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(SUNDER_SOURCE_DIR) / "scenes")) {
    if (entry.path().extension() != ".toml") continue;
    ++files;
    const std::string name = entry.path().stem().string();
    EXPECT_NE(("\n" + o.out).find("\n" + name + " "), std::string::npos) << name;
  }
  EXPECT_GT(files, 0u);
  EXPECT_EQ(list.size(), files);
  EXPECT_EQ(static_cast<std::size_t>(std::count(o.out.begin(), o.out.end(), '\n')), files) << "one line each";
  for (const Json& scene : list) {
    EXPECT_TRUE(scene["name"].is_string());
    EXPECT_NE(scene["about"], "") << scene;
    EXPECT_GT(scene["duration"], 0);
    EXPECT_GT(scene["frames"], 1);
    EXPECT_GT(scene["bodies"], 0);
  }
}

TEST_F(Cli, EveryGallerySceneRuns) {
  for (const Json& scene : json_of({"gallery", "--json"})) {
    const std::string name = scene["name"];
    // coarse and short: that it runs is the question
    const Outcome o =
        sunder({"run", name, "--set", "fps=2000", "--set", "body.0.edge=0.1", "--frames", "2", "--progress", "none"});
    EXPECT_EQ(o.code, 0) << name << ": " << o.err;
    const Outcome check = sunder({"check", "out/" + name});
    EXPECT_EQ(check.code, 0) << check.err;
  }
}

TEST_F(Cli, NewWritesASceneThatRuns) {
  const Outcome o = sunder({"new", "first"});
  ASSERT_EQ(o.code, 0) << o.err;
  const std::size_t hint = o.out.find("\n  sunder run ");
  ASSERT_NE(hint, std::string::npos) << o.out;
  const std::string line = o.out.substr(hint + 3, o.out.find('\n', hint + 1) - hint - 3);
  const Outcome run = shell(line + " --frames 2 --set body.0.edge=0.1");
  EXPECT_EQ(run.code, 0) << line << "\n" << run.err;
  EXPECT_EQ(sunder({"check", "out/first"}).code, 0);

  // What it shows in comments works as well.
  std::string text = read("first.toml");
  for (std::size_t at = text.find("# [[region]]"); at != std::string::npos; at = text.find("\n# ", at)) {
    text.erase(text.find("# ", at), 2);
  }
  ASSERT_NE(text.find("\n[[region]]"), std::string::npos);
  write("held.toml", text);
  const Outcome held = sunder({"run", "held.toml", "--frames", "2", "--set", "body.0.edge=0.1"});
  EXPECT_EQ(held.code, 0) << held.err;
}

TEST_F(Cli, NewOverwritesNothing) {
  expect_failure({"new", "tiny"}, 5, {"tiny.toml", "exists already"});
  EXPECT_EQ(read("tiny.toml"), kTiny);
  expect_failure({"new", "no/such/folder/x"}, 5, {"no/such/folder/x.toml"});
  expect_failure({"new", "what is this?"}, 3);
  EXPECT_FALSE(fs::exists(top_ / "what is this?.toml"));
}

TEST_F(Cli, InfoOfAScene) {
  for (const char* what : {"tiny.toml", "jelly-block"}) {
    const Json info = json_of({"info", what, "--json"});
    EXPECT_EQ(info["what"], "scene");
    for (const char* key : {"duration_s", "frames", "nodes", "tets", "mass_kg", "step_s", "steps_about"}) {
      EXPECT_TRUE(info.contains(key) && info[key] > 0) << key << " of " << what;
    }
    EXPECT_TRUE(info["bodies"].contains("block")) << info;
    EXPECT_EQ(info["colliders"].size(), 1u);
  }
  const Json tiny = json_of({"info", "tiny.toml", "--json"});
  EXPECT_EQ(tiny["name"], "tiny");
  EXPECT_EQ(tiny["frames"], 5);
  EXPECT_EQ(tiny["bodies"]["block"]["edge_m"], 0.1);
  const Outcome text = sunder({"info", "tiny.toml"});
  EXPECT_EQ(text.code, 0);
  EXPECT_NE(text.out.find("frames                       5\n"), std::string::npos) << text.out;
}

TEST_F(Cli, InfoOfARun) {
  ASSERT_EQ(sunder({"run", "tiny.toml", "--progress", "none"}).code, 0);
  const Json info = json_of({"info", "out/tiny", "--json"});
  EXPECT_EQ(info["what"], "run");
  EXPECT_EQ(info["name"], "tiny");
  EXPECT_EQ(info["status"], "complete");
  EXPECT_EQ(info["totals"]["frames"], 5);
  EXPECT_EQ(info["last_frame"]["frame"], 5);
  EXPECT_EQ(info["last_frame"]["state_hash"], hashes("out/tiny").back());
  EXPECT_EQ(info["bodies"], Json{"block"});
  EXPECT_EQ(info["seconds"].empty(), false);
  EXPECT_EQ(sunder({"info", "out/tiny"}).code, 0);
  expect_failure({"info", "out"}, 5, {"out", "not a sunder run"});
}

TEST_F(Cli, MeshOfAShape) {
  const Json report = json_of({"mesh", "bowl", "-o", "bowl.vtu", "--edge", "0.03", "--json"});
  EXPECT_EQ(report["what"], "mesh");
  EXPECT_GT(report["tets"], 300);
  EXPECT_GT(report["min_dihedral_degrees"], 10);
  EXPECT_NEAR(report["volume_error"].get<double>(), 0, 0.05);
  EXPECT_EQ(report["faces_of_parts"].size(), 3u);
  EXPECT_EQ(sunder({"check", "bowl.vtu"}).code, 0);
  EXPECT_EQ(json_of({"info", "bowl.vtu", "--json"})["tets"], report["tets"]);

  const Json table = json_of({"mesh", "{ kind = \"slab\", size = [1, 1, 0.1] }", "-o", "slab.mesh", "--edge", "0.2",
                              "--layers", "2", "--seed", "3", "--json"});
  EXPECT_NEAR(table["volume_m3"].get<double>(), 0.1, 1e-12);
  EXPECT_EQ(json_of({"mesh", "slab.mesh", "-o", "again.vtu", "--json"})["tets"], table["tets"]);
  EXPECT_GT(json_of({"mesh", "slab", "-o", "hex.vtu", "--cells", "hex", "--json"})["hexahedra"], 100);
  EXPECT_EQ(json_of({"info", "{ kind = \"torus\" }", "--json"})["what"], "mesh");

  expect_failure({"mesh", "bwol", "-o", "x.vtu"}, 2, {"bwol", "bowl"});
  expect_failure({"mesh", "bowl", "-o", "x.stl"}, 2, {"x.stl", ".vtu"});
  expect_failure({"mesh", "{ kind = \"bowl\", wall = 1 }", "-o", "x.vtu"}, 3, {"does not fit"});
  expect_failure({"mesh", "{ kind = ", "-o", "x.vtu"}, 3, {"is not a shape"});
  expect_failure({"mesh", "bowl", "-o", "x.vtu", "--edge", "1e-9"}, 3, {"longer edge"});
  expect_failure({"mesh", "sphere", "-o", "x.vtu", "--cells", "hex"}, 3, {"meshed in layers"});
}

TEST_F(Cli, InfoOfAMesh) {
  write("corner.mesh",
        "MeshVersionFormatted 2\nDimension 3\nVertices\n4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n"
        "Tetrahedra\n1\n1 2 3 4 0\nEnd\n");
  const Json info = json_of({"info", "corner.mesh", "--json"});
  EXPECT_EQ(info["what"], "mesh");
  EXPECT_EQ(info["nodes"], 4);
  EXPECT_EQ(info["tets"], 1);
  EXPECT_NEAR(info["volume_m3"].get<double>(), 1.0 / 6, 1e-15);
  EXPECT_EQ(info["lower"], (Json{0.0, 0.0, 0.0}));
  EXPECT_EQ(info["upper"], (Json{1.0, 1.0, 1.0}));
  EXPECT_NEAR(info["edge_m"]["max"].get<double>(), std::sqrt(2.0), 1e-15);
  EXPECT_TRUE(info["quality"]["min"].is_number());
  EXPECT_TRUE(info["min_dihedral_degrees"].is_number());
  write("none.mesh", "MeshVersionFormatted 2\nDimension 3\nVertices\n4\n0 0 0 0\n");
  expect_failure({"info", "none.mesh"}, 3, {"none.mesh"});
}

TEST_F(Cli, CheckTellsFineFromBroken) {
  ASSERT_EQ(sunder({"run", "tiny.toml", "--progress", "none"}).code, 0);
  const Outcome fine = sunder({"check", "out/tiny"});
  EXPECT_EQ(fine.code, 0) << fine.err;
  EXPECT_EQ(fine.err, "");
  EXPECT_NE(fine.out.find("5 frames"), std::string::npos) << fine.out;
  EXPECT_EQ(sunder({"check", "out/tiny/frames/tiny.0002.vtu"}).code, 0);

  fs::resize_file(top_ / "out/tiny/frames/tiny.0003.vtu", 1000);
  fs::remove(top_ / "out/tiny/tiny.pvd");
  const Outcome broken = sunder({"check", "out/tiny"});
  EXPECT_EQ(broken.code, 3);
  EXPECT_EQ(broken.out, "");
  EXPECT_NE(broken.err.find("tiny.0003.vtu"), std::string::npos) << broken.err;
  EXPECT_NE(broken.err.find("tiny.pvd is missing"), std::string::npos) << broken.err;
  EXPECT_NE(broken.err.find("2 problems"), std::string::npos) << broken.err;

  write("flat.mesh",
        "MeshVersionFormatted 2\nDimension 3\nVertices\n4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n1 1 0 0\n"
        "Tetrahedra\n1\n1 2 3 4 0\nEnd\n");
  expect_failure({"check", "flat.mesh"}, 3, {"flat.mesh"});
  expect_failure({"check", "nowhere"}, 5, {"nowhere"});
  expect_failure({"check", "out"}, 5, {"out", "not a sunder run"});
}

TEST_F(Cli, TheReferencePageIsTheCommittedOne) {
  const Outcome o = sunder({"reference"});
  EXPECT_EQ(o.code, 0);
  EXPECT_EQ(o.err, "");
  EXPECT_EQ(o.out, read_file(fs::path(SUNDER_SOURCE_DIR) / "docs" / "scene-reference.md"))
      << "renew it with: sunder reference > docs/scene-reference.md";
}

}  // namespace
}  // namespace sunder
