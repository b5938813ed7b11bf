#pragma once
// For tests: a bar of two by one by one metres that breaks in the middle, frame by frame, without a solver.

#include <Eigen/Geometry>
#include <array>
#include <map>
#include <vector>

#include "export/solid_run.h"
#include "geometry/tetrahedron.h"
#include "mesh/kuhn_grid.h"

namespace sunder {

inline constexpr double kBarDensity = 2000;

// Frame 1 is the bar at rest, frame 2 is moved by an affine map. In frame 3 it is cut at x = 1, the tets beyond are
// refined, and the halves are moved rigidly; in frame 4 the left one (fragment 1) is bent. In frame 5, if asked for,
// the right one (fragment 2) has been removed.
class BrokenBar {
 public:
  static constexpr std::uint32_t kCells = 2;  // in a metre

  static Mat3 affine() {
    Mat3 a;
    a << 1.1, 0.2, 0, -0.1, 0.9, 0.3, 0.05, 0, 1.2;
    return a;
  }
  static Vec3 shift() { return {0.5, 1, -2}; }
  static Mat3 turn(std::uint32_t fragment) {
    return Eigen::AngleAxisd(fragment == 1 ? 0.4 : -2.5, Vec3(1, 2, 0.5).normalized()).toRotationMatrix();
  }
  static Vec3 moved(std::uint32_t fragment, const Vec3& x) {
    return turn(fragment) * x + (fragment == 1 ? Vec3(-1, 0, 0) : Vec3(1, 0.5, 0));
  }

  Frame frame(int number) const {
    Frame f = number < 3 ? whole() : number < 5 ? broken(true) : broken(false);
    f.number = number;
    f.time = (number - 1) / 24.0;
    for (std::size_t n = 0; n < f.rest.size(); ++n) {
      if (number == 1) f.position[n] = f.rest[n];
      if (number == 2) f.position[n] = affine() * f.rest[n] + shift();
    }
    if (number >= 3) {
      for (std::size_t t = 0; t < f.tets.size(); ++t) {
        for (const std::uint32_t n : f.tets[t]) f.position[n] = moved(f.fragment[t], f.rest[n]);
        if (number != 4 || f.fragment[t] != 1) continue;
        for (const std::uint32_t n : f.tets[t]) f.position[n].y() += 0.1 * f.rest[n].x() * f.rest[n].x();
      }
    }
    for (std::size_t n = 0; n < f.rest.size(); ++n) f.velocity[n] = 3 * f.position[n];
    return f;
  }

  SolidRun run(int last) const {
    SolidRun run;
    run.name = "bar";
    for (int i = 1; i <= last; ++i) run.frames.push_back(i);
    run.frame = [this](int number) { return frame(number); };
    run.bodies = {"bar"};
    run.density = {kBarDensity};
    return run;
  }

 private:
  static void add_node(Frame& f, const Vec3& rest, Uid uid) {
    f.rest.push_back(rest);
    f.position.push_back(rest);
    f.velocity.push_back(Vec3::Zero());
    f.node_uid.push_back(uid);
  }
  static void add_tet(Frame& f, const std::array<std::uint32_t, 4>& nodes, std::uint32_t fragment, Uid uid) {
    f.tets.push_back(nodes);
    f.body.push_back(0);
    f.material.push_back(0);
    f.fragment.push_back(fragment);
    f.tet_uid.push_back(uid);
    f.stress.push_back(0);
    f.crack_faces.push_back(0);
    // Texture coordinates of the outside: the material x and y, shrunk.
    auto& uv = f.uv.emplace_back();
    for (std::size_t face = 0; face < 4; ++face) {
      for (std::size_t k = 0; k < 3; ++k) {
        const Vec3& x = f.rest[nodes[static_cast<std::size_t>(kTetFaces[face][k])]];
        uv[6 * face + 2 * k] = static_cast<float>(x.x() / 2);
        uv[6 * face + 2 * k + 1] = static_cast<float>(x.y());
      }
    }
  }

  static Frame whole() {
    Frame f;
    const TetSoup soup = kuhn_grid(2 * kCells, kCells, kCells);
    for (std::size_t n = 0; n < soup.points.size(); ++n) add_node(f, soup.points[n] / kCells, n + 1);
    for (std::size_t t = 0; t < soup.tets.size(); ++t) add_tet(f, soup.tets[t], 1, t + 1);
    return f;
  }

  static Frame broken(bool with_right) {
    const Frame from = whole();
    Frame f;
    for (std::size_t n = 0; n < from.rest.size(); ++n) add_node(f, from.rest[n], from.node_uid[n]);
    std::map<std::uint32_t, std::uint32_t> twin;
    Uid next_node = from.rest.size() + 1, next_tet = from.tets.size() + 1;
    for (std::size_t t = 0; t < from.tets.size(); ++t) {
      std::array<std::uint32_t, 4> nodes = from.tets[t];
      Vec3 middle = Vec3::Zero();
      for (const std::uint32_t n : nodes) middle += from.rest[n] / 4;
      const bool right = middle.x() > 1;
      if (right && !with_right) continue;
      std::uint8_t on_cut = 0;
      for (std::size_t k = 0; k < 4; ++k) {
        if (from.rest[nodes[k]].x() != 1) continue;
        on_cut = static_cast<std::uint8_t>(on_cut | 1 << k);
        if (!right) continue;
        const auto [at, is_new] = twin.try_emplace(nodes[k], static_cast<std::uint32_t>(f.rest.size()));
        if (is_new) add_node(f, from.rest[nodes[k]], next_node++);
        nodes[k] = at->second;
      }
      const auto cracked = [&](std::size_t opposite) {
        return (on_cut | 1 << opposite) == 15 && !(on_cut >> opposite & 1);
      };
      if (!right) {
        add_tet(f, nodes, 1, from.tet_uid[t]);
        for (std::size_t i = 0; i < 4; ++i) f.crack_faces.back() |= static_cast<std::uint8_t>(cracked(i) << i);
        continue;
      }
      const auto inner = static_cast<std::uint32_t>(f.rest.size());
      add_node(f, middle, next_node++);
      for (std::size_t i = 0; i < 4; ++i) {  // in the place of corner i the new node: the face opposite it stays
        std::array<std::uint32_t, 4> part = nodes;
        part[i] = inner;
        add_tet(f, part, 2, next_tet++);
        f.crack_faces.back() = static_cast<std::uint8_t>(cracked(i) << i);
      }
    }
    return f;
  }
};

}  // namespace sunder
