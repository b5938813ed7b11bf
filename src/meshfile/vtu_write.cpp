#include <fmt/format.h>

#include <bit>
#include <span>

#include "core/check.h"
#include "core/parallel.h"
#include "meshfile/vtu.h"
#include "meshfile/zlib_blocks.h"

namespace sunder {
namespace {

static_assert(std::endian::native == std::endian::little, "values are written as they stand in memory");
static_assert(sizeof(Vec3) == 3 * sizeof(double), "points are written as an array of doubles");

// Independent blocks can be compressed by all threads at once; VTK's own default is 32 KiB.
constexpr std::size_t kBlockSize = 1u << 16;

const char* vtk_name(double) { return "Float64"; }
const char* vtk_name(float) { return "Float32"; }
const char* vtk_name(std::int32_t) { return "Int32"; }
const char* vtk_name(std::int64_t) { return "Int64"; }
const char* vtk_name(std::uint64_t) { return "UInt64"; }
const char* vtk_name(std::uint32_t) { return "UInt32"; }
const char* vtk_name(std::uint8_t) { return "UInt8"; }

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        if (static_cast<unsigned char>(c) < ' ') {
          out += fmt::format("&#{};", static_cast<int>(c));
        } else {
          out += c;
        }
    }
  }
  return out;
}

// The tags, and the data they point into by offsets from the `_`. meshio 5.0 reads this form (raw, compressed, UInt64
// headers) if every array has its own offset, in order, and a line end follows the data.
class Document {
 public:
  std::string tags;
  std::string data;

  template <class T>
  void add(int indent, std::string_view name, int components, std::span<const T> values, bool is_field = false) {
    tags += fmt::format("{:{}}<DataArray type=\"{}\" Name=\"{}\"", "", indent, vtk_name(T()), escaped(name));
    // Left out for scalars, where meshio would otherwise make a matrix of one column.
    if (components != 1) tags += fmt::format(" NumberOfComponents=\"{}\"", components);
    if (is_field) {
      tags += fmt::format(" NumberOfTuples=\"{}\"", values.size() / static_cast<std::size_t>(components));
    }
    tags += fmt::format(" format=\"appended\" offset=\"{}\"/>\n", data.size());
    append({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
  }

  void add(int indent, const VtuArray& array, bool is_field = false) {
    std::visit(
        [&]<class T>(const std::vector<T>& values) {
          add(indent, array.name, array.components, std::span<const T>(values), is_field);
        },
        array.values);
  }

 private:
  // [blocks][block size][size of the last block if it is shorter, else 0][compressed sizes...], then the blocks.
  void append(std::string_view bytes) {
    std::vector<std::string> blocks((bytes.size() + kBlockSize - 1) / kBlockSize);
    parallel_chunks(blocks.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) blocks[i] = compress_block(bytes.substr(i * kBlockSize, kBlockSize));
    });
    append_size(blocks.size());
    append_size(kBlockSize);
    append_size(bytes.size() % kBlockSize);
    for (const std::string& block : blocks) append_size(block.size());
    for (const std::string& block : blocks) data += block;
  }

  void append_size(std::uint64_t size) { data.append(reinterpret_cast<const char*>(&size), sizeof size); }
};

void check_sizes(const VtuGrid& grid) {
  SUNDER_CHECK(grid.types.size() == grid.offsets.size(), "a VTU grid needs one type and one offset a cell");
  SUNDER_CHECK(grid.offsets.empty() ? grid.connectivity.empty()
                                    : static_cast<std::size_t>(grid.offsets.back()) == grid.connectivity.size(),
               "the offsets of a VTU grid do not fit its connectivity");
  const auto check = [](const std::vector<VtuArray>& arrays, std::size_t count) {
    for (const VtuArray& array : arrays) {
      SUNDER_CHECK(array.components > 0 && array.size() == count * static_cast<std::size_t>(array.components),
                   fmt::format("VTU array `{}` has {} values for {} points or cells", array.name, array.size(), count));
    }
  };
  check(grid.point_data, grid.points.size());
  check(grid.cell_data, grid.types.size());
  for (const VtuArray& array : grid.field_data) {
    SUNDER_CHECK(array.components > 0 && array.size() % static_cast<std::size_t>(array.components) == 0,
                 fmt::format("VTU field `{}` has a part of a tuple", array.name));
  }
}

}  // namespace

std::string vtu_text(const VtuGrid& grid) {
  check_sizes(grid);
  Document document;
  std::string& tags = document.tags;
  tags +=
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\" "
      "compressor=\"vtkZLibDataCompressor\">\n"
      "  <UnstructuredGrid>\n";
  if (!grid.field_data.empty()) {
    tags += "    <FieldData>\n";
    for (const VtuArray& array : grid.field_data) document.add(6, array, true);
    tags += "    </FieldData>\n";
  }
  tags +=
      fmt::format("    <Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n", grid.points.size(), grid.types.size());
  tags += "      <PointData>\n";
  for (const VtuArray& array : grid.point_data) document.add(8, array);
  tags += "      </PointData>\n      <CellData>\n";
  for (const VtuArray& array : grid.cell_data) document.add(8, array);
  tags += "      </CellData>\n      <Points>\n";
  const double* coordinates = grid.points.empty() ? nullptr : grid.points.front().data();
  document.add(8, "Points", 3, std::span<const double>(coordinates, 3 * grid.points.size()));
  tags += "      </Points>\n      <Cells>\n";
  document.add(8, "connectivity", 1, std::span<const std::int64_t>(grid.connectivity));
  document.add(8, "offsets", 1, std::span<const std::int64_t>(grid.offsets));
  document.add(8, "types", 1, std::span<const std::uint8_t>(grid.types));
  tags +=
      "      </Cells>\n"
      "    </Piece>\n"
      "  </UnstructuredGrid>\n"
      "  <AppendedData encoding=\"raw\">\n"
      "   _";
  tags += document.data;
  tags += "\n  </AppendedData>\n</VTKFile>\n";
  return std::move(tags);
}

}  // namespace sunder
