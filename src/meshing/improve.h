#pragma once
// Moves points of a mesh so that its worst dihedral angles become better; tets keep their corners.

#include <cstdint>
#include <span>

#include "core/parallel.h"
#include "core/vec.h"
#include "mesh/tet_soup.h"

namespace sunder {

// Sine of the dihedral angle that is worst (nearest to 0 or 180 degrees), negative if the tet is inside out.
double worst_dihedral_sine(const std::array<Vec3, 4>& x);

struct ImproveOptions {
  double target = 0.3;  // radians: tets whose angles lie between target and pi - target are left alone
  int passes = 8;
};

// Points of bad tets move, one after the other, to where the worst tet around them is best. place(point, x) changes a
// wish x into a place where the point may be (on its surface, on its curve), or returns false.
// Turns tets that are inside out round again where it can. Returns the number of tets that miss the target.
std::size_t improve_points(TetSoup& soup, const Borrowed<bool(std::uint32_t, Vec3&)>& place,
                           const ImproveOptions& options);

// The same by a measure of one's own, the larger the better: tets at `target` or above are left alone. accept(point, x)
// may refuse a place that is better by the measure.
using TetMeasure = Borrowed<double(const TetSoup& soup, std::uint32_t tet)>;
std::size_t improve_points(TetSoup& soup, const Borrowed<bool(std::uint32_t, Vec3&)>& place,
                           const Borrowed<bool(std::uint32_t, const Vec3&)>& accept, const TetMeasure& measure,
                           double target, int passes);

}  // namespace sunder
