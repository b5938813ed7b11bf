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
