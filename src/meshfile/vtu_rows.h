#pragma once
// Columns whose entries are rows of a fixed length, as arrays of a VTU file and back.

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "meshfile/vtu.h"

namespace sunder {

template <class T, std::size_t Size>
VtuArray rows_as_array(const char* name, const std::vector<std::array<T, Size>>& rows) {
  std::vector<T> flat_values;
  flat_values.reserve(Size * rows.size());
  for (const auto& row : rows) flat_values.insert(flat_values.end(), row.begin(), row.end());
  return {name, static_cast<int>(Size), std::move(flat_values)};
}

// The columns of a skin (SkinColumns or a frame, mesh/face_skin.h) with the names they have in files.
template <class Columns, class Use>
void for_each_skin_column(Columns& columns, const Use& use) {
  use("parts", columns.parts);
  use("uv", columns.uv);
  use("normals", columns.normals);
  use("source", columns.source);
}

// Adds the columns that are not empty.
template <class Columns>
void add_skin_columns(const Columns& columns, VtuGrid& grid) {
  for_each_skin_column(columns, [&](const char* name, const auto& rows) {
    if (!rows.empty()) grid.cell_data.push_back(rows_as_array(name, rows));
  });
}

template <class T, std::size_t Size>
void split_rows(const std::vector<T>& values, std::vector<std::array<T, Size>>& rows) {
  rows.resize(values.size() / Size);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(Size * i), Size, rows[i].begin());
  }
}

}  // namespace sunder
