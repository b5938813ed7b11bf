#include "render/trace.h"

#include <gtest/gtest.h>

#include <cstring>

#include "core/parallel.h"
#include "core/random.h"
#include "render/denoise.h"
#include "render/tonemap.h"

namespace sunder::render {
namespace {

// Of a picture so many pixels wide.
std::size_t pixel(std::size_t width, int x, int y) {
  return width * static_cast<std::size_t>(y) + static_cast<std::size_t>(x);
}

Camera looking_at_origin(double distance = 4) {
  return {.position = Vec3(0, 0, distance), .target = Vec3::Zero(), .view_angle = 30, .aspect = 1};
}

TraceSettings small(int samples, int side = 32) {
  return {.width = side, .height = side, .samples = samples, .bounces = 16};
}

Color mean_light(const Picture& picture) {
  Color sum = Color::Zero();
  for (const Color& c : picture.light) sum += c;
  return sum / static_cast<float>(picture.light.size());
}

// A cube as a glass body is one: closed, outward triangles.
SurfaceMesh cube(float half, PaintId paint) {
  SurfaceMesh mesh;
  for (int c = 0; c < 8; ++c) mesh.open.emplace_back(c & 1 ? half : -half, c & 2 ? half : -half, c & 4 ? half : -half);
  for (const auto& s : {std::array{0u, 4u, 6u, 2u}, std::array{1u, 3u, 7u, 5u}, std::array{0u, 1u, 5u, 4u},
                        std::array{2u, 6u, 7u, 3u}, std::array{0u, 2u, 3u, 1u}, std::array{4u, 5u, 7u, 6u}}) {
    mesh.triangles.push_back({s[0], s[1], s[2]});
    mesh.triangles.push_back({s[0], s[2], s[3]});
  }
  mesh.paint.assign(12, paint);
  return mesh;
}

// In a white room with one grey for all directions, white things cannot be seen.
TEST(Trace, WhiteFurnaceHidesEveryPaint) {
  const std::vector<Paint> paints = {{.kind = PaintKind::diffuse, .color = Color::Ones()},
                                     {.kind = PaintKind::coated, .color = Color::Ones(), .roughness = 0.3f},
                                     {.kind = PaintKind::metal, .color = Color::Ones(), .roughness = 0.4f},
                                     {.kind = PaintKind::glass, .color = Color::Ones(), .roughness = 0},
                                     {.kind = PaintKind::glass, .color = Color::Ones(), .roughness = 0.3f}};
  for (const Paint& paint : paints) {
    for (const bool round : {true, false}) {
      Stage stage;
      const PaintId id = stage.add(paint);
      if (round) {
        stage.balls.push_back({Vec3f::Zero(), 1, id});
      } else {
        stage.surfaces.push_back(cube(0.6f, id));
      }
      stage.sky = uniform_sky(Color::Constant(0.5f));
      const RayScene scene(stage);
      TraceSettings settings = small(32, 24);
      settings.bounces = 64;  // glass keeps light in for long
      const Color mean = mean_light(trace(scene, looking_at_origin(), settings));
      EXPECT_NEAR(luminance(mean), 0.5f, 0.01f) << "paint " << static_cast<int>(paint.kind) << " roughness "
                                                << paint.roughness << (round ? " ball" : " cube");
    }
  }
}

// A lamp of radius r and radiance L at height h lights a Lambertian floor straight below with pi L (r / h)^2 a / pi.
TEST(Trace, LampLightsFloorAsTheFormulaSays) {
  Stage stage;
  stage.ground = {.shown = true, .height = 0, .paint = stage.add({.color = Color::Constant(0.5f)})};
  stage.sky = uniform_sky(Color::Zero());
  stage.lamps.push_back({Vec3f(0, 2, 0), 0.2f, Color::Constant(30)});
  const RayScene scene(stage);
  const Camera camera{.position = Vec3(0, 1, 0.01), .target = Vec3::Zero(), .view_angle = 1, .aspect = 1};
  const Color mean = mean_light(trace(scene, camera, small(64, 8)));
  EXPECT_NEAR(luminance(mean), 30 * 0.5f * 0.01f, 0.0015f);
}

TEST(Trace, PanelLightsFloorAsTheFormulaSays) {
  // Radiosity of a small floor patch below the middle of a square panel: form factor of a parallel rectangle,
  // 4 times that of a corner with a = b = 1/2 at distance 1: 2/pi a/sqrt(1+a^2) atan(b/sqrt(1+a^2)) each.
  Stage stage;
  stage.ground = {.shown = true, .height = 0, .paint = stage.add({.color = Color::Constant(0.8f)})};
  stage.sky = uniform_sky(Color::Zero());
  stage.panels.push_back({Vec3f(0, 1, 0), Vec3f(0.5f, 0, 0), Vec3f(0, 0, 0.5f), Color::Constant(2)});
  const Vec3f out = stage.panels[0].half_u.cross(stage.panels[0].half_v);
  ASSERT_LT(out.y(), 0);  // it shines down
  const RayScene scene(stage);
  const Camera camera{.position = Vec3(0, 0.5, 0.005), .target = Vec3::Zero(), .view_angle = 1, .aspect = 1};
  const double a = 0.5, s = std::sqrt(1 + a * a);
  const double factor = 4 / std::numbers::pi * a / s * std::atan(a / s);
  EXPECT_NEAR(static_cast<double>(luminance(mean_light(trace(scene, camera, small(64, 8))))), 2 * 0.8 * factor,
              0.016 * factor);
}

// The sun's irradiance E on a Lambertian floor of albedo a gives radiance a E cos / pi.
TEST(Trace, SunLightsFloorAsTheFormulaSays) {
  Stage stage;
  stage.ground = {.shown = true, .height = 0, .paint = stage.add({.color = Color::Constant(0.5f)})};
  stage.sky = uniform_sky(Color::Zero());
  stage.sky.sun = Vec3f(0.6f, 0.8f, 0);
  stage.sky.sun_light = Color::Constant(3);
  const RayScene scene(stage);
  const Camera camera{.position = Vec3(0, 1, 0.01), .target = Vec3::Zero(), .view_angle = 5, .aspect = 1};
  EXPECT_NEAR(luminance(mean_light(trace(scene, camera, small(32, 8)))), 0.5f * 3 * 0.8f / kPi, 0.0038f);
}

// A mirror ball shows a lamp where the law of reflection puts it.
TEST(Trace, MirrorShowsTheAnalyticImage) {
  Stage stage;
  stage.balls.push_back({Vec3f::Zero(), 1, stage.add({.kind = PaintKind::metal, .color = Color::Ones()})});
  stage.sky = uniform_sky(Color::Zero());
  stage.lamps.push_back({Vec3f(30, 0, 40), 1, Color::Constant(5)});
  const RayScene scene(stage);
  const Camera camera = looking_at_origin(8);
  TraceSettings settings = small(16, 200);
  const Picture picture = trace(scene, camera, settings);
  double sum = 0, x = 0, y = 0;
  for (int j = 0; j < 200; ++j) {
    for (int i = 0; i < 200; ++i) {
      const double l = static_cast<double>(luminance(picture.light[pixel(200, i, j)]));
      sum += l, x += l * (i + 0.5), y += l * (j + 0.5);
    }
  }
  ASSERT_GT(sum, 0);
  // The point p of the ball whose normal halves the angle between camera and lamp.
  Vec3 p = Vec3(0, 0, 1);
  for (int i = 0; i < 100; ++i) {
    p = ((camera.position - p).normalized() + (Vec3(30, 0, 40) - p).normalized()).normalized();
  }
  const Vec3 image = project(camera, p);
  EXPECT_NEAR(x / sum / 200, image.x(), 0.003);
  EXPECT_NEAR(y / sum / 200, image.y(), 0.003);
}

TEST(Trace, GlassThrowsALightShadowAndCeramicADarkOne) {
  const auto floor_below = [](PaintKind kind) {
    Stage stage;
    stage.ground = {.shown = true, .height = 0, .paint = stage.add({.color = Color::Constant(0.5f)})};
    stage.balls.push_back({Vec3f(0, 1.5f, 0), 0.3f, stage.add({.kind = kind, .color = Color::Constant(0.98f)})});
    stage.sky = uniform_sky(Color::Zero());
    stage.sky.sun = Vec3f(0, 1, 0);
    stage.sky.sun_light = Color::Constant(3);
    const RayScene scene(stage);
    const Camera camera{.position = Vec3(0, 0.5, 0.5), .target = Vec3::Zero(), .view_angle = 5, .aspect = 1};
    return luminance(mean_light(trace(scene, camera, small(16, 8))));
  };
  const float open = 0.5f * 3 / kPi;
  EXPECT_LT(floor_below(PaintKind::diffuse), 0.15f * open);
  EXPECT_GT(floor_below(PaintKind::glass), 0.6f * open);
  EXPECT_LT(floor_below(PaintKind::glass), 1.05f * open);
}

TEST(Trace, MovingBodiesBlur) {
  const auto edge_width = [](float way) {
    Stage stage;
    SurfaceMesh mesh = cube(0.5f, stage.add({.color = Color::Ones()}));
    if (way > 0) {
      mesh.close = mesh.open;
      for (Vec3f& p : mesh.open) p.x() -= way / 2;
      for (Vec3f& p : mesh.close) p.x() += way / 2;
    }
    stage.surfaces.push_back(mesh);
    stage.sky = uniform_sky(Color::Zero());
    stage.sky.sun = Vec3f(0, 0, 1);
    stage.sky.sun_light = Color::Constant(3);
    const RayScene scene(stage);
    const Picture picture = trace(scene, looking_at_origin(), small(64, 64));
    int between = 0;  // pixels of the middle row that are neither dark nor fully lit
    float most = 0;
    for (int i = 0; i < 64; ++i) most = std::max(most, luminance(picture.light[pixel(64, i, 32)]));
    for (int i = 0; i < 64; ++i) {
      const float l = luminance(picture.light[pixel(64, i, 32)]) / most;
      between += l > 0.05f && l < 0.9f ? 1 : 0;
    }
    return between;
  };
  EXPECT_LE(edge_width(0), 6);
  EXPECT_GE(edge_width(0.5f), 18);
}

TEST(Trace, SameBitsForAnyNumberOfThreads) {
  Stage stage;
  stage.ground = {.shown = true, .height = -1, .paint = stage.add({.color = Color::Constant(0.6f)})};
  stage.surfaces.push_back(cube(0.6f, stage.add({.kind = PaintKind::glass, .roughness = 0.1f})));
  stage.balls.push_back({Vec3f(1, 0, -1), 0.7f, stage.add({.kind = PaintKind::coated, .roughness = 0.1f})});
  stage.sky = day_sky(Vec3f(1, 2, 1));
  stage.panels.push_back({Vec3f(0, 3, 0), Vec3f(1, 0, 0), Vec3f(0, 0, 1), Color::Constant(2)});
  const auto bytes = [&](int count) {
    std::string result;
    Threads threads(count);
    threads.run([&] {
      const RayScene scene(stage);
      Picture picture = trace(scene, looking_at_origin(), small(4, 64));
      denoise(picture);
      result = png_bytes(tonemap(picture, 0));
    });
    return result;
  };
  const std::string one = bytes(1);
  EXPECT_EQ(one, bytes(2));
  EXPECT_EQ(one, bytes(3));
}

TEST(Denoise, TakesNoiseOutAndKeepsEdges) {
  // Left half 0.2, right half 0.8, with noise of 0.1; the halves have different normals.
  Picture picture(64, 64);
  for (int y = 0; y < 64; ++y) {
    for (int x = 0; x < 64; ++x) {
      const std::size_t i = pixel(64, x, y);
      const bool right = x >= 32;
      picture.albedo[i] = Color::Ones();
      picture.depth[i] = 1;
      picture.normal[i] = right ? Vec3f(1, 0, 0) : Vec3f(0, 1, 0);
      const auto noise = static_cast<float>(0.1 * std::sqrt(12.0) * (random_unit(1, i) - 0.5));
      picture.light[i] = Color::Constant((right ? 0.8f : 0.2f) + noise);
      picture.variance[i] = 0.01f;
    }
  }
  denoise(picture);
  double error = 0;
  for (std::size_t i = 0; i < picture.light.size(); ++i) {
    const double wanted = i % 64 >= 32 ? 0.8 : 0.2;
    const double off = static_cast<double>(picture.light[i][0]) - wanted;
    error += off * off / 4096;
  }
  EXPECT_LT(std::sqrt(error), 0.03);
}

TEST(Denoise, LeavesAQuietPictureAlone) {
  Picture picture(32, 32);
  for (std::size_t i = 0; i < picture.light.size(); ++i) {
    picture.albedo[i] = Color::Ones();
    picture.depth[i] = 1;
    picture.normal[i] = Vec3f(0, 1, 0);
    picture.light[i] = Color::Constant(i % 2 == 0 ? 0.2f : 0.8f);  // stripes that are really there: no variance
  }
  denoise(picture);
  for (std::size_t i = 0; i < picture.light.size(); ++i) {
    EXPECT_NEAR(picture.light[i][0], i % 2 == 0 ? 0.2f : 0.8f, 1e-3f);
  }
}

}  // namespace
}  // namespace sunder::render
