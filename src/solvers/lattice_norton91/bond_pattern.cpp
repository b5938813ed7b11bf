#include "solvers/lattice_norton91/bond_pattern.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace sunder::lattice_norton91 {
namespace {

constexpr double kPull = 0.05;   // towards the table
constexpr double kFloor = 0.15;  // of the table

// Components of a symmetric tensor of fourth order, with the number of places where each stands.
struct Component {
  int i, j, k, l;
  double places;
};
constexpr std::array<Component, 15> kComponents = {{{0, 0, 0, 0, 1},
                                                    {1, 1, 1, 1, 1},
                                                    {2, 2, 2, 2, 1},
                                                    {0, 0, 1, 1, 6},
                                                    {1, 1, 2, 2, 6},
                                                    {0, 0, 2, 2, 6},
                                                    {0, 0, 0, 1, 4},
                                                    {0, 0, 0, 2, 4},
                                                    {1, 1, 1, 0, 4},
                                                    {1, 1, 1, 2, 4},
                                                    {2, 2, 2, 0, 4},
                                                    {2, 2, 2, 1, 4},
                                                    {0, 0, 1, 2, 12},
                                                    {1, 1, 0, 2, 12},
                                                    {2, 2, 0, 1, 12}}};

using Tensor = Eigen::Matrix<double, 15, 1>;

Tensor isotropic() {
  Tensor b;
  for (std::size_t c = 0; c < kComponents.size(); ++c) {
    const auto& [i, j, k, l, places] = kComponents[c];
    b[static_cast<Eigen::Index>(c)] =
        std::sqrt(places) * 0.4 *
        ((i == j && k == l ? 1 : 0) + (i == k && j == l ? 1 : 0) + (i == l && j == k ? 1 : 0));
  }
  return b;
}

Tensor fourth_power(const Vec3& n) {
  Tensor a;
  for (std::size_t c = 0; c < kComponents.size(); ++c) {
    const auto& [i, j, k, l, places] = kComponents[c];
    a[static_cast<Eigen::Index>(c)] = std::sqrt(places) * n[i] * n[j] * n[k] * n[l];
  }
  return a;
}

}  // namespace

std::vector<CellBond> bonds_of_cell(BondPattern pattern, std::uint8_t even) {
  std::vector<CellBond> bonds;
  for (const auto& [a, b] : kCellEdges) bonds.push_back({a, b, BondKind::edge});
  if (pattern != BondPattern::edges_body) {
    for (const auto& face : kCellFaces) {
      for (std::size_t i = 0; i < 2; ++i) {
        const std::uint8_t a = face[i], b = face[i + 2];
        // Where a lattice cannot be coloured, neither or both are even: the first diagonal then.
        const auto evens = [&](std::size_t k) { return (even >> face[k] & 1) + (even >> face[k + 2] & 1); };
        const std::size_t chosen = evens(1) > evens(0) ? 1 : 0;
        if (pattern == BondPattern::edges_face && i != chosen) continue;
        bonds.push_back({a, b, BondKind::face});
      }
    }
  }
  if (pattern == BondPattern::edges_body || pattern == BondPattern::full) {
    for (const auto& [a, b] : {std::array<std::uint8_t, 2>{0, 6}, {1, 7}, {2, 4}, {3, 5}}) {
      bonds.push_back({a, b, BondKind::body});
    }
  }
  return bonds;
}

double table_weight(BondPattern pattern, BondKind kind) {
  const auto one_of = [kind](double edge, double face, double body) {
    return kind == BondKind::edge ? edge : kind == BondKind::face ? face : body;
  };
  switch (pattern) {
    case BondPattern::edges_body:
      return one_of(0.2, 0, 0.9);
    case BondPattern::edges_face:
      return one_of(0.1, 0.8, 0);
    case BondPattern::edges_faces:
      return one_of(0.1, 0.4, 0);
    case BondPattern::full:
      break;
  }
  return one_of(0.15, 0.2, 0.45);
}

double cell_volume(const CellCorners& x) {
  Vec3 middle = Vec3::Zero();
  for (const Vec3& corner : x) middle += corner / 8;
  // Pyramids over the faces, each cut both ways so that it does not matter how a bent face is cut.
  double volume = 0;
  for (const auto& f : kCellFaces) {
    for (std::size_t i = 0; i < 4; ++i) {
      const Vec3 a = x[f[i]] - middle, b = x[f[(i + 1) % 4]] - middle, c = x[f[(i + 2) % 4]] - middle;
      volume += a.cross(b).dot(c) / 12;
    }
  }
  return volume;
}

FittedWeights fitted_weights(BondPattern pattern, const std::vector<CellBond>& bonds, const CellCorners& x) {
  const auto count = static_cast<Eigen::Index>(bonds.size());
  Eigen::Matrix<double, 15, Eigen::Dynamic> a(15, count);
  Eigen::VectorXd table(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const CellBond& bond = bonds[static_cast<std::size_t>(i)];
    a.col(i) = fourth_power((x[bond.b] - x[bond.a]).normalized());
    table[i] = table_weight(pattern, bond.kind);
  }
  static const Tensor target = isotropic();
  Eigen::VectorXd w = table;
  const auto residual = [&] { return (a * w - target).norm() / target.norm(); };
  if (residual() > 1e-9) {
    // minimise |A w - b|^2 + pull^2 |w - table|^2 for w >= floor, one weight at a time until none moves.
    constexpr int kSweeps = 400;
    constexpr double kSettled = 1e-9;
    Tensor error = a * w - target;
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
      double moved = 0;
      for (Eigen::Index i = 0; i < count; ++i) {
        const double slope = a.col(i).dot(error) + kPull * kPull * (w[i] - table[i]);
        const double wanted = w[i] - slope / (a.col(i).squaredNorm() + kPull * kPull);
        const double step = std::max(wanted, kFloor * table[i]) - w[i];
        w[i] += step;
        error += step * a.col(i);
        moved = std::max(moved, std::abs(step));
      }
      if (moved < kSettled) break;
    }
  }
  return {std::vector<double>(w.begin(), w.end()), residual()};
}

}  // namespace sunder::lattice_norton91
