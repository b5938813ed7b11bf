#pragma once
// Unstructured grids in VTK's XML format: what frames are written as, and one of the formats meshes come in.
// https://docs.vtk.org/en/latest/design_documents/VTKFileFormats.html

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/vec.h"

namespace sunder {

// A named attribute. Values of one point or cell stand together: x0 y0 z0 x1 y1 z1 ...
// Int8 and Int16 are read as Int32, UInt16 as UInt32.
struct VtuArray {
  std::string name;
  int components = 1;
  std::variant<std::vector<double>, std::vector<float>, std::vector<std::int32_t>, std::vector<std::int64_t>,
               std::vector<std::uint64_t>, std::vector<std::uint32_t>, std::vector<std::uint8_t>>
      values;

  std::size_t size() const {  // number of values, all components
    return std::visit([](const auto& v) { return v.size(); }, values);
  }
};

struct VtuGrid {
  std::vector<Vec3> points;
  std::vector<std::int64_t> connectivity;  // point indices of all cells, one after the other
  std::vector<std::int64_t> offsets;       // one a cell: where its points end in connectivity
  std::vector<std::uint8_t> types;         // VTK's cell types, vtk_cells.h
  std::vector<VtuArray> point_data;
  std::vector<VtuArray> cell_data;
  std::vector<VtuArray> field_data;  // of any length; ParaView shows `TimeValue` as the time

  const VtuArray* find_point_data(std::string_view name) const { return find(point_data, name); }
  const VtuArray* find_cell_data(std::string_view name) const { return find(cell_data, name); }
  const VtuArray* find_field_data(std::string_view name) const { return find(field_data, name); }

  static const VtuArray* find(const std::vector<VtuArray>& arrays, std::string_view name) {
    for (const VtuArray& array : arrays) {
      if (array.name == name) return &array;
    }
    return nullptr;
  }
};

// The whole file: appended raw data in zlib blocks. The same grid gives the same bytes for any number of threads.
// Arrays must fit the number of points or cells.
std::string vtu_text(const VtuGrid& grid);

// Reads ASCII, inline and appended data, raw or base64, compressed with zlib or not, of either byte order; several
// pieces become one grid. What is wrong is an InputError that names the array. Connectivity is checked to lie within
// the points, offsets to ascend. `file_name` is for messages.
VtuGrid read_vtu(std::string_view content, const std::string& file_name);

}  // namespace sunder
