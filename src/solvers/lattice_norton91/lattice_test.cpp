#include "solvers/lattice_norton91/lattice.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>

#include "core/dice_testing.h"
#include "core/disjoint_sets.h"
#include "core/error.h"
#include "meshing/lattice_cells.h"
#include "meshing/lattice_glue.h"
#include "solvers/lattice_norton91/fastest_vibration.h"
#include "solvers/lattice_norton91/lattice_testing.h"
#include "solvers/lattice_norton91/node_grid.h"

namespace sunder::lattice_norton91 {
namespace {

// J, of small displacements.
template <class Displacement>
double energy_of(const Lattice& lattice, const Displacement& displacement) {
  double sum = 0;
  for (std::size_t b = 0; b < lattice.bond_count(); ++b) {
    const Vec3 &x = lattice.rest[NodeId(lattice.ends[b][0])], &y = lattice.rest[NodeId(lattice.ends[b][1])];
    const double stretch = (y - x).normalized().dot(displacement(y) - displacement(x));
    sum += 0.5 * lattice.stiffness[b] * stretch * stretch;
  }
  return sum;
}

TEST(Lattice, UniformStrainHasTheEnergyOfTheContinuum) {
  Dice dice(2);
  for (const BondPattern pattern :
       {BondPattern::edges_body, BondPattern::edges_face, BondPattern::edges_faces, BondPattern::full}) {
    const LatticeBody body = body_of(grid(4, 2, 2, 0.1), pattern);
    const Lattice lattice = make_lattice(std::span(&body, 1));
    for (int trial = 0; trial < 5; ++trial) {
      const Mat3 m = dice.matrix(-1, 1), e = 0.5e-3 * (m + m.transpose());
      const double lambda = 0.4 * 1e6, mu = 0.4 * 1e6;  // E = 1e6, nu = 1/4
      const double density = 0.5 * lambda * e.trace() * e.trace() + mu * e.squaredNorm();
      EXPECT_NEAR(energy_of(lattice, [&](const Vec3& x) { return Vec3(e * x); }) / (density * 16 * 1e-3), 1, 1e-4);
    }
  }
}

// A plate of one layer, twisted: its middle becomes z = kappa x y.
TEST(Lattice, EdgesAndBodyDiagonalsLeaveAPlateOfOneLayerWithoutStiffnessAgainstTwist) {
  constexpr double kCell = 0.1, kKappa = 1e-3;
  const auto twist = [&](const Vec3& x) {
    const double z = x.z() - kCell / 2;
    return Vec3(kKappa * Vec3(-z * x.y(), -z * x.x(), x.x() * x.y()));
  };
  const auto energy = [&](BondPattern pattern) {
    const LatticeBody body = body_of(grid(6, 5, 1, kCell), pattern);
    return energy_of(make_lattice(std::span(&body, 1)), twist);
  };
  // of a thin plate: 1/2 of its area times G h^3 / 3 kappa^2, G = 2/5 E
  const double plate = 0.5 * 30 * kCell * kCell * 0.4e6 * std::pow(kCell, 3) / 3 * kKappa * kKappa;
  EXPECT_LT(energy(BondPattern::edges_body), 1e-12 * plate);
  for (const BondPattern pattern : {BondPattern::edges_face, BondPattern::edges_faces, BondPattern::full}) {
    EXPECT_GT(energy(pattern), plate);
    EXPECT_LT(energy(pattern), 3.5 * plate);
  }
}

TEST(Lattice, MassIsDensityTimesVolume) {
  const LatticeBody body = body_of(grid(3, 2, 2, 0.1));
  const Lattice lattice = make_lattice(std::span(&body, 1));
  EXPECT_NEAR(std::accumulate(lattice.mass.begin(), lattice.mass.end(), 0.0), 1000 * 12e-3, 1e-9);
}

TEST(Lattice, AtMostOneBondBetweenTwoNodes) {
  const LatticeBody body = body_of(grid(3, 3, 3, 0.1));
  const Lattice lattice = make_lattice(std::span(&body, 1));
  for (std::size_t b = 1; b < lattice.bond_count(); ++b) EXPECT_LT(lattice.ends[b - 1], lattice.ends[b]);
  // edges 3 n (n+1)^2, face diagonals 2 a face, body diagonals 4 a cell
  EXPECT_EQ(lattice.bond_count(), 3u * 3 * 16 + 2 * 3 * 9 * 4 + 4 * 27);
  for (std::size_t c = 0; c < lattice.cell_count(); ++c) EXPECT_EQ(lattice.cell_bonds[c].size(), 28u);
}

// Cells of both parts add their share to bonds that they have in common, no bond is there twice or from a node to
// itself, and masses are lumped after gluing: what is glued is what it would be in one piece.
TEST(Lattice, GluedBarIsTheSameAsOneInOnePiece) {
  HexSoup glued = grid(3, 2, 2, 0.1), part = grid(2, 2, 2, 0.1);
  for (Vec3& p : part.points) p.x() += 0.3;
  const auto in_base = [](const Vec3& x) { return x.x() - 0.3; };
  EXPECT_EQ(glue(glued, part, in_base, 0.1).pairs, 9u);
  const LatticeBody one = body_of(grid(5, 2, 2, 0.1)), two = body_of(glued);
  const Lattice whole = make_lattice(std::span(&one, 1)), lattice = make_lattice(std::span(&two, 1));
  ASSERT_EQ(lattice.node_count(), whole.node_count());
  ASSERT_EQ(lattice.bond_count(), whole.bond_count());
  const auto key = [](const Vec3& x) {
    return std::array{std::lround(1e4 * x.x()), std::lround(1e4 * x.y()), std::lround(1e4 * x.z())};
  };
  std::map<std::array<long, 3>, double> mass;
  for (const NodeId n : id_range<NodeId>(whole.node_count())) mass[key(whole.rest[n])] = whole.mass[n];
  for (const NodeId n : id_range<NodeId>(lattice.node_count())) {
    EXPECT_NEAR(lattice.mass[n], mass.at(key(lattice.rest[n])), 1e-12);
  }
  const auto middle = [&](const Lattice& l, std::size_t b) {
    return key((l.rest[NodeId(l.ends[b][0])] + l.rest[NodeId(l.ends[b][1])]) / 2);
  };
  std::map<std::array<long, 3>, double> stiffness;  // by the middle: that of all bonds that cross there
  for (std::size_t b = 0; b < whole.bond_count(); ++b) stiffness[middle(whole, b)] += whole.stiffness[b];
  for (std::size_t b = 0; b < lattice.bond_count(); ++b) {
    EXPECT_NE(lattice.ends[b][0], lattice.ends[b][1]);
    stiffness[middle(lattice, b)] -= lattice.stiffness[b];
  }
  for (const auto& [where, left] : stiffness) EXPECT_NEAR(left, 0, 1e-6);
}

TEST(Lattice, ResidualOfTheFitIsToldByBody) {
  std::vector<LatticeBody> bodies = {body_of(grid(2, 2, 2, 0.1)), body_of(grid(2, 1, 1, 0.1))};
  bodies[1].cells.points[0] += Vec3(0.03, 0.02, 0.01);  // of its first cell
  const Lattice lattice = make_lattice(bodies);
  ASSERT_EQ(lattice.fit.size(), 2u);
  EXPECT_LT(lattice.fit[0].worst, 1e-9);
  EXPECT_GT(lattice.fit[1].worst, 1e-6);
  EXPECT_LT(lattice.fit[1].worst, 0.2);
  EXPECT_EQ(lattice.fit[1].worst_cell, 0u);
  EXPECT_NEAR(lattice.fit[1].mean, lattice.fit[1].worst / 2, 1e-9);
}

// sum w is 6, whatever the pattern: springs that are the table's amount to its Young's modulus.
TEST(Lattice, YoungsModulusOfGivenSpringsIsTheTables) {
  LatticeBody body = body_of(grid(1, 1, 1, 0.1));
  body.material.young = 7;
  const double e = 1e6, a = 0.1;
  body.material.springs = BondSprings{.edge = 0.15 * e * a, .face = 0.2 * e * a / 2, .body = 0.45 * e * a / 3};
  const Lattice lattice = make_lattice(std::span(&body, 1));
  EXPECT_NEAR(lattice.mean_young[0], e, 1e-6 * e);
  EXPECT_NEAR(lattice.young[0], e, 1e-6 * e);
}

TEST(Lattice, FirstTwelveBondsOfACellAreItsEdges) {
  const LatticeBody body = body_of(grid(2, 2, 1, 0.1));
  const Lattice lattice = make_lattice(std::span(&body, 1));
  for (std::size_t c = 0; c < lattice.cell_count(); ++c) {
    for (std::size_t e = 0; e < 12; ++e) {
      const auto [i, j] = kCellEdges[e];
      const Index a = lattice.corners[c][i], b = lattice.corners[c][j];
      EXPECT_EQ(lattice.ends[lattice.cell_bonds[c][e]], (std::array<Index, 2>{std::min(a, b), std::max(a, b)}));
    }
  }
}

TEST(Lattice, RadiusIsHalfTheDistanceToTheNearestNeighbour) {
  const LatticeBody body = body_of(grid(2, 2, 2, 0.1));
  const Lattice lattice = make_lattice(std::span(&body, 1));
  for (const double r : lattice.radius) EXPECT_NEAR(r, 0.05, 1e-12);
}

TEST(Lattice, ThresholdsScatterAsAskedAndNeverBelowAQuarter) {
  LatticeBody body = body_of(grid(16, 16, 16, 0.1));
  body.material.threshold = 0.01, body.material.scatter = 0.3;
  const Lattice lattice = make_lattice(std::span(&body, 1));
  double sum = 0, squares = 0;
  for (const double t : lattice.threshold) {
    EXPECT_GE(t, 0.0025);
    sum += t, squares += t * t;
  }
  const auto count = static_cast<double>(lattice.threshold.size());
  const double mean = sum / count, deviation = std::sqrt(squares / count - mean * mean);
  EXPECT_NEAR(mean, 0.01, 5e-4);
  EXPECT_NEAR(deviation, 0.003, 4e-4);
}

TEST(Lattice, CellWithoutVolumeIsRefused) {
  LatticeBody body = body_of(grid(1, 1, 1, 0.1));
  for (Vec3& p : body.cells.points) p.z() = 0;
  EXPECT_THROW(make_lattice(std::span(&body, 1)), InputError);
}

TEST(FastestVibration, PowerIterationLiesBetweenTheModeOfTheGridAndGershgorin) {
  const LatticeBody body = body_of(grid(6, 6, 6, 0.1));
  const Lattice lattice = make_lattice(std::span(&body, 1));
  const double found = fastest_vibrations(lattice, 1)[0], bound = gershgorin_bounds(lattice, 1)[0];
  EXPECT_LE(found, bound);
  EXPECT_GT(found, bound / 4);
  // of the order of a / c
  const double c = std::sqrt(1e6 / 1000), dt = largest_step(std::sqrt(found), 0);
  EXPECT_GT(dt, 0.3 * 0.1 / c);
  EXPECT_LT(dt, 1.0 * 0.1 / c);
}

// A lid that is glued node on node has no short bonds where its knob stands: the pot, of many more parts, decides.
TEST(FastestVibration, TeapotsLidAsksForNoShorterStepThanItsPot) {
  for (const double edge : {0.009, 0.0095, 0.01, 0.0105, 0.012}) {
    std::vector<LatticeBody> bodies;
    std::vector<std::string> notes;
    for (const bool lid : {false, true}) {
      bodies.push_back(body_of(lattice_cells(TeapotShape{0.1, 0.0065, lid, !lid}, {.edge = edge}, notes)));
    }
    const std::vector<double> found = fastest_vibrations(make_lattice(bodies), bodies.size());
    EXPECT_LE(found[1], found[0]) << "edge " << edge;
  }
}

TEST(NodeGrid, FindsThePairsThatBruteForceFinds) {
  Dice dice(9);
  constexpr std::size_t kNodes = 600;
  Column<NodeId, Vec3> x(kNodes);
  std::vector<double> radius(kNodes);
  std::vector<std::uint32_t> component(kNodes);
  for (std::size_t n = 0; n < kNodes; ++n) {
    x[NodeId(n)] = dice.vec(-0.5, 0.5);
    radius[n] = dice(0.01, 0.06);
    component[n] = 1 + static_cast<std::uint32_t>(dice(0, 4));
  }
  for (std::size_t n = 0; n < 8; ++n) x[NodeId(n)] += Vec3(1e7, -1e9, 0);  // crumbs that have flown far away
  NodeGrid grid;
  for (const bool within : {false, true}) {
    std::vector<NodePair> expected;
    for (Index a = 0; a < kNodes; ++a) {
      for (Index b = a + 1; b < kNodes; ++b) {
        if (!within && component[a] == component[b]) continue;
        if ((x[NodeId(a)] - x[NodeId(b)]).norm() < radius[a] + radius[b] + 0.01) expected.push_back({a, b});
      }
    }
    ASSERT_GT(expected.size(), 200u);
    std::vector<Index> nodes(kNodes);
    std::iota(nodes.begin(), nodes.end(), Index{0});
    EXPECT_EQ(grid.find(x, nodes, radius, component, 0.01, within), expected);
    // Of some nodes only.
    std::erase_if(nodes, [](Index n) { return n % 3 == 0; });
    std::erase_if(expected, [](const NodePair& p) { return p.a % 3 == 0 || p.b % 3 == 0; });
    EXPECT_EQ(grid.find(x, nodes, radius, component, 0.01, within), expected);
  }
}

TEST(Components, LabelsAreThoseOfUnionFind) {
  LatticeBody body = body_of(grid(6, 2, 2, 0.1));
  body.material.threshold = 0.01;
  const Lattice lattice = make_lattice(std::span(&body, 1));
  Breakage breakage(lattice, 1);
  Components components;
  EXPECT_EQ(components.update(lattice, breakage).size(), 1u);
  Dice dice(4);
  for (int round = 0; round < 40; ++round) {
    const auto bond = static_cast<Index>(dice(0, static_cast<double>(lattice.bond_count())));
    breakage.run(
        lattice, {{bond, 2}}, [](Index) { return false; }, [](Index) {});
    const std::vector<std::uint32_t> before = components.labels();
    const auto fresh = components.update(lattice, breakage);
    DisjointSets sets(lattice.node_count());
    for (Index b = 0; b < lattice.bond_count(); ++b) {
      if (breakage.whole(b)) sets.join(lattice.ends[b][0], lattice.ends[b][1]);
    }
    std::size_t roots = 0;
    for (Index n = 0; n < lattice.node_count(); ++n) {
      roots += sets.root(n) == n ? 1 : 0;
      EXPECT_EQ(components.labels()[n], components.labels()[sets.root(n)]);
      for (const FragmentEvent& f : fresh) {
        if (components.labels()[n] == f.id) {
          EXPECT_EQ(before[n], f.parent);
        }
      }
    }
    EXPECT_EQ(components.count(), roots);
  }
  EXPECT_GT(components.count(), 5u);
}

TEST(Breakage, OneRoundClosesCellsAndBonds) {
  LatticeBody body = body_of(grid(4, 4, 2, 0.1));
  const Lattice lattice = make_lattice(std::span(&body, 1));
  Breakage breakage(lattice, 1);
  Dice dice(6);
  for (int round = 0; round < 60; ++round) {
    const auto bond = static_cast<Index>(dice(0, static_cast<double>(lattice.bond_count())));
    breakage.run(
        lattice, {{bond, 2}}, [](Index) { return false; }, [](Index) {});
    for (Index c = 0; c < lattice.cell_count(); ++c) {
      bool any = false;
      for (const Index b : lattice.cell_bonds[c]) any = any || !breakage.whole(b);
      EXPECT_EQ(breakage.cell_broken(c), any);
    }
    for (Index b = 0; b < lattice.bond_count(); ++b) {
      bool all = true;
      for (const Index c : lattice.bond_cells[b]) all = all && breakage.cell_broken(c);
      if (all) {
        EXPECT_FALSE(breakage.whole(b));
      }
    }
  }
}

TEST(Breakage, OrderOfClosureDoesNotMatter) {
  const LatticeBody body = body_of(grid(4, 3, 2, 0.1));
  const Lattice lattice = make_lattice(std::span(&body, 1));
  const std::vector<Index> chosen = {5, 77, 140, 33, 201};
  std::vector<std::vector<BondState>> results;
  for (const bool backwards : {false, true}) {
    Breakage breakage(lattice, 1);
    std::vector<Index> order = chosen;
    if (backwards) std::reverse(order.begin(), order.end());
    for (const Index b : order)
      breakage.run(
          lattice, {{b, 2}}, [](Index) { return false; }, [](Index) {});
    results.push_back(breakage.bonds());
  }
  EXPECT_EQ(results[0], results[1]);
}

TEST(Breakage, OnlyTheWorstOfANeighbourhoodBreaks) {
  const LatticeBody body = body_of(grid(8, 2, 2, 0.1));
  const Lattice lattice = make_lattice(std::span(&body, 1));
  Breakage breakage(lattice, 1);
  std::vector<OverstretchedBond> all;
  for (Index b = 0; b < lattice.bond_count(); ++b) all.push_back({b, 1.5});
  const auto events = breakage.run(
      lattice, all, [](Index) { return false; }, [](Index) {});
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events[0].first.bond, 0u);  // equals go by number
  EXPECT_LT(events.size(), 30u);
  std::vector<int> touched(lattice.node_count(), 0);
  for (const auto& event : events) {
    for (const Index n : lattice.ends[event.first.bond]) EXPECT_EQ(touched[n]++, 0);
  }
}

TEST(Breakage, KeepRefusesToLeaveANodeWithoutACell) {
  const LatticeBody body = body_of(grid(3, 1, 1, 0.1));
  const Lattice lattice = make_lattice(std::span(&body, 1));
  const Index corner_bond = 0;  // at the corner of the bar: its one cell is the corner's only one
  Breakage breakage(lattice, 4);
  EXPECT_TRUE(breakage
                  .run(
                      lattice, {{corner_bond, 3}}, [](Index) { return false; }, [](Index) {})
                  .empty());
  EXPECT_EQ(breakage.refused(), 1u);
  EXPECT_TRUE(breakage
                  .run(
                      lattice, {{corner_bond, 3}}, [](Index) { return false; }, [](Index) {})
                  .empty());
  EXPECT_EQ(breakage.refused(), 1u) << "it goes on waiting";
  EXPECT_EQ(breakage
                .run(
                    lattice, {{corner_bond, 5}}, [](Index) { return false; }, [](Index) {})
                .size(),
            1u);
  Breakage paper(lattice, 1);
  EXPECT_EQ(paper
                .run(
                    lattice, {{corner_bond, 1.1}}, [](Index) { return false; }, [](Index) {})
                .size(),
            1u);
}

}  // namespace
}  // namespace sunder::lattice_norton91
