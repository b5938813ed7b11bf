// Coats of surfaces: every key reaches its field and comes back, and what cannot be is refused with its place.
#include <gtest/gtest.h>

#include "scene/read_scene.h"
#include "scene/scene_testing.h"
#include "scene/write_scene.h"

namespace sunder {
namespace {

using scene_testing::error_of;
using scene_testing::read;

const std::string kSheet = "[[body]]\nsolver = \"surface_iben06\"\nshape = { kind = \"slab\" }\n";

TEST(CoatScene, EveryKeyIsReadAndWrittenBack) {
  const Scene scene = read(kSheet + R"(part = "front"
[body.coat]
kind = "glass"
length = 0.07
toughness_spread = 0.2
tension = 0.5
curvature = -0.01
noise = 0.1
impacts = [{ point = [1, 2, 3], hoop = 4, radial = 5, radius = 6, rings = 7 }]
painted = "red"
painted_factor = 0.01
load_from = 0.1
load_to = 2
load_step = 0.05
load_seconds = 3
cracks_per_second = 100
relax = "paper"
relax_steps = 33
relax_tolerance = 0.02
alpha = 0.25
crack_snap = 10
tip_snap = 80
edge_snap = 20
child_area = 0.02
tip_factor = 1.5
border_factor = 0.7
curvature_scale = "squares"
curvature_share = 0.4
curvature_most = 3
border = "fixed"
held = "frame"
gap = 0.3
gap_limit = 2
depth = 0.01
curl = 1
curl_width = 0.5
line = 0.002
)");
  EXPECT_EQ(scene.bodies[0].part, "front");
  EXPECT_EQ(scene.bodies[0].material_name, "glass");
  const CoatSpec& coat = spec_of(scene.bodies[0].coat);
  EXPECT_EQ(coat.length, 0.07);
  EXPECT_EQ(coat.impacts.size(), 1u);
  EXPECT_EQ(coat.impacts[0].point, Vec3(1, 2, 3));
  EXPECT_EQ(coat.impacts[0].rings, 7);
  EXPECT_EQ(coat.relax, RelaxWay::paper);
  EXPECT_EQ(coat.relax_steps, 33u);
  EXPECT_EQ(coat.curvature_scale, CurvatureMeasure::squares);
  EXPECT_EQ(coat.border, BorderRule::fixed);
  EXPECT_EQ(coat.held, "frame");
  EXPECT_EQ(coat.line, 0.002);
  const std::string text = scene_text(scene);
  EXPECT_EQ(scene_text(read(text)), text);
  EXPECT_NE(text.find("painted_factor = 0.01"), std::string::npos);
  EXPECT_NE(text.find("cracks_per_second = 100"), std::string::npos);
}

TEST(CoatScene, KindsDifferInWhatIsUsual) {
  const auto coat = [](const std::string& kind) {
    return CoatSpec(spec_of(read(kSheet + "coat = { kind = \"" + kind + "\" }\n").bodies[0].coat));
  };
  EXPECT_EQ(coat("mud").line, 0);
  EXPECT_EQ(coat("mud").border, BorderRule::continued);
  EXPECT_EQ(coat("glaze").border, BorderRule::free);
  EXPECT_GT(coat("mud").noise_range, 0);
  EXPECT_EQ(coat("glass").noise, 0);
  EXPECT_GT(coat("glaze").line, 0);
  EXPECT_EQ(coat("glaze").gap, 0);
  EXPECT_EQ(coat("glass").alpha, 0.95);
}

TEST(CoatScene, WhatCannotBeIsRefusedWithItsPlace) {
  EXPECT_NE(error_of(kSheet).find("`body[0].coat` is missing"), std::string::npos);
  EXPECT_NE(error_of(kSheet + "coat = { kind = \"mud\" }\nmaterial = \"glass\"\n").find("s.toml:5:1"),
            std::string::npos);
  EXPECT_NE(error_of(scene_testing::kBody + "coat = { kind = \"mud\" }\n").find("goes only with"), std::string::npos);
  EXPECT_NE(error_of(kSheet + "coat = { kind = \"mut\" }\n").find("did you mean `mud`?"), std::string::npos);
  EXPECT_NE(error_of(kSheet + "coat = { kind = \"mud\", load_to = 0.1 }\n").find("`load_to` is below"),
            std::string::npos);
  EXPECT_NE(error_of(kSheet + "coat = { kind = \"glaze\", load_to = 1000 }\n").find("the limit is 10000"),
            std::string::npos);
  EXPECT_NE(error_of(kSheet + "coat = { kind = \"mud\", substrate = false }\n").find("`continued` border"),
            std::string::npos);
  EXPECT_NE(error_of(kSheet + "coat = { kind = \"mud\", alpha = 1 }\n").find("less than 1"), std::string::npos);
  EXPECT_NE(error_of(kSheet + "coat = { kind = \"glaze\", substrate = false, length = 1 }\n").find("there is none"),
            std::string::npos);
  EXPECT_NE(error_of(kSheet + "coat = { kind = \"mud\" }\n" + scene_testing::kBody).find("in one scene"),
            std::string::npos);
  EXPECT_NE(error_of(kSheet + "coat = { kind = \"mud\" }\n[[region]]\nwhere = { kind = \"everywhere\" }\n")
                .find("means nothing to surfaces"),
            std::string::npos);
}

}  // namespace
}  // namespace sunder
