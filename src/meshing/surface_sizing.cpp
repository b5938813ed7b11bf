#include "meshing/surface_sizing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace sunder {
namespace {

constexpr double kHalfDiagonal = 0.8660254037844387;  // of a cube
// Between these the winding number neither says inside nor outside: a hole is near.
constexpr double kSurelyOutside = 0.1, kSurelyInside = 0.9;

TriangleTree dots(const std::vector<Vec3>& points) {
  std::vector<std::array<std::uint32_t, 3>> triangles;
  for (std::uint32_t i = 0; i < points.size(); ++i) triangles.push_back({i, i, i});
  return {points, triangles};
}

}  // namespace

SurfaceSizing::SurfaceSizing(const SurfaceDistance& solid, double cell, double inside, std::span<const SizedBall> balls,
                             std::span<const SurfaceSample> samples, double walls)
    : solid_(solid), cell_(cell), inside_(inside), balls_(balls.begin(), balls.end()) {
  constexpr double slack = 1.001;
  const auto level_of = [&](double size) {
    return size * slack >= cell ? 0 : static_cast<int>(std::ceil(std::log2(cell / size) - 1e-3));
  };
  std::vector<std::vector<Vec3>> places;
  for (const SurfaceSample& s : samples) {
    if (!s.wall) continue;
    const int level = level_of(s.thickness / walls);
    if (level > static_cast<int>(places.size())) places.resize(static_cast<std::size_t>(level));
    for (int k = 0; k < level; ++k) {
      for (const double part : {0.0, 0.5, 1.0}) {
        places[static_cast<std::size_t>(k)].emplace_back(s.point + part * s.thickness * s.inward);
      }
    }
  }
  finest_ = static_cast<int>(places.size());
  for (const auto& p : places) thin_.push_back(dots(p));
  for (const SizedBall& ball : balls_) finest_ = std::max(finest_, level_of(ball.size));
}

Octree SurfaceSizing::make_octree(const Vec3& lower, const Vec3& upper) {
  // A margin of two cells round the model; off the middle of a cell, so that flat sides of models that are whole
  // numbers of cells long do not all run through lattice nodes at once.
  const Vec3 margin = Vec3::Constant(2 * cell_) + cell_ * Vec3(0.137, 0.271, 0.193);
  const Vec3 extent = upper - lower + 2 * margin;
  int coarse = static_cast<int>(std::ceil(std::log2(std::max(1.0, inside_)) - 1e-9));
  while (extent.maxCoeff() / (cell_ * std::exp2(coarse)) > 8) ++coarse;
  const double root = cell_ * std::exp2(coarse);
  origin_ = lower - margin;
  unit_ = cell_ * std::exp2(-finest_) / 2;
  GridPoint roots{};
  for (int axis = 0; axis < 3; ++axis) {
    roots[static_cast<std::size_t>(axis)] = static_cast<std::int32_t>(std::ceil(extent[axis] / root));
  }
  return {roots, coarse + finest_};
}

Vec3 SurfaceSizing::centre(const Octree::Cell& c) const {
  const GridPoint p = c.centre();
  return origin_ + unit_ * Vec3(p[0], p[1], p[2]);
}

bool SurfaceSizing::too_large(const Octree::Cell& c) const {
  constexpr double slack = 1.001;
  const Vec3 x = centre(c);
  const double size = c.size * unit_, reach = kHalfDiagonal * size;
  for (const SizedBall& ball : balls_) {
    if (size > slack * ball.size && (x - ball.centre).norm() < ball.radius + reach) return true;
  }
  if (size <= slack * cell_) {
    // Samples lie about a cell apart: each speaks for the surface around it.
    const auto level = static_cast<std::size_t>(std::lround(std::log2(cell_ / size)));
    return level < thin_.size() && thin_[level].nearest(x, reach + cell_).triangle != TriangleTree::kNone &&
           solid_.tree().nearest(x, reach + size).triangle != TriangleTree::kNone;
  }
  // A band of a cell on either side of the surface is uniform: all tets it cuts are regular, and the angles guaranteed.
  if (solid_.tree().nearest(x, reach + 1.2 * cell_).triangle != TriangleTree::kNone) return true;
  const double winding = solid_.tree().winding_number(x);
  if (winding > kSurelyOutside && winding < kSurelyInside) return true;
  return winding >= kSurelyInside && size > slack * inside_ * cell_;
}

bool SurfaceSizing::wanted(const Octree::Cell& c) const {
  const Vec3 x = centre(c);
  return solid_.tree().nearest(x, kHalfDiagonal * c.size * unit_).triangle != TriangleTree::kNone ||
         solid_.tree().winding_number(x) > kSurelyOutside;
}

}  // namespace sunder
