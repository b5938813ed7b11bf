// Models and meshes on the command line: run as a process, judged by what it prints and by its exit code.

#include "apps/cli/program_testing.h"

namespace sunder::cli {
namespace {

using MeshCommand = ProgramTest;

TEST_F(MeshCommand, MeshOfAShape) {
  const Json report = json_of({"mesh", "bowl", "-o", "bowl.vtu", "--edge", "0.03", "--json"});
  EXPECT_EQ(report["what"], "mesh");
  EXPECT_GT(report["tets"], 300);
  EXPECT_GT(report["min_dihedral_degrees"], 10);
  EXPECT_NEAR(report["volume_error"].get<double>(), 0, 0.05);
  EXPECT_EQ(report["faces_of_parts"].size(), 3u);
  EXPECT_EQ(sunder({"check", "bowl.vtu"}).code, 0);
  EXPECT_EQ(json_of({"info", "bowl.vtu", "--json"})["tets"], report["tets"]);

  const Json table = json_of({"mesh", "{ kind = \"slab\", size = [1, 1, 0.1] }", "-o", "slab.mesh", "--edge", "0.2",
                              "--layers", "2", "--seed", "3", "--json"});
  EXPECT_NEAR(table["volume_m3"].get<double>(), 0.1, 1e-12);
  EXPECT_EQ(json_of({"mesh", "slab.mesh", "-o", "again.vtu", "--json"})["tets"], table["tets"]);
  EXPECT_GT(json_of({"mesh", "slab", "-o", "hex.vtu", "--cells", "hex", "--json"})["hexahedra"], 100);
  EXPECT_EQ(json_of({"info", "{ kind = \"torus\" }", "--json"})["what"], "mesh");

  expect_failure({"mesh", "bwol", "-o", "x.vtu"}, 2, {"bwol", "bowl"});
  expect_failure({"mesh", "bowl", "-o", "x.png"}, 2, {"x.png", ".vtu", ".stl"});
  expect_failure({"mesh", "{ kind = \"bowl\", wall = 1 }", "-o", "x.vtu"}, 3, {"does not fit"});
  expect_failure({"mesh", "{ kind = ", "-o", "x.vtu"}, 3, {"is not a shape"});
  expect_failure({"mesh", "bowl", "-o", "x.vtu", "--edge", "1e-9"}, 3, {"longer edge"});
  expect_failure({"mesh", "sphere", "-o", "x.vtu", "--cells", "hex"}, 3, {"meshed in layers"});
  expect_failure({"mesh", "slab", "-o", "x.stl", "--cells", "hex"}, 2, {"x.stl", ".vtu"});
}

TEST_F(MeshCommand, InfoOfAMesh) {
  write("corner.mesh",
        "MeshVersionFormatted 2\nDimension 3\nVertices\n4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n"
        "Tetrahedra\n1\n1 2 3 4 0\nEnd\n");
  const Json info = json_of({"info", "corner.mesh", "--json"});
  EXPECT_EQ(info["what"], "mesh");
  EXPECT_EQ(info["nodes"], 4);
  EXPECT_EQ(info["tets"], 1);
  EXPECT_NEAR(info["volume_m3"].get<double>(), 1.0 / 6, 1e-15);
  EXPECT_EQ(info["lower"], (Json{0.0, 0.0, 0.0}));
  EXPECT_EQ(info["upper"], (Json{1.0, 1.0, 1.0}));
  EXPECT_NEAR(info["edge_m"]["max"].get<double>(), std::sqrt(2.0), 1e-15);
  EXPECT_TRUE(info["quality"]["min"].is_number());
  EXPECT_TRUE(info["min_dihedral_degrees"].is_number());
  write("none.mesh", "MeshVersionFormatted 2\nDimension 3\nVertices\n4\n0 0 0 0\n");
  expect_failure({"info", "none.mesh"}, 3, {"none.mesh"});
}

// --- models

constexpr const char* kCube = R"(v 0 0 0
v 20 0 0
v 20 20 0
v 0 20 0
v 0 0 10
v 20 0 10
v 20 20 10
v 0 20 10
usemtl clay
f 4 3 2 1
f 5 6 7 8
f 1 2 6 5
f 2 3 7 6
f 3 4 8 7
f 4 1 5 8
)";

TEST_F(MeshCommand, ASurfaceBecomesTetrahedra) {
  write("cube.obj", kCube);
  const Json report =
      json_of({"mesh", "cube.obj", "-o", "cube.vtu", "--unit", "cm", "--up", "z", "--edge", "0.04", "--json"});
  EXPECT_NEAR(report["volume_m3"].get<double>(), 0.2 * 0.2 * 0.1, 1e-9);
  EXPECT_NEAR(report["upper"][1].get<double>(), 0.1, 1e-9) << "z of the file is up";
  EXPECT_EQ(report["surface"]["sharp_corners"], "8 of 8 kept");
  EXPECT_GT(report["faces_of_parts"]["clay"], 50);
  EXPECT_EQ(sunder({"check", "cube.vtu"}).code, 0);
  EXPECT_EQ(json_of({"info", "cube.obj", "--json"})["triangles"], 12);
  expect_failure({"check", "cube.obj"}, 3, {"cube.obj", "sunder mesh"});
  expect_failure({"mesh", "cube.obj", "-o", "cube.vtu", "--unit", "ell"}, 2, {"--unit"});
}

TEST_F(MeshCommand, TheBoundaryOfAMeshIsASurfaceThatMeshesAgain) {
  const Json cup = json_of({"mesh", "cup", "-o", "cup.obj", "--json"});
  EXPECT_EQ(json_of({"info", "cup.obj", "--json"})["groups"].size(), 3u);
  const Json again = json_of({"mesh", "cup.obj", "-o", "cup.vtu", "--edge", "0.004", "--json"});
  EXPECT_NEAR(again["volume_m3"].get<double>() / cup["volume_m3"].get<double>(), 1, 0.01);
  EXPECT_EQ(again["faces_of_parts"].size(), 3u);
}

TEST_F(MeshCommand, AModelCanBeFinerWhereItIsHit) {
  write("cube.obj", kCube);
  const std::vector<std::string> plain = {"mesh", "cube.obj", "-o",   "cube.vtu", "--unit",
                                          "cm",   "--edge",   "0.05", "--json"};
  const Json coarse = json_of(plain);
  std::vector<std::string> finer = plain;
  finer.insert(finer.end(), {"--finer", "0.1,0.1,0.1,0.03,0.01", "--inside", "1"});
  const Json fine = json_of(finer);
  EXPECT_GT(fine["tets"].get<int>(), 2 * coarse["tets"].get<int>());
  EXPECT_NEAR(fine["surface"]["finest_edge_m"].get<double>(), 0.01, 0.004);
  for (const char* wrong : {"1,2,3", "0,0,0,1,0", "0,0,0,1,x", "0,0,0,nan,1", "0,0,0,1,1,1", "", "0,0,0,1,1e99"}) {
    expect_failure({"mesh", "cube.obj", "-o", "x.vtu", "--finer", wrong}, 2, {"--finer", "X,Y,Z,RADIUS,EDGE"});
  }
  expect_failure({"mesh", "bowl", "-o", "x.vtu", "--inside", "3"}, 2, {"files of surfaces"});
  expect_failure({"mesh", "cube.vtu", "-o", "x.vtu", "--inside", "3"}, 3, {"cube.vtu", "for surfaces"});
}

TEST_F(MeshCommand, WhatWasMendedInAModelIsToldWhereverItIsUsed) {
  write("cube.obj", std::string(kCube) + "f 4 3 2 1\nf 1 1 2\n");
  const Json report = json_of({"mesh", "cube.obj", "-o", "cube.vtu", "--edge", "4", "--json"});
  ASSERT_EQ(report["notes"].size(), 1u);
  EXPECT_NE(report["notes"][0].get<std::string>().find("2 faces that were there twice"), std::string::npos);
  write("drop.toml",
        "duration = 0.01\n[[body]]\nname = \"brick\"\nshape = { kind = \"file\", path = \"cube.obj\", finer = [{ "
        "center = "
        "[0, 0, 0], radius = 2, edge = 2 }] }\nedge = 4\nposition = [0, 9, 0]\nmaterial = \"jelly\"\n");
  const Outcome run = sunder({"run", "drop.toml", "--frames", "1"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.err.find("body \"brick\": the surface was mended"), std::string::npos) << run.err;
  EXPECT_NE(json_of({"info", "drop.toml", "--json"})["notes"].dump().find("mended"), std::string::npos);
}

TEST_F(MeshCommand, ASceneDropsAModel) {
  write("cube.obj", kCube);
  write("drop.toml", R"(name = "drop"
duration = 0.1
[[body]]
shape = { kind = "file", path = "cube.obj", scale = 0.01, up = "z" }
edge = 0.06
position = [0, 0.02, 0]
material = "jelly"
[[collider]]
shape = { kind = "ground" }
)");
  const Outcome o = sunder({"run", "drop.toml"});
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(sunder({"check", "out/drop"}).code, 0) << sunder({"check", "out/drop"}).err;
  EXPECT_NE(read("out/drop/scene.toml").find("edge = 0.06"), std::string::npos);
}

// --- absurd requests

}  // namespace
}  // namespace sunder::cli
