#include "shapes/resolution.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sunder {
namespace {

// Mean length of the edges of a box mesh before its nodes are jittered, m.
double mean_box_edge(const Vec3& size, const std::array<double, 3>& n) {
  const Vec3 cell(size[0] / n[0], size[1] / n[1], size[2] / n[2]);
  const double cells = n[0] * n[1] * n[2];
  double count = 8 * cells, sum = count * cell.norm() / 2;  // from each centre to the corners of its cell
  for (int axis = 0; axis < 3; ++axis) {
    const auto i = static_cast<std::size_t>(axis), j = (i + 1) % 3, k = (i + 2) % 3;
    const double between_corners = n[i] * (n[j] + 1) * (n[k] + 1);
    const double between_centres = (n[i] - 1) * n[j] * n[k];
    const double diagonals = 2 * n[j] * n[k];  // one for each cell face on the two sides of the box across this axis
    count += between_corners + between_centres + diagonals;
    sum += (between_corners + between_centres) * cell[axis];
    sum += diagonals * std::hypot(cell[static_cast<int>(j)], cell[static_cast<int>(k)]);
  }
  return sum / count;
}

}  // namespace

std::array<double, 3> box_cells(const Vec3& size, double edge) {
  // Deep inside, the mean edge is (6 h + 8 sqrt(3)/2 h) / 14 = 0.92 h; face diagonals and flat cells shift that, so
  // the cell size h is searched for.
  constexpr int candidates = 128;
  constexpr double smallest = 0.7, largest = 1.6;  // h / edge
  constexpr double stretch_by_jitter = 1.015;
  constexpr double weight_of_aspect = 0.2;  // an edge 1% nearer is worth cells that are 5% less cubic
  std::array<double, 3> best{1, 1, 1};
  double best_score = std::numeric_limits<double>::infinity();
  for (int i = 0; i < candidates; ++i) {
    const double h = edge * smallest * std::pow(largest / smallest, static_cast<double>(i) / (candidates - 1));
    std::array<double, 3> n{};
    for (int axis = 0; axis < 3; ++axis) n[static_cast<std::size_t>(axis)] = std::max(1.0, std::round(size[axis] / h));
    const Vec3 cell(size[0] / n[0], size[1] / n[1], size[2] / n[2]);
    const double score = std::abs(std::log(stretch_by_jitter * mean_box_edge(size, n) / edge)) +
                         weight_of_aspect * std::log(cell.maxCoeff() / cell.minCoeff());
    if (score >= best_score) continue;
    best_score = score;
    best = n;
  }
  return best;
}

double ball_shells(double radius, double edge) {
  constexpr double mean_edge_in_shells = 1.27;  // times radius / n, from n = 4 on; measured in ball_mesh_test.cpp
  return std::max(1.0, std::round(mean_edge_in_shells * radius / edge));
}

CapsuleResolution capsule_resolution(const CapsuleShape& capsule, double edge) {
  constexpr double mean_edge_in_shells = 1.2;  // times radius / n
  const double shells = std::max(1.0, std::round(mean_edge_in_shells * capsule.radius / edge));
  const double between = capsule.height - 2 * capsule.radius;
  return {shells, std::max(1.0, std::round(between * shells / capsule.radius))};
}

std::uint32_t layers_through(const Mapping& mapping, double edge, std::uint32_t wanted) {
  constexpr double flat = 0.72;  // height of a prism over its edge: lower than wide, tets are nearest to regular
  constexpr double most = 1e6;
  const double least = mapping.closed ? 3 : 1;
  const double exact = mapping.thickness / (flat * std::min(edge, mapping.largest_edge));
  const double below = std::floor(exact);
  const double nearest = exact * exact > below * (below + 1) ? below + 1 : below;  // in ratio, not in difference
  return static_cast<std::uint32_t>(std::clamp(wanted > 0 ? wanted : nearest, least, most));
}

double mapped_tet_count(const Mapping& mapping, double edge, std::uint32_t layers) {
  constexpr double triangle =
      0.425;  // mean area of the triangles of a sheet over edge^2; 0.433 if all were equilateral
  const double used = std::min(edge, mapping.largest_edge);
  return std::max(6.0, 3 * mapping.area / (triangle * used * used)) *
         static_cast<double>(layers_through(mapping, edge, layers));
}

}  // namespace sunder
