#pragma once
// Which triangles of a surface share an edge.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sunder {

class SurfaceEdges {
 public:
  explicit SurfaceEdges(std::span<const std::array<std::uint32_t, 3>> triangles);

  struct Neighbour {
    std::uint32_t triangle = 0xffffffffu;  // none at a border, and where more than two triangles meet
    bool agrees = true;                    // the two walk their edge in opposite directions
  };
  // Side i runs from corner i to corner i + 1.
  Neighbour neighbour(std::uint32_t triangle, int side) const {
    return neighbours_[3 * static_cast<std::size_t>(triangle) + static_cast<std::size_t>(side)];
  }
  std::size_t open_edges() const { return open_edges_; }  // of one triangle only

 private:
  std::vector<Neighbour> neighbours_;
  std::size_t open_edges_ = 0;
};

}  // namespace sunder
