#include "render/camera.h"

#include <gtest/gtest.h>

#include "core/random.h"

namespace sunder::render {
namespace {

std::vector<Vec3> cloud(std::uint64_t seed, std::size_t count) {
  std::vector<Vec3> points;
  for (std::size_t i = 0; i < count; ++i) {
    points.emplace_back(3 * random_unit(seed, i, 0), random_unit(seed, i, 1), 2 * random_unit(seed, i, 2));
  }
  return points;
}

TEST(Camera, FramingSeesEveryPointAndTouchesTheMargin) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::vector<Vec3> points = cloud(seed, 1 + seed * 10);
    const double azimuth = 360 * random_unit(seed, 1), height = 80 * random_unit(seed, 2);
    const Camera camera = frame_points(points, view_direction(azimuth, height), 30, 16.0 / 9, 0.1);
    double widest = 0;
    for (const Vec3& p : points) {
      const Vec3 at = project(camera, p);
      EXPECT_GT(at.z(), 0);
      EXPECT_NEAR(at.x(), 0.5, 0.4 + 1e-9);
      EXPECT_NEAR(at.y(), 0.5, 0.4 + 1e-9);
      widest = std::max({widest, std::abs(at.x() - 0.5), std::abs(at.y() - 0.5)});
    }
    if (points.size() > 1) {
      EXPECT_NEAR(widest, 0.4, 1e-6);  // no nearer camera would do
    }
  }
}

TEST(Camera, RaysAndProjectionAgree) {
  const Camera camera{.position = Vec3(1, 2, 3), .target = Vec3(0, 0.5, 0), .view_angle = 40, .aspect = 1.5};
  const Ray ray = Lens(camera).ray(0.2f, 0.7f, 0);
  const Vec3 at = project(camera, camera.position + 4 * ray.direction.cast<double>());
  EXPECT_NEAR(at.x(), 0.2, 1e-5);
  EXPECT_NEAR(at.y(), 0.7, 1e-5);
}

TEST(Camera, ViewFromAboveIsUpright) {
  const Camera camera = frame_points(cloud(1, 50), Vec3(0, -1, 0), 30, 1, 0.05);
  EXPECT_TRUE(camera.axes().allFinite());
  EXPECT_NEAR((camera.axes().transpose() * camera.axes() - Mat3::Identity()).norm(), 0, 1e-12);
}

TEST(Camera, FewRunawaysAreLeftOut) {
  std::vector<Vec3> points = cloud(1, 1000);
  points.emplace_back(500, 0, 0);
  const std::vector<Vec3> kept = without_runaways(points);
  EXPECT_EQ(kept.size(), 1000u);
  EXPECT_EQ(without_runaways(cloud(2, 500)).size(), 500u);  // of an ordinary body nothing is lost
}

}  // namespace
}  // namespace sunder::render
