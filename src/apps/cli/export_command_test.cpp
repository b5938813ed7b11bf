// `sunder export` of solids: the files it leaves, and what it says about wishes that cannot be met.
#include "apps/cli/program_testing.h"

namespace sunder::cli {
namespace {

class ExportCommand : public ProgramTest {
 protected:
  ExportCommand() {
    EXPECT_EQ(sunder({"run", "tiny.toml", "-o", "t", "--frames", "4", "--threads", "1", "--progress", "none"}).code, 0);
  }
  void expect_export(std::vector<std::string> arguments, const std::string& says) const {
    arguments.insert(arguments.begin(), {"export", "t", "-o"});
    const Outcome o = sunder(arguments);
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_NE(o.out.find(says), std::string::npos) << o.out;
  }
};

TEST_F(ExportCommand, EveryFormatIsWritten) {
  expect_export({"a.glb"}, "rigid motion is off by");
  expect_export({"b.glb", "--deforming", "--hulls", "--scale", "100"}, "morph targets");
  expect_export({"c.usda", "--up", "z", "--fps", "12"}, "1 fragment over 4 frames");
  expect_export({"d.usda", "--changing"}, "4 frames");
  expect_export({"e.pc2"}, "e.obj");
  expect_export({"f.mdd", "--frames", "2-3"}, "over 2 frames");
  expect_export({"g.ply"}, "g.0001.ply to g.0004.ply: 4 frames");
  expect_export({"h.obj", "--frames", "1..4:3"}, "2 frames");
  expect_export({"i.stl", "--frame", "3"}, "frame 3");
  expect_export({"j.ply", "--grains", "--frame", "2"}, "frame 2");
  expect_export({"k.ply", "--cracks", "--frame", "2"}, "frame 2");
  for (const char* file : {"a.glb", "b.glb", "c.usda", "d.usda", "e.pc2", "e.obj", "e.mtl", "f.mdd", "g.0001.ply",
                           "g.0004.ply", "h.0001.obj", "h.0004.obj", "h.mtl", "i.stl", "j.ply", "k.ply"}) {
    EXPECT_TRUE(fs::exists(top_ / file)) << file;
  }
  expect_export({"new/folder/l.glb", "--frame", "2"}, "over 1 frame written");
  EXPECT_FALSE(fs::exists(top_ / "g.ply"));
  for (const auto& entry : fs::directory_iterator(top_)) {
    EXPECT_NE(entry.path().extension(), kTemporaryEnding) << entry.path();
  }
  EXPECT_NE(read("c.usda").find("timeCodesPerSecond = 12\n"), std::string::npos);
}

// A sheet, which has texture coordinates, and a model from a file, which has none.
class ExportOfPaintedBodies : public ProgramTest {
 protected:
  ExportOfPaintedBodies() {
    fs::copy_file(fs::path(SUNDER_SOURCE_DIR) / "docs/images/porcelain.png", top_ / "porcelain.png");
    write("brick.obj",
          "v 0 0 0\nv 0.2 0 0\nv 0.2 0.2 0\nv 0 0.2 0\nv 0 0 0.2\nv 0.2 0 0.2\nv 0.2 0.2 0.2\nv 0 0.2 0.2\n"
          "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n");
    write("two.toml", R"(name = "two"
duration = 0.05
[[body]]
name = "brick"
shape = { kind = "file", path = "brick.obj" }
edge = 0.2
material = { preset = "jelly" }
[[body]]
name = "sheet"
shape = { kind = "slab", size = [0.2, 0.02, 0.2] }
edge = 0.1
position = [0, 1, 0]
material = { preset = "jelly" }
[[paint]]
on = "brick"
outside = { kind = "diffuse", color = [1, 1, 1], texture = "porcelain.png", texture_uv = true }
inside = { kind = "diffuse", color = [1, 0, 0] }
[[paint]]
on = "sheet"
outside = { kind = "diffuse", color = [1, 1, 1], texture = "porcelain.png", texture_uv = true }
inside = { kind = "diffuse", color = [1, 0, 0] }
)");
    const Outcome o = sunder({"run", "two.toml", "-o", "two", "--threads", "1", "--progress", "none"});
    EXPECT_EQ(o.code, 0) << o.err;
  }
};

TEST_F(ExportOfPaintedBodies, PicturesGoWhereTextureCoordinatesAre) {
  const Outcome o = sunder({"export", "two", "-o", "two.obj", "--frame", "1"});
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_NE(o.err.find("\"brick\" is exported in a flat colour: it has no texture coordinates"), std::string::npos)
      << o.err;
  EXPECT_EQ(o.err.find("\"sheet\""), std::string::npos) << o.err;
  EXPECT_EQ(read("two-outside_sheet.png"), read("porcelain.png"));
  const std::string library = read("two.mtl");
  EXPECT_NE(library.find("newmtl outside\nKd 1 1 1\n"), std::string::npos) << library;
  EXPECT_NE(library.find("newmtl inside\nKd 1 0 0\n"), std::string::npos) << library;
  EXPECT_EQ(library.find("inside_"), std::string::npos) << library;
  EXPECT_LT(library.find("newmtl outside_sheet"), library.find("map_Kd two-outside_sheet.png")) << library;
}

TEST_F(ExportOfPaintedBodies, APictureThatIsGoneIsTold) {
  const std::string kept = read("porcelain.png");
  fs::remove(top_ / "porcelain.png");
  fs::remove(top_ / "brick.obj");  // a run needs its model no more
  expect_failure({"render", "two", "-o", "two.png"}, 5, {"porcelain.png: is gone; put it back there"});
  for (const char* reason : {"porcelain.png: cannot be opened", "porcelain.png: is no PNG or JPEG picture"}) {
    const Outcome o = sunder({"export", "two", "-o", "two.glb"});
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_NE(o.err.find("\"sheet\" is exported in a flat colour: "), std::string::npos) << o.err;
    EXPECT_NE(o.err.find(reason), std::string::npos) << o.err;
    EXPECT_NE(o.err.find("put the picture back"), std::string::npos) << o.err;
    EXPECT_EQ(read("two.glb").find("baseColorTexture"), std::string::npos);
    write("porcelain.png", "a text");
  }
  write("porcelain.png", kept);
  EXPECT_EQ(sunder({"export", "two", "-o", "two.glb"}).code, 0);
  EXPECT_NE(read("two.glb").find("baseColorTexture"), std::string::npos);
  EXPECT_NE(read("two.glb").find(kept), std::string::npos) << "as it is in its file";
}

TEST_F(ExportCommand, SaysWhatCannotBe) {
  expect_failure({"export", "t", "-o", "x.fbx"}, 2, {".glb", ".usda"});
  expect_failure({"export", "t", "-o", "x.glb", "--up", "z"}, 2, {"y up"});
  expect_failure({"export", "t", "-o", "x.glb", "--up", "x"}, 2, {"--up"});
  expect_failure({"export", "t", "-o", "x.obj", "--hulls"}, 2, {"--hulls is for .glb"});
  expect_failure({"export", "t", "-o", "x.usda", "--deforming"}, 2, {"--deforming is for .glb"});
  expect_failure({"export", "t", "-o", "x.obj", "--grains"}, 2, {"--grains is for .ply"});
  expect_failure({"export", "t", "-o", "x.ply", "--lines"}, 2, {"--cracks"});
  expect_failure({"export", "t", "-o", "x.ply", "--frame", "2", "--frames", "1-3"}, 2, {"one at a time"});
  expect_failure({"export", "t", "-o", "x.ply", "--frames", "3-9"}, 2, {"no frame 5"});
  expect_failure({"export", "t", "-o", "x.ply", "--frame", "9"}, 2, {"no frame 9"});
  expect_failure({"export", "t", "-o", "tiny.toml/x.glb"}, 5, {"tiny.toml", "cannot be created"});
  expect_failure({"export", "t", "-o", "x.ply", "--fps", "24"}, 2, {"--fps is for .glb, .usda and .mdd"});
  expect_failure({"export", "t", "-o", "x.obj", "--size", "100"}, 2, {"--size", "surfaces"});
  expect_failure({"export", "t", "-o", "x.obj", "--width", "1"}, 2, {"--width", "surfaces"});
  expect_failure({"export", "t", "-o", "x.ply", "--frames", ""}, 2, {"--frames"});
  expect_failure({"export", "t", "-o", "x.glb", "--scale", "nan"}, 2, {"--scale"});
  expect_failure({"export", "t", "-o", "x.glb", "--fps", "nan"}, 2, {"--fps"});
  expect_failure({"export", "nothing", "-o", "x.glb"}, 5, {"nothing"});
  EXPECT_FALSE(fs::exists(top_ / "x.glb"));
}

TEST_F(ExportCommand, SaysThatThereIsNothing) {
  EXPECT_NE(sunder({"export", "t", "-o", "a.ply", "--grains"}).err.find("no dust"), std::string::npos);
  EXPECT_NE(sunder({"export", "t", "-o", "b.ply", "--cracks"}).err.find("nothing is broken"), std::string::npos);
  EXPECT_EQ(sunder({"export", "t", "-o", "c.ply"}).err, "");
}

}  // namespace
}  // namespace sunder::cli
