#include "geometry/convex_hull.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "geometry/bounds.h"

namespace sunder {
namespace {

__extension__ typedef __int128 Wide;  // holds the determinants: 6 times the cube of 2^39 has 120 bits

using Point = std::array<std::int64_t, 3>;
constexpr double kGrid = 0x1p38;

Point difference(const Point& a, const Point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

using WideVector = std::array<Wide, 3>;
WideVector cross(const Point& a, const Point& b) {
  return {Wide{a[1]} * b[2] - Wide{a[2]} * b[1], Wide{a[2]} * b[0] - Wide{a[0]} * b[2],
          Wide{a[0]} * b[1] - Wide{a[1]} * b[0]};
}
bool is_zero(const WideVector& v) { return v[0] == 0 && v[1] == 0 && v[2] == 0; }

class Builder {
 public:
  explicit Builder(std::span<const Vec3> points) {
    Bounds box;
    for (const Vec3& p : points) box.add(p);
    const double extent = points.empty() ? 0 : box.extent().maxCoeff();
    if (!(extent > 0)) return;
    for (const Vec3& p : points) {
      const Vec3 x = (p - box.lower) * (kGrid / extent);
      grid_.push_back({std::llround(x.x()), std::llround(x.y()), std::llround(x.z())});
    }
  }

  bool build() {
    if (!start()) return false;
    for (bool again = true; again;) {
      again = false;
      for (std::size_t f = 0; f < faces_.size();
           ++f) {  // new faces come at the end; now and then an old one gets a point
        if (!faces_[f].alive || faces_[f].outside.empty()) continue;
        add_point(static_cast<std::uint32_t>(f));
        again = true;
      }
    }
    return true;
  }

  ConvexHull hull() const {
    ConvexHull result;
    for (const Face& face : faces_) {
      if (!face.alive) continue;
      result.triangles.push_back(face.corners);
      result.points.insert(result.points.end(), face.corners.begin(), face.corners.end());
    }
    std::sort(result.points.begin(), result.points.end());
    result.points.erase(std::unique(result.points.begin(), result.points.end()), result.points.end());
    for (auto& triangle : result.triangles) {
      for (std::uint32_t& corner : triangle) {
        const auto at = std::lower_bound(result.points.begin(), result.points.end(), corner);
        corner = static_cast<std::uint32_t>(at - result.points.begin());
      }
    }
    return result;
  }

 private:
  struct Face {
    std::array<std::uint32_t, 3> corners;
    std::array<std::uint32_t, 3> across;  // the face beyond the edge from corner k to corner k + 1
    WideVector normal;                    // outwards
    std::vector<std::uint32_t> outside;   // points that see it; each waiting point is with one face
    bool alive = true;
  };

  // Positive if the point sees the face.
  Wide height(const Face& face, std::uint32_t point) const {
    const Point d = difference(grid_[point], grid_[face.corners[0]]);
    return face.normal[0] * d[0] + face.normal[1] * d[1] + face.normal[2] * d[2];
  }

  std::uint32_t add_face(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const WideVector normal = cross(difference(grid_[b], grid_[a]), difference(grid_[c], grid_[a]));
    faces_.push_back({{a, b, c}, {}, normal, {}, true});
    return static_cast<std::uint32_t>(faces_.size() - 1);
  }

  void link(std::span<const std::uint32_t> some) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<std::uint32_t, std::size_t>> edges;
    for (const std::uint32_t f : some) {
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t a = faces_[f].corners[k], b = faces_[f].corners[(k + 1) % 3];
        const auto other = edges.find({b, a});
        if (other == edges.end()) {
          edges[{a, b}] = {f, k};
        } else {
          faces_[f].across[k] = other->second.first;
          faces_[other->second.first].across[other->second.second] = f;
        }
      }
    }
  }

  // A tetrahedron of points far apart. False if there is none.
  bool start() {
    if (grid_.empty()) return false;
    std::uint32_t a = 0, b = 0, c = 0, d = 0;
    for (std::uint32_t i = 0; i < grid_.size(); ++i) {
      if (grid_[i] < grid_[a]) a = i;
    }
    const auto far = [&](std::uint32_t i) {
      const Point e = difference(grid_[i], grid_[a]);
      return Wide{e[0]} * e[0] + Wide{e[1]} * e[1] + Wide{e[2]} * e[2];
    };
    for (std::uint32_t i = 0; i < grid_.size(); ++i) {
      if (far(i) > far(b)) b = i;
    }
    // Areas would need twice the bits of a determinant: here nearly the largest is as good.
    double widest = 0;
    for (std::uint32_t i = 0; i < grid_.size(); ++i) {
      const WideVector n = cross(difference(grid_[b], grid_[a]), difference(grid_[i], grid_[a]));
      if (is_zero(n)) continue;
      const double area = Vec3(static_cast<double>(n[0]), static_cast<double>(n[1]), static_cast<double>(n[2])).norm();
      if (area > widest) widest = area, c = i;
    }
    if (widest == 0) return false;
    const std::uint32_t base = add_face(a, b, c);
    Wide highest = 0;
    for (std::uint32_t i = 0; i < grid_.size(); ++i) {
      const Wide h = height(faces_[base], i);
      if ((h < 0 ? -h : h) > (highest < 0 ? -highest : highest)) highest = h, d = i;
    }
    if (highest == 0) return false;
    faces_.clear();
    if (highest > 0) std::swap(b, c);  // the fourth corner lies below the first face
    const std::array<std::uint32_t, 4> all = {add_face(a, b, c), add_face(a, d, b), add_face(b, d, c),
                                              add_face(c, d, a)};
    link(all);
    for (std::uint32_t i = 0; i < grid_.size(); ++i) wait(i, all);
    return true;
  }

  // Gives a point to the first of these faces that it sees; false if it sees none.
  bool wait(std::uint32_t point, std::span<const std::uint32_t> faces) {
    for (const std::uint32_t f : faces) {
      if (!faces_[f].alive || height(faces_[f], point) <= 0) continue;
      faces_[f].outside.push_back(point);
      return true;
    }
    return false;
  }

  // Replaces the faces that the highest point over `first` sees by a cone from it to their rim. Faces in whose plane it
  // lies count as not seen, so no triangle of the cone is flat.
  void add_point(std::uint32_t first) {
    const auto& waiting = faces_[first].outside;
    const std::uint32_t apex = *std::max_element(waiting.begin(), waiting.end(), [&](std::uint32_t x, std::uint32_t y) {
      return height(faces_[first], x) < height(faces_[first], y);
    });
    std::vector<std::uint32_t> seen = {first};
    faces_[first].alive = false;
    for (std::size_t i = 0; i < seen.size(); ++i) {
      for (const std::uint32_t next : faces_[seen[i]].across) {
        if (!faces_[next].alive || height(faces_[next], apex) <= 0) continue;
        faces_[next].alive = false;
        seen.push_back(next);
      }
    }
    std::vector<std::uint32_t> cone, ring, orphans;
    for (const std::uint32_t f : seen) {
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t beyond = faces_[f].across[k];
        if (!faces_[beyond].alive) continue;
        cone.push_back(add_face(faces_[f].corners[k], faces_[f].corners[(k + 1) % 3], apex));
        ring.push_back(beyond);
      }
      orphans.insert(orphans.end(), faces_[f].outside.begin(), faces_[f].outside.end());
      faces_[f].outside = {};
    }
    // Edges of the rim belong to one face of the cone and one beyond it; all others to two of the cone.
    std::vector<std::uint32_t> around = cone;
    std::sort(ring.begin(), ring.end());
    ring.erase(std::unique(ring.begin(), ring.end()), ring.end());
    around.insert(around.end(), ring.begin(), ring.end());
    link(around);
    for (const std::uint32_t point : orphans) {
      if (point == apex || wait(point, cone)) continue;
      for (std::uint32_t f = 0; f < faces_.size(); ++f) {
        if (wait(point, std::array{f})) break;
      }
    }
  }

  std::vector<Point> grid_;
  std::vector<Face> faces_;
};

}  // namespace

ConvexHull convex_hull(std::span<const Vec3> points) {
  Builder builder(points);
  return builder.build() ? builder.hull() : ConvexHull{};
}

}  // namespace sunder
