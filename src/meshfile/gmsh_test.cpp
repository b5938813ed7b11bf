#include <gtest/gtest.h>

#include "meshfile/meshfile_testing.h"
#include "meshfile/tet_formats.h"

namespace sunder {
namespace {

using namespace meshfile_testing;

// With a point, a line and a triangle, which do not concern us, and numbers with gaps, out of order.
const std::string kMsh22 =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
    "$PhysicalNames\n1\n3 1 \"a $Nodes name\"\n$EndPhysicalNames\n"
    "$Nodes\n6\n10 0 0 0\n7 1 0 0\n1000000007 0 1.0 0\n3 0 0 1e0\n5 9 9 9\n12 1 1 1.5\n$EndNodes\n"
    "$Elements\n5\n1 15 2 0 1 10\n2 1 2 0 1 10 7\n3 2 2 0 1 10 7 3\n"
    "4 4 2 0 1 10 7 1000000007 3\n5 4 3 0 1 9 7 1000000007 3 12\n$EndElements\n";

const std::string kMsh41 =
    "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
    "$Entities\n0 0 0 1\n1 0 0 0 1 1 1 0 0\n$EndEntities\n"
    "$Nodes\n3 6 3 1000000007\n"
    "0 1 0 1\n10\n0 0 0\n"
    "2 1 1 2\n7\n1000000007\n1 0 0 0.5 0.5\n0 1 0 0.25 0.5\n"
    "3 1 0 3\n3\n5\n12\n0 0 1\n9 9 9\n1 1 1.5\n"
    "$EndNodes\n"
    "$Elements\n2 3 1 5\n2 1 2 1\n1 10 7 3\n3 1 4 2\n4 10 7 1000000007 3\n5 7 1000000007 3 12\n$EndElements\n";

TetSoup read(std::string_view content) { return read_gmsh(content, "m.msh"); }
std::string problem(const std::string& content) {
  return problem_of([&] { read(content); });
}

TEST(Gmsh, SparseNodeTagsAreMapped) {
  expect_same(read(kMsh22), two_tets());
  expect_same(read(kMsh41), two_tets());
}

TEST(Gmsh, WindowsLineEndsAreRead) {
  std::string dos;
  for (const char c : kMsh22) dos += c == '\n' ? std::string("\r\n") : std::string(1, c);
  expect_same(read(dos), two_tets());
}

TEST(Gmsh, InvertedTetsAreTurnedRound) {
  const TetSoup soup = read(with(kMsh22, "10 7 1000000007 3\n5", "7 10 1000000007 3\n5"));
  ASSERT_EQ(soup.tets.size(), 2u);
  expect_sound(soup);
}

TEST(Gmsh, SecondOrderTetsKeepTheirCorners) {
  // The nodes on the edges go with the tetrahedron; they are points that nothing uses.
  const std::string quadratic =
      with(kMsh22, "4 4 2 0 1 10 7 1000000007 3\n", "4 11 2 0 1 10 7 1000000007 3 5 5 5 5 5 5\n");
  expect_same(read(quadratic), two_tets());
}

TEST(Gmsh, OtherVolumesAreNamed) {
  expect_contains(problem(with(kMsh22, "\n4 4 2", "\n4 5 2")), "m.msh:22: element 4 is a hexahedron");
  expect_contains(problem(with(kMsh22, "\n4 4 2", "\n4 6 2")), "prism");
  expect_contains(problem(with(kMsh41, "3 1 4 2", "3 1 7 2")), "pyramid");
  expect_contains(problem(with(kMsh41, "3 1 4 2", "3 1 400 2")), "type 400");
}

TEST(Gmsh, ATetWithoutVolumeIsNamedWithItsLine) {
  expect_contains(problem(with(kMsh22, "\n3 0 0 1e0", "\n3 1 1 0")), "m.msh:22: element 4 has no volume");
  // Flat up to the rounding of coordinates far from the origin.
  const std::string far =
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 1000.1 1000.1 0.3\n2 1000.2 1000.2 0.3\n3 1000.7 1000.7 0.9\n"
      "4 1000.3 1000.3 -7\n$EndNodes\n$Elements\n1\n1 4 0 1 2 3 4\n$EndElements\n";
  expect_contains(problem(far), "no volume");
}

TEST(Gmsh, AnUndefinedNodeIsNamed) {
  expect_contains(problem(with(kMsh22, "7 1000000007 3 12", "7 1000000007 3 13")),
                  "m.msh:23: element 5 uses node 13, which the file does not define");
}

TEST(Gmsh, ANodeDefinedTwiceIsNamed) {
  expect_contains(problem(with(kMsh22, "\n5 9", "\n7 9")), "node 7 is defined twice");
}

TEST(Gmsh, CoordinatesMustBeFinite) {
  for (const char* bad : {"nan", "inf", "-inf", "1e999"}) {
    expect_contains(problem(with(kMsh22, "\n7 1 0 0", std::string("\n7 ") + bad + " 0 0")),
                    "m.msh:11:3: the x coordinate");
  }
}

TEST(Gmsh, AMissingValueIsReportedOnItsLine) {
  expect_contains(problem(with(kMsh22, "\n7 1 0 0", "\n7 1 0")), "m.msh:11:6: the line ends where the z coordinate");
  expect_contains(problem(with(kMsh22, "\n7 1 0 0", "\n7 1 O 0")), "should be a number, not `O`");
}

TEST(Gmsh, BinaryFilesAndOtherVersionsAreRefusedWithARemedy) {
  expect_contains(problem(with(kMsh22, "2.2 0 8", "2.2 1 8")), "save it again");
  expect_contains(problem(with(kMsh41, "4.1 0 8", "4.1 1 8")), "binary");
  expect_contains(problem(with(kMsh41, "4.1 0 8", "4 0 8")), "version 4");
  expect_contains(problem("$NOD\n1\n"), "not a Gmsh mesh");
}

TEST(Gmsh, MissingSectionsAreNamed) {
  expect_contains(problem("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"), "$Nodes");
  expect_contains(problem(kMsh22.substr(0, kMsh22.find("$Elements"))), "$Elements");
  std::string surface = with(kMsh41, "2 3 1 5\n", "1 1 1 5\n");
  surface = surface.substr(0, surface.find("3 1 4 2")) + "$EndElements\n";
  expect_contains(problem(surface), "no tetrahedra");
}

TEST(Gmsh, ALongNameOfASectionIsShownInPart) {
  EXPECT_EQ(problem("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$" + std::string(5000, 'x') + "\n"),
            "m.msh:5:1: the file ends where `$End" + std::string(36, 'x') +
                "...` should stand\n  the file may be cut short: copy or export it again");
}

TEST(Gmsh, HugeAnnouncedCountsAreRefused) {
  expect_contains(problem(with(kMsh22, "$Nodes\n6", "$Nodes\n4000000000")), "m.msh:9:1: the number of nodes");
  expect_contains(problem(with(kMsh22, "$Elements\n5", "$Elements\n1000000000000")), "the number of elements");
  expect_contains(problem(with(kMsh41, "3 6 3 1000000007", "3 99999999999 3 7")), "the number of nodes");
  expect_contains(problem(with(kMsh41, "2 1 1 2\n", "2 1 1 999999999999\n")), "the number of nodes of a block");
  expect_contains(problem(with(kMsh41, "3 1 4 2\n", "3 1 4 888888888888\n")), "the number of elements of a block");
  expect_contains(problem(with(kMsh22, "$Nodes\n6", "$Nodes\n-6")), "negative");
}

TEST(Gmsh, EveryTruncationIsRefused) {
  for (const std::string& content : {kMsh22, kMsh41}) {
    DamageReport report;
    // Only the last line end may be missing.
    EXPECT_EQ(longest_refused_prefix(content, read, &report), content.size() - 2);
    EXPECT_EQ(report.parsed, 1);
  }
}

TEST(Gmsh, DamagedBytesNeverCrash) {
  for (const std::string& content : {kMsh22, kMsh41}) {
    const DamageReport report =
        flip_bytes(content, 4000, 22, [](const std::string& text) { expect_sound(read(text)); });
    EXPECT_GT(report.refused, 1000);
    EXPECT_GT(report.parsed, 10);
  }
}

}  // namespace
}  // namespace sunder
