#pragma once
// How a flat net of cracks looks in numbers: its junctions, their angles, its cells and the corners they have.

#include <algorithm>
#include <array>
#include <cstddef>

#include "fracture/crack_graph.h"

namespace sunder {

struct CrackStatistics {
  // Of junctions inside the surface. Three cracks, two of which are one straight one: T. Three others: Y. More: X; so
  // are two junctions nearer to each other than half the probe.
  std::size_t t_junctions = 0, y_junctions = 0, x_junctions = 0;
  double t_angle = 0, t_angle_spread = 0;  // degrees: mean and standard deviation of both angles at the foot of each T
  std::size_t dead_ends = 0;
  std::size_t cells = 0;
  // Of cells that do not touch the rim. A corner is a turn sharper than 150 degrees; a junction that a cell passes
  // straight is none.
  std::size_t inner_cells = 0;
  double corners = 0;  // mean
  double bends = 0;    // mean of those on the way from one junction to the next: a jagged side has some
  std::array<std::size_t, 9> cells_by_corners = {};  // how many have 0, 1, 2, ... corners; the last: 8 and more
  double cell_area = 0;                              // mean, m^2
  double area_spread = 0;                            // standard deviation over the mean
  double length = 0;                                 // m, of all cracks
  // Shares of the length of the sides of inner cells by direction, in bins of 15 degrees from the axis across `up` that
  // the net is seen from: of a net without a preferred direction a sixth each, as 0 to 90 and 90 to 180 degrees are
  // one.
  std::array<double, 6> directions = {};

  double largest_direction() const { return *std::max_element(directions.begin(), directions.end()); }
  double t_share() const {
    const std::size_t all = t_junctions + y_junctions + x_junctions;
    return all == 0 ? 0 : static_cast<double>(t_junctions) / static_cast<double>(all);
  }
};

// Directions are taken over `probe` (m), which smooths the mesh's own corners away: one or two of its edges. The graph
// lies in the plane across `up`.
CrackStatistics crack_statistics(const CrackGraph& graph, double probe, const Vec3& up = Vec3::UnitY());

}  // namespace sunder
