#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

#include "apps/cli/commands.h"
#include "apps/cli/mesh_report.h"
#include "core/suggest.h"
#include "mesh/validate.h"
#include "meshfile/read_tets.h"
#include "meshfile/write_mesh.h"
#include "meshing/mesh_shape.h"
#include "scene/read_scene.h"
#include "scene/schema.h"

namespace sunder::cli {
namespace {

Shape shape_of(const std::string& what) {
  if (std::filesystem::exists(what)) return FileShape{what, 1};
  if (!looks_like_shape(what)) {
    const std::vector<std::string> kinds(Kinds<Shape>::names.begin(), Kinds<Shape>::names.end());
    throw UsageError(fmt::format("`{}` is neither a file nor a kind of shape; {}", what, suggestion(what, kinds)));
  }
  return read_shape(what);
}

}  // namespace

ExitCode mesh_command(const MeshCommandOptions& options) {
  const Shape shape = shape_of(options.what);
  const MeshOptions wanted{options.edge, static_cast<std::uint32_t>(options.layers), options.seed};
  Json report;
  if (options.hexahedra) {
    const HexSoup soup = hex_shape(shape, wanted);
    report = {{"what", "mesh"}, {"nodes", soup.points.size()}, {"hexahedra", soup.cells.size()}};
    write_mesh(options.output, soup);
  } else {
    const TetSoup soup = mesh_shape(shape, wanted);
    require_valid_soup(soup, options.what);
    report = mesh_report(soup, exact_volume(shape));
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
