// Lattices (solver lattice_norton91): bond-steps a second against the machine's limits and against what one would write
// first, in the same run and taking turns; what finding contacts costs a node up to a million nodes; what a step costs
// while all sleep; how long the falling teapot takes.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <numeric>
#include <stdexcept>
#include <string_view>

#include "bench/machine_limits.h"
#include "core/parallel.h"
#include "scene/read_scene.h"
#include "sim/build.h"
#include "sim/gallery.h"
#include "solvers/lattice_norton91/lattice_testing.h"
#include "solvers/simd_target.h"

namespace sunder::bench {
namespace {

using namespace lattice_norton91;

// Seconds that `work` takes.
template <class Work>
double seconds(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The same of all processors together: what others on the machine do counts less.
template <class Work>
double processor_seconds(const Work& work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

// Array of structs, forces added bond by bond: the paper as one would type it in.
class NaiveLattice {
 public:
  explicit NaiveLattice(const Lattice& lattice) {
    for (const NodeId n : id_range<NodeId>(lattice.node_count())) {
      nodes_.push_back({lattice.rest[n], Vec3::Zero(), Vec3::Zero(), lattice.mass[n]});
    }
    for (std::size_t b = 0; b < lattice.bond_count(); ++b) {
      bonds_.push_back({lattice.ends[b][0], lattice.ends[b][1], lattice.length[b], lattice.stiffness[b], 0,
                        lattice.threshold[b], false});
    }
  }

  void step(double dt) {
    for (Node& node : nodes_) node.force = Vec3::Zero();
    for (Bond& bond : bonds_) {
      if (bond.broken) continue;
      Node &a = nodes_[bond.a], &b = nodes_[bond.b];
      const Vec3 d = b.position - a.position;
      const double length = d.norm();
      const Vec3 n = d / length;
      const double rate = (b.velocity - a.velocity).dot(n);
      const Vec3 pull = (bond.stiffness * (length - bond.length) + bond.damping * rate) * n;
      a.force += pull;
      b.force -= pull;
      if (length > (1 + bond.threshold) * bond.length) bond.broken = true;
    }
    for (Node& node : nodes_) {
      node.velocity += dt * node.force / node.mass;
      node.position += dt * node.velocity;
    }
  }

 private:
  struct Node {
    Vec3 position, velocity, force;
    double mass;
  };
  struct Bond {
    Index a, b;
    double length, stiffness, damping, threshold;
    bool broken;
  };
  std::vector<Node> nodes_;
  std::vector<Bond> bonds_;
};

// Of one bond in the kernel (bond_kernel-inl.h): both vectors 6, both products 10, length and its inverse 3, the pull
// 10, its limit 1, forces and damping at both ends 24.
constexpr double kFlop = 54;

// Bytes that a step moves between processor and memory if no cache holds them till the next: constants of bonds,
// motion and forces of slots, forces of nodes.
double bytes_of_step(const BondRows& rows, double nodes) {
  const double entries = static_cast<double>(rows.lanes.size()), slots = static_cast<double>(rows.slot_count);
  return entries * (sizeof(BondLanes) + sizeof(Index) + 1) + slots * (48 + 2 * 48) + nodes * (2 * 48);
}

void print_steps() {
  const double peak = multiply_add_peak(0.3), bandwidth = std::max(triad_bandwidth(), triad_bandwidth());
  fmt::print("{}; {:.0f} Gflop/s of multiply-adds, {:.1f} GB/s from memory; one thread\n\n", simd_target(), peak / 1e9,
             bandwidth / 1e9);
  fmt::print("| nodes | bonds | bonds only | share of the peak | of the bandwidth | whole steps | naive | over it |\n");
  fmt::print("|---|---|---|---|---|---|---|---|\n");
  for (const std::size_t side : {14u, 46u, 99u}) {
    LatticeSolver solver(floating(body_of(grid(side, side, side, 0.01))));
    const Lattice& lattice = solver.lattice();
    NaiveLattice naive(lattice);
    BondForces forces(lattice, {1e-4});
    Column<NodeId, Vec3> force = lattice.rest, damping = lattice.rest;
    const auto bonds = static_cast<double>(lattice.bond_count());
    const int steps = std::max(2, static_cast<int>(3e7 / bonds));
    const double dt = solver.stable_dt();
    double kernel = 1e300, ours = 1e300, theirs = 1e300;
    constexpr int kRounds = 7;
    for (int round = 0; round < kRounds; ++round) {
      kernel = std::min(kernel, seconds([&] {
                          for (int i = 0; i < steps; ++i) {
                            forces.evaluate(lattice, solver.position(), solver.velocity(), {}, force, damping);
                          }
                        }));
      ours = std::min(ours, seconds([&] {
                        for (int i = 0; i < steps; ++i) solver.step(dt);
                      }));
      theirs = std::min(theirs, seconds([&] {
                          for (int i = 0; i < steps; ++i) naive.step(dt);
                        }));
    }
    const double rate = bonds * steps / kernel;
    const double bytes = bytes_of_step(forces.rows(), static_cast<double>(lattice.node_count()));
    fmt::print("| {} | {} | {:.3g} | {:.0f} % | {:.0f} % | {:.3g} | {:.3g} | {:.1f} |\n", lattice.node_count(),
               lattice.bond_count(), rate, 100 * rate * kFlop / peak, 100 * bytes * steps / kernel / bandwidth,
               bonds * steps / ours, bonds * steps / theirs, theirs / ours);
    std::fflush(stdout);
  }
}

void print_contacts() {
  fmt::print("\n| nodes | pairs | ns a node to find them |\n|---|---|---|\n");
  for (const std::size_t side : {20u, 46u, 99u}) {
    const HexSoup soup = grid(side, side, side, 0.01);
    Column<NodeId, Vec3> x;
    std::vector<double> radius(soup.points.size(), 0.005);
    std::vector<std::uint32_t> component;
    for (const Vec3& p : soup.points) {  // slices of ten cells
      x.push_back(p);
      component.push_back(1 + static_cast<std::uint32_t>(p.x() / 0.1 + 1e-6));
    }
    std::vector<Index> nodes(x.size());
    std::iota(nodes.begin(), nodes.end(), Index{0});
    NodeGrid near;
    std::size_t pairs = 0;
    double best = 1e300;
    for (int round = 0; round < 3; ++round) {
      best = std::min(best, seconds([&] { pairs = near.find(x, nodes, radius, component, 0.003, false).size(); }));
    }
    fmt::print("| {} | {} | {:.0f} |\n", x.size(), pairs, 1e9 * best / static_cast<double>(x.size()));
  }
}

// Cubes of ten cells' edge that lie on the ground, in twos one on the other: a step while they are awake, and asleep.
void print_sleep() {
  fmt::print("\n| cubes | nodes | awake, us a step | asleep, us a step | % |\n|---|---|---|---|---|\n");
  for (const int cubes : {2, 8, 32}) {
    LatticeSetup setup;
    for (int i = 0; i < cubes; ++i) {
      LatticeBody body = body_of(grid(10, 10, 10, 0.02));
      for (Vec3& p : body.cells.points) p += Vec3(0.3 * (i / 2), i % 2 == 0 ? 0.0 : 0.22, 0);
      body.material.young = 1e7, body.material.damping = 0.3;
      setup.bodies.push_back(std::move(body));
    }
    Collider ground;
    ground.shape = GroundCollider{}, ground.damping = 0.5;
    setup.colliders.push_back(ground);
    LatticeSolver solver(setup);
    constexpr int kSteps = 200;
    const auto step_time = [&] {
      return 1e6 / kSteps * processor_seconds([&] {
               for (int i = 0; i < kSteps; ++i) solver.step(solver.stable_dt());
             });
    };
    const double awake = step_time();
    for (double time = 0; time < 5 && solver.sleep().sleeping() < solver.lattice().node_count();) {
      time += solver.step(solver.stable_dt()).dt;
    }
    const bool all = solver.sleep().sleeping() == solver.lattice().node_count();
    const double asleep = all ? step_time() : awake;
    fmt::print("| {} | {} | {:.0f} | {:.1f} | {:.2f} |\n", cubes, solver.lattice().node_count(), awake, asleep,
               100 * asleep / awake);
    std::fflush(stdout);
  }
}

// Shares of the nodes that fly and that sleep, and seconds per simulated second, over a stretch of time.
struct Stretch {
  double end = 0;  // s, of simulated time
  double steps = 0, flying = 0, sleeping = 0, taken = 0;
};

// The scene teapot-drop to its end and on until most lies still, with all that a step does: moved bond by bond, with
// pieces in free flight as rigid bodies, and with those at rest asleep.
void print_teapot() {
  const GalleryScene* gallery = find_gallery_scene("teapot-drop");
  if (gallery == nullptr) throw std::runtime_error("the gallery has no teapot-drop");
  fmt::print(
      "\n| threads | flight and sleep | pieces in the end | steps | processor seconds for a simulated second | ");
  fmt::print(
      "until 0.05 s | to 0.2 | to 0.7 | to 1.5 | to 2.5 | nodes that fly then | that sleep |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (const int threads : {1}) {
    for (const char* how : {"bond by bond", "flight", "flight and sleep"}) {
      Scene scene = read_scene({gallery->text, "teapot-drop.toml", {}, "teapot-drop"}, {});
      scene.lattices.flight = how[0] == 'f';
      scene.contact.sleep.on = std::string_view(how) == "flight and sleep";
      Threads(threads).run([&] {
        const BuiltRun run = build_run(scene);
        LatticeSolver& solver = *run.lattice;
        double time = 0, taken = 0, steps = 0;
        std::array<Stretch, 5> stretches = {Stretch{0.05}, {0.2}, {0.7}, {1.5}, {2.5}};
        for (Stretch& stretch : stretches) {
          const double begin = time;
          stretch.taken = processor_seconds([&] {
            for (; time < stretch.end; ++stretch.steps) {
              time += solver.step(solver.stable_dt()).dt;
              const std::size_t nodes = solver.lattice().node_count();
              stretch.flying += static_cast<double>(nodes - solver.idle().grounded().size());
              stretch.sleeping += static_cast<double>(solver.sleep().sleeping());
            }
          });
          taken += stretch.taken, steps += stretch.steps;
          stretch.taken /= time - begin;
          const double all = stretch.steps * static_cast<double>(solver.lattice().node_count());
          stretch.flying *= 100 / all, stretch.sleeping *= 100 / all;
        }
        fmt::print("| {} | {} | {} | {:.0f} | {:.1f} | ", threads, how, solver.components().count(), steps,
                   taken / time);
        for (const Stretch& s : stretches) fmt::print("{:.1f} | ", s.taken);
        for (const auto share : {&Stretch::flying, &Stretch::sleeping}) {
          for (const Stretch& s : stretches) fmt::print("{:.0f}{}", s.*share, &s == &stretches.back() ? " % | " : ", ");
        }
        fmt::print("\n");
        std::fflush(stdout);
      });
    }
  }
}

}  // namespace
}  // namespace sunder::bench

int main(int argc, char** argv) {
  const std::string_view only = argc > 1 ? argv[1] : "";  // teapot, sleep, or nothing: all
  sunder::Threads(1).run([&] {
    if (only.empty()) {
      sunder::bench::print_steps();
      sunder::bench::print_contacts();
    }
    if (only != "teapot") sunder::bench::print_sleep();
  });
  if (only != "sleep") sunder::bench::print_teapot();
  return 0;
}
