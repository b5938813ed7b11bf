// STL. Binary: 80 bytes of header, a count, 50 bytes for each triangle, little endian. ASCII: solid, facet, vertex.
// Binary files that begin with the word "solid" exist; the size decides.

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstring>
#include <string>

#include "meshfile/byte_reader.h"
#include "meshfile/surface_builder.h"
#include "meshfile/surface_formats.h"
#include "meshfile/text_scanner.h"

namespace sunder {
namespace {

constexpr std::size_t kHeaderBytes = 80, kTriangleBytes = 50;

std::uint32_t little_endian(const char* bytes) {
  std::uint32_t value = 0;
  for (int i = 3; i >= 0; --i) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

void add_triangle(SurfaceBuilder& builder, int line) {
  const auto last = static_cast<std::int64_t>(builder.points.size());
  const std::array<SurfaceBuilder::Corner, 3> corners = {
      {{.point = last - 3}, {.point = last - 2}, {.point = last - 1}}};
  builder.add_polygon(corners, line);
}

TriangleMesh read_binary(std::string_view content, const std::string& file_name) {
  const std::size_t count = little_endian(content.data() + kHeaderBytes);
  const std::size_t room = (content.size() - kHeaderBytes - 4) / kTriangleBytes;
  if (count > room) {
    throw InputError({file_name}, fmt::format("{} triangles are announced, but the file holds {}", count, room),
                     kTruncatedRemedy);
  }
  SurfaceBuilder builder(file_name);
  builder.points.reserve(3 * count);
  for (std::size_t t = 0; t < count; ++t) {
    const char* bytes = content.data() + kHeaderBytes + 4 + t * kTriangleBytes + 12;  // behind the normal
    for (int corner = 0; corner < 3; ++corner) {
      Vec3 x;
      for (int axis = 0; axis < 3; ++axis, bytes += 4) {
        x[axis] = static_cast<double>(std::bit_cast<float>(little_endian(bytes)));
      }
      builder.points.push_back(x);
    }
    add_triangle(builder, 0);
  }
  return std::move(builder).build();
}

TriangleMesh read_ascii(std::string_view content, const std::string& file_name) {
  TextScanner text(content, file_name, TextScanner::Lines::matter);
  SurfaceBuilder builder(file_name);
  int corners = 0;
  bool in_loop = false;
  while (!text.at_end()) {
    const std::string_view keyword = text.word("a keyword");
    if (keyword == "solid") {
      builder.begin_group(text.peek_word());
    } else if (keyword == "outer") {
      in_loop = true;
      corners = 0;
    } else if (keyword == "vertex") {
      if (!in_loop) text.fail("a vertex outside of a loop");
      const double x = text.coordinate("a vertex"), y = text.coordinate("a vertex"), z = text.coordinate("a vertex");
      builder.points.emplace_back(x, y, z);
      ++corners;
    } else if (keyword == "endloop") {
      if (!in_loop || corners != 3) text.fail(fmt::format("a facet needs three vertices, this one has {}", corners));
      in_loop = false;
      add_triangle(builder, text.line());
    } else if (keyword != "facet" && keyword != "endfacet" && keyword != "endsolid") {
      text.fail(fmt::format("expected facet, vertex or endsolid, found {}", shown_word(keyword)));
    }
    text.rest_of_line();
  }
  if (in_loop) text.fail("the file ends within a facet", kTruncatedRemedy);
  return std::move(builder).build();
}

}  // namespace

TriangleMesh read_stl(std::string_view content, const std::string& file_name) {
  const bool has_count = content.size() >= kHeaderBytes + 4;
  const std::size_t announced = has_count ? little_endian(content.data() + kHeaderBytes) : 0;
  const bool fits = has_count && content.size() == kHeaderBytes + 4 + announced * kTriangleBytes;
  if (!fits && content.starts_with("solid")) return read_ascii(content, file_name);
  if (!has_count) throw InputError({file_name}, "this is not an STL file: it is too short", kTruncatedRemedy);
  return read_binary(content, file_name);
}

}  // namespace sunder
