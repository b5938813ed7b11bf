#include "meshing/jitter.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/check.h"
#include "core/random.h"
#include "geometry/tetrahedron.h"

namespace sunder {
namespace {

TetCorners corners(const TetSoup& soup, std::size_t tet) {
  const auto& c = soup.tets[tet];
  return {soup.points[c[0]], soup.points[c[1]], soup.points[c[2]], soup.points[c[3]]};
}

}  // namespace

void jitter_points(TetSoup& soup, std::span<const Vec3> displacement, double floor) {
  SUNDER_CHECK(displacement.size() == soup.points.size(), "one displacement for each point is needed");
  constexpr double most_loss = 0.8;  // of the angle of a tet that is near the floor from the start
  constexpr double damping = 0.7;
  constexpr int patience = 12;  // rounds after which a point that still spoils a tet goes back to where it was

  std::vector<double> least_angle(soup.tets.size());
  for (std::size_t t = 0; t < soup.tets.size(); ++t) {
    least_angle[t] = std::min(floor, most_loss * smallest_dihedral_angle(corners(soup, t)));
  }
  const std::vector<Vec3> original = soup.points;
  std::vector<double> strength(original.size(), 1);
  std::vector<std::uint8_t> moved(original.size(), 1), spoils(original.size(), 0);
  for (std::size_t p = 0; p < original.size(); ++p) soup.points[p] = original[p] + displacement[p];

  // Ends, because a tet with all corners back in place is as good as it was.
  for (int round = 0;; ++round) {
    bool any = false;
    for (std::size_t t = 0; t < soup.tets.size(); ++t) {
      const auto& c = soup.tets[t];
      if (moved[c[0]] + moved[c[1]] + moved[c[2]] + moved[c[3]] == 0) continue;
      const TetCorners x = corners(soup, t);
      if (signed_volume(x) > 0 && smallest_dihedral_angle(x) >= least_angle[t]) continue;
      for (const std::uint32_t p : c) spoils[p] = 1;
      any = true;
    }
    if (!any) return;
    for (std::size_t p = 0; p < original.size(); ++p) {
      if (spoils[p] != 0) {
        strength[p] = round < patience ? damping * strength[p] : 0;
        soup.points[p] = original[p] + strength[p] * displacement[p];
      }
      moved[p] = spoils[p];
      spoils[p] = 0;
    }
  }
}

Vec3 random_displacement(std::uint64_t seed, std::uint64_t point) {
  return {2 * random_unit(seed, point, 0) - 1, 2 * random_unit(seed, point, 1) - 1,
          2 * random_unit(seed, point, 2) - 1};
}

}  // namespace sunder
