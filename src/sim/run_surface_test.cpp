// Surfaces through the whole path: scene, run folder, checkpoints, check.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <tuple>

#include "core/error.h"
#include "mesh/surface_testing.h"
#include "sim/check_run.h"
#include "sim/remesh_body.h"
#include "sim/run_testing.h"
#include "sim/surface_notes.h"
#include "sim/surface_of_body.h"

namespace sunder {
namespace {

constexpr const char* kMud = R"(
name = "mud"
duration = 1
fps = 8
[[body]]
solver = "surface_iben06"
shape = { kind = "slab", size = [1, 1, 0.05] }
part = "front"
edge = 0.05
coat = { kind = "mud", length = 0.2, depth = 0.03 }
)";

using RunSurface = RunScene;

TEST_F(RunSurface, LeavesARunThatChecks) {
  const RunResult result = run_scene(scene_of(kMud), into("mud"));
  EXPECT_GT(result.progress.splits, 50u);
  EXPECT_GT(result.progress.fragments, 3u);
  EXPECT_EQ(check_run(top_ / "mud").problems, std::vector<std::string>());
  const Frame last = frame("mud", "mud.0009.vtu");
  EXPECT_TRUE(last.tets.empty());
  EXPECT_EQ(last.wall.size(), last.position.size());
  EXPECT_EQ(last.corner_uv.size(), last.triangles.size());
  // Every crack edge comes from an event: a line of cracks.jsonl.
  std::ifstream events(top_ / "mud" / "cracks.jsonl");
  std::uint32_t count = 0;
  for (std::string line; std::getline(events, line);) count += line.find("\"node\"") != std::string::npos ? 1 : 0;
  std::uint32_t largest = 0;
  for (const auto& order : last.crack_order) largest = std::max({largest, order[0], order[1], order[2]});
  EXPECT_EQ(largest, count);
}

TEST_F(RunSurface, SameBitsForAnyNumberOfThreadsAndAfterResuming) {
  expect_same_bits(scene_of(kMud, {"body.0.coat.cracks_per_second=200"}));
}

constexpr const char* kStruck = R"(
name = "struck"
duration = 1
fps = 8
[[body]]
solver = "surface_iben06"
shape = { kind = "disc", radius = 0.5 }
edge = 0.04
position = [1, 0, 2]
coat = { kind = "glaze", length = 0.15, once = { impacts = [{ point = [1.1, 0, 2], hoop = 3, radial = 0, radius = 0.3 }] } }
)";

// Fields of the lines of cracks.jsonl that tell of a crack.
std::vector<std::string> crack_lines(const std::filesystem::path& folder) {
  std::ifstream events(folder / "cracks.jsonl");
  std::vector<std::string> lines;
  for (std::string line; std::getline(events, line);) {
    // The load it came at differs from run to run; place and direction do not.
    const std::size_t at = line.find("\"node\"");
    if (at != std::string::npos) lines.push_back(line.substr(at));
  }
  return lines;
}

TEST_F(RunSurface, StarOfABlowIsAtTheTopOfTheListOfCracks) {
  run_scene(scene_of(kStruck, {"body.0.coat.tension=0", "body.0.coat.noise=0"}), into("star"));
  run_scene(scene_of(kStruck), into("both"));
  EXPECT_EQ(check_run(top_ / "both").problems, std::vector<std::string>());
  const auto star = crack_lines(top_ / "star"), both = crack_lines(top_ / "both");
  ASSERT_GT(star.size(), 20u);
  ASSERT_GT(both.size(), star.size() + 50);
  EXPECT_TRUE(std::equal(star.begin(), star.end(), both.begin()));
}

TEST_F(RunSurface, StruckSameBitsForAnyNumberOfThreadsAndAfterResuming) {
  expect_same_bits(scene_of(kStruck, {"body.0.coat.cracks_per_second=200"}));
}

TEST_F(RunSurface, DiscIsOneSheetWithoutParts) {
  std::vector<std::string> warnings;
  const BodySurface surface = surface_of_body(scene_of(kStruck), 0, warnings);
  EXPECT_TRUE(warnings.empty());
  EXPECT_EQ(surface.uvs.size(), surface.triangles.size());
  for (const Vec3& p : surface.points) EXPECT_LE((p - Vec3(1, 0, 2)).norm(), 0.5 + 1e-12);
  try {
    surface_of_body(scene_of(kStruck, {"body.0.part=top"}), 0, warnings);
    FAIL() << "a part that is not there must be refused";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("leave `part` out"), std::string::npos) << error.what();
  }
}

TEST_F(RunSurface, PaintMayActOnceOrGrow) {
  std::ofstream(top_ / "two.ply") << "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\n"
                                     "property float z\nelement face 2\nproperty list uchar int vertex_indices\n"
                                     "property float old\nproperty float wet\nproperty uchar held\nend_header\n"
                                     "0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2 0.5 1 1\n3 0 2 3 0.25 2 1\n";
  const auto scene = [&](const std::string& once) {
    return read_scene({R"(
duration = 0.1
[[body]]
solver = "surface_iben06"
shape = { kind = "file", path = "two.ply" }
coat = { kind = "glaze", held = "held", painted = "wet", tension = 0, noise = 0, load_from = 0.1, load_to = 0.1, once = )" +
                           once + " }\n",
                       "s.toml", top_, "s"});
  };
  run_scene(scene("{ painted = \"old\", painted_factor = 0.5, tension = 0.125 }"), into("two"));
  // All corners are held, and nothing cracks: the load's tenth of `wet` on top of what acts once.
  const Frame last = frame("two", "s.0003.vtu");
  ASSERT_EQ(last.stress.size(), 2u);
  EXPECT_NEAR(last.stress[0], 0.25 + 0.125 + 0.1, 1e-6);
  EXPECT_NEAR(last.stress[1], 0.125 + 0.125 + 0.2, 1e-6);
  try {
    run_scene(scene("{ painted = \"olt\" }"), into("wrong"));
    FAIL() << "an unknown value must be refused";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("s.toml:6:"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("did you mean `old`?"), std::string::npos) << error.what();
  }
}

TEST_F(RunSurface, TakesAModelAsItIsWithItsPaint) {
  // A square of 2 x 2 cells with a hole in nothing: a boundary, a value at its points, a doubled triangle.
  std::ofstream(top_ / "sheet.ply") << "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\n"
                                       "property float z\nproperty float wet\nelement face 3\n"
                                       "property list uchar int vertex_indices\nend_header\n"
                                       "0 0 0 0\n1 0 0 0.25\n1 1 0 0.5\n0 1 0 1\n3 0 1 2\n3 0 2 3\n3 0 2 3\n";
  const std::string text = R"(
[[body]]
solver = "surface_iben06"
shape = { kind = "file", path = "sheet.ply", scale = 2 }
position = [1, 0, 0]
coat = { kind = "glaze", painted = "WHAT" }
)";
  const auto scene_with = [&](std::string what) {
    std::string changed = text;
    changed.replace(changed.find("WHAT"), 4, what);
    return read_scene({changed, "s.toml", top_, "s"});
  };
  std::vector<std::string> warnings;
  const BodySurface surface = surface_of_body(scene_with("wet"), 0, warnings);
  EXPECT_EQ(surface.points.size(), 4u);
  EXPECT_EQ(surface.triangles.size(), 2u);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("there twice"), std::string::npos);
  for (std::size_t p = 0; p < 4; ++p) {
    const Vec3 at = (surface.points[p] - Vec3(1, 0, 0)) / 2;
    const double wet = at.x() < 0.5 ? (at.y() < 0.5 ? 0 : 1) : (at.y() < 0.5 ? 0.25 : 0.5);
    EXPECT_NEAR(surface.attributes.at("wet")[p], wet, 1e-6);
  }
  run_scene(scene_with("wet"), into("painted"));
  try {
    run_scene(scene_with("wat"), into("wrong"));
    FAIL() << "an unknown value must be refused";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean `wet`?"), std::string::npos) << error.what();
  }
}

TEST_F(RunSurface, TakesPaintAndSupportsOfFaces) {
  // The doubled triangle is left out, and so is its paint. `held` is above one half at the first triangle only.
  const auto write = [&](const char* wet) {
    std::ofstream(top_ / "faces.ply") << "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\n"
                                         "property float z\nelement face 3\nproperty list uchar int vertex_indices\n"
                                         "property float wet\nproperty uchar held\nend_header\n"
                                         "0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2 0.5 1\n3 0 1 2 7 0\n3 0 2 3 "
                                      << wet << " 0\n";
  };
  const std::string text = R"(
duration = 0.1
[[body]]
solver = "surface_iben06"
shape = { kind = "file", path = "faces.ply" }
coat = { kind = "glaze", painted = "wet", held = "held", tension = 0, noise = 0, load_from = 0.1, load_to = 0.1 }
)";
  const auto scene = [&] { return read_scene({text, "s.toml", top_, "s"}); };
  write("0.25");
  std::vector<std::string> warnings;
  const BodySurface surface = surface_of_body(scene(), 0, warnings);
  ASSERT_EQ(surface.triangles.size(), 2u);
  EXPECT_EQ(surface.face_attributes.at("wet"), (std::vector<double>{0.5, 0.25}));
  run_scene(scene(), into("faces"));
  const Frame last = frame("faces", "s.0001.vtu");
  ASSERT_EQ(last.stress.size(), 2u);
  EXPECT_NEAR(last.stress[0], 0.05, 1e-6);  // all its corners are held: what the load brought is still there
  write("nan");
  try {
    run_scene(scene(), into("nan"));
    FAIL() << "paint that is no number must be refused";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("triangle 3"), std::string::npos) << error.what();  // the file's
  }
}

TEST_F(RunSurface, ColoursOfBytesGoFromZeroToOne) {
  std::ofstream(top_ / "bytes.ply") << "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\n"
                                       "property float z\nelement face 2\nproperty list uchar int vertex_indices\n"
                                       "property uchar red\nproperty uchar held\nend_header\n"
                                       "0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2 255 1\n3 0 2 3 51 1\n";
  run_scene(read_scene({R"(
duration = 0.1
[[body]]
solver = "surface_iben06"
shape = { kind = "file", path = "bytes.ply" }
coat = { kind = "glaze", painted = "red", held = "held", tension = 0, noise = 0, load_from = 0.1, load_to = 0.1 }
)",
                        "s.toml", top_, "s"}),
            into("bytes"));
  const Frame last = frame("bytes", "s.0001.vtu");
  ASSERT_EQ(last.stress.size(), 2u);
  EXPECT_NEAR(last.stress[0], 0.1, 1e-6);
  EXPECT_NEAR(last.stress[1], 0.02, 1e-6);
}

// A grid of squares, each with two triangles; `wet` is what x is.
std::string grid_ply(int cells, bool wet = false) {
  std::string text = "ply\nformat ascii 1.0\nelement vertex " + std::to_string((cells + 1) * (cells + 1)) +
                     "\nproperty float x\nproperty float y\nproperty float z\n" + (wet ? "property float wet\n" : "") +
                     "element face " + std::to_string(2 * cells * cells) +
                     "\nproperty list uchar int vertex_indices\nend_header\n";
  for (int i = 0; i <= cells; ++i) {
    for (int j = 0; j <= cells; ++j) {
      text += std::to_string(i) + " " + std::to_string(j) + " 0" + (wet ? " " + std::to_string(i) : "") + "\n";
    }
  }
  for (int i = 0; i < cells; ++i) {
    for (int j = 0; j < cells; ++j) {
      const int a = i * (cells + 1) + j, b = a + cells + 1;
      text += "3 " + std::to_string(a) + " " + std::to_string(b) + " " + std::to_string(b + 1) + "\n3 " +
              std::to_string(a) + " " + std::to_string(b + 1) + " " + std::to_string(a + 1) + "\n";
    }
  }
  return text;
}

TEST_F(RunSurface, NotesWhatWillShowInTheCracks) {
  const auto notes_of = [&](const std::string& ply, const std::string& coat) {
    std::ofstream(top_ / "model.ply") << ply;
    std::string all;
    const Scene scene =
        read_scene({"[[body]]\nsolver = \"surface_iben06\"\nshape = { kind = \"file\", path = "
                    "\"model.ply\" }\ncoat = { kind = \"glaze\", " +
                        coat + " }\n",
                    "s.toml", top_, "s"});
    for (const std::string& warning : build_run(scene).warnings) all += warning + "\n";
    return all;
  };
  EXPECT_NE(notes_of(grid_ply(8), "length = 5").find("regular grid"), std::string::npos);
  EXPECT_NE(notes_of(grid_ply(8), "length = 1.2").find("show the triangles"), std::string::npos);
  EXPECT_NE(notes_of(grid_ply(8), "load_to = 50").find("single triangles"), std::string::npos);
  const std::string book =
      "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\nproperty float z\nelement face 3\n"
      "property list uchar int vertex_indices\nend_header\n0 0 0\n0 1 0\n1 0 0\n-1 0 0\n0 0 1\n"
      "3 0 1 2\n3 0 1 3\n3 0 1 4\n";
  EXPECT_NE(notes_of(book, "length = 5").find("1 edges have more than two triangles"), std::string::npos);
  try {
    notes_of(grid_ply(8), "length = 0.1");
    FAIL() << "cells smaller than triangles must be refused";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("`remesh = true`"), std::string::npos) << error.what();
  }
  // Paint of bytes that came as numbers; blows are in metres, as the model is once it is scaled.
  const std::string wet = "length = 5, tension = 0, painted = \"wet\"";
  EXPECT_EQ(notes_of(grid_ply(8, true), wet).find("single triangles"), std::string::npos);
  EXPECT_NE(notes_of(grid_ply(8, true), wet + ", painted_factor = 32").find("331 times the toughness"),
            std::string::npos)
      << notes_of(grid_ply(8, true), wet + ", painted_factor = 32");
  EXPECT_NE(notes_of(grid_ply(8, true), "length = 5, once = { painted = \"wet\", painted_factor = 32 }")
                .find("times the toughness"),
            std::string::npos);
  const auto struck = [&](const char* blow) { return notes_of(grid_ply(8), std::string("length = 5, ") + blow); };
  EXPECT_EQ(struck("impacts = [{ point = [4, 4, 1], radius = 1 }]").find("hits nothing"), std::string::npos);
  EXPECT_NE(struck("impacts = [{ point = [4, 4, 3], radius = 1 }]").find("the surface is 3.0"), std::string::npos);
  EXPECT_NE(
      struck("once = { impacts = [{ point = [4000, 4, 0], radius = 1 }] }").find("between (0, 0, 0) and (8, 8, 0)"),
      std::string::npos);
  const BuiltRun mud = build_run(scene_of(kMud));
  EXPECT_TRUE(mud.warnings.empty()) << mud.warnings[0];
}

TEST_F(RunSurface, MeshesAModelAnewWithItsPaint) {
  std::ofstream(top_ / "grid.ply") << grid_ply(8, true);
  const auto scene_with = [&](const std::string& keys) {
    return read_scene(
        {"[[body]]\nsolver = \"surface_iben06\"\nshape = { kind = \"file\", path = \"grid.ply\" }\n" + keys, "s.toml",
         top_, "s"});
  };
  std::vector<std::string> warnings;
  const Scene scene = scene_with("remesh = true\nedge = 0.25\ncoat = { kind = \"mud\", length = 1.2 }\n");
  const BodySurface surface = surface_of_body(scene, 0, warnings);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("its 128 triangles were meshed anew"), std::string::npos) << warnings[0];
  EXPECT_NEAR(static_cast<double>(surface.triangles.size()), 64 / (0.433 * 0.25 * 0.25), 250);
  for (std::size_t p = 0; p < surface.points.size(); ++p) {
    EXPECT_NEAR(surface.attributes.at("wet")[p], surface.points[p].x(), 1e-9);
  }
  EXPECT_LT(share_on_lines(TriMesh(surface.points, surface.triangles)), 0.15);
  run_scene(scene, into("even"));
  EXPECT_EQ(check_run(top_ / "even").problems, std::vector<std::string>());

  // Without `edge`: a fifth of the length, or many.
  const auto count = [&](const std::string& keys) {
    return surface_of_body(scene_with("remesh = true\n" + keys), 0, warnings).triangles.size();
  };
  EXPECT_NEAR(static_cast<double>(count("coat = { kind = \"mud\", length = 0.75 }\n")), 64 / (0.433 * 0.0225), 500);
  EXPECT_NEAR(static_cast<double>(count("coat = { kind = \"mud\" }\n")), 20000, 1500);
  try {
    count("edge = 1e-5\ncoat = { kind = \"mud\" }\n");
    FAIL() << "a trillion triangles must be refused";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("s.toml:5:1: `body-1` would be meshed with"), std::string::npos)
        << error.what();
    EXPECT_NE(std::string(error.what()).find("would fit"), std::string::npos) << error.what();
  }
}

// Without looking at the length first, 400,000 triangles would be made.
TEST_F(RunSurface, ShortLengthsAreRefusedBeforeMeshing) {
  std::ofstream(top_ / "grid.ply") << grid_ply(8);
  std::vector<std::string> warnings;
  const auto refusal = [&](const std::string& keys) -> std::string {
    try {
      surface_of_body(
          read_scene({"[[body]]\nsolver = \"surface_iben06\"\nshape = { kind = \"file\", path = \"grid.ply\" }\n"
                      "remesh = true\n" +
                          keys,
                      "s.toml", top_, "s"}),
          0, warnings);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(refusal("coat = { kind = \"mud\", length = 0.005 }\n").find("s.toml:5:"), std::string::npos);
  EXPECT_NE(refusal("edge = 0.1\ncoat = { kind = \"mud\", length = 0.04 }\n").find("`edge` (--edge) smaller"),
            std::string::npos);
  EXPECT_TRUE(warnings.empty());
  EXPECT_EQ(refusal("edge = 0.5\ncoat = { kind = \"mud\", length = 0.3 }\n"), "");
}

TEST_F(RunSurface, RibbonsGetLongEdgesAndNeedlesAreRefused) {
  const auto meshed = [&](double width, const std::string& keys) {
    std::ofstream(top_ / "strip.obj") << "v 0 0 0\nv 10 0 0\nv 10 0 " << width << "\nv 0 0 " << width
                                      << "\nf 1 3 2\nf 1 4 3\n";
    std::vector<std::string> warnings;
    const Scene scene =
        read_scene({"[[body]]\nsolver = \"surface_iben06\"\nshape = { kind = \"file\", path = \"strip.obj\" }\n"
                    "remesh = true\ncoat = { kind = \"glaze\" }\n" +
                        keys,
                    "s.toml", top_, "s"});
    const std::size_t count = surface_of_body(scene, 0, warnings).triangles.size();
    EXPECT_NE(warnings.at(0).find(fmt::format("{} with edges of", count)), std::string::npos) << warnings[0];
    return count;
  };
  EXPECT_NEAR(static_cast<double>(meshed(0.02, "")), 20000, 3000);
  // Far narrower than its edges: two rows of points.
  EXPECT_NEAR(static_cast<double>(meshed(1e-4, "edge = 2e-3\n")), 2 * 10 / 2e-3, 7000);
  for (const auto& [width, keys, word] :
       {std::tuple(1e-7, "", "is a needle"), std::tuple(1e-5, "edge = 2e-6\n", "the limit is 2 million")}) {
    try {
      meshed(width, keys);
      FAIL() << word;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
  }
}

TEST_F(RunSurface, NotesTheEdgesThatCameOut) {
  std::ofstream(top_ / "tet.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  std::vector<std::string> warnings;
  const auto note = [&](const std::string& edge) {
    warnings.clear();
    const BodySurface out = surface_of_body(
        read_scene({"[[body]]\nsolver = \"surface_iben06\"\nremesh = true\nedge = " + edge +
                        "\nshape = { kind = \"file\", path = \"tet.obj\" }\ncoat = { kind = \"glaze\" }\n",
                    "s.toml", top_, "s"}),
        0, warnings);
    double sum = 0;
    for (const auto& t : out.triangles) {
      for (std::size_t k = 0; k < 3; ++k) sum += (out.points[t[k]] - out.points[t[(k + 1) % 3]]).norm();
    }
    return fmt::format("{} with edges of {:.3g} m", out.triangles.size(),
                       sum / 3 / static_cast<double>(out.triangles.size()));
  };
  const std::string few = note("100");
  EXPECT_NE(warnings.at(0).find(few + " in the mean, where 100 m were wanted"), std::string::npos) << warnings[0];
  const std::string many = note("0.1");
  EXPECT_TRUE(warnings.at(0).ends_with(many)) << warnings[0];
}

TEST_F(RunSurface, ModelsWhoseSquaresLeaveTheDoublesAreRefused) {
  for (const bool remesh : {true, false}) {
    const auto cracked = [&](const std::string& scale) {
      std::ofstream(top_ / "tet.obj") << "v 0 0 0\nv 1" << scale << " 0 0\nv 0 1" << scale << " 0\nv 0 0 1" << scale
                                      << "\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
      const std::string text =
          "[[body]]\nsolver = \"surface_iben06\"\nshape = { kind = \"file\", path = \"tet.obj\" }\ncoat = { kind "
          "= \"glaze\" }\n";
      return build_run(read_scene({text + (remesh ? "remesh = true\n" : ""), "s.toml", top_, "s"})).surface != nullptr;
    };
    EXPECT_TRUE(cracked("e-50"));
    EXPECT_TRUE(cracked("e50"));
    for (const char* scale : {"e-80", "e80"}) {
      try {
        cracked(scale);
        FAIL() << scale;
      } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("tet.obj: the model is"), std::string::npos) << error.what();
      }
    }
  }
}

TEST_F(RunSurface, PaintThatIsNoNumberHasTheFilesPlace) {
  std::string ply = grid_ply(8, true);
  ply.replace(ply.rfind("8 8 0 8"), 7, "8 8 0 nan");
  std::ofstream(top_ / "grid.ply") << ply;
  for (const char* remesh : {"", "remesh = true\n"}) {
    for (const char* paint : {"painted = \"wet\"", "held = \"wet\"", "once = { painted = \"wet\" }"}) {
      try {
        build_run(read_scene({std::string("[[body]]\nsolver = \"surface_iben06\"\nshape = { kind = \"file\", path = "
                                          "\"grid.ply\" }\ncoat = { kind = \"mud\", ") +
                                  paint + " }\n" + remesh,
                              "s.toml", top_, "s"}));
        FAIL() << paint;
      } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("of point 81 of"), std::string::npos) << error.what();
      }
    }
  }
}

TEST_F(RunSurface, RemeshesShapesToo) {
  const Scene scene = scene_of(kMud, {"body.0.remesh=true"});
  std::vector<std::string> warnings;
  const BodySurface surface = surface_of_body(scene, 0, warnings);
  EXPECT_TRUE(warnings.empty());
  EXPECT_EQ(surface.uvs.size(), surface.triangles.size());
  EXPECT_NE(why_remesh(surface, 0.2).find("few for a pattern"), std::string::npos);  // and nothing else
  expect_same_bits(scene_of(kMud, {"body.0.coat.cracks_per_second=200", "body.0.remesh=true"}));
}

TEST_F(RunSurface, SaysWhyAModelShouldBeRemeshed) {
  Dice dice(1);
  const auto reason = [](const SurfaceSample& s, std::optional<double> length) {
    return why_remesh({s.points, s.triangles, {}, {}, {}, 0}, length);
  };
  const auto has = [](const std::string& text, const char* word) { return text.find(word) != std::string::npos; };
  EXPECT_TRUE(has(reason(square_sheet(20, 0.02, dice), {}), "regular grid"))
      << reason(square_sheet(20, 0.02, dice), {});
  EXPECT_TRUE(has(reason(square_sheet(20, 0.3, dice), {}), "few"));
  EXPECT_TRUE(has(reason(square_sheet(20, 0.3, dice), 5), "few"));
  EXPECT_EQ(reason(square_sheet(60, 0.2, dice), 5), "");
  EXPECT_TRUE(has(reason(square_sheet(60, 0.2, dice), 2), "large for this length"));
  SurfaceSample uneven = square_sheet(20, 0.3, dice);
  const SurfaceSample coarse = square_sheet(10, 0.3, dice);
  const auto offset = static_cast<std::uint32_t>(uneven.points.size());
  for (const Vec3& p : coarse.points) uneven.points.emplace_back(5 * p + Vec3(30, 0, 0));
  for (const auto& [i, j, k] : coarse.triangles) uneven.triangles.push_back({offset + i, offset + j, offset + k});
  EXPECT_TRUE(has(reason(uneven, 100), "unlike")) << reason(uneven, 100);
  SurfaceSample sliver = square_sheet(20, 0.3, dice);
  const auto first = static_cast<std::uint32_t>(sliver.points.size());
  sliver.points.insert(sliver.points.end(), {Vec3(30, 0, 0), Vec3(31, 0, 0.04), Vec3(32, 0, 0)});
  sliver.triangles.push_back({first, first + 1, first + 2});
  EXPECT_TRUE(has(reason(sliver, 5), "slivers")) << reason(sliver, 5);
}

TEST_F(RunSurface, PartsOfAModelWithoutGroupsAreToBeLeftOut) {
  std::ofstream(top_ / "tet.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  std::vector<std::string> warnings;
  try {
    surface_of_body(
        read_scene({"[[body]]\nsolver = \"surface_iben06\"\npart = \"lid\"\nshape = { kind = \"file\", path "
                    "= \"tet.obj\" }\ncoat = { kind = \"glaze\" }\n",
                    "s.toml", top_, "s"}),
        0, warnings);
    FAIL() << "an unknown part must be refused";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("leave `part` out"), std::string::npos) << error.what();
  }
}

TEST_F(RunSurface, UnknownPartNamesThoseThereAre) {
  try {
    run_scene(scene_of(kMud, {"body.0.part=\"frond\""}), into("part"));
    FAIL() << "an unknown part must be refused";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean `front`?"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace sunder
