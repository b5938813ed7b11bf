// Geomview OFF: a header word, three counts, the vertices, the faces; `#` starts a comment. Colours may stand behind
// faces, and behind vertices if the header says COFF.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "meshfile/surface_builder.h"
#include "meshfile/surface_formats.h"
#include "meshfile/text_scanner.h"

namespace sunder {
namespace {

constexpr std::size_t kVertexBytes = 6;  // "0 0 0\n"
constexpr std::size_t kFaceBytes = 2;    // "0\n"; those of a face with corners are checked for it

}  // namespace

TriangleMesh read_off(std::string_view content, const std::string& file_name) {
  TextScanner text(content, file_name, TextScanner::Lines::matter, '#');
  SurfaceBuilder builder(file_name);
  text.next_line("the word OFF");
  const std::string_view header = text.peek_word();
  const bool coloured = header == "COFF";
  // What stands behind a vertex or a face: whole numbers go to 255, others to 1; empty if it is no colour.
  const auto colour = [&] {
    const bool has_point = text.peek_word().find('.') != std::string_view::npos;
    std::vector<double> numbers = text.numbers_left();
    if (numbers.size() != 3 && numbers.size() != 4) return std::vector<double>();
    const bool whole = std::all_of(numbers.begin(), numbers.end(), [](double c) { return c == std::floor(c); });
    for (double& c : numbers) c /= whole && !has_point ? 255 : 1;
    return numbers;
  };
  if (header.ends_with("OFF")) {
    if (header.find('4') != std::string_view::npos || header.find('n') != std::string_view::npos) {
      text.fail("only OFF files of three dimensions are read", "export it as a plain OFF file");
    }
    text.skip_word();
    if (text.peek_word() == "BINARY") text.fail("this is a binary OFF file", "export it as text, or as PLY");
    if (text.peek_word().empty()) text.next_line("the number of vertices");
  } else if (!parse_integer(header)) {  // the header word may be left out
    text.fail(fmt::format("expected OFF, found {}", shown_word(header)), "this is not an OFF file");
  }
  const std::size_t vertices = text.count("the number of vertices", kVertexBytes);
  const std::size_t faces = text.count("the number of faces", kFaceBytes);
  builder.points.reserve(vertices);
  for (std::size_t i = 0; i < vertices; ++i) {
    text.next_line("a vertex");
    const double x = text.coordinate("the x coordinate of a vertex"),
                 y = text.coordinate("the y coordinate of a vertex"),
                 z = text.coordinate("the z coordinate of a vertex");
    builder.points.emplace_back(x, y, z);
    if (!coloured) continue;
    const std::vector<double> numbers = colour();
    for (std::size_t c = 0; c < numbers.size(); ++c) {
      builder.set_attribute(kColourNames[c], numbers[c]);
    }
  }
  std::vector<SurfaceBuilder::Corner> polygon;
  for (std::size_t i = 0; i < faces; ++i) {
    text.next_line("a face");
    const std::size_t corners = text.count("the number of corners of a face", 2);
    const int line = text.line();
    polygon.clear();
    for (std::size_t k = 0; k < corners; ++k) {
      polygon.push_back({.point = text.integer("a corner of a face")});
      if (polygon.back().point < 0) text.fail("a corner of a face is negative");
    }
    builder.add_polygon(polygon, line);
    const std::vector<double> numbers = colour();
    for (std::size_t c = 0; c < numbers.size(); ++c) {
      builder.set_face_attribute(kColourNames[c], numbers[c]);
    }
  }
  return std::move(builder).build();
}

}  // namespace sunder
