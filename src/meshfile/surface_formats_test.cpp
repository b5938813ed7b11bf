#include "meshfile/surface_formats.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "meshfile/meshfile_testing.h"
#include "meshfile/read_surface.h"

namespace sunder {
namespace {

using namespace meshfile_testing;
using Triangles = std::vector<std::array<std::uint32_t, 3>>;

// Whatever a damaged file makes of the surface, the rest of the program must be able to rely on its indices.
void expect_sound_surface(const TriangleMesh& mesh) {
  for (const Vec3& x : mesh.points) ASSERT_TRUE(x.allFinite());
  for (const auto& t : mesh.triangles) {
    for (const std::uint32_t p : t) ASSERT_LT(p, mesh.points.size());
  }
  EXPECT_TRUE(mesh.uvs.empty() || mesh.uvs.size() == mesh.triangles.size());
  EXPECT_TRUE(mesh.normals.empty() || mesh.normals.size() == mesh.triangles.size());
  ASSERT_EQ(mesh.groups.size(), mesh.triangles.size());
  for (const std::uint32_t g : mesh.groups) ASSERT_LT(g, mesh.group_names.size());
}

template <class Read>
void survives_damage(const std::string& content, Read&& read) {
  for (std::size_t size = 0; size < content.size(); ++size) {
    const std::string prefix(content.data(), size);
    problem_of([&] { expect_sound_surface(read(prefix)); });
  }
  const DamageReport report =
      flip_bytes(content, 3000, 7, [&](const std::string& text) { expect_sound_surface(read(text)); });
  EXPECT_GT(report.refused, 100);
  EXPECT_GT(report.parsed, 10);
}

template <class T>
std::string bytes_of(T value, bool big_endian = false) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  if (big_endian) bytes = std::string(bytes.rbegin(), bytes.rend());
  return bytes;
}

// --- OBJ ------------------------------------------------------------------------------------------------------------

const std::string kObj =
    "# a pane\nmtllib pane.mtl\no pane\n"
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\n"
    "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvn 0 0 1\n"
    "usemtl glass\nf 1/1/1 2/2/1 3/3/1 4/4/1\n"
    "usemtl lead\nf -5 -4 \\\n -1\nf 1//1 2//1 5//1\n";

TriangleMesh obj(std::string_view content) { return read_obj(content, "m.obj"); }
std::string obj_problem(const std::string& content) {
  return problem_of([&] { obj(content); });
}

TEST(Obj, PolygonsNegativeIndicesAndGroupsAreRead) {
  const TriangleMesh mesh = obj(kObj);
  EXPECT_EQ(mesh.points.size(), 5u);
  EXPECT_EQ(mesh.triangles, (Triangles{{3, 0, 1}, {1, 2, 3}, {0, 1, 4}, {0, 1, 4}}));
  EXPECT_EQ(mesh.group_names, (std::vector<std::string>{"pane", "glass", "lead"}));
  EXPECT_EQ(mesh.groups, (std::vector<std::uint32_t>{1, 1, 2, 2}));
  EXPECT_EQ(mesh.uvs[0][0], Vec2(0, 1));
  EXPECT_EQ(mesh.uvs[2][0], Vec2(0, 0));
  EXPECT_EQ(mesh.normals[1][2], Vec3(0, 0, 1));
  EXPECT_EQ(mesh.normals[2][0], Vec3(0, 0, 0));
}

TEST(Obj, PointsAloneAreEnough) {
  const TriangleMesh mesh = obj("v 0 0 0 1 0 0\r\nv 1 0 0\r\nv 0 1 0\r\nf 1 2 3\r\n");  // colours behind the position
  EXPECT_EQ(mesh.triangles.size(), 1u);
  EXPECT_TRUE(mesh.uvs.empty());
  EXPECT_TRUE(mesh.normals.empty());
}

TEST(Obj, ColoursBehindThePositionAreAttributes) {
  const TriangleMesh mesh = obj("v 0 0 0\nv 1 0 0 0.5 0.25 1\nv 0 1 0 0.75 0 0\nv 1 1 0 1.0\nf 1 2 3\n");
  ASSERT_EQ(mesh.attributes.size(), 3u);
  EXPECT_EQ(mesh.attributes[0].name, "red");
  EXPECT_EQ(mesh.attributes[0].values, (std::vector<double>{0, 0.5, 0.75, 0}));
  EXPECT_EQ(mesh.attributes[2].name, "blue");
  EXPECT_EQ(mesh.attributes[2].values, (std::vector<double>{0, 1, 0, 0}));
  EXPECT_TRUE(obj("v 0 0 0 1 0 x\nv 1 0 0 1\nv 0 1 0\nf 1 2 3\n").attributes.size() < 3) << "no numbers, no colours";
}

TEST(Obj, WhatIsWrongIsSaidWithItsLine) {
  expect_contains(obj_problem(with(kObj, "5//1", "9//1")), "m.obj:19: face 3 uses point 9, but there are 5");
  expect_contains(obj_problem(with(kObj, "5//1", "5//7")), "normal 7");
  expect_contains(obj_problem(with(kObj, "1/1/1", "1/9/1")), "texture coordinate 9");
  expect_contains(obj_problem(with(kObj, "-5 -4", "-6 -4")), "m.obj:17:3: `-6` counts back beyond");
  expect_contains(obj_problem(with(kObj, "1/1/1", "0/1/1")), "not `0/1/1`");
  expect_contains(obj_problem(with(kObj, "1/1/1", "x")), "not `x`");
  expect_contains(obj_problem(with(kObj, "v 1 1 0", "v 1 nan 0")), "m.obj:6:5");
  expect_contains(obj_problem(with(kObj, "v 1 1 0", "v 1 1e999 0")), "not finite");
  expect_contains(obj_problem(with(kObj, "v 1 1 0", "v 1 1")), "the line ends");
  expect_contains(obj_problem("v 0 0 0\nv 1 0 0\nf 1 2\n"), "three corners");
  expect_contains(obj_problem(""), "no face");
  expect_contains(obj_problem("v 0 0 0\n"), "no face");
}

TEST(Obj, DamagedBytesNeverCrash) { survives_damage(kObj, obj); }

// --- PLY ------------------------------------------------------------------------------------------------------------

const std::string kPlyHeader =
    "comment a tent\nelement vertex 4\nproperty float x\nproperty float y\nproperty double z\n"
    "property uchar red\nelement face 2\nproperty list uchar int vertex_indices\nproperty short flags\nend_header\n";

std::string ply(bool big_endian) {
  std::string text = big_endian ? "ply\nformat binary_big_endian 1.0\n" : "ply\nformat binary_little_endian 1.0\n";
  text += kPlyHeader;
  const float x[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0.5f}, {0, 1, -0.25f}};
  for (int i = 0; i < 4; ++i) {
    text += bytes_of(x[i][0], big_endian) + bytes_of(x[i][1], big_endian);
    text += bytes_of(static_cast<double>(x[i][2]), big_endian) + static_cast<char>(200 + i);
  }
  for (const std::array<std::int32_t, 3>& face : {std::array<std::int32_t, 3>{0, 1, 2}, {0, 2, 3}}) {
    text += '\3';
    for (const std::int32_t v : face) text += bytes_of(v, big_endian);
    text += bytes_of<std::int16_t>(-2, big_endian);
  }
  return text;
}
const std::string kAsciiPly = "ply\nformat ascii 1.0\n" + kPlyHeader +
                              "0 0 0 200\n1 0 0 201\n1 1 0.5 202\n0 1 -0.25 203\n3 0 1 2 -2\n3 0 2 3 -2\n";

TriangleMesh read_test_ply(std::string_view content) { return read_ply(content, "m.ply"); }

TEST(Ply, AsciiAndBothByteOrdersAreTheSame) {
  for (const std::string& content : {kAsciiPly, ply(false), ply(true)}) {
    const TriangleMesh mesh = read_test_ply(content);
    EXPECT_EQ(mesh.points, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {1, 1, 0.5}, {0, 1, -0.25}}));
    EXPECT_EQ(mesh.triangles, (Triangles{{0, 1, 2}, {0, 2, 3}}));
    ASSERT_EQ(mesh.attributes.size(), 1u);
    EXPECT_EQ(mesh.attributes[0].name, "red");
    EXPECT_EQ(mesh.attributes[0].values, (std::vector<double>{200 / 255.0, 201 / 255.0, 202 / 255.0, 203 / 255.0}));
  }
}

TEST(Ply, NormalsAndTextureCoordinatesAreFound) {
  const TriangleMesh mesh = read_test_ply(
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
      "property float nx\nproperty float ny\nproperty float nz\nproperty float s\nproperty float t\n"
      "element face 1\nproperty list uchar int vertex_index\nend_header\n"
      "0 0 0 0 0 1 0 0\n1 0 0 0 0 1 1 0\n0 1 0 0 1 0 0 1\n3 0 1 2\n");
  EXPECT_EQ(mesh.normals[0][2], Vec3(0, 1, 0));
  EXPECT_EQ(mesh.uvs[0][1], Vec2(1, 0));
  EXPECT_TRUE(mesh.attributes.empty());
}

TEST(Ply, ColoursAreBytesOrNumbersByTheirTypeWhateverTheirValues) {
  const auto red = [](const std::string& type, const std::string& value) {
    return read_test_ply(
               "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
               "property " +
               type +
               " red\nelement face 1\nproperty list uchar int vertex_index\nend_header\n"
               "0 0 0 " +
               value + "\n1 0 0 " + value + "\n0 1 0 " + value + "\n3 0 1 2\n")
        .attributes[0]
        .values[0];
  };
  EXPECT_EQ(red("uchar", "1"), 1 / 255.0);
  EXPECT_EQ(red("uint8", "255"), 1);
  EXPECT_EQ(red("float", "1.5"), 1.5);
  EXPECT_EQ(red("double", "255"), 255);
  EXPECT_EQ(red("int", "2"), 2);
}

TEST(Ply, ScalarsOfFacesAreAttributesOfTheirTriangles) {
  const TriangleMesh mesh = read_test_ply(
      "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\nproperty float z\n"
      "element face 2\nproperty uchar red\nproperty list uchar int vertex_index\nproperty float wear\nend_header\n"
      "0 0 0\n1 0 0\n1 1 0\n0 1 0\n2 0 0\n7 4 0 1 2 3 0.5\n9 3 1 4 2 -1\n");
  ASSERT_EQ(mesh.triangles.size(), 3u);  // a square and a triangle
  ASSERT_EQ(mesh.face_attributes.size(), 2u);
  EXPECT_EQ(mesh.face_attributes[0].name, "red");
  EXPECT_EQ(mesh.face_attributes[0].values, (std::vector<double>{7 / 255.0, 7 / 255.0, 9 / 255.0}));
  EXPECT_EQ(mesh.face_attributes[1].name, "wear");
  EXPECT_EQ(mesh.face_attributes[1].values, (std::vector<double>{0.5, 0.5, -1}));
  EXPECT_TRUE(mesh.attributes.empty());
}

TEST(Ply, WhatIsWrongIsSaid) {
  const auto problem = [](const std::string& content) { return problem_of([&] { read_test_ply(content); }); };
  expect_contains(problem(with(kAsciiPly, "3 0 2 3", "3 0 2 4")), "m.ply:18: face 2 uses point 5, but there are 4");
  expect_contains(problem(with(kAsciiPly, "vertex 4", "vertex 4000000000")), "only");
  expect_contains(problem(with(kAsciiPly, "face 2", "face 100000000000")), "only");
  expect_contains(problem(with(ply(false), "vertex 4", "vertex 400000000")), "only");
  expect_contains(problem(with(kAsciiPly, "3 0 2 3", "300000000 0 2 3")), "the length of a list");
  expect_contains(problem(with(kAsciiPly, "property double z\n", "")), "no x, y and z");
  expect_contains(problem(with(kAsciiPly, "element face", "element vertex 1\nelement face")),
                  "`vertex` is there twice");
  expect_contains(problem(with(kAsciiPly, "property double z", "property double " + std::string(101, 'z'))),
                  "longer than");
  expect_contains(problem(with(kAsciiPly, "1 1 0.5", "1 inf 0.5")), "not finite");
  expect_contains(problem(with(kAsciiPly, "ascii", "ebcdic")), "`ebcdic`");
  expect_contains(problem("solid"), "not a PLY file");
}

TEST(Ply, DamagedBytesNeverCrash) {
  survives_damage(kAsciiPly, read_test_ply);
  survives_damage(ply(false), read_test_ply);
}

// --- STL ------------------------------------------------------------------------------------------------------------

const std::string kAsciiStl =
    "solid tent\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
    "facet normal 0 0 1\nouter loop\nvertex 1 0 0\nvertex 1 1 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid tent\n";

std::string binary_stl() {
  std::string text = "solid is what some binary files begin with";
  text.resize(80, ' ');
  text += bytes_of<std::uint32_t>(2);
  for (int t = 0; t < 2; ++t) {
    const float x[12] = {0, 0, 1, static_cast<float>(t), 0, 0, 1, static_cast<float>(t), 0, 0, 1, 0};
    for (const float v : x) text += bytes_of(v);
    text += std::string(2, '\0');
  }
  return text;
}
TriangleMesh read_test_stl(std::string_view content) { return read_stl(content, "m.stl"); }

TEST(Stl, AsciiAndBinaryAreTheSame) {
  for (const std::string& content : {kAsciiStl, binary_stl()}) {
    const TriangleMesh mesh = read_test_stl(content);
    EXPECT_EQ(mesh.triangles, (Triangles{{0, 1, 2}, {3, 4, 5}}));
    EXPECT_EQ(mesh.points, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}));
  }
}

TEST(Stl, WhatIsWrongIsSaid) {
  const auto problem = [](const std::string& content) { return problem_of([&] { read_test_stl(content); }); };
  expect_contains(problem(with(kAsciiStl, "vertex 1 1 0\n", "")), "three vertices, this one has 2");
  expect_contains(problem(with(kAsciiStl, "vertex 1 1 0", "vertex 1 x 0")), "m.stl:12:10");
  expect_contains(problem("solid\nendsolid\n"), "no face");
  expect_contains(problem("nothing"), "too short");
  std::string lies = binary_stl();
  lies[0] = 'x';
  lies[83] = '\x7f';
  expect_contains(problem(lies), "announced, but the file holds 2");
}

TEST(Stl, DamagedBytesNeverCrash) {
  survives_damage(kAsciiStl, read_test_stl);
  survives_damage(binary_stl(), read_test_stl);
}

// --- OFF ------------------------------------------------------------------------------------------------------------

const std::string kOff = "OFF # a tent\n4 2 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n\n3 0 1 2 255 0 0\n4 0 1 2 3\n";
TriangleMesh read_test_off(std::string_view content) { return read_off(content, "m.off"); }

TEST(Off, FacesWithAndWithoutColoursAreRead) {
  EXPECT_EQ(read_test_off(kOff).triangles, (Triangles{{0, 1, 2}, {3, 0, 1}, {1, 2, 3}}));
}

TEST(Off, ColoursAreAttributes) {
  const TriangleMesh faces = read_test_off(kOff);
  EXPECT_EQ(read_off("OFF 3 1 0\n0 0 0\n1 0 0\n1 1 0\n3 0 1 2 1.0 0 1.5\n", "m.off").face_attributes[2].values[0], 1.5);
  EXPECT_EQ(read_off("OFF 3 1 0\n0 0 0\n1 0 0\n1 1 0\n3 0 1 2 1 0 0\n", "m.off").face_attributes[0].values[0],
            1 / 255.0);
  ASSERT_EQ(faces.face_attributes.size(), 3u);
  EXPECT_EQ(faces.face_attributes[0].name, "red");
  EXPECT_EQ(faces.face_attributes[0].values, (std::vector<double>{1, 0, 0}));  // a face without colour has none
  EXPECT_TRUE(faces.attributes.empty());
  const TriangleMesh points = read_test_off("COFF\n3 1 0\n0 0 0 0.5 0 1 1\n1 0 0 0.25 0 1 1\n0 1 0 0 0 1 1\n3 0 1 2\n");
  ASSERT_EQ(points.attributes.size(), 4u);
  EXPECT_EQ(points.attributes[0].values, (std::vector<double>{0.5, 0.25, 0}));
  EXPECT_TRUE(points.face_attributes.empty());
}

TEST(Off, WhatIsWrongIsSaid) {
  const auto problem = [](const std::string& content) { return problem_of([&] { read_test_off(content); }); };
  expect_contains(problem(with(kOff, "4 0 1 2 3", "4 0 1 2 4")), "m.off:9: face 2 uses point 5");
  expect_contains(problem(with(kOff, "4 0 1 2 3", "4 0 1 2 9223372036854775807")), "point 9223372036854775808");
  expect_contains(problem(with(kOff, "4 2 0", "4000000 2 0")), "the number of vertices");
  expect_contains(problem(with(kOff, "4 0 1 2 3", "4000000 0 1 2 3")), "the number of corners");
  expect_contains(problem("hello"), "expected OFF");
}

TEST(Off, DamagedBytesNeverCrash) { survives_damage(kOff, read_test_off); }

// --- glTF -----------------------------------------------------------------------------------------------------------

// One triangle with texture coordinates below a node that mirrors and one that moves.
std::string glb(const std::string& more_attributes = "") {
  std::string binary;
  for (const float v : {0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f, 0.f}) binary += bytes_of(v);  // 36 bytes
  for (const float v : {0.f, 0.f, 1.f, 0.f, 0.f, 1.f}) binary += bytes_of(v);                 // 24 bytes
  for (const std::uint16_t v : {0, 1, 2}) binary += bytes_of<std::uint16_t>(v);               // 6 bytes
  std::string json =
      R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],)"
      R"("nodes":[{"translation":[0,0,5],"children":[1]},{"mesh":0,"scale":[-1,1,1]}],)"
      R"("materials":[{"name":"glass"}],)"
      R"("meshes":[{"primitives":[{"attributes":{"POSITION":0,"TEXCOORD_0":1)" +
      more_attributes +
      R"(},"indices":2,"material":0}]}],)"
      R"("accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","max":[1,1,0],"min":[0,0,0]},)"
      R"({"bufferView":1,"componentType":5126,"count":3,"type":"VEC2"},)"
      R"({"bufferView":2,"componentType":5123,"count":3,"type":"SCALAR"}],)"
      R"("bufferViews":[{"buffer":0,"byteOffset":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":24},)"
      R"({"buffer":0,"byteOffset":60,"byteLength":6}],"buffers":[{"byteLength":66}]})";
  while (json.size() % 4 != 0) json += ' ';
  while (binary.size() % 4 != 0) binary += '\0';
  const auto size = [](std::size_t n) { return bytes_of(static_cast<std::uint32_t>(n)); };
  return "glTF" + size(2) + size(12 + 8 + json.size() + 8 + binary.size()) + size(json.size()) + "JSON" + json +
         size(binary.size()) + std::string("BIN\0", 4) + binary;
}
TriangleMesh read_test_glb(std::string_view content) { return read_gltf(content, "m.glb"); }

TEST(Gltf, TransformsMaterialsAndTexturesAreRead) {
  const TriangleMesh mesh = read_test_glb(glb());
  EXPECT_EQ(mesh.points, (std::vector<Vec3>{{0, 0, 5}, {-1, 0, 5}, {0, 1, 5}}));
  EXPECT_EQ(mesh.triangles, (Triangles{{0, 2, 1}}));  // mirrored, so turned
  EXPECT_EQ(mesh.group_names, (std::vector<std::string>{"glass"}));
  EXPECT_EQ(mesh.uvs[0][1], Vec2(0, 0));  // v is down in glTF, up in ours
}

TEST(Gltf, VertexColoursAndOwnNumbersAreAttributes) {
  const TriangleMesh mesh = read_test_glb(glb(R"(,"COLOR_0":0,"_WEAR":2)"));  // the positions, and the indices
  ASSERT_EQ(mesh.attributes.size(), 4u);
  EXPECT_EQ(mesh.attributes[0].name, "red");
  EXPECT_EQ(mesh.attributes[0].values, (std::vector<double>{0, 1, 0}));
  EXPECT_EQ(mesh.attributes[1].name, "green");
  EXPECT_EQ(mesh.attributes[1].values, (std::vector<double>{0, 0, 1}));
  EXPECT_EQ(mesh.attributes[3].name, "_WEAR");
  EXPECT_EQ(mesh.attributes[3].values, (std::vector<double>{0, 1, 2}));
  expect_contains(problem_of([] { read_test_glb(glb(R"(,"COLOR_0":7)")); }), "accessor 7");
}

TEST(Gltf, WhatIsWrongIsSaid) {
  const auto problem = [](const std::string& content) { return problem_of([&] { read_test_glb(content); }); };
  expect_contains(problem(with(glb(), R"("count":3,"type":"VEC3")", R"("count":9,"type":"VEC3")")),
                  "beyond its buffer");
  expect_contains(problem(with(glb(), R"("children":[1])", R"("children":[0])")), "tree");
  expect_contains(problem(with(glb(), R"("children":[1])", R"("children":[7])")), "node 7");
  expect_contains(problem(with(glb(), R"("indices":2)", R"("indices":9)")), "accessor");
  expect_contains(problem("glTF"), "not a glTF file");
  expect_contains(problem("{}"), "");
}

// The library takes `extras` apart recursively.
TEST(Gltf, DeepNestingIsRefused) {
  const std::string open(100'000, '['), close(100'000, ']');
  const std::string deep = R"({"asset":{"version":"2.0"},"extras":)" + open + close + "}";
  expect_contains(problem_of([&] { read_test_glb(deep); }), "nested more than 100 deep");
  const auto size = [](std::size_t n) { return bytes_of(static_cast<std::uint32_t>(n)); };
  const std::string binary = "glTF" + size(2) + size(20 + deep.size()) + size(deep.size()) + "JSON" + deep;
  expect_contains(problem_of([&] { read_test_glb(binary); }), "nested more than 100 deep");
  // Brackets in text, and in the buffer, are none.
  const std::string text = R"("name":"\"[[[)" + open + R"(")";
  EXPECT_EQ(problem_of([&] {
              read_test_glb(R"({"asset":{"version":"2.0","generator":"\"[)" + open + R"("}})");
            }).find("nested"),
            std::string::npos);
}

TEST(Gltf, DamagedBytesNeverCrash) {
  const std::string content = glb();
  for (std::size_t size = 0; size < content.size(); size += 7) {
    problem_of([&] { expect_sound_surface(read_test_glb(std::string(content.data(), size))); });
  }
  const DamageReport report =
      flip_bytes(content, 1500, 7, [&](const std::string& text) { expect_sound_surface(read_test_glb(text)); });
  EXPECT_GT(report.refused, 100);
  EXPECT_GT(report.parsed, 10);
}

// --- by name --------------------------------------------------------------------------------------------------------

TEST(ReadSurface, PicksByEndingThenByContent) {
  const auto folder = std::filesystem::temp_directory_path() / ("sunder_surface_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const auto read = [&](const std::string& name, const std::string& content) {
    std::ofstream(folder / name, std::ios::binary) << content;
    return read_surface(folder / name).triangles.size();
  };
  EXPECT_EQ(read("a.OBJ", kObj), 4u);
  EXPECT_EQ(read("a.ply", kAsciiPly), 2u);
  EXPECT_EQ(read("a.stl", binary_stl()), 2u);
  EXPECT_EQ(read("a.off", kOff), 3u);
  EXPECT_EQ(read("a.glb", glb()), 1u);
  EXPECT_EQ(read("b.x", kObj), 4u);
  EXPECT_EQ(read("c.x", kAsciiPly), 2u);
  EXPECT_EQ(read("d.x", kAsciiStl), 2u);
  EXPECT_EQ(read("e.x", kOff), 3u);
  EXPECT_EQ(read("f.x", glb()), 1u);
  expect_contains(problem_of([&] { read("g.x", "hello"); }), "not a surface format");
  EXPECT_THROW(read_surface(folder / "missing.obj"), FileError);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace sunder
