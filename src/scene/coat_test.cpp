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
remesh = true
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
once = { tension = 0.25, curvature = 0.02, noise = 0.3, noise_range = 2, impacts = [{ point = [4, 5, 6] }], painted = "green", painted_factor = 3 }
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
  EXPECT_TRUE(scene.bodies[0].remesh);
  EXPECT_EQ(scene.bodies[0].material_name, "glass");
  const CoatSpec& coat = spec_of(scene.bodies[0].coat);
  EXPECT_EQ(coat.length, 0.07);
  EXPECT_EQ(coat.impacts.size(), 1u);
  EXPECT_EQ(coat.impacts[0].point, Vec3(1, 2, 3));
  EXPECT_EQ(coat.impacts[0].rings, 7);
  EXPECT_EQ(coat.tension, 0.5);
  EXPECT_EQ(coat.painted, "red");
  EXPECT_EQ(coat.once.tension, 0.25);
  EXPECT_EQ(coat.once.curvature, 0.02);
  EXPECT_EQ(coat.once.noise, 0.3);
  EXPECT_EQ(coat.once.noise_range, 2);
  EXPECT_EQ(coat.once.impacts.at(0).point, Vec3(4, 5, 6));
  EXPECT_EQ(coat.once.painted, "green");
  EXPECT_EQ(coat.once.painted_factor, 3);
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
  EXPECT_NE(text.find("painted = \"green\", painted_factor = 3"), std::string::npos) << text;
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

TEST(CoatScene, NothingActsOnceUnlessTheSceneSaysSo) {
  for (const char* kind : {"mud", "glaze", "glass"}) {
    const Scene scene = read(kSheet + "coat = { kind = \"" + kind + "\" }\n");
    const CoatSpec& coat = spec_of(scene.bodies[0].coat);
    EXPECT_EQ(coat.tension, 1) << kind;
    EXPECT_EQ(coat.once.tension, 0) << kind;
    EXPECT_EQ(coat.once.noise, 0) << kind;
    EXPECT_TRUE(coat.once.impacts.empty() && coat.once.painted.empty()) << kind;
  }
}

TEST(CoatScene, DiscIsASheetForSurfacesOnly) {
  const std::string disc = "[[body]]\nshape = { kind = \"disc\", radius = 0.2 }\n";
  const Scene scene = read(disc + "solver = \"surface_iben06\"\ncoat = { kind = \"mud\" }\n");
  EXPECT_EQ(std::get<DiscShape>(scene.bodies[0].shape).radius, 0.2);
  EXPECT_NEAR(estimated_tets(scene.bodies[0].shape, scene.bodies[0].edge), 3000, 1);  // triangles
  EXPECT_EQ(scene_text(read(scene_text(scene))), scene_text(scene));
  for (const char* solver : {"tet_oh99", "lattice_norton91"}) {
    const std::string error = error_of(disc + "solver = \"" + solver + "\"\nmaterial = \"glass\"\n");
    EXPECT_NE(error.find("s.toml:2:"), std::string::npos) << error;
    EXPECT_NE(error.find("a sheet without thickness"), std::string::npos) << error;
    EXPECT_NE(error.find("`cylinder`"), std::string::npos) << error;
  }
  EXPECT_NE(error_of(disc + "layers = 2\nsolver = \"surface_iben06\"\ncoat = { kind = \"mud\" }\n").find("layers"),
            std::string::npos);
  EXPECT_NE(error_of(disc + "edge = 1e-6\nsolver = \"surface_iben06\"\ncoat = { kind = \"mud\" }\n")
                .find("million triangles"),
            std::string::npos);
  EXPECT_NE(
      error_of("[[body]]\nshape = { kind = \"union\", parts = [{ shape = { kind = \"disc\" } }] }\n").find("disc"),
      std::string::npos);
}

TEST(CoatScene, WhatCannotBeIsRefusedWithItsPlace) {
  EXPECT_NE(error_of(kSheet + "coat = { kind = \"mud\", once = 3 }\n").find("write once = { ... }"), std::string::npos);
  EXPECT_NE(error_of(kSheet + "coat = { kind = \"mud\", once = { load_to = 2 } }\n").find("s.toml:4:"),
            std::string::npos);
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
