#include "geometry/tet_overlap.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace sunder {
namespace {

struct Box {
  explicit Box(const TetCorners& x)
      : low(x[0].cwiseMin(x[1]).cwiseMin(x[2].cwiseMin(x[3]))),
        high(x[0].cwiseMax(x[1]).cwiseMax(x[2].cwiseMax(x[3]))) {}
  Vec3 low, high;
};

bool apart(const Box& a, const Box& b) {
  return (a.high.array() <= b.low.array()).any() || (b.high.array() <= a.low.array()).any();
}

// The planes of a tet's faces. A depth is the height above a plane, on the inner side, times twice the face's area.
class Planes {
 public:
  // `reach`: the largest difference between coordinates that depths will be asked for.
  Planes(const TetCorners& x, double reach) {
    // At most eight roundings meet in one term of depth = (e2 x e1) . (x - foot), and the terms' sizes sum to no more
    // than |e1|_1 |e2|_1 |x - foot|_max.
    constexpr double round_off = 4 * std::numeric_limits<double>::epsilon();
    for (int i = 0; i < 4; ++i) {
      const auto& [j, k, l] = kTetFaces[i];
      const Vec3 e1 = x[k] - x[j], e2 = x[l] - x[j];
      inward_[i] = e2.cross(e1);
      foot_[i] = x[j];
      noise_[i] = round_off * reach * e1.lpNorm<1>() * e2.lpNorm<1>();
    }
    has_volume_ = depth(0, x[0]) > 0;
  }

  bool has_volume() const { return has_volume_; }

  double depth(int i, const Vec3& x) const { return settled(i, inward_[i].dot(x - foot_[i])); }

  // Zero if round-off could have made it: corners that tets share lie on each other's planes exactly.
  double settled(int i, double depth) const { return std::abs(depth) <= noise_[i] ? 0 : depth; }

 private:
  std::array<Vec3, 4> inward_, foot_;
  std::array<double, 4> noise_;
  bool has_volume_;
};

// Depths of a tet's corners below the planes of another.
struct Depths {
  Depths(const TetCorners& x, const Planes& planes) {
    for (int corner = 0; corner < 4; ++corner) {
      for (int i = 0; i < 4; ++i) at[corner][i] = planes.depth(i, x[corner]);
    }
  }

  bool some_plane_has_all_outside() const {
    for (int i = 0; i < 4; ++i) {
      if (std::max(std::max(at[0][i], at[1][i]), std::max(at[2][i], at[3][i])) <= 0) return true;
    }
    return false;
  }

  std::array<std::array<double, 4>, 4> at;
};

// A polyhedron at each of whose vertices three faces meet: a tet, and what planes leave of it. A plane through a vertex
// leaves several in one place. A graph as in D. Powell and T. Abel, "An exact general remeshing scheme applied
// to physically conservative voxelization", 2015.
//
// A dart is an edge as seen from one of its ends: 4 v + k with k < 3, the k-th around vertex v. Its twin is the same
// edge from the other end. `turned` goes around the vertex, so that turned(twin(dart)) follows the face to the dart's
// left, counter-clockwise seen from outside.
class Polyhedron {
 public:
  // Tet a, with its corners' depths in b and relative to `origin`; face i is opposite corner i.
  Polyhedron(const TetCorners& a, const Depths& depths, const Vec3& origin) {
    for (int v = 0; v < 4; ++v) {
      position_[v] = a[v] - origin;
      depth_[v] = depths.at[v];
      // Darts go to the corners of the face opposite, in its order; to the left of each lies the face opposite the
      // next.
      for (int k = 0; k < 3; ++k) {
        const int to = kTetFaces[v][k];
        int back = 0;
        while (kTetFaces[to][back] != v) ++back;
        twin_[4 * v + k] = static_cast<std::uint8_t>(4 * to + back);
        face_[4 * v + k] = static_cast<std::uint8_t>(kTetFaces[v][(k + 1) % 3]);
      }
    }
  }

  // Takes away what lies outside b's plane i; the cut becomes face 4 + i. Connects what it leaves in the right way
  // whatever the signs of the depths are: round-off can move vertices but cannot open the surface.
  void cut(int i, const Planes& planes) {
    std::uint64_t outside = 0, inside = 0;
    for (std::uint64_t rest = alive_; rest != 0; rest &= rest - 1) {
      const int v = std::countr_zero(rest);
      if (depth_[v][i] < 0) outside |= bit(v);
      if (depth_[v][i] > 0) inside |= bit(v);
    }
    if (outside == 0) return;
    if (inside == 0) {
      alive_ = 0;
      return;
    }

    // A new vertex on every edge that the plane cuts: its darts go back to the vertex inside, along the face to the
    // left of the edge, and along the cut.
    const int first_new = vertices_;
    alive_ &= ~outside;
    for (std::uint64_t rest = alive_; rest != 0; rest &= rest - 1) {
      const int v = std::countr_zero(rest);
      for (int dart = 4 * v; dart < 4 * v + 3; ++dart) {
        const int beyond = twin_[dart], w = beyond / 4;
        if ((outside & bit(w)) == 0) continue;
        const int p = vertices_++;
        interpolate(p, v, w, i, planes);
        beyond_[p] = static_cast<std::uint8_t>(beyond);
        face_[4 * p] = face_[beyond];
        face_[4 * p + 1] = face_[dart];
        face_[4 * p + 2] = static_cast<std::uint8_t>(4 + i);
        pair(dart, 4 * p);
      }
    }
    // The darts along a face end where the face comes back inside. Twins of darts outside are still the old ones.
    for (int p = first_new; p < vertices_; ++p) {
      int back = twin_[turned(beyond_[p])];
      while ((outside & bit(back / 4)) != 0) back = twin_[turned(back)];
      const int q = twin_[back] / 4;
      pair(4 * p + 1, 4 * q + 2);
      alive_ |= bit(p);
    }
  }

  // Sums over tets from one vertex, over a corner of each face, to each of the face's edges:
  //   area = sum u x v / 2,   volume = sum (corner . u x v) / 6,   first moment = sum volume (corner + u + v) / 4
  TetOverlap measures(const Vec3& origin) const {
    TetOverlap result;
    if (alive_ == 0) return result;
    std::array<int, 8> corner;
    for (std::uint64_t rest = alive_; rest != 0; rest &= rest - 1) {
      const int v = std::countr_zero(rest);
      for (int k = 0; k < 3; ++k) corner[face_[4 * v + k]] = v;
    }
    // Seen from a vertex of the polyhedron itself, so that round-off is relative to its own size.
    const Vec3 apex = position_[std::countr_zero(alive_)];
    std::array<Vec3, 8> area;
    area.fill(Vec3::Zero());
    Vec3 moment = Vec3::Zero();
    double volume = 0;
    for (std::uint64_t rest = alive_; rest != 0; rest &= rest - 1) {
      const int start = std::countr_zero(rest);
      const Vec3 u = position_[start] - apex;
      for (int dart = 4 * start; dart < 4 * start + 3; ++dart) {
        const int twin = twin_[dart];
        if (twin < dart) continue;
        const Vec3 v = position_[twin / 4] - apex, cross = u.cross(v);
        const int left = face_[dart], right = face_[twin];
        area[left] += cross;  // the very same numbers with both signs: closed to the last bit but for the sums
        area[right] -= cross;
        const Vec3 left_corner = position_[corner[left]] - apex, right_corner = position_[corner[right]] - apex;
        const double left_volume = left_corner.dot(cross), right_volume = -right_corner.dot(cross);
        volume += left_volume + right_volume;
        moment += left_volume * (left_corner + u + v) + right_volume * (right_corner + u + v);
      }
    }
    if (!(volume > 0)) return result;
    result.volume = volume / 6;
    result.centroid = origin + (apex + moment / (4 * volume));
    for (int i = 0; i < 4; ++i) {
      result.area_a[i] = area[i] / 2;
      result.area_b[i] = area[4 + i] / 2;
    }
    return result;
  }

 private:
  // A plane cuts at most 4 of a tet's 6 edges, then 7 of 9, 15 of 15 and 30 of 30, if round-off sets the signs as badly
  // as it can: 4 + 4 + 7 + 15 + 30 vertices, taken or not. Without round-off no more than 12 are alive.
  static constexpr int kCapacity = 60;

  static std::uint64_t bit(int vertex) { return std::uint64_t{1} << vertex; }
  static int turned(int dart) { return dart % 4 == 2 ? dart - 2 : dart + 1; }

  void pair(int dart, int other) {
    twin_[dart] = static_cast<std::uint8_t>(other);
    twin_[other] = static_cast<std::uint8_t>(dart);
  }

  void interpolate(int p, int in, int out, int plane, const Planes& planes) {
    const double s = depth_[in][plane] / (depth_[in][plane] - depth_[out][plane]);  // in [0, 1); 0 on the plane
    position_[p] = position_[in] + s * (position_[out] - position_[in]);
    for (int i = 0; i < 4; ++i) depth_[p][i] = planes.settled(i, depth_[in][i] + s * (depth_[out][i] - depth_[in][i]));
    depth_[p][plane] = 0;
  }

  int vertices_ = 4;
  std::uint64_t alive_ = 0b1111;
  std::array<Vec3, kCapacity> position_;
  std::array<std::array<double, 4>, kCapacity> depth_;
  std::array<std::uint8_t, std::size_t{4} * kCapacity> twin_, face_;
  std::array<std::uint8_t, kCapacity> beyond_;
};

}  // namespace

TetOverlap tet_overlap(const TetCorners& a, const TetCorners& b) {
  const Box box_a(a), box_b(b);
  if (apart(box_a, box_b)) return {};
  const double reach = (box_a.high.cwiseMax(box_b.high) - box_a.low.cwiseMin(box_b.low)).maxCoeff();
  const Planes planes_b(b, reach);
  const Depths a_in_b(a, planes_b);
  if (!planes_b.has_volume() || a_in_b.some_plane_has_all_outside()) return {};
  const Planes planes_a(a, reach);
  if (!planes_a.has_volume() || Depths(b, planes_a).some_plane_has_all_outside()) return {};

  // Coordinates lose nothing to a far origin.
  const Vec3& origin = b[0];
  Polyhedron polyhedron(a, a_in_b, origin);
  for (int i = 0; i < 4; ++i) polyhedron.cut(i, planes_b);
  return polyhedron.measures(origin);
}

}  // namespace sunder
