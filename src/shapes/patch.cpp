// Thickened Bezier patches.

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "shapes/bounds.h"
#include "shapes/distance.h"
#include "shapes/mapped_shapes.h"

namespace sunder {
namespace {

struct Point {
  Vec3 position, du, dv;
  Vec3 normal() const { return du.cross(dv).normalized(); }
};

class Patch {
 public:
  explicit Patch(const std::vector<Vec3>& control) {
    for (std::size_t i = 0; i < 16; ++i) control_[i] = control[i];
  }

  Point at(double u, double v) const {
    const auto bu = basis(u), bv = basis(v);
    Point p{Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = 0; j < 4; ++j) {
        const Vec3& c = control_[4 * j + i];  // a row runs along u
        p.position += bu.value[i] * bv.value[j] * c;
        p.du += bu.slope[i] * bv.value[j] * c;
        p.dv += bu.value[i] * bv.slope[j] * c;
      }
    }
    return p;
  }

  // Parameters of the nearest point: the nearest of a grid, then Gauss and Newton's steps within the square.
  Vec2 nearest(const Vec3& x) const {
    constexpr int grid = 24, steps = 12;
    Vec2 best = Vec2::Zero();
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i <= grid; ++i) {
      for (int j = 0; j <= grid; ++j) {
        const Vec2 uv(static_cast<double>(i) / grid, static_cast<double>(j) / grid);
        const double distance = (at(uv.x(), uv.y()).position - x).squaredNorm();
        if (distance >= least) continue;
        least = distance;
        best = uv;
      }
    }
    for (int step = 0; step < steps; ++step) {
      const Point p = at(best.x(), best.y());
      const Vec3 gap = x - p.position;
      const double uu = p.du.squaredNorm(), uv = p.du.dot(p.dv), vv = p.dv.squaredNorm(), det = uu * vv - uv * uv;
      const double a = p.du.dot(gap), b = p.dv.dot(gap);
      Vec2 move = Vec2(vv * a - uv * b, uu * b - uv * a) / det;
      const auto blocked = [&](int i) { return (best[i] <= 0 && move[i] < 0) || (best[i] >= 1 && move[i] > 0); };
      if (blocked(0)) {
        move = Vec2(0, b / vv);  // along the border
      } else if (blocked(1)) {
        move = Vec2(a / uu, 0);
      }
      const Vec2 next = (best + move).cwiseMax(0).cwiseMin(1);
      if ((at(next.x(), next.y()).position - x).squaredNorm() > gap.squaredNorm()) break;
      best = next;
    }
    return best;
  }

  // d(volume) / du dv dz at height z over the middle surface; its z-derivatives are those of a quadratic.
  double stretch(double u, double v, double z) const {
    constexpr double h = 1e-5;
    const Point p = at(u, v);
    const auto slope = [&](double du, double dv) {
      return Vec3((at(u + du, v + dv).normal() - at(u - du, v - dv).normal()) / (2 * h));
    };
    return (p.du + z * slope(h, 0)).cross(p.dv + z * slope(0, h)).dot(p.normal());
  }

 private:
  struct Basis {
    std::array<double, 4> value, slope;
  };
  static Basis basis(double t) {
    const double s = 1 - t;
    return {{s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t},
            {-3 * s * s, 3 * s * s - 6 * s * t, 6 * s * t - 3 * t * t, 3 * t * t}};
  }
  std::array<Vec3, 16> control_;
};

}  // namespace

std::vector<Vec3> PatchShape::arched() {
  std::vector<Vec3> points;
  for (int j = 0; j < 4; ++j) {
    for (int i = 0; i < 4; ++i) {
      const double x = 0.1 * i - 0.15, z = 0.15 - 0.1 * j;
      const double arch = i == 1 || i == 2 ? 0.1 : 0, corner = i == 3 && j == 3 ? 0.08 : 0;
      points.emplace_back(x, arch + corner, z);
    }
  }
  return points;
}

Mapping map_shape(const PatchShape& shape) {
  if (shape.points.size() != 16) {
    throw InputError({}, fmt::format("a patch has 16 control points, found {}", shape.points.size()),
                     "give 4 rows of 4 points");
  }
  const Patch patch(shape.points);
  const double wall = shape.wall;
  // Gauss's two points in each of n^2 squares and Simpson's rule through the wall, exact for its quadratic.
  constexpr int n = 24;
  const double gauss = 0.5 / std::sqrt(3.0);
  Mapping mapping;
  Bounds bounds;
  for (int i = 0; i < 2 * n; ++i) {
    for (int j = 0; j < 2 * n; ++j) {
      const int column = i / 2, row = j / 2;
      const double u = (column + 0.5 + (i % 2 == 0 ? -gauss : gauss)) / n;
      const double v = (row + 0.5 + (j % 2 == 0 ? -gauss : gauss)) / n;
      const double low = patch.stretch(u, v, -wall / 2), middle = patch.stretch(u, v, 0),
                   high = patch.stretch(u, v, wall / 2);
      if (!(low > 0 && middle > 0 && high > 0)) {
        throw InputError({},
                         fmt::format("the patch is degenerate, or bent too tightly for a wall of {:g} m, near u = "
                                     "{:.2f}, v = {:.2f}",
                                     wall, u, v),
                         "spread its control points, or use a thinner `wall`");
      }
      mapping.area += middle / (4 * n * n);
      mapping.volume += wall * (low + 4 * middle + high) / 6 / (4 * n * n);
    }
  }
  mapping.domain = PolygonDomain{{{{{0, 0}, {1, 0}, {1, 1}, {0, 1}}, {}, "edge"}}};
  mapping.bottom = "back";
  mapping.top = "front";
  mapping.thickness = wall;
  mapping.distance = [patch, wall](const Vec3& x) {
    const Vec2 uv = patch.nearest(x);
    const Point p = patch.at(uv.x(), uv.y());
    const Vec3 gap = x - p.position, up = p.normal();
    const double height = std::abs(gap.dot(up)) - wall / 2;
    const double aside = (gap - gap.dot(up) * up).norm();  // beyond the border of the sheet
    const Vec2 margin = uv.cwiseMin(Vec2(1 - uv.x(), 1 - uv.y()));
    // Inside, the border may be nearer than the faces.
    const double area = p.du.cross(p.dv).norm();
    const double border = std::min(margin.x() * area / p.dv.norm(), margin.y() * area / p.du.norm());
    return prism_distance(border > 0 ? -border : aside, height);
  };
  mapping.texture = [](const Vec2& x) { return x; };
  mapping.place = [patch, wall](const Vec2& x, double w) {
    const Point p = patch.at(x.x(), x.y());
    return Vec3(p.position + (w - 0.5) * wall * p.normal());
  };
  constexpr int samples = 64;
  for (int i = 0; i <= samples; ++i) {
    for (int j = 0; j <= samples; ++j) {
      for (const double w : {0.0, 1.0}) {
        bounds.add(mapping.place(Vec2(static_cast<double>(i) / samples, static_cast<double>(j) / samples), w));
      }
    }
  }
  return centred(std::move(mapping), bounds);
}

}  // namespace sunder
