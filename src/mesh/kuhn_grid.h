#pragma once
// Six tets a cube, after Kuhn: the plainest conforming mesh, for tests.

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/vec.h"
#include "mesh/tet_soup.h"

namespace sunder {

// Unit cubes from the origin; node (i, j, k) has the index (k (ny + 1) + j) (nx + 1) + i, cube after cube has its six
// tets, which all share the long diagonal.
inline TetSoup kuhn_grid(std::uint32_t nx, std::uint32_t ny, std::uint32_t nz) {
  TetSoup soup;
  for (std::uint32_t k = 0; k <= nz; ++k) {
    for (std::uint32_t j = 0; j <= ny; ++j) {
      for (std::uint32_t i = 0; i <= nx; ++i) soup.points.emplace_back(i, j, k);
    }
  }
  const auto node = [&](const std::array<std::uint32_t, 3>& c) { return (c[2] * (ny + 1) + c[1]) * (nx + 1) + c[0]; };
  for (std::uint32_t k = 0; k < nz; ++k) {
    for (std::uint32_t j = 0; j < ny; ++j) {
      for (std::uint32_t i = 0; i < nx; ++i) {
        // One tet for each order in which a path from corner to corner takes the axes.
        std::array<std::size_t, 3> axes = {0, 1, 2};
        do {
          std::array<std::uint32_t, 3> c = {i, j, k};
          std::array<std::uint32_t, 4> tet = {node(c)};
          for (std::size_t step = 0; step < 3; ++step) {
            ++c[axes[step]];
            tet[step + 1] = node(c);
          }
          const bool odd = (axes[0] > axes[1]) != ((axes[0] > axes[2]) != (axes[1] > axes[2]));
          if (odd) std::swap(tet[2], tet[3]);
          soup.tets.push_back(tet);
        } while (std::next_permutation(axes.begin(), axes.end()));
      }
    }
  }
  return soup;
}

}  // namespace sunder
