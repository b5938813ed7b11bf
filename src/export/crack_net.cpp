#include "export/crack_net.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <iterator>
#include <map>

#include "core/error.h"
#include "geometry/triangle.h"

namespace sunder {
namespace {

Vec3 area_of(const Frame& frame, const std::array<std::uint32_t, 3>& t) {
  return area_vector({frame.rest[t[0]], frame.rest[t[1]], frame.rest[t[2]]});
}

// By the time of their first event; borders first.
std::vector<CrackLine> ordered_lines(const CrackGraph& graph) {
  std::vector<CrackLine> lines = crack_lines(graph);
  std::stable_sort(lines.begin(), lines.end(),
                   [](const CrackLine& a, const CrackLine& b) { return a.first_event < b.first_event; });
  return lines;
}

}  // namespace

CrackGraph crack_graph_of(const Frame& frame) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> sides;  // triangles at an edge
  const auto key = [](std::uint32_t a, std::uint32_t b) { return std::pair(std::min(a, b), std::max(a, b)); };
  for (const auto& t : frame.triangles) {
    for (std::size_t k = 0; k < 3; ++k) ++sides[key(t[(k + 1) % 3], t[(k + 2) % 3])];
  }
  std::vector<CrackSegment> segments;
  for (std::size_t i = 0; i < frame.triangles.size(); ++i) {
    const auto& t = frame.triangles[i];
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = t[(k + 1) % 3], b = t[(k + 2) % 3];
      if (sides[key(a, b)] != 1) continue;
      const bool crack = (frame.crack_faces[i] >> k & 1) != 0;
      segments.push_back({frame.rest[a], frame.rest[b], !crack, crack ? frame.crack_order[i][k] : 0});
    }
  }
  return crack_graph(segments);
}

Vec3 flat_normal(const Frame& frame) {
  Vec3 sum = Vec3::Zero();
  double all = 0;
  for (const auto& t : frame.triangles) {
    const Vec3 area = area_of(frame, t);
    sum += area;
    all += area.norm();
  }
  return all > 0 && sum.norm() > all * (1 - 1e-6) ? Vec3(sum.normalized()) : Vec3(Vec3::Zero());
}

double mean_edge_of(const Frame& frame) {
  double sum = 0;
  for (const auto& t : frame.triangles) {
    for (std::size_t k = 0; k < 3; ++k) sum += (frame.rest[t[(k + 1) % 3]] - frame.rest[t[k]]).norm();
  }
  return frame.triangles.empty() ? 0 : sum / (3 * static_cast<double>(frame.triangles.size()));
}

std::string crack_lines_obj(const Frame& frame) {
  const CrackGraph graph = crack_graph_of(frame);
  std::string text = "# sunder: cracks as lines, in the order in which they opened\n";
  auto out = std::back_inserter(text);
  for (const Vec3& p : graph.points) fmt::format_to(out, "v {} {} {}\n", p.x(), p.y(), p.z());
  for (const CrackLine& line : ordered_lines(graph)) {
    if (line.rim) continue;
    fmt::format_to(out, "o crack_{}\nl", line.first_event);
    for (const std::uint32_t p : line.points) fmt::format_to(out, " {}", p + 1);
    text += '\n';
  }
  return text;
}

std::string crack_lines_svg(const Frame& frame, double width) {
  const Vec3 normal = flat_normal(frame);
  if (normal.isZero()) throw UsageError("a drawing (.svg) needs a flat surface; take .obj lines or a .png mask");
  const CrackGraph graph = crack_graph_of(frame);
  // Seen from outside, with the world's up upwards, or -z if the surface lies on its back.
  const Vec3 helper = std::abs(normal.y()) > 0.9 ? Vec3(-Vec3::UnitZ()) : Vec3(Vec3::UnitY());
  const Vec3 up = (helper - normal.dot(helper) * normal).normalized(), right = up.cross(normal);
  constexpr double kMillimetres = 1000;
  std::vector<Vec2> points;
  Vec2 low = Vec2::Constant(1e300), high = -low;
  for (const Vec3& p : graph.points) {
    points.emplace_back(kMillimetres * p.dot(right), -kMillimetres * p.dot(up));
    low = low.cwiseMin(points.back()), high = high.cwiseMax(points.back());
  }
  const double line = kMillimetres * width;
  const Vec2 margin = Vec2::Constant(line), size = high - low + 2 * margin;
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.4f}mm\" height=\"{1:.4f}mm\" viewBox=\"0 0 {0:.4f} "
      "{1:.4f}\">\n<g fill=\"none\" stroke=\"#201810\" stroke-width=\"{2:.4f}\" stroke-linejoin=\"round\" "
      "stroke-linecap=\"round\">\n",
      size.x(), size.y(), line);
  auto out = std::back_inserter(text);
  for (const CrackLine& l : ordered_lines(graph)) {
    fmt::format_to(out, "<path class=\"{}\" data-event=\"{}\" d=\"", l.rim ? "border" : "crack", l.first_event);
    for (std::size_t i = 0; i < l.points.size(); ++i) {
      const Vec2 p = points[l.points[i]] - low + margin;
      fmt::format_to(out, "{}{:.4f} {:.4f}", i == 0 ? "M" : " L", p.x(), p.y());
    }
    text += "\"/>\n";
  }
  return text + "</g>\n</svg>\n";
}

}  // namespace sunder
