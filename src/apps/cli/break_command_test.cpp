// `sunder drop` and `sunder hit`: one's own model in pieces without a scene.
#include <set>

#include "apps/cli/program_testing.h"

namespace sunder::cli {
namespace {

constexpr const char* kBox = "{ kind = \"box\", size = [0.2, 0.1, 0.1] }";

class BreakCommand : public ProgramTest {
 protected:
  // A few hundred tets and a short time: what it does, not how it breaks.
  std::vector<std::string> quick(const std::string& verb, const std::string& model, const std::string& folder,
                                 const std::string& seconds = "0.12") const {
    return {verb, model, "-o", folder, "--edge", "0.06", "--seconds", seconds, "--no-film"};
  }
  std::set<std::string> entries() const {  // of the test's folder
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(top_)) names.insert(entry.path().filename().string());
    names.erase("stdout.txt"), names.erase("stderr.txt");
    return names;
  }
  Outcome run(std::vector<std::string> words, const std::vector<std::string>& more = {}) const {
    words.insert(words.end(), more.begin(), more.end());
    return sunder(words);
  }
};

TEST_F(BreakCommand, DropsAModelAndSaysHowToOpenIt) {
  ASSERT_EQ(sunder({"mesh", kBox, "-o", "box.obj", "--edge", "0.05", "-q"}).code, 0);
  const Outcome o = run(quick("drop", "box.obj", "d"), {"--pieces", "many", "--height", "2"});
  ASSERT_EQ(o.code, 0) << o.err;
  for (const char* words : {"kg of ceramic", "broken", "d.toml", "Blender", "paraview d/drop-box.pvd", "Houdini"}) {
    EXPECT_NE(o.out.find(words), std::string::npos) << words << "\n" << o.out;
  }
  EXPECT_EQ(sunder({"check", "d"}).code, 0);
  EXPECT_EQ(json_of({"info", "d", "--json"})["status"], "complete");
}

TEST_F(BreakCommand, TheSceneBesideItGivesTheSameBits) {
  ASSERT_EQ(run(quick("drop", kBox, "d"), {"--threads", "2"}).code, 0);
  ASSERT_EQ(sunder({"run", "d.toml", "-o", "again", "--allow-outside", "--threads", "1", "--progress", "none"}).code,
            0);
  EXPECT_EQ(hashes("again"), hashes("d"));
}

TEST_F(BreakCommand, ARingBreaksIntoMoreThePiecesAreAskedFor) {
  std::vector<int> pieces;
  for (const char* word : {"few", "some", "many"}) {
    ASSERT_EQ(sunder({"drop", "torus", "-o", word, "--edge", "0.07", "--seconds", "0.3", "--pieces", word, "--no-film",
                      "--progress", "none"})
                  .code,
              0);
    pieces.push_back(json_of({"info", word, "--json"})["totals"]["fragments"]);
  }
  EXPECT_LT(pieces[0], pieces[1]);
  EXPECT_LT(pieces[1], pieces[2]);
  EXPECT_GT(pieces[2], 5);
}

TEST_F(BreakCommand, HitsAModelThatStands) {
  ASSERT_EQ(run(quick("hit", kBox, "h"), {"--with", "ball", "--progress", "none"}).code, 0);
  EXPECT_NE(read("h.toml").find("motion = \"dynamic\""), std::string::npos);
  EXPECT_NE(read("h/rigid.jsonl").find("\"ball\""), std::string::npos);
}

TEST_F(BreakCommand, WrongWordsAreNamedWithARemedy) {
  expect_failure({"drop", "nothing.obj"}, 5, {"nothing.obj", "no such file"});
  expect_failure({"drop", "cupp"}, 2, {"`cup`"});
  expect_failure({"drop", kBox, "--material", "ceramik"}, 2, {"`ceramic`"});
  expect_failure({"drop", kBox, "--height", "2kg"}, 2, {"--height", "cm"});
  expect_failure({"drop", kBox, "--pieces", "lots"}, 2, {"--pieces"});
  expect_failure({"drop", kBox, "--tilt", "1,2"}, 2, {"--tilt", "three"});
  expect_failure({"hit", kBox, "--with", "axe"}, 2, {"--with"});
  write("words.obj", "this is no model\n");
  expect_failure({"drop", "words.obj"}, 3, {"words.obj"});
  write("empty.stl", "");
  expect_failure({"drop", "empty.stl"}, 3, {"empty.stl"});
  write("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  expect_failure({"drop", "flat.obj"}, 3, {"flat.obj"});
  write("model.fbx", "not a mesh\n");
  expect_failure({"drop", "model.fbx"}, 3, {"model.fbx", ".obj", ".msh"});
  expect_failure({"drop", kBox, "-o", "flat.obj/d/e"}, 5, {"flat.obj/d", "cannot be created"});
}

TEST_F(BreakCommand, WordsAreNamedAsTheyAreMeant) {
  expect_failure({"drop", kBox, "--pieces", "lots"}, 2, {"few, some or many"});
  expect_failure({"drop", kBox, "--pieces", "sme"}, 2, {"did you mean `some`?"});
  expect_failure({"drop", kBox, "--pieces", "2"}, 2, {"few, some or many"});
  expect_failure({"drop", kBox, "--unit", "furlong"}, 2, {"`furlong`", "mm, cm, m, inch, foot"});
  expect_failure({"drop", kBox, "--with", "ball"}, 2, {"no option --with", "`sunder hit`"});
  expect_failure({"drop", kBox, "--pices", "few"}, 2, {"did you mean --pieces?"});
  expect_failure({"drop", kBox, "--height", "1e9"}, 2, {"--height 1e9", "1000000 times"});
  expect_failure({"drop", kBox, "--spin", "1e9,0,0"}, 2, {"--spin", "from -1e6 to 1e6"});
  expect_failure({"mehs", "cup"}, 2, {"`mesh`"});
  const std::string help = sunder({"drop", "--help"}).out;
  EXPECT_NE(help.find("--pieces few|some|many "), std::string::npos) << help;
}

TEST_F(BreakCommand, NumbersAreFiniteAndInTheirRange) {
  for (const char* option : {"--edge", "--seconds", "--unit", "--tilt", "--spin", "--height", "--seed", "--threads"}) {
    expect_failure({"drop", kBox, option, "nan"}, 2, {option});
    expect_failure({"drop", kBox, option, "1e99"}, 2, {option});
  }
  for (const char* option : {"--length", "--load", "--depth", "--edge", "--unit", "--seed"}) {
    expect_failure({"crack", "cup", option, "nan"}, 2, {option});
  }
  expect_failure({"drop", kBox, "--edge", "0"}, 2, {"--edge", "above 0"});
  expect_failure({"drop", kBox, "--seed", "-1"}, 2, {"--seed", "whole number from 0"});
  expect_failure({"mesh", "cup", "-o", "x.vtu", "--seed", "-1"}, 2, {"--seed"});
  expect_failure({"run", "tiny.toml", "--checkpoint-seconds", "nan"}, 2, {"--checkpoint-seconds"});
  EXPECT_EQ(entries(), std::set<std::string>{"tiny.toml"});
}

TEST_F(BreakCommand, NothingIsOverwrittenButWhatTheSameCommandWrote) {
  write("mine.toml", "precious");
  expect_failure(quick("drop", kBox, "mine"), 5, {"mine.toml", "-o other"});
  expect_failure({"crack", "cup", "-o", "mine"}, 5, {"mine.toml", "-o other"});
  EXPECT_EQ(read("mine.toml"), "precious");
  write("cup-model.obj", "precious");
  expect_failure({"drop", "goblet", "-o", "cup"}, 5, {"cup-model.obj"});
  EXPECT_EQ(read("cup-model.obj"), "precious");
  fs::create_directories(top_ / "thesis");
  write("thesis/text.tex", "years of work");
  expect_failure(quick("drop", kBox, "thesis"), 5, {"thesis", "-o"});
  EXPECT_EQ(entries(), (std::set<std::string>{"tiny.toml", "mine.toml", "cup-model.obj", "thesis"}));

  const Outcome first = run(quick("drop", kBox, "d"), {"--progress", "none"});
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_NE(first.out.find("open it in"), std::string::npos) << "progress is what is not shown";
  EXPECT_EQ(run(quick("drop", kBox, "d"), {"--seed", "2"}).code, 0);
  EXPECT_NE(read("d.toml").find("seed = 2"), std::string::npos);
  expect_failure(quick("hit", kBox, "d"), 5, {"d.toml", "sunder hit"});
}

TEST_F(BreakCommand, FailuresLeaveNothingBehind) {
  write("bad.glb", "no model");
  expect_failure({"drop", "bad.glb"}, 3, {"bad.glb", "is not a glTF file"});
  expect_failure({"drop", "goblet", "--edge", "1e-9", "-o", "deep/g"}, 3, {"edge"});
  expect_failure({"crack", "cup", "--part", "handle"}, 3, {"crack-cup", "handle"});
  expect_failure({"crack", "bad.glb"}, 3, {"bad.glb"});
  EXPECT_EQ(entries(), (std::set<std::string>{"tiny.toml", "bad.glb"}));
}

TEST_F(BreakCommand, AnInterruptedRunSaysHowToGoOnAndToDraw) {
  const pid_t child = start({SUNDER_PROGRAM, "drop", kBox, "-o", "d", "--edge", "0.02", "--threads", "1"});
  wait_for(child, top_ / "d/frames/drop-box.0002.vtu");
  ASSERT_EQ(::kill(child, SIGINT), 0);
  const Outcome o = finish(child);
  EXPECT_EQ(o.code, 130) << o.err;
  EXPECT_NE(o.err.find("\n  sunder run d.toml -o d --allow-outside --resume --render\n"), std::string::npos) << o.err;
  EXPECT_TRUE(fs::exists(top_ / "d.toml"));
}

TEST_F(BreakCommand, AnInterruptedDrawingSaysWhatIsLeftToDrawAndWhereEverythingIs) {
  std::vector<std::string> command = quick("drop", kBox, "d");
  command.pop_back();  // with the film
  command.insert(command.begin(), SUNDER_PROGRAM);
  const pid_t child = start(command);
  wait_for(child, top_ / "d/run.json");
  for (int i = 0; i < 4000 && read("d/run.json").find("\"complete\"") == std::string::npos; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(300));  // the still takes many seconds
  ASSERT_EQ(::kill(child, SIGINT), 0);
  const Outcome o = finish(child);
  EXPECT_EQ(o.code, 130) << o.err;
  for (const char* words : {"sunder render d -o d/still.png ", "sunder render d -o d/film.mp4 "}) {
    EXPECT_NE(o.err.find(words), std::string::npos) << words << "\n" << o.err;
  }
  for (const char* words : {"  broken ", "  scene    d.toml", "  open it in"}) {
    EXPECT_NE(o.out.find(words), std::string::npos) << words << "\n" << o.out;
  }
  EXPECT_EQ(o.out.find("  film "), std::string::npos) << o.out;
}

TEST_F(BreakCommand, InterruptedWhileItMeshesItLeavesNothing) {
  const pid_t child = start({SUNDER_PROGRAM, "drop", "goblet", "-o", "deep/g", "--edge", "0.0015", "--no-film"});
  wait_for(child, top_ / "deep/g-model.obj");
  ASSERT_EQ(::kill(child, SIGINT), 0);
  const Outcome o = finish(child);
  EXPECT_EQ(o.code, 130) << o.err;
  EXPECT_LT(o.seconds, 20);
  EXPECT_EQ(entries(), std::set<std::string>{"tiny.toml"});
}

TEST_F(BreakCommand, AMissIsSaid) {
  const Outcome over = run(quick("hit", kBox, "over", "0.7"), {"--at", "5"});
  EXPECT_EQ(over.code, 0) << over.err;
  EXPECT_NE(over.err.find("the ball never touched the model"), std::string::npos) << over.err;
  const Outcome met = run(quick("hit", kBox, "met"));
  EXPECT_EQ(met.code, 0) << met.err;
  EXPECT_EQ(met.err.find("never touched"), std::string::npos) << met.err;
  const Outcome falls = run(quick("drop", kBox, "falls", "0.01"), {"--height", "4", "--onto", "table"});
  EXPECT_NE(falls.err.find("touched nothing"), std::string::npos) << falls.err;
  EXPECT_EQ(falls.err.find("not much larger"), std::string::npos) << falls.err;
}

TEST_F(BreakCommand, AnAbsurdSizeIsNoted) {
  ASSERT_EQ(sunder({"mesh", kBox, "-o", "box.obj", "--edge", "0.05", "-q"}).code, 0);
  const Outcome o = sunder({"drop", "box.obj", "-o", "d", "--unit", "10000", "--edge", "600", "--seconds", "0.01",
                            "--no-film", "--progress", "none"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_NE(o.err.find("2 x 1 x 1 km"), std::string::npos) << o.err;
  expect_failure({"drop", "box.obj", "--unit", "1e7"}, 2, {"--unit"});
  const auto note = [&](const char* unit, const char* edge) {
    return sunder({"drop", "box.obj", "-o", "d", "--unit", unit, "--edge", edge, "--seconds", "0.00001", "--no-film",
                   "--progress", "none"})
        .err;
  };
  EXPECT_NE(note("110", "6").find("if its numbers are millimetres: --unit mm"), std::string::npos);
  EXPECT_EQ(note("90", "5").find("if its numbers"), std::string::npos);
  EXPECT_EQ(note("0.03", "0.002").find("if its numbers"), std::string::npos);
  EXPECT_NE(note("0.02", "0.001").find("if its numbers are metres: --unit m"), std::string::npos);
}

}  // namespace
}  // namespace sunder::cli
