#include "fracture/crack_statistics.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>

#include "core/disjoint_sets.h"

namespace sunder {
namespace {

constexpr double kDegrees = 180 / std::numbers::pi;
constexpr double kStraight = 150;  // degrees: less is a corner

using Index = std::uint32_t;

double angle_between(const Vec2& a, const Vec2& b) {
  return kDegrees * std::atan2(std::abs(a.x() * b.y() - a.y() * b.x()), a.dot(b));
}

// The graph in the plane, each point with its edges in counter-clockwise order.
class FlatNet {
 public:
  FlatNet(const CrackGraph& graph, const Vec3& up, bool with_dead_ends) {
    const Vec3 z = up.normalized(), x = z.unitOrthogonal(), y = z.cross(x);
    for (const Vec3& p : graph.points) points.emplace_back(p.dot(x), p.dot(y));
    std::vector<std::vector<Index>> at(points.size());
    std::vector<std::uint8_t> gone(graph.edges.size(), 0);
    rim.assign(points.size(), false);
    for (Index e = 0; e < graph.edges.size(); ++e) {
      for (const Index p : graph.edges[e].ends) {
        at[p].push_back(e);
        if (graph.edges[e].rim) rim[p] = true;
      }
    }
    const auto degree = [&](Index p) {
      return std::count_if(at[p].begin(), at[p].end(), [&](Index e) { return gone[e] == 0; });
    };
    if (!with_dead_ends) {
      std::vector<Index> open;
      for (Index p = 0; p < points.size(); ++p) open.push_back(p);
      while (!open.empty()) {
        const Index p = open.back();
        open.pop_back();
        if (degree(p) != 1) continue;
        const Index e = *std::find_if(at[p].begin(), at[p].end(), [&](Index i) { return gone[i] == 0; });
        gone[e] = 1;
        open.push_back(graph.edges[e].ends[0] == p ? graph.edges[e].ends[1] : graph.edges[e].ends[0]);
      }
    }
    next.resize(points.size());
    for (Index e = 0; e < graph.edges.size(); ++e) {
      const auto [a, b] = graph.edges[e].ends;
      if (gone[e] == 0) next[a].push_back(b), next[b].push_back(a);
    }
    for (Index p = 0; p < points.size(); ++p) {
      const auto heading = [&](Index q) {
        const Vec2 d = points[q] - points[p];
        return std::atan2(d.y(), d.x());
      };
      std::sort(next[p].begin(), next[p].end(), [&](Index a, Index b) { return heading(a) < heading(b); });
    }
  }

  std::vector<Vec2> points;
  std::vector<std::vector<Index>> next;
  std::vector<bool> rim;
};

// A closed walk.
struct Loop {
  std::vector<Vec2> points;
  std::vector<double> at;  // arc length of each
  std::vector<bool> junction;
  double length = 0;
  bool rim = false;

  double area() const {
    double sum = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Vec2 &a = points[i], &b = points[(i + 1) % points.size()];
      sum += (a.x() * b.y() - a.y() * b.x()) / 2;
    }
    return sum;
  }
  double apart(std::size_t i, std::size_t k) const {
    const double along = std::abs(at[k] - at[i]);
    return std::min(along, length - along);
  }
  Vec2 place(double arc) const {
    arc -= std::floor(arc / length) * length;
    const auto after = std::upper_bound(at.begin(), at.end(), arc);
    const auto i = static_cast<std::size_t>(after - at.begin()) - 1;
    const Vec2 &a = points[i], &b = points[(i + 1) % points.size()];
    const double step = (i + 1 < at.size() ? at[i + 1] : length) - at[i];
    return step > 0 ? Vec2(a + (arc - at[i]) / step * (b - a)) : a;
  }
};

std::vector<Loop> faces(const FlatNet& net) {
  std::map<std::pair<Index, Index>, bool> walked;
  std::vector<Loop> loops;
  for (Index p = 0; p < net.points.size(); ++p) {
    for (const Index q : net.next[p]) {
      if (walked[{p, q}]) continue;
      Loop loop;
      Index from = p, to = q;
      do {
        walked[{from, to}] = true;
        loop.points.push_back(net.points[from]);
        loop.at.push_back(loop.length);
        loop.junction.push_back(net.next[from].size() >= 3);
        loop.length += (net.points[to] - net.points[from]).norm();
        if (net.rim[from]) loop.rim = true;
        // Keep the face on the left: the next edge clockwise from the one we came by.
        const auto& around = net.next[to];
        const auto back = std::find(around.begin(), around.end(), from);
        const Index on = back == around.begin() ? around.back() : *(back - 1);
        from = to;
        to = on;
      } while (!(from == p && to == q));
      loops.push_back(std::move(loop));
    }
  }
  return loops;
}

// Turns sharper than kStraight, each the sharpest within the probe; bends are those without a junction so near.
struct Corners {
  std::size_t all = 0, bends = 0;
};
Corners corners_of(const Loop& loop, double probe) {
  probe = std::min(probe, loop.length / 12);
  const std::size_t count = loop.points.size();
  std::vector<double> angle(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Vec2& p = loop.points[i];
    angle[i] = angle_between(loop.place(loop.at[i] + probe) - p, loop.place(loop.at[i] - probe) - p);
  }
  Corners corners;
  for (std::size_t i = 0; i < count; ++i) {
    if (!(angle[i] < kStraight)) continue;
    bool sharpest = true, bend = !loop.junction[i];
    for (const std::size_t step : {std::size_t{1}, count - 1}) {
      for (std::size_t k = (i + step) % count; k != i; k = (k + step) % count) {
        if (loop.apart(i, k) > probe) break;
        if (loop.junction[k]) bend = false;
        if (angle[k] < angle[i] || (angle[k] == angle[i] && k < i)) sharpest = false;
      }
    }
    if (!sharpest) continue;
    ++corners.all;
    if (bend) ++corners.bends;
  }
  return corners;
}

// Adds the lengths of a loop's pieces, each of the probe, to the bins of their directions.
void add_directions(const Loop& loop, double probe, std::array<double, 6>& bins) {
  const auto pieces = static_cast<std::size_t>(std::max(1.0, std::round(loop.length / probe)));
  for (std::size_t i = 0; i < pieces; ++i) {
    const auto at = [&](std::size_t k) {
      return loop.place(loop.length * static_cast<double>(k) / static_cast<double>(pieces));
    };
    const Vec2 piece = at(i + 1) - at(i);
    const double turn = kDegrees * std::atan2(std::abs(piece.y()), std::abs(piece.x()));
    bins[std::min<std::size_t>(5, static_cast<std::size_t>(turn / 15))] += piece.norm();
  }
}

// Where the branch from p by way of q is after the probe, or at its end.
struct Branch {
  Vec2 direction;
  Index end;  // the junction it leads to
  double length = 0;
};
Branch follow(const FlatNet& net, Index p, Index q, double probe) {
  Branch branch;
  Index from = p, to = q;
  bool passed = false;
  for (;;) {
    const double step = (net.points[to] - net.points[from]).norm();
    if (!passed && branch.length + step >= probe) {
      const double share = step > 0 ? (probe - branch.length) / step : 0;
      branch.direction = net.points[from] + share * (net.points[to] - net.points[from]) - net.points[p];
      passed = true;
    }
    branch.length += step;
    branch.end = to;
    if (net.next[to].size() != 2 || to == p) break;
    const Index on = net.next[to][0] == from ? net.next[to][1] : net.next[to][0];
    from = to;
    to = on;
  }
  if (!passed) branch.direction = net.points[branch.end] - net.points[p];
  return branch;
}

void count_junctions(const FlatNet& net, double probe, CrackStatistics& s) {
  DisjointSets merged(net.points.size());
  std::vector<Index> junctions;
  for (Index p = 0; p < net.points.size(); ++p) {
    if (net.next[p].size() < 3 || net.rim[p]) continue;
    junctions.push_back(p);
    for (const Index q : net.next[p]) {
      const Branch b = follow(net, p, q, probe);
      if (b.length < probe / 2 && net.next[b.end].size() >= 3 && !net.rim[b.end]) merged.join(p, b.end);
    }
  }
  std::map<Index, std::vector<Index>> groups;
  for (const Index p : junctions) groups[merged.root(p)].push_back(p);
  std::vector<double> angles;
  for (const auto& [root, members] : groups) {
    if (members.size() > 1 || net.next[members[0]].size() > 3) {
      ++s.x_junctions;
      continue;
    }
    const Index p = members[0];
    std::array<Vec2, 3> d;
    for (std::size_t i = 0; i < 3; ++i) d[i] = follow(net, p, net.next[p][i], probe).direction;
    std::array<double, 3> between;
    for (std::size_t i = 0; i < 3; ++i) between[i] = angle_between(d[i], d[(i + 1) % 3]);
    const auto widest = static_cast<std::size_t>(std::max_element(between.begin(), between.end()) - between.begin());
    if (between[widest] < kStraight) {
      ++s.y_junctions;
      continue;
    }
    ++s.t_junctions;
    angles.push_back(between[(widest + 1) % 3]);
    angles.push_back(between[(widest + 2) % 3]);
  }
  if (angles.empty()) return;
  for (const double a : angles) s.t_angle += a / static_cast<double>(angles.size());
  double squares = 0;
  for (const double a : angles) squares += (a - s.t_angle) * (a - s.t_angle);
  s.t_angle_spread = std::sqrt(squares / static_cast<double>(angles.size()));
}

}  // namespace

CrackStatistics crack_statistics(const CrackGraph& graph, double probe, const Vec3& up) {
  CrackStatistics s;
  for (const CrackGraph::Edge& e : graph.edges) {
    if (!e.rim) s.length += (graph.points[e.ends[1]] - graph.points[e.ends[0]]).norm();
  }
  const FlatNet all(graph, up, true);
  for (const auto& next : all.next) s.dead_ends += next.size() == 1 ? 1 : 0;
  const FlatNet net(graph, up, false);
  count_junctions(net, probe, s);
  double corners = 0, bends = 0, area = 0, squares = 0;
  for (const Loop& loop : faces(net)) {
    const double size = loop.area();
    if (!(size > 0)) continue;  // the outside of a connected net goes the other way round
    ++s.cells;
    if (loop.rim) continue;
    ++s.inner_cells;
    const Corners of_loop = corners_of(loop, probe);
    corners += static_cast<double>(of_loop.all);
    bends += static_cast<double>(of_loop.bends);
    ++s.cells_by_corners[std::min(of_loop.all, s.cells_by_corners.size() - 1)];
    add_directions(loop, probe, s.directions);
    area += size;
    squares += size * size;
  }
  if (s.inner_cells > 0) {
    const auto count = static_cast<double>(s.inner_cells);
    s.corners = corners / count;
    s.bends = bends / count;
    s.cell_area = area / count;
    s.area_spread = std::sqrt(std::max(0.0, squares / count - s.cell_area * s.cell_area)) / s.cell_area;
  }
  const double sides = std::accumulate(s.directions.begin(), s.directions.end(), 0.0);
  for (double& share : s.directions) share = sides > 0 ? share / sides : 0;
  return s;
}

}  // namespace sunder
