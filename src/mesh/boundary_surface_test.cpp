#include "mesh/boundary_surface.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <map>

#include "geometry/tetrahedron.h"
#include "mesh/kuhn_grid.h"
#include "mesh/soup_boundary.h"

namespace sunder {
namespace {

TEST(BoundarySurface, IsClosedAndEnclosesTheTets) {
  const TetSoup soup = kuhn_grid(3, 3, 3);  // with points inside
  const TriangleMesh surface = boundary_surface(soup);
  EXPECT_LT(surface.points.size(), soup.points.size());
  EXPECT_EQ(surface.triangles.size(), 6u * 9 * 2);
  double volume = 0;
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> sides;
  for (const auto& t : surface.triangles) {
    volume += surface.points[t[0]].dot(surface.points[t[1]].cross(surface.points[t[2]])) / 6;
    for (std::size_t k = 0; k < 3; ++k) {
      ++sides[{t[k], t[(k + 1) % 3]}];
      --sides[{t[(k + 1) % 3], t[k]}];
    }
  }
  double expected = 0;
  for (const auto& t : soup.tets) {
    expected += signed_volume({soup.points[t[0]], soup.points[t[1]], soup.points[t[2]], soup.points[t[3]]});
  }
  EXPECT_NEAR(volume, expected, 1e-12 * expected);
  for (const auto& [edge, count] : sides) EXPECT_EQ(count, 0);
  EXPECT_TRUE(surface.groups.empty() && surface.uvs.empty() && surface.normals.empty());
}

TEST(BoundarySurface, CarriesTheSkin) {
  TetSoup soup = kuhn_grid(1, 1, 1);
  soup.part_names = {"rim"};
  const SoupFace face = soup_boundary(soup)[2];
  FaceSkin skin;
  skin.normals = {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
  soup.skin = {{face.tet, static_cast<std::uint32_t>(face.corner), skin}};
  const TriangleMesh surface = boundary_surface(soup);
  EXPECT_EQ(surface.group_names, (std::vector<std::string>{"rim", "outside"}));
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    EXPECT_EQ(surface.groups[t], t == 2 ? 0u : 1u);
    EXPECT_EQ(surface.normals[t][1], t == 2 ? Vec3(0, 1, 0) : Vec3(0, 0, 0));
  }
  EXPECT_TRUE(surface.uvs.empty());
}

}  // namespace
}  // namespace sunder
