// What fracture costs: the check while nothing is near breaking, and a split with all the upkeep that follows it.
//   sunder_fracture_bench            prints two tables
//   sunder_fracture_bench check      only that of the check
//   sunder_fracture_bench splits     only that of the splits
//   sunder_fracture_bench running 1e6    only splits of running cracks in so many tets
//
// Processor time, not wall time, and medians of interleaved rounds: other programs may run beside it.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "bench/bodies.h"
#include "collision/body_contacts.h"
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

// A body under stress that varies from place to place, and whose nodes bear so much.
TetSetup stressed(const TetSoup& soup, double toughness) {
  TetSetup setup = bench_setup(soup, {});
  for (Vec3& x : setup.state.position) x += 0.002 * Vec3(std::sin(5 * x.y()), std::sin(7 * x.z()), std::sin(6 * x.x()));
  if (toughness > 0) setup.toughness = {{.base = {.value = toughness}}};
  setup.parameters.contact.on = false;  // a step of forces, and no more
  return setup;
}

int steps_a_round(const TetSoup& soup) {
  return std::max(3, static_cast<int>(4e6 / static_cast<double>(soup.tets.size())));
}

// Shares of the nodes that a step with the check flags and looks at more closely, in the mean of a round, and whether
// any breaks.
struct Candidates {
  double share, looked_at;
  bool broke;
};

Candidates candidates(const TetSoup& soup, double toughness) {
  TetSolver solver(stressed(soup, toughness));
  const int steps = steps_a_round(soup);
  double flagged = 0, looked_at = 0;
  for (int i = 0; i < steps; ++i) {
    solver.step(kDt);
    if (solver.fracture().counts().splits > 0) return {1, 1, true};
    flagged += static_cast<double>(solver.fracture().flagged());
    looked_at += static_cast<double>(solver.fracture().candidates());
  }
  const double all = steps * static_cast<double>(solver.mesh().node_count());
  return {flagged / all, looked_at / all, false};
}

// The toughness at which about one node in a hundred is looked at. It is a force: a guess goes with the square of the
// edge.
double toughness_for_one_percent(const TetSoup& soup) {
  double factor = 4, toughness = 1e4 * std::pow(static_cast<double>(soup.tets.size()), -2.0 / 3);
  bool was_above = false;
  for (int tries = 0; tries < 30; ++tries) {
    const double share = candidates(soup, toughness).share;
    if (share > 0.009 && share < 0.011) break;
    const bool above = share > 0.01;
    if (tries > 0 && above != was_above) factor = std::sqrt(factor);
    was_above = above;
    toughness *= above ? factor : 1 / factor;
  }
  return toughness;
}

// A step with the check over one without.
double cost_of_check(const TetSoup& soup, double toughness) {
  const int steps = steps_a_round(soup);
  const auto seconds = [&](double of) {
    TetSolver solver(stressed(soup, of));
    solver.step(kDt);  // touches all memory for the first time
    const double start = processor_seconds();
    for (int i = 0; i < steps; ++i) solver.step(kDt);
    return processor_seconds() - start;
  };
  std::vector<double> ratios;
  for (int round = 0; round < kRounds; ++round) {
    const double plain = seconds(0);
    ratios.push_back(seconds(toughness) / plain);
  }
  return median(ratios);
}

struct SplitCost {
  double per_second = 0, tets_made = 0;
};

// A body, with all that must follow its splits; forces could be found after each.
class Splitting {
 public:
  explicit Splitting(double tets)
      : setup_(bench_setup(renumbered(bench_soup(tets, false)), {})),
        elements_(element_constants(mesh_, setup_.materials, {})),
        forces_(mesh_, setup_.materials, elements_),
        upkeep_(setup_.materials, {}),
        reference_(reference_lengths(mesh_)) {
    masses_.mass = lumped_masses(mesh_, setup_.materials);
    masses_.inverse.resize(masses_.mass.size());
    contacts_.set_surface(boundary_nodes(boundary_faces(mesh_)), node_stiffness(mesh_, setup_.materials, elements_),
                          masses_.mass);
    regions_.bind(mesh_);
    fragments_.update(mesh_);
  }

  // Cracks that run: the next split is at a tip of the last one, by nearly the same plane; where there is none, or it
  // refuses, a new crack starts anywhere. `anywhere`: every split starts a new crack.
  [[gnu::noinline]] SplitCost run(  // a name for profilers
      std::size_t splits, bool anywhere) {
    SplitCost cost;
    std::size_t done = 0;
    std::vector<NodeId> tips;
    Vec3 plane = Vec3::UnitX();
    const double start = processor_seconds();
    for (std::uint64_t i = 0; done < splits; ++i) {
      const Vec3 random(random_unit(2, i) - 0.5, random_unit(3, i) - 0.5, random_unit(4, i) - 0.5);
      NodeId node;
      if (anywhere || tips.empty()) {
        node = NodeId(static_cast<std::size_t>(random_unit(1, i) * static_cast<double>(mesh_.node_slots())));
        plane = random;
      } else {
        node = tips.back(), tips.pop_back();
        plane += 0.1 * random;
      }
      const SplitResult* result = split(node, plane);
      if (result == nullptr) continue;
      ++done;
      cost.tets_made += static_cast<double>(result->added.size());
      for (const NodeId tip : result->tips) tips.push_back(tip);
      if (tips.size() > kLongestCrack) tips.clear();
    }
    cost.per_second = static_cast<double>(done) / (processor_seconds() - start);
    cost.tets_made /= static_cast<double>(done);
    return cost;
  }

 private:
  static constexpr std::size_t kLongestCrack = 200;  // tips; then another one starts

  // Null if it was refused.
  const SplitResult* split(NodeId node, const Vec3& normal) {
    const SplitResult& result = splitter_.split(mesh_, node, normal, setup_.state.position, reference_);
    if (!result.done()) return nullptr;
    upkeep_.after_split(
        result, {mesh_, setup_.state, elements_, masses_, contacts_, bodies_, regions_, fragments_, shedding_, dust_});
    forces_.update();
    return &result;
  }

  TetSetup setup_;
  TetMesh& mesh_ = setup_.mesh;
  ElementConstants elements_;
  FastForces forces_;
  NodeMasses masses_;
  ColliderContacts contacts_{{Collider{}}};
  BodyContacts bodies_{{}, 1};
  Regions regions_{{}};
  FragmentTracker fragments_;
  DustShedding shedding_{{}, setup_.materials, mesh_};  // nobody sheds anything
  Dust dust_{0};
  ElementUpkeep upkeep_;
  Column<TetId, double> reference_;
  NodeSplitter splitter_;
};

// As many splits as about double the tets: arrays double their room when they grow, which must not count for few. Each
// round cracks a new body; small ones last some hundredths of a second, so there are more rounds of them.
SplitCost cost_of_splits(double tets, bool anywhere) {
  const auto splits = static_cast<std::size_t>(std::max(3000.0, tets / 8));
  std::vector<double> per_second;
  SplitCost cost;
  for (int round = 0; round < (tets > 5e5 ? 3 : kRounds); ++round) {
    cost = Splitting(tets).run(splits, anywhere);
    per_second.push_back(cost.per_second);
  }
  cost.per_second = median(per_second);
  return cost;
}

void print_check() {
  fmt::print(
      "A step with the check over one without:\n\n"
      "| tets | nothing near breaking | candidates | of them looked at closely | with them |\n|---|---|---|---|---|\n");
  for (const double tets : {8e3, 1e5, 1e6}) {
    const TetSoup soup = renumbered(bench_soup(tets, false));
    fmt::print("| {:.0f} | {:.3f} |", tets, cost_of_check(soup, 1e9));
    if (tets > 2e5) {  // the search would take minutes
      fmt::print(" | | |\n");
      continue;
    }
    const double near = toughness_for_one_percent(soup);
    const Candidates found = candidates(soup, near);
    fmt::print(" {:.2f} %{} | {:.1f} % | {:.3f} |\n", 100 * found.share, found.broke ? " (and some break)" : "",
               100 * found.looked_at / found.share, cost_of_check(soup, near));
    std::fflush(stdout);
  }
}

void print_splits() {
  fmt::print(
      "\nSplits a second, all upkeep included:\n\n"
      "| tets | of running cracks | tets made by each | anywhere | tets made by each |\n|---|---|---|---|---|\n");
  for (const double tets : {8e3, 1e5, 1e6}) {
    const SplitCost running = cost_of_splits(tets, false), anywhere = cost_of_splits(tets, true);
    fmt::print("| {:.0f} | {:.0f} | {:.1f} | {:.0f} | {:.1f} |\n", tets, running.per_second, running.tets_made,
               anywhere.per_second, anywhere.tets_made);
    std::fflush(stdout);
  }
}

// For profilers, and to compare programs.
void print_running(double tets) { fmt::print("{:.0f}\n", cost_of_splits(tets, false).per_second); }

}  // namespace
}  // namespace sunder::bench

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  sunder::Threads(1).run([&] {
    if (what.empty() || what == "check") sunder::bench::print_check();
    if (what.empty() || what == "splits") sunder::bench::print_splits();
    if (what == "running" && argc > 2) sunder::bench::print_running(std::atof(argv[2]));
  });
}
