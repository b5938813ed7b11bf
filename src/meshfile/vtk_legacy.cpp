// VTK's legacy files: four header lines, then keywords with data in ASCII or big-endian binary. Everything about the
// mesh stands before POINT_DATA and CELL_DATA, where we stop.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <utility>
#include <vector>

#include "meshfile/tet_formats.h"
#include "meshfile/text_scanner.h"
#include "meshfile/vtk_cells.h"
#include "meshfile/vtu.h"

namespace sunder {
namespace {

constexpr const char* kSaveAgain = "save the mesh as an unstructured grid (.vtu or .vtk)";

struct ScalarType {
  const char* name;
  std::size_t width;  // bytes, in a binary file
  bool is_float;
  bool is_signed;
};

// vtkIdType is written as int. `long` is what it is on Unix.
constexpr std::array<ScalarType, 19> kTypes = {{
    {"char", 1, false, true},
    {"signed_char", 1, false, true},
    {"unsigned_char", 1, false, false},
    {"short", 2, false, true},
    {"unsigned_short", 2, false, false},
    {"int", 4, false, true},
    {"unsigned_int", 4, false, false},
    {"long", 8, false, true},
    {"unsigned_long", 8, false, false},
    {"float", 4, true, true},
    {"double", 8, true, true},
    {"vtkidtype", 4, false, true},
    {"vtktypeint8", 1, false, true},
    {"vtktypeuint8", 1, false, false},
    {"vtktypeint32", 4, false, true},
    {"vtktypeuint32", 4, false, false},
    {"vtktypeint64", 8, false, true},
    {"vtktypeuint64", 8, false, false},
    {"bit", 0, false, false},
}};

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return (c >= 'A' && c <= 'Z') ? static_cast<char>(c - 'A' + 'a') : c; });
  return lower;
}

std::uint64_t big_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (const char byte : bytes) value = (value << 8) | static_cast<unsigned char>(byte);
  return value;
}

class LegacyReader {
 public:
  LegacyReader(std::string_view content, const std::string& file_name)
      : text_(content, file_name, TextScanner::Lines::ignored) {}

  TetSoup read() {
    read_header();
    while (!text_.at_end()) {
      const std::string keyword = lower_case(text_.word("a keyword"));
      if (keyword == "point_data" || keyword == "cell_data") break;
      if (keyword == "points") {
        read_points();
      } else if (keyword == "cells") {
        read_cells();
      } else if (keyword == "cell_types") {
        read_cell_types();
      } else if (keyword == "field") {
        skip_field();
      } else if (keyword == "metadata") {
        // Up to an empty line.
        text_.rest_of_line();
        while (!text_.rest_of_line().empty()) continue;
      } else {
        text_.fail(fmt::format("unknown keyword {}", shown_word(keyword)), kSaveAgain);
      }
    }
    if (!has_points_) text_.fail("there is no POINTS section", kTruncatedRemedy);
    if (!has_cells_) text_.fail("there is no CELLS section", kTruncatedRemedy);
    if (!has_types_) text_.fail("there is no CELL_TYPES section", kTruncatedRemedy);
    if (grid_.types.size() != grid_.offsets.size()) {
      text_.fail(fmt::format("there are {} cells, but {} cell types", grid_.offsets.size(), grid_.types.size()),
                 kTruncatedRemedy);
    }
    return soup_of_vtk_cells(grid_, text_.file(), point_lines_, cell_lines_);
  }

 private:
  void read_header() {
    const std::string_view first = text_.rest_of_line();
    constexpr std::string_view mark = "# vtk DataFile Version ";
    if (!first.starts_with(mark)) {
      throw InputError({text_.file(), 1},
                       "this is not a legacy VTK file: its first line is not `# vtk DataFile Version ...`", kSaveAgain);
    }
    const std::string_view version_text = first.substr(mark.size());
    const auto version = parse_number(version_text.substr(0, version_text.find_last_not_of(" \t") + 1));
    if (!version || !(*version >= 1 && *version < 6)) {
      throw InputError({text_.file(), 1}, fmt::format("unknown version {} of the VTK format", shown_word(version_text)),
                       kSaveAgain);
    }
    has_offsets_ = *version >= 5;
    text_.rest_of_line();  // the title, anything
    const std::string kind = lower_case(text_.word("ASCII or BINARY"));
    if (kind != "ascii" && kind != "binary") {
      text_.fail(fmt::format("expected ASCII or BINARY, found {}", shown_word(kind)));
    }
    is_binary_ = kind == "binary";
    if (lower_case(text_.word("DATASET")) != "dataset") text_.fail("expected DATASET", kTruncatedRemedy);
    const std::string dataset(text_.word("the kind of data set"));
    if (lower_case(dataset) != "unstructured_grid") {
      text_.fail(fmt::format("the data set is {}, not UNSTRUCTURED_GRID", shown_word(dataset)), kSaveAgain);
    }
  }

  const ScalarType& read_type() {
    const std::string name = lower_case(text_.word("a data type"));
    for (const ScalarType& type : kTypes) {
      if (type.width > 0 && name == type.name) return type;
    }
    text_.fail(fmt::format("data of type {} cannot be read", shown_word(name)), kSaveAgain);
  }

  // What a value takes in the file.
  std::size_t bytes_each(const ScalarType& type) const { return is_binary_ ? type.width : 2; }

  double read_coordinate(const ScalarType& type) {
    if (!is_binary_) return text_.coordinate("a coordinate of a point");
    const std::string_view bytes = text_.bytes(type.width);
    if (!type.is_float) return static_cast<double>(integer_of(bytes, type));
    const std::uint64_t bits = big_endian(bytes);
    if (type.width == 8) return std::bit_cast<double>(bits);
    return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  }

  std::int64_t read_integer(const ScalarType& type, const char* what) {
    return is_binary_ ? integer_of(text_.bytes(type.width), type) : text_.integer(what);
  }

  static std::int64_t integer_of(std::string_view bytes, const ScalarType& type) {
    std::uint64_t bits = big_endian(bytes);
    const std::size_t unused = 64 - 8 * type.width;
    if (type.is_signed && unused > 0 && ((bits >> (8 * type.width - 1)) & 1) != 0)
      bits |= ~std::uint64_t{0} << (64 - unused);
    return static_cast<std::int64_t>(bits);
  }

  // Binary data begin right after the end of the line.
  void begin_data() {
    if (is_binary_) text_.rest_of_line();
  }

  std::size_t read_count(const char* what) { return text_.count(what, 1); }

  void read_points() {
    if (has_points_) text_.fail("there is a second POINTS section", kSaveAgain);
    has_points_ = true;
    const std::size_t count = read_count("the number of points");
    const ScalarType& type = read_type();
    text_.expect_room(count, 3 * bytes_each(type), "the number of points");
    begin_data();
    grid_.points.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      const double x = read_coordinate(type);
      if (!is_binary_) point_lines_.push_back(text_.line());
      const double y = read_coordinate(type);
      const double z = read_coordinate(type);
      grid_.points.emplace_back(x, y, z);
    }
  }

  void read_cells() {
    if (has_cells_) text_.fail("there is a second CELLS section", kSaveAgain);
    has_cells_ = true;
    const std::size_t count = read_count("the number of cells");
    const std::size_t size = read_count("the size of the list of cells");
    has_offsets_ ? read_cells_5(count, size) : read_cells_4(count, size);
  }

  // Before 5.0: for each cell its number of points, and the points.
  void read_cells_4(std::size_t count, std::size_t size) {
    constexpr ScalarType kInt = {"int", 4, false, true};
    text_.expect_room(size, bytes_each(kInt), "the size of the list of cells");
    if (count > size) text_.fail("there are more cells than entries in their list", kTruncatedRemedy);
    begin_data();
    grid_.offsets.reserve(count);
    grid_.connectivity.reserve(size - count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::int64_t points = read_integer(kInt, "the number of points of a cell");
      if (points < 0 || static_cast<std::uint64_t>(points) > size - count - grid_.connectivity.size()) {
        text_.fail(fmt::format("cell {} has {} points, more than the list of cells", i, points), kTruncatedRemedy);
      }
      if (!is_binary_) cell_lines_.push_back(text_.line());
      for (std::int64_t k = 0; k < points; ++k) grid_.connectivity.push_back(read_integer(kInt, "a point of a cell"));
      grid_.offsets.push_back(static_cast<std::int64_t>(grid_.connectivity.size()));
    }
  }

  // From 5.0 on: one more offset than cells, from 0 to the size of the list of points.
  void read_cells_5(std::size_t offsets, std::size_t size) {
    const ScalarType& offsets_type = begin_array("offsets", offsets);
    std::int64_t last = 0;
    for (std::size_t i = 0; i < offsets; ++i) {
      const std::int64_t offset = read_integer(offsets_type, "an offset");
      if (offset < last || static_cast<std::uint64_t>(offset) > size || (i == 0 && offset != 0)) {
        text_.fail(fmt::format("offset {} of the cells is {}, which does not fit", i, offset), kTruncatedRemedy);
      }
      if (i > 0) grid_.offsets.push_back(offset);
      last = offset;
    }
    const ScalarType& points_type = begin_array("connectivity", size);
    grid_.connectivity.reserve(size);
    // One cell a line, as a rule; the line of its first point is as good a guess.
    std::size_t cell = 0;
    for (std::size_t i = 0; i < size; ++i) {
      grid_.connectivity.push_back(read_integer(points_type, "a point of a cell"));
      for (; !is_binary_ && cell < grid_.offsets.size() && static_cast<std::size_t>(grid_.offsets[cell]) <= i + 1;
           ++cell) {
        cell_lines_.push_back(text_.line());
      }
    }
    cell_lines_.resize(is_binary_ ? 0 : grid_.offsets.size(), text_.line());
  }

  const ScalarType& begin_array(const char* name, std::size_t count) {
    const std::string found = lower_case(text_.word(name));
    if (found != name) text_.fail(fmt::format("expected {}, found {}", name, shown_word(found)), kTruncatedRemedy);
    const ScalarType& type = read_type();
    text_.expect_room(count, bytes_each(type), fmt::format("the number of {}", name));
    begin_data();
    return type;
  }

  void read_cell_types() {
    if (has_types_) text_.fail("there is a second CELL_TYPES section", kSaveAgain);
    has_types_ = true;
    constexpr ScalarType kInt = {"int", 4, false, true};
    const std::size_t count = read_count("the number of cell types");
    text_.expect_room(count, bytes_each(kInt), "the number of cell types");
    begin_data();
    grid_.types.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::int64_t type = read_integer(kInt, "the type of a cell");
      if (!std::in_range<std::uint8_t>(type)) text_.fail(fmt::format("cell {} has type {}, which is unknown", i, type));
      grid_.types.push_back(static_cast<std::uint8_t>(type));
    }
  }

  void skip_field() {
    text_.word("the name of a field");
    const std::size_t arrays = text_.count("the number of arrays of a field", 2);
    for (std::size_t i = 0; i < arrays; ++i) {
      text_.word("the name of an array");
      const std::size_t components = read_count("the number of components of an array");
      const std::size_t tuples = read_count("the number of tuples of an array");
      const ScalarType& type = read_type();
      text_.expect_room(tuples, components * bytes_each(type) + (components == 0 ? 1 : 0), "the number of tuples");
      const std::size_t count = components * tuples;
      begin_data();
      if (is_binary_) {
        text_.bytes(count * type.width);
      } else {
        for (std::size_t k = 0; k < count; ++k) text_.word("a value");
      }
    }
  }

  TextScanner text_;
  bool is_binary_ = false;
  bool has_offsets_ = false;  // CELLS has OFFSETS and CONNECTIVITY
  bool has_points_ = false;
  bool has_cells_ = false;
  bool has_types_ = false;
  VtuGrid grid_;
  std::vector<int> point_lines_;
  std::vector<int> cell_lines_;
};

}  // namespace

TetSoup read_vtk_legacy(std::string_view content, const std::string& file_name) {
  return LegacyReader(content, file_name).read();
}

}  // namespace sunder
