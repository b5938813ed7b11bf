#pragma once
// Triangles of a sheet under construction: vertices known in the flat chart and in the world, edges some of which
// (outline, creases) must stay. Every edit keeps all triangles counter-clockwise in the chart and facing the thickness
// direction in the world, so the sheet never folds and prisms over it have volume; shape is judged in the world.

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "core/vec.h"

namespace sunder {

class SheetMesh {
 public:
  using Index = std::uint32_t;
  static constexpr Index kNone = 0xffffffffu;

  struct Place {
    Vec3 world;
    Vec3 across;  // unit vector through the thickness
  };
  struct Vertex {
    Vec2 chart;
    Vec3 world, across;
    Index triangle = kNone;  // one of those round it
    bool fixed = false;      // on the outline or on a crease
  };
  struct Triangle {
    std::array<Index, 3> corners;                             // counter-clockwise in the chart
    std::array<Index, 3> neighbours = {kNone, kNone, kNone};  // across the edge opposite each corner
    std::array<Index, 3> labels = {0, 0, 0};                  // of that edge: 0 may be flipped, others stay
  };

  using Map = std::function<Place(const Vec2&)>;
  explicit SheetMesh(Map map) : map_(std::move(map)) {}

  // --- building: vertices, then all triangles, then join(); labels come last
  Index add_vertex(const Vec2& chart, bool fixed);
  void add_triangle(const std::array<Index, 3>& corners) { triangles_.push_back({corners}); }
  void join();
  // Gives every edge the label of (from, to), as the triangle on its left walks it; both sides of an edge must agree.
  template <class LabelOf>
  void label_edges(const LabelOf& label_of) {
    for (Triangle& t : triangles_) {
      for (std::size_t i = 0; i < 3; ++i) t.labels[i] = label_of(t.corners[(i + 1) % 3], t.corners[(i + 2) % 3]);
    }
  }

  Place place(const Vec2& chart) const { return map_(chart); }
  std::span<const Vertex> vertices() const { return vertices_; }
  std::span<const Triangle> triangles() const { return triangles_; }

  // --- editing

  // The triangle that holds a point of the chart, found by walking from `start`; kNone if a labelled edge is in the
  // way.
  Index locate(const Vec2& chart, Index start) const;
  // A new free vertex inside a triangle, edges round it flipped to the best angles; kNone if that would fold the sheet.
  Index insert(const Vec2& chart, Index triangle);
  // A new vertex on an edge, which keeps its label on both halves.
  Index split_edge(Index triangle, int edge, const Vec2& chart);
  // Moves a free vertex; false, and nothing is changed, if a triangle would fold or come out with a smallest angle
  // below both what it was round the vertex and `floor` (radians).
  bool move(Index vertex, const Vec2& chart, double floor);
  // Flips edges until no flip makes the smaller of the angles on its two sides larger. Ends, because the sorted list
  // of all triangles' smallest angles grows with every flip.
  void flip_to_best_angles();

  // --- looking
  std::vector<Index> triangles_round(Index free_vertex) const;
  std::pair<Index, int> find_edge(Index from, Index to) const;  // on the outline: its triangle and number there
  double cosine_of_smallest_angle(Index triangle) const;        // in the world
  Vec3 world(Index triangle, int corner) const {
    return vertices_[triangles_[triangle].corners[static_cast<std::size_t>(corner)]].world;
  }
  const Vec2& chart(Index triangle, int corner) const {
    return vertices_[triangles_[triangle].corners[static_cast<std::size_t>(corner)]].chart;
  }

 private:
  bool flip_helps(Index triangle, int edge) const;
  void flip(Index triangle, int edge);
  void legalise(std::vector<Index> triangles);
  void set_neighbour(Index triangle, Index old_one, Index new_one);
  int edge_to(Index triangle, Index neighbour) const;

  Map map_;
  std::vector<Vertex> vertices_;
  std::vector<Triangle> triangles_;
};

// Twice the signed area of a triangle of the chart.
double doubled_area(const Vec2& a, const Vec2& b, const Vec2& c);

// The largest cosine of the angles of a triangle: the smaller, the better its shape. 1 for a flat one.
double cosine_of_smallest_angle(const Vec3& a, const Vec3& b, const Vec3& c);

}  // namespace sunder
