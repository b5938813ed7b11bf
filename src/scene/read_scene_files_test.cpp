// Files that scenes name: where they are looked for, and which are allowed.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "scene/scene_testing.h"
#include "scene/write_scene.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;

using scene_testing::error_of;
using scene_testing::kBody;

// A folder with files that is removed at the end of the test.
class ReadSceneFiles : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    root_ = fs::canonical(fs::temp_directory_path()) / fmt::format("sunder_{}_{}", info->name(), getpid());
    fs::create_directories(root_ / "scene" / "meshes");
    write("scene/meshes/a.vtu", "x");
    write("secret.vtu", "x");
  }
  void TearDown() override { fs::remove_all(root_); }

  void write(const std::string& path, const std::string& content) const { std::ofstream(root_ / path) << content; }

  SceneSource source(const std::string& mesh_path) const {
    return {fmt::format("[[body]]\nshape = {{ kind = \"file\", path = \"{}\" }}\nmaterial = \"glass\"\n", mesh_path),
            "s.toml", root_ / "scene", "s"};
  }
  fs::path mesh(const std::string& mesh_path, bool allow_outside = false) const {
    const Scene scene = read_scene(source(mesh_path), {{}, allow_outside});
    return std::get<FileShape>(scene.bodies.at(0).shape).path;
  }

  fs::path root_;
};

TEST_F(ReadSceneFiles, MeshFileIsFoundRelativeToTheSceneAndResolved) {
  EXPECT_EQ(mesh("meshes/a.vtu"), root_ / "scene/meshes/a.vtu");
  EXPECT_EQ(mesh("./meshes/../meshes/a.vtu"), root_ / "scene/meshes/a.vtu");
  const Scene scene = read_scene(source("meshes/a.vtu"));
  EXPECT_EQ(std::get<FileShape>(scene.bodies[0].shape).scale, 1);
}

TEST_F(ReadSceneFiles, HowASurfaceIsFilledCanBeSaid) {
  write("scene/meshes/a.obj", "x");
  const auto with = [&](const std::string& path, const std::string& keys) {
    return SceneSource{
        fmt::format("[[body]]\nshape = {{ kind = \"file\", path = \"{}\", {} }}\nmaterial = \"glass\"\n", path, keys),
        "s.toml", root_ / "scene", "s"};
  };
  const Scene scene = read_scene(
      with("meshes/a.obj",
           "inside = 4, sharp = 60, walls = 2.5, stretch = 3, finer = [{ center = [1, 2, 3], radius = 0.5, edge = "
           "0.1 }, { center = [0, 0, 0], radius = 2, edge = 1 }]"));
  const FillOptions wanted{4, 60, 2.5, 3, {{Vec3(1, 2, 3), 0.5, 0.1}, {Vec3(0, 0, 0), 2, 1}}};
  EXPECT_EQ(std::get<FileShape>(scene.bodies[0].shape).fill, wanted);
  EXPECT_EQ(scene.bodies[0].edge, 0);  // is found when the file is read
  const Scene again = read_scene({scene_text(scene), "again.toml", "/", "other"}, {{}, true});
  EXPECT_EQ(std::get<FileShape>(again.bodies[0].shape), std::get<FileShape>(scene.bodies[0].shape));

  const auto expect_error = [&](const std::string& path, const std::string& keys, const std::string& words) {
    const std::string error = error_of(with(path, keys));
    EXPECT_NE(error.find(words), std::string::npos) << error;
    EXPECT_EQ(error.substr(0, 9), "s.toml:2:") << error;
  };
  expect_error("meshes/a.vtu", "inside = 4", "goes only with surfaces");
  expect_error("meshes/a.obj", "inside = 0.5", "`body[0].shape.inside`");
  expect_error("meshes/a.obj", "finer = 3", "list of tables");
  expect_error("meshes/a.obj", "finer = [3]", "list of tables");
  expect_error("meshes/a.obj", "finer = [{ center = [1, 2, 3], edge = 0.1 }]",
               "`body[0].shape.finer[0].radius` is missing");
  expect_error("meshes/a.obj", "finer = [{ center = [1, 2, 3], radius = 1, edge = 0 }]",
               "`body[0].shape.finer[0].edge`");
  std::string many;
  for (int i = 0; i < 101; ++i) many += "{ center = [1, 2, 3], radius = 1, edge = 1 },";
  expect_error("meshes/a.obj", "finer = [" + many + "]", "at most 100");
}

TEST_F(ReadSceneFiles, MeshFileOutsideTheFolderNeedsPermission) {
  fs::create_symlink("../../secret.vtu", root_ / "scene/meshes/link.vtu");
  for (const std::string& path : {std::string("../secret.vtu"), std::string("meshes/link.vtu"),
                                  (root_ / "secret.vtu").string(), (root_ / "scene/meshes/a.vtu").string()}) {
    const std::string error = error_of(source(path));
    EXPECT_EQ(error.substr(0, 13), "s.toml:2:33: ") << path << ' ' << error;
    EXPECT_NE(error.find("--allow-outside"), std::string::npos) << path << ' ' << error;
  }
  EXPECT_EQ(mesh("../secret.vtu", true), root_ / "secret.vtu");
  EXPECT_EQ(mesh("meshes/link.vtu", true), root_ / "secret.vtu");
  EXPECT_EQ(mesh((root_ / "secret.vtu").string(), true), root_ / "secret.vtu");
}

TEST_F(ReadSceneFiles, FolderWhoseNameOnlyBeginsAlikeIsOutside) {
  fs::create_directory(root_ / "scene2");
  write("scene2/a.vtu", "x");
  EXPECT_NE(error_of(source("../scene2/a.vtu")).find("outside the scene's folder"), std::string::npos);
}

TEST_F(ReadSceneFiles, MissingMeshFileSaysWhereItWasLookedFor) {
  const std::string error = error_of(source("meshes/b.vtu"));
  EXPECT_NE(error.find("no such file"), std::string::npos) << error;
  EXPECT_NE(error.find((root_ / "scene/meshes/b.vtu").string()), std::string::npos) << error;
  EXPECT_NE(error_of(source("meshes")).find("not a file"), std::string::npos);
  EXPECT_NE(error_of(source(std::string(900, 'x'))).find("s.toml:2:33"), std::string::npos);
}

TEST_F(ReadSceneFiles, EdgeDoesNotGoWithAMeshFile) {
  SceneSource with_edge = source("meshes/a.vtu");
  with_edge.text += "edge = 0.1\n";
  EXPECT_NE(error_of(with_edge).find("s.toml:4:1: `body[0].edge` goes only with"), std::string::npos);
}

TEST_F(ReadSceneFiles, SceneSourceComesFromItsFile) {
  write("scene/my.toml", kBody);
  const SceneSource from_file = scene_source(root_ / "scene/my.toml");
  EXPECT_EQ(from_file.text, kBody);
  EXPECT_EQ(from_file.folder, root_ / "scene");
  EXPECT_EQ(read_scene(from_file).name, "my");
  EXPECT_THROW(scene_source(root_ / "none.toml"), FileError);
  EXPECT_THROW(scene_source(root_), FileError);
  EXPECT_THROW(scene_source(std::string(5000, 'x')), FileError);
  EXPECT_NE(error_of(scene_source("/dev/zero")).find("the limit is 16 MB"), std::string::npos);
}

}  // namespace
}  // namespace sunder
