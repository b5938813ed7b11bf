#include "meshing/capsule_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/random.h"
#include "geometry/tetrahedron.h"
#include "meshing/jitter.h"
#include "meshing/prism_cut.h"
#include "meshing/subdivided_ball.h"
#include "shapes/resolution.h"

namespace sunder {
namespace {

using Index = std::uint32_t;

constexpr double kJitter = 0.12;  // of the thickness of a shell
constexpr double kLeastDihedral = 20 * std::numbers::pi / 180;

// The upper half of an octahedron: x, y, z, -x, -z.
Polyhedron half_octahedron() {
  return {{Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ(), -Vec3::UnitX(), -Vec3::UnitZ()},
          {{0, 1, 2}, {1, 2, 3}, {1, 3, 4}, {0, 1, 4}}};
}

// Triangles of the half ball in the plane y = 0, counter-clockwise seen from above.
std::vector<std::array<Index, 3>> base_of(const TetSoup& half) {
  std::vector<std::array<Index, 3>> base;
  for (const auto& tet : half.tets) {
    for (const auto& face : kTetFaces) {
      const std::array<Index, 3> t = {tet[static_cast<std::size_t>(face[0])], tet[static_cast<std::size_t>(face[1])],
                                      tet[static_cast<std::size_t>(face[2])]};
      const bool flat = std::all_of(t.begin(), t.end(), [&](Index p) { return half.points[p].y() == 0; });
      if (flat) base.push_back({t[0], t[2], t[1]});  // faces look outwards, here down
    }
  }
  return base;
}

}  // namespace

TetSoup capsule_mesh(const CapsuleShape& capsule, double edge, std::uint64_t seed) {
  const auto [shell_count, layer_count] = capsule_resolution(capsule, edge);
  const double tets = estimated_tets(capsule, edge);
  if (!(tets < 5e8)) {
    throw InputError({}, fmt::format("an edge of {:g} m cuts the capsule into {:g} tets", edge, tets),
                     "Use a longer edge.");
  }
  const auto shells = static_cast<Index>(shell_count), layers = static_cast<Index>(layer_count);
  const TetSoup half = subdivided_ball(half_octahedron(), capsule.radius, shells);
  const double between = capsule.height - 2 * capsule.radius;
  const auto count = static_cast<Index>(half.points.size());

  TetSoup soup;
  for (const Vec3& p : half.points) soup.points.emplace_back(p + Vec3(0, between / 2, 0));
  for (const Vec3& p : half.points) soup.points.emplace_back(p.x(), -p.y() - between / 2, p.z());
  soup.tets = half.tets;
  for (const auto& [a, b, c, d] : half.tets) soup.tets.push_back({count + a, count + b, count + d, count + c});

  // Prisms between the two bases, from below upwards.
  std::map<std::pair<Index, Index>, Index> inner;
  const auto node = [&](Index p, Index level) {
    if (level == 0) return count + p;
    if (level == layers) return p;
    const auto [found, fresh] = inner.try_emplace({level, p}, static_cast<Index>(soup.points.size()));
    if (fresh) {
      const double y = between * (static_cast<double>(level) / layers - 0.5);
      soup.points.emplace_back(half.points[p].x(), y, half.points[p].z());
    }
    return found->second;
  };
  const auto base = base_of(half);
  for (Index layer = 0; layer < layers; ++layer) {
    const auto rank = [&](Index p) { return std::pair(random_bits(seed, p, layer), p); };
    for (const auto& triangle : base) {
      for (const auto& cut : cut_prism(triangle, rank)) {
        std::array<Index, 4> tet;
        for (std::size_t i = 0; i < 4; ++i) tet[i] = node(cut[i].vertex, layer + (cut[i].high ? 1u : 0u));
        soup.tets.push_back(tet);
      }
    }
  }

  std::vector<Vec3> displacement(soup.points.size(), Vec3::Zero());
  const double thickness = capsule.radius / shells;
  for (std::size_t p = 0; p < soup.points.size(); ++p) {
    const Vec3& x = soup.points[p];
    const double beyond = std::max(0.0, std::abs(x.y()) - between / 2);
    if (Vec3(x.x(), beyond, x.z()).norm() > capsule.radius - thickness / 2) continue;  // the surface stays
    displacement[p] = kJitter * thickness * random_displacement(seed, p);
  }
  jitter_points(soup, displacement, kLeastDihedral);
  return soup;
}

}  // namespace sunder
