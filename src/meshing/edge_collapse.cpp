#include "meshing/edge_collapse.h"

#include <algorithm>
#include <utility>

#include "geometry/tetrahedron.h"
#include "mesh/soup_boundary.h"

namespace sunder {
namespace {

using Index = CollapsingTets::Index;
constexpr Index kBeyond = 0xffffffffu;  // the point that the boundary counts as joined to

bool has(const std::array<Index, 4>& tet, Index point) {
  return tet[0] == point || tet[1] == point || tet[2] == point || tet[3] == point;
}

template <class T>
void make_set(std::vector<T>& all) {
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
}

// How many are in both of two sets.
template <class T>
std::size_t common(const std::vector<T>& a, const std::vector<T>& b) {
  std::size_t count = 0;
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    if (*i == *j)
      ++count, ++i, ++j;
    else if (*i < *j)
      ++i;
    else
      ++j;
  }
  return count;
}

}  // namespace

// All that a point's tets have opposite to it.
struct CollapsingTets::Link {
  std::vector<Index> points;
  std::vector<std::array<Index, 2>> edges;
  std::vector<std::array<Index, 3>> triangles;

  void add(std::array<Index, 3> t) {
    std::sort(t.begin(), t.end());
    triangles.push_back(t);
    for (const Index p : t) points.push_back(p);
    edges.push_back({t[0], t[1]});
    edges.push_back({t[0], t[2]});
    edges.push_back({t[1], t[2]});
  }
};

CollapsingTets::CollapsingTets(TetSoup soup)
    : soup_(std::move(soup)),
      on_boundary_(soup_.points.size(), 0),
      dead_(soup_.tets.size(), 0),
      star_(soup_.points.size()) {
  for (Index t = 0; t < soup_.tets.size(); ++t) {
    for (const Index p : soup_.tets[t]) star_[p].push_back(t);
  }
  for (const SoupFace& face : soup_boundary(soup_)) {
    for (const Index p : face.points) on_boundary_[p] = 1;
  }
}

void CollapsingTets::boundary_faces(Index point, std::vector<std::array<Index, 2>>& faces) const {
  faces.clear();
  if (!on_boundary(point)) return;
  struct Face {
    std::array<Index, 2> sorted, turned;
  };
  std::vector<Face> all;
  for (const Index t : star_[point]) {
    const auto& tet = soup_.tets[t];
    for (const auto& f : kTetFaces) {
      for (std::size_t i = 0; i < 3; ++i) {
        if (tet[static_cast<std::size_t>(f[i])] != point) continue;
        const Index a = tet[static_cast<std::size_t>(f[(i + 1) % 3])],
                    b = tet[static_cast<std::size_t>(f[(i + 2) % 3])];
        all.push_back({{std::min(a, b), std::max(a, b)}, {a, b}});
      }
    }
  }
  std::sort(all.begin(), all.end(), [](const Face& a, const Face& b) { return a.sorted < b.sorted; });
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool twin_before = i > 0 && all[i - 1].sorted == all[i].sorted;
    const bool twin_after = i + 1 < all.size() && all[i + 1].sorted == all[i].sorted;
    if (!twin_before && !twin_after) faces.push_back(all[i].turned);
  }
}

void CollapsingTets::link(Index point, Link& out) const {
  for (const Index t : star_[point]) {
    std::array<Index, 3> opposite{};
    std::size_t n = 0;
    for (const Index p : soup_.tets[t]) {
      if (p != point) opposite[n++] = p;
    }
    out.add(opposite);
  }
  std::vector<std::array<Index, 2>> faces;
  boundary_faces(point, faces);
  for (const auto& [a, b] : faces) out.add({a, b, kBeyond});
  make_set(out.points);
  make_set(out.edges);
  make_set(out.triangles);
}

bool CollapsingTets::may_collapse(Index from, Index to) const {
  if (on_boundary(from) && !on_boundary(to)) return false;
  Link a, b;
  link(from, a);
  link(to, b);
  // The link of the edge: what the triangles of `from` have opposite to `to`.
  std::vector<Index> points;
  std::size_t edges = 0;
  for (const auto& t : a.triangles) {
    if (t[0] != to && t[1] != to && t[2] != to) continue;
    ++edges;
    for (const Index p : t) {
      if (p != to) points.push_back(p);
    }
  }
  make_set(points);
  return common(a.points, b.points) == points.size() && common(a.edges, b.edges) == edges &&
         common(a.triangles, b.triangles) == 0;
}

void CollapsingTets::collapse(Index from, Index to) {
  for (const Index t : star_[from]) {
    auto& tet = soup_.tets[t];
    if (has(tet, to)) {
      dead_[t] = 1;
      for (const Index p : tet) {
        if (p != from) std::erase(star_[p], t);
      }
      continue;
    }
    std::replace(tet.begin(), tet.end(), from, to);
    star_[to].push_back(t);
  }
  star_[from].clear();
}

TetSoup CollapsingTets::result(std::vector<Index>& kept) const {
  TetSoup out;
  kept.clear();
  std::vector<Index> number(soup_.points.size(), 0);
  for (Index p = 0; p < soup_.points.size(); ++p) {
    if (!alive(p)) continue;
    number[p] = static_cast<Index>(kept.size());
    kept.push_back(p);
    out.points.push_back(soup_.points[p]);
  }
  for (std::size_t t = 0; t < soup_.tets.size(); ++t) {
    if (dead_[t] != 0) continue;
    const auto& [a, b, c, d] = soup_.tets[t];
    out.tets.push_back({number[a], number[b], number[c], number[d]});
  }
  return out;
}

}  // namespace sunder
