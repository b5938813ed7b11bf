#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <numbers>
#include <sstream>

#include "apps/cli/commands.h"
#include "apps/cli/find_scene.h"
#include "core/files.h"
#include "core/suggest.h"
#include "mesh/quality.h"
#include "meshfile/read_tets.h"
#include "sim/build.h"
#include "sim/gallery.h"
#include "sim/run.h"

namespace sunder::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

Json json(const Vec3& v) { return Json::array({v.x(), v.y(), v.z()}); }

// "key: value" lines; nested tables indented below their key.
void print_lines(const Json& table, int indent = 0) {
  for (const auto& [key, value] : table.items()) {
    const std::string label = std::string(static_cast<std::size_t>(indent), ' ') + key;
    if (value.is_object()) {
      fmt::print("{}\n", label);
      print_lines(value, indent + 2);
    } else {
      std::string text = value.is_string() ? value.get<std::string>() : value.dump();
      if (value.is_number_float()) text = fmt::format("{:.6g}", value.get<double>());
      fmt::print("{:<28} {}\n", label, text);
    }
  }
}

Json mesh_info(const fs::path& path) {
  const MeshQuality q = mesh_quality(read_tets(path));
  const double degrees = 180 / std::numbers::pi;
  return {{"what", "mesh"},
          {"nodes", q.nodes},
          {"tets", q.tets},
          {"volume_m3", q.volume},
          {"lower", json(q.lower)},
          {"upper", json(q.upper)},
          {"quality", {{"min", q.min_quality}, {"mean", q.mean_quality}}},
          {"min_dihedral_degrees", q.min_dihedral * degrees},
          {"min_altitude_m", q.min_altitude},
          {"edge_m", {{"min", q.min_edge}, {"mean", q.mean_edge}, {"max", q.max_edge}}}};
}

Json scene_info(const Scene& scene) {
  const BuiltRun built = build_run(scene);
  const Totals totals = built.solver->totals();
  const double dt = built.solver->stable_dt();
  Json bodies = Json::object();
  for (const BodySpec& body : scene.bodies) {
    bodies[body.name] = {{"solver", body.solver}, {"material", body.material_name}, {"edge_m", body.edge}};
  }
  return {{"what", "scene"},
          {"name", scene.name},
          {"about", scene.about},
          {"duration_s", scene.duration},
          {"frames", frame_count(scene)},
          {"nodes", totals.nodes},
          {"tets", totals.elements},
          {"mass_kg", totals.mass},
          {"step_s", dt},
          {"steps_about", static_cast<std::uint64_t>(scene.duration / dt)},
          {"bodies", bodies},
          {"colliders", built.colliders},
          {"notes", built.warnings}};
}

Json run_info(const fs::path& folder) {
  if (!fs::exists(folder / "run.json")) throw FileError(folder.string(), "has no run.json: not a sunder run");
  Json record = Json::parse(read_file(folder / "run.json"), nullptr, false);
  if (!record.is_object()) throw FileError((folder / "run.json").string(), "is damaged");
  Json info = {{"what", "run"}};
  info.update(record);
  std::istringstream stats(read_file(folder / "stats.csv"));
  std::string header, line, last;
  std::getline(stats, header);
  while (std::getline(stats, line)) last = line;
  std::istringstream names(header), values(last);
  Json state = Json::object();
  for (std::string name, value; std::getline(names, name, ',') && std::getline(values, value, ',');) {
    if (name == "state_hash") {
      state[name] = value;
    } else {
      state[name] = std::strtod(value.c_str(), nullptr);
    }
  }
  info["last_frame"] = state;
  return info;
}

Json info(const std::string& what) {
  if (fs::is_directory(what)) return run_info(what);
  const bool scene = fs::path(what).extension() == ".toml" || find_gallery_scene(what) != nullptr;
  if (scene) return scene_info(read_scene(find_scene(what), {.overrides = {}, .allow_outside = true}));
  if (fs::exists(what)) return mesh_info(what);
  std::vector<std::string> names;
  for (const GalleryScene& s : gallery()) names.push_back(s.name);
  throw UsageError(
      fmt::format("`{}` is neither a file, a folder nor a scene of the gallery; {}", what, suggestion(what, names)));
}

}  // namespace

ExitCode info_command(const InfoOptions& options) {
  const Json result = info(options.what);
  if (options.json) {
    fmt::print("{}\n", result.dump(2));
  } else {
    print_lines(result);
  }
  return ExitCode::fine;
}

}  // namespace sunder::cli
