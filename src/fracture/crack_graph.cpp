#include "fracture/crack_graph.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "core/random.h"

namespace sunder {
namespace {

constexpr double kOnLine = 1e-9;  // of an edge's length: round-off of a point that was put on it

struct BitwiseLess {
  bool operator()(const Vec3& a, const Vec3& b) const {
    return std::array{a.x(), a.y(), a.z()} < std::array{b.x(), b.y(), b.z()};
  }
};

// Points by cubes of space.
class PointGrid {
 public:
  PointGrid(const std::vector<Vec3>& points, double cell) : cell_(cell) {
    for (std::uint32_t i = 0; i < points.size(); ++i) cells_[key(place(points[i]))].push_back(i);
  }
  template <class Visit>
  void near(const Vec3& a, const Vec3& b, Visit&& visit) const {
    const auto low = place(a.cwiseMin(b) - Vec3::Constant(1e-6 * cell_)),
               high = place(a.cwiseMax(b) + Vec3::Constant(1e-6 * cell_));
    for (std::int64_t x = low[0]; x <= high[0]; ++x) {
      for (std::int64_t y = low[1]; y <= high[1]; ++y) {
        for (std::int64_t z = low[2]; z <= high[2]; ++z) {
          const auto found = cells_.find(key({x, y, z}));
          if (found == cells_.end()) continue;
          for (const std::uint32_t i : found->second) visit(i);
        }
      }
    }
  }

 private:
  std::array<std::int64_t, 3> place(const Vec3& p) const {
    return {static_cast<std::int64_t>(std::floor(p.x() / cell_)), static_cast<std::int64_t>(std::floor(p.y() / cell_)),
            static_cast<std::int64_t>(std::floor(p.z() / cell_))};
  }
  static std::uint64_t key(const std::array<std::int64_t, 3>& c) {
    return random_bits(static_cast<std::uint64_t>(c[0]), static_cast<std::uint64_t>(c[1]),
                       static_cast<std::uint64_t>(c[2]));
  }
  double cell_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> cells_;
};

}  // namespace

CrackGraph crack_graph(std::span<const CrackSegment> segments) {
  CrackGraph graph;
  std::map<Vec3, std::uint32_t, BitwiseLess> numbers;
  const auto number = [&](const Vec3& p) {
    const auto [at, is_new] = numbers.try_emplace(p, static_cast<std::uint32_t>(graph.points.size()));
    if (is_new) graph.points.push_back(p);
    return at->second;
  };
  std::vector<CrackGraph::Edge> whole;
  double longest = 0;
  for (const CrackSegment& s : segments) {
    whole.push_back({{number(s.from), number(s.to)}, s.rim, s.event});
    longest = std::max(longest, (s.to - s.from).norm());
  }
  if (!(longest > 0)) return graph;
  const PointGrid grid(graph.points, longest);
  std::map<std::array<std::uint32_t, 2>, CrackGraph::Edge> pieces;
  std::vector<std::pair<double, std::uint32_t>> along;
  for (const CrackGraph::Edge& edge : whole) {
    const Vec3 &a = graph.points[edge.ends[0]], &b = graph.points[edge.ends[1]];
    const double squared = (b - a).squaredNorm();
    along = {{0, edge.ends[0]}, {1, edge.ends[1]}};
    grid.near(a, b, [&](std::uint32_t i) {
      if (i == edge.ends[0] || i == edge.ends[1]) return;
      const Vec3 from = graph.points[i] - a;
      const double share = from.dot(b - a) / squared;
      const bool on = share > 0 && share < 1 && (from - share * (b - a)).squaredNorm() < kOnLine * kOnLine * squared;
      if (on) along.emplace_back(share, i);
    });
    std::sort(along.begin(), along.end());
    for (std::size_t i = 0; i + 1 < along.size(); ++i) {
      CrackGraph::Edge piece = edge;
      piece.ends = {std::min(along[i].second, along[i + 1].second), std::max(along[i].second, along[i + 1].second)};
      const auto [at, is_new] = pieces.try_emplace(piece.ends, piece);
      if (is_new) continue;
      if (at->second.rim) {
        at->second = piece;
      } else if (!piece.rim) {
        at->second.event = std::min(at->second.event, piece.event);
      }
    }
  }
  for (const auto& [ends, edge] : pieces) graph.edges.push_back(edge);
  return graph;
}

std::vector<CrackLine> crack_lines(const CrackGraph& graph) {
  std::vector<std::vector<std::uint32_t>> edges_at(graph.points.size());
  for (std::uint32_t e = 0; e < graph.edges.size(); ++e) {
    for (const std::uint32_t p : graph.edges[e].ends) edges_at[p].push_back(e);
  }
  std::vector<std::uint8_t> used(graph.edges.size(), 0);
  std::vector<CrackLine> lines;
  const auto through = [&](std::uint32_t p, bool rim) {  // the line goes on there
    return edges_at[p].size() == 2 && graph.edges[edges_at[p][0]].rim == rim && graph.edges[edges_at[p][1]].rim == rim;
  };
  const auto follow = [&](std::uint32_t edge, std::uint32_t from) {
    CrackLine line;
    line.rim = graph.edges[edge].rim;
    line.first_event = graph.edges[edge].event;
    line.points = {from};
    for (std::uint32_t p = from;;) {
      used[edge] = 1;
      line.first_event = std::min(line.first_event, graph.edges[edge].event);
      p = graph.edges[edge].ends[0] == p ? graph.edges[edge].ends[1] : graph.edges[edge].ends[0];
      line.points.push_back(p);
      if (!through(p, line.rim)) break;
      const std::uint32_t next = edges_at[p][0] == edge ? edges_at[p][1] : edges_at[p][0];
      if (used[next] != 0) break;
      edge = next;
    }
    lines.push_back(std::move(line));
  };
  for (std::uint32_t e = 0; e < graph.edges.size(); ++e) {
    for (const std::uint32_t p : graph.edges[e].ends) {
      if (used[e] == 0 && !through(p, graph.edges[e].rim)) follow(e, p);
    }
  }
  for (std::uint32_t e = 0; e < graph.edges.size(); ++e) {
    if (used[e] == 0) follow(e, graph.edges[e].ends[0]);  // closed lines without a junction
  }
  return lines;
}

}  // namespace sunder
