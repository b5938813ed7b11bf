#include "export/obj.h"

#include <fmt/format.h>

#include <iterator>
#include <string>

#include "core/files.h"

namespace sunder {
namespace {

// bowl.0012.obj and bowl.obj share bowl.mtl.
std::filesystem::path material_file(const std::filesystem::path& file) {
  std::filesystem::path stem = file.stem();
  const std::string number = stem.extension().string();
  if (number.size() > 1 && number.find_first_not_of("0123456789", 1) == std::string::npos) stem = stem.stem();
  return file.parent_path() / (stem.string() + ".mtl");
}

std::string material_text(const PieceMaterials& materials, const std::filesystem::path& library) {
  const std::vector<std::string> pictures = picture_names(materials, library);
  std::string text = "# sunder\n";
  for (std::size_t m = 0; m < materials.all.size(); ++m) {
    const PieceMaterial& material = materials.all[m];
    const auto& c = material.paint.color;
    text += fmt::format("newmtl {}\nKd {} {} {}\nKs 0.2 0.2 0.2\nNs {}\nillum 2\n", material.name, c[0], c[1], c[2],
                        material.roughness < 0.5 ? 100 : 5);
    if (!pictures[m].empty()) text += fmt::format("map_Kd {}\n", pictures[m]);
  }
  return text;
}

}  // namespace

void write_obj(const std::filesystem::path& file, const Frame& frame, const std::vector<PieceSurface>& pieces,
               const Placement& placement, const PieceMaterials& materials) {
  const std::filesystem::path library = material_file(file);
  const TriangleMesh mesh = welded_surface(frame, pieces, placement);
  const bool uvs = !mesh.uvs.empty();
  std::string text =
      fmt::format("# sunder, frame {}, {} s\nmtllib {}\n", frame.number, frame.time, library.filename().string());
  auto out = std::back_inserter(text);
  for (const Vec3& p : mesh.points) fmt::format_to(out, "v {} {} {}\n", p.x(), p.y(), p.z());
  for (const PieceSurface& piece : pieces) {
    for (const PieceSide& side : piece.sides) {
      for (const PieceVertex& v : side.vertices) {
        const Vec3 n = placement.turned(v.normal.cast<double>());
        if (uvs) fmt::format_to(out, "vt {:.7g} {:.7g}\n", v.uv.x(), v.uv.y());
        fmt::format_to(out, "vn {:.5g} {:.5g} {:.5g}\n", n.x(), n.y(), n.z());
      }
    }
  }
  std::size_t triangle = 0, first = 1;  // of the mesh; vertex of the side
  for (const PieceSurface& piece : pieces) {
    fmt::format_to(out, "o fragment_{:04d}\n", piece.fragment);
    for (const std::size_t s : {kOutside, kInside}) {
      const PieceSide& side = piece.sides[s];
      if (!side.triangles.empty()) fmt::format_to(out, "usemtl {}\n", materials.name(piece.body, s));
      for (const auto& corners : side.triangles) {
        text += 'f';
        for (std::size_t k = 0; k < 3; ++k) {
          const std::size_t vertex = first + corners[k];
          fmt::format_to(out, " {}/{}/{}", mesh.triangles[triangle][k] + 1, uvs ? fmt::format("{}", vertex) : "",
                         vertex);
        }
        text += '\n';
        ++triangle;
      }
      first += side.vertices.size();
    }
  }
  write_pictures(materials, library);
  write_file_atomically(library, material_text(materials, library));
  write_file_atomically(file, text);
}

}  // namespace sunder
