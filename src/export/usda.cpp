#include "export/usda.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>

#include "core/atomic_file.h"
#include "export/piece_motion.h"
#include "export/piece_surface.h"
#include "geometry/bounds.h"

namespace sunder {
namespace {

constexpr const char* kExtent = "float3[] extent";
constexpr const char* kPoints = "point3f[] points";
constexpr const char* kVelocities = "vector3f[] velocities";

using Vectors = std::vector<Eigen::Vector3f>;

std::string list(const Vectors& vectors) {
  std::string text = "[";
  auto out = std::back_inserter(text);
  for (const auto& v : vectors) {
    fmt::format_to(out, "{}({}, {}, {})", text.size() > 1 ? ", " : "", v.x(), v.y(), v.z());
  }
  return text + "]";
}

std::string list(const std::vector<std::uint32_t>& numbers) { return fmt::format("[{}]", fmt::join(numbers, ", ")); }

Vectors extent_of(const Vectors& points) {
  if (points.empty()) return {Eigen::Vector3f::Zero(), Eigen::Vector3f::Zero()};
  Vectors box = {points[0], points[0]};
  for (const auto& p : points) box[0] = box[0].cwiseMin(p), box[1] = box[1].cwiseMax(p);
  return box;
}

// "NAME.timeSamples = { 1: ..., 2: ... }"
class Samples {
 public:
  explicit Samples(const std::string& name) : text_(fmt::format("        {}.timeSamples = {{\n", name)) {}
  void add(int frame, const std::string& value) { text_ += fmt::format("            {}: {},\n", frame, value); }
  std::string done() { return text_ + "        }\n"; }

 private:
  std::string text_;
};

// A material as USD's preview surface; a picture is multiplied by the colour, which is linear. v goes up, as ours does.
std::string material_prim(const PieceMaterial& material, const std::string& picture) {
  const auto& c = material.paint.color;
  const std::string path = "/run/materials/" + material.name;
  std::string text = fmt::format(
      "        def Material \"{0}\"\n        {{\n"
      "            token outputs:surface.connect = <{1}/shader.outputs:surface>\n"
      "            def Shader \"shader\"\n            {{\n"
      "                uniform token info:id = \"UsdPreviewSurface\"\n",
      material.name, path);
  text += picture.empty()
              ? fmt::format("                color3f inputs:diffuseColor = ({}, {}, {})\n", c[0], c[1], c[2])
              : fmt::format("                color3f inputs:diffuseColor.connect = <{}/picture.outputs:rgb>\n", path);
  text += fmt::format(
      "                float inputs:roughness = {}\n                token outputs:surface\n            }}\n",
      material.roughness);
  if (!picture.empty()) {
    text += fmt::format(
        "            def Shader \"picture\"\n            {{\n"
        "                uniform token info:id = \"UsdUVTexture\"\n"
        "                asset inputs:file = @./{0}@\n"
        "                token inputs:sourceColorSpace = \"sRGB\"\n"
        "                float4 inputs:scale = ({2}, {3}, {4}, 1)\n"
        "                float2 inputs:st.connect = <{1}/st.outputs:result>\n"
        "                token inputs:wrapS = \"repeat\"\n                token inputs:wrapT = \"repeat\"\n"
        "                float3 outputs:rgb\n            }}\n"
        "            def Shader \"st\"\n            {{\n"
        "                uniform token info:id = \"UsdPrimvarReader_float2\"\n"
        "                string inputs:varname = \"st\"\n"
        "                float2 outputs:result\n            }}\n",
        picture, path, c[0], c[1], c[2]);
  }
  return text + "        }\n";
}

std::string header(const SolidRun& run, const Placement& placement, const std::filesystem::path& file) {
  std::string text = fmt::format(
      "#usda 1.0\n(\n    defaultPrim = \"run\"\n    doc = \"sunder: {}\"\n    startTimeCode = {}\n    endTimeCode = "
      "{}\n"
      "    timeCodesPerSecond = {}\n    framesPerSecond = {}\n    metersPerUnit = {}\n    upAxis = \"{}\"\n)\n\n"
      "def Xform \"run\"\n{{\n    def Scope \"materials\"\n    {{\n",
      run.name, run.frames.front(), run.frames.back(), run.fps, run.fps, 1 / placement.scale,
      placement.z_up ? "Z" : "Y");
  const std::vector<std::string> pictures = picture_names(run.materials, file);
  for (std::size_t m = 0; m < pictures.size(); ++m) text += material_prim(run.materials.all[m], pictures[m]);
  return text + "    }\n";
}

std::string mesh_begin(const std::string& name, const std::string& material) {
  return fmt::format(
      "\n    def Mesh \"{}\" (\n        prepend apiSchemas = [\"MaterialBindingAPI\"]\n    )\n    {{\n"
      "        uniform token subdivisionScheme = \"none\"\n        uniform token orientation = \"rightHanded\"\n"
      "        uniform token subsetFamily:materialBind:familyType = \"partition\"\n"
      "        rel material:binding = </run/materials/{}>\n",
      name, material);
}

std::string subset(const std::string& name, const std::string& material, const std::string& indices) {
  return fmt::format(
      "\n        def GeomSubset \"{0}\" (\n            prepend apiSchemas = [\"MaterialBindingAPI\"]\n        )\n"
      "        {{\n            uniform token elementType = \"face\"\n"
      "            uniform token familyName = \"materialBind\"\n    {1}"
      "            rel material:binding = </run/materials/{2}>\n        }}\n",
      name, indices, material);
}

// The faces of pieces over the nodes that they use.
struct Faces {
  std::vector<std::uint32_t> nodes;                     // of the frame, by point
  std::vector<std::uint32_t> corners;                   // points, three a face
  std::vector<std::vector<std::uint32_t>> of_material;  // faces
  std::vector<std::uint32_t> fragment;                  // of each face
  std::string uvs;                                      // of each corner

  void add(const PieceSurface& piece, const PieceMaterials& materials, std::vector<std::uint32_t>& point_of) {
    of_material.resize(materials.all.size());
    for (const std::size_t s : {kOutside, kInside}) {
      std::vector<std::uint32_t>& faces = of_material[materials.of(piece.body, s)];
      for (const auto& triangle : piece.sides[s].triangles) {
        faces.push_back(static_cast<std::uint32_t>(corners.size() / 3));
        fragment.push_back(piece.fragment);
        for (const std::uint32_t v : triangle) {
          const PieceVertex& vertex = piece.sides[s].vertices[v];
          std::uint32_t& point = point_of[vertex.node];
          if (point == ~0u) point = static_cast<std::uint32_t>(nodes.size()), nodes.push_back(vertex.node);
          corners.push_back(point);
          uvs += fmt::format("{}({}, {})", uvs.empty() ? "" : ", ", vertex.uv.x(), vertex.uv.y());
        }
      }
    }
  }
  std::string counts() const { return list(std::vector<std::uint32_t>(corners.size() / 3, 3)); }
  Vectors at(const std::vector<Vec3>& values, const Placement& placement, double factor = 1) const {
    Vectors result;
    for (const std::uint32_t n : nodes) result.emplace_back((factor * placement.point(values[n])).cast<float>());
    return result;
  }
};

}  // namespace

UsdaReport write_usda(const SolidRun& run, const Placement& placement, const std::filesystem::path& file) {
  const FinalPieces final = find_final_pieces(run);
  const std::vector<PieceSurface> surfaces = piece_surfaces(final.frame, NormalsOf::material);
  std::vector<std::uint32_t> point_of(final.frame.position.size(), ~0u);
  std::vector<Faces> faces(surfaces.size());
  for (std::size_t p = 0; p < surfaces.size(); ++p) faces[p].add(surfaces[p], run.materials, point_of);

  // Of every piece all frames stand together in the file: kept in single precision until they are written.
  struct Motion {
    std::vector<Vectors> points, velocities;
  };
  std::vector<Motion> motion(surfaces.size());
  follow_pieces(run, final, [&](const PieceMoment& moment) {
    for (std::size_t p = 0; p < surfaces.size(); ++p) {
      motion[p].points.push_back(faces[p].at(moment.position, placement));
      motion[p].velocities.push_back(faces[p].at(moment.velocity, placement, run.pace));
    }
  });

  AtomicFile out(file);
  out.write(header(run, placement, file));
  for (std::size_t p = 0; p < surfaces.size(); ++p) {
    const FinalPiece& piece = final.pieces[p];
    const Faces& f = faces[p];
    std::string text =
        mesh_begin(fmt::format("fragment_{:04d}", piece.fragment), run.materials.name(piece.body, kOutside));
    text += fmt::format("        int[] faceVertexCounts = {}\n        int[] faceVertexIndices = {}\n", f.counts(),
                        list(f.corners));
    if (!final.frame.uv.empty()) {
      text += fmt::format(
          "        texCoord2f[] primvars:st = [{}] (\n            interpolation = \"faceVarying\"\n        )\n", f.uvs);
    }
    text += fmt::format("        custom int sunder:fragment = {}\n        custom double sunder:mass = {}\n",
                        piece.fragment, piece.mass);
    out.write(text);
    Samples extent(kExtent), points(kPoints), velocities(kVelocities);
    for (std::size_t i = 0; i < run.frames.size(); ++i) {
      extent.add(run.frames[i], list(extent_of(motion[p].points[i])));
      points.add(run.frames[i], list(motion[p].points[i]));
      velocities.add(run.frames[i], list(motion[p].velocities[i]));
    }
    out.write(extent.done());
    out.write(points.done());
    out.write(velocities.done());
    if (piece.last < run.frames.back()) {
      Samples visible("token visibility");
      visible.add(run.frames.front(), "\"inherited\"");
      visible.add(*std::upper_bound(run.frames.begin(), run.frames.end(), piece.last), "\"invisible\"");
      out.write(visible.done());
    }
    for (const std::size_t s : {kOutside, kInside}) {
      const std::uint32_t m = run.materials.of(piece.body, s);
      out.write(subset(kSideNames[s], run.materials.all[m].name,
                       fmt::format("        int[] indices = {}\n", list(f.of_material[m]))));
    }
    out.write("    }\n");
    motion[p] = {};
  }
  out.write("}\n");
  write_pictures(run.materials, file);
  out.commit();
  return {surfaces.size(), surfaces.size()};
}

UsdaReport write_changing_usda(const SolidRun& run, const Placement& placement, const std::filesystem::path& file) {
  Samples extent(kExtent), points(kPoints), velocities(kVelocities), counts("int[] faceVertexCounts"),
      corners("int[] faceVertexIndices"), fragment("int[] primvars:fragment"), uvs("texCoord2f[] primvars:st");
  std::vector<Samples> of_material(run.materials.all.size(), Samples("int[] indices"));
  bool textured = false;
  UsdaReport report{0, 1};
  for (const int number : run.frames) {
    const Frame frame = run.frame(number);
    std::vector<std::uint32_t> point_of(frame.position.size(), ~0u);
    Faces faces;
    const std::vector<PieceSurface> pieces = piece_surfaces(frame, NormalsOf::material);
    for (const PieceSurface& piece : pieces) faces.add(piece, run.materials, point_of);
    report.pieces = pieces.size();
    const Vectors x = faces.at(frame.position, placement);
    extent.add(number, list(extent_of(x)));
    points.add(number, list(x));
    velocities.add(number, list(faces.at(frame.velocity, placement, run.pace)));
    counts.add(number, faces.counts());
    corners.add(number, list(faces.corners));
    fragment.add(number, list(faces.fragment));
    if (!frame.uv.empty()) textured = true, uvs.add(number, "[" + faces.uvs + "]");
    for (std::size_t m = 0; m < of_material.size(); ++m) of_material[m].add(number, list(faces.of_material[m]));
  }
  AtomicFile out(file);
  out.write(header(run, placement, file));
  out.write(mesh_begin("pieces", run.materials.all[kOutside].name));
  for (Samples* samples : {&counts, &corners, &extent, &points, &velocities}) out.write(samples->done());
  out.write("        int[] primvars:fragment (\n            interpolation = \"uniform\"\n        )\n");
  out.write(fragment.done());
  if (textured) {
    out.write("        texCoord2f[] primvars:st (\n            interpolation = \"faceVarying\"\n        )\n");
    out.write(uvs.done());
  }
  for (std::size_t m = 0; m < of_material.size(); ++m) {
    const std::string& name = run.materials.all[m].name;
    out.write(subset(name, name, of_material[m].done()));
  }
  out.write("    }\n}\n");
  write_pictures(run.materials, file);
  out.commit();
  return report;
}

}  // namespace sunder
