#include "bench/bodies.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/random.h"
#include "meshing/box_mesh.h"

namespace sunder::bench {
namespace {

std::vector<std::uint32_t> shuffled_order(std::size_t count, std::uint64_t seed) {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0u);
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random_bits(seed, i) % i]);
  return order;
}

}  // namespace

TetSoup bench_soup(double tets, bool shuffled) {
  const double cell = std::cbrt(12 / tets);  // of a unit cube, 12 tets a cell
  TetSoup soup = box_mesh(Vec3::Ones(), 0.93 * cell, 1);
  if (!shuffled) return soup;
  TetSoup mixed;
  const auto points = shuffled_order(soup.points.size(), 1), order = shuffled_order(soup.tets.size(), 2);
  mixed.points.resize(soup.points.size());
  for (std::size_t i = 0; i < points.size(); ++i) mixed.points[points[i]] = soup.points[i];
  for (const auto t : order) {
    auto tet = soup.tets[t];
    for (auto& n : tet) n = points[n];
    mixed.tets.push_back(tet);
  }
  return mixed;
}

tet_oh99::TetSetup bench_setup(const TetSoup& soup, const BenchMaterial& m) {
  tet_oh99::TetSetup setup;
  setup.mesh.append(soup, {});
  setup.body_names = {"body"};
  Material material;
  material.lambda = m.lambda, material.mu = m.mu, material.phi = m.phi, material.psi = m.psi;
  material.density = m.density;
  setup.materials.push_back(tet_oh99::isotropic_material(material));
  for (std::size_t i = 0; i < soup.points.size(); ++i) {
    setup.state.position.push_back(soup.points[i]);
    setup.state.velocity.push_back(0.05 *
                                   Vec3(std::sin(20 * soup.points[i].y()), std::sin(20 * soup.points[i].z()), 0));
  }
  return setup;
}

}  // namespace sunder::bench
