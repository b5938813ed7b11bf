#include "mesh/soup_boundary.h"

#include <algorithm>

#include "geometry/tetrahedron.h"
#include "mesh/face_table.h"

namespace sunder {

std::vector<SoupFace> soup_boundary(const TetSoup& soup) {
  const std::vector<std::uint8_t> all(soup.tets.size(), 1);
  const std::vector<FaceEntry> entries = sorted_faces(soup.tets, all, soup.points.size());
  std::vector<SoupFace> faces;
  for_each_face(entries, [&](std::span<const FaceEntry> same) {
    if (same.size() != 1) return;
    const FaceEntry& entry = same[0];
    SoupFace face{{}, entry.tet(), entry.corner()};
    const auto& local = kTetFaces[static_cast<std::size_t>(entry.corner())];
    for (std::size_t k = 0; k < 3; ++k) face.points[k] = soup.tets[face.tet][static_cast<std::size_t>(local[k])];
    faces.push_back(face);
  });
  std::sort(faces.begin(), faces.end(),
            [](const SoupFace& a, const SoupFace& b) { return a.tet != b.tet ? a.tet < b.tet : a.corner < b.corner; });
  return faces;
}

}  // namespace sunder
