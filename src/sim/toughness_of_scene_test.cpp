#include "sim/toughness_of_scene.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include "frame/frame.h"
#include "meshfile/meshfile_testing.h"
#include "meshfile/vtk_cells.h"
#include "meshing/box_mesh.h"
#include "scene/read_scene.h"
#include "sim/build.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;
using meshfile_testing::problem_of;

// A folder with a square of two triangles at z = 0, painted from 0 at x = -1 to 200 / 255 at x = 1.
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
      "[[toughness]]\npattern = { kind = \"painted\", path = \"square.ply\", attribute = \"red\", full = "
      "0.39215686274509803 }\n"
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

// The cube from -1 to 1 as five-and-more tets, with numbers at its points and one point that no tet uses.
VtuGrid painted_cube() {
  TetSoup soup = box_mesh(Vec3(2, 2, 2), 1, 1);
  VtuGrid grid;
  grid.points = {Vec3(9, 9, 9)};
  grid.points.insert(grid.points.end(), soup.points.begin(), soup.points.end());
  for (const auto& tet : soup.tets) {
    for (const std::uint32_t corner : tet) grid.connectivity.push_back(corner + 1);
    grid.offsets.push_back(static_cast<std::int64_t>(grid.connectivity.size()));
  }
  grid.types.assign(soup.tets.size(), kVtkTetra);
  std::vector<float> wear;
  std::vector<double> colour;
  for (const Vec3& p : grid.points) {  // linear, so that interpolation is exact
    wear.push_back(static_cast<float>(25 * (1 + p.x()) * 2));
    colour.insert(colour.end(), {0.0, (1 + p.z()) / 2, 1.0});
  }
  grid.point_data = {{"wear", 1, wear}, {"colour", 3, colour}};
  return grid;
}

TEST_F(ToughnessOfScene, PaintOfAVolumeIsInterpolatedInItsTets) {
  std::ofstream(folder_ / "cube.vtu") << vtu_text(painted_cube());
  const std::string table =
      "[[toughness]]\nfactor = 0.16\npattern = { kind = \"painted\", path = \"cube.vtu\", attribute = ";
  const std::string wear = table + "\"wear\", full = 100 }\n";
  EXPECT_NEAR(factor(wear, Vec3(-1, 0.3, 0.2)), 1, 1e-6);
  EXPECT_NEAR(factor(wear, Vec3(0, 0.3, -0.4)), 0.4, 1e-6) << "deep inside";
  EXPECT_NEAR(factor(wear, Vec3(1, 0.3, 0)), 0.16, 1e-6);
  EXPECT_NEAR(factor(wear, Vec3(0, 1.4, 0)), 0.4, 1e-6) << "beyond the tets the nearest point of their surface counts";
  EXPECT_NEAR(factor(table + "\"colour[1]\" }\n", Vec3(0.7, 0.1, 0)), 0.4, 1e-6) << "one of several components";
}

TEST_F(ToughnessOfScene, ABodyThatIsAVolumeIsPaintedByItsOwnFile) {
  std::ofstream(folder_ / "cube.vtu") << vtu_text(painted_cube());
  const Scene scene =
      read_scene({"[[body]]\nshape = { kind = \"file\", path = \"cube.vtu\", scale = 0.5, up = \"z\" }\n"
                  "position = [0, 3, 0]\nrotation = [0, 90, 0]\nmaterial = { preset = \"glass\", toughness = 10 }\n"
                  "[[toughness]]\nfactor = 0.16\npattern = { kind = \"painted\", attribute = \"wear\", full = 100 }\n",
                  "s.toml", folder_, "s"});
  BuiltRun run = build_run(scene);
  Frame frame;
  run.solver->prepare_frame();
  run.solver->snapshot(frame);
  TetMesh mesh;
  TetSoup soup;
  soup.points = frame.rest;
  for (const auto& tet : frame.tets) soup.tets.push_back(tet);
  mesh.append(soup, {});
  const ToughnessField field = toughness_fields(scene, mesh)[0];
  for (const Vec3& node : frame.rest) {  // the file's x, -1 to 1, is the world's -z, 0.5 to -0.5
    const double wear = 25 * (1 - 2 * node.z()) * 2;
    EXPECT_NEAR(field.at(1, node, field.factors(0)).value, 10 * std::pow(0.16, wear / 100), 1e-5);
  }
}

TEST_F(ToughnessOfScene, WhatIsWrongWithPaintOfAVolumeIsSaid) {
  const auto problem = [&](const VtuGrid& grid, const std::string& attribute) {
    std::ofstream(folder_ / "cube.vtu") << vtu_text(grid);
    return problem_of([&] {
      factor("[[toughness]]\nfactor = 0.16\npattern = { kind = \"painted\", path = \"cube.vtu\", attribute = \"" +
                 attribute + "\" }\n",
             Vec3::Zero());
    });
  };
  const VtuGrid good = painted_cube();
  EXPECT_NE(problem(good, "waer").find("did you mean `wear`"), std::string::npos) << problem(good, "waer");
  VtuGrid bare = good;
  bare.point_data.clear();
  EXPECT_NE(problem(bare, "wear").find("point data"), std::string::npos) << problem(bare, "wear");
  VtuGrid infinite = good;
  std::get<std::vector<float>>(infinite.point_data[0].values)[3] = std::numeric_limits<float>::infinity();
  EXPECT_NE(problem(infinite, "wear").find("no finite number"), std::string::npos) << problem(infinite, "wear");
}

TEST_F(ToughnessOfScene, PaintOfAVolumeMustFitItsPoints) {
  std::ofstream(folder_ / "short.vtu")
      << "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\"><UnstructuredGrid>"
         "<Piece NumberOfPoints=\"4\" NumberOfCells=\"1\"><PointData>"
         "<DataArray type=\"Float32\" Name=\"wear\" format=\"ascii\">0 1 2</DataArray></PointData><Points>"
         "<DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">0 0 0 1 0 0 0 1 0 0 0 1</DataArray>"
         "</Points><Cells><DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">0 1 2 3</DataArray>"
         "<DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">4</DataArray>"
         "<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">10</DataArray></Cells></Piece>"
         "</UnstructuredGrid></VTKFile>";
  const std::string problem = problem_of([&] {
    factor(
        "[[toughness]]\nfactor = 0.16\npattern = { kind = \"painted\", path = \"short.vtu\", attribute = \"wear\" }\n",
        Vec3::Zero());
  });
  EXPECT_NE(problem.find("short.vtu"), std::string::npos) << problem;
  EXPECT_NE(problem.find("wear"), std::string::npos) << problem;
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

TEST_F(ToughnessOfScene, LayersWeakenThePlanesBetweenThem) {
  const std::string table = "[[toughness]]\npattern = { kind = \"layers\", direction = [0, 2, 0] }\nfactor = 0.25\n";
  const Vec3 x(0.2, 0.3, -0.4);
  EXPECT_NEAR(factor(table, x, Vec3::UnitY()), 0.25, 1e-12);
  EXPECT_NEAR(factor(table, x, Vec3::UnitX()), 1, 1e-12) << "across the layers";
  EXPECT_NEAR(factor(table, x, Vec3::UnitZ()), 1, 1e-12) << "across the layers";
  EXPECT_NEAR(factor(table, x, Vec3(1, 1, 0).normalized()), (1 + 0.25) / 2, 1e-12) << "n^T D n";
}

TEST_F(ToughnessOfScene, EachRegionHasItsOwnGrain) {
  const auto grain = [](const char* direction, const char* side) {
    return std::string("[[toughness]]\npattern = { kind = \"grain\", direction = ") + direction +
           " }\nwhere = { kind = \"half-space\", point = [0, 0, 0], normal = " + side + " }\nfactor = 0.25\n";
  };
  const std::string tables = grain("[0, 1, 0]", "[-1, 0, 0]") + grain("[0, 0, 1]", "[1, 0, 0]");
  const Vec3 left(-0.5, 0.1, 0.2), right(0.5, 0.1, 0.2);
  EXPECT_NEAR(factor(tables, left, Vec3::UnitX()), 0.25, 1e-12);
  EXPECT_NEAR(factor(tables, left, Vec3::UnitZ()), 0.25, 1e-12);
  EXPECT_NEAR(factor(tables, left, Vec3::UnitY()), 1, 1e-12) << "across the fibres";
  EXPECT_NEAR(factor(tables, right, Vec3::UnitX()), 0.25, 1e-12);
  EXPECT_NEAR(factor(tables, right, Vec3::UnitY()), 0.25, 1e-12);
  EXPECT_NEAR(factor(tables, right, Vec3::UnitZ()), 1, 1e-12) << "across the fibres";
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
