// Lattices (solver lattice_norton91): bond-steps a second against what one would write first, in the same run and
// taking turns, and what finding contacts costs a node up to a million nodes. One thread.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "core/parallel.h"
#include "solvers/lattice_norton91/lattice_testing.h"

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

void print_steps() {
  fmt::print("| nodes | bonds | bond-steps a second | naive |\n|---|---|---|---|\n");
  for (const std::size_t side : {14u, 46u, 99u}) {
    LatticeSolver solver(floating(body_of(grid(side, side, side, 0.01))));
    NaiveLattice naive(solver.lattice());
    const auto bonds = static_cast<double>(solver.lattice().bond_count());
    const int steps = std::max(2, static_cast<int>(1e7 / bonds));
    const double dt = solver.stable_dt();
    double ours = 1e300, theirs = 1e300;
    constexpr int kRounds = 5;
    for (int round = 0; round < kRounds; ++round) {
      ours = std::min(ours, seconds([&] {
                        for (int i = 0; i < steps; ++i) solver.step(dt);
                      }));
      theirs = std::min(theirs, seconds([&] {
                          for (int i = 0; i < steps; ++i) naive.step(dt);
                        }));
    }
    fmt::print("| {} | {} | {:.3g} | {:.3g} |\n", solver.lattice().node_count(), solver.lattice().bond_count(),
               bonds * steps / ours, bonds * steps / theirs);
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
    NodeGrid near;
    std::size_t pairs = 0;
    double best = 1e300;
    for (int round = 0; round < 3; ++round) {
      best = std::min(best, seconds([&] { pairs = near.find(x, radius, component, 0.003, false).size(); }));
    }
    fmt::print("| {} | {} | {:.0f} |\n", x.size(), pairs, 1e9 * best / static_cast<double>(x.size()));
  }
}

}  // namespace
}  // namespace sunder::bench

int main() {
  sunder::Threads(1).run([] {
    sunder::bench::print_steps();
    sunder::bench::print_contacts();
  });
  return 0;
}
