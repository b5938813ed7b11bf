#pragma once
// A thin or prismatic solid as a mapping P(chart, w): a flat chart (the sheet) carried into the world, and a thickness
// coordinate w from 0 to 1. `meshing` triangulates the sheet with equal edges in the world and extrudes it in layers.

#include <array>
#include <functional>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "core/vec.h"

namespace sunder {

// A chart of circles round its origin. Mesh edges follow every ring; the first and the last bound the sheet, unless
// the first radius is 0: then the sheet is a disc.
struct RingDomain {
  std::vector<double> radii;  // ascending
  std::string inner, outer;   // parts that the innermost (unless it is a point) and the outermost ring bound
};

// A chart with an outline of straight sides, counter-clockwise, and holes, clockwise. Vertices that are not corners are
// samples of a smooth curve, which the mesher replaces by its own.
struct PolygonDomain {
  struct Loop {
    std::vector<Vec2> points;
    std::vector<bool> corner;  // one for each point; empty means all
    std::string part;          // that it bounds
  };
  std::vector<Loop> loops;
};

// Signed distance to a solid, m: negative inside, the right sign everywhere, exact on the surface and to first order
// near it, elsewhere of the distance's size. General meshers and unions of shapes work with it.
using DistanceFunction = std::function<double(const Vec3&)>;

struct Mapping {
  std::variant<RingDomain, PolygonDomain> domain;
  std::function<Vec3(const Vec2& chart, double w)> place;  // right-handed: (d/dx, d/dy, d/dw) spans positive volume
  DistanceFunction distance;
  std::function<Vec2(const Vec2& chart)> texture;  // of the sheet, 0 to 1
  bool texture_wraps = false;                      // u has period 1, and no meaning at the chart's origin
  double thickness = 0;                            // mean length of the lines along w, m
  bool closed = false;                             // w = 1 meets w = 0
  std::string bottom, top;                         // parts at w = 0 and w = 1, unless closed
  double largest_edge = std::numeric_limits<double>::infinity();  // beyond it, narrow places get flat elements, m
  double area = 0;                                                // of the sheet at w = 1/2, m^2
  Vec3 centre = Vec3::Zero();  // m: what was the middle of the bounding box before it was put at the origin
  double volume = 0;           // of the solid: closed form, or quadrature far finer than any mesh, m^3
};

}  // namespace sunder
