#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>

#include "meshfile/meshfile_testing.h"
#include "meshfile/tet_formats.h"

namespace sunder {
namespace {

using namespace meshfile_testing;

const std::string kAscii4 =
    "# vtk DataFile Version 3.0\na title: DATASET\nASCII\nDATASET UNSTRUCTURED_GRID\n"
    "FIELD FieldData 1\nTIME 1 1 double\n0.5\n"
    "POINTS 6 float\n0 0 0 1 0 0\n0 1 0\n0 0 1\n9 9 9\n1 1 1.5\n"
    "CELLS 3 14\n3 0 1 2\n4 0 1 2 3\n4 1 2 3 5\n"
    "CELL_TYPES 3\n5\n10\n10\n"
    "POINT_DATA 6\nSCALARS s float\nLOOKUP_TABLE default\n1 2 3 4 5 6\n";

const std::string kAscii5 =
    "# vtk DataFile Version 5.1\ntitle\nASCII\nDATASET UNSTRUCTURED_GRID\n"
    "POINTS 6 double\n0 0 0 1 0 0\n0 1 0\n0 0 1\n9 9 9\n1 1 1.5\n\n"
    "METADATA\nINFORMATION 0\n\n"
    "CELLS 4 11\nOFFSETS vtktypeint64\n0 3 7 11\nCONNECTIVITY vtktypeint64\n0 1 2\n0 1 2 3\n1 2 3 5\n"
    "CELL_TYPES 3\n5\n10\n10\n";

void put(std::string& out, std::uint64_t bits, int width) {
  for (int i = width - 1; i >= 0; --i) out += static_cast<char>((bits >> (8 * i)) & 0xff);
}

std::string binary_points() {
  std::string out = "POINTS 6 double\n";
  for (const double x : {0., 0., 0., 1., 0., 0., 0., 1., 0., 0., 0., 1., 9., 9., 9., 1., 1., 1.5}) {
    put(out, std::bit_cast<std::uint64_t>(x), 8);
  }
  return out;
}

std::string binary_types() {
  std::string out = "\nCELL_TYPES 3\n";
  for (const std::uint64_t type : {5, 10, 10}) put(out, type, 4);
  return out + "\n";
}

std::string binary4() {
  std::string out = "# vtk DataFile Version 2.0\ntitle\nBINARY\nDATASET UNSTRUCTURED_GRID\n" + binary_points();
  out += "\nCELLS 3 14\n";
  for (const std::uint64_t i : {3, 0, 1, 2, 4, 0, 1, 2, 3, 4, 1, 2, 3, 5}) put(out, i, 4);
  return out + binary_types();
}

std::string binary5() {
  std::string out = "# vtk DataFile Version 5.1\ntitle\nBINARY\nDATASET UNSTRUCTURED_GRID\n";
  out += "FIELD FieldData 1\nTIME 1 1 double\n";
  put(out, 0x0a0a0a0a0a0a0a0aull, 8);  // line ends in the data must not count as such
  out += "\n" + binary_points() + "\nMETADATA\nINFORMATION 0\n\nCELLS 4 11\nOFFSETS vtktypeint64\n";
  for (const std::uint64_t i : {0, 3, 7, 11}) put(out, i, 8);
  out += "\nCONNECTIVITY vtktypeint32\n";
  for (const std::uint64_t i : {0, 1, 2, 0, 1, 2, 3, 1, 2, 3, 5}) put(out, i, 4);
  return out + binary_types();
}

TetSoup read(std::string_view content) { return read_vtk_legacy(content, "m.vtk"); }
std::string problem(const std::string& content) {
  return problem_of([&] { read(content); });
}

TEST(VtkLegacy, AsciiOfBothFormsIsRead) {
  expect_same(read(kAscii4), two_tets());
  expect_same(read(kAscii5), two_tets());
}

TEST(VtkLegacy, BinaryOfBothFormsIsRead) {
  expect_same(read(binary4()), two_tets());
  expect_same(read(binary5()), two_tets());
}

TEST(VtkLegacy, SecondOrderTetsKeepTheirCorners) {
  const std::string quadratic = with(
      with(with(kAscii4, "4 0 1 2 3", "10 0 1 2 3 4 4 4 4 4 4"), "CELLS 3 14", "CELLS 3 20"), "5\n10\n", "5\n24\n");
  expect_same(read(quadratic), two_tets());
}

TEST(VtkLegacy, OtherVolumesAreNamed) {
  expect_contains(problem(with(kAscii4, "5\n10\n10", "5\n10\n12")), "m.vtk:17: cell 2 is a hexahedron");
  expect_contains(problem(with(kAscii5, "5\n10\n10", "5\n10\n14")), "pyramid");
}

TEST(VtkLegacy, WhatIsWrongIsSaidWithItsLine) {
  expect_contains(problem(with(kAscii4, "4 1 2 3 5", "4 1 2 3 3")), "m.vtk:17: cell 2 has no volume");
  expect_contains(problem(with(kAscii5, "1 2 3 5", "1 2 3 3")), "m.vtk:21: cell 2 has no volume");
  expect_contains(problem(with(kAscii4, "4 1 2 3 5", "4 1 2 3 6")), "m.vtk:17: cell 2 uses point 6");
  expect_contains(problem(with(kAscii4, "4 1 2 3 5", "4 1 2 3 -1")), "uses point -1");
  expect_contains(problem(with(kAscii4, "0 1 0\n", "0 nan 0\n")), "m.vtk:10:3:");
  expect_contains(problem(with(kAscii4, "4 1 2 3 5", "5 1 2 3 5 4")), "cell 2 has 5 points");
  expect_contains(problem(with(kAscii5, "0 3 7 11", "0 8 7 11")), "offset 2");
  expect_contains(problem(with(kAscii4, "CELL_TYPES 3\n5\n", "CELL_TYPES 2\n")), "3 cells, but 2 cell types");
  std::string nan = binary4();
  nan[nan.find("double\n") + 7] = '\x7f';
  nan[nan.find("double\n") + 8] = '\xf8';
  expect_contains(problem(nan), "point 0 has a coordinate that is not finite");
}

TEST(VtkLegacy, ForeignFilesAndMissingSectionsAreNamed) {
  expect_contains(problem("solid"), "m.vtk:1: this is not a legacy VTK file");
  expect_contains(problem(with(kAscii4, "UNSTRUCTURED_GRID", "POLYDATA")), "`POLYDATA`");
  expect_contains(problem(with(kAscii4, "Version 3.0", "Version 9.0")), "version");
  expect_contains(problem(kAscii4.substr(0, kAscii4.find("CELLS 3"))), "no CELLS section");
  expect_contains(problem(kAscii4.substr(0, kAscii4.find("CELL_TYPES"))), "no CELL_TYPES section");
}

TEST(VtkLegacy, HugeAnnouncedCountsAreRefused) {
  const std::string huge = "1000000000000";
  for (const std::string& content : {kAscii4, kAscii5, binary4(), binary5()}) {
    expect_contains(problem(with(content, "POINTS 6", "POINTS " + huge)), "the number of points");
    expect_contains(problem(with(content, "CELL_TYPES 3", "CELL_TYPES " + huge)), "the number of cell types");
    const std::size_t cells = content.find("CELLS ");
    const std::string header = content.substr(cells, content.find('\n', cells) - cells);
    expect_contains(problem(with(content, header, fmt::format("CELLS {0} {0}", huge))), "the number of cells");
  }
  expect_contains(problem(with(kAscii4, "TIME 1 1", "TIME 4000000000 4000000000")), "number of components");
  // Would fit as bytes, but not as values: refused before memory is reserved.
  expect_contains(problem(with(binary4(), "POINTS 6", "POINTS 90")), "the number of points is 90");
}

TEST(VtkLegacy, EveryTruncationOfBinaryDataIsRefused) {
  for (const std::string& content : {binary4(), binary5()}) {
    EXPECT_EQ(longest_refused_prefix(content, read), content.size() - 2);
  }
}

TEST(VtkLegacy, EveryTruncationBeforeTheLastTypeIsRefused) {
  // Of the last type, 10, the 1 alone is a type as well.
  EXPECT_EQ(longest_refused_prefix(kAscii5, read), kAscii5.size() - 3);
}

TEST(VtkLegacy, DamagedBytesNeverCrash) {
  std::uint64_t seed = 30;
  for (const std::string& content : {kAscii4, kAscii5, binary4(), binary5()}) {
    const DamageReport report =
        flip_bytes(content, 4000, seed++, [](const std::string& text) { expect_sound(read(text)); });
    EXPECT_GT(report.refused, 500);
    EXPECT_GT(report.parsed, 10);
  }
}

}  // namespace
}  // namespace sunder
