#include "meshing/subdivided_ball.h"

#include <Eigen/Geometry>
#include <array>
#include <unordered_map>
#include <utility>

#include "geometry/tetrahedron.h"

namespace sunder {
namespace {

using Index = std::uint32_t;

// A point of the subdivided tet (three corners of the polyhedron and the centre): how many n-ths of each corner;
// the rest is the centre's.
using Weights = std::array<Index, 4>;  // a + b + c + d = n, the centre's last

// Makes the points of the subdivided polyhedron, each once though neighbouring tets share it.
class Points {
 public:
  Points(const Polyhedron& polyhedron, double radius, Index shells, TetSoup& soup)
      : polyhedron_(polyhedron), radius_(radius), shells_(shells), soup_(soup) {}

  Index operator()(const std::array<Index, 3>& face, const Weights& w) {
    // 4 bits for a corner of the polyhedron and 16 for its weight; corners of a face ascend, so the key is the same
    // from all faces. Corners without weight do not count.
    std::uint64_t key = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      if (w[i] != 0) key = key << 20 | static_cast<std::uint64_t>(face[i]) << 16 | w[i];
    }
    const auto [found, fresh] = index_.try_emplace(key, static_cast<Index>(soup_.points.size()));
    if (fresh) soup_.points.push_back(position(face, w));
    return found->second;
  }

 private:
  // Shell s = a + b + c of n lies on the sphere of radius s / n.
  Vec3 position(const std::array<Index, 3>& face, const Weights& w) const {
    const Index shell = shells_ - w[3];
    if (shell == 0) return Vec3::Zero();
    const Vec3 flat =
        w[0] * polyhedron_.corners[face[0]] + w[1] * polyhedron_.corners[face[1]] + w[2] * polyhedron_.corners[face[2]];
    return radius_ * shell / shells_ * flat.normalized();
  }

  const Polyhedron& polyhedron_;
  double radius_;
  Index shells_;
  TetSoup& soup_;
  std::unordered_map<std::uint64_t, Index> index_;
};

void add_tet(TetSoup& soup, Index a, Index b, Index c, Index d) {
  if (signed_volume({soup.points[a], soup.points[b], soup.points[c], soup.points[d]}) < 0) std::swap(c, d);
  soup.tets.push_back({a, b, c, d});
}

// All weights that sum up to `sum`.
template <class Use>
void for_each_weights(int sum, Use&& use) {
  for (int a = 0; a <= sum; ++a) {
    for (int b = 0; a + b <= sum; ++b) {
      for (int c = 0; a + b + c <= sum; ++c) {
        use(Weights{static_cast<Index>(a), static_cast<Index>(b), static_cast<Index>(c),
                    static_cast<Index>(sum - a - b - c)});
      }
    }
  }
}

// Cuts the octahedron of the six midpoints ij along its shortest diagonal into four tets.
void fill_octahedron(TetSoup& soup, const std::array<std::array<Index, 4>, 4>& mid) {
  // A diagonal (ij, kl) and the ring of the other four: ik, jk, jl, il.
  constexpr std::array<std::array<std::size_t, 4>, 3> diagonals = {{{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2}}};
  const auto length = [&](const std::array<std::size_t, 4>& d) {
    return (soup.points[mid[d[0]][d[1]]] - soup.points[mid[d[2]][d[3]]]).norm();
  };
  auto best = diagonals[0];
  for (const auto& d : diagonals) {
    if (length(d) < (1 - 1e-9) * length(best)) best = d;  // rounding must not decide between equal ones
  }
  const auto [i, j, k, l] = best;
  const std::array<Index, 4> ring = {mid[i][k], mid[j][k], mid[j][l], mid[i][l]};
  for (std::size_t e = 0; e < 4; ++e) add_tet(soup, mid[i][j], mid[k][l], ring[e], ring[(e + 1) % 4]);
}

// The regular subdivision of a tet: n^3 pieces, which are upright tets, octahedra in four, and tets upside down.
void subdivide(TetSoup& soup, Points& points, const std::array<Index, 3>& face, int n) {
  const auto plus = [](Weights w, std::size_t i) {
    ++w[i];
    return w;
  };
  for_each_weights(n - 1, [&](const Weights& w) {
    std::array<Index, 4> p;
    for (std::size_t i = 0; i < 4; ++i) p[i] = points(face, plus(w, i));
    add_tet(soup, p[0], p[1], p[2], p[3]);
  });
  for_each_weights(n - 2, [&](const Weights& w) {
    std::array<std::array<Index, 4>, 4> mid{};
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = i + 1; j < 4; ++j) mid[i][j] = mid[j][i] = points(face, plus(plus(w, i), j));
    }
    fill_octahedron(soup, mid);
  });
  for_each_weights(n - 3, [&](const Weights& w) {
    std::array<Index, 4> p;
    for (std::size_t i = 0; i < 4; ++i) {
      Weights corner = {w[0] + 1, w[1] + 1, w[2] + 1, w[3] + 1};
      --corner[i];
      p[i] = points(face, corner);
    }
    add_tet(soup, p[0], p[1], p[2], p[3]);
  });
}

}  // namespace

TetSoup subdivided_ball(const Polyhedron& polyhedron, double radius, Index shells) {
  TetSoup soup;
  Points points(polyhedron, radius, shells, soup);
  for (const auto& face : polyhedron.faces) subdivide(soup, points, face, static_cast<int>(shells));
  return soup;
}

}  // namespace sunder
