#include <gtest/gtest.h>

#include "scene/read_scene.h"
#include "scene/scene_testing.h"
#include "scene/write_scene.h"

namespace sunder {
namespace {

Scene read(const std::string& text) { return read_scene({text, "s.toml", {}, "s"}, {}); }

const std::string kBrick = R"(
[[body]]
shape = { kind = "sphere", radius = 0.1 }
material = "jelly"

[[body]]
name = "brick"
shape = { kind = "box", size = [0.2, 0.1, 0.1] }
material = "brick"
position = [1, 0.05, 0]
)";

TEST(Copies, StandInAGridAboutTheBodysPlaceAndRiseFromIt) {
  const Scene scene = read(kBrick + "copies = [2, 3, 1]\nspacing = [0.3, 0.1, 0.5]\n");
  ASSERT_EQ(scene.bodies.size(), 7u);
  EXPECT_EQ(scene.bodies[0].name, "body-1");
  EXPECT_EQ(scene.bodies[1].name, "brick-1");
  EXPECT_LT((scene.bodies[1].position - Vec3(0.85, 0.05, 0)).norm(), 1e-12);
  EXPECT_LT((scene.bodies[2].position - Vec3(1.15, 0.05, 0)).norm(), 1e-12);
  EXPECT_EQ(scene.bodies[6].name, "brick-6");
  EXPECT_LT((scene.bodies[6].position - Vec3(1.15, 0.25, 0)).norm(), 1e-12);
}

TEST(Copies, ScatterAndTumbleComeFromTheSeed) {
  const std::string many = kBrick + "copies = [3, 3, 3]\nspacing = [1, 1, 1]\nscatter = 0.1\ntumble = true\n";
  const Scene one = read(many), again = read(many), other = read("seed = 2\n" + many);
  double spread = 0;
  for (std::size_t i = 1; i < one.bodies.size(); ++i) {
    EXPECT_EQ(one.bodies[i].position, again.bodies[i].position);
    EXPECT_EQ(one.bodies[i].rotation, again.bodies[i].rotation);
    EXPECT_NE(one.bodies[i].rotation, other.bodies[i].rotation);
    const double off = one.bodies[i].position.x() - std::round(one.bodies[i].position.x());
    EXPECT_LE(std::abs(off), 0.1);
    spread = std::max(spread, std::abs(off));
  }
  EXPECT_GT(spread, 0.05);
}

TEST(Copies, PaintsAndRegionsOfTheBodyGoToAll) {
  const Scene scene = read(kBrick +
                           "copies = [2, 1, 1]\nspacing = [0.3, 0, 0]\n"
                           "[[paint]]\non = \"brick\"\noutside = { kind = \"metal\" }\n"
                           "[[region]]\nbody = \"brick\"\nwhere = { kind = \"half-space\" }\n");
  ASSERT_EQ(scene.paints.size(), 2u);
  EXPECT_EQ(scene.paints[1].on, "brick-2");
  ASSERT_EQ(scene.regions.size(), 2u);
  EXPECT_EQ(scene.regions[0].body, "brick-1");
}

TEST(Copies, TheWrittenSceneHasThemOneByOneAndReadsBackTheSame) {
  const Scene scene = read(kBrick + "copies = [2, 2, 1]\nspacing = [0.3, 0.1, 0]\ntumble = true\n");
  const Scene back = read(scene_text(scene));
  ASSERT_EQ(back.bodies.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(back.bodies[i].position, scene.bodies[i].position);
  EXPECT_EQ(scene_text(back), scene_text(scene));
}

TEST(Copies, ThatAreNoWholeNumbersAreRefusedWithPlaceAndRemedy) {
  for (const char* bad : {"[2.5, 1, 1]", "[1000, 1000, 1]"}) {
    try {
      read(kBrick + "copies = " + bad + "\nspacing = [1, 1, 1]\n");
      ADD_FAILURE() << bad;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("s.toml:11"), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("copies = [4, 5, 4]"), std::string::npos);
    }
  }
  EXPECT_THROW(read(kBrick + "copies = [0, 1, 1]\nspacing = [1, 1, 1]\n"), InputError);
  EXPECT_THROW(read(kBrick + "copies = [2, 1, 1]\n"), InputError);  // all in one place
}

}  // namespace
}  // namespace sunder
