#pragma once
// A prism over a triangle, cut into three tets.

#include <array>
#include <cstdint>
#include <utility>

namespace sunder {

struct PrismNode {
  std::uint32_t vertex;  // of the triangle, by its number in the sheet
  bool high;             // at the upper end
};

// The triangle runs counter-clockwise seen from above. The diagonal of each side starts low at the vertex with the
// lower rank, which the prism on the other side knows too; ranks are without cycles, so every prism can be cut.
template <class Rank>
std::array<std::array<PrismNode, 4>, 3> cut_prism(const std::array<std::uint32_t, 3>& triangle, const Rank& rank) {
  auto [a, b, c] = triangle;
  bool odd = false;  // an odd order turns the tets inside out, which swapping two corners undoes
  const auto order = [&](std::uint32_t& p, std::uint32_t& q) {
    if (rank(q) < rank(p)) {
      std::swap(p, q);
      odd = !odd;
    }
  };
  order(a, b);
  order(b, c);
  order(a, b);
  constexpr bool low = false, high = true;
  std::array<std::array<PrismNode, 4>, 3> tets = {{{{{a, low}, {b, low}, {c, low}, {c, high}}},
                                                   {{{a, low}, {b, low}, {c, high}, {b, high}}},
                                                   {{{a, low}, {a, high}, {b, high}, {c, high}}}}};
  if (odd) {
    for (auto& tet : tets) std::swap(tet[2], tet[3]);
  }
  return tets;
}

}  // namespace sunder
