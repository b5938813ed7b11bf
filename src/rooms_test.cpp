// Includes point one way: from a room to the rooms that CMakeLists.txt names for it, never back and never sideways.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "core/files.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;

struct House {
  std::vector<std::string> order;                       // as CMakeLists.txt declares the rooms
  std::map<std::string, std::set<std::string>> named;   // the rooms each one names
  std::map<std::string, std::set<std::string>> behind;  // those, what they see, and the room itself
};

std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> result;
  for (std::string word; in >> word;) result.push_back(word);
  return result;
}

// The sunder_room(NAME [ROOMS other...] [LIBRARIES ...]) calls.
House read_house(const std::string& cmake) {
  House house;
  const std::string call = "\nsunder_room(";
  const std::string text = "\n" + cmake;
  for (std::size_t at = text.find(call); at != std::string::npos; at = text.find(call, at + 1)) {
    const std::size_t begin = at + call.size();
    const std::vector<std::string> parts = words(text.substr(begin, text.find(')', begin) - begin));
    if (parts.empty()) continue;
    const std::string& room = parts[0];
    house.order.push_back(room);
    std::set<std::string>& behind = house.behind[room];
    behind.insert(room);
    auto part = std::find(parts.begin(), parts.end(), "ROOMS");
    if (part != parts.end()) ++part;
    for (; part != parts.end() && *part != "LIBRARIES"; ++part) {
      house.named[room].insert(*part);
      behind.merge(std::set<std::string>(house.behind[*part]));
    }
  }
  return house;
}

// Headers of libraries that only some files may know. A place that ends in / means the whole folder.
struct Confined {
  std::string_view header;
  std::vector<std::string_view> places;
};
const std::vector<Confined>& confined_headers() {
  static const std::vector<Confined> all = {
      {"toml++/", {"scene/"}},
      {"CLI/", {"apps/"}},
      {"nlohmann/", {"cache/", "sim/", "apps/"}},
      {"zlib.h", {"meshfile/"}},
      {"tiny_gltf.h", {"meshfile/gltf.cpp", "export/glb.cpp"}},
      {"tbb/", {"core/parallel.cpp"}},
      {"hwy/",
       {"solvers/simd_target.cpp", "solvers/tet_oh99/fast_forces_kernel.cpp",
        "solvers/tet_oh99/fast_forces_kernel-inl.h", "solvers/lattice_norton91/bond_kernel.cpp",
        "solvers/lattice_norton91/bond_kernel-inl.h"}},
      {"embree3/", {"render/ray_scene.cpp"}},
      {"stb/", {"render/image_file.cpp"}},
      {"oneapi/", {"core/parallel.cpp"}}};
  return all;
}

struct Include {
  bool quoted;
  std::string header;
};

std::vector<Include> includes_of(const std::string& text) {
  std::vector<Include> result;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    line.erase(0, line.find_first_not_of(" \t"));
    if (!line.starts_with('#')) continue;
    line.erase(0, line.find_first_not_of(" \t", 1));
    if (!line.starts_with("include")) continue;
    const std::size_t open = line.find_first_of("<\"");
    if (open == std::string::npos) continue;
    const std::size_t close = line.find_first_of(">\"", open + 1);
    if (close != std::string::npos) result.push_back({line[open] == '"', line.substr(open + 1, close - open - 1)});
  }
  return result;
}

// The first `levels` folders of a path: "solvers/tet_oh99/" of "solvers/tet_oh99/forces.h" for 2, "" if it has fewer.
std::string folders(const std::string& path, int levels) {
  std::size_t end = 0;
  for (int level = 0; level < levels; ++level) {
    const std::size_t slash = path.find('/', end);
    if (slash == std::string::npos) return "";
    end = slash + 1;
  }
  return path.substr(0, end);
}

std::string room_of(const std::string& path) {
  const std::string folder = folders(path, 1);
  return folder.empty() ? "" : folder.substr(0, folder.size() - 1);
}

// Tests of any room may make their bodies with the meshers (tests/CMakeLists.txt).
bool is_test(const std::string& file) { return file.ends_with("_test.cpp") || file.ends_with("testing.h"); }

// One sentence for each include in `text` that `file` (relative to src/) must not have.
std::vector<std::string> wrong_includes(const House& house, const std::string& file, const std::string& text) {
  std::vector<std::string> wrong;
  const auto here = house.behind.find(room_of(file));
  if (here == house.behind.end()) return {fmt::format("{} lies in no room", file)};
  std::set<std::string> seen = here->second;
  if (is_test(file) && house.behind.contains("meshing")) seen.merge(std::set<std::string>(house.behind.at("meshing")));
  for (const auto& [quoted, header] : includes_of(text)) {
    for (const Confined& library : confined_headers()) {
      if (!header.starts_with(library.header)) continue;
      const bool allowed = std::any_of(library.places.begin(), library.places.end(),
                                       [&](std::string_view place) { return file.starts_with(place); });
      if (!allowed) wrong.push_back(fmt::format("{} includes {}, which is confined to other files", file, header));
    }
    if (!quoted || header.find('/') == std::string::npos) continue;  // a generated file, beside nobody's room
    const std::string room = room_of(header);
    if (!house.behind.contains(room)) {
      wrong.push_back(fmt::format("{} includes {}, which is in no room", file, header));
    } else if (!seen.contains(room)) {
      wrong.push_back(fmt::format("{} includes {}: {} does not see {}", file, header, here->first, room));
    }
    const std::string method = folders(header, 2);
    if (room == "solvers" && !method.empty() && here->first == "solvers" && folders(file, 2) != method) {
      wrong.push_back(fmt::format("{} includes {}: solvers stand side by side", file, header));
    }
  }
  return wrong;
}

const fs::path kSource = SUNDER_SOURCE_DIR;

House our_house() { return read_house(read_file(kSource / "CMakeLists.txt")); }

// Every source below src/, by its path relative to src/.
std::map<std::string, std::string> our_sources() {
  std::map<std::string, std::string> sources;
  for (const auto& entry : fs::recursive_directory_iterator(kSource / "src")) {
    const fs::path& path = entry.path();
    if (path.extension() != ".h" && path.extension() != ".cpp") continue;
    sources[fs::relative(path, kSource / "src").generic_string()] = read_file(path);
  }
  return sources;
}

TEST(Rooms, EveryIncludePointsToARoomThatIsSeenFromThere) {
  const House house = our_house();
  std::size_t looked_at = 0;
  for (const auto& [file, text] : our_sources()) {
    if (file.find('/') == std::string::npos) {
      EXPECT_TRUE(file.ends_with("_test.cpp")) << file << " lies outside all rooms; only tests of the whole may";
      continue;
    }
    for (const std::string& problem : wrong_includes(house, file, text)) ADD_FAILURE() << problem;
    looked_at += includes_of(text).size();
  }
  EXPECT_GT(looked_at, 300u) << "the includes are not found any more";
}

TEST(Rooms, EveryIncludedFileExists) {
  for (const auto& [file, text] : our_sources()) {
    if (file.find('/') == std::string::npos) continue;
    for (const auto& [quoted, header] : includes_of(text)) {
      if (!quoted || header.find('/') == std::string::npos) continue;
      EXPECT_TRUE(fs::exists(kSource / "src" / header)) << file << " includes " << header;
    }
  }
}

TEST(Rooms, RoomsAreTheFoldersOfTheSource) {
  std::set<std::string> folders_found, declared;
  for (const auto& entry : fs::directory_iterator(kSource / "src")) {
    if (entry.is_directory()) folders_found.insert(entry.path().filename().string());
  }
  for (const std::string& room : our_house().order) declared.insert(room);
  EXPECT_EQ(folders_found, declared);
}

TEST(Rooms, RoomsSeeOnlyRoomsDeclaredBeforeThem) {
  const House house = our_house();
  ASSERT_GE(house.order.size(), 10u);
  std::set<std::string> before;
  for (const std::string& room : house.order) {
    const auto named = house.named.find(room);
    if (named != house.named.end()) {
      for (const std::string& other : named->second) {
        EXPECT_TRUE(before.contains(other)) << room << " names " << other << ", which is not declared above it";
      }
    }
    EXPECT_TRUE(before.insert(room).second) << room << " is declared twice";
  }
}

// The test of the test: includes as they must not be, one by one.
TEST(Rooms, AWrongIncludeIsCaught) {
  const House house = read_house(
      "# sunder_room(cellar)\n"
      "sunder_room(core LIBRARIES Eigen3::Eigen)\n"
      "sunder_room(mesh       ROOMS core)\n"
      "sunder_room(solvers\n            ROOMS mesh LIBRARIES TBB::tbb)\n"
      "sunder_room(meshfile ROOMS mesh)\nsunder_room(cache ROOMS meshfile)\nsunder_room(scene ROOMS mesh)\n"
      "sunder_room(meshing ROOMS mesh)\n"
      "sunder_room(apps ROOMS solvers scene)\n");
  EXPECT_EQ(house.order,
            (std::vector<std::string>{"core", "mesh", "solvers", "meshfile", "cache", "scene", "meshing", "apps"}));

  const auto caught = [&](const std::string& file, const std::string& line) {
    return wrong_includes(house, file, "#pragma once\n" + line + "\nint x;\n").size();
  };
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"core/vec.h", "#include \"mesh/tet_mesh.h\""},             // back
      {"mesh/tet_mesh.h", "#include \"solvers/solver.h\""},       // back, one room further
      {"mesh/tet_mesh.h", "  #  include  \"apps/cli.h\"  // x"},  // oddly written
      {"mesh/tet_mesh_test.cpp", "#include \"apps/cli.h\""},      // tests are no exception
      {"solvers/a/step.h", "#include \"meshing/box.h\""},         // only its tests may
      {"scene/scene.h", "#include \"meshfile/vtu.h\""},           // sideways
      {"apps/main.cpp", "#include \"meshfile/vtu.h\""},           // near, but no way leads there
      {"solvers/a/step.h", "#include \"solvers/b/step.h\""},      // one solver into another
      {"solvers/solver.h", "#include \"solvers/b/step.h\""},      // what all share into one of them
      {"core/vec.h", "#include \"../mesh/tet_mesh.h\""},          // round the corner
      {"core/vec.h", "#include \"cellar/wine.h\""},               // no such room
      {"attic/old.h", "#include <vector>"},                       // a folder that is no room
      {"apps/main.cpp", "#include <toml++/toml.h>"},
      {"scene/read.cpp", "#include <CLI/CLI.hpp>"},
      {"scene/read.cpp", "#include <nlohmann/json.hpp>"},
      {"cache/frame.cpp", "#include <zlib.h>"},
      {"cache/frame.cpp", "#include \"zlib.h\""},
      {"solvers/a/step.cpp", "#include <tbb/parallel_for.h>"},
      {"core/parallel.h", "#include <oneapi/tbb/task_arena.h>"},
  };
  for (const auto& [file, line] : wrong) EXPECT_EQ(caught(file, line), 1u) << file << ": " << line;

  const std::vector<std::pair<std::string, std::string>> right = {
      {"mesh/tet_mesh.h", "#include \"core/vec.h\""},
      {"apps/main.cpp", "#include \"core/vec.h\""},  // through solvers and mesh
      {"cache/frame.cpp", "#include \"mesh/tet_mesh.h\""},
      {"solvers/a/step.h", "#include \"solvers/a/force.h\""},
      {"solvers/a/step.h", "#include \"solvers/solver.h\""},
      {"solvers/a/step_test.cpp", "#include \"meshing/box.h\""},
      {"apps/main.cpp", "#include \"solvers/a/step.h\""},
      {"apps/main.cpp", "#include \"generated.inc\""},
      {"core/vec.h", "// #include \"apps/cli.h\""},
      {"apps/main.cpp", "#include <CLI/CLI.hpp>"},
      {"cache/frame.cpp", "#include <nlohmann/json.hpp>"},
      {"scene/read.cpp", "#include <toml++/toml.h>"},
      {"meshfile/blocks.cpp", "#include <zlib.h>"},
      {"core/parallel.cpp", "#include <tbb/task_arena.h>"},
      {"core/vec.h", "#include <Eigen/Core>"},
  };
  for (const auto& [file, line] : right) EXPECT_EQ(caught(file, line), 0u) << file << ": " << line;
}

}  // namespace
}  // namespace sunder
