// Statistics of drying mud over seeds, beside what is published of real mud; the quick relaxation against the exact
// one; what a crack costs in meshes of different size.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/random.h"
#include "fracture/crack_statistics.h"
#include "mesh/boundary_surface.h"
#include "mesh/curvature.h"
#include "meshing/mesh_shape.h"
#include "solvers/surface_iben06/cracking.h"
#include "solvers/surface_iben06/stress_sources.h"

namespace sunder::surface_iben06 {
namespace {

// One side of a slab of one metre: points without a grid.
TriMesh sheet(double edge, std::uint64_t seed) {
  const TriangleMesh skin = boundary_surface(mesh_shape(SlabShape{Vec3(1, 1, 0.02)}, MeshOptions{edge, 1, seed}));
  std::vector<std::array<std::uint32_t, 3>> front;
  std::vector<Vec3> points;
  std::vector<std::uint32_t> number(skin.points.size(), 0xffffffffu);
  for (std::size_t t = 0; t < skin.triangles.size(); ++t) {
    if (skin.group_names[skin.groups[t]] != "front") continue;
    auto& corners = front.emplace_back();
    for (std::size_t k = 0; k < 3; ++k) {
      std::uint32_t& n = number[skin.triangles[t][k]];
      if (n == 0xffffffffu)
        n = static_cast<std::uint32_t>(points.size()), points.push_back(skin.points[skin.triangles[t][k]]);
      corners[k] = n;
    }
  }
  return TriMesh(points, front);
}

struct Mud {
  CrackStatistics net;
  std::size_t triangles = 0;
  std::uint64_t cracks = 0;
  double relaxations_per_crack = 0;
};

// Dried once, at a substrate of five edges, as a `coat` of mud does without further keys.
Mud dried(double edge, std::uint64_t seed, RelaxRules relax = {}) {
  const TriMesh mesh = sheet(edge, seed);
  Membrane membrane(mesh, {.length = 5 * edge}, node_normals(mesh));
  StressSources sources;
  sources.noise = 0.2, sources.noise_range = 3 * 5 * edge, sources.noise_seed = seed;
  const std::vector<Mat2> pattern = stress_pattern(membrane, sources);
  for (const TriangleId t : id_range<TriangleId>(mesh.triangle_count())) membrane.set_pattern(t, pattern[t.index]);
  membrane.continue_border();
  for (const NodeId n : id_range<NodeId>(mesh.node_count())) {
    membrane.joint(n).toughness = 1 + 0.0866 * (2 * random_unit(seed, n.index) - 1);
  }
  Cracking cracking(std::move(membrane), {}, relax);
  cracking.raise_to(0.8);
  const std::uint64_t before = cracking.relaxations();
  for (int i = 1; i <= 28; ++i) {
    while (cracking.crack()) {
    }
    cracking.raise_to(0.8 + 0.02 * i);
  }
  const TriMesh& cracked = cracking.membrane().mesh();
  std::vector<CrackSegment> segments;
  for (const TriangleId t : id_range<TriangleId>(cracked.triangle_count())) {
    for (int i = 0; i < 3; ++i) {
      if (cracked.neighbour({t, i}).valid()) continue;
      segments.push_back({cracked.position(cracked.clockwise_node({t, i})),
                          cracked.position(cracked.counter_clockwise_node({t, i})), cracked.crack({t, i}) == 0,
                          cracked.crack({t, i})});
    }
  }
  Mud mud;
  mud.net = crack_statistics(crack_graph(segments), 1.5 * edge, Vec3::UnitZ());
  mud.triangles = mesh.triangle_count();
  mud.cracks = cracking.counts().splits;
  mud.relaxations_per_crack = static_cast<double>(cracking.relaxations() - before) /
                              static_cast<double>(std::max<std::uint64_t>(1, mud.cracks));
  return mud;
}

void print_row(const char* what, const Mud& m) {
  const auto junctions = static_cast<double>(m.net.t_junctions + m.net.y_junctions + m.net.x_junctions);
  fmt::print("{:<22} {:>9} {:>5} {:>5.2f} {:>5.2f} {:>5.2f} {:>7.1f} {:>5.1f} {:>8.2f} {:>5}\n", what, m.triangles,
             m.net.cells, m.net.t_share(), static_cast<double>(m.net.y_junctions) / junctions,
             static_cast<double>(m.net.x_junctions) / junctions, m.net.t_angle, m.net.t_angle_spread, m.net.corners,
             m.net.dead_ends);
}
constexpr const char* kHeader =
    "run                    triangles cells     T     Y     X   angle   +/-  corners  ends\n";

TEST(Mud, LooksLikeMudInNumbersForFiveSeeds) {
  fmt::print("{}", kHeader);
  std::array<double, 6> directions = {};
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Mud mud = dried(0.0111, seed);
    print_row(fmt::format("seed {}", seed).c_str(), mud);
    EXPECT_GT(mud.net.t_share(), 0.7);
    EXPECT_GT(mud.net.t_angle, 85);
    EXPECT_LT(mud.net.t_angle, 98);
    EXPECT_GT(mud.net.corners, 3.8);
    EXPECT_LT(mud.net.corners, 4.6);
    fmt::print("  directions");
    for (std::size_t i = 0; i < 6; ++i) {
      fmt::print(" {:.3f}", mud.net.directions[i]);
      directions[i] += mud.net.directions[i] / 5;
    }
    fmt::print("\n");
    EXPECT_LT(mud.net.largest_direction(), 0.32);
  }
  // A street grid along the sides of the sheet has 0.3 to 0.4 in each of the outer bins.
  for (const double share : directions) EXPECT_NEAR(share, 1.0 / 6, 0.06);
  fmt::print("published: T-junctions prevail, angles near 90 degrees after one drying, about four corners a cell\n");
}

// Means over seeds, and the standard deviation that the scatter of the seeds gives the mean.
struct Sample {
  std::vector<double> values;
  double mean() const {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  }
  double deviation() const {
    double squares = 0;
    for (const double v : values) squares += (v - mean()) * (v - mean());
    const auto count = static_cast<double>(values.size());
    return std::sqrt(squares / (count - 1) / count);
  }
};

// gallery/count-cracks prints the same for larger sheets.
TEST(Mud, QuickAndExactRelaxationAgreeWithinTheScatterOfSeeds) {
  fmt::print("{}", kHeader);
  constexpr std::array names = {"cells", "T-share", "angle at T", "corners", "length"};
  std::array<std::array<Sample, names.size()>, 2> samples;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    for (const bool exact : {false, true}) {
      const Mud mud =
          dried(0.0224, seed, {.method = exact ? Relaxation::exact : Relaxation::local, .exact_tolerance = 1e-6});
      print_row(fmt::format("seed {} {}", seed, exact ? "exact" : "quick").c_str(), mud);
      const std::array<double, names.size()> values = {static_cast<double>(mud.net.cells), mud.net.t_share(),
                                                       mud.net.t_angle, mud.net.corners, mud.net.length};
      for (std::size_t i = 0; i < values.size(); ++i) samples[exact][i].values.push_back(values[i]);
    }
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Sample &quick = samples[0][i], &exact = samples[1][i];
    const double expected = std::hypot(quick.deviation(), exact.deviation());
    fmt::print("{:<10} quick {:.3f}, exact {:.3f}, difference {:+.1f} standard deviations\n", names[i], quick.mean(),
               exact.mean(), (quick.mean() - exact.mean()) / expected);
    EXPECT_NEAR(quick.mean(), exact.mean(), 3 * expected) << names[i];
    EXPECT_NEAR(quick.mean(), exact.mean(), 0.15 * exact.mean()) << names[i];
  }
}

TEST(Mud, CostOfACrackDoesNotGrowWithTheMesh) {
  const Mud small = dried(0.0224, 1), large = dried(0.0111, 1);
  print_row("small", small), print_row("large", large);
  fmt::print("relaxations of nodes per crack: {:.0f} and {:.0f}\n", small.relaxations_per_crack,
             large.relaxations_per_crack);
  EXPECT_LT(large.relaxations_per_crack, 1.5 * small.relaxations_per_crack);
}

}  // namespace
}  // namespace sunder::surface_iben06
