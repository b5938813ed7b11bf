// Wavefront OBJ. One record a line, named by its first word; indices count from 1, negative ones back from the last.

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "meshfile/surface_builder.h"
#include "meshfile/surface_formats.h"
#include "meshfile/text_scanner.h"

namespace sunder {
namespace {

class ObjReader {
 public:
  ObjReader(std::string_view content, const std::string& file_name)
      : text_(content, file_name, TextScanner::Lines::matter, '#'), builder_(file_name) {}

  TriangleMesh read() {
    while (!text_.at_end()) {
      record(text_.word("a keyword"));
      text_.rest_of_line();
    }
    return std::move(builder_).build();
  }

 private:
  void record(std::string_view keyword) {
    if (keyword == "v") {
      builder_.points.push_back(vector("a vertex"));
      vertex_colour();
    } else if (keyword == "vn") {
      const double x = text_.number("a normal"), y = text_.number("a normal"), z = text_.number("a normal");
      builder_.normals.emplace_back(x, y, z);
    } else if (keyword == "vt") {
      const double u = text_.number("a texture coordinate");
      const double v = text_.peek_word().empty() ? 0 : text_.number("a texture coordinate");
      builder_.uvs.emplace_back(u, v);
    } else if (keyword == "f" || keyword == "fo") {
      face();
    } else if (keyword == "usemtl") {
      has_material_ = true;
      builder_.begin_group(name());
    } else if ((keyword == "g" || keyword == "o") && !has_material_) {
      builder_.begin_group(name());
    }
    // Others (mtllib, s, l, p, curves ...) add nothing to the surface.
  }

  Vec3 vector(const char* what) {
    const double x = text_.coordinate(what), y = text_.coordinate(what), z = text_.coordinate(what);
    return {x, y, z};
  }

  // Three numbers behind a vertex, as sculpting programs write them; one would be its weight.
  void vertex_colour() {
    const std::vector<double> numbers = text_.numbers_left();
    if (numbers.size() != 3) return;
    for (std::size_t i = 0; i < 3; ++i) builder_.set_attribute(kColourNames[i], numbers[i]);
  }

  std::string_view name() { return text_.peek_word().empty() ? "" : text_.word("a name"); }

  void face() {
    const int line = text_.line();
    polygon_.clear();
    for (std::string_view word = text_.peek_word(); !word.empty(); word = text_.peek_word()) {
      text_.skip_word();
      if (word == "\\") {  // the record goes on in the next line
        text_.next_line("the rest of the face");
      } else {
        polygon_.push_back(corner(word));
      }
    }
    if (polygon_.size() < 3) text_.fail(fmt::format("a face needs three corners, this one has {}", polygon_.size()));
    builder_.add_polygon(polygon_, line);
  }

  // point, point/uv, point//normal or point/uv/normal.
  SurfaceBuilder::Corner corner(std::string_view word) {
    SurfaceBuilder::Corner c;
    const std::size_t first = word.find('/');
    c.point = index(word.substr(0, first), builder_.points.size(), word);
    if (first == std::string_view::npos) return c;
    const std::string_view rest = word.substr(first + 1);
    const std::size_t second = rest.find('/');
    if (!rest.substr(0, second).empty()) c.uv = index(rest.substr(0, second), builder_.uvs.size(), word);
    if (second != std::string_view::npos && second + 1 < rest.size()) {
      c.normal = index(rest.substr(second + 1), builder_.normals.size(), word);
    }
    return c;
  }

  std::int64_t index(std::string_view digits, std::size_t count_so_far, std::string_view word) {
    const std::optional<std::int64_t> value = parse_integer(digits);
    if (!value || *value == 0) {
      text_.fail(fmt::format("a corner of a face should be like 3, 3/4 or 3/4/5, not {}", shown_word(word)));
    }
    const std::int64_t from_zero = *value > 0 ? *value - 1 : static_cast<std::int64_t>(count_so_far) + *value;
    if (from_zero < 0) text_.fail(fmt::format("{} counts back beyond the first record", shown_word(word)));
    return from_zero;
  }

  TextScanner text_;
  SurfaceBuilder builder_;
  std::vector<SurfaceBuilder::Corner> polygon_;
  bool has_material_ = false;
};

}  // namespace

TriangleMesh read_obj(std::string_view content, const std::string& file_name) {
  return ObjReader(content, file_name).read();
}

}  // namespace sunder
