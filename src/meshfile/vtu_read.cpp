#include <fmt/format.h>

#include <utility>

#include "core/error.h"
#include "meshfile/text_scanner.h"
#include "meshfile/vtu.h"
#include "meshfile/vtu_tags.h"
#include "meshfile/vtu_values.h"

namespace sunder {
namespace {

constexpr std::int64_t kMostEntries = std::int64_t{1} << 40;  // of the connectivity

const VtuArrayTag& find_array(const VtuPieceTags& piece, std::string_view name) {
  for (const VtuArrayTag& tag : piece.cell_arrays) {
    if (tag.name == name) return tag;
  }
  throw InputError(piece.place, fmt::format("the cells have no array `{}`", name), kTruncatedRemedy);
}

// Writers choose any integer type for indices; values beyond 63 bits are out of range in any case.
std::vector<std::int64_t> as_indices(const VtuArrayTag& tag, const VtuArray& array) {
  if (array.components != 1) fail_array(tag, "it should have one component");
  std::vector<std::int64_t> indices;
  indices.reserve(array.size());
  std::visit(
      [&]<class T>(const std::vector<T>& values) {
        if constexpr (std::is_floating_point_v<T>) {
          fail_array(tag, "it should have an integer type");
        } else {
          for (const T value : values) {
            if (!std::in_range<std::int64_t>(value) || value < T{0}) fail_array(tag, "it has a value out of range");
            indices.push_back(static_cast<std::int64_t>(value));
          }
        }
      },
      array.values);
  return indices;
}

void read_points(VtuTags& file, const VtuPieceTags& piece, VtuGrid& grid) {
  if (piece.points == 0) return;
  if (piece.point_arrays.size() != 1) {
    throw InputError(piece.place, "the piece should have one array of points", kTruncatedRemedy);
  }
  const VtuArrayTag& tag = piece.point_arrays.front();
  if (tag.components != 3) fail_array(tag, "points should have three components");
  const VtuArray array = read_vtu_array(file, tag, piece.points);
  grid.points.reserve(grid.points.size() + piece.points);
  std::visit(
      [&](const auto& values) {
        for (std::size_t i = 0; i < values.size(); i += 3) {
          grid.points.emplace_back(static_cast<double>(values[i]), static_cast<double>(values[i + 1]),
                                   static_cast<double>(values[i + 2]));
        }
      },
      array.values);
}

void read_cells(VtuTags& file, const VtuPieceTags& piece, std::int64_t first_point, VtuGrid& grid) {
  if (piece.cells == 0) return;
  const VtuArrayTag& types_tag = find_array(piece, "types");
  const VtuArrayTag& offsets_tag = find_array(piece, "offsets");
  const VtuArrayTag& connectivity_tag = find_array(piece, "connectivity");

  for (const std::int64_t type : as_indices(types_tag, read_vtu_array(file, types_tag, piece.cells))) {
    if (!std::in_range<std::uint8_t>(type)) fail_array(types_tag, fmt::format("{} is not a cell type", type));
    grid.types.push_back(static_cast<std::uint8_t>(type));
  }

  const auto first_entry = static_cast<std::int64_t>(grid.connectivity.size());
  std::int64_t end = 0;
  for (const std::int64_t offset : as_indices(offsets_tag, read_vtu_array(file, offsets_tag, piece.cells))) {
    if (offset < end) fail_array(offsets_tag, "the offsets do not ascend");
    // Bounded so that no number of bytes can overflow.
    if (offset > kMostEntries) fail_array(offsets_tag, fmt::format("{} is not a sensible offset", offset));
    end = offset;
    grid.offsets.push_back(first_entry + offset);
  }

  const VtuArray connectivity = read_vtu_array(file, connectivity_tag, static_cast<std::uint64_t>(end));
  for (const std::int64_t point : as_indices(connectivity_tag, connectivity)) {
    if (static_cast<std::uint64_t>(point) >= piece.points) {
      fail_array(connectivity_tag, fmt::format("it refers to point {}, but there are only {}", point, piece.points));
    }
    grid.connectivity.push_back(first_point + point);
  }
}

// Appends the arrays of one more piece, which must be the ones of the pieces before.
void read_data(VtuTags& file, const VtuPieceTags& piece, const std::vector<VtuArrayTag>& tags, std::uint64_t tuples,
               bool is_first, std::vector<VtuArray>& arrays) {
  if (is_first) {
    for (const VtuArrayTag& tag : tags) arrays.push_back(read_vtu_array(file, tag, tuples));
    return;
  }
  for (VtuArray& array : arrays) {
    const VtuArrayTag* tag = nullptr;
    for (const VtuArrayTag& candidate : tags) {
      if (candidate.name == array.name) tag = &candidate;
    }
    if (tag == nullptr) {
      throw InputError(piece.place, fmt::format("array {} is missing from this piece", shown_word(array.name)),
                       "write the same arrays in every piece");
    }
    VtuArray more = read_vtu_array(file, *tag, tuples);
    if (more.components != array.components || more.values.index() != array.values.index()) {
      fail_array(*tag, "it has another type here than in the first piece");
    }
    std::visit(
        [&]<class T>(std::vector<T>& values) {
          const auto& added = std::get<std::vector<T>>(more.values);
          values.insert(values.end(), added.begin(), added.end());
        },
        array.values);
  }
}

}  // namespace

VtuGrid read_vtu(std::string_view content, const std::string& file_name) {
  VtuTags file = read_vtu_tags(content, file_name);
  if (file.pieces.empty()) throw InputError({file_name}, "there is no <Piece> in the file", kTruncatedRemedy);

  VtuGrid grid;
  for (const VtuArrayTag& tag : file.field_data) grid.field_data.push_back(read_vtu_array(file, tag, tag.tuples));
  bool is_first = true;
  for (const VtuPieceTags& piece : file.pieces) {
    // Parallel programs write empty pieces without arrays.
    if (piece.points == 0 && piece.cells == 0 && file.pieces.size() > 1) continue;
    const auto first_point = static_cast<std::int64_t>(grid.points.size());
    read_points(file, piece, grid);
    read_cells(file, piece, first_point, grid);
    read_data(file, piece, piece.point_data, piece.points, is_first, grid.point_data);
    read_data(file, piece, piece.cell_data, piece.cells, is_first, grid.cell_data);
    is_first = false;
  }
  return grid;
}

}  // namespace sunder
