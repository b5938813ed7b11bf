#include "fracture/subdivide.h"

namespace sunder {
namespace {

// Bit f: the place lies in the parent's face opposite corner f. A corner lies in the three faces it is not opposite
// of, a cut in the two that hold its edge.
constexpr std::array<std::uint8_t, 10> kFacesOfPlace = [] {
  std::array<std::uint8_t, 10> faces{};
  for (std::size_t corner = 0; corner < 4; ++corner) faces[corner] = static_cast<std::uint8_t>(0xf & ~(1u << corner));
  for (std::size_t e = 0; e < 6; ++e) {
    const auto& [a, b] = kTetEdges[e];
    faces[4 + e] = static_cast<std::uint8_t>(faces[static_cast<std::size_t>(a)] & faces[static_cast<std::size_t>(b)]);
  }
  return faces;
}();

std::int16_t common_face(TetPlace a, TetPlace b, TetPlace c) {
  const unsigned common = kFacesOfPlace[a] & kFacesOfPlace[b] & kFacesOfPlace[c];
  for (std::int16_t f = 0; f < 4; ++f) {
    if ((common >> f & 1u) != 0) return f;
  }
  return Subdivision::kInside;
}

}  // namespace

Subdivision subdivide(std::span<const std::uint8_t> cut_edges) {
  Subdivision result;
  result.children[0].corners = {0, 1, 2, 3};
  result.count = 1;
  for (const std::uint8_t edge : cut_edges) {
    const auto [a, b] = kTetEdges[edge];
    const auto cut = static_cast<TetPlace>(4 + edge);
    for (std::size_t t = 0, end = result.count; t < end; ++t) {
      std::array<TetPlace, 4>& corners = result.children[t].corners;
      // A child holds a corner of the parent, if at all, at that corner's own position.
      const auto at_a = static_cast<std::size_t>(a), at_b = static_cast<std::size_t>(b);
      if (corners[at_a] != at_a || corners[at_b] != at_b) continue;
      std::array<TetPlace, 4>& other = result.children[result.count++].corners;
      other = corners;
      corners[at_b] = cut;
      other[at_a] = cut;
    }
  }
  for (std::size_t t = 0; t < result.count; ++t) {
    Subdivision::Child& child = result.children[t];
    for (std::size_t i = 0; i < 4; ++i) {
      child.parent_face[i] =
          common_face(child.corners[(i + 1) % 4], child.corners[(i + 2) % 4], child.corners[(i + 3) % 4]);
    }
  }
  return result;
}

}  // namespace sunder
