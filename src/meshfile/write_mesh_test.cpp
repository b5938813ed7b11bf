#include "meshfile/write_mesh.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "core/error.h"
#include "core/files.h"
#include "mesh/kuhn_grid.h"
#include "meshfile/read_tets.h"
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
  soup.skin = {{1, 2, 1, {Vec2(0.25, 0), Vec2(1, 0), Vec2(0, 0.5)}}};
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
