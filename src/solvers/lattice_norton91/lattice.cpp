#include "solvers/lattice_norton91/lattice.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <numbers>
#include <tuple>

#include "core/error.h"
#include "core/lattice_noise.h"
#include "core/parallel.h"
#include "core/random.h"

namespace sunder::lattice_norton91 {
namespace {

// Each cell's share in one bond.
struct Share {
  Index a, b;  // a < b
  Index cell, place;
  BondKind kind;
  double stiffness;
  double area;
};

// 1 for nodes that an even number of edges parts from the first of their piece: the colours of a chess board.
std::vector<std::uint8_t> chess_board(const HexSoup& soup) {
  std::vector<std::array<Index, 2>> pairs;
  for (const auto& cell : soup.cells) {
    for (const auto& [a, b] : kCellEdges) {
      pairs.push_back({cell[a], cell[b]});
      pairs.push_back({cell[b], cell[a]});
    }
  }
  const Lists next = make_lists(soup.points.size(), pairs);
  std::vector<std::uint8_t> even(soup.points.size(), 2);
  for (std::size_t start = 0; start < even.size(); ++start) {
    if (even[start] != 2) continue;
    even[start] = 1;
    std::deque<Index> open = {static_cast<Index>(start)};
    for (; !open.empty(); open.pop_front()) {
      for (const Index other : next[open.front()]) {
        if (even[other] != 2) continue;
        even[other] = even[open.front()] == 0 ? 1 : 0;
        open.push_back(other);
      }
    }
  }
  return even;
}

// The part of the surface between the octants of an edge's ends that lies in one cell: from the edge's middle to the
// middles of its two faces and of the cell.
double dual_area(const CellCorners& x, const CellBond& edge) {
  Vec3 middle = Vec3::Zero();
  for (const Vec3& corner : x) middle += corner / 8;
  const Vec3 half = (x[edge.a] + x[edge.b]) / 2;
  double area = 0;
  for (const auto& face : kCellFaces) {
    const bool has_a = std::find(face.begin(), face.end(), edge.a) != face.end();
    const bool has_b = std::find(face.begin(), face.end(), edge.b) != face.end();
    if (!has_a || !has_b) continue;
    const Vec3 centre = (x[face[0]] + x[face[1]] + x[face[2]] + x[face[3]]) / 4;
    area += (centre - half).cross(middle - half).norm() / 2;
  }
  return area;
}

// Gaussian, from two uniform numbers (Box and Muller).
double gaussian(std::uint64_t seed, std::uint64_t key) {
  const double u = 1 - random_unit(seed, key, 0), v = random_unit(seed, key, 1);
  return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
}

// Mean 0, standard deviation 1: two parts that are alike over a few cells, one that is not.
double scatter_at(std::uint64_t seed, const Vec3& x, double cell, std::uint64_t key) {
  constexpr double kCells = 3;
  // The blend of eight uniform numbers has this standard deviation on average over space.
  const double deviation = std::sqrt(1.0 / 12) * std::pow(26.0 / 35, 1.5);
  const double smooth = (lattice_noise(random_bits(seed, 1), x / (kCells * cell)) - 0.5) / deviation;
  return (2 * smooth + gaussian(random_bits(seed, 2), key)) / std::sqrt(5.0);
}

double mean_threshold(const LatticeMaterial& material, double young) {
  return material.threshold > 0 ? material.threshold : material.strength / young;
}

double drawn_threshold(const LatticeMaterial& material, double mean, const Vec3& x, double cell, std::uint64_t key) {
  constexpr double kLeast = 0.25;  // of the mean
  if (!(mean > 0)) return std::numeric_limits<double>::infinity();
  const double factor = 1 + material.scatter * scatter_at(material.seed, x, cell, key);
  return mean * std::max(kLeast, factor);
}

CellCorners corners_of(const HexSoup& soup, std::size_t cell) {
  CellCorners x;
  for (std::size_t i = 0; i < 8; ++i) x[i] = soup.points[soup.cells[cell][i]];
  return x;
}

void add_body(const LatticeBody& body, Index number, Lattice& lattice, std::vector<Share>& shares) {
  const auto first_node = static_cast<Index>(lattice.node_count());
  const HexSoup& soup = body.cells;
  const std::vector<std::uint8_t> even = chess_board(soup);
  std::vector<FittedWeights> fits(soup.cells.size());
  std::vector<std::vector<CellBond>> bonds(soup.cells.size());
  parallel_chunks(soup.cells.size(), 64, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) {
      std::uint8_t mask = 0;
      for (std::size_t i = 0; i < 8; ++i) mask = static_cast<std::uint8_t>(mask | even[soup.cells[c][i]] << i);
      bonds[c] = bonds_of_cell(body.pattern, mask);
      fits[c] = fitted_weights(body.pattern, bonds[c], corners_of(soup, c));
    }
  });
  for (const Vec3& point : soup.points) {
    lattice.rest.push_back(point);
    lattice.mass.push_back(0);
    lattice.node_body.push_back(number);
  }
  for (std::size_t c = 0; c < soup.cells.size(); ++c) {
    const CellCorners x = corners_of(soup, c);
    const double volume = cell_volume(x);
    const auto cell = static_cast<Index>(lattice.cell_count());
    if (!(volume > 0)) {
      throw InputError({}, "cell " + std::to_string(c) + " of body `" + body.name + "` has no volume",
                       "use a shorter edge, or make the shape less thick where it bends");
    }
    lattice.corners.push_back(soup.cells[c]);
    for (Index& corner : lattice.corners.back()) {
      corner += first_node;
      lattice.mass[NodeId(corner)] += body.material.density * volume / 8;
    }
    lattice.cell_body.push_back(number);
    lattice.volume.push_back(volume);
    lattice.young.push_back(body.material.young);
    if (!body.material.springs) {
      FitResidual& fit = lattice.fit[number];
      if (fits[c].residual > fit.worst) fit.worst = fits[c].residual, fit.worst_cell = static_cast<Index>(c);
      fit.mean += fits[c].residual / static_cast<double>(soup.cells.size());
    }
    for (std::size_t i = 0; i < bonds[c].size(); ++i) {
      const CellBond& bond = bonds[c][i];
      const double squared = (x[bond.b] - x[bond.a]).squaredNorm();
      if (!(squared > 0)) {
        throw InputError({}, "cell " + std::to_string(c) + " of body `" + body.name + "` has two corners in one place",
                         "use a shorter edge");
      }
      const Index a = first_node + soup.cells[c][bond.a], b = first_node + soup.cells[c][bond.b];
      shares.push_back({std::min(a, b), std::max(a, b), cell, static_cast<Index>(i), bond.kind,
                        fits[c].weights[i] * body.material.young * volume / squared,
                        bond.kind == BondKind::edge ? dual_area(x, bond) : 0});
    }
  }
}

// Springs that were given amount to a Young's modulus: that of the isotropic solid with as much energy on average over
// all directions of pull. sum w is 6 in such a solid, with k = w E V / L^2, and cells share their bonds alike.
void find_young(std::span<const LatticeBody> bodies, Lattice& lattice) {
  lattice.mean_young.assign(bodies.size(), 0);
  std::vector<double> volume(bodies.size(), 0);
  for (Index c = 0; c < lattice.cell_count(); ++c) {
    const Index body = lattice.cell_body[c];
    if (bodies[body].material.springs) {
      double sum = 0;
      for (const Index b : lattice.cell_bonds[c]) {
        sum += lattice.stiffness[b] * lattice.length[b] * lattice.length[b] /
               static_cast<double>(lattice.bond_cells[b].size());
      }
      lattice.young[c] = sum / (6 * lattice.volume[c]);
    }
    lattice.mean_young[body] += lattice.volume[c] * lattice.young[c];
    volume[body] += lattice.volume[c];
  }
  for (std::size_t b = 0; b < bodies.size(); ++b) lattice.mean_young[b] /= volume[b];
}

// Adds up what the cells say about each bond.
void merge_bonds(std::span<const LatticeBody> bodies, std::vector<Share>& shares, Lattice& lattice) {
  std::sort(shares.begin(), shares.end(), [](const Share& x, const Share& y) {
    return std::tie(x.a, x.b, x.cell, x.place) < std::tie(y.a, y.b, y.cell, y.place);
  });
  std::vector<std::array<Index, 2>> of_bond, of_node;
  struct InCell {
    Index cell, place, bond;
  };
  std::vector<InCell> in_cell;
  lattice.least_edge.assign(lattice.node_count(), std::numeric_limits<double>::infinity());
  lattice.radius.assign(lattice.node_count(), std::numeric_limits<double>::infinity());
  for (std::size_t begin = 0, end = 0; begin < shares.size(); begin = end) {
    const Share& s = shares[begin];
    const auto bond = static_cast<Index>(lattice.bond_count());
    double stiffness = 0, area = 0;
    BondKind kind = s.kind;
    for (; end < shares.size() && shares[end].a == s.a && shares[end].b == s.b; ++end) {
      stiffness += shares[end].stiffness;
      area += shares[end].area;
      kind = std::min(kind, shares[end].kind);  // where glue made a diagonal of one cell the edge of another
      of_bond.push_back({bond, shares[end].cell});
      in_cell.push_back({shares[end].cell, shares[end].place, bond});
    }
    const NodeId a(s.a), b(s.b);
    const double length = (lattice.rest[b] - lattice.rest[a]).norm();
    const bool edge = kind == BondKind::edge;
    const LatticeMaterial& material = bodies[lattice.node_body[s.a]].material;
    if (material.springs) stiffness = material.springs->of(kind);
    lattice.ends.push_back({s.a, s.b});
    lattice.length.push_back(length);
    lattice.stiffness.push_back(stiffness);
    lattice.area.push_back(area);
    for (const NodeId n : {a, b}) {
      of_node.push_back({n.index, bond});
      lattice.radius[n.index] = std::min(lattice.radius[n.index], length / 2);
      if (edge) lattice.least_edge[n] = std::min(lattice.least_edge[n], stiffness);
    }
  }
  std::vector<double> cell_size(bodies.size(), 0), cells(bodies.size(), 0);
  for (std::size_t c = 0; c < lattice.cell_count(); ++c) {
    cell_size[lattice.cell_body[c]] += std::cbrt(lattice.volume[c]);
    cells[lattice.cell_body[c]] += 1;
  }
  std::sort(in_cell.begin(), in_cell.end(),
            [](const InCell& x, const InCell& y) { return std::tie(x.cell, x.place) < std::tie(y.cell, y.place); });
  std::vector<std::array<Index, 2>> of_cell, cells_of_node;
  for (const InCell& i : in_cell) of_cell.push_back({i.cell, i.bond});
  for (std::size_t c = 0; c < lattice.cell_count(); ++c) {
    for (const Index n : lattice.corners[c]) cells_of_node.push_back({n, static_cast<Index>(c)});
  }
  lattice.cell_bonds = make_lists(lattice.cell_count(), of_cell);
  lattice.bond_cells = make_lists(lattice.bond_count(), of_bond);
  lattice.node_bonds = make_lists(lattice.node_count(), of_node);
  lattice.node_cells = make_lists(lattice.node_count(), cells_of_node);
  find_young(bodies, lattice);
  for (std::size_t i = 0; i < lattice.bond_count(); ++i) {
    const auto& [a, b] = lattice.ends[i];
    const Index body = lattice.node_body[a];
    const Vec3 middle = (lattice.rest[NodeId(a)] + lattice.rest[NodeId(b)]) / 2;
    lattice.threshold.push_back(drawn_threshold(bodies[body].material,
                                                mean_threshold(bodies[body].material, lattice.mean_young[body]), middle,
                                                cell_size[body] / cells[body], std::uint64_t{a} << 32 | b));
  }
}

}  // namespace

Lists make_lists(std::size_t lists, std::span<const std::array<Index, 2>> pairs) {
  Lists result;
  result.first.assign(lists + 1, 0);
  for (const auto& [list, entry] : pairs) ++result.first[list + 1];
  for (std::size_t i = 0; i < lists; ++i) result.first[i + 1] += result.first[i];
  result.entries.resize(pairs.size());
  std::vector<Index> next(result.first.begin(), result.first.end() - 1);
  for (const auto& [list, entry] : pairs) result.entries[next[list]++] = entry;
  return result;
}

Lattice make_lattice(std::span<const LatticeBody> bodies) {
  Lattice lattice;
  std::vector<Share> shares;
  lattice.fit.resize(bodies.size());
  for (std::size_t b = 0; b < bodies.size(); ++b) add_body(bodies[b], static_cast<Index>(b), lattice, shares);
  merge_bonds(bodies, shares, lattice);
  return lattice;
}

}  // namespace sunder::lattice_norton91
