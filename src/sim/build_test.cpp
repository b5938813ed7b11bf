#include "sim/build.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <Eigen/Geometry>
#include <filesystem>
#include <numeric>
#include <set>

#include "core/files.h"
#include "core/rotation.h"
#include "mesh/boundary.h"
#include "scene/read_scene.h"
#include "sim/select.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;

Scene scene_of(const std::string& text) {
  return read_scene({.text = text, .file_name = "test.toml"}, {.overrides = {}, .allow_outside = true});
}

// A box of a few dozen tets.
std::string box(const std::string& keys) {
  return "[[body]]\nshape = { kind = \"box\", size = [0.4, 0.2, 0.3] }\nedge = 0.1\nmaterial = \"jelly\"\n" + keys;
}

struct Bounds {
  Vec3 lower = Vec3::Constant(1e300), upper = Vec3::Constant(-1e300);
};
Bounds bounds(const tet_oh99::TetSolver& solver, std::uint32_t body) {
  Bounds b;
  const TetMesh& mesh = solver.mesh();
  for (const TetId t : id_range<TetId>(mesh.tet_slots())) {
    if (mesh.tags(t).body != body) continue;
    for (const NodeId n : mesh.corners(t)) {
      b.lower = b.lower.cwiseMin(solver.state().position[n]);
      b.upper = b.upper.cwiseMax(solver.state().position[n]);
    }
  }
  return b;
}

void expect_near(const Vec3& found, const Vec3& wanted, double tolerance) {
  for (int a = 0; a < 3; ++a)
    EXPECT_NEAR(found[a], wanted[a], tolerance) << "axis "
                                                << "xyz"[a];
}

// --- models

// A cube of side 2 with a group for each of two sides, texture coordinates, and z up.
const char* const kCube =
    "v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 "
    "1\n"
    "usemtl lid\nf 5/1 6/2 7/3 8/4\nusemtl body\nf 1/1 4/2 3/3 2/4\nf 1/1 2/2 6/3 5/4\nf 3/1 4/2 8/3 7/4\n"
    "f 1/1 5/2 8/3 4/4\nf 2/1 3/2 7/3 6/4\n";

TEST(BuildRun, AModelKeepsItsSurfaceInTheFrames) {
  const fs::path path = fs::temp_directory_path() / ("sunder_build_" + std::to_string(::getpid()) + ".obj");
  write_file_atomically(path, kCube);
  const BuiltRun run = build_run(
      scene_of("[[body]]\nshape = { kind = \"file\", path = \"" + path.string() +
               "\", up = \"z\" }\nedge = 0.7\nrotation = [0, 0, 90]\nposition = [0, 5, 0]\nmaterial = \"jelly\"\n"));
  fs::remove(path);
  EXPECT_EQ(run.parts, (std::vector<std::string>{"lid", "body"}));
  Frame frame;
  run.solver->snapshot(frame);
  ASSERT_EQ(frame.parts.size(), frame.tets.size());
  ASSERT_EQ(frame.uv.size(), frame.tets.size());
  ASSERT_EQ(frame.normals.size(), frame.tets.size());
  ASSERT_EQ(frame.source.size(), frame.tets.size());
  double lid = 0;
  std::set<std::uint32_t> sources;
  for (std::size_t t = 0; t < frame.tets.size(); ++t) {
    for (std::size_t face = 0; face < 4; ++face) {
      if (frame.parts[t][face] == 0) continue;
      std::array<Vec3, 3> x;
      for (std::size_t k = 0; k < 3; ++k) {
        x[k] = frame.rest[frame.tets[t][static_cast<std::size_t>(kTetFaces[face][k])]];
      }
      const Vec3 area = (x[1] - x[0]).cross(x[2] - x[0]) / 2;
      for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 normal = Eigen::Map<const Eigen::Vector3f>(&frame.normals[t][9 * face + 3 * k]).cast<double>();
        EXPECT_GT(normal.dot(area.normalized()), 0.999);
      }
      sources.insert(frame.source[t][face]);
      if (frame.parts[t][face] != 1) continue;
      // The file's up is ours, and a quarter turn about z lays it down along -x.
      lid += area.norm();
      for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_NEAR(x[k].x(), -1, 1e-9);
        EXPECT_NEAR(frame.uv[t][6 * face + 2 * k], (x[k].y() - 5 + 1) / 2, 1e-6);  // u runs along the file's x
      }
    }
  }
  EXPECT_NEAR(lid, 4, 1e-9);
  EXPECT_EQ(sources.size(), 12u);  // two triangles a side, counted from 1
  EXPECT_EQ(*sources.begin(), 1u);
}

// --- placement

TEST(RotationMatrix, TurnsAboutOneAxisTheRightHandedWay) {
  expect_near(rotation_matrix({90, 0, 0}) * Vec3::UnitY(), Vec3::UnitZ(), 1e-15);
  expect_near(rotation_matrix({0, 90, 0}) * Vec3::UnitZ(), Vec3::UnitX(), 1e-15);
  expect_near(rotation_matrix({0, 0, 90}) * Vec3::UnitX(), Vec3::UnitY(), 1e-15);
}

TEST(RotationMatrix, GoesAboutWorldXThenYThenZ) {
  // y: by x to z, by y to x, by z to y. The other orders, and body axes, lead elsewhere.
  expect_near(rotation_matrix({90, 90, 90}) * Vec3::UnitY(), Vec3::UnitY(), 1e-15);
  // x stays for x, goes by y to -z, stays for z.
  expect_near(rotation_matrix({90, 90, 90}) * Vec3::UnitX(), -Vec3::UnitZ(), 1e-15);
  // z: by x (90) to -y, which y leaves alone, by z (90) to x.
  expect_near(rotation_matrix({90, 0, 90}) * Vec3::UnitZ(), Vec3::UnitX(), 1e-15);

  const Mat3 in_turn = rotation_matrix({0, 0, -70}) * rotation_matrix({0, 40, 0}) * rotation_matrix({25, 0, 0});
  EXPECT_LT((rotation_matrix({25, 40, -70}) - in_turn).norm(), 1e-14);
}

TEST(BuildRun, PutsTheBodyWhereTheSceneSays) {
  const BuiltRun run = build_run(scene_of(box("position = [1, 2, 3]\n")));
  const Bounds b = bounds(*run.solver, 0);
  expect_near(b.lower, Vec3(0.8, 1.9, 2.85), 1e-12);
  expect_near(b.upper, Vec3(1.2, 2.1, 3.15), 1e-12);
}

TEST(BuildRun, RotatesBeforeItMoves) {
  // 90 degrees about x, then z: size (0.4, 0.2, 0.3) -> (0.4, 0.3, 0.2) -> (0.3, 0.4, 0.2)
  const BuiltRun run = build_run(scene_of(box("position = [1, 2, 3]\nrotation = [90, 0, 90]\n")));
  const Bounds b = bounds(*run.solver, 0);
  expect_near(b.lower, Vec3(0.85, 1.8, 2.9), 1e-12);
  expect_near(b.upper, Vec3(1.15, 2.2, 3.1), 1e-12);
}

TEST(BuildRun, StartsAtRestInItsMaterialShape) {
  const BuiltRun run = build_run(scene_of(box("position = [1, 2, 3]\nrotation = [10, 20, 30]\n")));
  const TetMesh& mesh = run.solver->mesh();
  for (const NodeId n : id_range<NodeId>(mesh.node_slots())) {
    EXPECT_EQ(run.solver->state().position[n], mesh.material_position(n));
    EXPECT_EQ(run.solver->state().velocity[n], Vec3::Zero());
  }
  EXPECT_NEAR(run.solver->totals().elastic, 0, 1e-12);
}

TEST(BuildRun, MassIsVolumeTimesDensity) {
  const Scene scene = scene_of(box("rotation = [10, 20, 30]\n"));
  EXPECT_NEAR(build_run(scene).solver->totals().mass, 0.4 * 0.2 * 0.3 * scene.bodies[0].material.density, 1e-9);
}

// --- motion

Vec3 angular_momentum(const tet_oh99::TetSolver& s, const Vec3& about) {
  Vec3 sum = Vec3::Zero();
  for (const NodeId n : id_range<NodeId>(s.mesh().node_slots())) {
    sum += s.masses()[n] * (s.state().position[n] - about).cross(s.state().velocity[n]);
  }
  return sum;
}

Vec3 centre_of_mass(const tet_oh99::TetSolver& s) {
  Vec3 moment = Vec3::Zero();
  double mass = 0;
  for (const NodeId n : id_range<NodeId>(s.mesh().node_slots())) {
    moment += s.masses()[n] * s.state().position[n];
    mass += s.masses()[n];
  }
  return moment / mass;
}

// Lumped at the nodes, whose masses are not those of the solid's every point.
Mat3 inertia(const tet_oh99::TetSolver& s, const Vec3& about) {
  Mat3 sum = Mat3::Zero();
  for (const NodeId n : id_range<NodeId>(s.mesh().node_slots())) {
    const Vec3 r = s.state().position[n] - about;
    sum += s.masses()[n] * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
  }
  return sum;
}

TEST(BuildRun, SpinGivesAngularMomentumAndNoMomentum) {
  const Vec3 spin(3, -2, 5), position(1, 2, 3);
  const BuiltRun run = build_run(scene_of(box("position = [1, 2, 3]\nrotation = [10, 20, 30]\nspin = [3, -2, 5]\n")));
  const tet_oh99::TetSolver& s = *run.solver;
  const double scale = s.totals().mass * spin.norm() * 0.4;
  EXPECT_LT(s.totals().momentum.norm(), 1e-13 * scale);
  expect_near(centre_of_mass(s), position, 1e-13);
  const Vec3 expected = inertia(s, position) * spin;
  EXPECT_GT(expected.norm(), 0.01 * scale);
  expect_near(angular_momentum(s, position), expected, 1e-12 * scale);
  // Near that of the solid box, (y^2 + z^2) / 12 and so on: the nodes carry their tets' mass further out.
  const double m = s.totals().mass;
  const Vec3 solid = m / 12 * Vec3(0.04 + 0.09, 0.16 + 0.09, 0.16 + 0.04);
  const Mat3 r = rotation_matrix({10, 20, 30});
  const Vec3 of_solid = r * (solid.asDiagonal() * (r.transpose() * spin));
  EXPECT_LT((angular_momentum(s, position) - of_solid).norm(), 0.35 * of_solid.norm());
}

TEST(BuildRun, SpinTurnsAboutTheCentreOfMassNotTheOrigin) {
  // a tetrahedron from a file would do as well: its centre is nowhere near its origin
  const BuiltRun run = build_run(scene_of(box("position = [100, 0, 0]\nspin = [0, 0, 7]\nvelocity = [1, 2, 3]\n")));
  const Vec3 momentum = run.solver->totals().momentum;
  expect_near(momentum, run.solver->totals().mass * Vec3(1, 2, 3), 1e-9 * run.solver->totals().mass);
}

// --- several bodies

TEST(BuildRun, KeepsBodiesApart) {
  const Scene scene = scene_of(
      "[[body]]\nname = \"a\"\nshape = { kind = \"box\", size = [1, 1, 1] }\nedge = 1\nmaterial = \"jelly\"\n"
      "velocity = [1, 0, 0]\n"
      "[[body]]\nname = \"b\"\nshape = { kind = \"sphere\", radius = 0.5 }\nedge = 0.3\nmaterial = \"glass\"\n"
      "position = [5, 0, 0]\n"
      "[[body]]\nname = \"c\"\nshape = { kind = \"box\", size = [2, 1, 1] }\nedge = 1\nmaterial = \"jelly\"\n"
      "position = [0, 5, 0]\n");
  const BuiltRun run = build_run(scene);
  EXPECT_EQ(run.bodies, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(run.materials, (std::vector<std::string>{"jelly", "glass", "jelly"}));
  EXPECT_EQ(run.solver->totals().fragments, 3u);
  expect_near(bounds(*run.solver, 0).upper, Vec3(0.5, 0.5, 0.5), 1e-12);
  EXPECT_GT(bounds(*run.solver, 1).lower.x(), 4.49);
  expect_near(bounds(*run.solver, 2).lower, Vec3(-1, 4.5, -0.5), 1e-12);
  const TetMesh& mesh = run.solver->mesh();
  for (const TetId t : id_range<TetId>(mesh.tet_slots())) {
    EXPECT_EQ(mesh.tags(t).body, mesh.tags(t).material);
    for (const NodeId n : mesh.corners(t)) {
      EXPECT_EQ(run.solver->state().velocity[n], mesh.tags(t).body == 0 ? Vec3::UnitX() : Vec3::Zero().eval());
    }
  }
  // twins: the same box, another body, another mesh by its seed, but the same mass
  const double density = scene.bodies[0].material.density;
  double glass = run.solver->totals().mass - 3 * density;
  EXPECT_NEAR(glass / scene.bodies[1].material.density, 4.0 / 3 * 3.14159 * 0.125, 0.15);
}

TEST(BuildRun, AnotherSeedIsAnotherMesh) {
  const auto hash = [](const std::string& text) { return build_run(scene_of(text)).solver->state_hash(); };
  EXPECT_EQ(hash(box("")), hash(box("")));
  EXPECT_NE(hash("seed = 1\n" + box("")), hash("seed = 2\n" + box("")));
}

TEST(BuildRun, WarnsOfABodyInsideACollider) {
  const std::string ground = "[[collider]]\nname = \"floor\"\nshape = { kind = \"ground\" }\n";
  const auto warns = [](const BuiltRun& run) {
    for (const std::string& w : run.warnings) {
      if (w.find("inside collider \"floor\"") != std::string::npos) return true;
    }
    return false;
  };
  EXPECT_TRUE(warns(build_run(scene_of(box("position = [0, 0.05, 0]\n") + ground))));
  EXPECT_TRUE(warns(build_run(scene_of(box("position = [0, 0.0999, 0]\n") + ground))));
  EXPECT_FALSE(warns(build_run(scene_of(box("position = [0, 0.5, 0]\n") + ground))));
  EXPECT_FALSE(warns(build_run(scene_of(box("position = [0, 0.09999999, 0]\n") + ground)))) << "it lies on the floor";
}

TEST(BuildRun, CollidersStandWhereTheSceneSays) {
  const BuiltRun run =
      build_run(scene_of(box("") + "[[collider]]\nshape = { kind = \"ground\", height = -2 }\n"
                                   "[[collider]]\nname = \"post\"\nshape = { kind = \"box\", size = [9, 9, 9] }\n"
                                   "position = [0, 30, 0]\nrotation = [0, 90, 0]\n"));
  const std::vector<RigidPose> poses = run.solver->poses();
  ASSERT_EQ(poses.size(), 2u);
  EXPECT_EQ(run.colliders, (std::vector<std::string>{"ground", "post"}));
  EXPECT_EQ(poses[0].position, Vec3(0, -2, 0));
  EXPECT_EQ(poses[0].kind, "ground");
  EXPECT_EQ(poses[1].position, Vec3(0, 30, 0));
  EXPECT_EQ(poses[1].kind, "box");
  EXPECT_LT((poses[1].rotation - rotation_matrix({0, 90, 0})).norm(), 1e-15);
}

// --- rigid bodies

class MeshColliderFile : public testing::Test {
 protected:
  MeshColliderFile() : path_(fs::temp_directory_path() / ("sunder_collider_" + std::to_string(::getpid()) + ".obj")) {}
  ~MeshColliderFile() override { fs::remove(path_); }
  std::string collider(const std::string& keys) const {
    return box("") + "[[collider]]\nname = \"model\"\nshape = { kind = \"mesh\", path = \"" + path_.string() +
           "\", scale = 0.1 }\nposition = [0, 3, 0]\n" + keys;
  }
  std::string error(const std::string& content) const {
    write_file_atomically(path_, content);
    try {
      build_run(scene_of(collider("")));
    } catch (const InputError& e) {
      return e.what();
    }
    return "no error";
  }
  fs::path path_;
};

TEST_F(MeshColliderFile, BecomesARigidBodyOfItsVolume) {
  write_file_atomically(path_, kCube);
  const BuiltRun run = build_run(scene_of(collider("motion = \"dynamic\"\ndensity = 1000\nvelocity = [1, 2, 3]\n")));
  const double alone = build_run(scene_of(box(""))).solver->totals().mass;
  EXPECT_NEAR(run.solver->totals().mass - alone, 8, 1e-9) << "a cube of 20 cm";
  EXPECT_EQ(run.solver->poses()[0].kind, "mesh");
  EXPECT_LT((run.solver->poses()[0].velocity - Vec3(1, 2, 3)).norm(), 1e-12);
}

TEST_F(MeshColliderFile, ThatIsNotClosedIsRefusedByName) {
  const std::string open = std::string(kCube).substr(0, std::string(kCube).rfind("f 2/1"));
  EXPECT_NE(error(open).find(path_.string() + ": the surface is not closed: 4 edges"), std::string::npos)
      << error(open);
  EXPECT_NE(error("v 0 0 0\n").find(path_.string()), std::string::npos) << error("v 0 0 0\n");
}

TEST(BuildRun, WarnsOfRigidBodiesInsideEachOther) {
  const auto warnings = [](double height) {
    return build_run(
               scene_of(box("position = [5, 5, 5]\n") +
                        fmt::format("[[collider]]\nshape = {{ kind = \"ground\" }}\n[[collider]]\nname = \"ball\"\n"
                                    "shape = {{ kind = \"sphere\", radius = 1 }}\nmotion = \"dynamic\"\nmass = 1\n"
                                    "position = [0, {}, 0]\n",
                                    height)))
        .warnings;
  };
  EXPECT_TRUE(warnings(1.01).empty());
  ASSERT_EQ(warnings(0.9).size(), 1u);
  EXPECT_NE(warnings(0.9)[0].find("\"ground\" and \"ball\" start 0.1 m inside each other"), std::string::npos);
}

TEST(BuildRun, WarnsOfBodiesInsideEachOtherUnlessTheyDoNotTouch) {
  const auto warnings = [](double x, const char* more = "") {
    return build_run(scene_of(more + box("") + box(fmt::format("name = \"other\"\nposition = [{}, 0, 0]\n", x))))
        .warnings;
  };
  const double side = 0.4;
  EXPECT_TRUE(warnings(side).empty()) << "side by side";
  ASSERT_EQ(warnings(0.6 * side).size(), 1u);
  EXPECT_NE(warnings(0.6 * side)[0].find("\"other\" start inside each other"), std::string::npos)
      << warnings(0.6 * side)[0];
  EXPECT_TRUE(warnings(0.6 * side, "[contact]\non = false\n").empty());
}

// --- regions

Region region_of(const Scene& scene, const BuiltRun& run, std::size_t index = 0) {
  return resolve_region(scene, index, selectable(run.solver->mesh(), run.solver->state().position));
}
Region region_of(const std::string& text) {
  const Scene scene = scene_of(text);
  return region_of(scene, build_run(scene));
}

TEST(Region, ThatSelectsNothingIsNamedWithItsPlace) {
  const std::string text = box("") +
                           "[[region]]\nname = \"grip\"\n"
                           "where = { kind = \"sphere\", center = [5, 0, 0], radius = 0.1 }\n"
                           "action = \"hold\"\n";
  try {
    build_run(scene_of(text));
    FAIL() << "an empty region was let through";
  } catch (const InputError& error) {
    const std::string what = error.what();
    EXPECT_EQ(what.find("test.toml:7:"), 0u) << what;
    EXPECT_NE(what.find("region \"grip\" selects no node of any body"), std::string::npos) << what;
    EXPECT_NE(what.find("[-0.2, -0.1, -0.15] and [0.2, 0.1, 0.15]"), std::string::npos) << what;
  }
}

TEST(Region, OfPressureNeedsFacesNotOnlyNodes) {
  const std::string corner =
      "[[region]]\nname = \"push\"\nwhere = { kind = \"sphere\", center = [0.2, 0.1, 0.15], radius = 0.001 }\n";
  EXPECT_EQ(region_of(box("") + corner + "action = \"hold\"\n").nodes.size(), 1u);
  try {
    build_run(scene_of(box("") + corner + "action = \"pressure\"\npressure = 1\n"));
    FAIL() << "pressure on a corner was let through";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("selects no boundary face"), std::string::npos) << error.what();
  }
}

TEST(Region, SelectsOnlyNodesOfItsBody) {
  const std::string two =
      "[[body]]\nname = \"a\"\nshape = { kind = \"box\" }\nedge = 1\nmaterial = \"jelly\"\n"
      "[[body]]\nname = \"b\"\nshape = { kind = \"box\" }\nedge = 1\nmaterial = \"jelly\"\n"
      "[[region]]\nwhere = { kind = \"box\", min = [-9, -9, -9], max = [9, 9, 9] }\naction = \"hold\"\n";
  const Scene all = scene_of(two), only_b = scene_of(two + "body = \"b\"\n");
  const BuiltRun run = build_run(only_b);
  EXPECT_EQ(region_of(all, run).nodes.size(), run.solver->mesh().node_count());
  const Region region = region_of(only_b, run);
  EXPECT_EQ(2 * region.nodes.size(), run.solver->mesh().node_count());
  for (const NodeId n : region.nodes) {
    for (const Corner c : run.solver->mesh().star(n)) EXPECT_EQ(run.solver->mesh().tags(c.tet).body, 1u);
  }
}

TEST(Region, ForceSharesAddUpToOne) {
  const std::string action = "action = \"force\"\nforce = [1, 2, 3]\n";
  const std::vector<std::string> places = {
      "where = { kind = \"half-space\", point = [0.19, 0, 0], normal = [1, 0, 0] }\n",         // one side: by area
      "where = { kind = \"box\", min = [-9, -9, -9], max = [9, 9, 9] }\n",                     // the whole body
      "where = { kind = \"sphere\", center = [0.2, 0.1, 0.15], radius = 0.001 }\n",            // a corner: by mass
      "where = { kind = \"box\", min = [-0.15, -0.09, -0.14], max = [0.15, 0.09, 0.14] }\n"};  // inside: by mass
  for (const std::string& where : places) {
    const Region region = region_of(fmt::format("{}[[region]]\n{}{}", box(""), where, action));
    ASSERT_EQ(region.share.size(), region.nodes.size()) << where;
    ASSERT_FALSE(region.nodes.empty());
    EXPECT_NEAR(std::accumulate(region.share.begin(), region.share.end(), 0.0), 1, 1e-14) << where;
    for (const double share : region.share) EXPECT_GE(share, 0) << where;
    EXPECT_TRUE(region.faces.empty());
  }
}

TEST(Region, ForceOnASideIsSharedByArea) {
  // A square side of 2 x 2 cells: the middle node stands for more area than a corner.
  const Scene scene = scene_of(
      "[[body]]\nshape = { kind = \"box\", size = [1, 1, 1] }\nedge = 0.5\nmaterial = \"jelly\"\n"
      "[[region]]\nwhere = { kind = \"half-space\", point = [0.49, 0, 0], normal = [1, 0, 0] }\n"
      "action = \"force\"\nforce = [1, 0, 0]\n");
  const BuiltRun run = build_run(scene);
  const Region region = region_of(scene, run);
  double corner = 0, middle = 0;
  for (std::size_t i = 0; i < region.nodes.size(); ++i) {
    const Vec3& x = run.solver->state().position[region.nodes[i]];
    if (std::abs(x.y()) > 0.49 && std::abs(x.z()) > 0.49) corner = std::max(corner, region.share[i]);
    if (std::abs(x.y()) < 0.2 && std::abs(x.z()) < 0.2) middle = region.share[i];
  }
  EXPECT_GT(corner, 0);
  EXPECT_GT(middle, 1.5 * corner);
}

// The net force of a loaded body over one step, by what it does to the momentum.
Vec3 force_in_one_step(const std::string& region) {
  const BuiltRun run = build_run(scene_of("gravity = [0, 0, 0]\n" + box("rotation = [10, 20, 30]\n") + region));
  const double dt = 1e-6;
  run.solver->step(dt);
  return run.solver->totals().momentum / dt;
}

TEST(Region, PressureAllRoundHasNoNetForce) {
  const std::string all =
      "[[region]]\nwhere = { kind = \"box\", min = [-9, -9, -9], max = [9, 9, 9] }\naction = \"pressure\"\n"
      "pressure = 1000\n";
  // 0.52 m^2 of surface at 1000 Pa: 520 N that cancel
  EXPECT_LT(force_in_one_step(all).norm(), 1e-9);

  const Region region = region_of(box("") + all);
  EXPECT_TRUE(region.nodes.empty() || region.share.empty());
  const BuiltRun run = build_run(scene_of(box("")));
  EXPECT_EQ(region.faces.size(), boundary_faces(run.solver->mesh()).size());
}

TEST(Region, PressureOnOneSidePushesInwardsByItsArea) {
  const Vec3 force = [&] {
    const BuiltRun run =
        build_run(scene_of("gravity = [0, 0, 0]\n" + box("") +
                           "[[region]]\nwhere = { kind = \"half-space\", point = [0, 0.09, 0], normal = [0, 1, 0] }\n"
                           "action = \"pressure\"\npressure = 1000\n"));
    run.solver->step(1e-6);
    return Vec3(run.solver->totals().momentum / 1e-6);
  }();
  expect_near(force, Vec3(0, -1000 * 0.4 * 0.3, 0), 1e-6);
}

TEST(Region, ForceArrivesWhole) {
  expect_near(
      force_in_one_step("[[region]]\nwhere = { kind = \"half-space\", point = [0.1, 0, 0], normal = [1, 0, 0] }\n"
                        "action = \"force\"\nforce = [1, -2, 3]\n"),
      Vec3(1, -2, 3), 1e-8);
}

TEST(Region, MovedNodesStartWithTheirVelocity) {
  const Scene scene =
      scene_of(box("velocity = [0, 7, 0]\n") +
               "[[region]]\nwhere = { kind = \"half-space\", point = [0.19, 0, 0], normal = [1, 0, 0] }\n"
               "action = \"move\"\nvelocity = [2, 0, 0]\naxes = \"xz\"\n");
  const BuiltRun run = build_run(scene);
  const Region region = region_of(scene, run);
  ASSERT_FALSE(region.nodes.empty());
  for (const NodeId n : region.nodes) EXPECT_EQ(run.solver->state().velocity[n], Vec3(2, 7, 0));
}

TEST(Selection, HoldsItsBorder) {
  const BoxSelection unit_box{Vec3::Zero(), Vec3::Ones()};
  EXPECT_TRUE(selects(unit_box, {0, 1, 0.5}));
  EXPECT_FALSE(selects(unit_box, {0, 1.0001, 0.5}));
  const SphereSelection ball{Vec3(1, 0, 0), 2};
  EXPECT_TRUE(selects(ball, {3, 0, 0}));
  EXPECT_FALSE(selects(ball, {3, 0.1, 0}));
  const HalfSpaceSelection half{Vec3(0, 1, 0), Vec3::UnitY()};
  EXPECT_TRUE(selects(half, {9, 1, 9}));
  EXPECT_FALSE(selects(half, {9, 0.9999, 9}));
}

}  // namespace
}  // namespace sunder
