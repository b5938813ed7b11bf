#include "meshfile/vtu.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "meshfile/meshfile_testing.h"
#include "meshfile/tet_formats.h"
#include "meshfile/vtk_cells.h"

namespace sunder {
namespace {

using namespace meshfile_testing;

template <class T>
std::vector<T> ramp(std::size_t count) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<T>(mix64(i));
  return values;
}

// A grid with arrays of every type; names that need escaping.
VtuGrid sample_grid() {
  VtuGrid grid;
  grid.points = two_tets().points;
  grid.connectivity = {0, 1, 2, 3, 1, 2, 3, 4, 0, 1, 2};
  grid.offsets = {4, 8, 11};
  grid.types = {kVtkTetra, kVtkTetra, kVtkTriangle};
  grid.point_data.push_back({"velocity", 3, ramp<double>(15)});
  grid.point_data.push_back({"a<b> & \"c\"\n'd' \xc3\xa9", 1, ramp<float>(5)});
  grid.point_data.push_back({"uid", 1, ramp<std::uint64_t>(5)});
  grid.cell_data.push_back({"crack_faces", 1, ramp<std::uint8_t>(3)});
  grid.cell_data.push_back({"body", 1, ramp<std::int32_t>(3)});
  grid.cell_data.push_back({"u", 2, ramp<std::uint32_t>(6)});
  grid.cell_data.push_back({"i", 1, ramp<std::int64_t>(3)});
  grid.field_data.push_back({"TimeValue", 1, std::vector<double>{0.25}});
  grid.field_data.push_back({"nothing", 1, std::vector<std::int32_t>{}});
  return grid;
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

void expect_same_arrays(const std::vector<VtuArray>& found, const std::vector<VtuArray>& wanted) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].name, wanted[i].name);
    EXPECT_EQ(found[i].components, wanted[i].components);
    ASSERT_EQ(found[i].values.index(), wanted[i].values.index()) << wanted[i].name;
    std::visit(
        [&]<class T>(const std::vector<T>& values) {
          EXPECT_TRUE(same_bits(std::get<std::vector<T>>(found[i].values), values)) << wanted[i].name;
        },
        wanted[i].values);
  }
}

void expect_same_grid(const VtuGrid& found, const VtuGrid& wanted) {
  ASSERT_EQ(found.points.size(), wanted.points.size());
  for (std::size_t i = 0; i < found.points.size(); ++i) {
    for (int a = 0; a < 3; ++a) {  // a NaN equals itself here, and -0 is not 0
      EXPECT_EQ(std::bit_cast<std::uint64_t>(found.points[i][a]), std::bit_cast<std::uint64_t>(wanted.points[i][a]));
    }
  }
  EXPECT_EQ(found.connectivity, wanted.connectivity);
  EXPECT_EQ(found.offsets, wanted.offsets);
  EXPECT_EQ(found.types, wanted.types);
  expect_same_arrays(found.point_data, wanted.point_data);
  expect_same_arrays(found.cell_data, wanted.cell_data);
  expect_same_arrays(found.field_data, wanted.field_data);
}

VtuGrid read(std::string_view content) { return read_vtu(content, "m.vtu"); }
std::string problem(const std::string& content) {
  return problem_of([&] { read(content); });
}

TEST(Vtu, RoundTripKeepsEveryBit) {
  VtuGrid grid = sample_grid();
  grid.points[1] = {-0.0, std::numeric_limits<double>::denorm_min(), std::numeric_limits<double>::infinity()};
  grid.points[2].x() = std::bit_cast<double>(0x7ff8dead0000beefull);  // a NaN with a payload
  expect_same_grid(read(vtu_text(grid)), grid);
}

TEST(Vtu, RoundTripKeepsArraysOfManyBlocks) {
  VtuGrid grid;
  // 24 bytes a point: exactly three blocks of 64 KiB, and then some.
  for (const std::size_t count : {8192u, 100000u}) {
    grid.points.assign(count, Vec3::Zero());
    for (std::size_t i = 0; i < count; ++i) grid.points[i] = {random_unit(1, i), static_cast<double>(i), 0};
    grid.point_data = {{"uid", 1, ramp<std::uint64_t>(count)}, {"zero", 3, std::vector<float>(3 * count)}};
    expect_same_grid(read(vtu_text(grid)), grid);
  }
}

TEST(Vtu, EmptyGridMakesTheRoundTrip) { expect_same_grid(read(vtu_text(VtuGrid())), VtuGrid()); }

TEST(Vtu, SameGridGivesSameBytes) { EXPECT_EQ(vtu_text(sample_grid()), vtu_text(sample_grid())); }

TEST(Vtu, ArraysAreFoundByName) {
  const VtuGrid grid = sample_grid();
  ASSERT_NE(grid.find_cell_data("body"), nullptr);
  EXPECT_EQ(grid.find_cell_data("body")->size(), 3u);
  EXPECT_EQ(grid.find_point_data("body"), nullptr);
  EXPECT_NE(grid.find_field_data("TimeValue"), nullptr);
}

// Files as others write them ------------------------------------------------------------------------------------------

std::string base64(std::string_view bytes) {
  const char* alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned bits = 0;
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    for (std::size_t k = 0; k < 3; ++k) bits = bits << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) out += k <= count ? alphabet[bits >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

template <class T>
std::string bytes_of(std::vector<T> values, bool is_big_endian = false) {
  std::string out;
  for (const T value : values) {
    std::string raw(reinterpret_cast<const char*>(&value), sizeof(T));
    if (is_big_endian) std::reverse(raw.begin(), raw.end());
    out += raw;
  }
  return out;
}

struct Form {
  bool is_appended = false;
  bool is_raw = false;  // else base64
  bool is_compressed = false;
  bool is_big_endian = false;
  bool has_long_headers = false;
};

std::string header(const Form& form, const std::vector<std::uint64_t>& sizes) {
  if (form.has_long_headers) return bytes_of(sizes, form.is_big_endian);
  return bytes_of(std::vector<std::uint32_t>(sizes.begin(), sizes.end()), form.is_big_endian);
}

// Data as VTK writes them: with compression, header and data are two base64 texts; without, one.
std::string encoded(const Form& form, const std::string& data) {
  constexpr std::size_t kBlock = 32;
  std::string head;
  std::string body;
  if (form.is_compressed) {
    std::vector<std::uint64_t> sizes = {(data.size() + kBlock - 1) / kBlock, kBlock, data.size() % kBlock};
    for (std::size_t i = 0; i < data.size(); i += kBlock) {
      const std::string block = data.substr(i, kBlock);
      uLongf size = compressBound(block.size());
      std::string compressed(size, '\0');
      compress(reinterpret_cast<Bytef*>(compressed.data()), &size, reinterpret_cast<const Bytef*>(block.data()),
               block.size());
      sizes.push_back(size);
      body += compressed.substr(0, size);
    }
    head = header(form, sizes);
  } else {
    head = header(form, {data.size()});
    body = data;
  }
  if (form.is_raw) return head + body;
  return form.is_compressed ? base64(head) + base64(body) : base64(head + body);
}

std::string foreign_file(const Form& form) {
  std::string appended;
  const auto array = [&](const std::string& attributes, const std::string& data) {
    const std::string text = encoded(form, data);
    std::string tag = "<DataArray " + attributes + " format=\"";
    if (form.is_appended) {
      tag += "appended\" offset=\"" + std::to_string(appended.size()) + "\"/>\n";
      appended += text;
    } else {
      tag += "binary\">\n  " + text + "\n<InformationKey name=\"L2\">7</InformationKey></DataArray>\n";
    }
    return tag;
  };
  const bool big = form.is_big_endian;
  std::string out = "<?xml version='1.0'?>\n<!-- <Piece> -->\n<VTKFile type='UnstructuredGrid' byte_order='";
  out += big ? "BigEndian'" : "LittleEndian'";
  if (form.has_long_headers) out += " header_type='UInt64'";
  if (form.is_compressed) out += " compressor='vtkZLibDataCompressor'";
  out += "><UnstructuredGrid><Piece NumberOfPoints='5' NumberOfCells='2'>\n<Points>";
  out += array("type='Float32' NumberOfComponents='3' Name='Points'",
               bytes_of<float>({0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1.5f}, big));
  out += "</Points><Cells>";
  out += array("type='Int32' Name='connectivity'", bytes_of<std::int32_t>({0, 1, 2, 3, 1, 2, 3, 4}, big));
  out += array("type='UInt64' Name='offsets'", bytes_of<std::uint64_t>({4, 8}, big));
  out += array("type='Int64' Name='types'", bytes_of<std::int64_t>({10, 10}, big));
  out += "</Cells><CellData>";
  out += array("type='Int16' Name='small'", bytes_of<std::int16_t>({-7, 7}, big));
  out += "</CellData></Piece></UnstructuredGrid>";
  if (form.is_appended)
    out += std::string("<AppendedData encoding='") + (form.is_raw ? "raw" : "base64") + "'>\n _" + appended +
           "\n</AppendedData>";
  return out + "</VTKFile>\n";
}

std::vector<Form> every_form() {
  std::vector<Form> forms;
  for (int i = 0; i < 32; ++i) {
    const Form form = {(i & 1) != 0, (i & 2) != 0, (i & 4) != 0, (i & 8) != 0, (i & 16) != 0};
    if (form.is_appended || !form.is_raw) forms.push_back(form);
  }
  return forms;
}

TEST(Vtu, EveryFormOthersWriteIsRead) {
  for (const Form& form : every_form()) {
    const std::string content = foreign_file(form);
    SCOPED_TRACE(content);
    expect_same(read_vtu_tets(content, "m.vtu"), two_tets());
    EXPECT_EQ(read(content).find_cell_data("small")->values,
              decltype(VtuArray::values)(std::vector<std::int32_t>{-7, 7}));
  }
}

const std::string kAscii =
    "<VTKFile type=\"UnstructuredGrid\">\n<UnstructuredGrid>\n"
    "<Piece NumberOfPoints=\"4\" NumberOfCells=\"1\">\n"
    "<PointData><DataArray Name=\"s\" type=\"Float64\" NumberOfComponents=\"\">0.5 -1e3 nan\n4</DataArray>"
    "<Array type=\"String\" Name=\"label\">1 2</Array></PointData>\n"
    "<Points>\n<DataArray type=\"Float64\" NumberOfComponents=\"3\">0 0 0 1 0 0 0 1 0 0 0 1</DataArray></Points>\n"
    "<Cells>\n<DataArray type=\"Int64\" Name=\"connectivity\">0 1 2 3</DataArray>\n"
    "<DataArray type=\"Int64\" Name=\"offsets\">4</DataArray>\n<DataArray type=\"UInt8\" "
    "Name=\"types\">10</DataArray>\n"
    "</Cells>\n</Piece>\n"
    "<Piece NumberOfPoints=\"0\" NumberOfCells=\"0\"/>\n"
    "<Piece NumberOfPoints=\"4\" NumberOfCells=\"1\">\n"
    "<PointData><DataArray Name=\"s\" type=\"Float64\">5 6 7 8</DataArray></PointData>\n"
    "<Points>\n<DataArray type=\"Float64\" NumberOfComponents=\"3\">1 0 0 0 1 0 0 0 1 1 1 1.5</DataArray></Points>\n"
    "<Cells>\n<DataArray type=\"Int64\" Name=\"connectivity\">0 1 2 3</DataArray>\n"
    "<DataArray type=\"Int64\" Name=\"offsets\">4</DataArray>\n<DataArray type=\"UInt8\" "
    "Name=\"types\">10</DataArray>\n"
    "</Cells>\n</Piece>\n"
    "</UnstructuredGrid>\n</VTKFile>\n";

TEST(Vtu, PiecesAreJoined) {
  const VtuGrid grid = read(kAscii);
  EXPECT_EQ(grid.points.size(), 8u);
  EXPECT_EQ(grid.connectivity, (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(grid.offsets, (std::vector<std::int64_t>{4, 8}));
  const auto& s = std::get<std::vector<double>>(grid.find_point_data("s")->values);
  ASSERT_EQ(s.size(), 8u);
  EXPECT_EQ(s[1], -1000);
  EXPECT_TRUE(std::isnan(s[2]));
  EXPECT_EQ(s[7], 8);
}

TEST(Vtu, WhatIsWrongNamesTheArray) {
  expect_contains(problem(with(kAscii, "0.5 -1e3", "0.5")),
                  "m.vtu:4:12: array `s`: it has 3 values, but 4 belong there");
  expect_contains(problem(with(kAscii, "0.5 -1e3", "0.5 1 2")), "array `s`: it has more than the 4 values");
  expect_contains(problem(with(kAscii, "0.5 -1e3", "0.5 x")), "array `s`: `x` is not a value of its type");
  expect_contains(problem(with(kAscii, ">10<", ">300<")), "array `types`: `300` is not a value of its type");
  expect_contains(problem(with(kAscii, ">0 1 2 3<", ">0 1 2 4<")), "array `connectivity`: it refers to point 4");
  expect_contains(problem(with(kAscii, ">0 1 2 3<", ">0 1 2 -1<")), "array `connectivity`");
  expect_contains(problem(with(kAscii, ">4<", ">-4<")), "array `offsets`");
  expect_contains(problem(with(kAscii, ">4<", ">9223372036854775807<")), "array `offsets`");
  expect_contains(problem(with(kAscii, "\"connectivity\"", "\"conn\"")), "no array `connectivity`");
  expect_contains(problem(with(kAscii, "Name=\"s\" type=\"Float64\">5", "Name=\"t\" type=\"Float64\">5")),
                  "`s` is missing");
  expect_contains(problem(with(kAscii, "Name=\"s\" type=\"Float64\">5", "Name=\"s\" type=\"Int8\">5")), "another type");
  expect_contains(problem(with(kAscii, "type=\"Float64\"", "type=\"Float16\"")), "unknown type `Float16`");
}

TEST(Vtu, WhatCannotBeReadIsRefusedWithARemedy) {
  expect_contains(problem(with(kAscii, "type=\"UnstructuredGrid\"", "type=\"PolyData\"")), "`PolyData`");
  expect_contains(problem(with(kAscii, "<VTKFile ", "<VTKFile compressor=\"vtkLZ4DataCompressor\" ")), "zlib");
  expect_contains(problem("<Other/>"), "not a VTK XML file");
  expect_contains(problem(""), "empty");
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "<a>";
  expect_contains(problem(with(kAscii, "<PointData>", deep + "<PointData>")), "nested");
  expect_contains(problem(with(kAscii, "<PointData>", "<" + std::string(101, 'a'))), "longer than 100 letters");
  expect_contains(problem("<!DOCTYPE x [<!ENTITY a \"b\">]>" + kAscii), "document type");
  expect_contains(problem(with(kAscii, "\"s\"", "\"&lol;\"")), "entity");
  expect_contains(problem(with(kAscii, "\"s\"", "\"a&lt\"")), "without `;`");
}

TEST(Vtu, HugeAnnouncedCountIsRefusedWithoutAllocating) {
  // An attempt to allocate would end in std::bad_alloc, or stop the address sanitizer.
  const std::string huge = "1000000000000";
  expect_contains(problem(with(kAscii, "NumberOfPoints=\"4\"", "NumberOfPoints=\"" + huge + "\"")),
                  "array ``: 3000000000000");
  expect_contains(problem(with(kAscii, "NumberOfCells=\"1\"", "NumberOfCells=\"" + huge + "\"")),
                  "array `types`: " + huge);
  expect_contains(problem(with(kAscii, ">4<", ">" + huge + "<")), "array `connectivity`: " + huge);
  expect_contains(problem(with(kAscii, "NumberOfPoints=\"4\"", "NumberOfPoints=\"18446744073709551615\"")), "sensible");
  const std::string ours = vtu_text(sample_grid());
  expect_contains(problem(with(ours, "NumberOfPoints=\"5\"", "NumberOfPoints=\"" + huge + "\"")), "array `Points`");
  for (const Form& form : every_form()) {
    expect_contains(problem(with(foreign_file(form), "NumberOfPoints='5'", "NumberOfPoints='" + huge + "'")),
                    "array `Points`: it has 60 bytes");
  }
}

// The first array of our own files has its header right after the `_`.
std::string with_header(const std::vector<std::uint64_t>& header_words) {
  VtuGrid grid;
  grid.field_data.push_back({"f", 1, std::vector<double>(100)});
  std::string content = with(vtu_text(grid), " NumberOfTuples=\"100\"", "");
  const std::string bytes = bytes_of(header_words);
  content.replace(content.find("   _") + 4, bytes.size(), bytes);
  return content;
}

TEST(Vtu, ZlibBombsAreRefusedBeforeTheyExpand) {
  EXPECT_EQ(problem(with_header({1})), "");  // as it was
  const std::uint64_t terabyte = std::uint64_t{1} << 40;
  expect_contains(problem(with_header({1, terabyte, 0})), "array `f`: it announces a block of 1099511627776 bytes");
  expect_contains(problem(with_header({1, 65536, terabyte})), "array `f`: it announces a block of 1099511627776 bytes");
  expect_contains(problem(with_header({terabyte, 65536, 0})), "array `f`: it announces 1099511627776 blocks");
  expect_contains(problem(with_header({~std::uint64_t{0}, 65536, 0})), "blocks");
  expect_contains(problem(with_header({1, 65536, 800, terabyte})), "array `f`: it announces a block of 800 bytes");
  expect_contains(problem(with_header({1, 65536, 800, ~std::uint64_t{0}})), "array `f`: it announces a block");
  // The stream holds 800 bytes: neither fewer nor more may be announced.
  expect_contains(problem(with_header({1, 65536, 792})), "array `f`: its compressed data");
  expect_contains(problem(with_header({1, 65536, 808})), "array `f`: its compressed data");
}

TEST(Vtu, ASmallFileCannotFillTheMemoryBySharingData) {
  for (const Form& form : every_form()) {
    if (!form.is_appended) continue;
    // The last array again and again: a few may share its data, a hundred may not.
    const std::string file = foreign_file(form);
    const std::size_t begin = file.find("<DataArray type='Int16'");
    const std::string tag = file.substr(begin, file.find('\n', begin) - begin);
    std::string few = file, many = file;
    few.insert(begin, tag + tag);
    for (int i = 0; i < 100; ++i) many.insert(begin, tag);
    EXPECT_EQ(problem(few), "");
    expect_contains(problem(many), "array `small`: too many arrays share the same data");
  }
}

TEST(Vtu, EveryTruncationIsRefused) {
  std::vector<std::string> contents = {vtu_text(sample_grid()), kAscii};
  for (const Form& form : every_form()) contents.push_back(foreign_file(form));
  for (const std::string& content : contents) {
    DamageReport report;
    EXPECT_EQ(longest_refused_prefix(content, read, &report), content.size() - 2);  // the last line end may be missing
    EXPECT_EQ(report.parsed, 1);
  }
}

TEST(Vtu, DamagedBytesNeverCrash) {
  const auto read_both = [](const std::string& text) {
    const VtuGrid grid = read(text);
    for (const std::int64_t point : grid.connectivity) ASSERT_LT(static_cast<std::size_t>(point), grid.points.size());
    expect_sound(soup_of_vtk_cells(grid, "m.vtu"));
  };
  std::uint64_t seed = 100;
  const DamageReport ours = flip_bytes(vtu_text(sample_grid()), 6000, seed, read_both);
  EXPECT_GT(ours.refused, 1000);
  EXPECT_GT(ours.parsed, 10);
  const DamageReport ascii = flip_bytes(kAscii, 6000, ++seed, read_both);
  EXPECT_GT(ascii.refused, 1000);
  EXPECT_GT(ascii.parsed, 10);
  for (const Form& form : every_form()) {
    const DamageReport report = flip_bytes(foreign_file(form), 500, ++seed, read_both);
    EXPECT_GT(report.refused, 50);
  }
}

TEST(Vtu, SoupMakesTheRoundTrip) { expect_same(read_vtu_tets(vtu_from_soup(two_tets()), "m.vtu"), two_tets()); }

TEST(Vtu, CellsThatAreNoTetsAreSkippedOrNamed) {
  VtuGrid grid = sample_grid();
  expect_same(read_vtu_tets(vtu_text(grid), "m.vtu"), two_tets());
  grid.types[2] = 42;
  expect_contains(problem_of([&] { read_vtu_tets(vtu_text(grid), "m.vtu"); }), "m.vtu: cell 2 is a polyhedron");
  grid.types[2] = kVtkTetra;
  expect_contains(problem_of([&] { read_vtu_tets(vtu_text(grid), "m.vtu"); }), "cell 2 is a tetrahedron with 3 points");
}

}  // namespace
}  // namespace sunder
