#include "solvers/surface_iben06/stress_sources.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "core/random.h"
#include "mesh/curvature.h"

namespace sunder::surface_iben06 {
namespace {

Mat2 noise_at(std::uint64_t seed, TriangleId t, double amount) {
  const auto draw = [&](std::uint64_t i) { return amount * (2 * random_unit(seed, t.index, i) - 1); };
  Mat2 stress;
  const double shear = draw(2);
  stress << draw(0), shear, shear, draw(1);
  return stress;
}

// A smooth random tensor in space, alike over `range`: a sum of plane waves in random directions, so that neither axes
// nor triangles show in it. Those on the diagonal have the standard deviation that single draws up to `amount` have,
// and no direction is preferred (those off it count twice in a turn, hence their root of one half).
class SmoothNoise {
 public:
  SmoothNoise(std::uint64_t seed, double amount, double range) {
    for (std::uint64_t w = 0; w < kWaves; ++w) {
      Wave wave;
      for (int i = 0; i < 3; ++i) wave.number[i] = normal_draw(seed, w, 10 + 2 * static_cast<std::uint64_t>(i)) / range;
      wave.phase = 2 * std::numbers::pi * random_unit(seed, w, 0);
      for (int i = 0; i < 3; ++i) {
        for (int j = i; j < 3; ++j) {
          const double share = (i == j ? 1 : std::sqrt(0.5)) * amount * std::sqrt(2.0 / (3 * kWaves));
          wave.stress(i, j) = wave.stress(j, i) =
              share * normal_draw(seed, w, 20 + 2 * static_cast<std::uint64_t>(3 * i + j));
        }
      }
      waves_.push_back(wave);
    }
  }
  Mat3 at(const Vec3& place) const {
    Mat3 sum = Mat3::Zero();
    for (const Wave& wave : waves_) sum += std::cos(wave.number.dot(place) + wave.phase) * wave.stress;
    return sum;
  }

 private:
  static constexpr std::uint64_t kWaves = 64;
  // Of mean zero and deviation one.
  static double normal_draw(std::uint64_t seed, std::uint64_t key, std::uint64_t draw) {
    const double radius = std::sqrt(-2 * std::log(1 - random_unit(seed, key, draw)));
    return radius * std::cos(2 * std::numbers::pi * random_unit(seed, key, draw + 1));
  }
  struct Wave {
    Vec3 number = Vec3::Zero();  // 1/m
    double phase = 0;
    Mat3 stress = Mat3::Zero();
  };
  std::vector<Wave> waves_;
};

// 1 on the crests at rings k^(4/3), 0 half way between them.
double ring_wave(const Impact& impact, double distance) {
  if (!(impact.rings > 0)) return 1;
  return (1 + std::cos(2 * std::numbers::pi * std::pow(distance / impact.rings, 0.75))) / 2;
}

Mat2 impact_at(const Impact& impact, const Facet& facet, const Vec3& middle) {
  const Vec3 from = middle - impact.point;
  const Vec2 along = facet.frame.transpose() * from;
  const double fade = std::exp(-from.squaredNorm() / (impact.radius * impact.radius));
  if (!(along.squaredNorm() > 0)) return fade * (impact.hoop + impact.radial) / 2 * Mat2::Identity();
  const Vec2 out = along.normalized();
  const Mat2 radial = out * out.transpose();
  return fade * (impact.radial * ring_wave(impact, from.norm()) * radial + impact.hoop * (Mat2::Identity() - radial));
}

double measured(CurvatureScale measure, const PrincipalCurvatures& k) {
  switch (measure) {
    case CurvatureScale::gaussian:
      return std::abs(k.gaussian());
    case CurvatureScale::mean:
      return std::abs(k.mean());
    case CurvatureScale::frobenius:
      return std::hypot(k.first, k.second);
    case CurvatureScale::squares:
      return k.first * k.first + k.second * k.second;
    case CurvatureScale::none:
      break;
  }
  return 1;
}

}  // namespace

std::vector<Mat2> stress_pattern(const Membrane& membrane, const StressSources& sources) {
  const TriMesh& mesh = membrane.mesh();
  std::vector<Mat3> curvatures;
  if (sources.curvature != 0) curvatures = node_curvatures(mesh);
  std::optional<SmoothNoise> smooth;
  if (sources.noise != 0 && sources.noise_range > 0) {
    smooth.emplace(sources.noise_seed, sources.noise, sources.noise_range);
  }
  std::vector<Mat2> pattern;
  pattern.reserve(mesh.triangle_count());
  for (const TriangleId t : id_range<TriangleId>(mesh.triangle_count())) {
    const Facet& facet = membrane.facet(t);
    Mat2 stress = sources.tension * Mat2::Identity();
    if (!curvatures.empty()) {
      Mat3 mean = Mat3::Zero();
      for (const NodeId n : mesh.corners(t)) mean += curvatures[n.index] / 3;
      stress += sources.curvature * (facet.frame.transpose() * mean * facet.frame);
    }
    const TriangleCorners x = mesh.places(t);
    if (smooth) {
      stress += facet.frame.transpose() * smooth->at((x[0] + x[1] + x[2]) / 3) * facet.frame;
    } else if (sources.noise != 0) {
      stress += noise_at(sources.noise_seed, t, sources.noise);
    }
    for (const Impact& impact : sources.impacts) stress += impact_at(impact, facet, (x[0] + x[1] + x[2]) / 3);
    if (!sources.painted.empty()) {
      for (const NodeId n : mesh.corners(t)) stress += sources.painted[mesh.source(n)] / 3 * Mat2::Identity();
    }
    if (!sources.painted_faces.empty()) stress += sources.painted_faces[mesh.source(t)] * Mat2::Identity();
    pattern.push_back(stress);
  }
  return pattern;
}

std::vector<double> curvature_scales(const TriMesh& mesh, CurvatureScale measure, double share, double most) {
  std::vector<double> scales(mesh.node_count(), 1.0);
  if (measure == CurvatureScale::none) return scales;
  const std::vector<Mat3> tensors = node_curvatures(mesh);
  const std::vector<Vec3> normals = node_normals(mesh);
  double sum = 0;
  for (std::size_t i = 0; i < scales.size(); ++i) {
    scales[i] = measured(measure, principal_curvatures(tensors[i], normals[i]));
    sum += scales[i];
  }
  const double mean = sum / static_cast<double>(scales.size());
  if (!(mean > 0)) return std::vector<double>(scales.size(), 1.0);  // flat: nothing to prefer
  for (double& s : scales) s = std::min(most, 1 - share + share * s / mean);
  return scales;
}

}  // namespace sunder::surface_iben06
