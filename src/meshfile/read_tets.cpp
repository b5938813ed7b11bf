#include "meshfile/read_tets.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "core/error.h"
#include "core/files.h"
#include "meshfile/read_surface.h"
#include "meshfile/tet_formats.h"

namespace sunder {
namespace {

using Reader = TetSoup (*)(std::string_view content, const std::string& file_name);

const std::array<std::string, 6> kEndings = {".msh", ".mesh", ".node", ".ele", ".vtk", ".vtu"};

Reader reader_for_ending(const std::string& ending) {
  if (ending == ".msh") return read_gmsh;
  if (ending == ".mesh") return read_medit;
  if (ending == ".vtk") return read_vtk_legacy;
  if (ending == ".vtu") return read_vtu_tets;
  return nullptr;
}

Reader reader_for_content(std::string_view content) {
  content.remove_prefix(std::min(content.find_first_not_of(" \t\r\n"), content.size()));
  if (content.starts_with("$MeshFormat")) return read_gmsh;
  if (content.starts_with("MeshVersionFormatted")) return read_medit;
  if (content.starts_with("# vtk DataFile")) return read_vtk_legacy;
  if (content.starts_with("<VTKFile") || content.starts_with("<?xml")) return read_vtu_tets;
  return nullptr;
}

}  // namespace

std::span<const std::string> tet_file_endings() { return kEndings; }

TetSoup read_tets(const std::filesystem::path& path) {
  const std::string ending = ending_of(path);
  if (ending == ".node" || ending == ".ele") return read_tetgen(path);

  const std::string known = fmt::format("tetrahedral meshes are read from {} files", fmt::join(kEndings, " "));
  if (is_surface_file(path)) {
    throw InputError({path.string()}, "this is a surface, and tetrahedra are needed here",
                     "`sunder mesh` fills it with tetrahedra; " + known);
  }
  const std::string content = read_file(path);
  Reader read = reader_for_ending(ending);
  if (read == nullptr) read = reader_for_content(content);
  if (read == nullptr) {
    throw InputError({path.string()}, "this is not a mesh format that sunder knows",
                     fmt::format("{}, surfaces from {} files", known, fmt::join(surface_file_endings(), " ")));
  }
  return read(content, path.string());
}

}  // namespace sunder
