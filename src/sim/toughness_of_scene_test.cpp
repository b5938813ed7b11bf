#include "sim/toughness_of_scene.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "meshing/box_mesh.h"
#include "scene/read_scene.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;

// A folder with a square of two triangles at z = 0, painted from 0 at x = -1 to 200 at x = 1.
class ToughnessOfScene : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("sunder_toughness_" + std::to_string(getpid()));
    fs::create_directories(folder_);
    std::ofstream(folder_ / "square.ply")
        << "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
           "property uchar red\nelement face 2\nproperty list uchar int vertex_indices\nend_header\n"
           "-1 -1 0 0\n1 -1 0 200\n1 1 0 200\n-1 1 0 0\n3 0 1 2\n3 0 2 3\n";
  }
  void TearDown() override { fs::remove_all(folder_); }

  // What the first body bears, over its material's 10 N, across a plane.
  double factor(const std::string& tables, const Vec3& x, const Vec3& normal = Vec3::UnitX()) const {
    const Scene scene =
        read_scene({"[[body]]\nshape = { kind = \"box\", size = [2, 2, 2] }\nposition = [5, 0, 0]\n"
                    "material = { preset = \"glass\", toughness = 10 }\n" +
                        tables,
                    "s.toml", folder_, "s"});
    TetMesh mesh;
    TetSoup soup = box_mesh(Vec3(2, 2, 2), 1, 1);
    for (Vec3& p : soup.points) p += scene.bodies[0].position;
    mesh.append(soup, {});
    const ToughnessField field = toughness_fields(scene, mesh)[0];
    const Resistance r = field.at(1, x + scene.bodies[0].position, field.factors(0));
    return r.value / 10 * (r.planes ? r.planes->of(normal) : 1);
  }

  fs::path folder_;
};

TEST_F(ToughnessOfScene, PaintGoesOnInsideAndGivesThatPowerOfTheFactor) {
  const std::string table =
      "[[toughness]]\npattern = { kind = \"painted\", path = \"square.ply\", attribute = \"red\", full = 100 }\n"
      "factor = 0.16\n";
  EXPECT_NEAR(factor(table, Vec3(-1, 0.3, 0.2)), 1, 1e-12);
  EXPECT_NEAR(factor(table, Vec3(-0.5, 0.3, -0.4)), 0.4, 1e-9);
  EXPECT_NEAR(factor(table, Vec3(0.5, 0.3, 0)), 0.16, 1e-12) << "no more than the whole";
}

TEST_F(ToughnessOfScene, AnUnknownAttributeNamesThoseThatAreThere) {
  try {
    factor("[[toughness]]\npattern = { kind = \"painted\", path = \"square.ply\", attribute = \"rad\" }\nfactor = 1\n",
           Vec3::Zero());
    FAIL() << "must be refused";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("red"), std::string::npos) << error.what();
  }
}

TEST_F(ToughnessOfScene, PaintThatIsNoNumberIsRefusedWithItsVertex) {
  std::ofstream(folder_ / "holes.obj") << "v -1 -1 0 0 0 0\nv 1 -1 0 1 0 0\nv 0 1 0 1 0 0\nf 1 2 3\n";
  const std::string table =
      "[[toughness]]\nfactor = 0.25\npattern = { kind = \"painted\", attribute = \"red\", path = ";
  EXPECT_NEAR(factor(table + "\"holes.obj\" }\n", Vec3(0, -1, 0)), 0.5, 1e-12) << "colours of an .obj paint";
  std::ofstream(folder_ / "holes.ply")
      << "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
         "property float red\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
         "0 0 0 1\n1 0 0 nan\n0 1 0 1\n3 0 1 2\n";
  try {
    factor(table + "\"holes.ply\" }\n", Vec3::Zero());
    FAIL() << "must be refused";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("`red` of vertex 1 is no finite number"), std::string::npos)
        << error.what();
  }
}

TEST_F(ToughnessOfScene, ASurfaceWeakensThePlanesAlongIt) {
  const std::string table =
      "[[toughness]]\npattern = { kind = \"surface\", path = \"square.ply\", scale = 0.5, width = 0.2 }\n"
      "factor = 0.25\npull = 1\n";
  EXPECT_NEAR(factor(table, Vec3(0.2, 0.3, 0.09), Vec3::UnitZ()), 0.25, 1e-12);
  EXPECT_NEAR(factor(table, Vec3(0.2, 0.3, 0.09), Vec3::UnitX()), 1, 1e-12);
  EXPECT_NEAR(factor(table, Vec3(0.2, 0.3, 0.11), Vec3::UnitZ()), 1, 1e-12);
  EXPECT_NEAR(factor(table, Vec3(0.7, 0.3, 0), Vec3::UnitZ()), 1, 1e-12) << "beyond the surface, at half its size";
}

TEST_F(ToughnessOfScene, AJointIsWhereItsPartsMeet) {
  const Scene scene = read_scene(
      {"[[body]]\nposition = [0, 1, 0]\nmaterial = { preset = \"glass\", toughness = 10 }\n[body.shape]\n"
       "kind = \"union\"\nparts = [{ name = \"a\", shape = { kind = \"box\", size = [1, 1, 1] } }, "
       "{ name = \"b\", shape = { kind = \"box\", size = [1, 1, 1] }, position = [0.9, 0, 0] }]\n"
       "[[toughness]]\npattern = { kind = \"joint\", first = \"a\", second = \"b\", width = 0.1 }\nfactor = 0.1\n",
       "s.toml", "", "s"});
  TetMesh mesh;
  mesh.append(box_mesh(Vec3(2, 1, 1), 0.5, 1), {});
  const ToughnessField field = toughness_fields(scene, mesh)[0];
  const auto value = [&](double x) { return field.at(1, Vec3(x, 1, 0), field.factors(0)).value; };
  EXPECT_LT(value(0.46), 5);
  EXPECT_EQ(value(0.3), 10);
  EXPECT_EQ(value(0.6), 10);
}

TEST_F(ToughnessOfScene, BodiesHavePatternsOfTheirOwn) {
  const std::string body = "[[body]]\nshape = { kind = \"box\" }\nmaterial = { preset = \"glass\", toughness = 10 }\n";
  const Scene scene = read_scene(
      {body + body + "[[toughness]]\npattern = { kind = \"noise\", length = 0.1 }\nfactor = 0.1\n", "s.toml", "", "s"});
  TetMesh mesh;
  mesh.append(box_mesh(Vec3(1, 1, 1), 0.5, 1), {});
  mesh.append(box_mesh(Vec3(1, 1, 1), 0.5, 1), {.body = 1, .material = 1});
  const std::vector<ToughnessField> fields = toughness_fields(scene, mesh);
  const auto value = [&](std::size_t b) { return fields[b].at(1, Vec3(0.12, 0.2, 0.3), fields[b].factors(0)).value; };
  EXPECT_NE(value(0), value(1));
  EXPECT_EQ(value(0), toughness_fields(scene, mesh)[0].at(1, Vec3(0.12, 0.2, 0.3), fields[0].factors(0)).value);
}

}  // namespace
}  // namespace sunder
