#include "meshing/split_hinges.h"

#include <algorithm>
#include <numeric>

#include "core/disjoint_sets.h"
#include "mesh/face_table.h"

namespace sunder {
namespace {

// join(tet, tet, nodes of the face between them) for every inner face.
template <class Join>
void for_each_inner_face(const TetSoup& soup, Join&& join) {
  const std::vector<std::uint8_t> all(soup.tets.size(), 1);
  const std::vector<FaceEntry> faces = sorted_faces(soup.tets, all, soup.points.size());
  for_each_face(faces, [&](std::span<const FaceEntry> same) {
    if (same.size() == 2) join(same[0].tet(), same[1].tet(), same[0].nodes);
  });
}

}  // namespace

std::vector<std::uint32_t> split_hinges(TetSoup& soup) {
  // A slot is a corner of a tet; slots of one point are joined where tets share a face that holds it.
  DisjointSets slots(4 * soup.tets.size());
  const auto slot = [&](std::uint32_t tet, std::uint32_t point) {
    const auto& c = soup.tets[tet];
    return 4 * tet + static_cast<std::uint32_t>(std::find(c.begin(), c.end(), point) - c.begin());
  };
  for_each_inner_face(soup, [&](std::uint32_t a, std::uint32_t b, const std::array<std::uint32_t, 3>& nodes) {
    for (const std::uint32_t p : nodes) slots.join(slot(a, p), slot(b, p));
  });
  constexpr std::uint32_t none = 0xffffffffu;
  std::vector<std::uint32_t> first_root(soup.points.size(), none), copy_of(4 * soup.tets.size(), none), added;
  for (std::uint32_t s = 0; s < copy_of.size(); ++s) {
    std::uint32_t& p = soup.tets[s / 4][s % 4];
    const std::uint32_t root = slots.root(s);
    if (first_root[p] == none) first_root[p] = root;
    if (first_root[p] == root) continue;
    if (copy_of[root] == none) {
      copy_of[root] = static_cast<std::uint32_t>(soup.points.size());
      const Vec3 here = soup.points[p];
      soup.points.push_back(here);
      added.push_back(p);
    }
    p = copy_of[root];
  }
  return added;
}

std::vector<std::uint32_t> soup_pieces(const TetSoup& soup, std::size_t& count) {
  DisjointSets tets(soup.tets.size());
  for_each_inner_face(soup, [&](std::uint32_t a, std::uint32_t b, const auto&) { tets.join(a, b); });
  std::vector<std::uint32_t> piece(soup.tets.size());
  count = 0;
  for (std::uint32_t t = 0; t < piece.size(); ++t) {
    const std::uint32_t root = tets.root(t);
    piece[t] = root == t ? static_cast<std::uint32_t>(count++) : piece[root];
  }
  return piece;
}

}  // namespace sunder
