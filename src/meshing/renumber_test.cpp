#include "meshing/renumber.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <vector>

#include "core/random.h"
#include "mesh/kuhn_grid.h"

namespace sunder {
namespace {

using Positions = std::array<std::array<double, 3>, 4>;

std::vector<Positions> tets_by_position(const TetSoup& soup) {
  std::vector<Positions> tets;
  for (const auto& c : soup.tets) {
    Positions p;
    for (std::size_t i = 0; i < 4; ++i) {
      const Vec3& x = soup.points[c[i]];
      p[i] = {x[0], x[1], x[2]};
    }
    tets.push_back(p);
  }
  std::sort(tets.begin(), tets.end());
  return tets;
}

// How far apart in memory the points of a tet are, at the median.
std::uint32_t median_spread(const TetSoup& soup) {
  std::vector<std::uint32_t> spread;
  for (const auto& c : soup.tets) {
    const auto [low, high] = std::minmax_element(c.begin(), c.end());
    spread.push_back(*high - *low);
  }
  std::sort(spread.begin(), spread.end());
  return spread[spread.size() / 2];
}

TetSoup shuffled(const TetSoup& soup) {
  TetSoup result = soup;
  std::vector<std::uint32_t> number(soup.points.size());
  for (std::uint32_t i = 0; i < number.size(); ++i) number[i] = i;
  for (std::size_t i = number.size(); i > 1; --i) std::swap(number[i - 1], number[random_bits(1, i) % i]);
  for (std::size_t i = 0; i < number.size(); ++i) result.points[number[i]] = soup.points[i];
  for (auto& c : result.tets) {
    for (std::uint32_t& p : c) p = number[p];
  }
  for (std::size_t i = result.tets.size(); i > 1; --i)
    std::swap(result.tets[i - 1], result.tets[random_bits(2, i) % i]);
  return result;
}

TEST(Hilbert, VisitsEveryCellOnceAndStepsToANeighbour) {
  constexpr int bits = 4, size = 1 << bits;
  std::map<std::uint64_t, std::array<std::uint32_t, 3>> path;
  for (std::uint32_t i = 0; i < size; ++i) {
    for (std::uint32_t j = 0; j < size; ++j) {
      for (std::uint32_t k = 0; k < size; ++k) path[hilbert_index({i, j, k}, bits)] = {i, j, k};
    }
  }
  ASSERT_EQ(path.size(), static_cast<std::size_t>(size * size * size));
  EXPECT_EQ(path.rbegin()->first, path.size() - 1);
  auto last = path.begin()->second;
  for (const auto& [index, cell] : path) {
    int steps = 0;
    for (std::size_t a = 0; a < 3; ++a) steps += std::abs(static_cast<int>(cell[a]) - static_cast<int>(last[a]));
    ASSERT_EQ(steps, index == 0 ? 0 : 1) << index;
    last = cell;
  }
}

TEST(Renumber, KeepsTheTetsWithTheirCornersInOrder) {
  const TetSoup soup = shuffled(kuhn_grid(5, 4, 3));
  const TetSoup sorted = renumbered(soup);
  EXPECT_EQ(tets_by_position(sorted), tets_by_position(soup));
  EXPECT_EQ(sorted.points.size(), soup.points.size());
}

TEST(Renumber, NumbersPointsByFirstUse) {
  const TetSoup sorted = renumbered(shuffled(kuhn_grid(5, 4, 3)));
  std::uint32_t next = 0;
  for (const auto& c : sorted.tets) {
    for (const std::uint32_t p : c) {
      ASSERT_LE(p, next);
      next = std::max(next, p + 1);
    }
  }
  EXPECT_EQ(next, sorted.points.size());
}

TEST(Renumber, BringsTogetherWhatIsNear) {
  const TetSoup soup = shuffled(kuhn_grid(16, 16, 16));
  const std::uint32_t after = median_spread(renumbered(soup));
  EXPECT_LT(20 * after, median_spread(soup));
  EXPECT_LT(2 * after, median_spread(kuhn_grid(16, 16, 16)));  // better than row by row
}

TEST(Renumber, DoesNotDependOnTheOrderBefore) {
  TetSoup soup = kuhn_grid(5, 4, 3);
  for (std::size_t i = 0; i < soup.points.size(); ++i) {
    soup.points[i] += 0.01 * Vec3(random_unit(1, i, 0), random_unit(1, i, 1), random_unit(1, i, 2));
  }
  const TetSoup a = renumbered(soup), b = renumbered(shuffled(soup));
  EXPECT_EQ(a.points, b.points);
  EXPECT_EQ(a.tets, b.tets);
}

TEST(Renumber, LeavesUnusedPointsOut) {
  TetSoup soup = kuhn_grid(1, 1, 1);
  soup.points.insert(soup.points.begin(), Vec3(9, 9, 9));
  for (auto& c : soup.tets) {
    for (std::uint32_t& p : c) ++p;
  }
  EXPECT_EQ(renumbered(soup).points.size(), 8u);
  EXPECT_TRUE(renumbered(TetSoup()).points.empty());
}

}  // namespace
}  // namespace sunder
