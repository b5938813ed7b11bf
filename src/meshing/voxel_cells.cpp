#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "meshing/hex_quality.h"
#include "meshing/lattice_cells.h"

namespace sunder {
namespace {

constexpr double kMostCells = 2e7;
constexpr double kLeastVolume = 0.12;  // of a corner (hex_quality.h): cells are not pulled flatter

// Outwards, by differences.
Vec3 gradient(const DistanceFunction& f, const Vec3& x, double step) {
  Vec3 g;
  for (int a = 0; a < 3; ++a) {
    Vec3 d = Vec3::Zero();
    d[a] = step;
    g[a] = (f(x + d) - f(x - d)) / (2 * step);
  }
  return g;
}

}  // namespace

HexSoup voxel_cells(const DistanceFunction& inside, const Vec3& low, const Vec3& high, double edge) {
  std::array<std::size_t, 3> cells;
  double all = 1;
  Vec3 start;
  for (int a = 0; a < 3; ++a) {
    const double count = std::ceil((high[a] - low[a]) / edge);
    all *= std::max(1.0, count);
    if (!(all <= kMostCells)) throw InputError({}, "the grid would have too many cells", "use a longer edge");
    cells[static_cast<std::size_t>(a)] = std::max<std::size_t>(1, static_cast<std::size_t>(count));
    start[a] = (low[a] + high[a]) / 2 - 0.5 * edge * static_cast<double>(cells[static_cast<std::size_t>(a)]);
  }
  HexSoup soup;
  const std::size_t nx = cells[0], ny = cells[1], nz = cells[2];
  const auto number = [&](std::size_t i, std::size_t j, std::size_t k) {
    return static_cast<std::uint32_t>((k * (ny + 1) + j) * (nx + 1) + i);
  };
  for (std::size_t k = 0; k <= nz; ++k) {
    for (std::size_t j = 0; j <= ny; ++j) {
      for (std::size_t i = 0; i <= nx; ++i) {
        soup.points.push_back(start +
                              edge * Vec3(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)));
      }
    }
  }
  for (std::size_t k = 0; k < nz; ++k) {
    for (std::size_t j = 0; j < ny; ++j) {
      for (std::size_t i = 0; i < nx; ++i) {
        const Vec3 middle = soup.points[number(i, j, k)] + 0.5 * edge * Vec3::Ones();
        if (!(inside(middle) < 0)) continue;
        soup.cells.push_back({number(i, j, k), number(i + 1, j, k), number(i + 1, j + 1, k), number(i, j + 1, k),
                              number(i, j, k + 1), number(i + 1, j, k + 1), number(i + 1, j + 1, k + 1),
                              number(i, j + 1, k + 1)});
      }
    }
  }
  if (soup.cells.empty()) {
    throw InputError({}, "no cell of the grid lies inside the shape", "use a shorter edge");
  }
  drop_unused_points(soup);
  std::vector<std::vector<std::uint32_t>> cells_at(soup.points.size());
  for (std::uint32_t c = 0; c < soup.cells.size(); ++c) {
    for (const std::uint32_t n : soup.cells[c]) cells_at[n].push_back(c);
  }
  // A node inside the grid has eight cells; the others are drawn to the surface, as far as their cells bear it.
  for (std::size_t n = 0; n < soup.points.size(); ++n) {
    if (cells_at[n].size() == 8) continue;
    const Vec3 from = soup.points[n];
    Vec3 to = from;
    for (int i = 0; i < 3; ++i) {
      const Vec3 g = gradient(inside, to, 0.01 * edge);
      if (!(g.squaredNorm() > 1e-4)) break;
      Vec3 move = -inside(to) * g / g.squaredNorm();
      if (move.norm() > edge) move *= edge / move.norm();
      to += move;
    }
    for (double share = 1; share > 0.05; share *= 0.5) {
      soup.points[n] = from + share * (to - from);
      const bool sound = std::all_of(cells_at[n].begin(), cells_at[n].end(), [&](std::uint32_t c) {
        return least_corner_volume(soup, soup.cells[c]) > kLeastVolume;
      });
      if (sound) break;
      soup.points[n] = from;
    }
  }
  return soup;
}

}  // namespace sunder
