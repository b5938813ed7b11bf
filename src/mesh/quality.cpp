#include "mesh/quality.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/tetrahedron.h"

namespace sunder {
namespace {

// The edges of the tets, each once, as smaller and larger node. Bucketed by the smaller node, so nearly linear.
std::vector<std::array<std::uint32_t, 2>> unique_edges(std::span<const std::array<std::uint32_t, 4>> tets,
                                                       std::size_t node_count) {
  std::vector<std::size_t> bucket_end(node_count + 1, 0);
  const auto for_each_edge = [&](auto&& use) {
    for (const auto& c : tets) {
      for (const auto& e : kTetEdges) {
        const std::uint32_t a = c[static_cast<std::size_t>(e[0])], b = c[static_cast<std::size_t>(e[1])];
        use(std::min(a, b), std::max(a, b));
      }
    }
  };
  for_each_edge([&](std::uint32_t a, std::uint32_t) { ++bucket_end[a + 1]; });
  for (std::size_t n = 0; n < node_count; ++n) bucket_end[n + 1] += bucket_end[n];
  std::vector<std::uint32_t> larger(bucket_end[node_count]);
  for_each_edge([&](std::uint32_t a, std::uint32_t b) { larger[bucket_end[a]++] = b; });
  std::vector<std::array<std::uint32_t, 2>> edges;
  auto begin = larger.begin();
  for (std::uint32_t n = 0; n < node_count; ++n) {
    const auto end = larger.begin() + static_cast<std::ptrdiff_t>(bucket_end[n]);
    std::sort(begin, end);
    const auto last = std::unique(begin, end);
    for (auto other = begin; other != last; ++other) edges.push_back({n, *other});
    begin = end;
  }
  return edges;
}

}  // namespace

MeshQuality mesh_quality(const TetSoup& soup) {
  MeshQuality report;
  report.nodes = soup.points.size();
  report.tets = soup.tets.size();
  if (soup.tets.empty()) return report;

  bool first = true;
  for (const auto& c : soup.tets) {
    const TetCorners x = {soup.points[c[0]], soup.points[c[1]], soup.points[c[2]], soup.points[c[3]]};
    const double q = quality(x), altitude = smallest_altitude(x);
    const auto angles = dihedral_angles(x);
    const auto [least, most] = std::minmax_element(angles.begin(), angles.end());
    if (first) {
      report.lower = report.upper = x[0];
      report.min_quality = q;
      report.min_dihedral = report.max_dihedral = *least;
      report.min_altitude = altitude;
      first = false;
    }
    report.volume += signed_volume(x);
    report.min_quality = std::min(report.min_quality, q);
    report.mean_quality += q;
    report.min_dihedral = std::min(report.min_dihedral, *least);
    report.max_dihedral = std::max(report.max_dihedral, *most);
    report.min_altitude = std::min(report.min_altitude, altitude);
    for (const Vec3& corner : x) {
      report.lower = report.lower.cwiseMin(corner);
      report.upper = report.upper.cwiseMax(corner);
    }
  }
  report.mean_quality /= static_cast<double>(soup.tets.size());

  const auto edges = unique_edges(soup.tets, soup.points.size());
  report.min_edge = (soup.points[edges[0][0]] - soup.points[edges[0][1]]).norm();
  for (const auto& e : edges) {
    const double length = (soup.points[e[0]] - soup.points[e[1]]).norm();
    report.min_edge = std::min(report.min_edge, length);
    report.mean_edge += length;
    report.max_edge = std::max(report.max_edge, length);
  }
  report.mean_edge /= static_cast<double>(edges.size());
  return report;
}

MeshQuality mesh_quality(const TetMesh& mesh) {
  TetSoup soup;
  soup.points.assign(mesh.material_positions().begin(), mesh.material_positions().end());
  soup.tets.reserve(mesh.tet_count());
  for (const TetId t : id_range<TetId>(mesh.tet_slots())) {
    if (!mesh.alive(t)) continue;
    const auto& c = mesh.corners(t);
    soup.tets.push_back({c[0].index, c[1].index, c[2].index, c[3].index});
  }
  MeshQuality report = mesh_quality(soup);
  report.nodes = mesh.node_count();
  return report;
}

}  // namespace sunder
