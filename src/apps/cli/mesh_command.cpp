#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "apps/cli/commands.h"
#include "apps/cli/mesh_report.h"
#include "apps/cli/output_folder.h"
#include "apps/cli/progress_display.h"
#include "core/suggest.h"
#include "mesh/boundary_surface.h"
#include "mesh/validate.h"
#include "meshfile/read_tets.h"
#include "meshfile/write_mesh.h"
#include "meshfile/write_surface.h"
#include "meshing/mesh_file.h"
#include "meshing/mesh_notes.h"
#include "meshing/mesh_shape.h"
#include "meshing/renumber.h"
#include "scene/read_scene.h"
#include "scene/schema.h"

namespace sunder::cli {
namespace {

Shape shape_of(const MeshCommandOptions& options) {
  const std::string& what = options.what;
  if (std::filesystem::exists(what)) return FileShape{what, options.unit, options.up, options.fill};
  if (!looks_like_shape(what)) {
    const std::vector<std::string> kinds(Kinds<Shape>::names.begin(), Kinds<Shape>::names.end());
    throw UsageError(fmt::format("`{}` is neither a file nor a kind of shape; {}", what, suggestion(what, kinds)));
  }
  if (options.fill != FillOptions{})
    throw UsageError("--inside, --sharp, --walls and --finer are for files of surfaces");
  return read_shape(what);
}

// Before the work is done, not after it.
void require_known_ending(const MeshCommandOptions& options) {
  const std::filesystem::path path = options.output;
  if (options.hexahedra) {
    if (can_write_hexahedra(path)) return;
    throw UsageError(fmt::format("hexahedra are written to .vtu files, not to `{}`", options.output));
  }
  if (can_write_mesh(path) || can_write_surface(path)) return;
  throw UsageError(fmt::format(
      "tetrahedra are written to .vtu and .mesh files, their boundary to .obj, .ply, .stl and .off files, not to `{}`",
      options.output));
}

class StageDisplay {
 public:
  explicit StageDisplay(bool quiet) : display_(quiet ? ProgressStyle::none : ProgressStyle::automatic) {}
  ~StageDisplay() { display_.finish(); }
  StageDisplay(const StageDisplay&) = delete;
  StageDisplay& operator=(const StageDisplay&) = delete;

  void show(const char* what, double share) {
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start_;
    display_.show_stage({what, share, wall.count()});
  }

 private:
  ProgressDisplay display_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

Json mesh_and_write(const MeshCommandOptions& options, const Shape& shape) {
  const MeshOptions wanted{options.edge, static_cast<std::uint32_t>(options.layers), options.seed};
  if (options.hexahedra) {
    const HexSoup soup = hex_shape(shape, wanted);
    make_folder_of(options.output);
    write_mesh(options.output, soup);
    return {{"what", "mesh"}, {"nodes", soup.points.size()}, {"hexahedra", soup.cells.size()}};
  }
  constexpr double to_write = 0.93;  // what is behind before the file is written
  StageDisplay display(options.quiet);
  TetSoup soup;
  std::optional<SurfaceMeshReport> surface;
  if (const auto* file = std::get_if<FileShape>(&shape)) {
    display.show("reading", 0);
    FileMesh mesh = mesh_file(*file, wanted.edge, wanted.seed,
                              [&](const char* what, double share) { display.show(what, to_write * share); });
    soup = renumbered(mesh.soup);
    surface = mesh.surface;
  } else {
    display.show("meshing", 0);
    soup = mesh_shape(shape, wanted);
  }
  require_valid_soup(soup, options.what);
  Json report = mesh_report(soup, exact_volume(shape));
  if (surface) {
    report["surface"] = surface_report(*surface);
    report["notes"] = mesh_notes(*surface);
  }
  display.show("writing", to_write);
  make_folder_of(options.output);
  if (can_write_surface(options.output)) {
    write_surface(options.output, boundary_surface(soup));
  } else {
    write_mesh(options.output, soup);
  }
  display.show("done", 1);
  return report;
}

}  // namespace

ExitCode mesh_command(const MeshCommandOptions& options) {
  require_known_ending(options);
  Json report = mesh_and_write(options, shape_of(options));
  report["file"] = options.output;
  if (options.json) {
    fmt::print("{}\n", report.dump(2));
  } else {
    print_lines(report);
  }
  return ExitCode::fine;
}

}  // namespace sunder::cli
