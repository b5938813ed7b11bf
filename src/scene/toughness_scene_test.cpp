// [[toughness]]: every key reaches its field and comes back, and what cannot be is refused with its place.
#include <gtest/gtest.h>

#include "scene/read_scene.h"
#include "scene/scene_testing.h"
#include "scene/write_scene.h"

namespace sunder {
namespace {

using scene_testing::error_of;
using scene_testing::kBody;
using scene_testing::read;

const std::string kGoblet = "[[body]]\nname = \"g\"\nshape = { kind = \"goblet\" }\nmaterial = \"glass\"\n";

TEST(ToughnessScene, EveryPatternIsReadAndWrittenBack) {
  const Scene scene = read(kGoblet + R"(
[[toughness]]
factor = 0.5
[[toughness]]
name = "speckled"
body = "g"
pattern = { kind = "noise", length = 0, seed = 4 }
where = { kind = "box", min = [0, 0, 0], max = [1, 2, 3] }
factor = "unbreakable"
[[toughness]]
pattern = { kind = "bricks", size = [0.2, 0.1, 0.3], mortar = 0.03 }
factor = 0.2
pull = 0.7
[[toughness]]
pattern = { kind = "plane", point = [1, 2, 3], normal = [0, 0, 2], width = 0.01 }
keyframes = [{ time = 0.1, factor = 1 }, { time = 0.2, factor = 0.01 }]
[[toughness]]
pattern = { kind = "grid", spacing = [0.1, 0, 0.2], width = 0.04 }
factor = 0.3
[[toughness]]
pattern = { kind = "voronoi", cells = 7, width = 0.05, seed = 9 }
factor = 0.3
[[toughness]]
pattern = { kind = "joint", first = "stem", second = "bowl", width = 0.01 }
factor = 0.3
[[toughness]]
pattern = { kind = "grain", direction = [0, 3, 0], wobble = 5, length = 0.2, seed = 2 }
factor = 0.1
[[toughness]]
pattern = { kind = "layers", direction = [1, 0, 0] }
factor = 4
)");
  ASSERT_EQ(scene.toughness.size(), 9u);
  EXPECT_EQ(scene.toughness[0].name, "toughness-1");
  EXPECT_TRUE(std::holds_alternative<UniformPattern>(scene.toughness[0].pattern));
  EXPECT_TRUE(std::holds_alternative<EverywhereSelection>(scene.toughness[0].where));
  EXPECT_EQ(scene.toughness[1].name, "speckled");
  EXPECT_EQ(scene.toughness[1].body, "g");
  EXPECT_EQ(std::get<NoisePattern>(scene.toughness[1].pattern).seed, 4u);
  EXPECT_EQ(std::get<BoxSelection>(scene.toughness[1].where).max, Vec3(1, 2, 3));
  EXPECT_FALSE(scene.toughness[1].factor.has_value());
  EXPECT_EQ(std::get<BricksPattern>(scene.toughness[2].pattern).mortar, 0.03);
  EXPECT_EQ(scene.toughness[2].pull, 0.7);
  EXPECT_EQ(std::get<PlanePattern>(scene.toughness[3].pattern).normal, Vec3(0, 0, 1));
  ASSERT_EQ(scene.toughness[3].keyframes.size(), 2u);
  EXPECT_EQ(scene.toughness[3].keyframes[1].factor, 0.01);
  EXPECT_EQ(std::get<GridPattern>(scene.toughness[4].pattern).spacing, Vec3(0.1, 0, 0.2));
  EXPECT_EQ(std::get<VoronoiPattern>(scene.toughness[5].pattern).cells, 7u);
  EXPECT_EQ(std::get<JointPattern>(scene.toughness[6].pattern).second, "bowl");
  EXPECT_EQ(std::get<GrainPattern>(scene.toughness[7].pattern).direction, Vec3(0, 1, 0));
  EXPECT_EQ(std::get<GrainPattern>(scene.toughness[7].pattern).wobble, 5);
  EXPECT_EQ(scene.toughness[8].factor, 4);
  const std::string text = scene_text(scene);
  EXPECT_EQ(scene_text(read_scene({text, "again", "", "s"})), text);
}

TEST(ToughnessScene, WhatCannotBeIsRefused) {
  const std::string table = std::string(kBody) + "[[toughness]]\n";
  EXPECT_NE(error_of(table).find("`toughness[0].factor` is missing"), std::string::npos);
  EXPECT_NE(error_of(table + "factor = 0\n").find("at least 1e-06"), std::string::npos);
  EXPECT_NE(error_of(table + "factor = 0.5\npull = 0.5\n").find("goes only with patterns of surfaces"),
            std::string::npos);
  EXPECT_NE(error_of(table + "factor = 0.5\nbody = \"none\"\n").find("there is no body `none`"), std::string::npos);
  EXPECT_NE(error_of(table + "pattern = { kind = \"joint\", first = \"a\", second = \"b\" }\nfactor = 0.5\n")
                .find("has no parts"),
            std::string::npos);
  EXPECT_NE(error_of(table + "pattern = { kind = \"painted\", attribute = \"red\" }\nfactor = 0.5\n")
                .find("no file that could be painted"),
            std::string::npos);
  EXPECT_NE(error_of(table + "keyframes = [{ time = 1, factor = 1 }, { time = 1, factor = 2 }]\n")
                .find("in the order of time"),
            std::string::npos);
  EXPECT_NE(error_of(kGoblet + "[[toughness]]\npattern = { kind = \"joint\", first = \"stam\", second = \"bowl\" }\n"
                               "factor = 0.5\n")
                .find("stem"),
            std::string::npos)
      << "it suggests what was meant";
}

TEST(ToughnessScene, StrengthStandsInThePlaceOfToughness) {
  const auto material = [](const std::string& table) {
    return read("[[body]]\nshape = { kind = \"box\" }\nmaterial = " + table + "\n").bodies[0].material;
  };
  const Material glass = material("{ preset = \"glass\", strength = 4e7 }");
  EXPECT_EQ(glass.strength, 4e7);
  EXPECT_EQ(glass.toughness, 0);
  EXPECT_EQ(material("{ young = 1e9, poisson = 0.2, density = 1000, strength = 1e6 }").strength, 1e6);
  EXPECT_EQ(material("{ preset = \"glass\", strength = 0 }").toughness,
            find_material_preset("glass")->material.toughness);
  EXPECT_NE(error_of("[[body]]\nshape = { kind = \"box\" }\nmaterial = { preset = \"glass\", toughness = 5, "
                     "strength = 4e7 }\n")
                .find("both given"),
            std::string::npos);
}

TEST(ToughnessScene, TablesOfABodyGoToAllItsCopies) {
  const Scene scene = read(
      "[[body]]\nname = \"brick\"\nshape = { kind = \"box\" }\nmaterial = \"glass\"\ncopies = [2, 1, 1]\n"
      "spacing = [2, 0, 0]\n[[toughness]]\nname = \"weak\"\nbody = \"brick\"\nfactor = 0.5\n");
  ASSERT_EQ(scene.toughness.size(), 2u);
  EXPECT_EQ(scene.toughness[1].body, "brick-2");
}

TEST(ToughnessScene, SetChangesATableByItsName) {
  const Scene scene =
      read_scene({std::string(kBody) + "[[toughness]]\nname = \"weak\"\nfactor = 0.5\n", "s.toml", "", "s"},
                 {.overrides = {"toughness.weak.factor=0.25"}});
  EXPECT_EQ(scene.toughness[0].factor, 0.25);
}

}  // namespace
}  // namespace sunder
