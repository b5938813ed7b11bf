// What fracture costs: the check while nothing is near breaking, and a split with all the upkeep that follows it.
//   sunder_fracture_bench            prints a table
//
// Processor time, not wall time, and medians of interleaved rounds: other programs may run beside it.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <vector>

#include "bench/bodies.h"
#include "core/parallel.h"
#include "core/random.h"
#include "mesh/boundary.h"
#include "meshing/renumber.h"
#include "solvers/tet_oh99/element_upkeep.h"
#include "solvers/tet_oh99/fast_forces.h"

namespace sunder::bench {
namespace {

using namespace tet_oh99;

constexpr int kRounds = 9;
constexpr double kDt = 1e-6;  // s

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// A step with the check over one without.
double cost_of_check(double tets) {
  const TetSoup soup = renumbered(bench_soup(tets, false));
  TetSetup calm = bench_setup(soup, {}), watched = bench_setup(soup, {});
  watched.toughness = {{.value = 1e9}};
  TetSolver without(std::move(calm)), with(std::move(watched));
  const int steps = std::max(3, static_cast<int>(4e6 / tets));
  const auto seconds = [&](TetSolver& solver) {
    const double start = processor_seconds();
    for (int i = 0; i < steps; ++i) solver.step(kDt);
    return processor_seconds() - start;
  };
  std::vector<double> ratios;
  for (int round = 0; round < kRounds; ++round) {
    const double plain = seconds(without);
    ratios.push_back(seconds(with) / plain);
  }
  return median(ratios);
}

struct SplitCost {
  double per_second = 0, tets_made = 0;
};

// Random nodes, random planes, one after the other; forces could be found after each.
SplitCost splits_per_second(double tets) {
  const TetSoup soup = renumbered(bench_soup(tets, false));
  TetSetup setup = bench_setup(soup, {});
  TetMesh& mesh = setup.mesh;
  ElementConstants elements = element_constants(mesh, setup.materials, {});
  FastForces forces(mesh, setup.materials, elements);
  NodeMasses masses{lumped_masses(mesh, setup.materials), {}};
  masses.inverse.resize(masses.mass.size());
  ColliderContacts contacts({Collider{}});
  contacts.set_surface(boundary_nodes(boundary_faces(mesh)), node_stiffness(mesh, setup.materials, elements),
                       masses.mass);
  Regions regions({});
  regions.bind(mesh);
  FragmentTracker fragments;
  fragments.update(mesh);
  const ElementUpkeep upkeep(setup.materials, {});
  const ElementUpkeep::Data data{mesh, setup.state, elements, masses, contacts, regions, fragments};
  Column<TetId, double> reference = reference_lengths(mesh);
  NodeSplitter splitter;
  std::vector<NodeId> touched;

  SplitCost cost;
  int done = 0;
  const double start = processor_seconds();
  for (std::uint64_t i = 0; done < 3000; ++i) {
    const NodeId node(static_cast<std::size_t>(random_unit(1, i) * static_cast<double>(mesh.node_slots())));
    const Vec3 normal(random_unit(2, i) - 0.5, random_unit(3, i) - 0.5, random_unit(4, i) - 0.5);
    const Journal::Mark before = mesh.journal().now();
    const SplitResult& result = splitter.split(mesh, node, normal, setup.state.position, reference);
    if (!result.done()) continue;
    ++done;
    cost.tets_made += static_cast<double>(result.added.size());
    touched.clear();
    for (const Edit& edit : mesh.journal().since(before)) {
      if (edit.kind != Edit::Kind::tet_added && edit.kind != Edit::Kind::tet_changed) continue;
      if (!mesh.alive(edit.tet())) continue;
      for (const NodeId n : mesh.corners(edit.tet())) touched.push_back(n);
    }
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    upkeep.after_split(result, touched, data);
    forces.update();
  }
  cost.per_second = done / (processor_seconds() - start);
  cost.tets_made /= done;
  return cost;
}

void print_table() {
  fmt::print("| tets | step with the check / without | splits a second | tets made a split |\n|---|---|---|---|\n");
  for (const double tets : {8e3, 1e5, 1e6}) {
    const SplitCost cost = splits_per_second(tets);
    fmt::print("| {:.0f} | {:.3f} | {:.0f} | {:.1f} |\n", tets, cost_of_check(tets), cost.per_second, cost.tets_made);
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace sunder::bench

int main() {
  sunder::Threads one(1);
  one.run([] { sunder::bench::print_table(); });
}
