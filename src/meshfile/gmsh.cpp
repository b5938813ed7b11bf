// Gmsh MSH, ASCII. A file is a row of sections, $Name ... $EndName; only $MeshFormat, $Nodes and $Elements concern us.
// Node numbers ("tags") are arbitrary and may have gaps.

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "meshfile/soup_builder.h"
#include "meshfile/tet_formats.h"
#include "meshfile/text_scanner.h"

namespace sunder {
namespace {

constexpr const char* kSaveAgain = "save it again with `gmsh -3 -format msh41 model.geo`, or msh22 (ASCII)";

// The least a record takes: single digits, one blank between them, a line end.
constexpr std::size_t kNodeBytes = 8;     // "1 0 0 0\n"
constexpr std::size_t kElementBytes = 4;  // "1 1\n", a point in 4.1
constexpr std::size_t kBlockBytes = 8;    // "3 1 4 0\n"

enum class Kind { skipped, tet, hexahedron, prism, pyramid, unknown };

// Table of element types in the manual's "MSH file format" section; the first nodes of every type are its corners.
Kind kind_of(std::int64_t type) {
  switch (type) {
    case 4:   // 4 nodes
    case 11:  // 10
    case 29:  // 20
    case 30:  // 35
    case 31:  // 56
      return Kind::tet;
    case 5:
    case 12:
    case 17:
    case 92:
    case 93:
      return Kind::hexahedron;
    case 6:
    case 13:
    case 18:
      return Kind::prism;
    case 7:
    case 14:
    case 19:
      return Kind::pyramid;
    default:
      // Points, lines, triangles and quadrangles of any order.
      return (type >= 1 && type <= 28) ? Kind::skipped : Kind::unknown;
  }
}

const char* name_of(Kind kind) {
  if (kind == Kind::hexahedron) return "hexahedron";
  return kind == Kind::prism ? "prism" : "pyramid";
}

struct GmshReader {
  TextScanner text;
  SoupBuilder builder;
  bool is_version_4 = false;
  bool has_nodes = false;
  bool has_elements = false;

  GmshReader(std::string_view content, const std::string& file_name)
      : text(content, file_name, TextScanner::Lines::matter), builder(file_name, "node", "element") {}

  void read_format() {
    text.next_line("the version of the format");
    const double version = text.number("the version of the format");
    const std::int64_t is_binary = text.integer("the kind of file (0 for ASCII)");
    if (is_binary != 0) text.fail("this is a binary Gmsh file; only ASCII ones can be read", kSaveAgain);
    is_version_4 = version >= 4.05 && version < 4.15;
    if (!is_version_4 && !(version >= 2 && version < 3)) {
      text.fail(fmt::format("version {} of the Gmsh format cannot be read, only 4.1 and 2.2", version), kSaveAgain);
    }
  }

  void expect_end(const char* end) {
    text.next_line(end);
    const std::string_view found = text.word(end);
    if (found != end) text.fail(fmt::format("expected {}, found {}", end, shown_word(found)), kTruncatedRemedy);
  }

  Vec3 read_position() {
    const double x = text.coordinate("the x coordinate of a node");
    const double y = text.coordinate("the y coordinate of a node");
    const double z = text.coordinate("the z coordinate of a node");
    return {x, y, z};
  }

  void read_nodes_2() {
    text.next_line("the number of nodes");
    const std::size_t count = text.count("the number of nodes", kNodeBytes);
    builder.reserve_points(count);
    for (std::size_t i = 0; i < count; ++i) {
      text.next_line("a node");
      const std::int64_t tag = text.integer("the number of a node");
      builder.add_point(tag, read_position(), text.line());
    }
  }

  void read_elements_2() {
    text.next_line("the number of elements");
    const std::size_t count = text.count("the number of elements", kElementBytes);
    builder.reserve_tets(count);
    for (std::size_t i = 0; i < count; ++i) {
      text.next_line("an element");
      const std::int64_t tag = text.integer("the number of an element");
      const std::int64_t type = text.integer("the type of an element");
      if (!is_tet(type, tag)) continue;
      const std::size_t tags = text.count("the number of tags of an element", 2);
      for (std::size_t k = 0; k < tags; ++k) text.integer("a tag of an element");
      read_tet(tag);
    }
  }

  // Blocks of "entityDim entityTag parametric count", then the tags, then the positions, each on a line of its own.
  // Parametric coordinates may follow a position; they are left where they are.
  void read_nodes_4() {
    text.next_line("the number of blocks of nodes");
    const std::size_t blocks = text.count("the number of blocks of nodes", kBlockBytes);
    const std::size_t total = text.count("the number of nodes", kNodeBytes);
    builder.reserve_points(total);
    std::size_t read = 0;
    std::vector<std::int64_t> tags;
    for (std::size_t block = 0; block < blocks; ++block) {
      text.next_line("a block of nodes");
      text.integer("the dimension of a block of nodes");
      text.integer("the entity of a block of nodes");
      text.integer("whether a block of nodes is parametric");
      const std::size_t count = text.count("the number of nodes of a block", kNodeBytes);
      tags.clear();
      for (std::size_t i = 0; i < count; ++i) {
        text.next_line("the number of a node");
        tags.push_back(text.integer("the number of a node"));
      }
      for (const std::int64_t tag : tags) {
        text.next_line("the position of a node");
        builder.add_point(tag, read_position(), text.line());
      }
      read += count;
    }
    if (read != total) {
      text.fail(fmt::format("the blocks have {} nodes, but {} were announced", read, total), kTruncatedRemedy);
    }
  }

  void read_elements_4() {
    text.next_line("the number of blocks of elements");
    const std::size_t blocks = text.count("the number of blocks of elements", kBlockBytes);
    const std::size_t total = text.count("the number of elements", kElementBytes);
    builder.reserve_tets(total);
    std::size_t read = 0;
    for (std::size_t block = 0; block < blocks; ++block) {
      text.next_line("a block of elements");
      text.integer("the dimension of a block of elements");
      text.integer("the entity of a block of elements");
      const std::int64_t type = text.integer("the type of a block of elements");
      const std::size_t count = text.count("the number of elements of a block", kElementBytes);
      for (std::size_t i = 0; i < count; ++i) {
        text.next_line("an element");
        const std::int64_t tag = text.integer("the number of an element");
        if (is_tet(type, tag)) read_tet(tag);
      }
      read += count;
    }
    if (read != total) {
      text.fail(fmt::format("the blocks have {} elements, but {} were announced", read, total), kTruncatedRemedy);
    }
  }

  bool is_tet(std::int64_t type, std::int64_t tag) const {
    const Kind kind = kind_of(type);
    if (kind == Kind::unknown) {
      text.fail(fmt::format("element {} has type {}, which is not known here", tag, type),
                "save a mesh of first order (in Gmsh: Mesh.ElementOrder = 1)");
    }
    if (kind != Kind::tet && kind != Kind::skipped) builder.refuse_cell(tag, name_of(kind), text.line());
    return kind == Kind::tet;
  }

  void read_tet(std::int64_t tag) {
    std::array<std::int64_t, 4> corners{};
    for (std::int64_t& corner : corners) corner = text.integer("a node of a tetrahedron");
    builder.add_tet(tag, corners, text.line());
  }

  // Names in other sections may contain anything; only a line that starts with the end mark ends one.
  void skip_section(const std::string& end) {
    const std::string what = shown_word(end);
    do {
      text.next_line(what);
    } while (text.word(what) != end);
  }

  TetSoup read() {
    text.next_line("$MeshFormat");
    if (text.word("$MeshFormat") != "$MeshFormat") {
      text.fail("this is not a Gmsh mesh: it does not begin with $MeshFormat", kSaveAgain);
    }
    read_format();
    expect_end("$EndMeshFormat");
    while (!text.at_end()) {
      const std::string section(text.word("a section"));
      if (section == "$Nodes" && !has_nodes) {
        has_nodes = true;
        is_version_4 ? read_nodes_4() : read_nodes_2();
        expect_end("$EndNodes");
      } else if (section == "$Elements" && !has_elements) {
        has_elements = true;
        is_version_4 ? read_elements_4() : read_elements_2();
        expect_end("$EndElements");
      } else if (section.size() > 1 && section[0] == '$' && section != "$Nodes" && section != "$Elements") {
        skip_section("$End" + section.substr(1));
      } else {
        text.fail(fmt::format("expected a section, found {}", shown_word(section)), kSaveAgain);
      }
      text.rest_of_line();
    }
    if (!has_nodes) text.fail("there is no $Nodes section", kTruncatedRemedy);
    if (!has_elements) text.fail("there is no $Elements section", kTruncatedRemedy);
    return builder.finish();
  }
};

}  // namespace

TetSoup read_gmsh(std::string_view content, const std::string& file_name) {
  return GmshReader(content, file_name).read();
}

}  // namespace sunder
