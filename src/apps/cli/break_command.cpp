#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <numeric>
#include <optional>
#include <sstream>
#include <utility>

#include "apps/cli/commands.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/own_model.h"
#include "apps/cli/shell_word.h"
#include "core/files.h"
#include "core/parallel.h"
#include "frame/pieces.h"
#include "mesh/boundary_surface.h"
#include "meshfile/write_surface.h"
#include "meshing/mesh_shape.h"
#include "scene/read_scene.h"
#include "scene/toml_tree.h"
#include "sim/break_scene.h"
#include "sim/recorded_run.h"

namespace sunder::cli {
namespace {

namespace fs = std::filesystem;

constexpr double kCoarseWalls = 1.3;                  // cells through walls: half the tets of the default, and no holes
constexpr double kStretch = 4;                        // edges along walls, in thicknesses
constexpr double kLeastSize = 1e-4, kMostSize = 1e5;  // m
constexpr double kSmallSize = 0.005, kLargeSize = 20;  // m: a file's numbers may be of another unit beyond
constexpr double kCrumb = 0.001;                       // of the volume: smaller pieces are crumbs

FileShape file_model(const std::string& path, const BreakCommandOptions& options) {
  FileShape file{path, options.unit, options.up, {}};
  if (file.is_surface()) {
    file.fill.walls = kCoarseWalls;
    file.fill.stretch = kStretch;
  }
  return file;
}

std::string file_text(const FileShape& file) {
  constexpr std::array<const char*, 3> axes = {"x", "y", "z"};
  return fmt::format(
      "{{ kind = \"file\", path = {}, scale = {}, up = \"{}\"{} }}",
      toml_text(fs::absolute(file.path).lexically_normal().string()), file.scale,
      axes[static_cast<std::size_t>(file.up)],
      file.is_surface() ? fmt::format(", walls = {}, stretch = {}", file.fill.walls, file.fill.stretch) : "");
}

Shape shape_of(const BreakCommandOptions& options, const OwnRun& place, std::optional<Leftover>& written,
               std::string& text) {
  const std::string& model = options.model;
  if (fs::exists(model)) {
    const FileShape file = file_model(model, options);
    text = file_text(file);
    return file;
  }
  if (options.unit != 1 || options.up != UpAxis::y) throw UsageError("--unit and --up are for files");
  Shape shape = read_shape(model);
  if (!is_assembly(shape)) {
    text = model.starts_with('{') ? model : fmt::format("{{ kind = {} }}", toml_text(model));
    return shape;
  }
  // What is put together of parts has fine walls of its own; its surface can be filled more coarsely.
  require_own_model_file(place);
  const TriangleMesh surface = boundary_surface(mesh_shape(shape, default_edge(shape), options.seed));
  written.emplace(place.model_file());
  write_surface(place.model_file(), surface);
  const FileShape file = file_model(place.model_file().string(), options);
  text = file_text(file);
  return file;
}

// "9.3 x 10 x 9.3 cm".
std::string extent_text(const Vec3& extent) {
  const double size = extent.maxCoeff();
  const auto [factor, unit] = size >= 1000  ? std::pair(1e-3, "km")
                              : size >= 1   ? std::pair(1.0, "m")
                              : size >= 0.1 ? std::pair(1e2, "cm")
                                            : std::pair(1e3, "mm");
  return fmt::format("{:.3g} x {:.3g} x {:.3g} {}", factor * extent.x(), factor * extent.y(), factor * extent.z(),
                     unit);
}

void check_size(const BreakCommandOptions& options, const ModelSurvey& survey) {
  const std::string extent = extent_text(survey.extent());
  if (survey.size() < kLeastSize || survey.size() > kMostSize) {
    throw UsageError(
        fmt::format("{}: the model is {} large; things from 0.1 mm to 100 km can be broken: say what its "
                    "numbers are with --unit mm, cm, inch or so many metres",
                    options.model, extent));
  }
  if (!fs::exists(options.model)) return;
  const char* remedy = "if that is not so, say what its numbers are with --unit";
  if (survey.size() > kLargeSize) {
    fmt::print(stderr, "sunder: note: the model is {} large; {}\n", extent,
               options.unit > 1e-3 ? "if its numbers are millimetres: --unit mm" : remedy);
  } else if (survey.size() < kSmallSize) {
    fmt::print(stderr, "sunder: note: the model is {} large; {}\n", extent,
               options.unit < 1 ? "if its numbers are metres: --unit m" : remedy);
  }
}

void print_outcome(std::FILE* out, const Frame& frame) {
  const std::vector<Piece> all = find_pieces(frame);
  const auto crumb = std::find_if(all.begin(), all.end(), [](const Piece& p) { return p.share < kCrumb; });
  const auto pieces = crumb - all.begin(), crumbs = all.end() - crumb;
  std::string shares;
  for (std::size_t i = 0; i < std::min<std::size_t>(3, all.size()); ++i) {
    shares += fmt::format("{}{:.0f}", i == 0 ? "" : ", ", 100 * all[i].share);
  }
  fmt::print(out, "  broken   {} {}, the largest {} %", pieces, pieces == 1 ? "piece" : "pieces", shares);
  if (crumbs > 0) {
    const double share =
        std::accumulate(crumb, all.end(), 0.0, [](double sum, const Piece& p) { return sum + p.share; });
    fmt::print(out, "; {} {}, {:.2g} % of it", crumbs, crumbs == 1 ? "crumb" : "crumbs", 100 * share);
  }
  fmt::print(out, "\n");
}

// Whether anything touched the model, or what hits it did: on its way past it, as later it meets the ground.
bool touched(const RecordedRun& run, const BreakScene& scene) {
  constexpr std::size_t kFrame = 0, kRegion = 2, kPeak = 10;  // columns
  const auto place = [&](int frame) {
    for (const RigidPose& pose : run.poses(frame)) {
      if (pose.name == scene.striker) return pose.position.x();
    }
    return 0.0;
  };
  std::istringstream in(read_file(run.folder() / "forces.csv"));
  for (std::string line; std::getline(in, line);) {
    std::vector<std::string> cells;
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
    if (cells.size() <= kPeak || !(std::strtod(cells[kPeak].c_str(), nullptr) > 0)) continue;
    if (scene.striker.empty()) return true;
    const int frame = std::max(2, std::atoi(cells[kFrame].c_str()));
    const auto [from, to] = std::minmax({place(frame - 1), place(frame)});
    if (cells[kRegion] == scene.striker && from <= scene.reach && to >= -scene.reach) return true;
  }
  return false;
}

// A miss looks like a model that holds.
void note_a_miss(const RecordedRun& run, const BreakScene& scene) {
  if (touched(run, scene)) return;
  fmt::print(stderr, "sunder: note: {}\n",
             scene.striker.empty()
                 ? "the model touched nothing: give it more --seconds"
                 : fmt::format("the {} never touched the model: aim lower (--at), make it wider (--width) or faster "
                               "(--speed), or give it more --seconds",
                               scene.striker));
}

// Pictures are drawn when run.json has its last word. Older ones are of the run before.
bool is_of_this_run(const fs::path& folder, const char* picture) {
  return fs::exists(folder / picture) &&
         fs::last_write_time(folder / picture) >= fs::last_write_time(folder / "run.json");
}

void print_where(std::FILE* out, const OwnRun& place, const std::string& scene) {
  const std::string dir = place.folder.string();
  fmt::print(out, "  scene    {}    change it, then: sunder run {} -o {} --allow-outside\n", scene, shell_word(scene),
             shell_word(dir));
  for (const auto& [what, file] : {std::pair("film   ", "film.mp4"), std::pair("picture", "still.png")}) {
    if (is_of_this_run(place.folder, file)) fmt::print(out, "  {}  {}/{}\n", what, dir, file);
  }
  const std::string& name = place.name;
  fmt::print(out, "  open it in\n");
  fmt::print(
      out,
      "    Blender   sunder export {0} -o {1}.glb, then File > Import > glTF 2.0; or with the add-on in blender/: "
      "File > Import > sunder run, {2}\n",
      shell_word(dir), shell_word(name), dir);
  fmt::print(out, "    ParaView  paraview {}\n", shell_word((place.folder / (name + ".pvd")).string()));
  fmt::print(out, "    Houdini   sunder export {} -o {}.usda, then a USD Import node (or a SOP Import of it)\n",
             shell_word(dir), shell_word(name));
}

template <class MakeScene>
ExitCode break_model(const BreakCommandOptions& options, const char* verb, const MakeScene& make_scene) {
  require_model(options.model);
  const OwnRun place = own_run(verb, options.model, options.folder);

  BreakWishes wishes;
  wishes.name = place.name;
  wishes.command = options.command;
  wishes.material = options.material;
  wishes.pieces = options.pieces;
  wishes.tilt = options.tilt;
  wishes.seed = options.seed;
  wishes.seconds = options.seconds;
  std::FILE* out = options.progress == ProgressStyle::json ? stderr : stdout;

  std::optional<Leftover> written;  // the model's file, if this is one that must be written
  ModelSurvey survey;
  {
    const InterruptGuard interrupt(StopBy::exit);  // meshing cannot be stopped otherwise
    Threads threads(options.threads > 0 ? options.threads : hardware_threads());
    threads.run([&] {
      const Shape shape = shape_of(options, place, written, wishes.shape);
      survey = survey_model(shape, options.edge, options.seed);
    });
  }
  check_size(options, survey);
  const BreakScene scene = make_scene(survey, wishes);
  fmt::print(out, "{}: {}, {:.3g} kg of {}, {} tets\n", options.model, extent_text(survey.extent()), scene.mass,
             options.material, survey.tets);
  if (!(scene.material.strength > 0)) fmt::print(out, "  {} cannot break\n", options.material);
  std::fflush(out);

  RunCommandOptions run;
  run.threads = options.threads;
  run.progress = options.progress;
  run.render = options.film;
  const ExitCode code = run_own_scene(place, scene.text, run);
  if (!is_complete(place)) return code;  // else it may be drawing that was interrupted
  const RecordedRun recorded(place.folder);
  print_outcome(out, recorded.frame(recorded.frames().back()));
  print_where(out, place, place.scene.string());
  note_a_miss(recorded, scene);
  return code;
}

}  // namespace

ExitCode drop_command(const BreakCommandOptions& options, const DropOptions& drop) {
  const DropWishes wishes{read_measure("--height", drop.height, MeasureOf::length), drop.spin, drop.onto};
  return break_model(options, "drop", [&](const ModelSurvey& survey, const BreakWishes& common) {
    return drop_scene(survey, common, wishes);
  });
}

ExitCode hit_command(const BreakCommandOptions& options, const HitOptions& hit) {
  const HitWishes wishes{
      hit.with, read_measure("--speed", hit.speed, MeasureOf::speed), read_measure("--mass", hit.mass, MeasureOf::mass),
      read_measure("--width", hit.width, MeasureOf::length), read_measure("--at", hit.at, MeasureOf::length)};
  return break_model(options, "hit", [&](const ModelSurvey& survey, const BreakWishes& common) {
    return hit_scene(survey, common, wishes);
  });
}

}  // namespace sunder::cli
