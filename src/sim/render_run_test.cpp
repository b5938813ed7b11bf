#include "sim/render_run.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <set>

#include "cache/run_folder.h"
#include "core/error.h"
#include "core/files.h"
#include "render/broken_bowl_testing.h"
#include "scene/read_scene.h"
#include "scene/write_scene.h"
#include "sim/plot_run.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;

constexpr const char* kScene = R"(name = "bowl"
fps = 10
duration = 0.2
[[body]]
name = "bowl"
shape = { kind = "box", size = [0.3, 0.1, 0.3] }
material = "plaster"
[[paint]]
on = "bowl"
outside = { kind = "diffuse", color = [0.1, 0.1, 0.9] }
inside = { kind = "diffuse", color = [0.9, 0.1, 0.1] }
[[collider]]
shape = { kind = "ground" }
[[camera]]
name = "away"
position = [0, 10, 10]
target = [0, 10, 20]
[look]
elevation = 40
)";

// A run folder with three frames of a broken bowl whose pieces fly apart.
class RenderRun : public testing::Test {
 protected:
  RenderRun() : top_(fs::temp_directory_path() / ("sunder_render_run_test_" + std::to_string(::getpid()))) {
    fs::remove_all(top_);
    record("bowl", kScene);
  }
  ~RenderRun() override { fs::remove_all(top_); }

  void record(const std::string& name, const std::string& text) const {
    RunFolder run(top_ / name, "bowl");
    run.start({.name = "bowl"}, scene_text(read_scene({.text = text, .file_name = "bowl.toml"})));
    Frame frame = render::broken_bowl({.edge = 0.03, .pieces = 6});
    for (int number = 1; number <= 3; ++number) {
      frame.number = number;
      frame.time = 0.1 * (number - 1);
      for (std::size_t t = 0; t < frame.tets.size(); ++t) {
        for (const std::uint32_t n : frame.tets[t]) {
          const double turn = frame.fragment[t];
          frame.position[n] = frame.rest[n] + 0.1 * (number - 1) * Vec3(std::cos(turn), 0, std::sin(turn));
        }
      }
      run.add_frame(frame);
      run.add_stats({.frame = number, .time = frame.time});
    }
    run.write_record({.name = "bowl", .frames = 3});
  }

  static PictureOptions small(Look look = Look::normal) {
    return {.width = 80, .height = 60, .samples = 4, .bounces = 3, .look = look, .camera = "auto"};
  }
  // Pixels that are clearly red, and clearly blue.
  static std::pair<int, int> red_and_blue(const render::Image& image) {
    int red = 0, blue = 0;
    for (int y = 0; y < image.height; ++y) {
      for (int x = 0; x < image.width; ++x) {
        const std::uint8_t* p = image.at(x, y);
        red += p[0] > p[2] + 40 ? 1 : 0;
        blue += p[2] > p[0] + 40 ? 1 : 0;
      }
    }
    return {red, blue};
  }

  fs::path top_;
};

TEST_F(RenderRun, CrackFacesShowTheInsideOnceTheyOpen) {
  const RecordedRun run(top_ / "bowl");
  RunPainter painter(run, small());
  const auto [closed_red, closed_blue] = red_and_blue(painter.picture(1));
  const auto [open_red, open_blue] = red_and_blue(painter.picture(3));
  EXPECT_LT(closed_red, 10);
  EXPECT_GT(closed_blue, 200);
  EXPECT_GT(open_red, 40);
  EXPECT_GT(open_blue, 200);
}

TEST_F(RenderRun, EveryLookDrawsSomething) {
  const RecordedRun run(top_ / "bowl");
  for (const LookName& look : kLooks) {
    const render::Image image = RunPainter(run, small(look.look)).picture(2);
    std::set<std::uint8_t> shades(image.rgb.begin(), image.rgb.end());
    EXPECT_GT(shades.size(), 20u) << look.name;
  }
}

TEST_F(RenderRun, HiddenCollidersAreNotDrawn) {
  const std::string sphere = "[[collider]]\nshape = { kind = \"sphere\", radius = 0.2 }\n";
  record("seen", kScene + sphere);
  record("hidden", kScene + sphere + "hidden = true\n");
  const auto picture = [&](const char* name) {
    const RecordedRun run(top_ / name);
    return RunPainter(run, small()).picture(1).rgb;
  };
  EXPECT_EQ(picture("hidden"), picture("bowl"));
  EXPECT_NE(picture("seen"), picture("bowl"));
}

TEST_F(RenderRun, CameraSeesTheWholeRunUnlessTheSceneSaysOtherwise) {
  const RecordedRun run(top_ / "bowl");
  const RunPainter painter(run, small());
  for (const int number : run.frames()) {
    for (const Vec3& x : run.frame(number).position) {
      const Vec3 at = render::project(painter.camera(), x);
      EXPECT_TRUE(at.x() > 0 && at.x() < 1 && at.y() > 0 && at.y() < 1 && at.z() > 0);
    }
  }
  PictureOptions options = small();
  options.camera = "";
  EXPECT_EQ(RunPainter(run, options).camera().position, Vec3(0, 10, 10));
  options.camera = "awaay";
  EXPECT_THROW(RunPainter(run, options), UsageError);
}

TEST_F(RenderRun, SheetHasACellForEveryRunAndFrame) {
  const fs::path bowl = top_ / "bowl";
  const render::Image two_by_two = contact_sheet({bowl, bowl}, {1, 3}, small(), {});
  const render::Image four = contact_sheet({bowl, bowl, bowl, bowl}, {0}, small(), {});
  EXPECT_EQ(two_by_two.width, four.width);
  EXPECT_EQ(two_by_two.height, four.height);
  EXPECT_GT(four.width, 160);
  EXPECT_GT(four.height, 120);
  PictureOptions huge = small();
  huge.width = 16000;
  EXPECT_THROW(contact_sheet({bowl, bowl, bowl, bowl}, {0}, huge, {}), UsageError);
}

TEST_F(RenderRun, NumberedPicturesAndSlowMotion) {
  const RecordedRun run(top_ / "bowl");
  make_film(run, small(), {.output = top_ / "f-%03d.png", .frames = {1, 2, 3}, .slow = 2});
  for (int i = 1; i <= 5; ++i) EXPECT_EQ(render::read_image(numbered(top_ / "f-%03d.png", i)).width, 80);
  EXPECT_FALSE(fs::exists(top_ / "f-006.png"));
  // Half way between the first two frames is neither.
  const std::string a = read_file(top_ / "f-001.png"), b = read_file(top_ / "f-002.png"),
                    c = read_file(top_ / "f-003.png");
  EXPECT_NE(a, b);
  EXPECT_NE(b, c);
}

TEST(Numbered, PatternsAreChecked) {
  EXPECT_EQ(numbered("x/a-%04d.png", 7), "x/a-0007.png");
  EXPECT_EQ(numbered("a%d.png", 12), "a12.png");
  for (const char* bad : {"a-%s.png", "a-%04d-%d.png", "a-%.png", "a-%9999d.png", "%n.png"}) {
    EXPECT_THROW(numbered(bad, 1), UsageError) << bad;
  }
}

TEST_F(RenderRun, FoldersWithoutARunAreRefused) {
  EXPECT_THROW(RecordedRun(top_ / "none"), FileError);
  EXPECT_THROW(RecordedRun{top_}, FileError);
  const RecordedRun run(top_ / "bowl");
  EXPECT_THROW(run.frame(9), UsageError);
  write_file_atomically(top_ / "bowl" / "rigid.jsonl", "{\"frame\": 1}\n");
  EXPECT_THROW(RecordedRun{top_ / "bowl"}, InputError);
}

TEST_F(RenderRun, ChartsShowTheTables) {
  const std::vector<render::Chart> charts = charts_of_run(top_ / "bowl");
  ASSERT_EQ(charts.size(), 4u);
  EXPECT_EQ(charts[0].series.size(), 6u);
  EXPECT_EQ(charts[0].series[0].x, (std::vector<double>{0, 0.1, 0.2}));
  write_file_atomically(top_ / "bowl" / "stats.csv", "frame,time\n1,2,3\n");
  EXPECT_THROW(charts_of_run(top_ / "bowl"), InputError);
}

}  // namespace
}  // namespace sunder
