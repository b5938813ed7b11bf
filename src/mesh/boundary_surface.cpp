#include "mesh/boundary_surface.h"

#include <unordered_map>

#include "mesh/soup_boundary.h"

namespace sunder {

TriangleMesh boundary_surface(const TetSoup& soup) {
  const std::vector<SoupFace> faces = soup_boundary(soup);
  std::vector<std::uint8_t> used(soup.points.size(), 0);
  for (const SoupFace& face : faces) {
    for (const std::uint32_t p : face.points) used[p] = 1;
  }
  TriangleMesh surface;
  std::vector<std::uint32_t> number(soup.points.size(), 0);
  for (std::size_t p = 0; p < used.size(); ++p) {
    if (used[p] == 0) continue;
    number[p] = static_cast<std::uint32_t>(surface.points.size());
    surface.points.push_back(soup.points[p]);
  }
  for (const SoupFace& face : faces) {
    surface.triangles.push_back({number[face.points[0]], number[face.points[1]], number[face.points[2]]});
  }

  SkinContents contents;
  std::unordered_map<std::uint64_t, const FaceSkin*> skins;  // by 4 * tet + face
  for (const SkinFace& face : soup.skin) {
    contents.add(face.skin);
    skins[4 * std::uint64_t{face.tet} + face.face] = &face.skin;
  }
  if (soup.skin.empty()) return surface;
  surface.group_names = soup.part_names;
  const FaceSkin nothing{part_index(surface.group_names, "outside")};
  for (const SoupFace& face : faces) {
    const auto found = skins.find(4 * std::uint64_t{face.tet} + static_cast<std::uint64_t>(face.corner));
    const FaceSkin& skin = found == skins.end() ? nothing : *found->second;
    surface.groups.push_back(skin.part);
    if (contents.uv) surface.uvs.push_back(skin.uv);
    if (contents.normals) surface.normals.push_back(skin.normals);
  }
  return surface;
}

}  // namespace sunder
