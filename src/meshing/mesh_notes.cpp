#include "meshing/mesh_notes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

namespace sunder {
namespace {

// "3 faces without area"; nothing for none.
void add_count(std::vector<std::string>& list, std::size_t count, const char* one, const char* many) {
  if (count > 0) list.push_back(fmt::format("{} {}", count, count == 1 ? one : many));
}

std::string place(const Vec3& x) { return fmt::format("({:.4g}, {:.4g}, {:.4g})", x[0], x[1], x[2]); }

void note_repairs(const SurfaceMeshReport& r, std::vector<std::string>& notes) {
  std::vector<std::string> mended;
  add_count(mended, r.doubled, "face that was there twice", "faces that were there twice");
  add_count(mended, r.dropped, "face without area", "faces without area");
  add_count(mended, r.turned, "face that was turned the wrong way", "faces that were turned the wrong way");
  add_count(mended, r.open_edges, "open edge", "open edges");
  if (!mended.empty()) notes.push_back(fmt::format("the surface was mended: {}", fmt::join(mended, ", ")));
  if (r.filled > 0.001) {
    notes.push_back(fmt::format("holes were closed: {:.1f} % of the boundary is not of the model", 100 * r.filled));
  }
}

void note_losses(const SurfaceMeshReport& r, std::vector<std::string>& notes) {
  constexpr double far = 0.5;                // of an edge
  constexpr double much = 0.02;              // of the volume
  constexpr double most_sharp_edges = 0.95;  // of their length
  const std::string remedy = "a shorter edge comes nearer";
  if (r.lost > 0) {
    notes.push_back(fmt::format("{:.2g} % of the surface has details finer than the mesh, for instance near {}: {}",
                                100 * r.lost, place(r.worst_place), remedy));
  } else if (r.back_deviation_max > far * r.edge) {
    notes.push_back(fmt::format("the mesh is up to {:.3g} m away from the surface, near {}: {}", r.back_deviation_max,
                                place(r.worst_place), remedy));
  }
  const double change = r.volume / r.input_volume - 1;
  if (r.input_closed && r.shells == 1 && std::abs(change) > much) {
    notes.push_back(fmt::format("the mesh has {:.1f} % {} volume than the model: {}", 100 * std::abs(change),
                                change < 0 ? "less" : "more", remedy));
  }
  if (r.sharp_length_kept < most_sharp_edges * r.sharp_length) {
    notes.push_back(fmt::format("{:.0f} % of the sharp edges' length is bevelled: a shorter edge keeps more",
                                100 - 100 * r.sharp_length_kept / r.sharp_length));
  }
  if (r.lost_pieces > 0) notes.push_back(fmt::format("{} specks smaller than a cell were left out", r.lost_pieces));
}

}  // namespace

std::vector<std::string> mesh_notes(const SurfaceMeshReport& r) {
  std::vector<std::string> notes;
  note_repairs(r, notes);
  if (r.thinnest_wall > 0 && r.finest_edge < 0.75 * r.edge && r.thinnest_wall < 2 * r.edge) {
    notes.push_back(fmt::format(
        "walls are as thin as {:.3g} m, so edges there go down to {:.3g} m from the {:.3g} m asked for; time steps "
        "shrink with them",
        r.thinnest_wall, r.finest_edge, r.edge));
  }
  if (r.given_up_below > 0) {
    notes.push_back(
        fmt::format("parts thinner than {:.3g} m are not resolved, they would take too many tets", r.given_up_below));
  }
  note_losses(r, notes);
  if (r.pieces > 1) notes.push_back(fmt::format("the model is in {} pieces that nothing holds together", r.pieces));
  return notes;
}

}  // namespace sunder
