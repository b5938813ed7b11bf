// The program as people and scripts meet it: run as a process, judged by what it prints and by its exit code.

#include "apps/cli/program_testing.h"

namespace sunder::cli {
namespace {

using Cli = ProgramTest;

// --- usage

TEST_F(Cli, HelpNamesEveryCommand) {
  const Outcome help = sunder({"--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_EQ(help.err, "");
  for (const char* command : {"gallery", "run", "render", "plot", "new", "info", "check", "reference", "mesh"}) {
    EXPECT_NE(help.out.find(std::string("\n  ") + command + " "), std::string::npos) << command;
    const Outcome own = sunder({command, "--help"});
    EXPECT_EQ(own.code, 0) << command;
    EXPECT_EQ(own.err, "");
    EXPECT_GT(own.out.size(), 50u) << command;
  }
  const Outcome run = sunder({"run", "--help"});
  for (const char* option : {"--output", "--set", "--frames", "--threads", "--resume", "--render", "--progress"}) {
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
  EXPECT_NE(o.err.find("blew up at step "), std::string::npos) << o.err;
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
  fs::create_directories(top_ / "thesis");
  write("thesis/text.tex", "years of work");
  expect_failure({"run", "tiny.toml", "-o", "thesis", "--resume"}, 5, {"thesis", "without --resume"});
  expect_failure({"run", "tiny.toml", "--from", "2"}, 2, {"--resume"});
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
  EXPECT_EQ(sunder({"check", "cut"}).code, 0);
}

TEST_F(Cli, Usr1CheckpointsAndGoesOn) {
  const pid_t child =
      start({SUNDER_PROGRAM, "run", "tiny.toml", "-o", "on", "--frames", "400", "--checkpoint-frames", "0"});
  wait_for(child, top_ / "on/frames/tiny.0003.vtu");
  ASSERT_EQ(::kill(child, SIGUSR1), 0);
  const auto checkpoints = [&] {
    return std::distance(fs::directory_iterator(top_ / "on/checkpoints"), fs::directory_iterator());
  };
  for (int i = 0; i < 2000 && checkpoints() < 2; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(checkpoints(), 2) << "the first, and the one asked for";
  ASSERT_EQ(::kill(child, SIGKILL), 0);
  finish(child);
  EXPECT_EQ(sunder({"run", "tiny.toml", "-o", "on", "--frames", "20", "--resume"}).err.find("beginning"),
            std::string::npos);
}

TEST_F(Cli, AnInterruptedFilmLeavesNothingHalfDrawn) {
  ASSERT_EQ(sunder({"run", "tiny.toml", "-o", "shot", "--frames", "6"}).code, 0);
  const pid_t child = start({SUNDER_PROGRAM, "render", "shot", "-o", "film.mp4", "--samples", "200"});
  wait_for(child, top_ / "film.mp4.log.part");
  ASSERT_EQ(::kill(child, SIGINT), 0);
  const Outcome o = finish(child);
  EXPECT_EQ(o.code, 130) << o.err;
  EXPECT_NE(o.err.find("interrupted before film.mp4 was drawn"), std::string::npos) << o.err;
  for (const auto& entry : fs::directory_iterator(top_)) {
    EXPECT_EQ(entry.path().filename().string().find("film"), std::string::npos) << entry.path();
  }
}

// --- branches

TEST_F(Cli, ABranchGoesOnWithChangesInAFolderOfItsOwn) {
  ASSERT_EQ(sunder({"run", "tiny.toml", "-o", "a", "--set", "seed=7", "--checkpoint-frames", "2"}).code, 0);
  const std::vector<std::string> before = hashes("a");
  const Outcome o = sunder({"run", "tiny.toml", "-o", "a", "--resume", "--from", "3", "--set", "gravity=[0,9.81,0]"});
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_NE(o.out.find("a-from-0003/frames"), std::string::npos) << o.out;
  EXPECT_EQ(hashes("a"), before) << "the parent changed";
  const Json record = Json::parse(read("a-from-0003/run.json"));
  EXPECT_EQ(record["parent"]["folder"], (fs::canonical(top_) / "a").string());
  EXPECT_EQ(record["parent"]["frame"], 3);
  EXPECT_EQ(record["options"]["set"], Json({"seed=7", "gravity=[0,9.81,0]"})) << "what the parent had, and the change";
  EXPECT_EQ(sunder({"check", "a-from-0003"}).code, 0) << sunder({"check", "a-from-0003"}).err;
  const std::vector<std::string> branch = hashes("a-from-0003");
  ASSERT_EQ(branch.size(), before.size());
  for (std::size_t i = 0; i < branch.size(); ++i) EXPECT_EQ(branch[i] == before[i], i <= 3) << i;  // 0 is the header

  const Outcome second = sunder({"run", "tiny.toml", "-o", "a", "--resume", "--from", "3", "--branch", "b"});
  ASSERT_EQ(second.code, 0) << second.err;
  EXPECT_EQ(sunder({"run", "tiny.toml", "-o", "a", "--resume", "--from", "3"}).code, 0);
  EXPECT_TRUE(fs::exists(top_ / "a-from-0003-2")) << "no branch replaces another";
}

TEST_F(Cli, ABranchThatCannotBeSaysWhy) {
  ASSERT_EQ(sunder({"run", "tiny.toml", "-o", "a", "--checkpoint-frames", "2"}).code, 0);
  expect_failure({"run", "tiny.toml", "-o", "a", "--resume", "--from", "2"}, 5, {"frame 2", "frames 1, 3, 5"});
  expect_failure({"run", "tiny.toml", "-o", "a", "--resume", "--from", "3", "--set", "body.0.edge=0.05"}, 3,
                 {"other meshes", "edge"});
  expect_failure({"run", "tiny.toml", "-o", "a", "--resume", "--from", "3", "--set", "fps=30"}, 2, {"fps"});
  expect_failure({"run", "tiny.toml", "-o", "a", "--resume", "--from", "3", "--branch", "a"}, 5, {"--branch"});
  expect_failure({"run", "tiny.toml", "-o", "a", "--branch", "b"}, 2, {"--from"});
  EXPECT_FALSE(fs::exists(top_ / "a-from-0003"));
}

TEST_F(Cli, ARunCanBeMadeLonger) {
  ASSERT_EQ(sunder({"run", "tiny.toml", "-o", "long", "--frames", "9"}).code, 0);
  ASSERT_EQ(sunder({"run", "tiny.toml", "-o", "short", "--frames", "4"}).code, 0);
  ASSERT_EQ(sunder({"run", "tiny.toml", "-o", "short", "--frames", "9", "--resume"}).code, 0);
  EXPECT_EQ(hashes("short"), hashes("long"));
  EXPECT_EQ(read("short/scene.toml"), read("long/scene.toml"));
  expect_failure({"run", "tiny.toml", "-o", "short", "--frames", "4", "--resume"}, 2, {"9 frames"});
  EXPECT_EQ(hashes("short"), hashes("long")) << "nothing is thrown away";
}

TEST_F(Cli, AbsurdRequestsAreRefusedAtOnce) {
  write("mine.toml", kTiny);
  std::string nested = "name = \"deep\"\na = ";
  for (int i = 0; i < 100'000; ++i) nested += '[';
  write("nested.toml", nested);
  std::string tables = "name = \"deep\"\n[a";
  for (int i = 0; i < 100'000; ++i) tables += ".a";
  write("tables.toml", tables + "]\n");
  write("count.vtk",
        "# vtk DataFile Version 3.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4294967295 double\n0 0 0\n");
  write("count.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4294967295\n1 0 0 0\n");
  write("count.mesh", "MeshVersionFormatted 2\nDimension 3\nVertices\n4294967295\n0 0 0 0\n");
  write("count.node", "4294967295 3 0 0\n1 0 0 0\n");
  write("count.ele", "4294967295 4 0\n1 1 1 1 1\n");
  write("count.vtu",
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\">"
        "<UnstructuredGrid><Piece NumberOfPoints=\"4294967295\" NumberOfCells=\"4294967295\"><Points>"
        "<DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">0 0 0</DataArray></Points><Cells>"
        "<DataArray type=\"Int64\" Name=\"connectivity\" format=\"ascii\">0</DataArray>"
        "<DataArray type=\"Int64\" Name=\"offsets\" format=\"ascii\">4</DataArray>"
        "<DataArray type=\"UInt8\" Name=\"types\" "
        "format=\"ascii\">10</DataArray></Cells></Piece></UnstructuredGrid></VTKFile>");
  const std::vector<std::vector<std::string>> requests = {
      {"run", "mine.toml", "--set", "body.0.edge=1e-6"},  // 1e14 tets
      {"run", "mine.toml", "--set", "body.0.edge=1e-300"},
      {"run", "mine.toml", "--set", "body.0.shape.size=[1e308,1e308,1e308]"},
      {"run", "mine.toml", "--set", "body.0.edge=nan"},
      {"run", "mine.toml", "--set", "body.0.velocity=[inf,0,0]"},
      {"run", "mine.toml", "--set", "body.0.velocity=[1e308,0,0]"},
      {"run", "mine.toml", "--set", "body.0.position=[1e308,0,0]"},
      {"run", "mine.toml", "--set", "body.0.material.young=1e308"},
      {"run", "mine.toml", "--set", "body.0.material.density=1e-308"},
      {"run", "mine.toml", "--set", "gravity=[0,-1e308,0]"},
      {"run", "mine.toml", "--set", "duration=1e308"},
      {"run", "mine.toml", "--set", "fps=1e308"},
      {"run", "nested.toml"},
      {"run", "tables.toml"},
      {"info", "count.vtk"},
      {"info", "count.msh"},
      {"info", "count.mesh"},
      {"info", "count.node"},
      {"info", "count.vtu"},
      {"run", "/dev/zero"},
      {"check", "/dev/zero"},
  };
  for (const auto& request : requests) {
    const Outcome o = sunder(request);
    const std::string line = fmt::format("sunder {}: {}", fmt::join(request, " "), o.err.substr(0, 500));
    EXPECT_TRUE(o.code >= 2 && o.code <= 5) << o.code << " " << line;
    EXPECT_EQ(o.err.substr(0, 8), "sunder: ") << line;
#if !defined(SUNDER_SANITIZED)
    EXPECT_LT(o.seconds, 1) << line;
    EXPECT_LT(o.megabytes, 100) << line;
#endif
  }
}

#if !defined(SUNDER_SANITIZED)  // which reserves terabytes
TEST_F(Cli, ARunTooBigForTheMemoryIsRefusedWithTheFigure) {
  const Outcome o = shell("ulimit -v 1000000; exec sunder run tiny.toml -o big --set body.0.edge=0.001");
  EXPECT_EQ(o.code, 3) << o.err;
  EXPECT_NE(o.err.find(" GB of memory, and 1 GB are free"), std::string::npos) << o.err;
  EXPECT_LT(o.seconds, 1);
  EXPECT_FALSE(fs::exists(top_ / "big"));
}
#endif

TEST_F(Cli, OutputThatGoesNowhereExitsWithFive) {
  EXPECT_EQ(shell("sunder reference > /dev/full").code, 5);
  EXPECT_EQ(shell("sunder gallery > /dev/full").code, 5);
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
    // Coarse and short: that it runs is the question. The bends of a teapot of cells have no room for a decimetre, and
    // a crackle's cells are larger than its triangles.
    const bool crackle = name.starts_with("crackle-") || name == "curvature" || name == "struck-glaze";
    const std::string edge = name.starts_with("teapot-") ? "body.0.edge=0.05"
                             : crackle                   ? "body.0.edge=0.012"
                                                         : "body.0.edge=0.1";
    const Outcome o = sunder({"run", name, "--set", "fps=2000", "--set", edge, "--frames", "2", "--progress", "none"});
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
  expect_failure({"new", "tiny.toml/x"}, 5, {"tiny.toml", "cannot be created"});
  EXPECT_EQ(sunder({"new", "a/new/folder/x"}).code, 0);
  EXPECT_TRUE(fs::exists(top_ / "a/new/folder/x.toml"));
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

TEST_F(Cli, RenderMakesPicturesOfARun) {
  ASSERT_EQ(sunder({"run", "tiny.toml", "-o", "run", "--progress", "none"}).code, 0);
  const std::vector<std::string> small = {"--size", "64x48", "--samples", "2", "--progress", "none"};
  const auto render = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "render");
    arguments.insert(arguments.end(), small.begin(), small.end());
    return sunder(arguments);
  };
  const Outcome still = render({"run", "-o", "still.png", "--frame", "3"});
  EXPECT_EQ(still.code, 0) << still.err;
  EXPECT_EQ(read("still.png").substr(1, 3), "PNG");
  const Outcome one = render({"run", "-o", "one.png", "--frame", "3", "--threads", "1"});
  EXPECT_EQ(one.code, 0) << one.err;
  EXPECT_EQ(read("one.png"), read("still.png"));  // the same picture for any number of threads
  EXPECT_EQ(render({"run", "-o", "f-%02d.png", "--frames", "1..3:2"}).code, 0);
  EXPECT_TRUE(fs::exists(top_ / "f-02.png"));
  EXPECT_FALSE(fs::exists(top_ / "f-03.png"));
  EXPECT_EQ(render({"--sheet", "run", "run", "-o", "sheet.png", "--frames", "1,5", "--look", "fragments"}).code, 0);
  EXPECT_TRUE(fs::exists(top_ / "sheet.png"));
}

TEST_F(Cli, RenderRefusesWhatItCannotDraw) {
  ASSERT_EQ(sunder({"run", "tiny.toml", "-o", "run", "--progress", "none"}).code, 0);
  expect_failure({"render", "none", "-o", "a.png"}, 5, {"none"});
  expect_failure({"render", "run"}, 2, {"-o"});
  expect_failure({"render", "run", "-o", "a.jpg"}, 2, {".png"});
  expect_failure({"render", "run", "-o", "a.png", "--frame", "99"}, 2, {"99", "1 to 5"});
  expect_failure({"render", "run", "-o", "a.mp4", "--frames", "4..9"}, 2, {"6"});
  expect_failure({"render", "run", "-o", "a.png", "--look", "strss"}, 2, {"stress"});
  expect_failure({"render", "run", "-o", "a.png", "--camera", "frnt"}, 2, {"front"});
  expect_failure({"render", "run", "-o", "a.png", "--size", "1e9x1"}, 2, {"--size"});
  expect_failure({"render", "run", "-o", "a.png", "--size", "99999x99999"}, 2, {"16384"});
  expect_failure({"render", "run", "-o", "a.png", "--samples", "0"}, 2, {"--samples"});
  expect_failure({"render", "run", "-o", "a.png", "--explode", "nan"}, 2, {"--explode"});
  expect_failure({"render", "run", "run", "-o", "a.png"}, 2, {"--sheet"});
  expect_failure({"render", "run", "-o", "a-%s.png", "--size", "64x48"}, 2, {"%04d"});
}

TEST_F(Cli, MissingFfmpegIsSaid) {
  ASSERT_EQ(sunder({"run", "tiny.toml", "-o", "run", "--progress", "none"}).code, 0);
  const Outcome film = shell(std::string("PATH=/nowhere ") + SUNDER_PROGRAM +
                             " render run -o film.mp4 --size 64x48 --samples 1 --progress none");
  EXPECT_EQ(film.code, 5);
  EXPECT_NE(film.err.find("ffmpeg, which is not installed"), std::string::npos) << film.err;
  EXPECT_FALSE(fs::exists(top_ / "film.mp4"));
}

TEST_F(Cli, PlotDrawsTheNumbersOfARun) {
  ASSERT_EQ(sunder({"run", "tiny.toml", "-o", "run", "--progress", "none"}).code, 0);
  const Outcome plot = sunder({"plot", "run"});
  EXPECT_EQ(plot.code, 0) << plot.err;
  EXPECT_NE(read("run/plots.svg").find("energy (J)"), std::string::npos);
  EXPECT_EQ(read("run/plots.png").substr(1, 3), "PNG");
  expect_failure({"plot", "run", "-o", "a.pdf"}, 2, {".svg"});
  expect_failure({"plot", "none"}, 5, {"none"});
}

}  // namespace
}  // namespace sunder::cli
