#include "meshing/surface_skin.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "core/parallel.h"
#include "geometry/triangle.h"
#include "meshing/surface_edges.h"
#include "meshing/surface_texture.h"

namespace sunder {
namespace {

using Index = std::uint32_t;
constexpr Index kNone = 0xffffffffu;

class Look {
 public:
  Look(const TriangleMesh& input, const RepairedSurface& surface, const Features& features)
      : input_(input),
        surface_(surface),
        features_(features),
        uvs_(corner_uvs()),
        texture_(surface.points, surface.triangles, uvs_) {
    find_charts();
    if (input.normals.empty()) find_normals();
  }

  std::span<const Index> charts() const { return chart_; }

  Index group(Index t) const { return input_.groups.empty() ? 0 : input_.groups[surface_.source[t]]; }

  const SurfaceTexture& texture() const { return texture_; }

  Vec3 normal(Index t, const Vec3& weights) const {
    const auto& c = surface_.triangles[t];
    const Vec3 flat = area_vector({surface_.points[c[0]], surface_.points[c[1]], surface_.points[c[2]]}).normalized();
    Vec3 sum = Vec3::Zero();
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 n = input_.normals.empty() ? corner_normal_[3 * static_cast<std::size_t>(t) + k]
                                            : input_.normals[surface_.source[t]][input_corner(t, k)];
      sum += weights[static_cast<int>(k)] * n;
    }
    if (sum.dot(flat) < 0) sum = -sum;  // the triangle was turned
    return sum.norm() > 1e-12 ? Vec3(sum.normalized()) : flat;
  }

 private:
  std::size_t input_corner(Index t, std::size_t k) const { return surface_.is_turned[t] != 0 && k != 0 ? 3 - k : k; }
  std::vector<std::array<Vec2, 3>> corner_uvs() const {
    std::vector<std::array<Vec2, 3>> uvs;
    if (input_.uvs.empty()) return uvs;
    for (Index t = 0; t < surface_.triangles.size(); ++t) {
      const auto& uv = input_.uvs[surface_.source[t]];
      uvs.push_back({uv[input_corner(t, 0)], uv[input_corner(t, 1)], uv[input_corner(t, 2)]});
    }
    return uvs;
  }

  // Triangles that hang together with nothing between them that shows.
  void find_charts() {
    const SurfaceEdges edges(surface_.triangles);
    chart_.assign(surface_.triangles.size(), kNone);
    std::vector<Index> waiting;
    Index charts = 0;
    for (Index start = 0; start < chart_.size(); ++start) {
      if (chart_[start] != kNone) continue;
      chart_[start] = charts;
      waiting = {start};
      while (!waiting.empty()) {
        const Index t = waiting.back();
        waiting.pop_back();
        for (int side = 0; side < 3; ++side) {
          const Index n = edges.neighbour(t, side).triangle;
          if (n == kNone || chart_[n] != kNone || features_.patch[n] != features_.patch[t] || group(n) != group(t) ||
              !same_uv(t, static_cast<std::size_t>(side), n)) {
            continue;
          }
          chart_[n] = charts;
          waiting.push_back(n);
        }
      }
      ++charts;
    }
  }

  bool same_uv(Index t, std::size_t side, Index n) const {
    if (uvs_.empty()) return true;
    for (const std::size_t k : {side, (side + 1) % 3}) {
      const Index p = surface_.triangles[t][k];
      const auto& other = surface_.triangles[n];
      const auto j = static_cast<std::size_t>(std::find(other.begin(), other.end(), p) - other.begin());
      if (j == 3 || (uvs_[t][k] - uvs_[n][j]).norm() > 1e-6) return false;
    }
    return true;
  }

  // Mean of the triangles at a point that belong to the same smooth patch, weighted by their angles there.
  void find_normals() {
    std::map<std::pair<Index, Index>, Vec3> sum;  // point, patch
    for (Index t = 0; t < surface_.triangles.size(); ++t) {
      const auto& c = surface_.triangles[t];
      const Vec3 n = area_vector({surface_.points[c[0]], surface_.points[c[1]], surface_.points[c[2]]}).normalized();
      for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 a = (surface_.points[c[(k + 1) % 3]] - surface_.points[c[k]]).normalized();
        const Vec3 b = (surface_.points[c[(k + 2) % 3]] - surface_.points[c[k]]).normalized();
        const double angle = std::acos(std::clamp(a.dot(b), -1.0, 1.0));
        sum.try_emplace({c[k], features_.patch[t]}, Vec3::Zero()).first->second += angle * n;
      }
    }
    corner_normal_.resize(3 * surface_.triangles.size());
    for (Index t = 0; t < surface_.triangles.size(); ++t) {
      for (std::size_t k = 0; k < 3; ++k) {
        corner_normal_[3 * static_cast<std::size_t>(t) + k] =
            sum.at({surface_.triangles[t][k], features_.patch[t]}).normalized();
      }
    }
  }

  const TriangleMesh& input_;
  const RepairedSurface& surface_;
  const Features& features_;
  std::vector<std::array<Vec2, 3>> uvs_;  // of the triangles' corners
  SurfaceTexture texture_;
  std::vector<Index> chart_;
  std::vector<Vec3> corner_normal_;
};

// The part for each group of the input; faces without a group are `outside`.
std::vector<Index> parts_of_groups(const TriangleMesh& input, std::vector<std::string>& names) {
  names.clear();
  std::vector<Index> parts;
  for (const std::string& group : input.group_names)
    parts.push_back(part_index(names, group.empty() ? "outside" : group));
  if (parts.empty()) parts.push_back(part_index(names, "outside"));
  return parts;
}

}  // namespace

void add_surface_skin(TetSoup& soup, std::span<const SoupFace> boundary, const TriangleMesh& input,
                      const RepairedSurface& surface, const Features& features, const TriangleTree& tree) {
  const Look look(input, surface, features);
  const std::vector<Index> parts = parts_of_groups(input, soup.part_names);
  soup.skin.assign(boundary.size(), {});
  constexpr std::size_t batch = 128;
  parallel_chunks(boundary.size(), batch, [&](std::size_t begin, std::size_t end) {
    for (std::size_t f = begin; f < end; ++f) {
      const auto& p = boundary[f].points;
      const Vec3 middle = (soup.points[p[0]] + soup.points[p[1]] + soup.points[p[2]]) / 3;
      const Index home = tree.nearest(middle).triangle;
      soup.skin[f].tet = boundary[f].tet;
      soup.skin[f].face = static_cast<Index>(boundary[f].corner);
      FaceSkin& skin = soup.skin[f].skin;
      skin.part = parts[look.group(home)];
      skin.source = surface.source[home] + 1;
      for (std::size_t k = 0; k < 3; ++k) {
        const auto at = tree.nearest_labelled(soup.points[p[k]], 10.0, look.charts(), look.charts()[home]);
        skin.uv[k] = look.texture().beside(home, soup.points[p[k]], look.texture().at(at.triangle, at.at.weights));
        skin.normals[k] = look.normal(at.triangle, at.at.weights);
      }
    }
  });
}

}  // namespace sunder
