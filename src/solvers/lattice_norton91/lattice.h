#pragma once
// Nodes, bonds and cells of all bodies: flat arrays, made once. What breaks is told beside them (breakage.h).

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/column.h"
#include "core/ids.h"
#include "core/vec.h"
#include "fracture/toughness_field.h"
#include "mesh/hex_soup.h"
#include "solvers/lattice_norton91/bond_pattern.h"

namespace sunder::lattice_norton91 {

using Index = std::uint32_t;

// Lists of numbers, one list for each of a row of things.
struct Lists {
  std::vector<Index> first = {0};  // one more than there are lists
  std::vector<Index> entries;
  std::span<const Index> operator[](std::size_t i) const {
    return {entries.data() + first[i], entries.data() + first[i + 1]};
  }
  std::size_t size() const { return first.size() - 1; }
};

// Who is in which list: pairs (list, entry), entries in the order given.
Lists make_lists(std::size_t lists, std::span<const std::array<Index, 2>> pairs);

// The paper's springs, given directly: the same for all bonds of a kind, whatever their length.
struct BondSprings {
  double edge = 0, face = 0, body = 0;  // N/m
  std::optional<double> damping;        // N s/m, of edges; others in proportion to their springs

  double of(BondKind kind) const { return kind == BondKind::edge ? edge : kind == BondKind::face ? face : body; }
};

// What bodies are made of. Central forces allow no Poisson's ratio but 1/4.
struct LatticeMaterial {
  double young = 1e7;      // Pa
  double density = 1000;   // kg/m^3
  double threshold = 0;    // strain at which bonds break, strength / E; 0: never
  double strength = 0;     // Pa, where there is no threshold: over the Young's modulus that springs amount to
  double scatter = 0.3;    // of the thresholds, standard deviation over mean
  double damping = 0.15;   // ratio to critical, of the fastest vibration
  std::uint64_t seed = 1;  // of the scatter
  std::optional<BondSprings> springs = {};  // in the place of young
};

struct LatticeBody {
  std::string name;
  HexSoup cells;  // placed in the world
  LatticeMaterial material;
  BondPattern pattern = BondPattern::full;
  Vec3 velocity = Vec3::Zero();  // m/s
  Vec3 spin = Vec3::Zero();      // rad/s about the centre of mass
  ToughnessField weakness;  // patterns of, where it is placed (bond_weakness.h); what it bears itself is not heeded
};

// How far the weights of a body's cells are from an isotropic solid (bond_pattern.h).
struct FitResidual {
  double mean = 0, worst = 0;
  Index worst_cell = 0;  // of the body
};

struct Lattice {
  // Nodes.
  Column<NodeId, Vec3> rest;          // m
  Column<NodeId, double> mass;        // kg
  Column<NodeId, double> least_edge;  // N/m, of the softest edge bond that ends here
  std::vector<double> radius;         // m: half the distance to the nearest neighbour
  std::vector<Index> node_body;

  // Bonds, by their lower end, then the upper one; at most one between two nodes.
  std::vector<std::array<Index, 2>> ends;
  std::vector<double> length;     // m, at rest
  std::vector<double> stiffness;  // N/m
  std::vector<double> threshold;  // strain, now; infinite if it cannot break
  std::vector<double> area;       // m^2, of the dual face across an edge; 0 of diagonals

  // Cells.
  std::vector<std::array<Index, 8>> corners;
  std::vector<Index> cell_body;
  std::vector<double> volume;  // m^3
  std::vector<double> young;   // Pa

  Lists cell_bonds, bond_cells, node_bonds, node_cells;  // the first 12 of a cell are its edges, by kCellEdges

  // By body.
  std::vector<FitResidual> fit;    // of stiffness; zero where springs were given
  std::vector<double> mean_young;  // Pa, over its volume

  std::size_t node_count() const { return rest.size(); }
  std::size_t bond_count() const { return ends.size(); }
  std::size_t cell_count() const { return corners.size(); }
};

// InputError if a cell has no volume, or two corners in one place.
Lattice make_lattice(std::span<const LatticeBody> bodies);

}  // namespace sunder::lattice_norton91
