#include "apps/cli/mesh_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <vector>

#include "mesh/quality.h"
#include "scene/schema.h"

namespace sunder::cli {
namespace {

Json json(const Vec3& v) { return Json::array({v.x(), v.y(), v.z()}); }

// How many boundary faces belong to each part of the shape.
Json part_counts(const TetSoup& soup) {
  std::vector<std::size_t> counts(soup.part_names.size(), 0);
  for (const SkinFace& face : soup.skin) ++counts[face.skin.part];
  Json parts = Json::object();
  for (std::size_t i = 0; i < counts.size(); ++i) parts[soup.part_names[i]] = counts[i];
  return parts;
}

}  // namespace

void print_lines(const Json& table, int indent) {
  for (const auto& [key, value] : table.items()) {
    const std::string label = std::string(static_cast<std::size_t>(indent), ' ') + key;
    if (value.is_object()) {
      fmt::print("{}\n", label);
      print_lines(value, indent + 2);
    } else if (value.is_array() && !value.empty() && value[0].is_string()) {
      fmt::print("{}\n", label);
      for (const Json& line : value) fmt::print("{:{}}{}\n", "", indent + 2, line.get<std::string>());
    } else {
      std::string text = value.is_string() ? value.get<std::string>() : value.dump();
      if (value.is_number_float()) text = fmt::format("{:.6g}", value.get<double>());
      fmt::print("{:<28} {}\n", label, text);
    }
  }
}

Json mesh_report(const TetSoup& soup, const std::optional<double>& exact) {
  const MeshQuality q = mesh_quality(soup);
  const double degrees = 180 / std::numbers::pi;
  Json report = {{"what", "mesh"},
                 {"nodes", q.nodes},
                 {"tets", q.tets},
                 {"volume_m3", q.volume},
                 {"lower", json(q.lower)},
                 {"upper", json(q.upper)},
                 {"quality", {{"min", q.min_quality}, {"mean", q.mean_quality}}},
                 {"min_dihedral_degrees", q.min_dihedral * degrees},
                 {"max_dihedral_degrees", q.max_dihedral * degrees},
                 {"min_altitude_m", q.min_altitude},
                 {"edge_m", {{"min", q.min_edge}, {"mean", q.mean_edge}, {"max", q.max_edge}}}};
  if (exact) {
    report["exact_volume_m3"] = *exact;
    report["volume_error"] = q.volume / *exact - 1;
  }
  if (!soup.part_names.empty()) report["faces_of_parts"] = part_counts(soup);
  return report;
}

Json surface_report(const SurfaceMeshReport& r) {
  return {{"closed", r.input_closed},
          {"input_volume_m3", r.input_volume},
          {"pieces", r.pieces},
          {"deviation_m", {{"max", r.deviation_max}, {"mean", r.deviation_mean}}},
          {"surface_to_mesh_m", {{"max", r.back_deviation_max}, {"mean", r.back_deviation_mean}}},
          {"surface_not_reached", r.lost},
          {"boundary_that_closes_holes", r.filled},
          {"thinnest_wall_m", r.thinnest_wall},
          {"finest_edge_m", r.finest_edge},
          {"sharp_corners", fmt::format("{} of {} kept", r.corners_kept, r.corners)},
          {"sharp_edges_m", fmt::format("{:.4g} of {:.4g} kept", r.sharp_length_kept, r.sharp_length)},
          {"repaired",
           {{"doubled_faces", r.doubled},
            {"faces_without_area", r.dropped},
            {"turned_faces", r.turned},
            {"open_edges", r.open_edges},
            {"shells", r.shells},
            {"specks_left_out", r.lost_pieces}}}};
}

bool looks_like_shape(const std::string& what) {
  const auto& kinds = Kinds<Shape>::names;
  return what.starts_with('{') || (what != "file" && std::find(kinds.begin(), kinds.end(), what) != kinds.end());
}

}  // namespace sunder::cli
