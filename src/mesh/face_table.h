#pragma once
// All faces of a list of tets, equal ones side by side: adjacency from nothing but the corners.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sunder {

struct FaceEntry {
  std::array<std::uint32_t, 3> nodes;  // ascending
  std::uint32_t slot;                  // 4 * tet + opposite corner
  bool odd;                            // whether sorting the outward order of the nodes was an odd permutation

  std::uint32_t tet() const { return slot / 4; }
  int corner() const { return static_cast<int>(slot % 4); }
};

// The faces of the tets for which `usable` is not 0, sorted by nodes, then by slot. Corners must be below node_count.
// Linear in the number of tets as long as no node has very many.
std::vector<FaceEntry> sorted_faces(std::span<const std::array<std::uint32_t, 4>> tets,
                                    std::span<const std::uint8_t> usable, std::size_t node_count);

// Calls group(first, last) for every run of entries with the same nodes.
template <class Group>
void for_each_face(std::span<const FaceEntry> faces, Group&& group) {
  for (std::size_t begin = 0, end = 0; begin < faces.size(); begin = end) {
    while (end < faces.size() && faces[end].nodes == faces[begin].nodes) ++end;
    group(faces.subspan(begin, end - begin));
  }
}

}  // namespace sunder
