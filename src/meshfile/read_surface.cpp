#include "meshfile/read_surface.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "core/error.h"
#include "core/files.h"
#include "meshfile/surface_formats.h"

namespace sunder {
namespace {

const std::array<std::string, 6> kEndings = {".obj", ".ply", ".stl", ".off", ".gltf", ".glb"};

std::string ending_for_content(std::string_view content) {
  if (content.starts_with("ply")) return ".ply";
  if (content.starts_with("glTF")) return ".glb";
  if (content.starts_with("solid")) return ".stl";
  content.remove_prefix(std::min(content.find_first_not_of(" \t\r\n"), content.size()));
  const std::string_view line = content.substr(0, content.find('\n'));
  if (line.find("OFF") != std::string_view::npos) return ".off";
  if (content.starts_with("{") && content.find("\"asset\"") != std::string_view::npos) return ".gltf";
  if (content.starts_with("v ") || content.find("\nv ") != std::string_view::npos) return ".obj";
  return "";
}

}  // namespace

std::span<const std::string> surface_file_endings() { return kEndings; }

bool is_surface_file(const std::filesystem::path& path) {
  return std::find(kEndings.begin(), kEndings.end(), ending_of(path)) != kEndings.end();
}

TriangleMesh read_surface(const std::filesystem::path& path) {
  const std::string content = read_file(path);
  const std::string ending = is_surface_file(path) ? ending_of(path) : ending_for_content(content);
  if (ending == ".obj") return read_obj(content, path.string());
  if (ending == ".ply") return read_ply(content, path.string());
  if (ending == ".stl") return read_stl(content, path.string());
  if (ending == ".off") return read_off(content, path.string());
  if (ending == ".gltf" || ending == ".glb") return read_gltf(content, path);
  throw InputError({path.string()}, "this is not a surface format that sunder knows",
                   fmt::format("surfaces are read from {} files", fmt::join(kEndings, " ")));
}

}  // namespace sunder
