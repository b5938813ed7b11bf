#include <gtest/gtest.h>

#include "meshfile/meshfile_testing.h"
#include "meshfile/tet_formats.h"

namespace sunder {
namespace {

using namespace meshfile_testing;

// Tetrahedra before the vertices, a comment, a section we do not know, an unused vertex.
const std::string kMesh =
    "MeshVersionFormatted 2\n# made by hand\nDimension\n3\n"
    "Tetrahedra\n2\n1 2 3 4 7\n2 3 4 6 7\n"
    "Triangles 1\n1 2 3 0\n"
    "RequiredTriangles\n1\n1\n"
    "Vertices 6 # five are used\n0 0 0 1\n1 0 0 1\n0 1 0 1\n0 0 1 1\n9 9 9 1\n1 1 1.5 1\n"
    "End\n";

TetSoup read(std::string_view content) { return read_medit(content, "m.mesh"); }
std::string problem(const std::string& content) {
  return problem_of([&] { read(content); });
}

TEST(Medit, SectionsInAnyOrderAreRead) { expect_same(read(kMesh), two_tets()); }

TEST(Medit, LineBreaksDoNotMatter) {
  std::string one_line = with(kMesh, "# made by hand", "");
  one_line = with(one_line, "# five are used", "");
  for (char& c : one_line) c = c == '\n' ? ' ' : c;
  expect_same(read(one_line), two_tets());
}

TEST(Medit, SecondOrderTetsKeepTheirCorners) {
  const std::string quadratic =
      with(with(with(kMesh, "Tetrahedra", "TetrahedraP2"), "1 2 3 4 7", "1 2 3 4 5 5 5 5 5 5 7"), "2 3 4 6 7",
           "2 3 4 6 5 5 5 5 5 5 7");
  expect_same(read(quadratic), two_tets());
}

TEST(Medit, OtherVolumesAreNamed) {
  expect_contains(problem(with(kMesh, "Triangles 1", "Hexahedra 1\n1 1 1 1 1 1 1 1 1\nTriangles 1")), "hexahedron");
  expect_contains(problem(with(kMesh, "Triangles 1", "Prisms 1\n1 1 1 1 1 1 1\nTriangles 1")), "prism");
  expect_same(read(with(kMesh, "Triangles 1", "Hexahedra 0\nTriangles 1")), two_tets());
}

TEST(Medit, WhatIsWrongIsSaidWithItsLine) {
  expect_contains(problem(with(kMesh, "2 3 4 6 7", "2 3 4 99 7")), "m.mesh:8: tetrahedron 2 uses vertex 99");
  expect_contains(problem(with(kMesh, "2 3 4 6 7", "2 3 4 0 7")), "vertex 0");
  expect_contains(problem(with(kMesh, "2 3 4 6 7", "2 3 4 4 7")), "m.mesh:8: tetrahedron 2 has no volume");
  expect_contains(problem(with(kMesh, "1 0 0 1", "1 nan 0 1")), "m.mesh:16:3: the y coordinate");
  expect_contains(problem(with(kMesh, "Tetrahedra\n2", "Tetrahedra\n1")), "expected a keyword, found `2`");
}

TEST(Medit, MissingSectionsAndForeignFilesAreNamed) {
  expect_contains(problem(with(kMesh, "Tetrahedra", "Tetraeder")), "no Tetrahedra section");
  expect_contains(problem(with(kMesh, "Vertices", "Points")), "no Vertices section");
  expect_contains(problem(with(kMesh, "Dimension\n3", "Dimension\n2")), "dimension");
  expect_contains(problem("solid cube"), "not a MEDIT mesh");
  expect_contains(problem(std::string("\1\0\0\0\2\0\0\0", 8)), "binary");
  expect_contains(problem(""), "not a MEDIT mesh");
}

TEST(Medit, HugeAnnouncedCountsAreRefused) {
  expect_contains(problem(with(kMesh, "Vertices 6", "Vertices 4000000000")), "the number of vertices");
  expect_contains(problem(with(kMesh, "Tetrahedra\n2", "Tetrahedra\n1000000000000")), "the number of tetrahedra");
}

TEST(Medit, EveryTruncationBeforeTheLastVertexIsRefused) {
  EXPECT_GE(longest_refused_prefix(kMesh, read), kMesh.find(" 1\nEnd"));
}

TEST(Medit, DamagedBytesNeverCrash) {
  const DamageReport report = flip_bytes(kMesh, 6000, 5, [](const std::string& text) { expect_sound(read(text)); });
  EXPECT_GT(report.refused, 1000);
  EXPECT_GT(report.parsed, 10);
}

}  // namespace
}  // namespace sunder
