#include "mesh/face_table.h"

#include <algorithm>
#include <utility>

#include "geometry/tetrahedron.h"

namespace sunder {
namespace {

FaceEntry face_entry(const std::array<std::uint32_t, 4>& corners, std::uint32_t tet, std::uint32_t opposite) {
  const auto& local = kTetFaces[opposite];
  FaceEntry face{{}, 4 * tet + opposite, false};
  for (std::size_t k = 0; k < 3; ++k) face.nodes[k] = corners[static_cast<std::size_t>(local[k])];
  const auto order = [&](std::size_t i, std::size_t j) {
    if (face.nodes[j] >= face.nodes[i]) return;
    std::swap(face.nodes[i], face.nodes[j]);
    face.odd = !face.odd;
  };
  order(0, 1);
  order(1, 2);
  order(0, 1);
  return face;
}

}  // namespace

std::vector<FaceEntry> sorted_faces(std::span<const std::array<std::uint32_t, 4>> tets,
                                    std::span<const std::uint8_t> usable, std::size_t node_count) {
  // One bucket for each smallest node, then a sort of the few faces in each bucket.
  std::vector<std::size_t> bucket_end(node_count + 1, 0);
  const auto for_each_entry = [&](auto&& use) {
    for (std::uint32_t t = 0; t < tets.size(); ++t) {
      if (usable[t] == 0) continue;
      for (std::uint32_t i = 0; i < 4; ++i) use(face_entry(tets[t], t, i));
    }
  };
  for_each_entry([&](const FaceEntry& face) { ++bucket_end[face.nodes[0] + 1]; });
  for (std::size_t n = 0; n < node_count; ++n) bucket_end[n + 1] += bucket_end[n];
  std::vector<FaceEntry> faces(bucket_end[node_count]);
  // bucket_end[n] is where bucket n begins until it is filled, and where it ends afterwards.
  for_each_entry([&](const FaceEntry& face) { faces[bucket_end[face.nodes[0]]++] = face; });
  std::size_t begin = 0;
  for (std::size_t n = 0; n < node_count; ++n) {
    std::sort(faces.begin() + static_cast<std::ptrdiff_t>(begin),
              faces.begin() + static_cast<std::ptrdiff_t>(bucket_end[n]), [](const FaceEntry& a, const FaceEntry& b) {
                return a.nodes != b.nodes ? a.nodes < b.nodes : a.slot < b.slot;
              });
    begin = bucket_end[n];
  }
  return faces;
}

}  // namespace sunder
