#pragma once
// A hierarchy of boxes over triangles that answers three questions fast: which point of the surface is nearest, what
// does a ray meet first, and how often does the surface wind round a point.
//
// The generalised winding number (Jacobson et al. 2013) is the sum of the triangles' solid angles over 4 pi: 1 inside a
// closed surface, 0 outside, and something sensible in between where the surface has holes. Far away boxes of triangles
// count as a dipole and its next moment (Barill et al. 2018, "Fast winding numbers for soups and clouds").

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/vec.h"
#include "geometry/triangle.h"

namespace sunder {

class TriangleTree {
 public:
  TriangleTree(std::span<const Vec3> points, std::span<const std::array<std::uint32_t, 3>> triangles);

  static constexpr std::uint32_t kNone = 0xffffffffu;
  struct Nearest {
    std::uint32_t triangle = kNone;  // none if nothing lies within the given distance
    TrianglePoint at;
    double distance = std::numeric_limits<double>::infinity();
  };
  Nearest nearest(const Vec3& x, double within = std::numeric_limits<double>::infinity()) const;

  // Looks only at the triangles with label[triangle] == wanted.
  Nearest nearest_labelled(const Vec3& x, double within, std::span<const std::uint32_t> label,
                           std::uint32_t wanted) const;

  // Whether there is such a triangle so near.
  bool reaches_labelled(const Vec3& x, double within, std::span<const std::uint32_t> label, std::uint32_t wanted) const;

  struct Hit {
    std::uint32_t triangle = kNone;
    double at = std::numeric_limits<double>::infinity();  // in lengths of the direction
  };
  // The first hit beyond `from`.
  Hit first_hit(const Vec3& origin, const Vec3& direction, double from) const;

  double winding_number(const Vec3& x) const;

  // The same for many points, in parallel.
  void winding_numbers(std::span<const Vec3> x, std::span<double> out) const;
  void distances(std::span<const Vec3> x, std::span<double> out) const;

  std::size_t size() const { return order_.size(); }

 private:
  struct Node {
    Vec3 lower, upper;
    std::uint32_t first = 0, count = 0;  // triangles below, in order_
    std::uint32_t right = 0;             // the left child follows its parent; 0 in a leaf
    // Moments of the area vectors a about the centre c, and how far the triangles reach from it.
    Vec3 centre, dipole;  // sum a
    Mat3 quadrupole;      // sum (x - c) a^T, x the centroid of a triangle
    double reach = 0;
  };

  std::uint32_t build(std::uint32_t first, std::uint32_t count, std::span<const Vec3> centroids, int depth);
  void fill(Node& node) const;
  // The nearest wanted triangle or, if `any_will_do`, the first one found.
  template <class Wanted>
  Nearest search(const Vec3& x, double within, Wanted&& wanted, bool any_will_do = false) const;

  std::vector<Node> nodes_;
  std::vector<std::uint32_t> order_;      // position in the hierarchy -> triangle
  std::vector<TriangleCorners> corners_;  // by position
};

}  // namespace sunder
