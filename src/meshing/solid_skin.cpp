#include "meshing/solid_skin.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "geometry/tetrahedron.h"
#include "mesh/face_table.h"

namespace sunder {
namespace {

// face(tet, corner, its three points) for every face with nothing behind it, in the order of tets.
template <class Face>
void for_each_boundary_face(const TetSoup& soup, const Face& face) {
  const std::vector<std::uint8_t> usable(soup.tets.size(), 1);
  std::vector<std::uint32_t> slots;
  const std::vector<FaceEntry> faces = sorted_faces(soup.tets, usable, soup.points.size());
  for_each_face(faces, [&](std::span<const FaceEntry> same) {
    if (same.size() == 1) slots.push_back(same[0].slot);
  });
  std::sort(slots.begin(), slots.end());
  for (const std::uint32_t slot : slots) {
    std::array<Vec3, 3> x;
    for (std::size_t i = 0; i < 3; ++i) {
      x[i] = soup.points[soup.tets[slot / 4][static_cast<std::size_t>(kTetFaces[slot % 4][i])]];
    }
    face(slot / 4, slot % 4, x);
  }
}

}  // namespace

void add_box_skin(TetSoup& soup, const Vec3& size) {
  soup.part_names = {"left", "right", "bottom", "top", "back", "front"};
  for_each_boundary_face(soup, [&](std::uint32_t tet, std::uint32_t corner, const std::array<Vec3, 3>& x) {
    const Vec3 middle = ((x[0] + x[1] + x[2]) / 3).cwiseQuotient(size / 2);
    int axis = 0;
    middle.cwiseAbs().maxCoeff(&axis);
    const int i = (axis + 1) % 3, j = (axis + 2) % 3;
    FaceSkin skin{static_cast<std::uint32_t>(2 * axis + (middle[axis] > 0 ? 1 : 0))};
    for (std::size_t k = 0; k < 3; ++k) skin.uv[k] = Vec2(x[k][i] / size[i] + 0.5, x[k][j] / size[j] + 0.5);
    soup.skin.push_back({tet, corner, skin});
  });
}

void add_round_skin(TetSoup& soup) {
  double low = 0, high = 0;
  for (const Vec3& p : soup.points) {
    low = std::min(low, p.y());
    high = std::max(high, p.y());
  }
  soup.part_names = {"surface"};
  for_each_boundary_face(soup, [&](std::uint32_t tet, std::uint32_t corner, const std::array<Vec3, 3>& x) {
    FaceSkin skin;
    for (std::size_t k = 0; k < 3; ++k) {
      skin.uv[k] = Vec2(std::atan2(x[k].x(), x[k].z()) / (2 * std::numbers::pi), (x[k].y() - low) / (high - low));
    }
    std::size_t pole = 0;  // on the axis u has no meaning
    while (pole < 3 && std::hypot(x[pole].x(), x[pole].z()) > 1e-9 * (high - low)) ++pole;
    const double near = skin.uv[pole == 0 ? 1 : 0].x();
    for (Vec2& uv : skin.uv) uv.x() -= std::round(uv.x() - near);  // no jump at the seam
    if (pole < 3) skin.uv[pole].x() = (skin.uv[(pole + 1) % 3].x() + skin.uv[(pole + 2) % 3].x()) / 2;
    soup.skin.push_back({tet, corner, skin});
  });
}

}  // namespace sunder
