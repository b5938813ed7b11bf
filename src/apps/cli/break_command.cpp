#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <numeric>

#include "apps/cli/commands.h"
#include "apps/cli/mesh_report.h"
#include "apps/cli/shell_word.h"
#include "core/files.h"
#include "core/parallel.h"
#include "core/suggest.h"
#include "frame/pieces.h"
#include "mesh/boundary_surface.h"
#include "meshfile/write_surface.h"
#include "meshing/mesh_shape.h"
#include "scene/read_scene.h"
#include "scene/schema.h"
#include "scene/toml_tree.h"
#include "sim/break_scene.h"
#include "sim/recorded_run.h"

namespace sunder::cli {
namespace {

namespace fs = std::filesystem;

constexpr double kCoarseWalls = 1.3;                  // cells through walls: half the tets of the default, and no holes
constexpr double kStretch = 4;                        // edges along walls, in thicknesses
constexpr double kLeastSize = 1e-4, kMostSize = 1e5;  // m
constexpr double kSmallSize = 0.002, kLargeSize = 500;  // m: beyond, the unit is more likely wrong than right
constexpr double kCrumb = 0.001;                        // of the volume: smaller pieces are crumbs

std::string name_of(const BreakCommandOptions& options, const char* verb) {
  const fs::path path = options.model;
  std::string name = options.model.starts_with('{') ? "shape" : fs::exists(path) ? path.stem().string() : options.model;
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '-';
  }
  return fmt::format("{}-{}", verb, name.substr(0, 50));
}

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

Shape shape_of(const BreakCommandOptions& options, const fs::path& folder, std::string& text) {
  const std::string& model = options.model;
  if (fs::is_directory(model)) throw FileError(model, "is a folder; give a file of a model, such as cup.obj");
  if (fs::exists(model)) {
    const FileShape file = file_model(model, options);
    text = file_text(file);
    return file;
  }
  if (!looks_like_shape(model)) {
    if (fs::path(model).has_extension()) throw FileError(model, "there is no such file");
    const std::vector<std::string> kinds(Kinds<Shape>::names.begin(), Kinds<Shape>::names.end());
    throw UsageError(fmt::format("`{}` is neither a file nor a kind of shape; {}", model, suggestion(model, kinds)));
  }
  if (options.unit != 1 || options.up != UpAxis::y) throw UsageError("--unit and --up are for files");
  Shape shape = read_shape(model);
  if (!is_assembly(shape)) {
    text = model.starts_with('{') ? model : fmt::format("{{ kind = {} }}", toml_text(model));
    return shape;
  }
  // What is put together of parts has fine walls of its own; its surface can be filled more coarsely.
  const std::string written = folder.string() + "-model.obj";
  write_surface(written, boundary_surface(mesh_shape(shape, default_edge(shape), options.seed)));
  const FileShape file = file_model(written, options);
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
  if (survey.size() > kLargeSize || survey.size() < kSmallSize) {
    fmt::print(stderr, "sunder: note: the model is {} large; if its numbers are not {}, say so: --unit {}\n", extent,
               options.unit == 1 ? "metres" : "in that unit", survey.size() > kLargeSize ? "mm" : "m");
  }
}

void print_outcome(const Frame& frame) {
  const std::vector<Piece> all = find_pieces(frame);
  const auto crumb = std::find_if(all.begin(), all.end(), [](const Piece& p) { return p.share < kCrumb; });
  const auto pieces = crumb - all.begin(), crumbs = all.end() - crumb;
  std::string shares;
  for (std::size_t i = 0; i < std::min<std::size_t>(3, all.size()); ++i) {
    shares += fmt::format("{}{:.0f}", i == 0 ? "" : ", ", 100 * all[i].share);
  }
  fmt::print("  broken   {} {}, the largest {} %", pieces, pieces == 1 ? "piece" : "pieces", shares);
  if (crumbs > 0) {
    const double share =
        std::accumulate(crumb, all.end(), 0.0, [](double sum, const Piece& p) { return sum + p.share; });
    fmt::print("; {} crumbs, {:.2g} % of it", crumbs, 100 * share);
  }
  fmt::print("\n");
}

void print_where(const std::string& scene, const fs::path& folder, const std::string& name, bool film) {
  const std::string dir = folder.string();
  fmt::print("  scene    {}    change it, then: sunder run {} -o {} --allow-outside\n", scene, shell_word(scene),
             shell_word(dir));
  if (film) fmt::print("  film     {0}/film.mp4\n  picture  {0}/still.png\n", dir);
  fmt::print("  open it in\n");
  fmt::print(
      "    Blender   sunder export {0} -o {1}.glb, then File > Import > glTF 2.0; or with the add-on in blender/: "
      "File > Import > sunder run, {2}\n",
      shell_word(dir), shell_word(name), dir);
  fmt::print("    ParaView  paraview {}\n", shell_word((folder / (name + ".pvd")).string()));
  fmt::print("    Houdini   sunder export {} -o {}.usda, then a USD Import node (or a SOP Import of it)\n",
             shell_word(dir), shell_word(name));
}

template <class MakeScene>
ExitCode break_model(const BreakCommandOptions& options, const char* verb, const MakeScene& make_scene) {
  const std::string name = name_of(options, verb);
  const fs::path folder =
      options.folder.empty() ? fs::path("out") / name : (fs::path(options.folder) / "").parent_path();
  if (!folder.parent_path().empty()) create_folder(folder.parent_path());

  BreakWishes wishes;
  wishes.name = name;
  wishes.command = options.command;
  wishes.material = options.material;
  wishes.pieces = options.pieces;
  wishes.tilt = options.tilt;
  wishes.seed = options.seed;
  wishes.seconds = options.seconds;
  const bool quiet = options.progress == ProgressStyle::none;
  std::FILE* out = options.progress == ProgressStyle::json ? stderr : stdout;

  ModelSurvey survey;
  {
    Threads threads(options.threads > 0 ? options.threads : hardware_threads());
    threads.run([&] {
      const Shape shape = shape_of(options, folder, wishes.shape);
      survey = survey_model(shape, options.edge, options.seed);
    });
  }
  check_size(options, survey);
  const BreakScene scene = make_scene(survey, wishes);
  if (!quiet) {
    fmt::print(out, "{}: {}, {:.3g} kg of {}, {} tets\n", options.model, extent_text(survey.extent()), scene.mass,
               options.material, survey.tets);
    if (!(scene.material.strength > 0)) fmt::print(out, "  {} cannot break\n", options.material);
    std::fflush(out);
  }
  const std::string file = folder.string() + ".toml";
  write_file_atomically(file, scene.text);

  RunCommandOptions run;
  run.scene = file;
  run.folder = folder.string();
  run.threads = options.threads;
  run.allow_outside = true;
  run.progress = options.progress;
  if (const ExitCode code = run_command(run); code != ExitCode::fine) return code;
  if (options.film) {
    if (const ExitCode code = render_after_run(folder.string(), options.threads, options.progress);
        code != ExitCode::fine) {
      return code;
    }
  }
  if (options.progress == ProgressStyle::automatic) {
    const RecordedRun recorded(folder);
    print_outcome(recorded.frame(recorded.frames().back()));
    print_where(file, folder, name, options.film);
  }
  return ExitCode::fine;
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
