#include "meshing/ball_mesh.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/error.h"
#include "meshing/jitter.h"
#include "meshing/subdivided_ball.h"
#include "shapes/resolution.h"

namespace sunder {
namespace {

constexpr double kJitter = 0.15;                                // of the thickness of a shell
constexpr double kLeastDihedral = 25 * std::numbers::pi / 180;  // radians; 38 degrees and more without jitter
constexpr std::uint32_t kMostShells = 300;                      // 5.4e8 tets; ids have 32 bits

using Index = std::uint32_t;

// A regular icosahedron on the unit sphere: the corners are the cyclic permutations of (0, +-1, +-golden ratio), the
// faces all triples of corners at the distance of an edge.
Polyhedron icosahedron() {
  Polyhedron result;
  auto& [corners, faces] = result;
  corners.resize(12);
  const double g = std::numbers::phi, radius = std::sqrt(1 + g * g);
  std::size_t i = 0;
  for (int axis = 0; axis < 3; ++axis) {
    for (const double a : {-1.0, 1.0}) {
      for (const double b : {-g, g}) {
        Vec3& x = corners[i++];
        x[axis] = 0;
        x[(axis + 1) % 3] = a / radius;
        x[(axis + 2) % 3] = b / radius;
      }
    }
  }
  const double edge = 2 / radius;
  const auto near = [&x = corners, edge](Index a, Index b) { return (x[a] - x[b]).norm() < 1.1 * edge; };
  for (Index a = 0; a < 12; ++a) {
    for (Index b = a + 1; b < 12; ++b) {
      for (Index c = b + 1; c < 12; ++c) {
        if (near(a, b) && near(b, c) && near(c, a)) faces.push_back({a, b, c});
      }
    }
  }
  return result;
}

}  // namespace

TetSoup ball_mesh_of_shells(double radius, std::uint32_t shells, std::uint64_t seed) {
  TetSoup soup = subdivided_ball(icosahedron(), radius, shells);

  // The sphere keeps its points: moving them would change the shape.
  const double thickness = radius / shells;
  std::vector<Vec3> displacement(soup.points.size(), Vec3::Zero());
  for (std::size_t p = 0; p < soup.points.size(); ++p) {
    if (soup.points[p].norm() > radius - thickness / 2) continue;
    displacement[p] = kJitter * thickness * random_displacement(seed, p);
  }
  jitter_points(soup, displacement, kLeastDihedral);
  return soup;
}

TetSoup ball_mesh(double radius, double edge, std::uint64_t seed) {
  const double shells = ball_shells(radius, edge);
  if (!(shells <= kMostShells)) {
    throw InputError({},
                     fmt::format("an edge of {:g} m cuts the ball of radius {:g} m into {:g} tets", edge, radius,
                                 20 * shells * shells * shells),
                     "Use a longer edge.");
  }
  return ball_mesh_of_shells(radius, static_cast<std::uint32_t>(shells), seed);
}

}  // namespace sunder
