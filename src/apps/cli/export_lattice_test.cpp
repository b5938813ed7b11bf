// `sunder export` of a lattice that broke: every piece is there, closed and of its volume, in each format.
#include <Eigen/Geometry>
#include <cstring>

#include "apps/cli/program_testing.h"
#include "meshfile/read_surface.h"
#include "sim/lattice_plate_testing.h"

namespace sunder::cli {
namespace {

class ExportLattice : public ProgramTest {
 protected:
  ExportLattice() {
    write("plate.toml", kLatticePlate);
    EXPECT_EQ(sunder({"run", "plate.toml", "--set", "duration=0.012", "--set", "fps=250", "-o", "p", "--threads", "1",
                      "--progress", "none"})
                  .code,
              0);
    pieces_ = Json::parse(sunder({"info", "p", "--json"}).out)["pieces"]["all"].get<std::size_t>();
    EXPECT_GT(pieces_, 3u);
  }
  void exported(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"export", "p", "-o"});
    const Outcome o = sunder(arguments);
    EXPECT_EQ(o.code, 0) << o.err;
  }
  static std::size_t count(const std::string& text, const std::string& word) {
    std::size_t found = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
    return found;
  }
  std::size_t pieces_ = 0;
};

TEST_F(ExportLattice, ObjHasAllPiecesClosedAndTheirVolumeInEveryFrame) {
  exported({"a.obj"});
  for (const char* file : {"a.0001.obj", "a.0004.obj"}) {
    const TriangleMesh mesh = read_surface(top_ / file);
    double volume = 0;
    Vec3 area = Vec3::Zero();
    for (const auto& t : mesh.triangles) {
      const Vec3 &a = mesh.points[t[0]], &b = mesh.points[t[1]], &c = mesh.points[t[2]];
      volume += a.dot(b.cross(c)) / 6;
      area += (b - a).cross(c - a) / 2;
    }
    EXPECT_NEAR(volume / (0.2 * 0.12 * 0.01), 1, 0.02) << file;
    EXPECT_LT(area.norm(), 1e-6) << file;  // of closed surfaces it is zero
  }
  EXPECT_EQ(count(read("a.0001.obj"), "\no "), 1u);
  EXPECT_EQ(count(read("a.0004.obj"), "\no "), pieces_);
  EXPECT_GT(count(read("a.0004.obj"), "usemtl inside"), 0u);
}

TEST_F(ExportLattice, GlbHasANodeForEachPieceThatMovesAsItDid) {
  exported({"b.glb"});
  const std::string file = read("b.glb");
  std::uint32_t length = 0;
  std::memcpy(&length, file.data() + 12, 4);
  const Json json = Json::parse(file.substr(20, length));
  std::size_t nodes = 0;
  for (const Json& node : json["nodes"]) nodes += node.value("name", "").starts_with("fragment_") ? 1 : 0;
  EXPECT_EQ(nodes, pieces_);
  ASSERT_EQ(json["animations"].size(), 1u);
  EXPECT_GE(json["animations"][0]["channels"].size(), pieces_);
}

TEST_F(ExportLattice, UsdaHasAMeshForEachPiece) {
  exported({"c.usda"});
  exported({"d.usda", "--changing"});
  EXPECT_EQ(count(read("c.usda"), "def Mesh \""), pieces_);
  EXPECT_GT(count(read("d.usda"), "def Mesh \""), 0u);
}

}  // namespace
}  // namespace sunder::cli
