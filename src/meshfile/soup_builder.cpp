#include "meshfile/soup_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/error.h"
#include "geometry/tetrahedron.h"

namespace sunder {
namespace {

// The volume is no more than the rounding of the coordinates can make of a flat tetrahedron: each of the three edges in
// the product carries an error of about eps * |x|.
bool is_flat(const TetCorners& x) {
  double longest_edge = 0;
  double largest_coordinate = 0;
  for (const auto& [i, j] : kTetEdges) {
    longest_edge = std::max(longest_edge, (x[static_cast<std::size_t>(i)] - x[static_cast<std::size_t>(j)]).norm());
  }
  for (const Vec3& corner : x) largest_coordinate = std::max(largest_coordinate, corner.cwiseAbs().maxCoeff());
  const double rounding = 8 * std::numeric_limits<double>::epsilon() * largest_coordinate;
  return !(6 * std::abs(signed_volume(x)) > rounding * longest_edge * longest_edge);
}

}  // namespace

SoupBuilder::SoupBuilder(std::string point_file, std::string cell_file, std::string point_word, std::string cell_word)
    : point_file_(std::move(point_file)),
      cell_file_(std::move(cell_file)),
      point_word_(std::move(point_word)),
      cell_word_(std::move(cell_word)) {}

void SoupBuilder::add_point(std::int64_t number, const Vec3& position, int line) {
  points_.push_back({number, position, line});
}

void SoupBuilder::add_tet(std::int64_t number, const std::array<std::int64_t, 4>& corners, int line) {
  tets_.push_back({number, corners, line});
}

void SoupBuilder::refuse_cell(std::int64_t number, const std::string& kind, int line) const {
  throw InputError({cell_file_, line},
                   fmt::format("{} {} is a {}: only tetrahedra can be simulated", cell_word_, number, kind),
                   "split it into tetrahedra in the meshing program (in Gmsh: no transfinite, recombined or "
                   "extruded-with-layers volumes)");
}

void SoupBuilder::sort_points_by_number() {
  by_number_.resize(points_.size());
  std::iota(by_number_.begin(), by_number_.end(), 0u);
  const auto less = [&](std::uint32_t a, std::uint32_t b) { return points_[a].number < points_[b].number; };
  if (!std::is_sorted(by_number_.begin(), by_number_.end(), less)) {
    std::stable_sort(by_number_.begin(), by_number_.end(), less);
  }
  const auto twin = std::adjacent_find(by_number_.begin(), by_number_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return points_[a].number == points_[b].number;
  });
  if (twin != by_number_.end()) {
    const Point& second = points_[*(twin + 1)];
    throw InputError({point_file_, second.line}, fmt::format("{} {} is defined twice", point_word_, second.number),
                     "number the points anew in the program the mesh came from");
  }
}

const SoupBuilder::Point* SoupBuilder::find_point(std::int64_t number) const {
  // Most files number their points without gaps: then the place is known without a search.
  if (points_.empty()) return nullptr;
  const auto guess = static_cast<std::uint64_t>(number) - static_cast<std::uint64_t>(points_[by_number_[0]].number);
  if (guess < by_number_.size() && points_[by_number_[guess]].number == number) return &points_[by_number_[guess]];
  const auto found = std::lower_bound(by_number_.begin(), by_number_.end(), number,
                                      [&](std::uint32_t i, std::int64_t wanted) { return points_[i].number < wanted; });
  if (found == by_number_.end() || points_[*found].number != number) return nullptr;
  return &points_[*found];
}

TetSoup SoupBuilder::finish() {
  if (tets_.empty()) {
    throw InputError({cell_file_}, "there are no tetrahedra in the file",
                     "mesh the volume, not only its surface, before exporting (in Gmsh: Mesh > 3D)");
  }
  // Ids are 32 bits wide, and the last one means "none".
  if (points_.size() >= std::numeric_limits<std::uint32_t>::max()) {
    throw InputError({cell_file_}, fmt::format("{} points are too many", points_.size()), "use a coarser mesh");
  }
  sort_points_by_number();

  TetSoup soup;
  soup.tets.reserve(tets_.size());
  std::vector<bool> used(points_.size(), false);
  for (const Tet& tet : tets_) {
    TetCorners x;
    std::array<std::uint32_t, 4> corners{};
    for (std::size_t i = 0; i < 4; ++i) {
      const Point* point = find_point(tet.corners[i]);
      if (point == nullptr) {
        throw InputError({cell_file_, tet.line},
                         fmt::format("{} {} uses {} {}, which the file does not define ({} points are defined)",
                                     cell_word_, tet.number, point_word_, tet.corners[i], points_.size()),
                         "export the mesh again, with all its points");
      }
      if (!point->position.allFinite()) {
        throw InputError({point_file_, point->line},
                         fmt::format("{} {} has a coordinate that is not finite", point_word_, point->number),
                         "repair the mesh in the program it came from");
      }
      x[i] = point->position;
      corners[i] = static_cast<std::uint32_t>(point - points_.data());
      used[corners[i]] = true;
    }
    if (is_flat(x)) {
      throw InputError({cell_file_, tet.line}, fmt::format("{} {} has no volume", cell_word_, tet.number),
                       "remove it, or optimise the mesh, in the meshing program");
    }
    if (signed_volume(x) < 0) std::swap(corners[2], corners[3]);
    soup.tets.push_back(corners);
  }

  std::vector<std::uint32_t> index(points_.size());
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (!used[i]) continue;
    index[i] = static_cast<std::uint32_t>(soup.points.size());
    soup.points.push_back(points_[i].position);
    kept_.push_back(points_[i].number);
  }
  for (auto& tet : soup.tets) {
    for (std::uint32_t& corner : tet) corner = index[corner];
  }
  return soup;
}

}  // namespace sunder
