#include "meshing/sheet_mesh.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/check.h"

namespace sunder {
namespace {

using Index = SheetMesh::Index;

// A triangle counts as folded unless its area in the chart is clearly positive, and it faces the thickness direction of
// all three corners.
bool upright(const SheetMesh::Vertex& a, const SheetMesh::Vertex& b, const SheetMesh::Vertex& c) {
  constexpr double least = 1e-5;  // of the square of the longest edge
  constexpr double facing = 0.3;  // cosine
  const double longest = std::max(
      {(b.chart - a.chart).squaredNorm(), (c.chart - b.chart).squaredNorm(), (a.chart - c.chart).squaredNorm()});
  if (!(doubled_area(a.chart, b.chart, c.chart) > least * longest)) return false;
  const Vec3 normal = (b.world - a.world).cross(c.world - a.world);
  return std::min({normal.dot(a.across), normal.dot(b.across), normal.dot(c.across)}) > facing * normal.norm();
}

std::size_t next(int i) { return static_cast<std::size_t>((i + 1) % 3); }
std::size_t after_next(int i) { return static_cast<std::size_t>((i + 2) % 3); }

}  // namespace

double doubled_area(const Vec2& a, const Vec2& b, const Vec2& c) {
  return (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
}

double cosine_of_smallest_angle(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 ab = b - a, bc = c - b, ca = a - c;
  const double l2 = ab.norm(), l0 = bc.norm(), l1 = ca.norm();
  if (!(l0 > 0 && l1 > 0 && l2 > 0)) return 1;
  return std::max({-ab.dot(ca) / (l2 * l1), -bc.dot(ab) / (l0 * l2), -ca.dot(bc) / (l1 * l0)});
}

Index SheetMesh::add_vertex(const Vec2& chart, bool fixed) {
  const Place place = map_(chart);
  vertices_.push_back({chart, place.world, place.across, kNone, fixed});
  return static_cast<Index>(vertices_.size() - 1);
}

void SheetMesh::join() {
  std::map<std::pair<Index, Index>, std::pair<Index, std::size_t>> open;
  for (Index t = 0; t < triangles_.size(); ++t) {
    for (int i = 0; i < 3; ++i) {
      const auto& c = triangles_[t].corners;
      vertices_[c[static_cast<std::size_t>(i)]].triangle = t;
      const Index a = c[next(i)], b = c[after_next(i)];
      const auto other = open.find({b, a});
      if (other == open.end()) {
        open[{a, b}] = {t, static_cast<std::size_t>(i)};
      } else {
        triangles_[t].neighbours[static_cast<std::size_t>(i)] = other->second.first;
        triangles_[other->second.first].neighbours[other->second.second] = t;
        open.erase(other);
      }
    }
  }
}

std::pair<Index, int> SheetMesh::find_edge(Index from, Index to) const {
  // Both ways round the vertex, since the outline cuts its fan open.
  for (const int way : {1, 2}) {
    Index t = vertices_[from].triangle;
    const Index first = t;
    do {
      const auto& corners = triangles_[t].corners;
      const auto at = static_cast<int>(std::find(corners.begin(), corners.end(), from) - corners.begin());
      if (corners[next(at)] == to) return {t, static_cast<int>(after_next(at))};
      t = triangles_[t].neighbours[way == 1 ? next(at) : after_next(at)];
    } while (t != first && t != kNone);
  }
  SUNDER_CHECK(false, "an edge of the outline of a sheet is lost");
  return {kNone, 0};
}

Index SheetMesh::locate(const Vec2& x, Index start) const {
  constexpr int most_steps = 1000;
  Index t = start;
  for (int step = 0; step < most_steps; ++step) {
    int out = -1;
    for (int k = 0; k < 3 && out < 0; ++k) {
      const int i = (k + step) % 3;  // another first edge each time, so that the walk cannot circle
      if (doubled_area(chart(t, static_cast<int>(next(i))), chart(t, static_cast<int>(after_next(i))), x) < 0) out = i;
    }
    if (out < 0) return t;
    const auto edge = static_cast<std::size_t>(out);
    if (triangles_[t].labels[edge] != 0 || triangles_[t].neighbours[edge] == kNone) return kNone;
    t = triangles_[t].neighbours[edge];
  }
  return kNone;
}

void SheetMesh::set_neighbour(Index triangle, Index old_one, Index new_one) {
  if (triangle == kNone) return;
  for (Index& n : triangles_[triangle].neighbours) {
    if (n == old_one) {
      n = new_one;
      return;
    }
  }
}

int SheetMesh::edge_to(Index triangle, Index neighbour) const {
  for (int i = 0; i < 3; ++i) {
    if (triangles_[triangle].neighbours[static_cast<std::size_t>(i)] == neighbour) return i;
  }
  SUNDER_CHECK(false, "two triangles of a sheet do not agree that they are neighbours");
  return 0;
}

Index SheetMesh::insert(const Vec2& x, Index t) {
  const Triangle old = triangles_[t];
  const auto corner = [&](std::size_t i) { return vertices_[old.corners[i]]; };
  const Index v = add_vertex(x, false);
  if (upright(corner(0), corner(1), corner(2)) &&
      !(upright(corner(0), corner(1), vertices_[v]) && upright(corner(1), corner(2), vertices_[v]) &&
        upright(corner(2), corner(0), vertices_[v]))) {
    vertices_.pop_back();
    return kNone;
  }
  const auto t1 = static_cast<Index>(triangles_.size()), t2 = t1 + 1;
  // Each of the three keeps one old edge, opposite v, which is its corner 2.
  const std::array<Index, 3> id = {t, t1, t2};
  triangles_.resize(triangles_.size() + 2);
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    triangles_[id[i]] = {{old.corners[j], old.corners[k], v}, {id[j], id[k], old.neighbours[i]}, {0, 0, old.labels[i]}};
    set_neighbour(old.neighbours[i], t, id[i]);
  }
  // The old triangle may still be named by the neighbours of the two new ones: set above, edge by edge.
  for (std::size_t i = 0; i < 3; ++i) vertices_[triangles_[id[i]].corners[0]].triangle = id[i];
  vertices_[v].triangle = t;
  legalise({id[0], id[1], id[2]});
  return v;
}

Index SheetMesh::split_edge(Index t, int edge, const Vec2& x) {
  const auto e = static_cast<std::size_t>(edge);
  const Index label = triangles_[t].labels[e];
  const Index v = add_vertex(x, label != 0);
  const Index other = triangles_[t].neighbours[e];
  // Halves a triangle at its edge opposite corner c, from b to d: (c, b, v) stays in place, (c, v, d) is new.
  const auto halve = [&](Index s, int i) {
    const Triangle old = triangles_[s];
    const auto ii = static_cast<std::size_t>(i);
    const auto fresh = static_cast<Index>(triangles_.size());
    const Index c = old.corners[ii], b = old.corners[next(i)], d = old.corners[after_next(i)];
    triangles_[s] = {{c, b, v}, {kNone, fresh, old.neighbours[after_next(i)]}, {label, 0, old.labels[after_next(i)]}};
    triangles_.push_back({{c, v, d}, {kNone, old.neighbours[next(i)], s}, {label, old.labels[next(i)], 0}});
    set_neighbour(old.neighbours[next(i)], s, fresh);
    vertices_[c].triangle = vertices_[b].triangle = vertices_[v].triangle = s;
    vertices_[d].triangle = fresh;
    return fresh;
  };
  const int back = other == kNone ? 0 : edge_to(other, t);
  const Index t_fresh = halve(t, edge);
  if (other == kNone) {
    legalise({t, t_fresh});
    return v;
  }
  const Index o_fresh = halve(other, back);
  // Across the edge b to d of t lies the edge d to b of the other: halves meet crosswise.
  triangles_[t].neighbours[0] = o_fresh;
  triangles_[o_fresh].neighbours[0] = t;
  triangles_[t_fresh].neighbours[0] = other;
  triangles_[other].neighbours[0] = t_fresh;
  legalise({t, t_fresh, other, o_fresh});
  return v;
}

double SheetMesh::cosine_of_smallest_angle(Index t) const {
  return sunder::cosine_of_smallest_angle(world(t, 0), world(t, 1), world(t, 2));
}

bool SheetMesh::flip_helps(Index t, int edge) const {
  constexpr double gain = 1e-9;  // of a cosine, so that rounding cannot flip back and forth
  const auto e = static_cast<std::size_t>(edge);
  const Index o = triangles_[t].neighbours[e];
  if (o == kNone || triangles_[t].labels[e] != 0) return false;
  const auto back = static_cast<std::size_t>(edge_to(o, t));
  const Vertex& a = vertices_[triangles_[t].corners[e]];
  const Vertex& b = vertices_[triangles_[t].corners[next(edge)]];
  const Vertex& d = vertices_[triangles_[t].corners[after_next(edge)]];
  const Vertex& c = vertices_[triangles_[o].corners[back]];
  if (!upright(a, b, c) || !upright(a, c, d)) return false;
  const double before = std::max(cosine_of_smallest_angle(t), cosine_of_smallest_angle(o));
  const double after = std::max(sunder::cosine_of_smallest_angle(a.world, b.world, c.world),
                                sunder::cosine_of_smallest_angle(a.world, c.world, d.world));
  return after < before - gain;
}

void SheetMesh::flip(Index t, int edge) {
  const auto e = static_cast<std::size_t>(edge);
  const Index o = triangles_[t].neighbours[e];
  const int back = edge_to(o, t);
  const Triangle told = triangles_[t], oold = triangles_[o];
  const Index a = told.corners[e], b = told.corners[next(edge)], d = told.corners[after_next(edge)];
  const Index c = oold.corners[static_cast<std::size_t>(back)];
  // In o the corners after c are d and b: the edge opposite d joins b and c, the one opposite b joins c and d.
  const std::size_t at_d = next(back), at_b = after_next(back);
  triangles_[t] = {{a, b, c},
                   {oold.neighbours[at_d], o, told.neighbours[after_next(edge)]},
                   {oold.labels[at_d], 0, told.labels[after_next(edge)]}};
  triangles_[o] = {{a, c, d},
                   {oold.neighbours[at_b], told.neighbours[next(edge)], t},
                   {oold.labels[at_b], told.labels[next(edge)], 0}};
  set_neighbour(oold.neighbours[at_d], o, t);
  set_neighbour(told.neighbours[next(edge)], t, o);
  vertices_[a].triangle = vertices_[b].triangle = vertices_[c].triangle = t;
  vertices_[d].triangle = o;
}

void SheetMesh::legalise(std::vector<Index> stack) {
  while (!stack.empty()) {
    const Index t = stack.back();
    stack.pop_back();
    for (int e = 0; e < 3; ++e) {
      if (!flip_helps(t, e)) continue;
      stack.push_back(t);
      stack.push_back(triangles_[t].neighbours[static_cast<std::size_t>(e)]);
      flip(t, e);
      break;
    }
  }
}

void SheetMesh::flip_to_best_angles() {
  std::vector<Index> all(triangles_.size());
  for (Index t = 0; t < all.size(); ++t) all[t] = t;
  legalise(std::move(all));
}

std::vector<Index> SheetMesh::triangles_round(Index v) const {
  std::vector<Index> round;
  const Index first = vertices_[v].triangle;
  Index t = first;
  do {
    round.push_back(t);
    const auto& corners = triangles_[t].corners;
    const auto at = static_cast<int>(std::find(corners.begin(), corners.end(), v) - corners.begin());
    t = triangles_[t].neighbours[next(at)];
  } while (t != first && t != kNone);
  return round;
}

bool SheetMesh::move(Index v, const Vec2& x, double floor) {
  const std::vector<Index> round = triangles_round(v);
  double before = -1, after = -1;
  for (const Index t : round) before = std::max(before, cosine_of_smallest_angle(t));
  const Vertex old = vertices_[v];
  const Place place = map_(x);
  vertices_[v].chart = x;
  vertices_[v].world = place.world;
  vertices_[v].across = place.across;
  bool folded = false;
  for (const Index t : round) {
    const auto& c = triangles_[t].corners;
    folded = folded || !upright(vertices_[c[0]], vertices_[c[1]], vertices_[c[2]]);
    after = std::max(after, cosine_of_smallest_angle(t));
  }
  if (!folded && after <= std::max(before, std::cos(floor))) return true;
  vertices_[v] = old;
  return false;
}

}  // namespace sunder
