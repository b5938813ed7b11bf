#include "meshing/sheet_start.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "core/check.h"
#include "core/random.h"
#include "meshing/ear_clipping.h"
#include "shapes/outline.h"

namespace sunder {
namespace {

using Index = SheetMesh::Index;

// Length in the world up to each vertex of a path through the chart.
std::vector<double> lengths_along(const SheetMesh::Map& map, std::span<const Vec2> path) {
  std::vector<double> sum = {0};
  Vec3 last = map(path[0]).world;
  for (std::size_t i = 1; i < path.size(); ++i) {
    const Vec3 x = map(path[i]).world;
    sum.push_back(sum.back() + (x - last).norm());
    last = x;
  }
  return sum;
}

struct Ring {
  std::vector<Index> vertices;  // counter-clockwise
  double turn = 0;              // angle of the first, in whole turns
};

// Triangles between two rings, always taking the step that lags behind in angle.
void zip(SheetMesh& mesh, const Ring& inside, const Ring& outside) {
  const std::size_t n = inside.vertices.size(), m = outside.vertices.size();
  SUNDER_CHECK(n > 0 && m > 0, "a ring of a sheet has no vertices");
  const auto turn = [](const Ring& ring, std::size_t i) {
    return ring.turn + static_cast<double>(i) / static_cast<double>(ring.vertices.size());
  };
  // Start at the outer vertex that is nearest in angle to the first inner one.
  const double ahead = (inside.turn - outside.turn) * static_cast<double>(m);
  const auto shift = static_cast<std::ptrdiff_t>(std::llround(ahead));
  const auto outer = [&](std::size_t j) {
    const auto mm = static_cast<std::ptrdiff_t>(m);
    return outside.vertices[static_cast<std::size_t>(((static_cast<std::ptrdiff_t>(j) + shift) % mm + mm) % mm)];
  };
  const double offset = static_cast<double>(shift) / static_cast<double>(m);
  std::size_t i = 0, j = 0;
  while (i < n || j < m) {
    const Index a = inside.vertices[i % n], b = outer(j);
    const double middle_inside = turn(inside, i) + 0.5 / static_cast<double>(n);
    const double middle_outside = turn(outside, j) + offset + 0.5 / static_cast<double>(m);
    if (j == m || (i < n && middle_inside <= middle_outside)) {
      mesh.add_triangle({a, b, inside.vertices[(i + 1) % n]});
      ++i;
    } else {
      mesh.add_triangle({a, b, outer(j + 1)});
      ++j;
    }
  }
}

Vec2 on_circle(double radius, double turn) {
  constexpr double full = 2 * std::numbers::pi;
  return {radius * std::cos(full * turn), radius * std::sin(full * turn)};
}

double turns(const Vec2& x) { return std::atan2(x.y(), x.x()) / (2 * std::numbers::pi); }

// Builds the rings of a domain from inside outwards.
class RingStart {
 public:
  RingStart(const RingDomain& domain, const SheetMesh::Map& map, double edge, std::uint64_t seed)
      : domain_(domain), edge_(edge), seed_(seed), map_(map), mesh_(map) {}

  Sheet run() {
    for (std::size_t i = 0; i < domain_.radii.size(); ++i) {
      const double radius = domain_.radii[i];
      if (i > 0) add_loose_rings(domain_.radii[i - 1], radius);
      Index label = i == 0 ? kInnerRing : kCrease;
      if (i + 1 == domain_.radii.size()) label = kOuterRing;
      if (radius == 0) {
        add_centre();
      } else {
        add_ring(radius, std::max(kFewest, std::round(circumference(radius) / edge_)), label);
      }
    }
    for (std::size_t i = 0; i + 1 < rings_.size(); ++i) join(rings_[i], rings_[i + 1]);
    mesh_.join();
    mesh_.label_edges([&](Index a, Index b) { return ring_of_[a] == ring_of_[b] ? label_of_[ring_of_[a]] : 0; });
    std::vector<double> along;
    for (const auto& v : mesh_.vertices()) along.push_back(turns(v.chart));
    return {std::move(mesh_), std::move(along)};
  }

 private:
  static constexpr double kFewest = 6;

  double circumference(double radius) const {
    constexpr int steps = 128;
    std::vector<Vec2> circle;
    for (int i = 0; i <= steps; ++i) circle.push_back(on_circle(radius, static_cast<double>(i) / steps));
    return lengths_along(map_, circle).back();
  }

  // Along a ray of the chart, whose scale may change by orders of magnitude on the way.
  double way_to_centre(double radius) const {
    constexpr int steps = 256;
    std::vector<Vec2> ray;
    for (int i = 0; i < steps; ++i) ray.emplace_back(radius * std::exp(-0.1 * i), 0);
    ray.push_back(Vec2::Zero());
    return lengths_along(map_, ray).back();
  }

  // Between rings that are far apart for the chart, triangles would be long, and their straight edges would leave the
  // surface: put in sparse rings that are free to move later. Their spacing makes triangles of the chart regular.
  void add_loose_rings(double inside, double outside) {
    constexpr double sparse = 3;  // times the edge length
    constexpr double fewest = 8;
    constexpr double nearest = 1.5;                // to the centre, times the edge length
    std::vector<std::pair<double, double>> loose;  // radius and count, from outside inwards
    double radius = outside;
    while (true) {
      const double count = std::max(fewest, std::round(circumference(radius) / (sparse * edge_)));
      const double next = radius * std::exp(-2 * std::numbers::pi / count);
      const bool near_the_inner =
          inside > 0 ? next < inside * std::exp(std::numbers::pi / count) : way_to_centre(next) < nearest * edge_;
      if (near_the_inner) break;
      loose.emplace_back(next, count);
      radius = next;
    }
    for (auto ring = loose.rbegin(); ring != loose.rend(); ++ring) add_ring(ring->first, ring->second, 0);
  }

  void add_centre() {
    // Fixed, so that texture coordinates round the axis have their singular point in a vertex.
    rings_.push_back({{mesh_.add_vertex(Vec2::Zero(), true)}, 0});
    remember(0);
  }

  void add_ring(double radius, double count, Index label) {
    constexpr double scatter = 0.3;  // of the distance of loose vertices, so that no ring is left to see
    Ring ring{{}, random_unit(seed_, rings_.size())};
    for (std::uint64_t draw = 0; static_cast<double>(draw) < count; ++draw) {
      double r = radius, turn = ring.turn + static_cast<double>(draw) / count;
      if (label == 0) {
        turn += scatter / count * (random_unit(seed_, rings_.size(), 2 * draw + 1) - 0.5);
        r *= std::exp(scatter * 2 * std::numbers::pi / count * (random_unit(seed_, rings_.size(), 2 * draw + 2) - 0.5));
      }
      ring.vertices.push_back(mesh_.add_vertex(on_circle(r, turn), label != 0));
    }
    rings_.push_back(std::move(ring));
    remember(label);
  }

  void remember(Index label) {
    ring_of_.resize(mesh_.vertices().size(), rings_.size() - 1);
    label_of_.push_back(label);
  }

  void join(const Ring& inside, const Ring& outside) {
    if (inside.vertices.size() > 1) {
      zip(mesh_, inside, outside);
      return;
    }
    const auto& rim = outside.vertices;
    for (std::size_t k = 0; k < rim.size(); ++k) {
      mesh_.add_triangle({inside.vertices[0], rim[k], rim[(k + 1) % rim.size()]});
    }
  }

  const RingDomain& domain_;
  double edge_;
  std::uint64_t seed_;
  const SheetMesh::Map& map_;
  SheetMesh mesh_;
  std::vector<Ring> rings_;
  std::vector<std::size_t> ring_of_;  // of each vertex
  std::vector<Index> label_of_;       // of each ring; 0 is loose
};

// How long the pieces of each side may be for the place to be resolved: where another part of the outline is near,
// across the inside, about as long as the distance. Parts that are near along the outline too are the same bend. In the
// order of loops and sides, m.
std::vector<std::vector<double>> longest_pieces(const PolygonDomain& domain, const SheetMesh::Map& map, double edge) {
  constexpr double of_gap = 1.2, same_bend = 2.5;
  struct Side {
    Vec3 a, b;
    Vec2 middle;  // in the chart
    std::size_t loop;
    double start, whole;  // where it begins along its loop, and how long that is
  };
  std::vector<Side> sides;
  for (std::size_t l = 0; l < domain.loops.size(); ++l) {
    std::vector<Vec2> points = domain.loops[l].points;
    points.push_back(points[0]);
    const std::vector<double> lengths = lengths_along(map, points);
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
      sides.push_back({map(points[i]).world, map(points[i + 1]).world, (points[i] + points[i + 1]) / 2, l, lengths[i],
                       lengths.back()});
    }
  }
  const auto distance = [](const Vec3& x, const Side& side) {
    const Vec3 d = side.b - side.a;
    return (side.a + std::clamp((x - side.a).dot(d) / d.squaredNorm(), 0.0, 1.0) * d - x).norm();
  };
  const auto length = [](const Side& side) { return (side.b - side.a).norm(); };
  const auto inside = [&](const Vec2& x) {
    bool odd = false;
    for (const auto& loop : domain.loops) odd ^= is_inside(x, loop.points);
    return odd;
  };
  std::vector<std::vector<double>> longest(domain.loops.size());
  for (const Side& s : sides) {
    double piece = edge;
    for (const Side& t : sides) {
      if (&s == &t) continue;
      const double gap = std::min({distance(s.a, t), distance(s.b, t), distance(t.a, s), distance(t.b, s)});
      if (s.loop == t.loop) {
        const double ahead = t.start - s.start - length(s), behind = s.start - t.start - length(t);
        const double along = std::min(ahead < 0 ? ahead + s.whole : ahead, behind < 0 ? behind + s.whole : behind);
        if (along < same_bend * gap || gap <= 0) continue;
      }
      if (of_gap * gap < piece && inside((s.middle + t.middle) / 2)) piece = of_gap * gap;
    }
    longest[s.loop].push_back(piece);
  }
  return longest;
}

// From one corner of a polygon to the next: a straight side, or samples of a curve.
struct Run {
  std::vector<Vec2> points;
  double piece;  // longest allowed, m

  bool straight() const { return points.size() == 2; }
  double turning() const {
    double sum = 0;
    for (std::size_t i = 1; i + 1 < points.size(); ++i) {
      const Vec2 in = (points[i] - points[i - 1]).normalized(), out = (points[i + 1] - points[i]).normalized();
      sum += std::acos(std::clamp(in.dot(out), -1.0, 1.0));
    }
    return sum;
  }

  // The inner points that cut it into pieces of equal length in the world.
  std::vector<Vec2> cuts(const SheetMesh::Map& map) const {
    constexpr int fine = 64;                            // steps of a side, which the map may stretch unevenly
    constexpr double most_turn = std::numbers::pi / 4;  // of a piece
    std::vector<Vec2> path = points;
    if (straight()) {
      path.clear();
      for (int i = 0; i <= fine; ++i) path.emplace_back(points[0] + i * (points[1] - points[0]) / fine);
    }
    const std::vector<double> lengths = lengths_along(map, path);
    const auto count = static_cast<std::size_t>(
        std::max({1.0, std::ceil(lengths.back() / piece - 0.5), std::ceil(turning() / most_turn)}));
    std::vector<Vec2> result;
    for (std::size_t k = 1; k < count; ++k) {
      const double goal = lengths.back() * static_cast<double>(k) / static_cast<double>(count);
      const auto i =
          static_cast<std::size_t>(std::upper_bound(lengths.begin(), lengths.end() - 1, goal) - lengths.begin());
      const double t = (goal - lengths[i - 1]) / (lengths[i] - lengths[i - 1]);
      result.emplace_back((1 - t) * path[i - 1] + t * path[i]);
    }
    return result;
  }
};

std::vector<Run> runs_of(const PolygonDomain::Loop& loop, std::span<const double> longest) {
  const std::size_t n = loop.points.size();
  const auto is_corner = [&](std::size_t i) { return loop.corner.empty() || loop.corner[i % n]; };
  std::size_t first = 0;
  while (first < n && !is_corner(first)) ++first;
  if (first == n) first = 0;  // a loop without corners is cut open at its first point
  std::vector<Run> runs;
  for (std::size_t i = first; i < first + n; ++i) {
    if (i == first || is_corner(i)) runs.push_back({{loop.points[i % n]}, longest[i % n]});
    runs.back().points.push_back(loop.points[(i + 1) % n]);
    runs.back().piece = std::min(runs.back().piece, longest[i % n]);
  }
  return runs;
}

// Curves are cut before the polygon is triangulated, straight sides afterwards, which is quicker.
Sheet start(const PolygonDomain& domain, const SheetMesh::Map& map, double edge) {
  SheetMesh mesh(map);
  std::vector<double> along;
  std::vector<std::vector<Index>> loops;
  std::map<std::pair<Index, Index>, Index> label_of;
  std::vector<std::pair<std::array<Index, 2>, Run>> straight;
  const auto longest = longest_pieces(domain, map, edge);
  for (std::size_t l = 0; l < domain.loops.size(); ++l) {
    const std::vector<Run> runs = runs_of(domain.loops[l], longest[l]);
    std::vector<Index> loop;
    std::vector<std::size_t> first_of_run;
    for (const Run& run : runs) {
      first_of_run.push_back(loop.size());
      loop.push_back(mesh.add_vertex(run.points[0], true));
      if (run.straight()) continue;
      for (const Vec2& cut : run.cuts(map)) loop.push_back(mesh.add_vertex(cut, true));
    }
    double sum = 0, whole = 0;
    const auto step = [&](std::size_t i) {
      return (mesh.vertices()[loop[(i + 1) % loop.size()]].chart - mesh.vertices()[loop[i]].chart).norm();
    };
    for (std::size_t i = 0; i < loop.size(); ++i) whole += step(i);
    for (std::size_t i = 0; i < loop.size(); ++i) {
      along.push_back(sum / whole);
      sum += step(i);
      label_of[{loop[i], loop[(i + 1) % loop.size()]}] = static_cast<Index>(l + 1);
    }
    for (std::size_t r = 0; r < runs.size(); ++r) {
      const std::size_t i = first_of_run[r];
      if (runs[r].straight()) straight.push_back({{loop[i], loop[(i + 1) % loop.size()]}, runs[r]});
    }
    loops.push_back(std::move(loop));
  }

  std::vector<Vec2> corners;
  for (const auto& v : mesh.vertices()) corners.push_back(v.chart);
  for (const auto& t : triangles_of_polygon(corners, loops)) mesh.add_triangle(t);
  mesh.join();
  mesh.label_edges([&](Index a, Index b) {
    const auto found = label_of.find({a, b});
    return found == label_of.end() ? Index{0} : found->second;
  });
  mesh.flip_to_best_angles();

  for (const auto& [ends, run] : straight) {
    const double from = along[ends[0]], to = along[ends[1]] > from ? along[ends[1]] : 1;
    const double side = (run.points[1] - run.points[0]).norm();
    Index rest = ends[0];
    for (const Vec2& cut : run.cuts(map)) {
      const auto [t, e] = mesh.find_edge(rest, ends[1]);
      rest = mesh.split_edge(t, e, cut);
      along.push_back(from + (to - from) * (cut - run.points[0]).norm() / side);
    }
  }
  return {std::move(mesh), std::move(along)};
}

}  // namespace

Sheet sheet_start(const Mapping& mapping, double edge, std::uint64_t seed) {
  const SheetMesh::Map map = [place = mapping.place](const Vec2& chart) {
    constexpr double step = 0.01;  // of the thickness
    return SheetMesh::Place{place(chart, 0.5), (place(chart, 0.5 + step) - place(chart, 0.5 - step)).normalized()};
  };
  if (const auto* rings = std::get_if<RingDomain>(&mapping.domain)) return RingStart(*rings, map, edge, seed).run();
  return start(std::get<PolygonDomain>(mapping.domain), map, edge);
}

}  // namespace sunder
