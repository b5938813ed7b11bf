#include "scene/overrides.h"

#include <gtest/gtest.h>

#include "scene/read_scene.h"

namespace sunder {
namespace {

const std::string kText = R"(duration = 1

[[body]]
shape = { kind = "box" }
material = "glass"

[[body]]
name = "ball"
shape = { kind = "sphere", radius = 0.1 }
edge = 0.05
material = { preset = "ice", toughness = 9 }

[[collider]]
shape = { kind = "ground" }

[[collider]]
shape = { kind = "box", size = [1, 2, 3] }

[[region]]
where = { kind = "half-space" }
)";

Scene with(const std::vector<std::string>& overrides) { return read_scene({kText, "s.toml", "", "s"}, {overrides}); }

std::string error_of(const std::string& override_text) {
  try {
    with({override_text});
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Overrides, ChangesATopLevelKey) {
  EXPECT_EQ(with({"duration=2"}).duration, 2);
  EXPECT_EQ(with({"fps = 30"}).fps, 30);  // not in the file
  EXPECT_EQ(with({"gravity=[0,-1,0]"}).gravity, Vec3(0, -1, 0));
  EXPECT_EQ(with({"gravity=[0,-1,0]", "gravity.1=-2"}).gravity, Vec3(0, -2, 0));
  EXPECT_EQ(with({"dt=1e-5"}).dt, 1e-5);
  EXPECT_FALSE(with({"dt=1e-5", "dt=auto"}).dt.has_value());
}

TEST(Overrides, TextNeedsNoQuotes) {
  EXPECT_EQ(with({"name=bowl-4"}).name, "bowl-4");
  EXPECT_EQ(with({"name=\"bowl-4\""}).name, "bowl-4");
  EXPECT_EQ(with({"about=a = b"}).about, "a = b");
  EXPECT_EQ(with({"about="}).about, "");
  EXPECT_EQ(with({"integrator=taylor2"}).integrator, Integrator::taylor2);
}

TEST(Overrides, ElementsGoByIndexInEitherFormOrByName) {
  EXPECT_EQ(with({"body.1.edge=0.02"}).bodies[1].edge, 0.02);
  EXPECT_EQ(with({"body[1].edge=0.02"}).bodies[1].edge, 0.02);
  EXPECT_EQ(with({"body.ball.edge=0.02"}).bodies[1].edge, 0.02);
  EXPECT_EQ(with({"body.body-1.edge=0.2"}).bodies[0].edge, 0.2);
  EXPECT_EQ(with({"collider.ground.friction=0.7"}).colliders[0].friction, 0.7);
  EXPECT_EQ(with({"collider.box-2.friction=0.7"}).colliders[1].friction, 0.7);
  EXPECT_EQ(with({"region.region-1.axes=x"}).regions[0].axes, "x");
  EXPECT_EQ(with({"body.1.shape.radius=0.2"}).bodies[1].shape, Shape(SphereShape{0.2}));
}

TEST(Overrides, PlainPresetBecomesATable) {
  Material expected = find_material_preset("glass")->material;
  expected.density = 500;
  const Scene scene = with({"body.0.material.density=500"});
  EXPECT_EQ(scene.bodies[0].material, expected);
  EXPECT_EQ(scene.bodies[0].material_name, "glass");
}

TEST(Overrides, MaterialTableKeepsItsOtherKeys) {
  const Scene scene = with({"body.ball.material.density=500"});
  EXPECT_EQ(scene.bodies[1].material.density, 500);
  EXPECT_EQ(scene.bodies[1].material.toughness, 9);
  EXPECT_EQ(with({"body.ball.material=steel"}).bodies[1].material, find_material_preset("steel")->material);
}

TEST(Overrides, LaterOnesWin) { EXPECT_EQ(with({"duration=2", "duration=3"}).duration, 3); }

TEST(Overrides, MistakesStandAtTheOption) {
  EXPECT_EQ(error_of("body.0.edgee=1"),
            "--set body.0.edgee=1: unknown key `edgee` in `body[0]`\n  did you mean `edge`?");
  EXPECT_EQ(error_of("duration=-2").find("--set duration=-2: `duration` must be at least 0"), 0u);
  EXPECT_EQ(error_of("duration=2s").find("--set duration=2s: `duration` must be a number"), 0u);
  EXPECT_EQ(error_of("gravity=[0,-1").find("--set gravity=[0,-1: `gravity` must be three numbers"), 0u);
  EXPECT_EQ(error_of("name=a/b").find("--set name=a/b: `name` must have"), 0u);
  EXPECT_EQ(error_of("nonsense.deep.down=1").find("--set nonsense.deep.down=1: unknown key `nonsense`"), 0u);
  EXPECT_EQ(error_of("about=a\nb").find("--set about=a?b: `about` must be one line"), 0u);
  EXPECT_EQ(with({"body.0.edge=0.3"}).place("body[0].edge").str(), "--set body.0.edge=0.3");
}

// A scene is written as TOML, which is UTF-8, and so must be all text in it; a terminal may send something else.
TEST(Overrides, TextThatIsNotUtf8IsRefused) {
  EXPECT_EQ(error_of("about=caf\xe9"), "--set about=caf?: `about` must be UTF-8, found \"caf?\"");
  EXPECT_EQ(with({"about=caf\xc3\xa9"}).about, "caf\xc3\xa9");
}

TEST(Overrides, ElementsThatAreNotThereAreErrors) {
  EXPECT_NE(error_of("body.2.edge=1").find("there is no `body[2]`\n  `body` goes from 0 to 1"), std::string::npos);
  EXPECT_NE(error_of("body.99999999999999999999.edge=1").find("there is no `body["), std::string::npos);
  EXPECT_NE(error_of("body.bal.edge=1").find("did you mean `ball`?"), std::string::npos);
  EXPECT_NE(error_of("gravity.0=1").find("`gravity` must be three numbers"), std::string::npos);
  EXPECT_NE(error_of("duration.x=1").find("`duration` has no key `x`: it is the number 1"), std::string::npos);
  EXPECT_THROW(read_scene({"[[body]]\nshape = { kind = \"box\" }\nmaterial = \"ice\"\n", "s", "", "s"},
                          {{"collider.0.friction=1"}}),
               InputError);
}

TEST(Overrides, MalformedOptionIsAUsageError) {
  for (const char* bad : {"duration", "", "=3", "body..edge=1", "body[0.edge=1", "body]=1", "body[0]edge=1", ".edge=1",
                          "edge.=1", "body[]=1", "a[b.c]=1"}) {
    EXPECT_THROW(with({bad}), UsageError) << bad;
  }
  std::string deep = "a";
  for (int i = 0; i < 100; ++i) deep += ".a";
  EXPECT_THROW(with({deep + "=1"}), UsageError);
}

}  // namespace
}  // namespace sunder
