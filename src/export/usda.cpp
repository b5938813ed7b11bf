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

std::string header(const SolidRun& run, const Placement& placement) {
  std::string text = fmt::format(
      "#usda 1.0\n(\n    defaultPrim = \"run\"\n    doc = \"sunder: {}\"\n    startTimeCode = {}\n    endTimeCode = "
      "{}\n"
      "    timeCodesPerSecond = {}\n    framesPerSecond = {}\n    metersPerUnit = {}\n    upAxis = \"{}\"\n)\n\n"
      "def Xform \"run\"\n{{\n    def Scope \"materials\"\n    {{\n",
      run.name, run.frames.front(), run.frames.back(), run.fps, run.fps, 1 / placement.scale,
      placement.z_up ? "Z" : "Y");
  for (const std::size_t s : {kOutside, kInside}) {
    const auto& c = run.colors[s];
    text += fmt::format(
        "        def Material \"{0}\"\n        {{\n"
        "            token outputs:surface.connect = </run/materials/{0}/shader.outputs:surface>\n"
        "            def Shader \"shader\"\n            {{\n"
        "                uniform token info:id = \"UsdPreviewSurface\"\n"
        "                color3f inputs:diffuseColor = ({1}, {2}, {3})\n"
        "                float inputs:roughness = {4}\n                token outputs:surface\n            }}\n"
        "        }}\n",
        kSideNames[s], c[0], c[1], c[2], s == kOutside ? 0.35 : 0.9);
  }
  return text + "    }\n";
}

std::string mesh_begin(const std::string& name) {
  return fmt::format(
      "\n    def Mesh \"{}\" (\n        prepend apiSchemas = [\"MaterialBindingAPI\"]\n    )\n    {{\n"
      "        uniform token subdivisionScheme = \"none\"\n        uniform token orientation = \"rightHanded\"\n"
      "        uniform token subsetFamily:materialBind:familyType = \"partition\"\n"
      "        rel material:binding = </run/materials/outside>\n",
      name);
}

std::string subset(std::size_t side, const std::string& indices) {
  return fmt::format(
      "\n        def GeomSubset \"{0}\" (\n            prepend apiSchemas = [\"MaterialBindingAPI\"]\n        )\n"
      "        {{\n            uniform token elementType = \"face\"\n"
      "            uniform token familyName = \"materialBind\"\n    {1}"
      "            rel material:binding = </run/materials/{0}>\n        }}\n",
      kSideNames[side], indices);
}

// The faces of pieces over the nodes that they use.
struct Faces {
  std::vector<std::uint32_t> nodes;                   // of the frame, by point
  std::vector<std::uint32_t> corners;                 // points, three a face
  std::array<std::vector<std::uint32_t>, 2> of_side;  // faces
  std::vector<std::uint32_t> fragment;                // of each face
  std::string uvs;                                    // of each corner

  void add(const PieceSurface& piece, std::vector<std::uint32_t>& point_of) {
    for (const std::size_t s : {kOutside, kInside}) {
      for (const auto& triangle : piece.sides[s].triangles) {
        of_side[s].push_back(static_cast<std::uint32_t>(corners.size() / 3));
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
  for (std::size_t p = 0; p < surfaces.size(); ++p) faces[p].add(surfaces[p], point_of);

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
  out.write(header(run, placement));
  for (std::size_t p = 0; p < surfaces.size(); ++p) {
    const FinalPiece& piece = final.pieces[p];
    const Faces& f = faces[p];
    std::string text = mesh_begin(fmt::format("fragment_{:04d}", piece.fragment));
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
      out.write(subset(s, fmt::format("        int[] indices = {}\n", list(f.of_side[s]))));
    }
    out.write("    }\n");
    motion[p] = {};
  }
  out.write("}\n");
  out.commit();
  return {surfaces.size(), surfaces.size()};
}

UsdaReport write_changing_usda(const SolidRun& run, const Placement& placement, const std::filesystem::path& file) {
  Samples extent(kExtent), points(kPoints), velocities(kVelocities), counts("int[] faceVertexCounts"),
      corners("int[] faceVertexIndices"), fragment("int[] primvars:fragment"), uvs("texCoord2f[] primvars:st");
  std::array<Samples, 2> of_side = {Samples("int[] indices"), Samples("int[] indices")};
  bool textured = false;
  UsdaReport report{0, 1};
  for (const int number : run.frames) {
    const Frame frame = run.frame(number);
    std::vector<std::uint32_t> point_of(frame.position.size(), ~0u);
    Faces faces;
    const std::vector<PieceSurface> pieces = piece_surfaces(frame, NormalsOf::material);
    for (const PieceSurface& piece : pieces) faces.add(piece, point_of);
    report.pieces = pieces.size();
    const Vectors x = faces.at(frame.position, placement);
    extent.add(number, list(extent_of(x)));
    points.add(number, list(x));
    velocities.add(number, list(faces.at(frame.velocity, placement, run.pace)));
    counts.add(number, faces.counts());
    corners.add(number, list(faces.corners));
    fragment.add(number, list(faces.fragment));
    if (!frame.uv.empty()) textured = true, uvs.add(number, "[" + faces.uvs + "]");
    for (const std::size_t s : {kOutside, kInside}) of_side[s].add(number, list(faces.of_side[s]));
  }
  AtomicFile out(file);
  out.write(header(run, placement));
  out.write(mesh_begin("pieces"));
  for (Samples* samples : {&counts, &corners, &extent, &points, &velocities}) out.write(samples->done());
  out.write("        int[] primvars:fragment (\n            interpolation = \"uniform\"\n        )\n");
  out.write(fragment.done());
  if (textured) {
    out.write("        texCoord2f[] primvars:st (\n            interpolation = \"faceVarying\"\n        )\n");
    out.write(uvs.done());
  }
  for (const std::size_t s : {kOutside, kInside}) out.write(subset(s, of_side[s].done()));
  out.write("    }\n}\n");
  out.commit();
  return report;
}

}  // namespace sunder
