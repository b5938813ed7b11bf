#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "apps/cli/commands.h"
#include "apps/cli/find_scene.h"
#include "apps/cli/mesh_report.h"
#include "core/files.h"
#include "core/suggest.h"
#include "export/crack_net.h"
#include "frame/pieces.h"
#include "meshfile/read_surface.h"
#include "meshfile/read_tets.h"
#include "meshing/mesh_shape.h"
#include "scene/read_scene.h"
#include "sim/build.h"
#include "sim/gallery.h"
#include "sim/recorded_run.h"
#include "sim/run.h"

namespace sunder::cli {
namespace {

namespace fs = std::filesystem;

// How near the bonds of each lattice come to the solid that they stand for.
void add_lattice_info(const Scene& scene, const lattice_norton91::Lattice& lattice, Json& bodies) {
  std::size_t number = 0;  // among the lattices
  for (const BodySpec& body : scene.bodies) {
    if (!body.is_lattice()) continue;
    const lattice_norton91::FitResidual& fit = lattice.fit[number];
    Json& info = bodies[body.name];
    info["young_pa"] = lattice.mean_young[number];
    if (!body.lattice.spring) {  // | stiffness - isotropic | / | isotropic |, by cell
      info["stiffness_residual"] = {{"mean", fit.mean}, {"worst", fit.worst}, {"worst_cell", fit.worst_cell}};
    }
    ++number;
  }
}

Json scene_info(const Scene& scene) {
  const BuiltRun built = build_run(scene);
  const Totals totals = built.any().totals();
  const double dt = built.any().stable_dt();
  const bool surface = built.surface != nullptr;
  Json bodies = Json::object();
  for (const BodySpec& body : scene.bodies) {
    bodies[body.name] = {{"solver", body.solver}, {"material", body.material_name}, {"edge_m", body.edge}};
  }
  if (built.lattice) add_lattice_info(scene, built.lattice->lattice(), bodies);
  Json result = {{"what", "scene"},
                 {"name", scene.name},
                 {"about", scene.about},
                 {"duration_s", scene.duration},
                 {"frames", frame_count(scene)},
                 {"nodes", totals.nodes}};
  if (surface) result["triangles"] = totals.elements;
  if (built.solver) result["tets"] = built.solver->totals().elements;
  if (built.lattice) result["cells"] = built.lattice->totals().elements;
  if (!surface) {  // nothing of a surface weighs or moves
    result["mass_kg"] = totals.mass;
    result["step_s"] = dt;
    result["steps_about"] = static_cast<std::uint64_t>(scene.duration / dt);
  }
  result.update({{"bodies", bodies}, {"colliders", built.colliders}, {"notes", built.warnings}});
  return result;
}

// How the net of a flat surface looks in numbers.
Json crack_statistics_of(const RecordedRun& run) {
  const Frame frame = run.frame(run.frames().back());
  const Vec3 normal = flat_normal(frame);
  if (normal.isZero()) return nullptr;
  constexpr double kProbe = 1.5;  // edges: beyond the mesh's own corners
  const CrackStatistics s = crack_statistics(crack_graph_of(frame), kProbe * mean_edge_of(frame), normal);
  return {{"cells", s.cells},
          {"t_junctions", s.t_junctions},
          {"y_junctions", s.y_junctions},
          {"x_junctions", s.x_junctions},
          {"t_share", s.t_share()},
          {"t_angle_degrees", s.t_angle},
          {"t_angle_spread_degrees", s.t_angle_spread},
          {"corners_per_cell", s.corners},
          {"bends_per_cell", s.bends},
          {"cells_by_corners", s.cells_by_corners},
          {"cell_area_m2", s.cell_area},
          {"cell_area_spread", s.area_spread},
          {"dead_ends", s.dead_ends},
          {"length_m", s.length},
          {"direction_shares", s.directions},
          {"largest_direction_share", s.largest_direction()}};
}

Json shape_info(const std::string& what) {
  const Shape shape = read_shape(what);
  return mesh_report(mesh_shape(shape, MeshOptions{}), exact_volume(shape));
}

// Of the last frame.
Json pieces_of(const RecordedRun& run) {
  const std::vector<Piece> pieces = find_pieces(run.frame(run.frames().back()));
  const auto big = std::count_if(pieces.begin(), pieces.end(), [](const Piece& p) { return p.share >= kBigPiece; });
  Json shares = Json::array(), moved = Json::array();  // of those that are big
  for (const Piece& piece : pieces) {
    if (piece.share < kBigPiece) break;
    shares.push_back(std::round(1000 * piece.share) / 1000);
    moved.push_back(std::round(1000 * piece.moved) / 1000);
  }
  return {{"all", pieces.size()}, {"big", big}, {"shares", shares}, {"moved", moved}};
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
  if (last.empty()) return info;
  const RecordedRun run(folder);
  if (!run.scene().bodies[0].is_surface()) {
    info["pieces"] = pieces_of(run);
  } else if (const Json cracks = crack_statistics_of(run); !cracks.is_null()) {
    info["crack_net"] = cracks;
  }
  return info;
}

Json info(const std::string& what) {
  if (fs::is_directory(what)) return run_info(what);
  const bool scene = fs::path(what).extension() == ".toml" || find_gallery_scene(what) != nullptr;
  if (scene) {
    Json result = scene_info(read_scene(find_scene(what), {.overrides = {}, .allow_outside = true}));
    if (looks_like_shape(what)) result["shape"] = shape_info(what);  // the gallery drops every shape, under its name
    return result;
  }
  if (FileShape file{what}; fs::exists(what) && file.is_surface()) {
    const TriangleMesh surface = read_surface(what);
    std::vector<std::string> groups = surface.group_names;
    groups.erase(std::remove(groups.begin(), groups.end(), ""), groups.end());
    return {{"what", "surface"},
            {"points", surface.points.size()},
            {"triangles", surface.triangles.size()},
            {"groups", groups},
            {"texture_coordinates", !surface.uvs.empty()},
            {"note", "`sunder mesh` fills it with tetrahedra"}};
  }
  if (fs::exists(what)) return mesh_report(read_tets(what), std::nullopt);
  if (looks_like_shape(what)) return shape_info(what);
  std::vector<std::string> names;
  for (const GalleryScene& s : gallery()) names.push_back(s.name);
  throw UsageError(fmt::format("`{}` is neither a file, a folder, a scene of the gallery nor a shape; {}", what,
                               suggestion(what, names)));
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
