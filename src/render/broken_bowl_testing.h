#pragma once
// A bowl, or a flat plate, cut by hand into pieces with crack faces: something broken to draw and to test with.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <numbers>
#include <vector>

#include "core/random.h"
#include "frame/frame.h"
#include "meshing/box_mesh.h"

namespace sunder::render {

struct BrokenBowl {
  double radius = 0.15, depth = 0.09, wall = 0.012;  // m; depth 0 leaves a square plate of side 2 radius
  double edge = 0.012;
  int pieces = 14;  // 1: whole
  std::uint64_t seed = 3;
};

// The frame at t = 0: every tet belongs to the nearest of some random points, pieces share no nodes, and faces between
// pieces are crack faces. Position and rest are the same; the lowest point has y = 0.
inline Frame broken_bowl(const BrokenBowl& bowl) {
  TetSoup soup = box_mesh(Vec3(2 * bowl.radius, bowl.wall, 2 * bowl.radius), bowl.edge, bowl.seed);
  std::vector<Vec3> seeds;
  for (int i = 0; i < bowl.pieces; ++i) {
    const auto key = static_cast<std::uint64_t>(i);
    const double r = bowl.radius * std::sqrt(random_unit(bowl.seed, key, 1)) * 0.95;  // more near the middle
    const double a = 2 * std::numbers::pi * random_unit(bowl.seed, key, 2);
    seeds.emplace_back(r * std::cos(a), 0, r * std::sin(a));
  }
  const auto nearest = [&](const Vec3& p) {
    const auto closer = [&](const Vec3& a, const Vec3& b) { return (a - p).squaredNorm() < (b - p).squaredNorm(); };
    return static_cast<std::uint32_t>(std::min_element(seeds.begin(), seeds.end(), closer) - seeds.begin());
  };
  std::vector<std::uint32_t> piece;
  for (const auto& t : soup.tets) {
    piece.push_back(nearest((soup.points[t[0]] + soup.points[t[1]] + soup.points[t[2]] + soup.points[t[3]]) / 4));
  }
  // Nodes between two pieces move to the plane between their points, half way at most: cracks come out nearly flat.
  std::vector<std::array<std::uint32_t, 2>> touching(soup.points.size(), {~0u, ~0u});
  std::vector<int> count(soup.points.size(), 0);
  for (std::size_t t = 0; t < soup.tets.size(); ++t) {
    for (const std::uint32_t n : soup.tets[t]) {
      auto& two = touching[n];
      if (two[0] == piece[t] || two[1] == piece[t]) continue;
      if (count[n] < 2) two[static_cast<std::size_t>(count[n])] = piece[t];
      ++count[n];
    }
  }
  const auto on_rim = [&](const Vec3& p) { return std::max(std::abs(p.x()), std::abs(p.z())) > 0.999 * bowl.radius; };
  for (std::size_t n = 0; n < soup.points.size(); ++n) {
    if (count[n] != 2 || on_rim(soup.points[n])) continue;
    const Vec3 &a = seeds[touching[n][0]], &b = seeds[touching[n][1]];
    const Vec3 across = (b - a).normalized();
    const double away = across.dot(soup.points[n] - (a + b) / 2);
    soup.points[n] -= std::clamp(away, -0.3 * bowl.edge, 0.3 * bowl.edge) * across;
  }
  // The square becomes a disc, the disc a bowl.
  if (bowl.depth > 0) {
    for (Vec3& p : soup.points) {
      const double u = p.x() / bowl.radius, v = p.z() / bowl.radius, up = p.y();
      const double x = u * std::sqrt(1 - v * v / 2), z = v * std::sqrt(1 - u * u / 2);
      const double slope = 2 * bowl.depth / bowl.radius;
      const Vec3 normal = Vec3(-slope * x, 1, -slope * z).normalized();
      p = Vec3(bowl.radius * x, bowl.depth * (x * x + z * z), bowl.radius * z) + up * normal;
    }
  }
  double lowest = 1e300;
  for (const Vec3& p : soup.points) lowest = std::min(lowest, p.y());
  for (Vec3& p : soup.points) p.y() -= lowest;

  Frame frame;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> copies;  // (node, piece) -> node of the frame
  std::map<std::array<std::uint32_t, 3>, std::pair<std::uint32_t, int>> first_side;
  frame.crack_faces.assign(soup.tets.size(), 0);
  for (std::uint32_t t = 0; t < soup.tets.size(); ++t) {
    std::array<std::uint32_t, 4> tet;
    for (std::size_t k = 0; k < 4; ++k) {
      const auto [at, is_new] =
          copies.try_emplace({soup.tets[t][k], piece[t]}, static_cast<std::uint32_t>(frame.rest.size()));
      if (is_new) {
        frame.rest.push_back(soup.points[soup.tets[t][k]]);
        frame.node_uid.push_back(frame.node_uid.size());
      }
      tet[k] = at->second;
    }
    frame.tets.push_back(tet);
    for (int i = 0; i < 4; ++i) {
      std::array<std::uint32_t, 3> face{};
      for (std::size_t k = 0, at = 0; k < 4; ++k) {
        if (k != static_cast<std::size_t>(i)) face[at++] = soup.tets[t][k];
      }
      std::sort(face.begin(), face.end());
      const auto [other, is_new] = first_side.try_emplace(face, t, i);
      if (is_new || piece[other->second.first] == piece[t]) continue;
      frame.crack_faces[t] = static_cast<std::uint8_t>(frame.crack_faces[t] | 1 << i);
      frame.crack_faces[other->second.first] =
          static_cast<std::uint8_t>(frame.crack_faces[other->second.first] | 1 << other->second.second);
    }
  }
  frame.fragment = piece;
  frame.body.assign(frame.tets.size(), 0);
  frame.material = frame.body;
  for (std::size_t t = 0; t < frame.tets.size(); ++t) frame.tet_uid.push_back(t);
  frame.stress.assign(frame.tets.size(), 0);
  frame.position = frame.rest;
  frame.velocity.assign(frame.rest.size(), Vec3::Zero());
  return frame;
}

}  // namespace sunder::render
