// Frames as others see them: meshio, which shares no code with us, must find exactly the arrays of the interface and
// the very numbers we wrote.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>

#include "cache/frame_vtu.h"
#include "cache/run_folder.h"
#include "core/files.h"
#include "mesh/face_skin.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

std::string hex(const void* data, std::size_t size) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  std::string text;
  for (std::size_t i = 0; i < size; ++i) text += fmt::format("{:02x}", bytes[i]);
  return text;
}
template <class T>
std::string hex(const std::vector<T>& values) {
  return hex(values.data(), values.size() * sizeof(T));
}

class WithMeshio : public testing::Test {
 protected:
  WithMeshio() : top_(fs::temp_directory_path() / ("sunder_meshio_test_" + std::to_string(::getpid()))) {
    fs::remove_all(top_);
    fs::create_directories(top_);
  }
  ~WithMeshio() override { fs::remove_all(top_); }

  // Runs a command of the shell, whose failure is one of the test.
  std::string output_of(const std::string& command) const {
    const fs::path out = top_ / "out.txt", err = top_ / "err.txt";
    const int status = std::system(fmt::format("{} > '{}' 2> '{}'", command, out.string(), err.string()).c_str());
    EXPECT_EQ(status, 0) << command << "\n" << read_file(err);
    return read_file(out);
  }
  // Standard Debian Python, where `apt install python3-meshio` puts it. A machine without it fails this test.
  Json meshio(const std::string& arguments) const {
    Json result = Json::parse(
        output_of(fmt::format("/usr/bin/python3 '{}/tests/read_with_meshio.py' {}", SUNDER_SOURCE_DIR, arguments)),
        nullptr, false);
    EXPECT_FALSE(result.is_discarded()) << "read_with_meshio.py printed no JSON";
    return result;
  }
  Json meshio(const fs::path& file) const {
    const Json all = meshio("'" + file.string() + "'");
    return all.is_object() ? all.value(file.string(), Json::object()) : Json::object();
  }

  fs::path top_;
};

Json expected_array(const char* type, std::vector<std::size_t> shape, const std::string& bytes) {
  return {{"type", type}, {"shape", shape}, {"bytes", bytes}};
}

// What meshio must find in the file of a frame. Its connectivity is of 64 bits.
Json expected(const Frame& frame) {
  const std::size_t nodes = frame.position.size(), tets = frame.tets.size();
  std::vector<std::int64_t> corners;
  for (const auto& tet : frame.tets) corners.insert(corners.end(), tet.begin(), tet.end());
  Json cells = expected_array("int64", {tets, 4}, hex(corners));
  cells["kind"] = "tetra";
  const auto cell_array = [&](const char* type, const std::string& bytes) {
    return Json::array({expected_array(type, {tets}, bytes)});
  };
  Json wanted = {{"points", expected_array("float64", {nodes, 3}, hex(frame.position))},
                 {"cells", Json::array({cells})},
                 {"point_data",
                  {{"rest", expected_array("float64", {nodes, 3}, hex(frame.rest))},
                   {"velocity", expected_array("float64", {nodes, 3}, hex(frame.velocity))},
                   {"uid", expected_array("uint64", {nodes}, hex(frame.node_uid))}}},
                 {"cell_data",
                  {{"body", cell_array("uint32", hex(frame.body))},
                   {"fragment", cell_array("uint32", hex(frame.fragment))},
                   {"material", cell_array("uint32", hex(frame.material))},
                   {"uid", cell_array("uint64", hex(frame.tet_uid))},
                   {"stress", cell_array("float64", hex(frame.stress))},
                   {"crack_faces", cell_array("uint8", hex(frame.crack_faces))}}}};
  if (!frame.parts.empty()) {
    wanted["cell_data"]["parts"] = Json::array({expected_array("uint8", {tets, 4}, hex(frame.parts))});
    wanted["cell_data"]["uv"] = Json::array({expected_array("float32", {tets, 24}, hex(frame.uv))});
  }
  if (!frame.normals.empty()) {
    wanted["cell_data"]["normals"] = Json::array({expected_array("float32", {tets, 36}, hex(frame.normals))});
    wanted["cell_data"]["source"] = Json::array({expected_array("uint32", {tets, 4}, hex(frame.source))});
  }
  return wanted;
}

void expect_same(const Json& found, const Json& wanted) {
  ASSERT_TRUE(found.is_object());
  EXPECT_EQ(found.size(), wanted.size());
  for (const auto& [group, content] : wanted.items()) {
    ASSERT_TRUE(found.contains(group)) << group;
    if (!content.is_object()) {
      EXPECT_EQ(found[group], content) << group;
      continue;
    }
    for (const auto& [name, array] : content.items()) {
      EXPECT_EQ(found[group].value(name, Json()), array) << group << " " << name;
    }
    for (const auto& [name, array] : found[group].items()) EXPECT_TRUE(content.contains(name)) << group << " " << name;
  }
}

TEST_F(WithMeshio, AFrameHoldsExactlyTheArraysOfTheInterface) {
  Frame frame;
  frame.number = 3;
  frame.time = 0.1;
  frame.position = {
      {0, -0.0, 1e-310}, {1, 0, 0}, {0, 1.0 / 3, 0}, {0, 0, 1}, {1, 1, std::numeric_limits<double>::max()}};
  frame.rest = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.1, 0.2, 0.3}};
  frame.velocity = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {-1, -2, -3}, {1e-30, 0, 0}};
  frame.node_uid = {1, 2, (1ull << 53) + 1, std::numeric_limits<Uid>::max(), 5};
  frame.tets = {{0, 1, 2, 3}, {1, 2, 3, 4}};
  frame.body = {0, 4000000000u};
  frame.fragment = {1, 2};
  frame.material = {0, 1};
  frame.tet_uid = {7, (1ull << 63) + 1};
  frame.stress = {-1.5, 2.0 / 3};
  frame.crack_faces = {0b1000, 0b0001};
  size_skin(frame, 2, {.uv = true, .normals = true, .source = true});
  put_skin(frame, 1, 2, {1, {Vec2(1, 2), Vec2(3, 4), Vec2(5, 6)}, {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)}, 77});
  RunFolder run(top_ / "run", "made");
  run.start({.name = "bowl"}, "scene");
  run.add_frame(frame);
  expect_same(meshio(run.frame_file(3)), expected(frame));
}

TEST_F(WithMeshio, EveryFrameOfARunOpensAndTheSeriesListsIt) {
  write_file_atomically(top_ / "drop.toml",
                        "duration = 0.125\n"
                        "[[body]]\nshape = { kind = \"box\", size = [0.2, 0.1, 0.1] }\nedge = 0.05\n"
                        "position = [0, 0.06, 0]\nrotation = [5, 0, 10]\n"
                        "material = { preset = \"jelly\", young = 4e5, poisson = 0.3, phi = 50, psi = 50 }\n"
                        "[[body]]\nshape = { kind = \"sphere\", radius = 0.1 }\nedge = 0.1\nposition = [0, 1, 0]\n"
                        "material = { preset = \"jelly\", young = 4e5, poisson = 0.3, phi = 50, psi = 50 }\n"
                        "[[collider]]\nshape = { kind = \"ground\" }\n");
  const std::string folder = (top_ / "run").string();
  output_of(fmt::format("'{}' run '{}/drop.toml' -o '{}' --threads 1 --progress none", SUNDER_PROGRAM, top_.string(),
                        folder));

  const Json series = meshio(fmt::format("--series '{}/drop.pvd'", folder));
  ASSERT_EQ(series.size(), 4u);
  std::string all_files;
  for (std::size_t i = 0; i < series.size(); ++i) {
    EXPECT_EQ(series[i][0].get<double>(), static_cast<double>(i) / 24.0);
    EXPECT_EQ(series[i][1], fmt::format("frames/drop.{:04d}.vtu", i + 1));
    const std::string file = folder + "/" + series[i][1].get<std::string>();
    ASSERT_TRUE(fs::exists(file)) << file;
    all_files += " '" + file + "'";
  }
  const Json frames = meshio(all_files);
  ASSERT_EQ(frames.size(), 4u);
  for (const auto& [file, found] : frames.items()) {
    const Frame ours = read_frame(file);
    ASSERT_GT(ours.tets.size(), 20u);
    expect_same(found, expected(ours));
  }
}

}  // namespace
}  // namespace sunder
