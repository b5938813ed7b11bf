#include "spatial/tet_tree.h"

#include <algorithm>
#include <numeric>

#include "geometry/tetrahedron.h"

namespace sunder {
namespace {

constexpr double kRoundOff = 1e-9;  // of a tet's size; neighbours agree within that on their common face

TetCorners corners(const TetSoup& soup, std::uint32_t tet) {
  const auto& c = soup.tets[tet];
  return {soup.points[c[0]], soup.points[c[1]], soup.points[c[2]], soup.points[c[3]]};
}

}  // namespace

TetTree::TetTree(const TetSoup& soup) : soup_(soup) {
  std::vector<std::uint32_t> tets(soup.tets.size());
  std::iota(tets.begin(), tets.end(), 0u);
  std::vector<Bounds> boxes(tets.size());
  Bounds all;
  for (const std::uint32_t t : tets) {
    for (const Vec3& x : corners(soup, t)) boxes[t].add(x);
    all.add(boxes[t]);
  }
  if (!tets.empty()) round_off_ = kRoundOff * all.extent().norm();
  boxes_.build(tets, boxes);
}

std::optional<TetTree::Holder> TetTree::holder(const Vec3& x) const {
  std::optional<Holder> found;
  boxes_.for_each_meeting(Bounds{x, x}.grown(round_off_), [&](std::uint32_t tet) {
    if (found && found->tet < tet) return;
    const auto weights = barycentric_coordinates(corners(soup_, tet), x);
    if (weights && *std::min_element(weights->begin(), weights->end()) >= -kRoundOff) found = Holder{tet, *weights};
  });
  return found;
}

}  // namespace sunder
