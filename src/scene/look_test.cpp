#include "scene/look.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "core/files.h"
#include "scene/read_scene.h"
#include "scene/write_scene.h"

namespace sunder {
namespace {

constexpr const char* kScene = R"(name = "looks"
[[body]]
name = "cup"
shape = { kind = "box" }
material = "glass"
[[collider]]
shape = { kind = "ground" }
[look]
sky = "day"
sun = [0, 3, 4]
exposure = 0.5
azimuth = 40
elevation = 10
shutter = 0.5
crack_lines = 0.003
[[paint]]
on = "cup"
outside = { kind = "glass", color = [0.9, 0.8, 0.7], depth = 0.1, roughness = 0.2, index = 1.4 }
inside = { kind = "metal", color = [0.5, 0.6, 0.7], roughness = 0.3 }
[[paint]]
on = "ground"
outside = { kind = "ceramic", color = [0.1, 0.2, 0.3], roughness = 0.4, texture_size = 0.5 }
[[camera]]
name = "close"
position = [1, 2, 3]
target = [0, 1, 0]
fov = 50
[[light]]
shape = { kind = "panel", target = [0, 1, 0], width = 2, height = 3 }
position = [4, 5, 6]
color = [1, 0.5, 0.25]
radiance = 7
[[light]]
shape = { kind = "sphere", radius = 0.3 }
)";

Scene read(const std::string& text) { return read_scene({.text = text, .file_name = "looks.toml"}); }

// The message of the error that reading gives.
std::string complaint(const std::string& text) {
  try {
    read(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Look, EveryKeyReachesItsField) {
  const Scene scene = read(kScene);
  EXPECT_EQ(scene.look.sky, SkyKind::day);
  EXPECT_EQ(scene.look.sun, Vec3(0, 0.6, 0.8));
  EXPECT_EQ(scene.look.exposure, 0.5);
  EXPECT_EQ(scene.look.azimuth, 40);
  EXPECT_EQ(scene.look.elevation, 10);
  EXPECT_EQ(scene.look.shutter, 0.5);
  EXPECT_EQ(scene.look.crack_lines, 0.003);
  ASSERT_EQ(scene.paints.size(), 2u);
  const auto& glass = std::get<GlassPaint>(scene.paints[0].outside);
  EXPECT_EQ(glass.color, Vec3(0.9, 0.8, 0.7));
  EXPECT_EQ(glass.depth, 0.1);
  EXPECT_EQ(glass.roughness, 0.2);
  EXPECT_EQ(glass.index, 1.4);
  EXPECT_EQ(std::get<MetalPaint>(scene.paints[0].inside).roughness, 0.3);
  EXPECT_EQ(std::get<CeramicPaint>(scene.paints[1].outside).texture_size, 0.5);
  EXPECT_TRUE(std::holds_alternative<AutoPaint>(scene.paints[1].inside));
  ASSERT_EQ(scene.cameras.size(), 1u);
  EXPECT_EQ(scene.cameras[0].name, "close");
  EXPECT_EQ(scene.cameras[0].position, Vec3(1, 2, 3));
  EXPECT_EQ(scene.cameras[0].fov, 50);
  ASSERT_EQ(scene.lights.size(), 2u);
  EXPECT_EQ(std::get<PanelLight>(scene.lights[0].shape).height, 3);
  EXPECT_EQ(scene.lights[0].radiance, 7);
  EXPECT_EQ(std::get<SphereLight>(scene.lights[1].shape).radius, 0.3);
}

TEST(Look, WrittenLookReadsBackTheSame) {
  const std::string once = scene_text(read(kScene));
  EXPECT_NE(once.find("[look]"), std::string::npos);
  EXPECT_NE(once.find("[[camera]]"), std::string::npos);
  EXPECT_EQ(scene_text(read(once)), once);
}

TEST(Look, MistakesAreNamedWithTheirPlace) {
  const std::string base = "[[body]]\nname = \"cup\"\nshape = { kind = \"box\" }\nmaterial = \"glass\"\n";
  const auto expect = [&](const std::string& more, const std::string& words) {
    const std::string message = complaint(base + more);
    EXPECT_NE(message.find(words), std::string::npos) << more << "\n" << message;
    EXPECT_NE(message.find("looks.toml:"), std::string::npos) << message;
  };
  expect("[[paint]]\non = \"cop\"\n", "there is no body, collider or material `cop`");
  expect("[[paint]]\non = \"cup\"\noutside = { kind = \"glas\" }\n", "cannot be \"glas\"");
  expect("[[paint]]\non = \"cup\"\noutside = { kind = \"glass\", color = [2, 0, 0] }\n", "at most 1");
  expect("[[paint]]\non = \"cup\"\noutside = { kind = \"diffuse\", texture = \"none.png\" }\n", "no such file");
  expect("[[camera]]\nposition = [1, 1, 1]\ntarget = [1, 1, 1]\n", "stands where it looks at");
  expect("[[camera]]\nposition = [1, 1, 1]\nfov = 1e308\n", "at most 150");
  expect("[look]\nsky = \"green\"\n", "cannot be \"green\"");
  expect("[look]\nexposre = 1\n", "unknown key `exposre` in `look`");
  expect("[look]\nexposure = nan\n", "finite");
}

TEST(Look, LookThatIsNoTableIsRefused) {
  EXPECT_NE(complaint("look = 3\n").find("must be a table"), std::string::npos);
}

TEST(Look, TextureIsFoundBesideTheScene) {
  const auto folder = std::filesystem::temp_directory_path() / ("sunder_look_test_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  write_file_atomically(folder / "tiles.png", "x");
  const Scene scene = read_scene({.text = "[[body]]\nshape = { kind = \"box\" }\nmaterial = \"glass\"\n[[paint]]\n"
                                          "on = \"glass\"\noutside = { kind = \"glossy\", texture = \"tiles.png\" }\n",
                                  .file_name = "looks.toml",
                                  .folder = folder});
  EXPECT_EQ(std::get<GlossyPaint>(scene.paints[0].outside).texture.filename(), "tiles.png");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace sunder
