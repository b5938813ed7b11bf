#pragma once
// The sharp curves of a surface as one hierarchy, for the question how far the nearest is.

#include <array>
#include <cstdint>
#include <vector>

#include "meshing/features.h"
#include "spatial/triangle_tree.h"

namespace sunder {

// Segments are triangles without area, labelled by curve.
class CurveTree {
 public:
  explicit CurveTree(const Features& features) : tree_(make(features, label_)) {}
  TriangleTree::Nearest nearest(const Vec3& x, double within) const { return tree_.nearest(x, within); }
  TriangleTree::Nearest nearest(const Vec3& x, double within, std::uint32_t curve) const {
    return tree_.nearest_labelled(x, within, label_, curve);
  }

 private:
  static TriangleTree make(const Features& features, std::vector<std::uint32_t>& label) {
    std::vector<Vec3> points;
    std::vector<std::array<std::uint32_t, 3>> segments;
    for (std::uint32_t c = 0; c < features.curves.size(); ++c) {
      for (std::size_t i = 0; i < features.curves[c].points.size(); ++i) {
        points.push_back(features.curves[c].points[i]);
        const auto last = static_cast<std::uint32_t>(points.size() - 1);
        if (i == 0) continue;
        segments.push_back({last - 1, last, last});
        label.push_back(c);
      }
    }
    return {points, segments};
  }
  std::vector<std::uint32_t> label_;
  TriangleTree tree_;
};

}  // namespace sunder
