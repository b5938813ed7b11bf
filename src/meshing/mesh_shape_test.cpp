#include "meshing/mesh_shape.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "core/error.h"
#include "core/files.h"
#include "mesh/quality.h"
#include "mesh/validate.h"
#include "meshing/box_mesh.h"
#include "meshing/renumber.h"

namespace sunder {
namespace {

// A file in Medit's format that is gone at the end of the test.
class MeditFile {
 public:
  explicit MeditFile(const std::string& tetrahedra)
      : path_(std::filesystem::temp_directory_path() /
              ("sunder_mesh_shape_test_" + std::to_string(::getpid()) + ".mesh")) {
    write_file_atomically(path_,
                          "MeshVersionFormatted 2\nDimension 3\nVertices\n5\n"
                          "0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 -1 0\n" +
                              tetrahedra + "End\n");
  }
  ~MeditFile() { std::filesystem::remove(path_); }
  MeditFile(const MeditFile&) = delete;
  MeditFile& operator=(const MeditFile&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

TEST(MeshShape, MakesBoxesAndBallsThatAreNumberedForLocality) {
  const TetSoup box = mesh_shape(BoxShape{Vec3(1, 0.5, 0.25)}, 0.1, 3);
  require_valid_soup(box, "box");
  EXPECT_NEAR(mesh_quality(box).volume, 0.125, 1e-14);
  const TetSoup expected = renumbered(box_mesh(Vec3(1, 0.5, 0.25), 0.1, 3));
  EXPECT_EQ(box.points, expected.points);
  EXPECT_EQ(box.tets, expected.tets);
  EXPECT_EQ(box.tets[0], (std::array<std::uint32_t, 4>{0, 1, 2, 3}));

  const TetSoup ball = mesh_shape(SphereShape{0.5}, 0.1, 3);
  require_valid_soup(ball, "ball");
  EXPECT_NEAR(mesh_quality(ball).upper[0], 0.5, 0.02);
  EXPECT_EQ(ball.tets[0], (std::array<std::uint32_t, 4>{0, 1, 2, 3}));
}

TEST(MeshShape, AFileIsScaledAndKept) {
  const MeditFile file("Tetrahedra\n2\n1 2 3 4 0\n1 3 2 5 0\n");
  const MeshQuality q = mesh_quality(mesh_shape(FileShape{file.path(), 2}, 0.1, 3));
  EXPECT_EQ(q.tets, 2u);
  EXPECT_NEAR(q.volume, 8.0 / 3, 1e-14);
  EXPECT_EQ(q.lower, Vec3(0, 0, -2));
  EXPECT_EQ(q.upper, Vec3(2, 2, 2));
}

TEST(MeshShape, ABadFileIsRefusedByName) {
  const MeditFile file("Tetrahedra\n1\n1 2 2 4 0\n");
  try {
    mesh_shape(FileShape{file.path(), 1}, 0.1, 3);
    FAIL() << "it was let through";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(file.path().string()), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace sunder
