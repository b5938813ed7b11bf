// Whatever a newcomer writes where a control expects something else is refused, with the key and its line.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "scene/read_scene.h"
#include "scene/scene_testing.h"

namespace sunder {
namespace {

using scene_testing::error_of;

const std::string kUnion =
    "[[body]]\nname = \"b\"\nmaterial = { preset = \"glass\", toughness = 5 }\n[body.shape]\nkind = \"union\"\nparts = "
    "["
    "{ name = \"p\", shape = { kind = \"box\" } }, { name = \"q\", shape = { kind = \"sphere\" } }]\n";

enum class Holds { number, size, vector, count, text, flag };

struct Control {
  std::string before, after;  // the text round `key = value`
  std::string key;
  Holds holds;
};

std::vector<std::string> wrong_values(Holds holds) {
  switch (holds) {
    case Holds::number:
      return {"nan", "inf", "-inf", "1e300", "\"x\"", "[1]", "{}", "true"};
    case Holds::size:
      return {"nan", "inf", "-inf", "1e300", "\"x\"", "[1]", "{}", "true", "-1", "0"};
    case Holds::vector:
      return {"nan", "5", "[1]", "[1, 2]", "[nan, 0, 0]", "[0, inf, 0]", "[1, \"y\", 2]", "\"x\"", "{}"};
    case Holds::count:
      return {"-1", "2.5", "nan", "\"many\"", "[1]"};
    case Holds::text:
      return {"5", "nan", "[]", "true", "{}"};
    case Holds::flag:
      return {"1", "\"yes\"", "nan", "[]"};
  }
  return {};
}

void expect_refused(const Control& c) {
  for (const std::string& value : wrong_values(c.holds)) {
    const std::string text = kUnion + c.before + c.key + " = " + value + c.after + "\n";
    const std::string error = error_of(text);
    EXPECT_NE(error.find("toml:"), std::string::npos) << text << "\nsays: " << error;
    EXPECT_NE(error.find(c.key), std::string::npos) << text << "\nsays: " << error;
  }
}

TEST(WrongValues, OfToughness) {
  const auto pattern = [](const std::string& kind, const std::string& key, Holds holds, const std::string& more = "") {
    expect_refused({"[[toughness]]\nfactor = 0.5\npattern = { kind = \"" + kind + "\", " + more, " }", key, holds});
  };
  pattern("noise", "length", Holds::number);
  pattern("noise", "seed", Holds::count);
  pattern("bricks", "size", Holds::vector);
  pattern("bricks", "mortar", Holds::size);
  pattern("plane", "point", Holds::vector);
  pattern("plane", "normal", Holds::vector);
  pattern("plane", "width", Holds::size);
  pattern("grid", "spacing", Holds::vector);
  pattern("grid", "width", Holds::size, "spacing = [1, 0, 0], ");
  pattern("voronoi", "cells", Holds::count);
  pattern("voronoi", "width", Holds::size);
  pattern("surface", "path", Holds::text);
  pattern("joint", "first", Holds::text, "second = \"q\", ");
  pattern("joint", "width", Holds::size, "first = \"p\", second = \"q\", ");
  pattern("grain", "direction", Holds::vector);
  pattern("grain", "wobble", Holds::number);
  pattern("layers", "length", Holds::size);
  pattern("painted", "attribute", Holds::text);
  pattern("painted", "full", Holds::size, "attribute = \"red\", ");
  expect_refused({"[[toughness]]\n", "", "factor", Holds::size});
  expect_refused({"[[toughness]]\npattern = { kind = \"plane\" }\nfactor = 0.5\n", "", "pull", Holds::number});
  expect_refused({"[[toughness]]\nkeyframes = [{ time = 0, ", " }]", "factor", Holds::size});
  expect_refused({"[[toughness]]\nkeyframes = [{ factor = 1, ", " }]", "time", Holds::number});
  EXPECT_NE(error_of(kUnion + "[[toughness]]\nfactor = 1\npattern = { kind = \"grid\", spacing = [0, 0, 0] }\n")
                .find("a grid of no lines"),
            std::string::npos);
  EXPECT_NE(error_of(kUnion + "[[toughness]]\nfactor = 1\npattern = { kind = \"plane\", normal = [0, 0, 0] }\n")
                .find("normal"),
            std::string::npos);
}

TEST(WrongValues, OfMaterials) {
  const auto material = [](const std::string& key, Holds holds, const std::string& more) {
    const std::string body = "[[body]]\nname = \"c\"\nshape = { kind = \"box\" }\nmaterial = { " + more + ", ";
    expect_refused({body, " }", key, holds});
  };
  const std::string plain = "young = 1e6, poisson = 0.3, density = 1000";
  material("strength", Holds::number, plain);
  material("toughness", Holds::number, plain);
  material("density", Holds::size, "young = 1e6, poisson = 0.3, toughness = 1");
  material("toughness_spread", Holds::number, plain + ", toughness = 1");
  material("toughness_grain", Holds::number, plain + ", toughness = 1");
  material("yield_stress", Holds::number, plain + ", toughness = 1");
  material("hardening", Holds::number, plain + ", toughness = 1, yield_stress = 1e4");
  material("plastic_limit", Holds::size, plain + ", toughness = 1, yield_stress = 1e4");
  const std::string axes = "density = 1000, toughness = 1, ";
  material("young_axes", Holds::vector, axes + "poisson_axes = [0.3, 0.3, 0.3], shear_axes = [4e5, 4e5, 4e5]");
  material("poisson_axes", Holds::vector, axes + "young_axes = [1e6, 1e6, 1e6], shear_axes = [4e5, 4e5, 4e5]");
  material("shear_axes", Holds::vector, axes + "young_axes = [1e6, 1e6, 1e6], poisson_axes = [0.3, 0.3, 0.3]");
  material("stiffness_matrix", Holds::vector, axes + "axes = [0, 0, 0]");
}

TEST(WrongValues, OfDebrisDustAndCracks) {
  for (const char* key : {"lowest", "smallest"}) expect_refused({"[debris]\n", "", key, Holds::number});
  expect_refused({"[debris]\n", "", "farthest", Holds::size});
  for (const char* key : {"outside", "small"}) expect_refused({"[debris]\n", "", key, Holds::text});
  expect_refused({"[[dust]]\n", "", "thickness", Holds::size});
  for (const char* key : {"smallest", "largest"})
    expect_refused({"[[dust]]\nthickness = 1e-3\n", "", key, Holds::size});
  for (const char* key : {"speed", "angle"}) expect_refused({"[[dust]]\nthickness = 1e-3\n", "", key, Holds::number});
  for (const char* key : {"most", "seed"}) expect_refused({"[[dust]]\nthickness = 1e-3\n", "", key, Holds::count});
  expect_refused({"[[dust]]\nthickness = 1e-3\n", "", "body", Holds::text});
  for (const char* key : {"crack_speed", "residual", "snap_distance", "snap_angle", "smallest"}) {
    expect_refused({"[fracture]\n", "", key, Holds::number});
  }
  for (const char* key : {"tip_share", "altitude_floor", "quality_floor"}) {
    expect_refused({"[fracture]\n", "", key, Holds::size});
  }
  for (const char* key : {"on", "bend_at_tips"}) expect_refused({"[fracture]\n", "", key, Holds::flag});
}

}  // namespace
}  // namespace sunder
