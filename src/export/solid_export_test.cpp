// Solids for other programs: pieces, their surfaces and motion, and the files read back by hand or by our readers.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>
#include <numbers>

#include "core/error.h"
#include "core/files.h"
#include "export/broken_bar_testing.h"
#include "export/final_pieces.h"
#include "export/obj.h"
#include "export/piece_motion.h"
#include "export/piece_ply.h"
#include "export/piece_surface.h"
#include "export/pieces_glb.h"
#include "export/point_cache.h"
#include "export/usda.h"
#include "meshfile/read_surface.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;

const BrokenBar kBar;

class SolidExport : public testing::Test {
 protected:
  SolidExport() : top_(fs::temp_directory_path() / ("sunder_solid_export_test_" + std::to_string(::getpid()))) {
    fs::create_directories(top_);
  }
  ~SolidExport() override { fs::remove_all(top_); }
  fs::path top_;
};

double volume_of(const TriangleMesh& mesh) {
  double sum = 0;
  for (const auto& [a, b, c] : mesh.triangles) sum += mesh.points[a].dot(mesh.points[b].cross(mesh.points[c])) / 6;
  return sum;
}

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

TEST_F(SolidExport, SurfacesOfPiecesAreClosedAndEncloseTheirTets) {
  const Frame frame = kBar.frame(3);
  const std::vector<PieceSurface> pieces = piece_surfaces(frame, NormalsOf::world);
  ASSERT_EQ(pieces.size(), 2u);
  for (const PieceSurface& piece : pieces) {
    EXPECT_NEAR(volume_of(welded_surface(frame, {piece}, {})), 1, 1e-12);  // cubes of a metre
    EXPECT_EQ(piece.sides[kInside].triangles.size(), 8u);                  // four squares of the cut
    EXPECT_EQ(piece.sides[kOutside].triangles.size(), 40u);
    for (const auto& t : piece.sides[kInside].triangles) {
      for (const std::uint32_t v : t) EXPECT_EQ(frame.rest[piece.sides[kInside].vertices[v].node].x(), 1);
    }
    for (const PieceVertex& v : piece.sides[kOutside].vertices) {
      const Vec3& x = frame.rest[v.node];
      EXPECT_EQ(v.uv, Eigen::Vector2f(static_cast<float>(x.x() / 2), static_cast<float>(x.y())));
      EXPECT_NEAR(static_cast<double>(v.normal.norm()), 1, 1e-6);
    }
  }
}

TEST_F(SolidExport, PiecesHaveTheMassAndInertiaOfCubes) {
  const FinalPieces final = find_final_pieces(kBar.run(4));
  ASSERT_EQ(final.pieces.size(), 2u);
  for (const FinalPiece& piece : final.pieces) {
    EXPECT_NEAR(piece.volume, 1, 1e-12);
    EXPECT_NEAR(piece.mass, kBarDensity, 1e-9);
    EXPECT_LT((piece.centre - Vec3(piece.fragment == 1 ? 0.5 : 1.5, 0.5, 0.5)).norm(), 1e-12);
    EXPECT_LT((piece.inertia - kBarDensity / 6 * Mat3::Identity()).norm(), 1e-9);  // m a^2 / 6
    EXPECT_EQ(piece.born, piece.fragment == 1 ? 1 : 3);
    EXPECT_EQ(piece.last, 4);
  }
}

TEST_F(SolidExport, RemovedPiecesAreKeptUntilTheirLastFrame) {
  const SolidRun run = kBar.run(5);
  const FinalPieces final = find_final_pieces(run);
  ASSERT_EQ(final.pieces.size(), 2u);
  EXPECT_EQ(final.pieces[0].last, 5);
  EXPECT_EQ(final.pieces[1].last, 4);
  EXPECT_NEAR(final.pieces[1].volume, 1, 1e-12);
  int frames = 0;
  follow_pieces(run, final, [&](const PieceMoment& moment) {
    ++frames;
    if (run.frames[moment.index] < 3) return;
    for (const std::uint32_t n : final.pieces[1].nodes) {
      EXPECT_LT((moment.position[n] - BrokenBar::moved(2, final.frame.rest[n])).norm(), 1e-12);
    }
  });
  EXPECT_EQ(frames, 5);
}

TEST_F(SolidExport, RigidTracksAreTheMotionAndTheErrorIsTold) {
  RigidReport report;
  const GlbScene scene = pieces_glb(kBar.run(5), {.scale = 1, .deforming = false, .hulls = true}, report);
  ASSERT_EQ(scene.nodes.size(), 2u);
  const GlbNode& right = scene.nodes[1];
  EXPECT_EQ(right.name, "fragment_0002");
  const Vec3 centre(1.5, 0.5, 0.5);
  EXPECT_LT((right.translation[0].cast<double>() - centre).norm(), 1e-6);
  EXPECT_LT((right.translation[2].cast<double>() - BrokenBar::moved(2, centre)).norm(), 1e-6);
  EXPECT_LT((right.rotation[2].toRotationMatrix().cast<double>() - BrokenBar::turn(2)).norm(), 1e-5);
  EXPECT_EQ(right.moments, 4u);  // gone in the fifth frame
  EXPECT_EQ(scene.nodes[0].moments, ~std::size_t{0});
  EXPECT_GT(report.largest, 0.01);
  EXPECT_EQ(report.targets, 0u);
  ASSERT_EQ(right.children.size(), 1u);
  EXPECT_EQ(right.children[0].primitives[0].triangles.size() % 2, 0u);
}

// What a program shows at a moment: the node's motion applied to what its morphs make of its vertices.
TEST_F(SolidExport, MorphTargetsMakeUpForWhatIsNotRigid) {
  const SolidRun run = kBar.run(4);
  RigidReport report;
  const GlbScene scene = pieces_glb(run, {.scale = 2, .deforming = true, .hulls = false}, report);
  EXPECT_EQ(report.targets, 3u);  // both halves in frame 2, one of them in frame 4
  const FinalPieces final = find_final_pieces(run);
  const std::vector<PieceSurface> surfaces = piece_surfaces(final.frame, NormalsOf::material);
  follow_pieces(run, final, [&](const PieceMoment& moment) {
    for (std::size_t p = 0; p < scene.nodes.size(); ++p) {
      const GlbNode& node = scene.nodes[p];
      for (std::size_t i = 0; i < node.primitives.size(); ++i) {
        std::vector<Eigen::Vector3f> x = node.primitives[i].positions;
        for (const GlbMorph& morph : node.morphs) {
          if (morph.moment != moment.index) continue;
          const GlbMorph::Deltas& d = morph.primitives[i].first;
          for (std::size_t k = 0; k < d.vertices.size(); ++k) x[d.vertices[k]] += d.values[k];
        }
        for (std::size_t v = 0; v < x.size(); ++v) {
          const Eigen::Vector3f shown = node.rotation[moment.index] * x[v] + node.translation[moment.index];
          const Vec3 expected = 2 * moment.position[surfaces[p].sides[i].vertices[v].node];
          EXPECT_LT((shown.cast<double>() - expected).norm(), 2 * 3e-4);  // 1e-4 of the bar's diagonal is left out
        }
      }
    }
  });
}

TEST_F(SolidExport, GlbReadsBackAsItStandsAtTheFirstFrame) {
  for (const bool deforming : {false, true}) {
    RigidReport report;
    const fs::path file = top_ / "bar.glb";
    write_glb(file, pieces_glb(kBar.run(5), {.scale = 1, .deforming = deforming, .hulls = false}, report));
    const std::string bytes = read_file(file);
    std::uint32_t length = 0, json = 0;
    std::memcpy(&length, bytes.data() + 8, 4), std::memcpy(&json, bytes.data() + 12, 4);
    EXPECT_EQ(bytes.substr(0, 4), "glTF");
    EXPECT_EQ(length, bytes.size());
    const std::string head = bytes.substr(20, json);
    EXPECT_EQ(count(head, "\"inertia\""), 2u);
    EXPECT_EQ(count(head, "\"path\":\"rotation\""), 2u);
    EXPECT_EQ(count(head, "\"path\":\"scale\""), 1u);
    EXPECT_EQ(count(head, "\"path\":\"weights\""), deforming ? 2u : 0u);
    EXPECT_EQ(count(head, "\"parent\":1"), 1u) << head;
    const TriangleMesh mesh = read_surface(file);
    EXPECT_EQ(mesh.triangles.size(), 96u);
    EXPECT_NEAR(volume_of(mesh), 2, 1e-5);
    EXPECT_EQ(
        std::count(mesh.groups.begin(), mesh.groups.end(),
                   std::find(mesh.group_names.begin(), mesh.group_names.end(), "inside") - mesh.group_names.begin()),
        16);
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      if (mesh.group_names[mesh.groups[t]] != "outside") continue;
      for (std::size_t k = 0; k < 3; ++k) {
        const Vec3& x = mesh.points[mesh.triangles[t][k]];
        EXPECT_LT((mesh.uvs[t][k] - Vec2(x.x() / 2, x.y())).norm(), 1e-5) << "v is up in ours, down in glTF";
      }
    }
  }
}

TEST_F(SolidExport, PointCachesHoldEveryFrameInTheOrderOfTheirMesh) {
  for (const std::string ending : {".pc2", ".mdd"}) {
    const SolidRun run = kBar.run(5);
    const fs::path file = top_ / ("cache" + ending);
    const PointCacheReport report = write_point_cache(run, {.scale = 100, .z_up = true}, file);
    const TriangleMesh mesh = read_surface(report.mesh);
    ASSERT_EQ(mesh.points.size(), report.points);
    const std::string bytes = read_file(file);
    const std::size_t head = ending == ".pc2" ? 32 : 8 + 4 * 5;
    ASSERT_EQ(bytes.size(), head + 5 * 12 * report.points);
    const auto value = [&](std::size_t frame, std::size_t point, std::size_t axis) {
      std::uint32_t bits = 0;
      std::memcpy(&bits, bytes.data() + head + 4 * (3 * (frame * report.points + point) + axis), 4);
      if (ending == ".mdd") bits = __builtin_bswap32(bits);
      return static_cast<double>(std::bit_cast<float>(bits));
    };
    Vec3 last = Vec3::Zero();
    std::size_t apart = 0;
    for (std::size_t p = 0; p < report.points; ++p) {
      for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(value(0, p, i), mesh.points[p][static_cast<int>(i)], 1e-4);
      const Vec3 rest(mesh.points[p].x() / 100, mesh.points[p].z() / 100, -mesh.points[p].y() / 100);
      const Vec3 moved = BrokenBar::affine() * rest + BrokenBar::shift();
      EXPECT_NEAR(value(1, p, 0), 100 * moved.x(), 1e-3);
      EXPECT_NEAR(value(1, p, 1), -100 * moved.z(), 1e-3);
      EXPECT_NEAR(value(1, p, 2), 100 * moved.y(), 1e-3);
      const Vec3 gone(value(4, p, 0), value(4, p, 1), value(4, p, 2));
      if (p + 10 > report.points) apart += p + 10 > report.points + 1 && gone != last ? 1 : 0, last = gone;
    }
    EXPECT_EQ(apart, 0u) << "the removed piece has shrunk to a point";
  }
}

TEST_F(SolidExport, PlyAndObjCarryFragmentsMaterialsAndTexture) {
  const Frame frame = kBar.frame(3);
  const std::vector<PieceSurface> pieces = piece_surfaces(frame, NormalsOf::world);
  write_file_atomically(top_ / "bar.ply", pieces_ply(frame, pieces, {}));
  const TriangleMesh ply = read_surface(top_ / "bar.ply");
  EXPECT_EQ(ply.triangles.size(), 96u);
  EXPECT_NEAR(volume_of(ply), 2, 1e-5);
  write_obj(top_ / "bar.0003.obj", frame, pieces, {}, piece_materials());
  const TriangleMesh obj = read_surface(top_ / "bar.0003.obj");
  EXPECT_EQ(obj.points.size(), 2u * 26);  // cubes of 3 x 3 x 3 points without their middles
  EXPECT_NEAR(volume_of(obj), 2, 1e-12);
  EXPECT_EQ(std::count_if(obj.groups.begin(), obj.groups.end(), [&](auto g) { return obj.group_names[g] == "inside"; }),
            16);
  const std::string text = read_file(top_ / "bar.0003.obj");
  EXPECT_NE(text.find("mtllib bar.mtl"), std::string::npos);
  EXPECT_EQ(count(text, "o fragment_"), 2u);
  EXPECT_EQ(count(read_file(top_ / "bar.mtl"), "newmtl"), 2u);
}

TEST_F(SolidExport, GrainsArePointsWithVelocityRadiusAndMass) {
  Frame frame;
  frame.grains = {{Vec3(1, 2, 3), Vec3(4, 5, 6), Vec3::Zero(), 0.25, 0.01, 7}};
  const std::string ply = grains_ply(frame, {.scale = 10, .z_up = true});
  EXPECT_NE(ply.find("element vertex 1\n"), std::string::npos);
  const std::string end = "end_header\n";
  const std::size_t at = ply.find(end) + end.size();
  std::array<float, 8> values{};
  ASSERT_EQ(ply.size(), at + sizeof values + 4);
  std::memcpy(values.data(), ply.data() + at, sizeof values);
  EXPECT_EQ(values, (std::array<float, 8>{10, -30, 20, 40, -60, 50, 0.1f, 0.25f}));
}

TEST_F(SolidExport, UsdSaysWhatItsNumbersMean) {
  SolidRun run = kBar.run(5);
  run.pace = 0.5;
  write_usda(run, {.scale = 100, .z_up = true}, top_ / "bar.usda");
  const std::string text = read_file(top_ / "bar.usda");
  for (const char* line : {"metersPerUnit = 0.01\n", "upAxis = \"Z\"\n", "timeCodesPerSecond = 24\n",
                           "startTimeCode = 1\n", "endTimeCode = 5\n", "5: \"invisible\""}) {
    EXPECT_NE(text.find(line), std::string::npos) << line;
  }
  EXPECT_EQ(count(text, "def Mesh \"fragment_"), 2u);
  EXPECT_EQ(count(text, "def GeomSubset \"inside\""), 2u);
  EXPECT_EQ(count(text, "points.timeSamples"), 2u);
  EXPECT_EQ(count(text, "velocities.timeSamples"), 2u);
  write_changing_usda(run, {}, top_ / "changing.usda");
  const std::string changing = read_file(top_ / "changing.usda");
  EXPECT_EQ(count(changing, "faceVertexIndices.timeSamples"), 1u);
  EXPECT_EQ(count(changing, "primvars:fragment.timeSamples"), 1u);
}

// The least that is called a PNG: its signature. Exporters hand pictures on as they are.
const std::string kPng = "\x89PNG\r\n\x1a\n and what follows";

std::shared_ptr<const PictureFile> picture(const std::string& bytes) {
  return std::make_shared<PictureFile>(PictureFile{bytes, ".png", "image/png"});
}

TEST_F(SolidExport, BodiesPaintedAlikeShareMaterialsAndOthersNameTheirBody) {
  const BodyPaint white = {{{{1, 1, 1}, nullptr}, {{0.5, 0.5, 0.5}, nullptr}}};
  BodyPaint tiled = white;
  tiled[kOutside].picture = picture(kPng);
  const PieceMaterials alike = piece_materials({"a", "b"}, {white, white});
  ASSERT_EQ(alike.all.size(), 2u);
  EXPECT_EQ(alike.name(1, kOutside), "outside");
  EXPECT_EQ(alike.name(1, kInside), "inside");
  const PieceMaterials mixed = piece_materials({"cup", "tea-pot", "tea_pot", "plate"}, {white, tiled, white, tiled});
  ASSERT_EQ(mixed.all.size(), 3u);
  EXPECT_EQ(mixed.name(0, kOutside), "outside");
  EXPECT_EQ(mixed.name(1, kOutside), "outside_tea_pot");
  EXPECT_EQ(mixed.name(1, kInside), "inside");
  EXPECT_EQ(mixed.name(2, kOutside), "outside");
  EXPECT_EQ(mixed.name(3, kOutside), "outside_tea_pot");
  EXPECT_EQ(picture_names(mixed, "x/tea set@1.usda"),
            (std::vector<std::string>{"", "", "tea_set_1-outside_tea_pot.png"}));
  BodyPaint red = white;
  red[kOutside].color = {1, 0, 0};
  EXPECT_EQ(piece_materials({"cup", "tea-pot", "tea_pot"}, {white, tiled, red}).name(2, kOutside), "outside_tea_pot_2");
}

TEST_F(SolidExport, PicturesAreToldByTheirFirstBytes) {
  write_file_atomically(top_ / "named.jpg", kPng);
  EXPECT_EQ(read_picture_file(top_ / "named.jpg").mime, "image/png");
  write_file_atomically(top_ / "photo", "\xff\xd8\xff\xe0 and what follows");
  EXPECT_EQ(read_picture_file(top_ / "photo").ending, ".jpg");
  write_file_atomically(top_ / "text.png", "no picture");
  EXPECT_THROW(read_picture_file(top_ / "text.png"), FileError);
  EXPECT_THROW(read_picture_file(top_ / "none.png"), FileError);
}

// The halves of the bar as two bodies: the right one has the picture.
SolidRun painted_bar() {
  SolidRun run = kBar.run(4);
  run.frame = [](int number) {
    Frame frame = kBar.frame(number);
    for (std::size_t t = 0; t < frame.tets.size(); ++t) {
      double x = 0;
      for (const std::uint32_t n : frame.tets[t]) x += frame.rest[n].x() / 4;
      frame.body[t] = x > 1 ? 1 : 0;
    }
    return frame;
  };
  run.frames = {3, 4};
  run.bodies = {"left", "right"};
  BodyPaint plain = {{{{1, 1, 1}, nullptr}, {{0.5, 0.5, 0.5}, nullptr}}}, tiled = plain;
  tiled[kOutside] = {{0.9, 0.8, 0.7}, picture(kPng)};
  run.materials = piece_materials(run.bodies, {plain, tiled});
  return run;
}

TEST_F(SolidExport, GlbCarriesThePictureAsItIsForTheBodyThatHasIt) {
  RigidReport report;
  GlbScene scene = pieces_glb(painted_bar(), {.scale = 1, .deforming = false, .hulls = true}, report);
  ASSERT_EQ(scene.materials.size(), 4u);
  EXPECT_EQ(scene.materials[scene.nodes[0].primitives[0].material].name, "outside");
  EXPECT_EQ(scene.materials[scene.nodes[1].primitives[0].material].name, "outside_right");
  EXPECT_EQ(scene.materials[scene.nodes[1].primitives[1].material].name, "inside");
  EXPECT_EQ(scene.materials[scene.nodes[1].children[0].primitives[0].material].name, "hull");
  scene.materials[0].picture = scene.materials[2].picture;  // twice used, once there
  const std::string bytes = glb_bytes(scene);
  EXPECT_EQ(count(bytes, kPng), 1u);
  EXPECT_EQ(count(bytes, "\"mimeType\":\"image/png\""), 1u);
  EXPECT_EQ(count(bytes, "\"baseColorTexture\":{\"index\":0}"), 2u);

  SolidRun run = painted_bar();
  run.frame = [frame = run.frame](int number) {
    Frame bare = frame(number);
    bare.uv.clear();
    return bare;
  };
  EXPECT_EQ(count(glb_bytes(pieces_glb(run, {}, report)), "baseColorTexture"), 0u) << "nothing to lay it on by";
}

TEST_F(SolidExport, ObjAndUsdHavePicturesBesideThem) {
  const SolidRun run = painted_bar();
  const Frame frame = run.frame(3);
  write_obj(top_ / "bar.0003.obj", frame, piece_surfaces(frame, NormalsOf::world), {}, run.materials);
  EXPECT_EQ(read_file(top_ / "bar-outside_right.png"), kPng);
  const std::string library = read_file(top_ / "bar.mtl");
  EXPECT_NE(library.find("newmtl outside_right\nKd 0.9 0.8 0.7\n"), std::string::npos) << library;
  EXPECT_EQ(count(library, "map_Kd"), 1u);
  EXPECT_NE(library.find("map_Kd bar-outside_right.png\n"), std::string::npos) << library;
  EXPECT_EQ(count(read_file(top_ / "bar.0003.obj"), "usemtl outside_right\n"), 1u);

  write_usda(run, {}, top_ / "fixed.usda");
  EXPECT_EQ(read_file(top_ / "fixed-outside_right.png"), kPng);
  const std::string fixed = read_file(top_ / "fixed.usda");
  EXPECT_EQ(count(fixed, "asset inputs:file = @./fixed-outside_right.png@"), 1u);
  EXPECT_EQ(count(fixed, "float4 inputs:scale = (0.9, 0.8, 0.7, 1)"), 1u);
  EXPECT_EQ(count(fixed, "def GeomSubset \"outside\""), 2u) << "under the same name in every piece";
  EXPECT_EQ(count(fixed, "rel material:binding = </run/materials/outside_right>"), 2u) << "of the mesh and the subset";
  write_changing_usda(run, {}, top_ / "changing.usda");
  const std::string changing = read_file(top_ / "changing.usda");
  EXPECT_EQ(count(changing, "def GeomSubset"), 3u);
  EXPECT_EQ(count(changing, "rel material:binding = </run/materials/outside_right>"), 1u);
}

TEST_F(SolidExport, FramesOfAnotherRunAreNoticed) {
  SolidRun run = kBar.run(3);
  run.frame = [](int number) {
    Frame frame = kBar.frame(number);
    if (number == 1) {
      for (Vec3& x : frame.rest) x += Vec3(100, 0, 0);
      for (Uid& uid : frame.tet_uid) uid += 1000;
    }
    return frame;
  };
  const FinalPieces final = find_final_pieces(run);
  EXPECT_THROW(follow_pieces(run, final, [](const PieceMoment&) {}), InputError);
}

}  // namespace
}  // namespace sunder
