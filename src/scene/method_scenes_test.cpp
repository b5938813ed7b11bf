#include "scene/method_scenes.h"

#include <gtest/gtest.h>

#include "scene/read_scene.h"

namespace sunder {
namespace {

constexpr const char* kScene = R"(
[[body]]
name = "a"
solver = "lattice_norton91"
shape = { kind = "box" }
material = "glass"
[[body]]
name = "b"
shape = { kind = "box" }
position = [2, 0, 0]
material = "glass"
[[region]]
body = "b"
where = { kind = "box", min = [0, 0, 0], max = [1, 1, 1] }
action = "hold"
[[body]]
name = "c"
solver = "lattice_norton91"
shape = { kind = "box" }
position = [4, 0, 0]
material = "glass"
)";

TEST(MethodScenes, EachMethodSeesItsBodiesAndWhatActsOnThem) {
  const Scene whole = read_scene({.text = kScene, .file_name = "test.toml"}, {});
  ASSERT_TRUE(whole.is_mixed());
  const std::vector<MethodScene> methods = method_scenes(whole);
  ASSERT_EQ(methods.size(), 2u);
  EXPECT_EQ(methods[0].solver, kTetSolver);
  EXPECT_EQ(methods[0].bodies, (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(methods[0].scene.bodies[0].name, "b");
  EXPECT_EQ(methods[0].scene.regions.size(), 1u);
  EXPECT_EQ(methods[1].bodies, (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(methods[1].scene.bodies[1].name, "c");
  EXPECT_TRUE(methods[1].scene.regions.empty());
  for (const MethodScene& method : methods) EXPECT_FALSE(method.scene.is_mixed());
}

TEST(MethodScenes, PlacesInTheFileAreStillThoseOfTheBody) {
  const Scene whole = read_scene({.text = kScene, .file_name = "test.toml"}, {});
  const std::vector<MethodScene> methods = method_scenes(whole);
  EXPECT_EQ(methods[1].scene.place("body[1].position").line, whole.place("body[2].position").line);
  EXPECT_EQ(methods[0].scene.place("body[0].edge").line, whole.place("body[1]").line);
}

}  // namespace
}  // namespace sunder
