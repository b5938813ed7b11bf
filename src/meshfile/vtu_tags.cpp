#include "meshfile/vtu_tags.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "meshfile/text_scanner.h"
#include "meshfile/xml_tags.h"

namespace sunder {
namespace {

constexpr std::uint64_t kMostTuples = std::uint64_t{1} << 40;
constexpr std::uint64_t kMostComponents = std::uint64_t{1} << 20;
constexpr std::uint64_t kMostSharing = 4;  // so often, on the average, may a byte of appended data be used

constexpr std::array<std::pair<std::string_view, VtuType>, 10> kTypes = {{{"Int8", VtuType::int8},
                                                                          {"UInt8", VtuType::uint8},
                                                                          {"Int16", VtuType::int16},
                                                                          {"UInt16", VtuType::uint16},
                                                                          {"Int32", VtuType::int32},
                                                                          {"UInt32", VtuType::uint32},
                                                                          {"Int64", VtuType::int64},
                                                                          {"UInt64", VtuType::uint64},
                                                                          {"Float32", VtuType::float32},
                                                                          {"Float64", VtuType::float64}}};

std::string attribute_or(const XmlTag& tag, std::string_view name, const char* otherwise) {
  const std::string* value = tag.find(name);
  return value == nullptr || value->empty() ? otherwise : *value;
}

std::uint64_t count_attribute(const XmlTag& tag, const std::string& name, std::uint64_t most) {
  const std::string* text = tag.find(name);
  if (text == nullptr) throw InputError(tag.place, fmt::format("<{}> has no {}", tag.name, name), kTruncatedRemedy);
  const std::optional<std::uint64_t> value = parse_unsigned(*text);
  if (!value || *value > most) {
    throw InputError(tag.place, fmt::format("{} is {}, which is not a sensible number", name, shown_word(*text)),
                     kTruncatedRemedy);
  }
  return *value;
}

class TagsReader {
 public:
  TagsReader(std::string_view content, const std::string& file_name) : xml_(content, file_name) {}

  VtuTags read() {
    if (xml_.next() != XmlTags::Event::start || xml_.tag().name != "VTKFile") {
      xml_.fail("this is not a VTK XML file: it does not begin with <VTKFile>");
    }
    read_file_tag(xml_.tag());
    bool has_grid = false;
    for_children([&](const XmlTag& tag) {
      if (tag.name == "UnstructuredGrid") {
        has_grid = true;
        read_grid();
      } else if (tag.name == "AppendedData") {
        read_appended(tag);
      } else {
        skip_element();
      }
    });
    if (xml_.next() != XmlTags::Event::done) xml_.fail("there is something after </VTKFile>", kTruncatedRemedy);
    if (!has_grid) xml_.fail("there is no <UnstructuredGrid> in the file", "save it as an unstructured grid (.vtu)");
    return std::move(tags_);
  }

 private:
  // Calls `child` at the start of every element within the one that has just started; `child` must consume it.
  template <class Child>
  void for_children(Child&& child) {
    const std::size_t depth = xml_.depth();
    for (;;) {
      const XmlTags::Event event = xml_.next();
      if (event == XmlTags::Event::end && xml_.depth() < depth) return;
      if (event == XmlTags::Event::start) child(XmlTag(xml_.tag()));
    }
  }

  void skip_element() {
    for_children([this](const XmlTag&) { skip_element(); });
  }

  void read_file_tag(const XmlTag& tag) {
    const std::string type = attribute_or(tag, "type", "");
    if (type != "UnstructuredGrid") {
      throw InputError(tag.place, fmt::format("this is a VTK file of type {}, not UnstructuredGrid", shown_word(type)),
                       "save the mesh as an unstructured grid (.vtu) in one file");
    }
    const std::string order = attribute_or(tag, "byte_order", "LittleEndian");
    if (order != "LittleEndian" && order != "BigEndian") {
      throw InputError(tag.place, fmt::format("unknown byte_order {}", shown_word(order)));
    }
    tags_.is_big_endian = order == "BigEndian";
    const std::string header = attribute_or(tag, "header_type", "UInt32");
    if (header != "UInt32" && header != "UInt64") {
      throw InputError(tag.place, fmt::format("unknown header_type {}", shown_word(header)));
    }
    tags_.has_long_headers = header == "UInt64";
    const std::string compressor = attribute_or(tag, "compressor", "");
    if (!compressor.empty() && compressor != "vtkZLibDataCompressor") {
      throw InputError(tag.place, fmt::format("data compressed by {} cannot be read", shown_word(compressor)),
                       "save the file with zlib compression, or without any");
    }
    tags_.is_compressed = !compressor.empty();
  }

  void read_grid() {
    for_children([&](const XmlTag& tag) {
      if (tag.name == "Piece") {
        read_piece(tag);
      } else if (tag.name == "FieldData") {
        read_arrays(tags_.field_data);
      } else {
        skip_element();
      }
    });
  }

  void read_piece(const XmlTag& piece_tag) {
    VtuPieceTags piece;
    piece.place = piece_tag.place;
    piece.points = count_attribute(piece_tag, "NumberOfPoints", kMostTuples);
    piece.cells = count_attribute(piece_tag, "NumberOfCells", kMostTuples);
    for_children([&](const XmlTag& tag) {
      if (tag.name == "Points") {
        read_arrays(piece.point_arrays);
      } else if (tag.name == "Cells") {
        read_arrays(piece.cell_arrays);
      } else if (tag.name == "PointData") {
        read_arrays(piece.point_data);
      } else if (tag.name == "CellData") {
        read_arrays(piece.cell_data);
      } else {
        skip_element();
      }
    });
    tags_.pieces.push_back(std::move(piece));
  }

  // <Array type="String"> and the like are left out: we have no use for them.
  void read_arrays(std::vector<VtuArrayTag>& arrays) {
    for_children([&](const XmlTag& tag) {
      if (tag.name == "DataArray") {
        arrays.push_back(read_array(tag));
      } else {
        skip_element();
      }
    });
  }

  VtuArrayTag read_array(const XmlTag& tag) {
    VtuArrayTag array;
    array.place = tag.place;
    array.name = attribute_or(tag, "Name", "");
    const auto fail = [&](const std::string& problem) {
      throw InputError(tag.place, fmt::format("array {}: {}", shown_word(array.name), problem));
    };

    const std::string type = attribute_or(tag, "type", "");
    bool is_known = false;
    for (const auto& [name, value] : kTypes) {
      if (name != type) continue;
      array.type = value;
      is_known = true;
    }
    if (!is_known) fail(fmt::format("unknown type {}", shown_word(type)));

    const std::string format = attribute_or(tag, "format", "ascii");
    if (format == "ascii") {
      array.format = VtuFormat::ascii;
    } else if (format == "binary") {
      array.format = VtuFormat::binary;
    } else if (format == "appended") {
      array.format = VtuFormat::appended;
      array.offset = count_attribute(tag, "offset", ~std::uint64_t{0});
    } else {
      fail(fmt::format("unknown format {}", shown_word(format)));
    }

    // Firedrake leaves NumberOfComponents empty.
    if (!attribute_or(tag, "NumberOfComponents", "").empty()) {
      array.components = count_attribute(tag, "NumberOfComponents", kMostComponents);
    }
    if (array.components == 0) fail("NumberOfComponents is 0");
    if (tag.find("NumberOfTuples") != nullptr) array.tuples = count_attribute(tag, "NumberOfTuples", kMostTuples);

    // Text within a child (<InformationKey>) is not the array's.
    const std::size_t depth = xml_.depth();
    for (;;) {
      const XmlTags::Event event = xml_.next();
      if (event == XmlTags::Event::end && xml_.depth() < depth) break;
      if (event == XmlTags::Event::text && xml_.depth() == depth) {
        if (!array.text.empty()) fail("its data are interrupted");
        array.text = xml_.text();
      } else if (event == XmlTags::Event::start) {
        skip_element();
      }
    }
    return array;
  }

  void read_appended(const XmlTag& tag) {
    if (tags_.appended) throw InputError(tag.place, "there is a second <AppendedData>", kTruncatedRemedy);
    const std::string encoding = attribute_or(tag, "encoding", "");
    if (encoding != "raw" && encoding != "base64") {
      throw InputError(tag.place, fmt::format("unknown encoding {} of the appended data", shown_word(encoding)));
    }
    tags_.is_raw = encoding == "raw";
    const std::string_view data = xml_.raw_content();
    // Blanks, then `_`; offsets count from the byte after it.
    const std::size_t start = data.find_first_not_of(" \t\r\n");
    if (start == std::string_view::npos || data[start] != '_') {
      throw InputError(tag.place, "the appended data do not begin with `_`", kTruncatedRemedy);
    }
    tags_.appended = data.substr(start + 1);
    tags_.appended_allowance = kMostSharing * tags_.appended->size();
    xml_.next();
  }

  XmlTags xml_;
  VtuTags tags_;
};

}  // namespace

VtuTags read_vtu_tags(std::string_view content, const std::string& file_name) {
  return TagsReader(content, file_name).read();
}

}  // namespace sunder
