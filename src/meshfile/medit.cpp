// MEDIT .mesh, ASCII: keywords in any order, each followed by a count and so many records; every record ends with a
// reference number. Vertices are numbered from 1 in the order of the file. `#` starts a comment.

#include <fmt/format.h>

#include <cctype>
#include <string>

#include "meshfile/soup_builder.h"
#include "meshfile/tet_formats.h"
#include "meshfile/text_scanner.h"

namespace sunder {
namespace {

constexpr const char* kSaveAgain = "export it as an ASCII MEDIT mesh of dimension 3";

constexpr std::size_t kVertexBytes = 8;        // "0 0 0 0\n"
constexpr std::size_t kTetrahedronBytes = 10;  // "1 2 3 4 0\n"

void read_vertices(TextScanner& text, SoupBuilder& builder) {
  const std::size_t count = text.count("the number of vertices", kVertexBytes);
  builder.reserve_points(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double x = text.coordinate("the x coordinate of a vertex");
    const int line = text.line();
    const double y = text.coordinate("the y coordinate of a vertex");
    const double z = text.coordinate("the z coordinate of a vertex");
    text.number("the reference of a vertex");
    builder.add_point(static_cast<std::int64_t>(i) + 1, {x, y, z}, line);
  }
}

// `nodes` are 4, or 10 in TetrahedraP2, where the corners come first.
void read_tetrahedra(TextScanner& text, SoupBuilder& builder, int nodes) {
  const std::size_t count = text.count("the number of tetrahedra", kTetrahedronBytes);
  builder.reserve_tets(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::array<std::int64_t, 4> corners{};
    corners[0] = text.integer("a vertex of a tetrahedron");
    const int line = text.line();
    for (std::size_t k = 1; k < 4; ++k) corners[k] = text.integer("a vertex of a tetrahedron");
    for (int k = 4; k < nodes; ++k) text.integer("a vertex of a tetrahedron");
    text.number("the reference of a tetrahedron");
    builder.add_tet(static_cast<std::int64_t>(i) + 1, corners, line);
  }
}

// Everything up to the next keyword: the only words that begin with a letter.
void skip_records(TextScanner& text) {
  while (!text.at_end() && std::isalpha(static_cast<unsigned char>(text.peek_word()[0])) == 0) text.skip_word();
}

}  // namespace

TetSoup read_medit(std::string_view content, const std::string& file_name) {
  TextScanner text(content, file_name, TextScanner::Lines::ignored, '#');
  SoupBuilder builder(file_name, "vertex", "tetrahedron");

  if (text.at_end() || text.peek_word() != "MeshVersionFormatted") {
    const bool is_binary = content.substr(0, 4).find('\0') != std::string_view::npos ||
                           content.find("MeshVersionUnformatted") != std::string_view::npos;
    text.fail(is_binary ? "this is a binary MEDIT mesh; only ASCII ones can be read"
                        : "this is not a MEDIT mesh: it does not begin with MeshVersionFormatted",
              kSaveAgain);
  }
  text.skip_word();
  text.integer("the version of the format");

  bool has_vertices = false;
  bool has_tetrahedra = false;
  while (!text.at_end()) {
    const std::string keyword(text.word("a keyword"));
    if (keyword == "End") break;
    if (keyword == "Dimension") {
      if (text.integer("the dimension") != 3) text.fail("the dimension of the mesh is not 3", kSaveAgain);
    } else if (keyword == "Vertices") {
      if (has_vertices) text.fail("there is a second Vertices section", kSaveAgain);
      has_vertices = true;
      read_vertices(text, builder);
    } else if (keyword == "Tetrahedra" || keyword == "TetrahedraP2") {
      has_tetrahedra = true;
      read_tetrahedra(text, builder, keyword == "Tetrahedra" ? 4 : 10);
    } else if (keyword == "Hexahedra" || keyword == "Prisms" || keyword == "Pentahedra" || keyword == "Pyramids") {
      const char* kind = keyword == "Hexahedra" ? "hexahedron" : keyword == "Pyramids" ? "pyramid" : "prism";
      if (text.count("the number of elements", 2) > 0) builder.refuse_cell(1, kind, text.line());
    } else if (std::isalpha(static_cast<unsigned char>(keyword[0])) != 0) {
      skip_records(text);
    } else {
      text.fail(fmt::format("expected a keyword, found {}", shown_word(keyword)),
                "the section before it may announce fewer records than it has");
    }
  }
  if (!has_vertices) text.fail("there is no Vertices section", kTruncatedRemedy);
  if (!has_tetrahedra) {
    text.fail("there is no Tetrahedra section", "mesh the volume, not only its surface, before exporting");
  }
  return builder.finish();
}

}  // namespace sunder
