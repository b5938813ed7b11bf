#include "cache/frame_vtu.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/check.h"
#include "core/error.h"
#include "core/files.h"
#include "core/hash.h"
#include "meshfile/vtu.h"
#include "meshfile/vtu_rows.h"

namespace sunder {
namespace {

constexpr std::uint8_t kVtkTetra = 10, kVtkTriangle = 5, kVtkVertex = 1, kVtkHexahedron = 12;

std::string checksum_line(std::string_view text) {
  return fmt::format("<!-- sunder checksum {:016x} -->\n", checksum(text));
}

// The text in front of its checksum, which must be right.
std::string_view without_checksum(std::string_view text, const std::string& file) {
  const std::size_t length = checksum_line("").size();
  constexpr std::string_view last_tag = "</VTKFile>\n";
  const std::string_view content = text.substr(0, text.size() - std::min(length, text.size()));
  if (content.ends_with(last_tag) && text.substr(content.size()) == checksum_line(content)) return content;
  if (!text.starts_with("<?xml")) throw InputError({file}, "is not a frame of sunder, or its beginning is damaged");
  const bool whole = text.ends_with(" -->\n") || text.ends_with(last_tag);
  throw InputError({file}, whole ? "is damaged: its checksum is not that of its content" : "is cut short or damaged",
                   "run the scene again, or resume it from a checkpoint before this frame");
}

VtuArray vectors(const char* name, const std::vector<Vec3>& values) {
  const auto numbers = flat(values);
  return {name, 3, std::vector<double>(numbers.begin(), numbers.end())};
}

template <class T>
VtuArray scalars(const char* name, const std::vector<T>& values) {
  return {name, 1, values};
}

// The named array with the type and size a frame must have.
template <class T>
const std::vector<T>& require(const std::vector<VtuArray>& arrays, const char* name, int components, std::size_t count,
                              const std::string& file) {
  for (const VtuArray& array : arrays) {
    if (array.name != name) continue;
    const auto* values = std::get_if<std::vector<T>>(&array.values);
    if (values == nullptr || array.components != components ||
        values->size() != count * static_cast<std::size_t>(components)) {
      throw InputError({file}, fmt::format("array `{}` has the wrong type or size", name),
                       "the file is not a frame of sunder");
    }
    return *values;
  }
  throw InputError({file}, fmt::format("array `{}` is missing", name), "the file is not a frame of sunder");
}

std::vector<Vec3> as_vectors(const std::vector<double>& numbers) {
  std::vector<Vec3> result(numbers.size() / 3);
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = Vec3(numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]);
  return result;
}

void resize_rows(std::vector<VtuArray>& arrays, std::size_t rows) {
  for (VtuArray& array : arrays) {
    std::visit([&](auto& values) { values.resize(rows * static_cast<std::size_t>(array.components)); }, array.values);
  }
}

template <class T>
std::vector<T>& values_of(std::vector<VtuArray>& arrays, const char* name) {
  const auto found = std::find_if(arrays.begin(), arrays.end(), [&](const VtuArray& a) { return a.name == name; });
  SUNDER_CHECK(found != arrays.end(), "a frame has this array");
  return std::get<std::vector<T>>(found->values);
}

// Behind all nodes and tets, a point and a cell for each grain. Arrays that say nothing of grains are zero for them,
// and so are mass and radius of nodes.
void add_grains(const Frame& frame, VtuGrid& grid) {
  const std::size_t nodes = frame.position.size(), tets = frame.tets.size(), grains = frame.grains.size();
  grid.point_data.push_back({"grain_mass", 1, std::vector<double>()});
  grid.point_data.push_back({"grain_radius", 1, std::vector<double>()});
  resize_rows(grid.point_data, nodes + grains);
  resize_rows(grid.cell_data, tets + grains);
  for (std::size_t g = 0; g < grains; ++g) {
    const FrameGrain& grain = frame.grains[g];
    grid.points.push_back(grain.position);
    grid.connectivity.push_back(static_cast<std::int64_t>(nodes + g));
    grid.offsets.push_back(static_cast<std::int64_t>(4 * tets + g + 1));
    grid.types.push_back(kVtkVertex);
    Eigen::Map<Vec3>(&values_of<double>(grid.point_data, "rest")[3 * (nodes + g)]) = grain.rest;
    Eigen::Map<Vec3>(&values_of<double>(grid.point_data, "velocity")[3 * (nodes + g)]) = grain.velocity;
    values_of<std::uint64_t>(grid.point_data, "uid")[nodes + g] = g + 1;
    values_of<double>(grid.point_data, "grain_mass")[nodes + g] = grain.mass;
    values_of<double>(grid.point_data, "grain_radius")[nodes + g] = grain.radius;
    values_of<std::uint32_t>(grid.cell_data, "body")[tets + g] = grain.body;
    values_of<std::uint32_t>(grid.cell_data, "material")[tets + g] = grain.body;
    values_of<std::uint64_t>(grid.cell_data, "uid")[tets + g] = g + 1;
  }
}

// Takes the grains out of a grid, so that nodes and tets are left.
std::vector<FrameGrain> take_grains(VtuGrid& grid, const std::string& file) {
  const auto first = std::find(grid.types.begin(), grid.types.end(), kVtkVertex);
  const auto tets = static_cast<std::size_t>(first - grid.types.begin()), grains = grid.types.size() - tets;
  if (grains == 0) return {};
  const bool all_vertices = std::all_of(first, grid.types.end(), [](std::uint8_t type) { return type == kVtkVertex; });
  if (!all_vertices || grains > grid.points.size() || grid.connectivity.size() != 4 * tets + grains) {
    throw InputError({file}, "its grains of dust are damaged", "the file is not a frame of sunder");
  }
  const std::size_t nodes = grid.points.size() - grains;
  const auto numbers = [&](const char* name, int components) -> const std::vector<double>& {
    return require<double>(grid.point_data, name, components, nodes + grains, file);
  };
  const auto rest = as_vectors(numbers("rest", 3)), velocity = as_vectors(numbers("velocity", 3));
  const auto &mass = numbers("grain_mass", 1), &radius = numbers("grain_radius", 1);
  const auto& body = require<std::uint32_t>(grid.cell_data, "body", 1, tets + grains, file);
  std::vector<FrameGrain> result;
  for (std::size_t n = nodes; n < nodes + grains; ++n) {
    result.push_back({grid.points[n], velocity[n], rest[n], mass[n], radius[n], body[tets + n - nodes]});
  }
  grid.points.resize(nodes);
  grid.connectivity.resize(4 * tets), grid.offsets.resize(tets), grid.types.resize(tets);
  resize_rows(grid.point_data, nodes), resize_rows(grid.cell_data, tets);
  return result;
}

template <class Columns, class Use>
void for_each_surface_column(Columns& frame, const Use& use) {
  use("crack_order", frame.crack_order);
  use("crack_time", frame.crack_time);
  use("corner_uv", frame.corner_uv);
}

}  // namespace

std::string frame_text(const Frame& frame) {
  VtuGrid grid;
  grid.points = frame.position;
  grid.connectivity.reserve(4 * frame.tets.size() + 3 * frame.triangles.size() + 8 * frame.hexes.size());
  const auto add_cells = [&](const auto& cells, std::uint8_t type) {
    for (const auto& cell : cells) {
      grid.connectivity.insert(grid.connectivity.end(), cell.begin(), cell.end());
      grid.offsets.push_back(static_cast<std::int64_t>(grid.connectivity.size()));
    }
    grid.types.insert(grid.types.end(), cells.size(), type);
  };
  add_cells(frame.tets, kVtkTetra);
  add_cells(frame.triangles, kVtkTriangle);
  add_cells(frame.hexes, kVtkHexahedron);
  grid.point_data = {vectors("rest", frame.rest), vectors("velocity", frame.velocity), scalars("uid", frame.node_uid)};
  grid.cell_data = {scalars("body", frame.body),         scalars("fragment", frame.fragment),
                    scalars("material", frame.material), scalars("uid", frame.tet_uid),
                    scalars("stress", frame.stress),     scalars("crack_faces", frame.crack_faces)};
  if (!frame.plastic_strain.empty()) grid.cell_data.push_back(scalars("plastic_strain", frame.plastic_strain));
  add_skin_columns(frame, grid);
  for_each_surface_column(frame, [&](const char* name, const auto& rows) {
    if (!rows.empty()) grid.cell_data.push_back(rows_as_array(name, rows));
  });
  if (!frame.wall.empty()) grid.point_data.push_back(vectors("wall", frame.wall));
  if (!frame.hexes.empty()) {
    std::vector<std::uint32_t> broken(grid.types.size() - frame.hexes.size(), 0);  // of what comes before them
    broken.insert(broken.end(), frame.broken_edges.begin(), frame.broken_edges.end());
    grid.cell_data.push_back(scalars("broken_edges", broken));
    grid.point_data.push_back(scalars("node_fragment", frame.node_fragment));
    grid.point_data.push_back(rows_as_array("turn", frame.turn));
  }
  if (!frame.grains.empty()) add_grains(frame, grid);
  grid.field_data = {{"TimeValue", 1, std::vector<double>{frame.time}},
                     {"frame", 1, std::vector<std::int32_t>{frame.number}}};
  return with_checksum(vtu_text(grid));
}

std::string with_checksum(std::string text) { return text += checksum_line(text); }

Frame read_frame(const std::filesystem::path& path) { return parse_frame(read_file(path), path.string()); }

Frame parse_frame(std::string_view text, const std::string& file) {
  VtuGrid grid = read_vtu(without_checksum(text, file), file);
  Frame frame;
  frame.grains = take_grains(grid, file);
  const std::size_t nodes = grid.points.size(), cells = grid.types.size();
  frame.time = require<double>(grid.field_data, "TimeValue", 1, 1, file)[0];
  frame.number = require<std::int32_t>(grid.field_data, "frame", 1, 1, file)[0];
  frame.rest = as_vectors(require<double>(grid.point_data, "rest", 3, nodes, file));
  frame.velocity = as_vectors(require<double>(grid.point_data, "velocity", 3, nodes, file));
  frame.node_uid = require<std::uint64_t>(grid.point_data, "uid", 1, nodes, file);
  frame.body = require<std::uint32_t>(grid.cell_data, "body", 1, cells, file);
  frame.fragment = require<std::uint32_t>(grid.cell_data, "fragment", 1, cells, file);
  frame.material = require<std::uint32_t>(grid.cell_data, "material", 1, cells, file);
  frame.tet_uid = require<std::uint64_t>(grid.cell_data, "uid", 1, cells, file);
  frame.stress = require<double>(grid.cell_data, "stress", 1, cells, file);
  frame.crack_faces = require<std::uint8_t>(grid.cell_data, "crack_faces", 1, cells, file);
  if (grid.find_cell_data("plastic_strain") != nullptr) {
    frame.plastic_strain = require<double>(grid.cell_data, "plastic_strain", 1, cells, file);
  }
  for_each_skin_column(frame, [&]<class T, std::size_t Size>(const char* name, std::vector<std::array<T, Size>>& rows) {
    if (grid.find_cell_data(name) == nullptr) return;
    split_rows(require<T>(grid.cell_data, name, static_cast<int>(Size), cells, file), rows);
  });
  for_each_surface_column(frame,
                          [&]<class T, std::size_t Size>(const char* name, std::vector<std::array<T, Size>>& rows) {
                            if (grid.find_cell_data(name) == nullptr) return;
                            split_rows(require<T>(grid.cell_data, name, static_cast<int>(Size), cells, file), rows);
                          });
  const bool has_walls = std::any_of(grid.point_data.begin(), grid.point_data.end(),
                                     [](const VtuArray& array) { return array.name == "wall"; });
  if (has_walls) frame.wall = as_vectors(require<double>(grid.point_data, "wall", 3, nodes, file));
  std::int64_t at = 0;
  const auto take = [&](std::size_t i, auto& into) {
    auto& cell = into.emplace_back();
    const std::int64_t end = at + static_cast<std::int64_t>(cell.size());
    if (grid.offsets[i] != end || end > static_cast<std::int64_t>(grid.connectivity.size())) {
      throw InputError({file}, fmt::format("cell {} has the wrong number of points", i));
    }
    for (std::uint32_t& corner : cell) {
      const std::int64_t node = grid.connectivity[static_cast<std::size_t>(at++)];
      if (node < 0 || node >= static_cast<std::int64_t>(nodes)) {
        throw InputError({file}, fmt::format("cell {} names point {}, there are {}", i, node, nodes));
      }
      corner = static_cast<std::uint32_t>(node);
    }
  };
  for (std::size_t i = 0; i < cells; ++i) {
    if (grid.types[i] == kVtkTetra && frame.triangles.empty() && frame.hexes.empty()) {
      take(i, frame.tets);
    } else if (grid.types[i] == kVtkTriangle && frame.hexes.empty()) {
      take(i, frame.triangles);
    } else if (grid.types[i] == kVtkHexahedron) {
      take(i, frame.hexes);
    } else {
      throw InputError({file},
                       fmt::format("cell {} is not a tetrahedron nor, after those, a triangle or hexahedron", i));
    }
  }
  if (!frame.hexes.empty()) {
    frame.broken_edges = require<std::uint32_t>(grid.cell_data, "broken_edges", 1, cells, file);
    frame.broken_edges.erase(frame.broken_edges.begin(),
                             frame.broken_edges.end() - static_cast<std::ptrdiff_t>(frame.hexes.size()));
    frame.node_fragment = require<std::uint32_t>(grid.point_data, "node_fragment", 1, nodes, file);
    split_rows(require<double>(grid.point_data, "turn", 4, nodes, file), frame.turn);
  }
  frame.position = std::move(grid.points);
  return frame;
}

}  // namespace sunder
