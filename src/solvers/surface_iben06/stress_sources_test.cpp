#include "solvers/surface_iben06/stress_sources.h"

#include <gtest/gtest.h>

#include <cmath>

#include "solvers/surface_iben06/surface_testing.h"

namespace sunder::surface_iben06 {
namespace {

// A triangle's stress in the world.
Mat3 in_world(const Membrane& membrane, TriangleId t, const Mat2& stress) {
  return membrane.facet(t).frame * stress * membrane.facet(t).frame.transpose();
}

TEST(StressSources, BlowPullsRoundAndAwayFromItsPoint) {
  Dice dice(1);
  const Membrane membrane = membrane_of(square_sheet(10, 0.2, dice), {.length = 2});
  StressSources sources;
  sources.tension = 0;
  sources.impacts = {{.point = Vec3(5, 0, 5), .hoop = 3, .radial = 1.5, .radius = 4}};
  const std::vector<Mat2> pattern = stress_pattern(membrane, sources);
  for (const TriangleId t : id_range<TriangleId>(membrane.mesh().triangle_count())) {
    const TriangleCorners x = membrane.mesh().places(t);
    const Vec3 from = (x[0] + x[1] + x[2]) / 3 - Vec3(5, 0, 5);
    const Vec3 out = from.normalized(), round = out.cross(Vec3::UnitY());
    const double fade = std::exp(-from.squaredNorm() / 16);
    const Mat3 stress = in_world(membrane, t, pattern[t.index]);
    EXPECT_NEAR(round.dot(stress * round), 3 * fade, 1e-12);
    EXPECT_NEAR(out.dot(stress * out), 1.5 * fade, 1e-12);
    EXPECT_NEAR(out.dot(stress * round), 0, 1e-12);
  }
}

TEST(StressSources, RadialTensionOfABlowHasItsCrestsWhereRingsOpen) {
  Dice dice(1);
  const Membrane membrane = membrane_of(square_sheet(30, 0.2, dice), {.length = 2});
  StressSources sources;
  sources.tension = 0;
  sources.impacts = {{.point = Vec3(15, 0, 15), .hoop = 3, .radial = 1.5, .radius = 1e6, .rings = 4}};
  const std::vector<Mat2> pattern = stress_pattern(membrane, sources);
  std::size_t crests = 0, troughs = 0;
  for (const TriangleId t : id_range<TriangleId>(membrane.mesh().triangle_count())) {
    const TriangleCorners x = membrane.mesh().places(t);
    const Vec3 from = (x[0] + x[1] + x[2]) / 3 - Vec3(15, 0, 15);
    const Vec3 out = from.normalized(), round = out.cross(Vec3::UnitY());
    const Mat3 stress = in_world(membrane, t, pattern[t.index]);
    EXPECT_NEAR(round.dot(stress * round), 3, 1e-6);  // round the point nothing waves
    const double radial = out.dot(stress * out);
    const auto near = [&](double place) { return std::abs(from.norm() - place) < 0.1; };
    if (near(4) || near(4 * std::cbrt(16.0))) {  // k^(4/3) of 1 and 2
      EXPECT_GT(radial, 1.45);
      ++crests;
    }
    if (near(4 * std::pow(1.5, 4.0 / 3))) {
      EXPECT_LT(radial, 0.05);
      ++troughs;
    }
  }
  EXPECT_GT(crests, 10u);
  EXPECT_GT(troughs, 5u);
}

TEST(StressSources, NoiseWithARangeIsAlikeNearbyAndHasNoDirection) {
  Dice dice(5);
  const Membrane membrane = membrane_of(square_sheet(40, 0.2, dice), {.length = 2});
  StressSources sources;
  sources.tension = 0, sources.noise = 0.3, sources.noise_range = 6;
  double squares = 0, along = 0, count = 0;
  for (sources.noise_seed = 1; sources.noise_seed <= 40; ++sources.noise_seed) {
    const std::vector<Mat2> pattern = stress_pattern(membrane, sources);
    for (const TriangleId t : id_range<TriangleId>(membrane.mesh().triangle_count())) {
      const Mat3 stress = in_world(membrane, t, pattern[t.index]);
      squares += stress(0, 0) * stress(0, 0);
      // Of the larger stress: turned by an eighth or not, it is as likely.
      along += std::abs(stress(0, 0) - stress(2, 2)) > 2 * std::abs(stress(0, 2)) ? 1 : 0;
      ++count;
      const Side across = {t, 0};
      if (!membrane.mesh().neighbour(across).valid()) continue;
      const TriangleId other = membrane.mesh().neighbour(across);
      EXPECT_LT((in_world(membrane, other, pattern[other.index]) - stress).norm(), 0.3);
    }
  }
  EXPECT_NEAR(std::sqrt(squares / count), 0.3 / std::sqrt(3.0), 0.03);  // as single draws have it
  EXPECT_NEAR(along / count, 0.5, 0.05);
}

TEST(StressSources, CurvatureOfACylinderPullsRoundIt) {
  const Membrane membrane = membrane_of(cylinder_surface(0.25, 1, 48, 40), {.length = 1});
  StressSources sources;
  sources.tension = 0;
  sources.curvature = 0.1;
  const std::vector<Mat2> pattern = stress_pattern(membrane, sources);
  for (const TriangleId t : id_range<TriangleId>(membrane.mesh().triangle_count())) {
    const TriangleCorners x = membrane.mesh().places(t);
    const Vec3 middle = (x[0] + x[1] + x[2]) / 3;
    if (middle.y() < 0.2 || middle.y() > 0.8) continue;
    const Vec3 round = Vec3(middle.z(), 0, -middle.x()).normalized();
    const Mat3 stress = in_world(membrane, t, pattern[t.index]);
    EXPECT_NEAR(round.dot(stress * round), 0.4, 0.03);
    EXPECT_NEAR(stress(1, 1), 0, 0.03);
  }
}

TEST(StressSources, PaintAndNoiseAddUp) {
  Dice dice(2);
  const Membrane membrane = membrane_of(square_sheet(6, 0.2, dice), {.length = 2});
  StressSources sources;
  sources.tension = 0.5;
  sources.painted.assign(membrane.mesh().node_count(), 0.25);
  sources.painted_faces.resize(membrane.mesh().triangle_count());
  for (std::size_t t = 0; t < sources.painted_faces.size(); ++t)
    sources.painted_faces[t] = 0.125 * static_cast<double>(t % 2);
  const std::vector<Mat2> painted = stress_pattern(membrane, sources);
  for (std::size_t t = 0; t < painted.size(); ++t) {
    EXPECT_LT((painted[t] - (0.75 + 0.125 * static_cast<double>(t % 2)) * Mat2::Identity()).norm(), 1e-14);
  }
  sources.painted_faces.clear();
  for (const Mat2& stress : stress_pattern(membrane, sources)) {
    EXPECT_LT((stress - 0.75 * Mat2::Identity()).norm(), 1e-14);
  }
  sources.noise = 0.1;
  sources.noise_seed = 3;
  const std::vector<Mat2> noisy = stress_pattern(membrane, sources);
  EXPECT_EQ(noisy, stress_pattern(membrane, sources));
  double largest = 0;
  for (const Mat2& stress : noisy) {
    EXPECT_EQ(stress(0, 1), stress(1, 0));
    largest = std::max(largest, (stress - 0.75 * Mat2::Identity()).cwiseAbs().maxCoeff());
  }
  EXPECT_LE(largest, 0.1);
  EXPECT_GT(largest, 0.05);
}

TEST(CurvatureScales, HaveTheMeanOneAndPreferWhatIsCurved) {
  // A ball that is drawn out along x: its ends are the most curved.
  SurfaceSample s = ball_surface(1, 3);
  for (Vec3& p : s.points) p.x() *= 2;
  const TriMesh mesh(s.points, s.triangles);
  for (const CurvatureScale measure :
       {CurvatureScale::gaussian, CurvatureScale::mean, CurvatureScale::frobenius, CurvatureScale::squares}) {
    const std::vector<double> scales = curvature_scales(mesh, measure, 1, 1e9);
    double sum = 0;
    for (const double scale : scales) sum += scale;
    EXPECT_NEAR(sum / static_cast<double>(scales.size()), 1, 1e-12);
    EXPECT_GT(scales[0], 1.5 * scales[2]);  // (2, 0, 0) and (0, 1, 0)
    const std::vector<double> half = curvature_scales(mesh, measure, 0.5, 1.2);
    for (std::size_t i = 0; i < half.size(); ++i) EXPECT_NEAR(half[i], std::min(1.2, 0.5 + 0.5 * scales[i]), 1e-12);
  }
  for (const double scale : curvature_scales(mesh, CurvatureScale::none, 1, 2)) EXPECT_EQ(scale, 1);
}

}  // namespace
}  // namespace sunder::surface_iben06
