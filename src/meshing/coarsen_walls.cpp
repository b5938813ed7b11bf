#include "meshing/coarsen_walls.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "core/parallel.h"
#include "geometry/tetrahedron.h"
#include "geometry/triangle.h"
#include "meshing/curve_tree.h"
#include "meshing/edge_collapse.h"
#include "meshing/improve.h"

namespace sunder {
namespace {

using Index = std::uint32_t;

constexpr int kRounds = 4;           // of collapsing and moving points
constexpr double kShort = 0.8;       // of the edge asked for: shorter ones are collapsed ...
constexpr double kLong = 1.5;        // ... unless that makes a longer one
constexpr double kFloor = 0.25;      // altitude, in those of an even layer: none is made below
constexpr double kTarget = 0.6;      // what moving points aims at ...
constexpr int kPasses = 2;           // ... in so many passes
constexpr double kSagitta = 0.12;    // of the thickness: how far the boundary may be from the surface
constexpr double kFacing = 0.82;     // cosine of 35 degrees, between a face and the surface below its middle
constexpr double kRegular = 0.8;     // altitude of a regular tet, in edges
constexpr double kOnCurve = 1e-4;    // of an edge
constexpr double kAlongCurve = 0.1;  // of an edge: its middle is so near to the curve its ends lie on

enum class Kind : std::uint8_t { inside, smooth, curve, corner };

class Coarsening {
 public:
  Coarsening(StuffedMesh& mesh, const RepairedSurface& surface, const SurfaceDistance& solid, const Features& features,
             std::span<const SurfaceSample> samples, const CoarsenOptions& options)
      : mesh_(mesh),
        surface_(surface),
        solid_(solid),
        curves_(features),
        has_curves_(!features.curves.empty()),
        options_(options) {
    find_sizes(samples);
    find_kinds(features);
  }

  void run() {
    for (int round = 0; round < kRounds; ++round) {
      const std::size_t before = mesh_.soup.tets.size();
      collapse_short_edges();
      move_points();
      if (mesh_.soup.tets.size() == before) break;
    }
  }

 private:
  // --- what is wanted where -----------------------------------------------------------------------------------------

  void find_sizes(std::span<const SurfaceSample> samples) {
    std::vector<Vec3> places;
    std::vector<double> thickness;
    std::vector<std::array<Index, 3>> dots;
    for (const SurfaceSample& s : samples) {
      if (!s.wall) continue;
      dots.push_back(
          {static_cast<Index>(places.size()), static_cast<Index>(places.size()), static_cast<Index>(places.size())});
      places.push_back(s.point);
      thickness.push_back(s.thickness);
    }
    const std::size_t count = mesh_.soup.points.size();
    edge_.assign(count, options_.edge);
    altitude_.assign(count, kRegular * options_.edge);
    const TriangleTree tree(places, dots);
    constexpr std::size_t batch = 64;
    parallel_chunks(count, batch, [&](std::size_t begin, std::size_t end) {
      for (std::size_t p = begin; p < end; ++p) {
        double wall = std::numeric_limits<double>::infinity();
        if (!places.empty()) {
          // A wall speaks for what lies about as far from its sample as it is thick, the rim for instance.
          const auto near = tree.nearest(mesh_.soup.points[p], 2 * options_.edge);
          if (near.triangle != TriangleTree::kNone) wall = thickness[near.triangle];
        }
        edge_[p] = std::min(options_.edge, options_.stretch * wall);
        if (!options_.finer.empty() && options_.finer[p] > 0) edge_[p] = std::min(edge_[p], options_.finer[p]);
        altitude_[p] = std::min(wall, kRegular * edge_[p]);
      }
    });
  }

  bool near_curve(const Vec3& x, double within) const {
    return has_curves_ && curves_.nearest(x, within).triangle != TriangleTree::kNone;
  }

  void find_kinds(const Features& features) {
    const std::size_t count = mesh_.soup.points.size();
    kind_.assign(count, Kind::inside);
    std::vector<Vec3> corners;
    std::vector<std::array<Index, 3>> dots;
    for (const Corner3& c : features.corners) {
      const auto i = static_cast<Index>(corners.size());
      corners.push_back(c.point);
      dots.push_back({i, i, i});
    }
    const TriangleTree corner_tree(corners, dots);
    for (std::size_t p = 0; p < count; ++p) {
      if (mesh_.on_surface[p] == 0) continue;
      const Vec3& x = mesh_.soup.points[p];
      const double within = kOnCurve * edge_[p];
      kind_[p] = Kind::smooth;
      if (near_curve(x, within)) kind_[p] = Kind::curve;
      if (!corners.empty() && corner_tree.nearest(x, within).triangle != TriangleTree::kNone) kind_[p] = Kind::corner;
    }
  }

  // The smallest altitude, in those of an even layer; negative if inside out.
  double measure(const TetCorners& x, const std::array<Index, 4>& c) const {
    const double wanted = std::min({altitude_[c[0]], altitude_[c[1]], altitude_[c[2]], altitude_[c[3]]});
    double largest = 0;  // face, doubled area
    for (const auto& [i, j, k] : kTetFaces) {
      largest = std::max(largest, (x[static_cast<std::size_t>(j)] - x[static_cast<std::size_t>(i)])
                                      .cross(x[static_cast<std::size_t>(k)] - x[static_cast<std::size_t>(i)])
                                      .squaredNorm());
    }
    return largest > 0 ? 6 * signed_volume(x) / (std::sqrt(largest) * wanted) : -1;
  }
  double measure(const TetSoup& soup, Index tet) const {
    const auto& c = soup.tets[tet];
    return measure({soup.points[c[0]], soup.points[c[1]], soup.points[c[2]], soup.points[c[3]]}, c);
  }

  // Whether a face of the boundary keeps to the surface.
  bool keeps_to_surface(const TriangleCorners& face, double thickness) const {
    const double far = kSagitta * thickness;
    const Vec3 area = area_vector(face);
    const auto middle = solid_.tree().nearest((face[0] + face[1] + face[2]) / 3, far);
    if (middle.triangle == TriangleTree::kNone) return false;
    const auto& c = surface_.triangles[middle.triangle];
    const Vec3 below = area_vector({surface_.points[c[0]], surface_.points[c[1]], surface_.points[c[2]]});
    if (area.dot(below) < kFacing * area.norm() * below.norm()) return false;
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3 x = (face[i] + face[(i + 1) % 3]) / 2;
      if (solid_.tree().nearest(x, far).triangle == TriangleTree::kNone) return false;
    }
    return true;
  }

  // --- collapsing ---------------------------------------------------------------------------------------------------

  struct Edge {
    double length;  // of what is asked for
    Index a, b;
  };

  double length(const CollapsingTets& tets, Index a, Index b) const {
    return (tets.soup().points[a] - tets.soup().points[b]).norm() / std::min(edge_[a], edge_[b]);
  }

  bool along_curve(const CollapsingTets& tets, Index a, Index b) const {
    const Vec3 &x = tets.soup().points[a], &y = tets.soup().points[b];
    return near_curve((x + y) / 2,
                      std::min(kAlongCurve * (x - y).norm(), kSagitta * std::min(altitude_[a], altitude_[b])));
  }

  // What the worst tet is afterwards; negative if the collapse is not allowed.
  double worst_after(const CollapsingTets& tets, Index from, Index to) {
    if (kind_[from] == Kind::corner || kind_[to] < kind_[from]) return -1;
    if (kind_[from] == Kind::curve && !along_curve(tets, from, to)) return -1;
    const auto& points = tets.soup().points;
    double before = std::numeric_limits<double>::infinity(), after = before;
    for (const Index t : tets.star(from)) {
      auto c = tets.soup().tets[t];
      TetCorners x;
      std::size_t at = 0;
      bool gone = false;
      for (std::size_t i = 0; i < 4; ++i) {
        x[i] = points[c[i]];
        if (c[i] == from) at = i;
        gone = gone || c[i] == to;
      }
      before = std::min(before, measure(x, c));
      if (gone) continue;
      x[at] = points[to];
      c[at] = to;
      after = std::min(after, measure(x, c));
      if (after <= 0) return -1;
      for (std::size_t i = 0; i < 4; ++i) {
        if (i != at && length(tets, c[i], to) > kLong) return -1;
      }
    }
    if (after < kFloor && after <= before) return -1;
    if (!tets.may_collapse(from, to)) return -1;
    if (kind_[from] == Kind::inside) return after;
    tets.boundary_faces(from, faces_);
    for (const auto& [a, b] : faces_) {
      // The curve goes on to its next point.
      if (kind_[from] == Kind::curve && a != to && kind_[a] >= Kind::curve && along_curve(tets, from, a) &&
          !along_curve(tets, to, a)) {
        return -1;
      }
      if (a == to || b == to) continue;
      const double thickness = std::min({altitude_[to], altitude_[a], altitude_[b]});
      if (!keeps_to_surface({points[to], points[a], points[b]}, thickness)) return -1;
    }
    return after;
  }

  void collapse_short_edges() {
    TetSoup soup;
    soup.points = std::move(mesh_.soup.points);
    soup.tets = std::move(mesh_.soup.tets);
    CollapsingTets tets(std::move(soup));
    for (bool any = true; any;) {
      any = false;
      for (const Edge& e : short_edges(tets)) {
        if (!tets.alive(e.a) || !tets.alive(e.b)) continue;
        if (length(tets, e.a, e.b) > kShort && !at_flat_tet(tets, e.a, e.b)) continue;
        const double to_b = worst_after(tets, e.a, e.b), to_a = worst_after(tets, e.b, e.a);
        if (to_a <= 0 && to_b <= 0) continue;
        if (to_b >= to_a)
          tets.collapse(e.a, e.b);
        else
          tets.collapse(e.b, e.a);
        any = true;
      }
    }
    std::vector<Index> kept;
    mesh_.soup = tets.result(kept);
    const auto keep = [&](auto& column) {
      for (std::size_t i = 0; i < kept.size(); ++i) column[i] = column[kept[i]];
      column.resize(kept.size());
    };
    keep(mesh_.on_surface);
    keep(edge_);
    keep(altitude_);
    keep(kind_);
  }

  // Whether a tet at the edge is flatter than any that a collapse may make.
  bool at_flat_tet(const CollapsingTets& tets, Index a, Index b) const {
    for (const Index t : tets.star(a)) {
      const auto& c = tets.soup().tets[t];
      if (std::find(c.begin(), c.end(), b) != c.end() && measure(tets.soup(), t) < kFloor) return true;
    }
    return false;
  }

  // The shortest first; long ones, too, if their tets are flat.
  std::vector<Edge> short_edges(const CollapsingTets& tets) const {
    std::vector<Edge> edges;
    for (Index p = 0; p < tets.soup().points.size(); ++p) {
      std::vector<Index> others;
      for (const Index t : tets.star(p)) {
        for (const Index q : tets.soup().tets[t]) {
          if (q > p) others.push_back(q);
        }
      }
      std::sort(others.begin(), others.end());
      others.erase(std::unique(others.begin(), others.end()), others.end());
      for (const Index q : others) {
        const double l = length(tets, p, q);
        if (l <= kShort || at_flat_tet(tets, p, q)) edges.push_back({l, p, q});
      }
    }
    std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
      return a.length != b.length ? a.length < b.length : std::pair(a.a, a.b) < std::pair(b.a, b.b);
    });
    return edges;
  }

  // --- moving -------------------------------------------------------------------------------------------------------

  // Points of flat tets move, inside or on the surface.
  void move_points() {
    const CollapsingTets tets(mesh_.soup);  // for its boundary
    std::vector<std::array<Index, 2>> faces;
    const auto place = [&](Index p, Vec3& x) {
      if (kind_[p] == Kind::inside) return true;
      if (kind_[p] != Kind::smooth) return false;
      const auto at = solid_.tree().nearest(x, edge_[p]);
      if (at.triangle == TriangleTree::kNone) return false;
      x = at.at.point;
      return true;
    };
    const auto accept = [&](Index p, const Vec3& x) {
      tets.boundary_faces(p, faces);
      const auto& points = mesh_.soup.points;
      for (const auto& [a, b] : faces) {
        const double thickness = std::min({altitude_[p], altitude_[a], altitude_[b]});
        if (!keeps_to_surface({x, points[a], points[b]}, thickness)) return false;
      }
      return true;
    };
    const auto by_altitude = [&](const TetSoup& soup, Index tet) { return measure(soup, tet); };
    improve_points(mesh_.soup, place, accept, by_altitude, kTarget, kPasses);
  }

  StuffedMesh& mesh_;
  const RepairedSurface& surface_;
  const SurfaceDistance& solid_;
  CurveTree curves_;
  bool has_curves_;
  const CoarsenOptions& options_;
  std::vector<double> edge_, altitude_;  // of every point: what is asked for there
  std::vector<Kind> kind_;
  std::vector<std::array<Index, 2>> faces_;
};

}  // namespace

void coarsen_walls(StuffedMesh& mesh, const RepairedSurface& surface, const SurfaceDistance& solid,
                   const Features& features, std::span<const SurfaceSample> samples, const CoarsenOptions& options) {
  Coarsening(mesh, surface, solid, features, samples, options).run();
}

}  // namespace sunder
