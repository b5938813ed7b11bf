// Runs of things that touch: rigid bodies among them, and a step too long for contact.

#include <fmt/format.h>

#include <cmath>

#include "sim/run_testing.h"

namespace sunder {
namespace {

constexpr const char* kRigid = R"(
[[collider]]
name = "ball"
shape = { kind = "sphere", radius = 0.1 }
motion = "dynamic"
mass = 4
position = [-0.6, 0.35, 0]
velocity = [2, 0, 0]
rope = { point = [-0.1, 1.2, 0] }
[[collider]]
name = "brick"
shape = { kind = "box", size = [0.1, 0.1, 0.1] }
motion = "dynamic"
density = 2000
position = [0, 0.36, 0]
spin = [1, 2, 3]
[[collider]]
name = "hammer"
shape = { kind = "capsule", radius = 0.05, height = 0.3 }
motion = "kinematic"
keyframes = [{ time = 0, position = [0, 0.7, 0] }, { time = 0.2, position = [0, 0.45, 0], rotation = [0, 0, 90] }]
)";

TEST_F(RunScene, WithRigidBodiesGoesOnToTheSameBitsAndTellsWhereTheyAre) {
  const Scene scene = scene_of(std::string(kBlock) + kRigid, {"duration=0.21"});
  run_scene(scene, into("whole", 2));
  run_and_stop(scene, into("cut", 1), [](const Progress& p) { return p.frame == 4; });
  RunOptions options = into("cut", 3);
  options.resume = true;
  run_scene(scene, options);
  EXPECT_EQ(lasting_stats("cut"), lasting_stats("whole"));
  for (const char* file : {"forces.csv", "rigid.jsonl", "scene.toml"}) {
    EXPECT_EQ(read_file(top_ / "cut" / file), read_file(top_ / "whole" / file)) << file;
  }
  std::map<std::string, std::vector<Vec3>> path, velocity;
  std::istringstream lines(read_file(top_ / "whole/rigid.jsonl"));
  for (std::string line; std::getline(lines, line);) {
    const Json pose = Json::parse(line);
    const auto vec = [&](const char* key) {
      const Json& v = pose.at(key);
      return Vec3(v.at(0).get<double>(), v.at(1).get<double>(), v.at(2).get<double>());
    };
    path[pose.at("name").get<std::string>()].push_back(vec("position"));
    velocity[pose.at("name").get<std::string>()].push_back(vec("velocity"));
  }
  ASSERT_EQ(path["hammer"].size(), 6u);
  for (std::size_t i = 0; i < 5; ++i) {
    const double time = static_cast<double>(i) / 24;
    EXPECT_NEAR(path["hammer"][i].y(), 0.7 - 1.25 * time, 1e-9);
    EXPECT_NEAR(velocity["hammer"][i].y(), -1.25, 1e-9);
    EXPECT_EQ(path["floor"][i], Vec3(0, 0, 0));
  }
  EXPECT_GT((path["ball"][5] - path["ball"][0]).norm(), 0.1);
  EXPECT_LT((path["ball"][5] - Vec3(-0.1, 1.2, 0)).norm(), std::hypot(0.5, 0.85) + 1e-9) << "the rope holds";
  const std::string forces = read_file(top_ / "whole/forces.csv");
  EXPECT_NE(forces.find("ball,rope,"), std::string::npos) << forces.substr(0, 600);
}

TEST_F(RunScene, AFixedStepTooLongForContactIsWarnedOfOnce) {
  const std::string box =
      "[[body]]\nshape = { kind = \"box\", size = [0.2, 0.1, 0.1] }\nedge = 0.05\n"
      "material = { preset = \"jelly\", young = 4e5, poisson = 0.35, phi = 150, psi = 100 }\n";
  const std::string text = box + box + "position = [0, 0.6, 0]\nvelocity = [0, VELOCITY, 0]\n";
  const auto at_speed = [&](const char* velocity) {
    std::string with = text;
    return with.replace(with.find("VELOCITY"), 8, velocity);
  };
  const double dt = 0.1 * stable_dt_of(at_speed("0"), {});
  const auto warnings = [&](const char* velocity) {
    int count = 0;
    RunOptions options = into(velocity);
    options.warn = [&](const std::string& w) { count += w.find("contact to follow") != std::string::npos ? 1 : 0; };
    run_scene(scene_of(at_speed(velocity), {fmt::format("dt={}", dt), "duration=0.002", "fps=1000"}), options);
    return count;
  };
  EXPECT_EQ(warnings("1"), 0);
  EXPECT_EQ(warnings("300"), 1) << "away, but something could be in its way";
}

}  // namespace
}  // namespace sunder
