#include "meshfile/write_mesh.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>

#include "core/error.h"
#include "core/files.h"
#include "mesh/kuhn_grid.h"
#include "mesh/soup_boundary.h"
#include "meshfile/read_tets.h"
#include "meshfile/tet_formats.h"
#include "meshfile/vtu.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;

class WriteMesh : public ::testing::Test {
 protected:
  fs::path file(const std::string& ending) {
    files_.push_back(fs::temp_directory_path() / ("sunder_write_mesh_" + std::to_string(::getpid()) + ending));
    return files_.back();
  }
  void TearDown() override {
    for (const fs::path& path : files_) fs::remove(path);
  }

 private:
  std::vector<fs::path> files_;
};

TetSoup with_skin() {
  TetSoup soup = kuhn_grid(2, 1, 1);
  soup.part_names = {"a", "b"};
  soup.skin = {{1, 2, {1, {Vec2(0.25, 0), Vec2(1, 0), Vec2(0, 0.5)}}}};
  return soup;
}

// Every boundary face with numbers of its own that a float holds.
TetSoup with_rich_skin() {
  TetSoup soup = kuhn_grid(2, 1, 1);
  soup.part_names = {"clay body", "", "glaze\u00fc"};
  std::uint32_t number = 0;
  for (const SoupFace& face : soup_boundary(soup)) {
    FaceSkin skin;
    skin.part = ++number % 3;
    skin.source = 1000 * number;
    for (std::size_t k = 0; k < 3; ++k) {
      skin.uv[k] = Vec2(number, -0.125 * static_cast<double>(k));
      skin.normals[k] = Vec3::Unit(static_cast<int>((number + k) % 3));
    }
    soup.skin.push_back({face.tet, static_cast<std::uint32_t>(face.corner), skin});
  }
  return soup;
}

TEST_F(WriteMesh, TetsReadBackFromEveryFormat) {
  for (const char* ending : {".vtu", ".mesh"}) {
    const fs::path path = file(ending);
    write_mesh(path, with_skin());
    const TetSoup back = read_tets(path);
    EXPECT_EQ(back.points, with_skin().points);
    EXPECT_EQ(back.tets, with_skin().tets);
  }
}

TEST_F(WriteMesh, AVtuCarriesPartsAndTextureCoordinates) {
  const fs::path path = file(".vtu");
  write_mesh(path, with_skin());
  const VtuGrid grid = read_vtu(read_file(path), path.string());
  const auto& parts = std::get<std::vector<std::uint8_t>>(grid.find_cell_data("parts")->values);
  const auto& uv = std::get<std::vector<float>>(grid.find_cell_data("uv")->values);
  ASSERT_EQ(parts.size(), 4 * 12u);
  ASSERT_EQ(uv.size(), 24 * 12u);
  for (std::size_t i = 0; i < parts.size(); ++i) EXPECT_EQ(parts[i], i == 4 + 2 ? 2 : 0);
  EXPECT_EQ(uv[24 + 12], 0.25f);
  EXPECT_EQ(uv[24 + 12 + 2], 1.0f);
  EXPECT_EQ(uv[24 + 12 + 5], 0.5f);
}

TEST_F(WriteMesh, TheSkinReadsBackFromAVtu) {
  const fs::path path = file(".vtu");
  const TetSoup soup = with_rich_skin();
  write_mesh(path, soup);
  const TetSoup back = read_tets(path);
  ASSERT_EQ(back.skin.size(), soup.skin.size());
  for (std::size_t i = 0; i < soup.skin.size(); ++i) {
    FaceSkin wanted = soup.skin[i].skin, found = back.skin[i].skin;
    EXPECT_EQ(back.part_names[found.part], soup.part_names[wanted.part]);
    wanted.part = found.part = 0;  // parts are numbered as they come
    EXPECT_EQ(found, wanted);
    EXPECT_EQ(back.skin[i].tet, soup.skin[i].tet);
    EXPECT_EQ(back.skin[i].face, soup.skin[i].face);
  }
}

TEST_F(WriteMesh, AForeignSkinIsLookedAtBeforeItIsTaken) {
  const fs::path path = file(".vtu");
  write_mesh(path, with_rich_skin());
  const auto read = [&](const std::function<void(VtuGrid&)>& change) {
    VtuGrid grid = read_vtu(read_file(path), path.string());
    change(grid);
    return read_vtu_tets(vtu_text(grid), "changed.vtu");
  };
  const auto array = [](VtuGrid& grid, std::string_view name) -> VtuArray& {
    return *std::find_if(grid.cell_data.begin(), grid.cell_data.end(), [&](const auto& a) { return a.name == name; });
  };
  const std::size_t faces = with_rich_skin().skin.size();

  // Another program's `parts`.
  EXPECT_TRUE(read([&](VtuGrid& g) { array(g, "parts") = {"parts", 1, std::vector<double>(12)}; }).skin.empty());
  // Names for nothing, numbers without a name, faces inside, and numbers that are none.
  TetSoup soup = read([&](VtuGrid& g) {
    g.field_data.clear();
    array(g, "parts").values = std::vector<std::uint8_t>(48, 255);
    array(g, "uv").values = std::vector<float>(12 * 24, std::nanf(""));
    array(g, "normals").values = std::vector<float>(12 * 36, std::numeric_limits<float>::infinity());
  });
  ASSERT_EQ(soup.skin.size(), faces);
  EXPECT_EQ(soup.part_names, std::vector<std::string>{"part 255"});
  for (const SkinFace& face : soup.skin) {
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(face.skin.uv[k], Vec2(0, 0));
      EXPECT_EQ(face.skin.normals[k], Vec3(0, 0, 0));
    }
  }
  // A tet that had to be turned round.
  soup = read([&](VtuGrid& g) { std::swap(g.connectivity[0], g.connectivity[1]); });
  EXPECT_LT(soup.skin.size(), faces);
  for (const SkinFace& face : soup.skin) EXPECT_NE(face.tet, 0u);
}

TEST_F(WriteMesh, HexahedraAreVtkCellsOfTypeTwelve) {
  HexSoup soup;
  for (const double z : {0.0, 1.0}) {
    for (const Vec2& x : {Vec2(0, 0), Vec2(1, 0), Vec2(1, 1), Vec2(0, 1)}) soup.points.emplace_back(x.x(), x.y(), z);
  }
  soup.cells = {{0, 1, 2, 3, 4, 5, 6, 7}};
  const fs::path path = file(".vtu");
  write_mesh(path, soup);
  const VtuGrid grid = read_vtu(read_file(path), path.string());
  EXPECT_EQ(grid.types, std::vector<std::uint8_t>{12});
  EXPECT_EQ(grid.connectivity.size(), 8u);
}

TEST_F(WriteMesh, OtherEndingsAreRefused) {
  EXPECT_THROW(write_mesh("x.stl", with_skin()), UsageError);
  EXPECT_THROW(write_mesh("x.mesh", HexSoup{}), UsageError);
}

}  // namespace
}  // namespace sunder
