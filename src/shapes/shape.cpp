#include "shapes/shape.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "shapes/resolution.h"

namespace sunder {
namespace {

constexpr double kDefaultTets = 3000;

// Mean edge over cell size in a body-centred cubic mesh of some thousand tets.
constexpr double kEdgeOfCell = 0.94;
// Mean edge over the thickness of a shell in the mesh of a ball.
constexpr double kEdgeOfShell = 1.27;

struct DefaultEdge {
  double operator()(const BoxShape& box) const {
    constexpr double cells = kDefaultTets / 12;
    std::array<double, 3> s = {box.size[0], box.size[1], box.size[2]};
    std::sort(s.begin(), s.end());
    // A direction shorter than a cell gets one cell, whatever its length.
    double cell = std::cbrt(s[0] * s[1] * s[2] / cells);
    if (s[0] < cell) cell = std::sqrt(s[1] * s[2] / cells);
    if (s[1] < cell) cell = s[2] / cells;
    // Whole numbers of cells may miss by far in thin boxes: take the best edge round about.
    double best_edge = kEdgeOfCell * cell, best_miss = std::numeric_limits<double>::infinity();
    for (const double factor : {1.0, 0.9, 1.1, 0.8, 1.2, 0.7, 1.35, 1.5}) {
      const double edge = factor * kEdgeOfCell * cell;
      const double miss = std::abs(std::log(estimated_tets(box, edge) / kDefaultTets));
      if (miss >= best_miss) continue;
      best_miss = miss;
      best_edge = edge;
    }
    return best_edge;
  }
  double operator()(const SphereShape& sphere) const {
    constexpr double shells = 5.3;  // cube root of kDefaultTets / 20
    return kEdgeOfShell * sphere.radius / shells;
  }
  double operator()(const FileShape&) const { return 0; }
};

struct EstimatedTets {
  double edge;
  double operator()(const BoxShape& box) const {
    const auto n = box_cells(box.size, edge);
    return 12 * n[0] * n[1] * n[2];
  }
  double operator()(const SphereShape& sphere) const {
    const double n = ball_shells(sphere.radius, edge);
    return 20 * n * n * n;
  }
  double operator()(const FileShape&) const { return 0; }
};

}  // namespace

double default_edge(const Shape& shape) { return std::visit(DefaultEdge{}, shape); }

double estimated_tets(const Shape& shape, double edge) { return std::visit(EstimatedTets{edge}, shape); }

}  // namespace sunder
