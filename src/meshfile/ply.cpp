// PLY: a header of words that names elements and their properties, then the values in ASCII or binary.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "meshfile/surface_builder.h"
#include "meshfile/surface_formats.h"
#include "meshfile/text_scanner.h"

namespace sunder {
namespace {

constexpr double kByte = 255;

struct ScalarType {
  std::array<const char*, 2> names;
  std::size_t width;  // bytes
  bool is_float, is_signed;
};
constexpr std::array<ScalarType, 8> kTypes = {{{{"char", "int8"}, 1, false, true},
                                               {{"uchar", "uint8"}, 1, false, false},
                                               {{"short", "int16"}, 2, false, true},
                                               {{"ushort", "uint16"}, 2, false, false},
                                               {{"int", "int32"}, 4, false, true},
                                               {{"uint", "uint32"}, 4, false, false},
                                               {{"float", "float32"}, 4, true, true},
                                               {{"double", "float64"}, 8, true, true}}};

struct Property {
  std::string name;
  const ScalarType* type = nullptr;
  const ScalarType* count_type = nullptr;  // of a list

  // What the file has for a value of 1: painting programs write colours as bytes, and colours go from 0 to 1.
  double one() const {
    const bool colour = std::find(kColourNames.begin(), kColourNames.end(), name) != kColourNames.end();
    return colour && type->width == 1 && !type->is_signed ? kByte : 1;
  }
};

struct Element {
  std::string name;
  std::size_t count = 0;
  std::vector<Property> properties;
};

enum class Format { ascii, little_endian, big_endian };

class PlyReader {
 public:
  PlyReader(std::string_view content, const std::string& file_name)
      : text_(content, file_name, TextScanner::Lines::matter), builder_(file_name) {}

  TriangleMesh read() {
    header();
    for (const Element& element : elements_) {
      check_room(element);
      if (element.name == "vertex") {
        vertices(element);
      } else if (element.name == "face") {
        faces(element);
      } else {
        std::vector<double> list;
        for (std::size_t i = 0; i < element.count; ++i) {
          begin_record(element);
          for (const Property& p : element.properties) values(p, list);
        }
      }
    }
    return std::move(builder_).build();
  }

 private:
  void header() {
    if (text_.word("the word ply") != "ply") text_.fail("this is not a PLY file: it does not begin with ply");
    for (;;) {
      text_.next_line("the header");
      const std::string_view keyword = text_.word("a keyword");
      if (keyword == "format") {
        format(text_.word("the format"));
      } else if (keyword == "element") {
        Element element;
        element.name = name("the name of an element");
        if (std::any_of(elements_.begin(), elements_.end(), [&](const Element& e) { return e.name == element.name; })) {
          text_.fail(fmt::format("element {} is there twice", shown_word(element.name)));
        }
        const std::int64_t count = text_.integer("the number of elements");
        if (count < 0) text_.fail("the number of elements is negative");
        element.count = static_cast<std::size_t>(count);
        elements_.push_back(element);
      } else if (keyword == "property") {
        if (elements_.empty()) text_.fail("a property stands before any element");
        elements_.back().properties.push_back(property());
      } else if (keyword == "end_header") {
        break;
      } else if (keyword != "comment" && keyword != "obj_info") {
        text_.fail(fmt::format("expected element, property or end_header, found {}", shown_word(keyword)));
      }
      text_.rest_of_line();
    }
    text_.rest_of_line();
  }

  // Names appear in messages.
  std::string_view name(const char* what) {
    constexpr std::size_t longest = 100;
    const std::string_view word = text_.word(what);
    if (word.size() > longest) text_.fail(fmt::format("{} is longer than {} letters", what, longest));
    return word;
  }

  void format(std::string_view word) {
    if (word == "ascii") {
      format_ = Format::ascii;
    } else if (word == "binary_little_endian") {
      format_ = Format::little_endian;
    } else if (word == "binary_big_endian") {
      format_ = Format::big_endian;
    } else {
      text_.fail(fmt::format("the format {} is not known", shown_word(word)));
    }
  }

  const ScalarType* type() {
    const std::string_view word = text_.word("a type");
    for (const ScalarType& t : kTypes) {
      if (word == t.names[0] || word == t.names[1]) return &t;
    }
    text_.fail(fmt::format("the type {} is not known", shown_word(word)));
  }

  Property property() {
    Property p;
    if (text_.peek_word() == "list") {
      text_.skip_word();
      p.count_type = type();
      if (p.count_type->is_float) text_.fail("the length of a list should be a whole number");
    }
    p.type = type();
    p.name = name("the name of a property");
    return p;
  }

  // No count may make us reserve more than the file can fill.
  void check_room(const Element& element) {
    std::size_t bytes = 0;
    for (const Property& p : element.properties) {
      const std::size_t width = p.count_type != nullptr ? p.count_type->width : p.type->width;
      bytes += format_ == Format::ascii ? 2 : width;
    }
    if (bytes == 0) {
      if (element.count > 0) text_.fail(fmt::format("the element {} has no properties", shown_word(element.name)));
      return;
    }
    text_.expect_room(element.count, bytes, fmt::format("the number of elements {}", shown_word(element.name)));
  }

  void begin_record(const Element& element) {
    if (format_ == Format::ascii) text_.next_line(element.name);
  }

  double value(const ScalarType& t, const std::string& name) {
    if (format_ == Format::ascii) return text_.number(name);
    const std::string_view bytes = text_.bytes(t.width);
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < t.width; ++i) {
      const std::size_t at = format_ == Format::big_endian ? i : t.width - 1 - i;
      bits = bits << 8 | static_cast<unsigned char>(bytes[at]);
    }
    if (t.is_float) {
      return t.width == 8 ? std::bit_cast<double>(bits)
                          : static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    }
    if (!t.is_signed) return static_cast<double>(bits);
    const unsigned shift = 64 - 8 * static_cast<unsigned>(t.width);  // carries the sign up and back down
    return static_cast<double>(static_cast<std::int64_t>(bits << shift) >> shift);
  }

  // A list, or one number.
  void values(const Property& p, std::vector<double>& out) {
    out.clear();
    if (p.count_type == nullptr) {
      out.push_back(value(*p.type, p.name));
      return;
    }
    const double count = value(*p.count_type, p.name);
    if (!(count >= 0 && count == std::floor(count) && count < 1e15)) text_.fail("the length of a list makes no sense");
    const auto n = static_cast<std::size_t>(count);
    text_.expect_room(n, format_ == Format::ascii ? 2 : p.type->width, "the length of a list");
    for (std::size_t i = 0; i < n; ++i) out.push_back(value(*p.type, p.name));
  }

  void vertices(const Element& element) {
    const auto find = [&](std::initializer_list<const char*> names) {
      for (std::size_t i = 0; i < element.properties.size(); ++i) {
        for (const char* name : names) {
          if (element.properties[i].name == name && element.properties[i].count_type == nullptr) return i;
        }
      }
      return element.properties.size();
    };
    const std::size_t none = element.properties.size();
    const std::array<std::size_t, 3> x = {find({"x"}), find({"y"}), find({"z"})};
    const std::array<std::size_t, 3> n = {find({"nx"}), find({"ny"}), find({"nz"})};
    const std::array<std::size_t, 2> uv = {find({"u", "s", "texture_u"}), find({"v", "t", "texture_v"})};
    if (*std::max_element(x.begin(), x.end()) == none) text_.fail("the vertices have no x, y and z");
    const bool has_normal = *std::max_element(n.begin(), n.end()) < none;
    const bool has_uv = *std::max_element(uv.begin(), uv.end()) < none;
    point_has_normal_ = has_normal;
    point_has_uv_ = has_uv;

    std::vector<std::size_t> attribute_of(none, none);
    for (std::size_t i = 0; i < none; ++i) {
      const auto taken = [&](const auto& places) { return std::find(places.begin(), places.end(), i) != places.end(); };
      if (element.properties[i].count_type != nullptr || taken(x) || (has_normal && taken(n)) || (has_uv && taken(uv)))
        continue;
      attribute_of[i] = builder_.attributes.size();
      builder_.attributes.push_back({element.properties[i].name, {}});
    }
    std::vector<double> one, row(none);
    for (std::size_t v = 0; v < element.count; ++v) {
      begin_record(element);
      for (std::size_t i = 0; i < none; ++i) {
        values(element.properties[i], one);
        row[i] = one.empty() ? 0 : one[0];
        if (attribute_of[i] < none)
          builder_.attributes[attribute_of[i]].values.push_back(row[i] / element.properties[i].one());
      }
      const Vec3 point(row[x[0]], row[x[1]], row[x[2]]);
      if (!point.allFinite()) {
        text_.fail(fmt::format("vertex {} has a coordinate that is not finite", v),
                   "repair the model where it came from");
      }
      builder_.points.push_back(point);
      if (has_normal) builder_.normals.emplace_back(row[n[0]], row[n[1]], row[n[2]]);
      if (has_uv) builder_.uvs.emplace_back(row[uv[0]], row[uv[1]]);
    }
  }

  void faces(const Element& element) {
    std::vector<double> list;
    std::vector<SurfaceBuilder::Corner> polygon;
    for (const Property& p : element.properties) {
      if (p.count_type == nullptr) builder_.face_attributes.push_back({p.name, {}});
    }
    std::vector<double> scalars;  // of one face, in the order of its attributes
    for (std::size_t f = 0; f < element.count; ++f) {
      begin_record(element);
      const int line = text_.line();
      polygon.clear();
      scalars.clear();
      std::vector<double> uvs;
      for (const Property& p : element.properties) {
        values(p, list);
        if (p.count_type == nullptr) {
          scalars.push_back(list[0] / p.one());
          continue;
        }
        if (p.name == "vertex_indices" || p.name == "vertex_index") {
          for (const double v : list) polygon.push_back(corner(v));
        } else if (p.name == "texcoord") {  // u v of each corner
          uvs = list;
        }
      }
      if (uvs.size() == 2 * polygon.size()) {
        for (std::size_t k = 0; k < polygon.size(); ++k) {
          polygon[k].uv = static_cast<std::int64_t>(builder_.uvs.size());
          builder_.uvs.emplace_back(uvs[2 * k], uvs[2 * k + 1]);
        }
      }
      builder_.add_polygon(polygon, line);
      for (std::size_t i = 0; i < scalars.size(); ++i) builder_.face_attributes[i].values.push_back(scalars[i]);
    }
  }

  SurfaceBuilder::Corner corner(double index) {
    if (!(index >= 0 && index == std::floor(index) && index < 1e15)) text_.fail("a corner of a face makes no sense");
    SurfaceBuilder::Corner c;
    c.point = static_cast<std::int64_t>(index);
    if (point_has_normal_) c.normal = c.point;
    if (point_has_uv_) c.uv = c.point;
    return c;
  }

  TextScanner text_;
  SurfaceBuilder builder_;
  Format format_ = Format::ascii;
  std::vector<Element> elements_;
  bool point_has_normal_ = false, point_has_uv_ = false;
};

}  // namespace

TriangleMesh read_ply(std::string_view content, const std::string& file_name) {
  return PlyReader(content, file_name).read();
}

}  // namespace sunder
