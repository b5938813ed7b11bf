#include "sim/painted_pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/files.h"
#include "core/suggest.h"
#include "mesh/soup_boundary.h"
#include "meshfile/read_surface.h"
#include "meshfile/vtk_cells.h"
#include "meshing/mesh_file.h"
#include "spatial/tet_tree.h"
#include "spatial/triangle_tree.h"

namespace sunder {
namespace {

// The numbers of a surface, from the point nearest to another.
class PaintedSurface {
 public:
  PaintedSurface(const std::vector<Vec3>& points, std::vector<std::array<std::uint32_t, 3>> triangles,
                 std::vector<double> values)
      : triangles_(std::move(triangles)), values_(std::move(values)), tree_(points, triangles_) {}

  double at(const Vec3& x) const {
    const TriangleTree::Nearest nearest = tree_.nearest(x);
    const auto& corners = triangles_[nearest.triangle];
    double value = 0;
    for (int i = 0; i < 3; ++i) value += nearest.at.weights[i] * values_[corners[static_cast<std::size_t>(i)]];
    return value;
  }

 private:
  std::vector<std::array<std::uint32_t, 3>> triangles_;
  std::vector<double> values_;  // by point
  TriangleTree tree_;
};

// The numbers of a volume, between the points of the tet that holds another.
class PaintedVolume {
 public:
  PaintedVolume(TetSoup soup, const std::vector<double>& values)
      : soup_(std::move(soup)), values_(values), tets_(soup_), surface_(soup_.points, boundary(soup_), values) {}
  PaintedVolume(const PaintedVolume&) = delete;  // the tree looks at soup_
  PaintedVolume& operator=(const PaintedVolume&) = delete;

  double at(const Vec3& x) const {
    const auto held = tets_.holder(x);
    if (!held) return surface_.at(x);
    double value = 0;
    for (std::size_t i = 0; i < 4; ++i) value += held->weights[i] * values_[soup_.tets[held->tet][i]];
    return value;
  }

 private:
  static std::vector<std::array<std::uint32_t, 3>> boundary(const TetSoup& soup) {
    std::vector<std::array<std::uint32_t, 3>> triangles;
    for (const SoupFace& face : soup_boundary(soup)) triangles.push_back(face.points);
    return triangles;
  }

  TetSoup soup_;
  std::vector<double> values_;  // by point
  TetTree tets_;
  PaintedSurface surface_;
};

// The file that is painted, and how it lies in the body.
struct PaintedFile {
  std::filesystem::path path;
  Mat3 placing = Mat3::Identity();
  bool is_volume = false;
};

PaintedFile file_of(const PaintedPattern& spec, const BodySpec& body, const Place& place) {
  PaintedFile file{spec.path};
  if (const auto* own = std::get_if<FileShape>(&body.shape); own != nullptr && spec.path.empty()) {
    file = {own->path, placing(*own)};
  }
  file.is_volume = ending_of(file.path) == ".vtu";
  if (!file.is_volume && !is_surface_file(file.path)) {
    throw InputError(place, fmt::format("{} holds no paint that sunder reads", file.path.filename().string()),
                     "give the `path` of a painted .ply, .obj or .gltf surface, or of a .vtu volume with point data");
  }
  return file;
}

// The attribute that the pattern asks for, all of it finite.
std::vector<double> values_of(const std::vector<PointAttribute>& attributes, const PaintedPattern& spec,
                              const PaintedFile& file, const Place& place) {
  std::vector<std::string> names;
  for (const PointAttribute& a : attributes) names.push_back(a.name);
  const auto found = std::find(names.begin(), names.end(), spec.attribute);
  if (found == names.end()) {
    const char* none = file.is_volume ? "no point of it has any: save it with point data of this name"
                                      : "no vertex of it has any: save it with vertex colours, as .ply, .obj or .gltf";
    throw InputError(place, fmt::format("{} has no attribute `{}`", file.path.filename().string(), spec.attribute),
                     names.empty() ? none : suggestion(spec.attribute, names));
  }
  const std::vector<double>& values = attributes[static_cast<std::size_t>(found - names.begin())].values;
  for (std::size_t v = 0; v < values.size(); ++v) {
    if (std::isfinite(values[v])) continue;
    throw InputError(
        {file.path.string()},
        fmt::format("`{}` of {} {} is no finite number", spec.attribute, file.is_volume ? "point" : "vertex", v),
        "paint it again, or repair the file");
  }
  return values;
}

template <class Painted>
ToughnessPattern pattern_of(std::shared_ptr<const Painted> painted, double full) {
  return [painted = std::move(painted), full](const Vec3& x, Uid) {
    return PatternPoint{std::clamp(painted->at(x) / full, 0.0, 1.0), PatternPoint::Planes::all, Vec3::UnitX()};
  };
}

}  // namespace

ToughnessPattern painted_pattern(const PaintedPattern& spec, const BodySpec& body, const Place& place) {
  const PaintedFile file = file_of(spec, body, place);
  if (file.is_volume) {
    PaintedTets tets = painted_tets(read_vtu(read_file(file.path), file.path.string()), file.path.string());
    for (Vec3& point : tets.soup.points) point = file.placing * point;
    const std::vector<double> values = values_of(tets.attributes, spec, file, place);
    return pattern_of(std::make_shared<const PaintedVolume>(std::move(tets.soup), values), spec.full);
  }
  TriangleMesh surface = read_surface(file.path);
  for (Vec3& point : surface.points) point = file.placing * point;
  std::vector<double> values = values_of(surface.attributes, spec, file, place);
  return pattern_of(
      std::make_shared<const PaintedSurface>(surface.points, std::move(surface.triangles), std::move(values)),
      spec.full);
}

}  // namespace sunder
