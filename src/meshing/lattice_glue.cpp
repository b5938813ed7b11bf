#include "meshing/lattice_glue.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cstdint>

#include "meshing/hex_quality.h"

namespace sunder {
namespace {

using Index = std::uint32_t;

constexpr double kDepth = 0.25;        // in edges: nodes so little outside the base are glued, too
constexpr double kReach = 1.6;         // in edges: no node is moved farther
constexpr double kLeastVolume = 0.03;  // of a corner (hex_quality.h): cells that gluing would make flatter stay apart
constexpr std::array<std::array<std::size_t, 2>, 12> kEdges = {
    {{0, 1}, {1, 2}, {3, 2}, {0, 3}, {4, 5}, {5, 6}, {7, 6}, {4, 7}, {0, 4}, {1, 5}, {2, 6}, {3, 7}}};

}  // namespace

GlueReport glue(HexSoup& base, const HexSoup& part, const DistanceFunction& base_inside, double edge) {
  GlueReport report;
  std::vector<char> joins(part.points.size(), 0);
  for (std::size_t n = 0; n < part.points.size(); ++n) joins[n] = base_inside(part.points[n]) < kDepth * edge ? 1 : 0;
  // A wall's nodes lie on both its sides: those that face the part are meant. So distance is taken from half-way to the
  // part's next nodes that stay outside.
  std::vector<Vec3> outwards(part.points.size(), Vec3::Zero());
  std::vector<double> count(part.points.size(), 0);
  for (const auto& cell : part.cells) {
    for (const auto& [i, j] : kEdges) {
      for (const auto& [a, b] : {std::array{cell[i], cell[j]}, std::array{cell[j], cell[i]}}) {
        if (joins[a] == 0 || joins[b] != 0) continue;
        outwards[a] += part.points[b] - part.points[a];
        count[a] += 1;
      }
    }
  }
  struct Pair {
    double distance;
    Index a, b;
  };
  std::vector<Pair> pairs;
  for (Index a = 0; a < part.points.size(); ++a) {
    if (joins[a] == 0) continue;
    const Vec3 anchor = part.points[a] + (count[a] > 0 ? Vec3(0.5 * outwards[a] / count[a]) : Vec3(Vec3::Zero()));
    for (Index b = 0; b < base.points.size(); ++b) {
      const double distance = (base.points[b] - anchor).norm();
      if (distance < kReach * edge) pairs.push_back({distance, a, b});
    }
  }
  std::sort(pairs.begin(), pairs.end(), [](const Pair& x, const Pair& y) {
    return x.distance != y.distance ? x.distance < y.distance : std::pair(x.a, x.b) < std::pair(y.a, y.b);
  });
  constexpr Index kNone = 0xffffffffu;
  std::vector<Index> becomes(part.points.size(), kNone);
  std::vector<char> taken(base.points.size(), 0);
  for (const Pair& pair : pairs) {
    if (becomes[pair.a] != kNone || taken[pair.b] != 0) continue;
    becomes[pair.a] = pair.b;
    taken[pair.b] = 1;
  }
  // Where gluing would fold a cell, the corner that it would move farthest stays where it is, until no cell is folded:
  // the part hangs on by the others, without a hole.
  HexSoup moved = part;
  const auto is_glued = [&](Index n) { return becomes[n] != kNone; };
  for (bool folded = true; folded;) {
    folded = false;
    for (Index a = 0; a < part.points.size(); ++a) {
      moved.points[a] = is_glued(a) ? base.points[becomes[a]] : part.points[a];
    }
    for (const auto& cell : part.cells) {
      if (std::all_of(cell.begin(), cell.end(), is_glued) || std::none_of(cell.begin(), cell.end(), is_glued)) continue;
      if (least_corner_volume(moved, cell) > kLeastVolume) continue;
      folded = true;
      const auto way = [&](Index n) { return is_glued(n) ? (moved.points[n] - part.points[n]).squaredNorm() : -1; };
      const Index farthest =
          *std::max_element(cell.begin(), cell.end(), [&](Index a, Index b) { return way(a) < way(b); });
      becomes[farthest] = kNone;
    }
  }
  for (Index a = 0; a < part.points.size(); ++a) {
    if (is_glued(a)) {
      ++report.pairs;
      report.farthest = std::max(report.farthest, (base.points[becomes[a]] - part.points[a]).norm());
      continue;
    }
    becomes[a] = static_cast<Index>(base.points.size());
    base.points.push_back(part.points[a]);
  }
  for (auto cell : part.cells) {
    for (Index& n : cell) n = becomes[n];
    // A cell with all corners in the base would lie in its wall.
    const bool new_corner = std::any_of(cell.begin(), cell.end(), [&](Index n) { return n >= taken.size(); });
    if (new_corner) {
      base.cells.push_back(cell);
    } else {
      ++report.dropped;
    }
  }
  return report;
}

}  // namespace sunder
