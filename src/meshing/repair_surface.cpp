#include "meshing/repair_surface.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <span>
#include <unordered_map>

#include "core/error.h"
#include "core/random.h"
#include "geometry/triangle.h"
#include "meshing/surface_edges.h"
#include "spatial/triangle_tree.h"

namespace sunder {
namespace {

using Index = std::uint32_t;
using Triangle = std::array<Index, 3>;

constexpr double kSmallest = 1e-100, kLargest = 1e100;  // m; squares and cubes must not leave the doubles
constexpr double kWeld = 1e-9;                          // of the diagonal

void place_in_unit_frame(const TriangleMesh& mesh, const std::string& name, RepairedSurface& out) {
  if (mesh.triangles.empty()) throw InputError({name}, "the surface has no triangles", "export the model with faces");
  Vec3 lower, upper;
  lower.setConstant(std::numeric_limits<double>::infinity());
  upper = -lower;
  for (const Triangle& t : mesh.triangles) {
    for (const Index p : t) {
      if (p >= mesh.points.size() || !mesh.points[p].allFinite()) {
        throw InputError({name}, "a triangle has a corner that is missing or not finite", "repair the model");
      }
      lower = lower.cwiseMin(mesh.points[p]);
      upper = upper.cwiseMax(mesh.points[p]);
    }
  }
  const double largest = std::max(lower.cwiseAbs().maxCoeff(), upper.cwiseAbs().maxCoeff());
  if (largest > kLargest) {
    throw InputError({name}, fmt::format("the model reaches out to {:g} m", largest), "scale it to metres");
  }
  out.scale = (upper - lower).norm();
  if (!(out.scale > kSmallest)) {
    throw InputError({name}, fmt::format("the model is only {:g} m large", out.scale), "it must enclose a volume");
  }
  out.centre = (lower + upper) / 2;
  // Coordinates come in steps; a model of a few steps is noise, and its tets would be too.
  const double step = largest * std::numeric_limits<double>::epsilon();
  if (out.scale < 1e5 * step) {
    throw InputError({name},
                     fmt::format("the model is {:g} m large but lies {:g} m from the origin, where coordinates come in "
                                 "steps of {:g} m",
                                 out.scale, largest, step),
                     "move it nearer to the origin");
  }
  out.points.reserve(mesh.points.size());
  // Points that no triangle uses may lie anywhere.
  for (const Vec3& x : mesh.points)
    out.points.emplace_back(((x - out.centre) / out.scale).cwiseMax(-2.0).cwiseMin(2.0));
}

// For every point the one that stands for it: equal positions first, then such that are nearly equal.
std::vector<Index> weld(std::span<const Vec3> points) {
  std::vector<Index> order(points.size()), same(points.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto key = [&](Index p) { return std::array<double, 3>{points[p][0], points[p][1], points[p][2]}; };
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    const auto ka = key(a), kb = key(b);
    return ka != kb ? ka < kb : a < b;
  });
  for (std::size_t i = 0; i < order.size(); ++i) {
    same[order[i]] = i > 0 && points[order[i]] == points[order[i - 1]] ? same[order[i - 1]] : order[i];
  }
  // A grid whose cells are wide against the tolerance; a point looks into the cells that its tolerance touches.
  constexpr double width = 8 * kWeld;
  std::unordered_map<std::uint64_t, std::vector<Index>> grid;
  const auto cell_of = [&](const Vec3& x) {
    std::uint64_t hash = 0;
    for (int axis = 0; axis < 3; ++axis) hash = mix64(hash + static_cast<std::uint64_t>(std::llround(x[axis] / width)));
    return hash;
  };
  for (Index p = 0; p < points.size(); ++p) {
    if (same[p] != p) continue;
    Index found = p;
    std::uint64_t looked[8];
    std::size_t cells = 0;
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3 shift((corner & 1) != 0 ? kWeld : -kWeld, (corner & 2) != 0 ? kWeld : -kWeld,
                       (corner & 4) != 0 ? kWeld : -kWeld);
      const std::uint64_t cell = cell_of(points[p] + shift);
      if (std::find(looked, looked + cells, cell) != looked + cells) continue;
      looked[cells++] = cell;
      const auto entry = grid.find(cell);
      if (entry == grid.end()) continue;
      for (const Index other : entry->second) {
        if ((points[other] - points[p]).norm() <= kWeld) found = std::min(found, other);
      }
    }
    if (found == p) {
      grid[cell_of(points[p])].push_back(p);
    } else {
      same[p] = found;
    }
  }
  for (Index p = 0; p < points.size(); ++p) same[p] = same[same[p]];
  return same;
}

void keep_sound_triangles(const TriangleMesh& mesh, RepairedSurface& out) {
  const std::vector<Index> same = weld(out.points);
  std::vector<std::pair<Triangle, Index>> sorted;  // corners ascending, input triangle
  for (Index t = 0; t < mesh.triangles.size(); ++t) {
    Triangle corners;
    for (std::size_t k = 0; k < 3; ++k) corners[k] = same[mesh.triangles[t][k]];
    const bool flat =
        corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0] ||
        !(area_vector({out.points[corners[0]], out.points[corners[1]], out.points[corners[2]]}).norm() > 0);
    if (flat) {
      ++out.dropped;
      continue;
    }
    std::sort(corners.begin(), corners.end());
    sorted.emplace_back(corners, t);
  }
  std::sort(sorted.begin(), sorted.end());
  std::vector<Index> kept;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (i > 0 && sorted[i].first == sorted[i - 1].first) {
      ++out.doubled;
    } else {
      kept.push_back(sorted[i].second);
    }
  }
  std::sort(kept.begin(), kept.end());
  for (const Index t : kept) {
    Triangle corners = mesh.triangles[t];
    for (Index& p : corners) p = same[p];
    out.triangles.push_back(corners);
    out.source.push_back(t);
  }
}

void turn(RepairedSurface& surface, Index t) {
  std::swap(surface.triangles[t][1], surface.triangles[t][2]);
  surface.is_turned[t] ^= 1;
}

// Turns triangles so that neighbours walk their common edge in opposite directions; in each shell the smaller part (by
// area) is turned. Returns the shell of every triangle.
std::vector<Index> agree(RepairedSurface& surface) {
  const SurfaceEdges edges(surface.triangles);
  constexpr Index none = 0xffffffffu;
  std::vector<Index> shell(surface.triangles.size(), none);
  std::vector<std::uint8_t> other_way(surface.triangles.size(), 0);
  Index shells = 0;
  std::vector<Index> waiting, members;
  for (Index start = 0; start < shell.size(); ++start) {
    if (shell[start] != none) continue;
    shell[start] = shells;
    waiting = {start};
    members.clear();
    double as_is = 0, turned = 0;
    while (!waiting.empty()) {
      const Index t = waiting.back();
      waiting.pop_back();
      members.push_back(t);
      const Triangle& c = surface.triangles[t];
      (other_way[t] != 0 ? turned : as_is) +=
          area_vector({surface.points[c[0]], surface.points[c[1]], surface.points[c[2]]}).norm();
      for (int side = 0; side < 3; ++side) {
        const SurfaceEdges::Neighbour n = edges.neighbour(t, side);
        if (n.triangle == none || shell[n.triangle] != none) continue;
        shell[n.triangle] = shells;
        other_way[n.triangle] = static_cast<std::uint8_t>(other_way[t] ^ (n.agrees ? 0 : 1));
        waiting.push_back(n.triangle);
      }
    }
    for (const Index t : members) {
      if ((other_way[t] != 0) == (as_is >= turned)) {
        turn(surface, t);
      }
    }
    ++shells;
  }
  surface.shells = shells;
  surface.open_edges = edges.open_edges();
  return shell;
}

double volume_below(const RepairedSurface& surface, const Triangle& t) {
  return surface.points[t[0]].dot(surface.points[t[1]].cross(surface.points[t[2]])) / 6;
}

// A model that is inside out as a whole is turned. A single shell that is may be a cavity, if it lies within the solid
// of the others; if not, it is turned too.
void face_outwards(RepairedSurface& surface, const std::vector<Index>& shell) {
  std::vector<double> volume(surface.shells, 0);
  std::vector<std::vector<Index>> members(surface.shells);
  for (Index t = 0; t < surface.triangles.size(); ++t) {
    volume[shell[t]] += volume_below(surface, surface.triangles[t]);
    members[shell[t]].push_back(t);
  }
  const auto turn_shell = [&](Index s) {
    for (const Index t : members[s]) turn(surface, t);
    volume[s] = -volume[s];
  };
  if (std::accumulate(volume.begin(), volume.end(), 0.0) < 0) {
    for (Index s = 0; s < surface.shells; ++s) turn_shell(s);
  }
  constexpr std::size_t most_shells = 200;  // more belong to a soup whose pieces say nothing by themselves
  if (surface.shells > 1 && surface.shells <= most_shells) {
    std::vector<Index> wrong;
    const TriangleTree tree(surface.points, surface.triangles);
    for (Index s = 0; s < surface.shells; ++s) {
      if (volume[s] >= 0) continue;
      int within = 0;
      constexpr std::size_t samples = 5;
      for (std::size_t k = 0; k < samples; ++k) {
        const Triangle& t = surface.triangles[members[s][k * members[s].size() / samples]];
        const Vec3 x = (surface.points[t[0]] + surface.points[t[1]] + surface.points[t[2]]) / 3;
        double own = 0;
        for (const Index m : members[s]) {
          const Triangle& c = surface.triangles[m];
          own += solid_angle({surface.points[c[0]], surface.points[c[1]], surface.points[c[2]]}, x);
        }
        within += tree.winding_number(x) - own / (4 * std::numbers::pi) > 0.5 ? 1 : 0;
      }
      if (within <= 2) wrong.push_back(s);
    }
    for (const Index s : wrong) turn_shell(s);
  }
  surface.volume = std::accumulate(volume.begin(), volume.end(), 0.0);
}

}  // namespace

RepairedSurface repair_surface(const TriangleMesh& mesh, const std::string& name) {
  RepairedSurface surface;
  place_in_unit_frame(mesh, name, surface);
  keep_sound_triangles(mesh, surface);
  if (surface.triangles.empty()) {
    throw InputError({name}, "no triangle of the surface has an area", "it must enclose a volume");
  }
  surface.is_turned.assign(surface.triangles.size(), 0);
  face_outwards(surface, agree(surface));
  for (const std::uint8_t turned : surface.is_turned) surface.turned += turned;
  return surface;
}

}  // namespace sunder
