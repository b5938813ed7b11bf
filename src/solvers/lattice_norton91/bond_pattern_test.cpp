#include "solvers/lattice_norton91/bond_pattern.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <numeric>

#include "core/dice_testing.h"
#include "solvers/lattice_norton91/lattice_testing.h"

namespace sunder::lattice_norton91 {
namespace {

constexpr std::array<BondPattern, 4> kPatterns = {BondPattern::edges_body, BondPattern::edges_face,
                                                  BondPattern::edges_faces, BondPattern::full};

constexpr std::uint8_t kChess = 0b10100101;  // corners of a cube that an even number of edges parts from the first

CellCorners cube() {
  const HexSoup soup = grid(1, 1, 1, 1);
  CellCorners x;
  for (std::size_t i = 0; i < 8; ++i) x[i] = soup.points[soup.cells[0][i]];
  return x;
}

// Motions of the corners that no bond opposes to first order, rigid ones left out.
Eigen::Index flexes(BondPattern pattern) {
  const CellCorners x = cube();
  const std::vector<CellBond> bonds = bonds_of_cell(pattern, kChess);
  Eigen::MatrixXd stretch = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(bonds.size()), 24);
  for (std::size_t i = 0; i < bonds.size(); ++i) {
    const Vec3 n = (x[bonds[i].b] - x[bonds[i].a]).normalized();
    stretch.block<1, 3>(static_cast<Eigen::Index>(i), 3 * bonds[i].a) = -n.transpose();
    stretch.block<1, 3>(static_cast<Eigen::Index>(i), 3 * bonds[i].b) = n.transpose();
  }
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(stretch);
  return 24 - 6 - qr.rank();
}

TEST(BondPattern, HasAsManyBondsAsItsName) {
  EXPECT_EQ(bonds_of_cell(BondPattern::edges_body, kChess).size(), 16u);
  EXPECT_EQ(bonds_of_cell(BondPattern::edges_face, kChess).size(), 18u);
  EXPECT_EQ(bonds_of_cell(BondPattern::edges_faces, kChess).size(), 24u);
  EXPECT_EQ(bonds_of_cell(BondPattern::full, kChess).size(), 28u);
}

TEST(BondPattern, BodyDiagonalsLeaveThreeFlexesFaceDiagonalsNone) {
  EXPECT_EQ(flexes(BondPattern::edges_body), 3);  // the paper says so
  EXPECT_EQ(flexes(BondPattern::edges_face), 0);
  EXPECT_EQ(flexes(BondPattern::edges_faces), 0);
  EXPECT_EQ(flexes(BondPattern::full), 0);
}

TEST(BondPattern, WeightsOfTheTableMakeACubeIsotropic) {
  for (const BondPattern pattern : kPatterns) {
    const FittedWeights fit = fitted_weights(pattern, bonds_of_cell(pattern, kChess), cube());
    EXPECT_LT(fit.residual, 1e-12);
  }
}

TEST(BondPattern, FitMakesDistortedCellsMoreIsotropicThanTheTable) {
  Dice dice(3);
  for (int trial = 0; trial < 20; ++trial) {
    CellCorners x = cube();
    const Mat3 sheared = Mat3::Identity() + dice.matrix(-0.3, 0.3);
    for (Vec3& corner : x) corner = sheared * corner + dice.vec(-0.1, 0.1);
    ASSERT_GT(cell_volume(x), 0);
    const std::vector<CellBond> bonds = bonds_of_cell(BondPattern::full, kChess);
    const FittedWeights fit = fitted_weights(BondPattern::full, bonds, x);
    // sum w n_i n_i n_j n_j is the sum of the weights: 2/5 15 = 6, to the extent of the residual
    EXPECT_NEAR(std::accumulate(fit.weights.begin(), fit.weights.end(), 0.0), 6, 6 * fit.residual + 1e-9);
    EXPECT_LT(fit.residual, 0.25);
    for (std::size_t i = 0; i < bonds.size(); ++i) {
      EXPECT_GE(fit.weights[i], 0.15 * table_weight(BondPattern::full, bonds[i].kind));
    }
  }
}

TEST(BondPattern, StretchedCellIsFittedWell) {
  CellCorners x = cube();
  for (Vec3& corner : x) corner = corner.cwiseProduct(Vec3(1, 1.3, 0.8));
  const FittedWeights fit = fitted_weights(BondPattern::full, bonds_of_cell(BondPattern::full, kChess), x);
  EXPECT_LT(fit.residual, 0.02);
}

TEST(BondPattern, VolumeOfASkewedBoxIsExact) {
  Dice dice(5);
  const Mat3 m = Mat3::Identity() + dice.matrix(-0.4, 0.4);
  CellCorners x = cube();
  for (Vec3& corner : x) corner = m * corner;
  EXPECT_NEAR(cell_volume(x), m.determinant(), 1e-12);
}

}  // namespace
}  // namespace sunder::lattice_norton91
