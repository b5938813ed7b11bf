#include "cache/frame_vtu.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/files.h"
#include "core/hash.h"
#include "meshfile/vtu.h"
#include "meshfile/vtu_rows.h"

namespace sunder {
namespace {

constexpr std::uint8_t kVtkTetra = 10;

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

}  // namespace

std::string frame_text(const Frame& frame) {
  VtuGrid grid;
  grid.points = frame.position;
  grid.connectivity.reserve(4 * frame.tets.size());
  for (const auto& tet : frame.tets) grid.connectivity.insert(grid.connectivity.end(), tet.begin(), tet.end());
  for (std::size_t i = 1; i <= frame.tets.size(); ++i) grid.offsets.push_back(static_cast<std::int64_t>(4 * i));
  grid.types.assign(frame.tets.size(), kVtkTetra);
  grid.point_data = {vectors("rest", frame.rest), vectors("velocity", frame.velocity), scalars("uid", frame.node_uid)};
  grid.cell_data = {scalars("body", frame.body),         scalars("fragment", frame.fragment),
                    scalars("material", frame.material), scalars("uid", frame.tet_uid),
                    scalars("stress", frame.stress),     scalars("crack_faces", frame.crack_faces)};
  if (!frame.plastic_strain.empty()) grid.cell_data.push_back(scalars("plastic_strain", frame.plastic_strain));
  add_skin_columns(frame, grid);
  grid.field_data = {{"TimeValue", 1, std::vector<double>{frame.time}},
                     {"frame", 1, std::vector<std::int32_t>{frame.number}}};
  return with_checksum(vtu_text(grid));
}

std::string with_checksum(std::string text) { return text += checksum_line(text); }

Frame read_frame(const std::filesystem::path& path) { return parse_frame(read_file(path), path.string()); }

Frame parse_frame(std::string_view text, const std::string& file) {
  VtuGrid grid = read_vtu(without_checksum(text, file), file);
  const std::size_t nodes = grid.points.size(), tets = grid.types.size();
  Frame frame;
  frame.time = require<double>(grid.field_data, "TimeValue", 1, 1, file)[0];
  frame.number = require<std::int32_t>(grid.field_data, "frame", 1, 1, file)[0];
  frame.rest = as_vectors(require<double>(grid.point_data, "rest", 3, nodes, file));
  frame.velocity = as_vectors(require<double>(grid.point_data, "velocity", 3, nodes, file));
  frame.node_uid = require<std::uint64_t>(grid.point_data, "uid", 1, nodes, file);
  frame.body = require<std::uint32_t>(grid.cell_data, "body", 1, tets, file);
  frame.fragment = require<std::uint32_t>(grid.cell_data, "fragment", 1, tets, file);
  frame.material = require<std::uint32_t>(grid.cell_data, "material", 1, tets, file);
  frame.tet_uid = require<std::uint64_t>(grid.cell_data, "uid", 1, tets, file);
  frame.stress = require<double>(grid.cell_data, "stress", 1, tets, file);
  frame.crack_faces = require<std::uint8_t>(grid.cell_data, "crack_faces", 1, tets, file);
  if (grid.find_cell_data("plastic_strain") != nullptr) {
    frame.plastic_strain = require<double>(grid.cell_data, "plastic_strain", 1, tets, file);
  }
  for_each_skin_column(frame, [&]<class T, std::size_t Size>(const char* name, std::vector<std::array<T, Size>>& rows) {
    if (grid.find_cell_data(name) == nullptr) return;
    split_rows(require<T>(grid.cell_data, name, static_cast<int>(Size), tets, file), rows);
  });
  for (std::size_t i = 0; i < tets; ++i) {
    if (grid.types[i] != kVtkTetra || grid.offsets[i] != static_cast<std::int64_t>(4 * (i + 1))) {
      throw InputError({file}, fmt::format("cell {} is not a tetrahedron", i));
    }
    std::array<std::uint32_t, 4> tet;
    for (std::size_t k = 0; k < 4; ++k) {
      const std::int64_t node = grid.connectivity[4 * i + k];
      if (node < 0 || node >= static_cast<std::int64_t>(nodes)) {
        throw InputError({file}, fmt::format("cell {} names point {}, there are {}", i, node, nodes));
      }
      tet[k] = static_cast<std::uint32_t>(node);
    }
    frame.tets.push_back(tet);
  }
  frame.position = std::move(grid.points);
  return frame;
}

}  // namespace sunder
