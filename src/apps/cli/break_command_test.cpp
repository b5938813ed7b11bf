// `sunder drop` and `sunder hit`: one's own model in pieces without a scene.
#include "apps/cli/program_testing.h"

namespace sunder::cli {
namespace {

constexpr const char* kBox = "{ kind = \"box\", size = [0.2, 0.1, 0.1] }";

class BreakCommand : public ProgramTest {
 protected:
  // A few hundred tets and a short time: what it does, not how it breaks.
  std::vector<std::string> quick(const std::string& verb, const std::string& model, const std::string& folder) const {
    return {verb, model, "-o", folder, "--edge", "0.06", "--seconds", "0.12", "--no-film"};
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

TEST_F(BreakCommand, AnAbsurdSizeIsNoted) {
  ASSERT_EQ(sunder({"mesh", kBox, "-o", "box.obj", "--edge", "0.05", "-q"}).code, 0);
  const Outcome o = sunder({"drop", "box.obj", "-o", "d", "--unit", "10000", "--edge", "600", "--seconds", "0.01",
                            "--no-film", "--progress", "none"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_NE(o.err.find("2 x 1 x 1 km"), std::string::npos) << o.err;
  expect_failure({"drop", "box.obj", "--unit", "1e7"}, 2, {"--unit"});
}

}  // namespace
}  // namespace sunder::cli
