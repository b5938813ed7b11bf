#pragma once

#include <cmath>
#include <vector>

#include "solvers/lattice_norton91/lattice_solver.h"

namespace sunder::lattice_norton91 {

// A grid of nx x ny x nz cubes of edge a, its lowest corner at the origin.
inline HexSoup grid(std::size_t nx, std::size_t ny, std::size_t nz, double a) {
  HexSoup soup;
  const auto point = [&](std::size_t i, std::size_t j, std::size_t k) {
    return static_cast<std::uint32_t>((k * (ny + 1) + j) * (nx + 1) + i);
  };
  for (std::size_t k = 0; k <= nz; ++k) {
    for (std::size_t j = 0; j <= ny; ++j) {
      for (std::size_t i = 0; i <= nx; ++i) {
        soup.points.push_back(a * Vec3(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)));
      }
    }
  }
  for (std::size_t k = 0; k < nz; ++k) {
    for (std::size_t j = 0; j < ny; ++j) {
      for (std::size_t i = 0; i < nx; ++i) {
        soup.cells.push_back({point(i, j, k), point(i + 1, j, k), point(i + 1, j + 1, k), point(i, j + 1, k),
                              point(i, j, k + 1), point(i + 1, j, k + 1), point(i + 1, j + 1, k + 1),
                              point(i, j + 1, k + 1)});
      }
    }
  }
  return soup;
}

inline LatticeBody body_of(HexSoup cells, BondPattern pattern = BondPattern::full) {
  LatticeBody body;
  body.name = "block";
  body.cells = std::move(cells);
  body.pattern = pattern;
  body.material = {.young = 1e6, .density = 1000, .threshold = 0, .scatter = 0, .damping = 0};
  return body;
}

// Alone in empty space, where it may vibrate as little as it likes.
inline LatticeSetup floating(LatticeBody body) {
  LatticeSetup setup;
  setup.bodies.push_back(std::move(body));
  setup.parameters.gravity = Vec3::Zero();
  setup.parameters.flight = false;
  return setup;
}

}  // namespace sunder::lattice_norton91
