#include "render/image_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "core/error.h"
#include "core/files.h"
#include "render/chart.h"
#include "render/drawing.h"
#include "render/film.h"
#include "render/texture.h"

namespace sunder::render {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  Files() : folder_(fs::temp_directory_path() / ("sunder_render_test_" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
  }
  ~Files() override { fs::remove_all(folder_); }
  fs::path folder_;
};

Image gradient(int width, int height) {
  Image image(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x)
      image.at(x, y)[0] = static_cast<std::uint8_t>(x), image.at(x, y)[1] = static_cast<std::uint8_t>(y);
  }
  return image;
}

TEST_F(Files, PngReadsBackAsItWasWritten) {
  const Image image = gradient(61, 37);
  write_png(folder_ / "a.png", image);
  const Image back = read_image(folder_ / "a.png");
  EXPECT_EQ(back.width, 61);
  EXPECT_EQ(back.height, 37);
  EXPECT_EQ(back.rgb, image.rgb);
}

TEST_F(Files, WhatIsNoPictureIsRefused) {
  write_file_atomically(folder_ / "a.png", "not a picture");
  EXPECT_THROW(read_image(folder_ / "a.png"), FileError);
  EXPECT_THROW(read_image(folder_ / "none.png"), FileError);
  const std::string bytes = png_bytes(gradient(20, 20));
  write_file_atomically(folder_ / "cut.png", bytes.substr(0, bytes.size() / 2));
  EXPECT_THROW(read_image(folder_ / "cut.png"), FileError);
}

TEST_F(Files, TextureRepeatsAndKeepsItsSize) {
  Image image(4, 4, 0);
  for (int y = 0; y < 4; ++y) image.at(0, y)[0] = 255;  // a red stripe, a quarter of the width
  write_png(folder_ / "stripe.png", image);
  const auto texture = read_texture(folder_ / "stripe.png", 0.4f);
  const auto red = [&](float x) { return texture_color(*texture, Vec3f(x, 0, 0), Vec3f(0, 0, 1))[0]; };
  EXPECT_NEAR(red(0.05f), 1, 0.01f);
  EXPECT_NEAR(red(0.25f), 0, 0.01f);
  EXPECT_NEAR(red(0.05f + 3 * 0.4f), 1, 0.01f);
}

TEST_F(Files, MissingFfmpegIsSaidClearly) {
  const char* before = std::getenv("PATH");
  const std::string path = before != nullptr ? before : "";
  ::setenv("PATH", folder_.c_str(), 1);
  std::string message;
  try {
    FilmWriter film(folder_ / "a.mp4", 64, 64, 24);
    for (int i = 0; i < 100; ++i) film.add(Image(64, 64));
    film.finish();
  } catch (const FileError& error) {
    message = error.what();
  }
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_NE(message.find("ffmpeg, which is not installed"), std::string::npos) << message;
  EXPECT_TRUE(fs::is_empty(folder_));  // nothing half done is left
}

TEST_F(Files, FilmsAppearWhenFinished) {
  if (std::system("ffmpeg -version >/dev/null 2>&1") != 0) GTEST_SKIP() << "no ffmpeg";
  for (const char* name : {"a.mp4", "a.gif"}) {
    {
      FilmWriter film(folder_ / name, 65, 33, 24);
      for (int i = 0; i < 3; ++i) film.add(gradient(65, 33));
      EXPECT_FALSE(fs::exists(folder_ / name));
      film.finish();
    }
    EXPECT_GT(fs::file_size(folder_ / name), 200u);
    fs::remove(folder_ / name);
    EXPECT_TRUE(fs::is_empty(folder_));
  }
}

TEST(Drawing, TextLeavesInkWithinItsWidth) {
  Image image(200, 40);
  draw_text(image, 5, 30, 20, "Ab 7", {0, 0, 0});
  int inked = 0, rightmost = 0;
  for (int y = 0; y < 40; ++y) {
    for (int x = 0; x < 200; ++x) {
      if (image.at(x, y)[0] < 128) ++inked, rightmost = std::max(rightmost, x);
    }
  }
  EXPECT_GT(inked, 100);
  EXPECT_NEAR(rightmost, 5 + text_width(20, "Ab 7"), 3);
}

TEST(Chart, TicksAreRoundAndInside) {
  EXPECT_EQ(ticks(0, 10, 5), (std::vector<double>{0, 2, 4, 6, 8, 10}));
  EXPECT_TRUE(ticks(1, 1, 5).empty());
  EXPECT_TRUE(ticks(1e17, 1e17 + 64, 5).size() < 10);
  for (const double t : ticks(-0.13, 0.37, 5)) EXPECT_TRUE(t >= -0.13 && t <= 0.37);
}

TEST(Chart, DrawsEverySeriesInSvgAndPicture) {
  const std::vector<Chart> charts = {
      {"speed & <more>", "time (s)", "m/s", {{"a", {0, 1, 2}, {0, 5, 3}}, {"b", {0, 1, 2}, {1, 1, 1}}}},
      {"nothing", "time (s)", "m", {{"c", {}, {}}}}};
  const ChartSheet sheet = chart_sheet(charts);
  const std::string svg = chart_svg(sheet);
  EXPECT_NE(svg.find("speed &amp; &lt;more&gt;"), std::string::npos);
  EXPECT_NE(svg.find("time (s)"), std::string::npos);
  const Image image = chart_image(sheet, 1);
  const std::size_t white = static_cast<std::size_t>(std::count(image.rgb.begin(), image.rgb.end(), 255));
  EXPECT_LT(white, image.rgb.size() - 3000);
  EXPECT_GT(white, image.rgb.size() / 2);
}

}  // namespace
}  // namespace sunder::render
