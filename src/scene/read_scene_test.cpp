#include "scene/read_scene.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "scene/check_scene.h"
#include "scene/scene_testing.h"
#include "scene/write_scene.h"

namespace sunder {
namespace {

using scene_testing::error_of;
using scene_testing::kBody;
using scene_testing::read;

TEST(ReadScene, ShortestSceneHasGoodDefaults) {
  const Scene scene = read(kBody);
  EXPECT_EQ(scene.name, "s");
  EXPECT_EQ(scene.duration, 1);
  EXPECT_EQ(scene.fps, 24);
  EXPECT_EQ(scene.gravity, Vec3(0, -9.81, 0));
  EXPECT_FALSE(scene.dt.has_value());
  ASSERT_EQ(scene.bodies.size(), 1u);
  const BodySpec& body = scene.bodies[0];
  EXPECT_EQ(body.name, "body-1");
  EXPECT_EQ(body.solver, "tet_oh99");
  EXPECT_EQ(body.edge, default_edge(body.shape));
  EXPECT_GT(body.edge, 0);
  EXPECT_EQ(body.material, find_material_preset("glass")->material);
  EXPECT_EQ(body.material_name, "glass");
  EXPECT_TRUE(scene.colliders.empty());
  EXPECT_TRUE(scene.regions.empty());
}

TEST(ReadScene, EveryKeyReachesItsField) {
  const Scene scene = read(R"(
name = "all-keys"
about = "every key"
duration = 0.6
fps = 30
gravity = [1, 2, 3]
integrator = "taylor2"
dt = 1e-5
safety = 0.5
damping = "literal"
damping_cap = 0.3
crushing = "literal"
seed = 7

[[body]]
name = "plate"
solver = "tet_oh99"
shape = { kind = "box", size = [1, 2, 3] }
edge = 0.25
position = [4, 5, 6]
rotation = [7, 8, 9]
velocity = [10, 11, 12]
spin = [13, 14, 15]
material = { lambda = 1e6, mu = 2e6, phi = 3, psi = 4, density = 5, toughness = 6 }

[[body]]
shape = { kind = "sphere", radius = 0.7 }
material = { young = 200e9, poisson = 0.25, density = 7850, toughness = 0 }

[[collider]]
shape = { kind = "ground", height = -1 }
friction = 0.1
damping = 0.3
stiffness = 1e5

[[collider]]
name = "ramp"
shape = { kind = "plane", normal = [0, 2, 0] }
position = [1, 1, 1]
rotation = [0, 0, 30]

[[collider]]
shape = { kind = "sphere", radius = 0.2 }

[[collider]]
shape = { kind = "box", size = [3, 2, 1] }
stiffness = "auto"

[[collider]]
name = "hammer"
shape = { kind = "capsule", radius = 0.1, height = 0.5 }
motion = "kinematic"
keyframes = [{ time = 0.25, position = [1, 2, 3] }, { time = 0.5, rotation = [0, 90, 0] }]

[[collider]]
name = "wrecking-ball"
shape = { kind = "sphere" }
motion = "dynamic"
mass = 12
position = [0, 3, 4]
velocity = [1, 2, 3]
spin = [4, 5, 6]
rope = { point = [0, 4, 4], attach = [0, 0.5, 0], length = 2 }

[[collider]]
name = "brick"
shape = { kind = "box" }
motion = "dynamic"
density = 2000
rope = { point = [0, 4, 4] }

[[region]]
name = "foot"
body = "plate"
where = { kind = "box", min = [-1, -2, -3], max = [1, 2, 3] }
action = "hold"
axes = "xz"
start = 0.1
end = 0.2

[[region]]
where = { kind = "sphere", center = [1, 2, 3], radius = 0.5 }
action = "move"
velocity = [0, 1, 0]
end = "never"

[[region]]
where = { kind = "half-space", point = [1, 0, 0], normal = [0, 0, -4] }
action = "force"
force = [9, 8, 7]

[[region]]
where = { kind = "half-space" }
action = "pressure"
pressure = 101325
)");
  EXPECT_EQ(scene.name, "all-keys");
  EXPECT_EQ(scene.about, "every key");
  EXPECT_EQ(scene.duration, 0.6);
  EXPECT_EQ(scene.fps, 30);
  EXPECT_EQ(scene.gravity, Vec3(1, 2, 3));
  EXPECT_EQ(scene.integrator, Integrator::taylor2);
  EXPECT_EQ(scene.dt, 1e-5);
  EXPECT_EQ(scene.safety, 0.5);
  EXPECT_EQ(scene.damping, DampingRule::literal);
  EXPECT_EQ(scene.damping_cap, 0.3);
  EXPECT_EQ(scene.crushing, CrushingRule::literal);
  EXPECT_EQ(scene.seed, 7u);

  ASSERT_EQ(scene.bodies.size(), 2u);
  const BodySpec& plate = scene.bodies[0];
  EXPECT_EQ(plate.name, "plate");
  EXPECT_EQ(std::get<BoxShape>(plate.shape).size, Vec3(1, 2, 3));
  EXPECT_EQ(plate.edge, 0.25);
  EXPECT_EQ(plate.position, Vec3(4, 5, 6));
  EXPECT_EQ(plate.rotation, Vec3(7, 8, 9));
  EXPECT_EQ(plate.velocity, Vec3(10, 11, 12));
  EXPECT_EQ(plate.spin, Vec3(13, 14, 15));
  EXPECT_EQ(plate.material, (Material{1e6, 2e6, 3, 4, 5, 6}));
  EXPECT_EQ(plate.material_name, "custom");
  EXPECT_EQ(std::get<SphereShape>(scene.bodies[1].shape).radius, 0.7);
  EXPECT_DOUBLE_EQ(scene.bodies[1].material.lambda, 80e9);
  EXPECT_DOUBLE_EQ(scene.bodies[1].material.mu, 80e9);

  ASSERT_EQ(scene.colliders.size(), 7u);
  const ColliderSpec &hammer = scene.colliders[4], &ball = scene.colliders[5], &brick = scene.colliders[6];
  EXPECT_EQ(std::get<CapsuleCollider>(hammer.shape), (CapsuleCollider{0.1, 0.5}));
  EXPECT_EQ(hammer.motion, ColliderMotion::kinematic);
  ASSERT_EQ(hammer.keyframes.size(), 2u);
  EXPECT_EQ(hammer.keyframes[0].time, 0.25);
  EXPECT_EQ(hammer.keyframes[0].position, Vec3(1, 2, 3));
  EXPECT_EQ(hammer.keyframes[1].rotation, Vec3(0, 90, 0));
  EXPECT_EQ(hammer.position, Vec3(1, 2, 3)) << "it starts where its first keyframe is";
  EXPECT_EQ(ball.motion, ColliderMotion::dynamic);
  EXPECT_EQ(ball.mass, 12);
  EXPECT_EQ(ball.density, std::nullopt);
  EXPECT_EQ(ball.velocity, Vec3(1, 2, 3));
  EXPECT_EQ(ball.spin, Vec3(4, 5, 6));
  EXPECT_EQ(ball.rope, (Rope{Vec3(0, 4, 4), Vec3(0, 0.5, 0), 2}));
  EXPECT_EQ(brick.density, 2000);
  EXPECT_EQ(brick.rope, (Rope{Vec3(0, 4, 4), Vec3::Zero(), {}}));
  EXPECT_EQ(scene.colliders[3].motion, ColliderMotion::fixed);
  EXPECT_EQ(scene.colliders[0].name, "ground");
  EXPECT_EQ(std::get<GroundCollider>(scene.colliders[0].shape).height, -1);
  EXPECT_EQ(scene.colliders[0].friction, 0.1);
  EXPECT_EQ(scene.colliders[0].damping, 0.3);
  EXPECT_EQ(scene.colliders[0].stiffness, 1e5);
  EXPECT_EQ(scene.colliders[1].name, "ramp");
  EXPECT_EQ(std::get<PlaneCollider>(scene.colliders[1].shape).normal, Vec3(0, 1, 0));
  EXPECT_EQ(scene.colliders[1].position, Vec3(1, 1, 1));
  EXPECT_EQ(scene.colliders[1].rotation, Vec3(0, 0, 30));
  EXPECT_EQ(scene.colliders[2].name, "sphere-3");
  EXPECT_EQ(std::get<SphereCollider>(scene.colliders[2].shape).radius, 0.2);
  EXPECT_EQ(scene.colliders[3].name, "box-4");
  EXPECT_EQ(std::get<BoxCollider>(scene.colliders[3].shape).size, Vec3(3, 2, 1));
  EXPECT_FALSE(scene.colliders[3].stiffness.has_value());

  ASSERT_EQ(scene.regions.size(), 4u);
  EXPECT_EQ(scene.regions[0].name, "foot");
  EXPECT_EQ(scene.regions[0].body, "plate");
  EXPECT_EQ(std::get<BoxSelection>(scene.regions[0].where).min, Vec3(-1, -2, -3));
  EXPECT_EQ(std::get<BoxSelection>(scene.regions[0].where).max, Vec3(1, 2, 3));
  EXPECT_EQ(scene.regions[0].action, RegionAction::hold);
  EXPECT_EQ(scene.regions[0].axes, "xz");
  EXPECT_EQ(scene.regions[0].start, 0.1);
  EXPECT_EQ(scene.regions[0].end, 0.2);
  EXPECT_EQ(scene.regions[1].name, "region-2");
  EXPECT_EQ(scene.regions[1].body, "");
  EXPECT_EQ(std::get<SphereSelection>(scene.regions[1].where).center, Vec3(1, 2, 3));
  EXPECT_EQ(std::get<SphereSelection>(scene.regions[1].where).radius, 0.5);
  EXPECT_EQ(scene.regions[1].action, RegionAction::move);
  EXPECT_EQ(scene.regions[1].velocity, Vec3(0, 1, 0));
  EXPECT_FALSE(scene.regions[1].end.has_value());
  EXPECT_EQ(std::get<HalfSpaceSelection>(scene.regions[2].where).point, Vec3(1, 0, 0));
  EXPECT_EQ(std::get<HalfSpaceSelection>(scene.regions[2].where).normal, Vec3(0, 0, -1));
  EXPECT_EQ(scene.regions[2].force, Vec3(9, 8, 7));
  EXPECT_EQ(scene.regions[3].action, RegionAction::pressure);
  EXPECT_EQ(scene.regions[3].pressure, 101325);
}

TEST(ReadScene, PresetWithChangesKeepsTheRest) {
  const Material glass = find_material_preset("glass")->material;
  const auto material = [](const std::string& keys) {
    return read("[[body]]\nshape = { kind = \"box\" }\nmaterial = { preset = \"glass\", " + keys + " }\n")
        .bodies[0]
        .material;
  };
  Material heavy = glass;
  heavy.density = 9999;
  EXPECT_EQ(material("density = 9999"), heavy);
  Material soft = glass;
  soft.mu = 1e6;
  EXPECT_EQ(material("mu = 1e6"), soft);
  const Material stiff = material("young = 140e9");  // Poisson's ratio stays
  EXPECT_NEAR(stiff.lambda / glass.lambda, 2, 1e-12);
  EXPECT_NEAR(stiff.mu / glass.mu, 2, 1e-12);
}

TEST(ReadScene, MisspeltKeyIsNamedWithPlaceAndSuggestion) {
  const std::string error = error_of("[[body]]\nshape = { kind = \"box\" }\n  edeg = 0.1\nmaterial = \"glass\"\n");
  EXPECT_EQ(error, "s.toml:3:3: unknown key `edeg` in `body[0]`\n  did you mean `edge`?");
}

struct BadScene {
  const char* text;
  const char* place;  // line:column, "" if the error has only the file
  const char* message;
};

// B is replaced by the three lines of kBody, so what follows it starts in line 4 if B is first.
const BadScene kBadScenes[] = {
    // not TOML
    {"duration = \n", "1:12", "not valid TOML"},
    {"name = hello\n", "1:8", "text needs \"quotes\""},
    {"B[[body]\n", "4:8", "not valid TOML"},
    {"duration = 1\nduration = 2\nB", "2:", "redefine"},
    {"duration = 1e999\nB", "1:", "1e999"},
    // unknown and missing keys
    {"duraton = 1\nB", "1:1", "did you mean `duration`?"},
    {"bodies = 3\nB", "1:1", "unknown key `bodies`"},
    {"\"\\u001b[31m\" = 3\nB", "1:1", "unknown key \"\\u001B[31m\""},
    {"Bcolour = \"red\"\n", "4:1", "unknown key `colour` in `body[0]`"},
    {"[[body]]\nshape = { kind = \"box\", sise = [1, 1, 1] }\nmaterial = \"glass\"\n", "2:25", "did you mean `size`?"},
    {"[[body]]\nshape = { kind = \"box\", radius = 1 }\nmaterial = \"glass\"\n", "2:25",
     "unknown key `radius` in `body[0].shape`"},
    {"[[body]]\nshape = { kind = \"box\" }\nmaterial = { preset = \"glass\", densty = 1 }\n", "3:32",
     "did you mean `density`?"},
    {"B[[collider]]\nshape = { kind = \"ground\" }\nfrictoin = 0.4\n", "6:1", "did you mean `friction`?"},
    {"B[[region]]\nwhere = { kind = \"box\", min = [0,0,0], maxx = [1,1,1] }\n", "5:40", "did you mean `max`?"},
    {"duration = 1\n", "", "the scene has no body"},
    {"body = []\n", "1:1", "the scene has no body"},
    {"body = 3\n", "1:8", "`body` must be a list of tables, found the number 3"},
    {"[body]\nshape = { kind = \"box\" }\n", "1:1", "[[body]]"},
    {"body = [1, 2]\n", "1:9", "`body` must be a list of tables"},
    {"[[body]]\nmaterial = \"glass\"\n", "1:1", "`body[0].shape` is missing"},
    {"[[body]]\nshape = { kind = \"box\" }\n", "1:1", "`body[0].material` is missing"},
    {"[[body]]\nshape = { size = [1, 1, 1] }\nmaterial = \"glass\"\n", "2:9", "`body[0].shape` has no `kind`"},
    {"[[body]]\nshape = \"box\"\nmaterial = \"glass\"\n", "2:9",
     "`body[0].shape` must be a table, found the text \"box\""},
    {"[[body]]\nshape = { kind = \"file\" }\nmaterial = \"glass\"\n", "2:1", "`body[0].shape.path` is missing"},
    {"B[[collider]]\n", "4:1", "`collider[0].shape` is missing"},
    {"B[[region]]\n", "4:1", "`region[0].where` is missing"},
    {"B[[region]]\nwhere = { kind = \"box\", min = [0,0,0] }\n", "5:1", "`region[0].where.max` is missing"},
    {"B[[region]]\nwhere = { kind = \"sphere\" }\n", "5:1", "`region[0].where.radius` is missing"},
    // words
    {"integrator = \"euler\"\nB", "1:14", "`integrator` cannot be \"euler\""},
    {"integrator = \"taylor\"\nB", "1:14", "did you mean `taylor2`?"},
    {"damping = \"caped\"\nB", "1:11", "did you mean `capped`?"},
    {"[[body]]\nshape = { kind = \"bx\" }\nmaterial = \"glass\"\n", "2:18", "did you mean `box`?"},
    {"[[body]]\nshape = { kind = \"cone\" }\nmaterial = \"glass\"\n", "2:18", "is not in this version"},
    {"[[body]]\nshape = { kind = 3 }\nmaterial = \"glass\"\n", "2:18", "`body[0].shape.kind` must be text"},
    {"B[[collider]]\nshape = { kind = \"cylinder\" }\n", "5:18", "is not in this version"},
    {"Bsolver = \"virtual_node_molino04\"\n", "4:10", "is not in this version"},
    {"Bsolver = \"tet_oh98\"\n", "4:10", "did you mean `tet_oh99`?"},
    {"B[[region]]\nwhere = { kind = \"half-space\" }\naction = \"push\"\n", "6:10",
     "`region[0].action` cannot be \"push\""},
    // shapes
    {"[[body]]\nshape = { kind = \"bowl\", wall = 1 }\nmaterial = \"glass\"\n", "2:1", "does not fit a radius"},
    {"[[body]]\nshape = { kind = \"revolve\", profile = [[1, 2, 3], [1, 2]] }\nmaterial = \"glass\"\n", "2:40",
     "a list of points [a, b]"},
    {"[[body]]\nshape = { kind = \"revolve\", profile = [[1, 2]] }\nmaterial = \"glass\"\n", "2:39", "2 to 400 points"},
    {"[[body]]\nshape = { kind = \"revolve\", closed = true, wall = 1 }\nmaterial = \"glass\"\n", "2:44",
     "goes only with profiles that are not `closed`"},
    {"[[body]]\nshape = { kind = \"tube\", path = [[0, 0, 0], [0, nan, 0]] }\nmaterial = \"glass\"\n", "2:49",
     "finite"},
    {"[[body]]\nshape = { kind = \"polygon\", holes = [[1, 2]] }\nmaterial = \"glass\"\n", "2:38", "3 to 1000 points"},
    {"[[body]]\nshape = { kind = \"tube\", closed = 1 }\nmaterial = \"glass\"\n", "2:35", "true or false"},
    {"Blayers = 0\n", "4:10", "a whole number from 1 to 1000"},
    {"[[body]]\nshape = { kind = \"sphere\" }\nlayers = 2\nmaterial = \"glass\"\n", "3:1",
     "goes only with shapes that are meshed in layers"},
    // types
    {"duration = \"2s\"\nB", "1:12", "`duration` must be a number (s), found the text \"2s\""},
    {"duration = true\nB", "1:12", "found `true`"},
    {"duration = 1979-05-27\nB", "1:12", "found a date or time"},
    {"duration = { }\nB", "1:12", "found a table"},
    {"name = 7\nB", "1:8", "`name` must be text in quotes, found the number 7"},
    {"gravity = -9.81\nB", "1:11", "`gravity` must be three numbers [x, y, z], found the number -9.81"},
    {"gravity = [0, -9.81]\nB", "1:11", "found a list of 2 values"},
    {"gravity = [0, 0, 0, 0]\nB", "1:11", "found a list of 4 values"},
    {"gravity = [0, \"down\", 0]\nB", "1:15", "found the text \"down\""},
    {"dt = \"fast\"\nB", "1:6", "`dt` must be a number or \"auto\""},
    {"seed = -1\nB", "1:8", "`seed` must be a whole number, 0 or more"},
    {"seed = 1.5\nB", "1:8", "found the number 1.5"},
    {"seed = 9223372036854775808\nB", "1:", "64 bits"},
    {"[[body]]\nshape = { kind = \"box\" }\nmaterial = 3\n", "3:12", "the name of a preset, or a table"},
    // values
    {"duration = -0.1\nB", "1:12", "`duration` must be at least 0"},
    {"duration = nan\nB", "1:12", "`duration` must be a finite number"},
    {"gravity = [0, -inf, 0]\nB", "1:15", "`gravity` must be a finite number"},
    {"fps = -24\nB", "1:7", "`fps` must be greater than 0"},
    {"duration = 1e13\nB", "1:12", "`duration` must be at most 1000000000000"},
    {"duration = 1e5\nB", "1:1", "2.4e+06 frames"},
    {"fps = 2e6\nB", "1:1", "2e+06 frames"},
    {"dt = 0\nB", "1:6", "`dt` must be at least 1e-12"},
    {"safety = 0\nB", "1:10", "`safety` must be greater than 0"},
    {"safety = 1.01\nB", "1:10", "`safety` must be at most 1"},
    {"damping_cap = -1\nB", "1:15", "`damping_cap` must be at least 0"},
    {"name = \"a/b\"\nB", "1:8", "letters, digits"},
    {"name = \"\"\nB", "1:8", "letters, digits"},
    {"name = \"..\"\nB", "1:8", "letters, digits"},
    {"about = \"a\\nb\"\nB", "1:9", "one line"},
    {"Bname = \"my body\"\n", "4:8", "letters, digits"},
    {"Bname = \"12\"\n", "4:8", "must not be a number"},
    {"[[body]]\nshape = { kind = \"box\", size = [1, 0, 1] }\nmaterial = \"glass\"\n", "2:36",
     "`body[0].shape.size` must be at least 1e-06"},
    {"[[body]]\nshape = { kind = \"sphere\", radius = -1 }\nmaterial = \"glass\"\n", "2:37",
     "`body[0].shape.radius` must be at least"},
    {"Bedge = 0\n", "4:8", "`body[0].edge` must be at least"},
    {"Bedge = 0.001\n", "4:1", "million tetrahedra with edge = 0.001"},
    {"Bposition = [1e30, 0, 0]\n", "4:13", "`body[0].position` must be at most"},
    {"[[body]]\nshape = { kind = \"file\", path = \"\" }\nmaterial = \"glass\"\n", "2:33", "must name a file"},
    {"B[[collider]]\nshape = { kind = \"plane\", normal = [0, 0, 0] }\n", "5:36", "has no direction"},
    {"B[[collider]]\nshape = { kind = \"sphere\", radius = 0 }\n", "5:37", "`collider[0].shape.radius`"},
    {"B[[collider]]\nshape = { kind = \"box\", size = [1, 1, -1] }\n", "5:39", "`collider[0].shape.size`"},
    {"B[[collider]]\nshape = { kind = \"ground\" }\nfriction = -0.1\n", "6:12", "at least 0"},
    {"B[[collider]]\nshape = { kind = \"ground\" }\nstiffness = \"soft\"\n", "6:13", "a number or \"auto\""},
    {"B[[collider]]\nshape = { kind = \"ground\" }\nposition = [0, 1, 0]\n", "6:1",
     "`collider[0].position` goes only with shapes other than `ground`"},
    // materials
    {"[[body]]\nshape = { kind = \"box\" }\nmaterial = \"glas\"\n", "3:12", "did you mean `glass`?"},
    {"[[body]]\nshape = { kind = \"box\" }\nmaterial = { preset = \"glas\" }\n", "3:14", "did you mean `glass`?"},
    {"[[body]]\nshape = { kind = \"box\" }\nmaterial = { density = 1, toughness = 1 }\n", "3:1", "no stiffness"},
    {"[[body]]\nshape = { kind = \"box\" }\nmaterial = { mu = 1, density = 1, toughness = 1 }\n", "3:14",
     "`mu` needs `lambda`"},
    {"[[body]]\nshape = { kind = \"box\" }\nmaterial = { lambda = 1, density = 1, toughness = 1 }\n", "3:14",
     "`lambda` needs `mu`"},
    {"[[body]]\nshape = { kind = \"box\" }\nmaterial = { young = 1, density = 1, toughness = 1 }\n", "3:14",
     "`young` needs `poisson`"},
    {"[[body]]\nshape = { kind = \"box\" }\nmaterial = { poisson = 0, density = 1, toughness = 1 }\n", "3:14",
     "`poisson` needs `young`"},
    {"[[body]]\nshape = { kind = \"box\" }\nmaterial = { preset = \"glass\", mu = 1, young = 1 }\n", "3:40",
     "keep one pair"},
    {"[[body]]\nshape = { kind = \"box\" }\nmaterial = { lambda = 1, mu = 1, toughness = 1 }\n", "3:1", "no `density`"},
    {"[[body]]\nshape = { kind = \"box\" }\nmaterial = { lambda = 1, mu = 1, density = 1 }\n", "3:1", "no `toughness`"},
    {"[[body]]\nshape = { kind = \"box\" }\nmaterial = { preset = \"glass\", density = -2500 }\n", "3:42",
     "must be at least 1e-06"},
    {"[[body]]\nshape = { kind = \"box\" }\nmaterial = { preset = \"glass\", density = 0 }\n", "3:42",
     "must be at least 1e-06"},
    {"[[body]]\nshape = { kind = \"box\" }\nmaterial = { preset = \"glass\", mu = 0 }\n", "3:37",
     "must be greater than 0"},
    {"[[body]]\nshape = { kind = \"box\" }\nmaterial = { preset = \"glass\", phi = -1 }\n", "3:38", "at least 0"},
    {"[[body]]\nshape = { kind = \"box\" }\nmaterial = { preset = \"glass\", psi = -1 }\n", "3:38", "at least 0"},
    {"[[body]]\nshape = { kind = \"box\" }\nmaterial = { preset = \"glass\", toughness = -1 }\n", "3:44", "at least 0"},
    {"[[body]]\nshape = { kind = \"box\" }\nmaterial = { lambda = -3, mu = 3, density = 1, toughness = 1 }\n", "3:14",
     "-2/3 mu"},
    {"[[body]]\nshape = { kind = \"box\" }\nmaterial = { preset = \"glass\", poisson = 0.5 }\n", "3:42",
     "less than 0.5"},
    {"[[body]]\nshape = { kind = \"box\" }\nmaterial = { preset = \"glass\", poisson = -1 }\n", "3:42",
     "greater than -1"},
    {"[[body]]\nshape = { kind = \"box\" }\nmaterial = { preset = \"glass\", poisson = 0.49999 }\n", "3:32",
     "the limit is"},
    // values that must fit each other
    {"Bname = \"a\"\n[[body]]\nname = \"a\"\nshape = { kind = \"box\" }\nmaterial = \"ice\"\n", "6:1",
     "`body[1]` is called `a`, like `body[0]`"},
    {"Bname = \"body-2\"\n[[body]]\nshape = { kind = \"box\" }\nmaterial = \"ice\"\n", "5:1",
     "`body[1]` is called `body-2`"},
    {"B[[collider]]\nname = \"c\"\nshape = { kind = \"ground\" }\n[[collider]]\nname = \"c\"\nshape = { kind = \"box\" "
     "}\n",
     "8:1", "like `collider[0]`"},
    {"B[[region]]\nname = \"r\"\nwhere = { kind = \"half-space\" }\n[[region]]\nname = \"r\"\nwhere = { kind = "
     "\"half-space\" }\n",
     "8:1", "like `region[0]`"},
    {"B[[region]]\nbody = \"bdy-1\"\nwhere = { kind = \"half-space\" }\n", "5:1", "did you mean `body-1`?"},
    {"B[[region]]\nwhere = { kind = \"box\", min = [0,1,0], max = [1,0,1] }\n", "5:40", "`max` is below `min` along y"},
    {"B[[region]]\nwhere = { kind = \"half-space\" }\nstart = 2\nend = 1\n", "7:1", "is not after"},
    {"B[[region]]\nwhere = { kind = \"half-space\" }\nforce = [1, 0, 0]\n", "6:1",
     "`region[0].force` goes only with `action` force"},
    {"B[[region]]\nwhere = { kind = \"half-space\" }\naction = \"force\"\nforce = [1, 0, 0]\naxes = \"x\"\n", "8:1",
     "goes only with `action` hold or move"},
    {"B[[region]]\nwhere = { kind = \"half-space\" }\naction = \"move\"\npressure = 1\nvelocity = [1, 0, 0]\n", "7:1",
     "`region[0].pressure` goes only with"},
    {"B[[region]]\nwhere = { kind = \"half-space\" }\naction = \"move\"\n", "4:1", "`region[0].velocity` is missing"},
    {"B[[region]]\nwhere = { kind = \"half-space\" }\naction = \"pressure\"\n", "4:1",
     "`region[0].pressure` is missing"},
    {"B[[region]]\nwhere = { kind = \"half-space\" }\naxes = \"xw\"\n", "6:8", "some of the letters x, y, z"},
    {"B[[region]]\nwhere = { kind = \"half-space\" }\naxes = \"xx\"\n", "6:8", "some of the letters x, y, z"},
    {"B[[region]]\nwhere = { kind = \"half-space\" }\naxes = \"\"\n", "6:8", "some of the letters x, y, z"},
};

TEST(ReadScene, BadScenesAreRefusedAtThePlaceOfTheMistake) {
  EXPECT_GE(std::size(kBadScenes), 60u);
  for (const BadScene& bad : kBadScenes) {
    std::string text = bad.text;
    if (const std::size_t at = text.find('B'); at != std::string::npos) text.replace(at, 1, kBody);
    const std::string error = error_of(text);
    const std::string place = *bad.place == 0 ? "s.toml: " : fmt::format("s.toml:{}", bad.place);
    const bool exact = place.back() == ' ' || place.back() == ':';
    EXPECT_EQ(error.substr(0, place.size() + (exact ? 0 : 2)), place + (exact ? "" : ": ")) << text << error;
    EXPECT_NE(error.find(bad.message), std::string::npos) << text << error;
  }
}

TEST(ReadScene, TooFineAMeshNamesAnEdgeThatFits) {
  for (const char* shape : {"{ kind = \"box\", size = [1, 2, 0.01] }", "{ kind = \"sphere\", radius = 3 }"}) {
    const auto text = [&](double edge) {
      return fmt::format("[[body]]\nshape = {}\nedge = {}\nmaterial = \"glass\"\n", shape, edge);
    };
    const std::string error = error_of(text(1e-4));
    const std::size_t remedy = error.find("  edge = ");
    ASSERT_NE(remedy, std::string::npos) << error;
    const double fits = std::stod(error.substr(remedy + 9));
    EXPECT_LE(estimated_tets(read(text(fits)).bodies[0].shape, fits), kMostTets);
    EXPECT_GT(estimated_tets(read(text(fits)).bodies[0].shape, fits), 0.3 * kMostTets);
  }
}

TEST(ReadScene, NestingAndSizeAreRefusedQuickly) {
  EXPECT_NE(error_of("a = " + std::string(1'000'000, '[')).find("s.toml:1:37: nested more than"), std::string::npos);
  std::string inline_tables = "a = ", dots = "a";
  for (int i = 0; i < 100'000; ++i) {
    inline_tables += "{a=";
    dots += ".a";
  }
  EXPECT_NE(error_of(inline_tables).find("nested more than"), std::string::npos);
  EXPECT_NE(error_of(dots + " = 1").find("nested more than"), std::string::npos);
  EXPECT_NE(error_of("[" + dots + "]").find("nested more than"), std::string::npos);
  // Quotes at the end of a long text belong to it: they open no other that would hide what follows.
  for (const char* text : {"\"\"\"x\"\"\"\"", "\"\"\"x\"\"\"\"\"", "'''x''''", "'''x'''''"}) {
    EXPECT_NE(error_of(fmt::format("a = [{}, {{ {} = 1 }}]", text, dots)).find("nested more than"), std::string::npos)
        << text;
  }
  EXPECT_NE(error_of(std::string((16 << 20) + 1, '#')).find("the limit is 16 MB"), std::string::npos);
  std::string many = "a = [";
  for (int i = 0; i < 1'000'001; ++i) many += "1,";
  EXPECT_NE(error_of(many + "]").find("more than 1000000 values"), std::string::npos);
}

TEST(ReadScene, DotsAndBracketsInTextAndCommentsAreNotNesting) {
  const std::string odd = std::string(100, '[') + std::string(100, '.');
  const Scene scene = read(fmt::format("# {0} \"\nabout = \"{0} \\\" # {0}\" # {0}\nname = 'x'\n", odd) + kBody);
  EXPECT_EQ(scene.about, odd + " \" # " + odd);
}

TEST(ReadScene, UnusableDefaultNameIsMadeUsable) {
  EXPECT_EQ(read_scene({kBody, "f", "", "my scene.v2"}).name, "my-scene-v2");
  EXPECT_EQ(read_scene({kBody, "f", "", ""}).name, "scene");
  EXPECT_EQ(read_scene({"name = \"given\"\n" + kBody, "f", "", "stem"}).name, "given");
}

TEST(ReadScene, PlacesAreThoseOfKeysOrOfTheNearestTable) {
  const Scene scene = read("duration = 2\n" + kBody + "  edge = 0.2\n[[collider]]\nshape = { kind = \"ground\" }\n");
  EXPECT_EQ(scene.place("duration").str(), "s.toml:1:1");
  EXPECT_EQ(scene.place("body[0].edge").str(), "s.toml:5:3");
  EXPECT_EQ(scene.place("body[0].shape").str(), "s.toml:3:1");
  EXPECT_EQ(scene.place("body[0].shape.kind").str(), "s.toml:3:11");
  EXPECT_EQ(scene.place("body[0].shape.size").str(), "s.toml:3:1");
  EXPECT_EQ(scene.place("body[0].spin").str(), "s.toml:2:1");
  EXPECT_EQ(scene.place("collider[0].friction").str(), "s.toml:6:1");
  EXPECT_EQ(scene.place("fps").str(), "s.toml");
  EXPECT_FALSE(scene.places.contains("body[0].spin"));
}

TEST(ReadScene, BrokenTextNeverDoesWorseThanAnError) {
  const std::string good = "duration = 0.5\ngravity = [0, -9.81, 0]\n" + kBody +
                           "edge = 0.2\n[[collider]]\nshape = { kind = \"ground\" }\n"
                           "[[region]]\nwhere = { kind = \"box\", min = [0,0,0], max = [1,1,1] }\naxes = \"xy\"\n";
  const std::string alphabet = "[]{}=\"',.#\n-+0e9_ \\ainfnan\x01\xff";
  std::uint64_t state = 1;
  const auto next = [&](std::size_t below) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<std::size_t>(state >> 33) % below;
  };
  int refused = 0, accepted = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    std::string text = good;
    for (std::size_t edits = 1 + next(3); edits > 0; --edits) {
      const std::size_t at = next(text.size());
      if (next(2) == 0) {
        text[at] = alphabet[next(alphabet.size())];
      } else {
        text.erase(at, next(6));
      }
    }
    try {
      read(text);
      ++accepted;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::input);
      ++refused;
    }
  }
  EXPECT_GT(refused, 1000);
  EXPECT_GT(accepted, 10);
}

// A collider's lines, and what must be said about them.
TEST(ReadScene, RefusesCollidersThatCannotMoveAsTheyAreTold) {
  const std::string sphere = "shape = { kind = \"sphere\" }\n", dynamic = sphere + "motion = \"dynamic\"\n",
                    kinematic = sphere + "motion = \"kinematic\"\n";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {sphere + "mass = 3\n", "`collider[0].mass` goes only with `motion` dynamic"},
      {sphere + "rope = { point = [0, 1, 0] }\n", "`collider[0].rope` goes only with `motion` dynamic"},
      {sphere + "keyframes = []\n", "`collider[0].keyframes` goes only with `motion` kinematic"},
      {sphere + "motion = \"moving\"\n", "static"},
      {dynamic, "neither `mass` nor `density`"},
      {dynamic + "mass = 1\ndensity = 1\n", "s.toml:8:1: `sphere` has both `mass` and `density`"},
      {dynamic + "mass = 0\n", "greater than 0"},
      {dynamic + "mass = 1\nrope = { length = 2 }\n", "`collider[0].rope.point` is missing"},
      {dynamic + "mass = 1\nrope = 3\n", "must be a table"},
      {dynamic + "mass = 1\nrope = { point = [0, 3, 0], length = 2 }\n", "its ends are 3 m apart"},
      {dynamic + "mass = 1\nrope = { point = [0, 0, 0] }\n", "has no length"},
      {kinematic, "`collider[0].keyframes` is missing"},
      {kinematic + "keyframes = []\n", "kinematic without keyframes"},
      {kinematic + "keyframes = [{ position = [0, 0, 0] }]\n", "time"},
      {kinematic + "keyframes = [{ time = 0 }, { time = 1 }, { time = 1 }]\n", "keyframe 2 of `sphere` is at 1 s"},
      {kinematic + "keyframes = [{ time = 0 }]\nposition = [0, 1, 0]\n", "`keyframes` say where it is"},
      {"shape = { kind = \"plane\" }\nmotion = \"dynamic\"\nmass = 1\n", "a plane has no end"},
      {"shape = { kind = \"ground\" }\nmotion = \"dynamic\"\n", "goes only with shapes other than `ground`"},
      {"shape = { kind = \"capsule\", radius = 1, height = 1 }\n", "at least 2 m high"},
      {"shape = { kind = \"mesh\" }\n", "`collider[0].shape.path` is missing"},
  };
  for (const auto& [lines, message] : cases) {
    EXPECT_NE(error_of(kBody + "[[collider]]\n" + lines).find(message), std::string::npos)
        << lines << error_of(kBody + "[[collider]]\n" + lines);
  }
}

}  // namespace
}  // namespace sunder
