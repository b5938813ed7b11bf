#include "meshfile/read_tets.h"

#include <gtest/gtest.h>

#include <clocale>
#include <filesystem>

#include "core/files.h"
#include "meshfile/meshfile_testing.h"
#include "meshfile/tet_formats.h"
#include "meshfile/text_scanner.h"

namespace sunder {
namespace {

using namespace meshfile_testing;

const std::string kMedit =
    "MeshVersionFormatted 1 Dimension 3\nVertices 5\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n1 1 1.5 0\n"
    "Tetrahedra 2\n1 2 3 4 0\n2 3 4 5 0\nEnd\n";
const std::string kGmsh =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1.5\n$EndNodes\n"
    "$Elements\n2\n1 4 0 1 2 3 4\n2 4 0 2 3 4 5\n$EndElements\n";
const std::string kVtk =
    "# vtk DataFile Version 2.0\n\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 float\n0 0 0 1 0 0 0 1 0 0 0 1 1 1 1.5\n"
    "CELLS 2 10\n4 0 1 2 3\n4 1 2 3 4\nCELL_TYPES 2\n10 10\n";

class ReadTets : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) /
              (std::string("sunder_read_tets_") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path file(const std::string& name, const std::string& content) const {
    write_file_atomically(folder_ / name, content);
    return folder_ / name;
  }

 private:
  std::filesystem::path folder_;
};

TEST_F(ReadTets, TheEndingPicksTheReaderWhateverItsCase) {
  file("t.node", "5 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n4 1 1 1.5\n");
  const std::filesystem::path ele = file("t.ele", "2 4 0\n0 0 1 2 3\n1 1 2 3 4\n");
  for (const std::filesystem::path& path : {ele, file("a.msh", kGmsh), file("a.MSH", kGmsh), file("a.mesh", kMedit),
                                            file("a.vtk", kVtk), file("a.Vtu", vtu_from_soup(two_tets()))}) {
    SCOPED_TRACE(path);
    expect_same(read_tets(path), two_tets());
  }
}

TEST_F(ReadTets, WithoutAKnownEndingTheContentPicksTheReader) {
  for (const std::string& content : {kGmsh, kMedit, kVtk, vtu_from_soup(two_tets())}) {
    expect_same(read_tets(file("mesh.dat", content)), two_tets());
    expect_same(read_tets(file("mesh", content)), two_tets());
  }
}

TEST_F(ReadTets, UnknownFilesAreToldWhatIsKnown) {
  const std::string message = problem_of([&] { read_tets(file("a.xyz", "0 0 0\n")); });
  for (const std::string& ending : tet_file_endings()) expect_contains(message, ending);
  EXPECT_EQ(tet_file_endings().size(), 6u);
}

TEST_F(ReadTets, SurfacesAreToldThatTheyCannotBeFilledYet) {
  for (const char* name : {"a.obj", "a.STL", "a.ply", "a.off"}) {
    expect_contains(problem_of([&] { read_tets(file(name, "solid\n")); }), "sunder mesh");
  }
}

TEST_F(ReadTets, AFileThatIsNotThereIsAFileError) { EXPECT_THROW(read_tets("/nowhere/a.msh"), FileError); }

TEST(ReadNumbers, TheLocaleDoesNotMatter) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  // Where no locale with a decimal comma is installed this proves only that nothing depends on setlocale having run.
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE"}) {
    if (std::setlocale(LC_ALL, name) != nullptr) break;
  }
  EXPECT_EQ(parse_number("1.5"), 1.5);
  EXPECT_EQ(parse_number("1,5"), std::nullopt);
  std::setlocale(LC_ALL, before.c_str());
}

TEST(ReadNumbers, OnlyWholeWordsAreNumbers) {
  EXPECT_EQ(parse_number("-1e-3"), -1e-3);
  EXPECT_EQ(parse_number(std::string_view("12345").substr(0, 2)), 12);  // no reading past the end of the view
  for (const char* bad : {"", "1x", "--1", "1e", "1 2", " 1"}) EXPECT_EQ(parse_number(bad), std::nullopt) << bad;
  EXPECT_EQ(parse_number(std::string(100000, '1')), std::nullopt);
  EXPECT_EQ(parse_integer("+7"), 7);
  EXPECT_EQ(parse_integer("-7"), -7);
  for (const char* bad : {"", "+", "+-7", "7.", "9223372036854775808"})
    EXPECT_EQ(parse_integer(bad), std::nullopt) << bad;
  EXPECT_EQ(parse_unsigned("-1"), std::nullopt);
}

}  // namespace
}  // namespace sunder
