#include "meshfile/write_mesh.h"

#include <fmt/format.h>

#include <iterator>

#include "core/error.h"
#include "core/files.h"
#include "geometry/tetrahedron.h"
#include "meshfile/vtu.h"
#include "meshfile/vtu_skin.h"

namespace sunder {
namespace {

constexpr std::uint8_t kVtkTetra = 10, kVtkHexahedron = 12;

template <std::size_t Size>
VtuGrid grid_of(const std::vector<Vec3>& points, const std::vector<std::array<std::uint32_t, Size>>& cells,
                std::uint8_t type) {
  VtuGrid grid;
  grid.points = points;
  for (const auto& cell : cells) {
    grid.connectivity.insert(grid.connectivity.end(), cell.begin(), cell.end());
    grid.offsets.push_back(static_cast<std::int64_t>(grid.connectivity.size()));
  }
  grid.types.assign(cells.size(), type);
  return grid;
}

std::string vtu_of(const TetSoup& soup) {
  VtuGrid grid = grid_of(soup.points, soup.tets, kVtkTetra);
  add_skin_arrays(soup, grid);
  return vtu_text(grid);
}

std::string medit_of(const TetSoup& soup) {
  std::string text = fmt::format("MeshVersionFormatted 2\nDimension 3\nVertices\n{}\n", soup.points.size());
  auto out = std::back_inserter(text);
  for (const Vec3& p : soup.points) fmt::format_to(out, "{} {} {} 0\n", p.x(), p.y(), p.z());
  if (!soup.skin.empty()) {
    fmt::format_to(out, "Triangles\n{}\n", soup.skin.size());
    for (const SkinFace& face : soup.skin) {
      for (const int corner : kTetFaces[face.face]) {
        fmt::format_to(out, "{} ", soup.tets[face.tet][static_cast<std::size_t>(corner)] + 1);
      }
      fmt::format_to(out, "{}\n", face.skin.part + 1);
    }
  }
  fmt::format_to(out, "Tetrahedra\n{}\n", soup.tets.size());
  for (const auto& t : soup.tets) fmt::format_to(out, "{} {} {} {} 0\n", t[0] + 1, t[1] + 1, t[2] + 1, t[3] + 1);
  return text + "End\n";
}

}  // namespace

bool can_write_mesh(const std::filesystem::path& path) {
  return ending_of(path) == ".vtu" || ending_of(path) == ".mesh";
}

void write_mesh(const std::filesystem::path& path, const TetSoup& soup) {
  if (!can_write_mesh(path)) {
    throw UsageError(fmt::format("tetrahedra are written to .vtu and .mesh files, not to `{}`", path.string()));
  }
  write_file_atomically(path, ending_of(path) == ".vtu" ? vtu_of(soup) : medit_of(soup));
}

bool can_write_hexahedra(const std::filesystem::path& path) { return ending_of(path) == ".vtu"; }

void write_mesh(const std::filesystem::path& path, const HexSoup& soup) {
  if (!can_write_hexahedra(path)) {
    throw UsageError(fmt::format("hexahedra are written to .vtu files, not to `{}`", path.string()));
  }
  write_file_atomically(path, vtu_text(grid_of(soup.points, soup.cells, kVtkHexahedron)));
}

}  // namespace sunder
