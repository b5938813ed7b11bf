// `sunder crack` and `sunder export`: one's own model without a scene, and what other programs get.
#include <csignal>
#include <iterator>
#include <sstream>

#include "apps/cli/program_testing.h"

namespace sunder::cli {
namespace {

// A flat sheet of 24 x 24 cells with texture coordinates.
std::string sheet_obj() {
  std::string text;
  constexpr int kCells = 24;
  for (int i = 0; i <= kCells; ++i) {
    for (int k = 0; k <= kCells; ++k) {
      const bool inside = i > 0 && k > 0 && i < kCells && k < kCells;  // no grid: every other row is moved a little
      const double dx = inside ? 0.3 * ((7 * i + 11 * k) % 10) / 10 - 0.15 : 0;
      const double dz = inside ? 0.3 * ((3 * i + 13 * k) % 10) / 10 - 0.15 : 0;
      text += fmt::format("v {} 0 {}\nvt {} {}\n", i + dx, k + dz, (i + dx) / kCells, (k + dz) / kCells);
    }
  }
  for (int i = 0; i < kCells; ++i) {
    for (int k = 0; k < kCells; ++k) {
      const int a = i * (kCells + 1) + k + 1, b = a + 1, c = b + kCells + 1, d = c - 1;
      text += fmt::format("f {0}/{0} {1}/{1} {2}/{2}\nf {0}/{0} {2}/{2} {3}/{3}\n", a, b, c, d);
    }
  }
  return text;
}

using CrackCommand = ProgramTest;

TEST_F(CrackCommand, CracksAModelAndLeavesWhatOthersRead) {
  write("sheet.obj", sheet_obj());
  const Outcome o = sunder({"crack", "sheet.obj", "--material", "mud", "--unit", "cm", "--depth", "0.01", "--length",
                            "0.055", "--mask-size", "256"});
  ASSERT_EQ(o.code, 0) << o.err;
  for (const char* file : {".ply", "-walls.obj", "-lines.obj", ".svg", "-mask.png"}) {
    EXPECT_TRUE(fs::exists(top_ / "out/crack-sheet" / (std::string("crack-sheet") + file))) << file;
  }
  EXPECT_NE(read("out/crack-sheet/crack-sheet-walls.obj").find("usemtl inside"), std::string::npos);
  EXPECT_NE(read("out/crack-sheet/crack-sheet-lines.obj").find("o crack_1\n"), std::string::npos);
  EXPECT_EQ(sunder({"check", "out/crack-sheet"}).code, 0);
  const Json info = json_of({"info", "out/crack-sheet", "--json"});
  EXPECT_GT(info["crack_net"]["cells"].get<int>(), 2);
  // The scene beside it gives the same run again.
  ASSERT_EQ(sunder({"run", "out/crack-sheet.toml", "-o", "again", "--allow-outside", "--progress", "none"}).code, 0);
  EXPECT_EQ(hashes("again"), hashes("out/crack-sheet"));
}

// What a newcomer brings: few triangles, in a grid.
TEST_F(CrackCommand, MeshesAModelAnewIfItsTrianglesWouldShow) {
  std::string grid;
  for (int i = 0; i < 4; ++i) {
    grid += fmt::format("v {} 0 {}\nvt {} {}\n", i % 2, i / 2, i % 2, i / 2);
  }
  write("square.obj", grid + "f 1/1 3/3 4/4\nf 1/1 4/4 2/2\n");
  const Outcome o = sunder({"crack", "square.obj", "--length", "0.1", "--mask-size", "256", "--progress", "none"});
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_NE((o.out + o.err).find("its 2 triangles were meshed anew"), std::string::npos) << o.out << o.err;
  EXPECT_NE(read("out/crack-square.toml").find("remesh = true  # its triangles are large for this length"),
            std::string::npos);
  EXPECT_TRUE(fs::exists(top_ / "out/crack-square/crack-square-mask.png"));
  EXPECT_GT(json_of({"info", "out/crack-square", "--json"})["crack_net"]["cells"].get<int>(), 20);
  ASSERT_EQ(sunder({"run", "out/crack-square.toml", "-o", "again", "--allow-outside", "--progress", "none"}).code, 0);
  EXPECT_EQ(hashes("again"), hashes("out/crack-square"));

  ASSERT_EQ(sunder({"crack", "square.obj", "-o", "kept", "--keep-triangles", "--progress", "none"}).code, 0);
  EXPECT_EQ(json_of({"info", "kept", "--json"})["totals"]["elements"].get<int>(), 2);
  expect_failure({"crack", "square.obj", "--keep-triangles", "--remesh"}, 2, {"--keep-triangles", "--remesh"});
  expect_failure({"crack", "square.obj", "--keep-triangles", "--edge", "0.1"}, 2, {"leave out --edge"});
  ASSERT_EQ(
      sunder({"crack", "square.obj", "-o", "coarse", "--edge", "0.05", "--mask-size", "256", "--progress", "none"})
          .code,
      0);
  EXPECT_NE(read("coarse.toml").find("edge = 0.05\nremesh = true"), std::string::npos);
  ASSERT_EQ(sunder({"crack", "sphere", "-o", "ball", "--edge", "0.05", "--remesh", "--progress", "none"}).code, 0);
  EXPECT_NE(read("ball.toml").find("remesh = true"), std::string::npos);
}

TEST_F(CrackCommand, ExportsAnyFrameAndSaysWhatItCannot) {
  write("sheet.obj", sheet_obj());
  ASSERT_EQ(
      sunder({"crack", "sheet.obj", "--material", "glaze", "--length", "5.5", "-o", "c", "--progress", "none"}).code,
      0);
  EXPECT_EQ(sunder({"export", "c", "-o", "first.svg", "--frame", "1"}).code, 0);
  EXPECT_EQ(read("first.svg").find("class=\"crack\""), std::string::npos);
  EXPECT_EQ(sunder({"export", "c", "-o", "lines.obj", "--lines"}).code, 0);
  expect_failure({"export", "c", "-o", "x.fbx"}, 2, {"write .ply"});
  expect_failure({"export", "c", "-o", "x.svg", "--size", "100"}, 2, {"--size is for .png"});
  expect_failure({"export", "c", "-o", "x.obj", "--width", "0.1"}, 2, {"--width is for .svg and .png"});
  expect_failure({"export", "c", "-o", "x.ply", "--lines"}, 2, {"--lines is for .obj"});
  expect_failure({"crack", "cup", "--unit", "mm"}, 2, {"--unit is for files"});
  expect_failure({"crack", "nothing.obj"}, 5, {"nothing.obj"});
  expect_failure({"crack", "sheet.obj", "--material", "cheese"}, 2, {"material"});
  ASSERT_EQ(sunder({"run", "tiny.toml", "-o", "t", "--frames", "2", "--progress", "none"}).code, 0);
  expect_failure({"export", "t", "-o", "x.svg"}, 2, {".glb"});
}

TEST_F(CrackCommand, BlowsComeBeforeTheCoatDries) {
  const std::vector<std::string> disc = {"crack", "disc", "--edge", "0.03", "--length", "0.12", "--progress", "none"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), disc.begin(), disc.end());
    return more;
  };
  const Outcome o = sunder(with({"-o", "s", "--blow", "0.1,0,0.1,0.25", "--blow", "-0.2,0,-0.1,0.1"}));
  ASSERT_EQ(o.code, 0) << o.err;
  const std::string scene = read("s.toml");
  EXPECT_NE(scene.find("once = { impacts = [{ point = [0.1, 0.0, 0.1], radius = 0.25 }, { point = [-0.2, 0.0, -0.1], "
                       "radius = 0.1 }] }"),
            std::string::npos)
      << scene;
  EXPECT_NE(read("s/crack-disc.svg").find("class=\"crack\""), std::string::npos);
  EXPECT_TRUE(fs::exists(top_ / "s/crack-disc-mask.png"));  // a disc has texture coordinates
  for (const char* wrong : {"1,2,3", "1,2,3,0", "a,0,0,1", "0,0,0,1,1", "0,0,1e13,1"}) {
    expect_failure(with({"--blow", wrong}), 2, {"--blow", "X,Y,Z,RADIUS"});
  }
  expect_failure(with({"-o", "p", "--painted-once", "red"}), 3, {"no value `red`"});
}

TEST_F(CrackCommand, ErrorsNameTheSceneOnceAndTheOption) {
  write("sheet.obj", sheet_obj());
  expect_failure({"crack", "sheet.obj", "-o", "w", "--part", "lid"}, 3, {"the scene for w:", "leave `part` out"});
  expect_failure({"crack", "sheet.obj", "-o", "w", "--length", "0.001"}, 3, {"the scene for w:", "--length", "--edge"});
  expect_failure({"crack", "sheet.obj", "-o", "w", "--length", "0.001", "--keep-triangles"}, 3,
                 {"the scene for w:", "--length", "--remesh"});
  expect_failure({"crack", "sheet.obj", "-o", "w", "--edge", "1e-4"}, 3, {"the scene for w:", "--edge"});
}

TEST_F(CrackCommand, InterruptedRunsSayWhichExportsAreMissing) {
  const pid_t child =
      start({SUNDER_PROGRAM, "crack", "disc", "--edge", "0.008", "-o", "c", "--mask-size", "64", "--threads", "1"});
  wait_for(child, top_ / "c/frames/crack-disc.0002.vtu");
  ASSERT_EQ(::kill(child, SIGINT), 0);
  const Outcome o = finish(child);
  ASSERT_EQ(o.code, 130) << o.err;
  EXPECT_FALSE(fs::exists(top_ / "c/crack-disc.ply"));
  // All that it says makes what a run leaves that was not interrupted.
  std::istringstream lines(o.err);
  int commands = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("  sunder ")) continue;
    std::istringstream words(line.substr(9));
    ASSERT_EQ(sunder({std::istream_iterator<std::string>(words), {}}).code, 0) << line;
    ++commands;
  }
  EXPECT_EQ(commands, 6) << o.err;
  for (const char* file : {".ply", "-walls.obj", "-lines.obj", ".svg", "-mask.png"}) {
    EXPECT_TRUE(fs::exists(top_ / "c" / (std::string("crack-disc") + file))) << file;
  }
}

TEST_F(CrackCommand, DiscIsNoSolid) {
  for (const char* command : {"mesh", "info", "drop"}) {
    std::vector<std::string> words = {command, "disc"};
    if (std::string(command) == "mesh") words.insert(words.end(), {"-o", "disc.vtu"});
    expect_failure(words, 3, {"a sheet without thickness", "`cylinder`"});
  }
  expect_failure({"mesh", "disc", "-o", "disc.vtu", "--cells", "hex"}, 3, {"a sheet without thickness"});
}

TEST_F(CrackCommand, TwoShapesHaveTwoFolders) {
  for (const char* model : {"cup", "{ kind = \"sphere\", radius = 0.1 }"}) {
    const Outcome o = sunder({"crack", model, "--edge", "0.03", "--progress", "none"});
    ASSERT_EQ(o.code, 0) << o.err;
    EXPECT_NE(o.out.find("  mesh "), std::string::npos) << o.out;
  }
  EXPECT_TRUE(fs::exists(top_ / "out/crack-cup/crack-cup.ply"));
  EXPECT_TRUE(fs::exists(top_ / "out/crack-sphere/crack-sphere.ply"));
}

}  // namespace
}  // namespace sunder::cli
