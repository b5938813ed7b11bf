#pragma once
// What the tags of a VTU file say, before any array is decoded: appended data come last, so the tags must wait for
// them.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"

namespace sunder {

enum class VtuType { int8, uint8, int16, uint16, int32, uint32, int64, uint64, float32, float64 };
enum class VtuFormat { ascii, binary, appended };

struct VtuArrayTag {
  Place place;
  std::string name;
  VtuType type = VtuType::float64;
  VtuFormat format = VtuFormat::ascii;
  std::uint64_t components = 1;
  std::optional<std::uint64_t> tuples;  // given for field data
  std::uint64_t offset = 0;             // into the appended data
  std::string_view text;                // of an inline array
};

struct VtuPieceTags {
  Place place;
  std::uint64_t points = 0;
  std::uint64_t cells = 0;
  std::vector<VtuArrayTag> point_arrays;  // <Points>: one array
  std::vector<VtuArrayTag> cell_arrays;   // <Cells>: connectivity, offsets, types
  std::vector<VtuArrayTag> point_data;
  std::vector<VtuArrayTag> cell_data;
};

struct VtuTags {
  bool is_big_endian = false;
  bool is_compressed = false;
  bool has_long_headers = false;  // header_type UInt64, else UInt32
  bool is_raw = false;            // appended data are raw, else base64
  std::optional<std::string_view> appended;
  std::uint64_t appended_allowance = 0;  // bytes of it that arrays may still take (vtu_values.h)
  std::vector<VtuPieceTags> pieces;
  std::vector<VtuArrayTag> field_data;
};

// Counts are no more than claims here; they are below 2^40 and components below 2^20, so that products cannot overflow.
VtuTags read_vtu_tags(std::string_view content, const std::string& file_name);

}  // namespace sunder
