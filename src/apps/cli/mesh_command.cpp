#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "apps/cli/commands.h"
#include "apps/cli/mesh_report.h"
#include "core/suggest.h"
#include "mesh/validate.h"
#include "meshfile/read_tets.h"
#include "meshfile/write_mesh.h"
#include "meshing/mesh_file.h"
#include "meshing/mesh_shape.h"
#include "meshing/renumber.h"
#include "scene/read_scene.h"
#include "scene/schema.h"

namespace sunder::cli {
namespace {

Shape shape_of(const MeshCommandOptions& options) {
  const std::string& what = options.what;
  if (std::filesystem::exists(what)) return FileShape{what, options.unit, options.up};
  if (!looks_like_shape(what)) {
    const std::vector<std::string> kinds(Kinds<Shape>::names.begin(), Kinds<Shape>::names.end());
    throw UsageError(fmt::format("`{}` is neither a file nor a kind of shape; {}", what, suggestion(what, kinds)));
  }
  return read_shape(what);
}

}  // namespace

ExitCode mesh_command(const MeshCommandOptions& options) {
  const Shape shape = shape_of(options);
  const MeshOptions wanted{options.edge, static_cast<std::uint32_t>(options.layers), options.seed};
  Json report;
  if (options.hexahedra) {
    const HexSoup soup = hex_shape(shape, wanted);
    report = {{"what", "mesh"}, {"nodes", soup.points.size()}, {"hexahedra", soup.cells.size()}};
    write_mesh(options.output, soup);
  } else {
    TetSoup soup;
    std::optional<SurfaceMeshReport> surface;
    if (const auto* file = std::get_if<FileShape>(&shape)) {
      FileMesh mesh = mesh_file(*file, wanted.edge, wanted.seed);
      soup = renumbered(mesh.soup);
      surface = mesh.surface;
    } else {
      soup = mesh_shape(shape, wanted);
    }
    require_valid_soup(soup, options.what);
    report = mesh_report(soup, exact_volume(shape));
    if (surface) report["surface"] = surface_report(*surface);
    write_mesh(options.output, soup);
  }
  report["file"] = options.output;
  if (options.json) {
    fmt::print("{}\n", report.dump(2));
  } else {
    print_lines(report);
  }
  return ExitCode::fine;
}

}  // namespace sunder::cli
