#pragma once
// A hierarchy of boxes over tetrahedra that do not move, which finds the one that holds a point.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/vec.h"
#include "mesh/tet_soup.h"
#include "spatial/box_tree.h"

namespace sunder {

class TetTree {
 public:
  // The soup must live as long as this, and its points stay where they are.
  explicit TetTree(const TetSoup& soup);

  struct Holder {
    std::uint32_t tet;
    std::array<double, 4> weights;  // of its corners; they add up to 1
  };
  // Points that lie outside by no more than round-off are held too. Of several tets, the one with the lowest number.
  std::optional<Holder> holder(const Vec3& x) const;

 private:
  const TetSoup& soup_;
  BoxTree boxes_;
  double round_off_ = 0;  // m
};

}  // namespace sunder
