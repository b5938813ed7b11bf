#pragma once
// A body to be split at random, and everything a split must keep, for the tests.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "core/random.h"
#include "fracture/split.h"
#include "fracture/split_check.h"
#include "mesh/kuhn_grid.h"
#include "mesh/validate.h"
#include "meshing/ball_mesh.h"
#include "meshing/box_mesh.h"

namespace sunder {

// Sums over a body; density 1, lambda = mu = 1.
struct BodySums {
  double volume = 0;
  Vec3 material_moment = Vec3::Zero(), world_moment = Vec3::Zero();  // of the lumped masses
  Vec3 momentum = Vec3::Zero();
  Vec3 angular_momentum = Vec3::Zero();  // with the consistent mass: lumped masses cannot keep it
  double kinetic = 0, elastic = 0;
  double outer_area = 0, crack_area = 0;
  Vec3 crack_area_vector = Vec3::Zero();
};

class SplitBody {
 public:
  // Kind 0 to 3: cubes, slab, box, ball; stretched and bent in the world, and moving.
  explicit SplitBody(std::uint64_t seed) : seed_(seed) {
    switch (seed % 4) {
      case 0:
        mesh.append(kuhn_grid(2, 2, 2), {1, 2});
        break;
      case 1:
        mesh.append(kuhn_grid(4, 3, 1), {1, 2});
        break;
      case 2:
        mesh.append(box_mesh(Vec3(1, 1, 0.6), 0.5, seed), {1, 2});
        break;
      default:
        mesh.append(ball_mesh_of_shells(1, 2, seed), {1, 2});
        break;
    }
    reference = reference_lengths(mesh);
    for (const NodeId n : id_range<NodeId>(mesh.node_slots())) {
      const Vec3& m = mesh.material_position(n);
      const Vec3 wobble = vector(n.index, 10) * 0.04;
      position.push_back(turn_ * Vec3(1.1 * m[0] + 0.1 * m[1], 0.95 * m[1], m[2] + 0.05 * m[0] * m[0]) + wobble +
                         Vec3(3, -2, 1));
      velocity.push_back(Vec3(1, 2, -1).cross(position[n]) + vector(n.index, 11));
    }
  }

  TetMesh mesh;
  Column<NodeId, Vec3> position, velocity;
  Column<TetId, double> reference;

  const SplitResult& split(NodeSplitter& splitter, NodeId node, const Vec3& normal) {
    known_ = false;
    const SplitResult& result = splitter.split(mesh, node, normal, position, reference);
    carry_to_new_nodes(result, mesh, position);
    carry_to_new_nodes(result, mesh, velocity);
    return result;
  }

  NodeId random_node(std::uint64_t draw) const {
    for (std::uint64_t i = 0;; ++i) {
      const NodeId n(random_bits(seed_, 1000 + draw, i) % mesh.node_slots());
      if (mesh.alive(n)) return n;
    }
  }
  // Any direction, an axis, or such that the plane passes exactly through two nodes of the link.
  Vec3 random_normal(NodeId node, std::uint64_t draw) const {
    const std::uint64_t kind = random_bits(seed_, draw, 77) % 4;
    if (kind == 0) return turn_ * Vec3::Unit(static_cast<Eigen::Index>(random_bits(seed_, draw, 78) % 3));
    if (kind == 1) {
      std::vector<Corner> star;
      for (const Corner c : mesh.star(node)) star.push_back(c);
      const Corner c = star[random_bits(seed_, draw, 79) % star.size()];
      const auto f = mesh.face_nodes(c);
      return (position[f[0]] - position[node]).cross(position[f[1]] - position[node]);
    }
    return vector(draw, 80);
  }

  // What a split must keep; remembered from the check after the last one.
  struct Kept {
    BodySums sums;
    int euler = 0;
  };
  const Kept& kept() {
    if (!known_) kept_ = {sums(), euler_characteristic({})};
    known_ = true;
    return kept_;
  }

  BodySums sums() const {
    BodySums s;
    for (const TetId t : id_range<TetId>(mesh.tet_slots())) {
      if (!mesh.alive(t)) continue;
      const TetCorners m = mesh.material_corners(t), x = mesh.corner_positions(t, position),
                       v = mesh.corner_positions(t, velocity);
      const double volume = signed_volume(m), quarter = volume / 4;
      s.volume += volume;
      for (std::size_t i = 0; i < 4; ++i) {
        s.material_moment += quarter * m[i];
        s.world_moment += quarter * x[i];
        s.momentum += quarter * v[i];
        s.kinetic += quarter * v[i].squaredNorm() / 2;
        for (std::size_t j = 0; j < 4; ++j) s.angular_momentum += volume / 20 * (i == j ? 2 : 1) * x[i].cross(v[j]);
      }
      const Mat3 f = edge_matrix(x) * edge_matrix(m).inverse();
      const Mat3 e = 0.5 * (f.transpose() * f - Mat3::Identity());
      s.elastic += volume * (0.5 * e.trace() * e.trace() + e.squaredNorm());
      for (int i = 0; i < 4; ++i) {
        if (mesh.neighbour({t, i}).valid()) continue;
        const auto n = mesh.face_nodes({t, i});
        const Vec3& a = mesh.material_position(n[0]);
        const Vec3 area = (mesh.material_position(n[1]) - a).cross(mesh.material_position(n[2]) - a) / 2;
        const bool crack = (mesh.crack_faces(t) >> i & 1u) != 0;
        (crack ? s.crack_area : s.outer_area) += area.norm();
        if (crack) s.crack_area_vector += area;
      }
    }
    return s;
  }

  // V - E + F - T, with each of the given duplicates counted as the node it was made of.
  int euler_characteristic(const std::vector<SplitResult::Duplicate>& merged) const {
    std::vector<std::uint32_t> name(mesh.node_slots());
    for (std::uint32_t i = 0; i < name.size(); ++i) name[i] = i;
    for (const auto& twin : merged) name[twin.node.index] = twin.of.index;
    std::vector<std::array<std::uint32_t, 3>> cells;  // nodes, edges and faces, padded
    std::size_t tets = 0;
    constexpr std::uint32_t pad = 0xffffffffu;
    for (const TetId t : id_range<TetId>(mesh.tet_slots())) {
      if (!mesh.alive(t)) continue;
      ++tets;
      std::array<std::uint32_t, 4> c;
      for (std::size_t i = 0; i < 4; ++i) c[i] = name[mesh.corners(t)[i].index];
      std::sort(c.begin(), c.end());
      for (std::size_t i = 0; i < 4; ++i) {
        cells.push_back({c[i], pad, pad});
        cells.push_back({c[i == 0 ? 1 : 0], c[i <= 1 ? 2 : 1], c[i <= 2 ? 3 : 2]});
        for (std::size_t j = i + 1; j < 4; ++j) cells.push_back({c[i], c[j], pad});
      }
    }
    std::sort(cells.begin(), cells.end());
    cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
    int result = -static_cast<int>(tets);
    for (const auto& cell : cells) result += cell[1] != pad && cell[2] == pad ? -1 : 1;
    return result;
  }

 private:
  Vec3 vector(std::uint64_t key, std::uint64_t draw) const {
    const auto u = [&](std::uint64_t i) { return 2 * random_unit(seed_, key, 100 * draw + i) - 1; };
    return {u(0), u(1), u(2)};
  }

  std::uint64_t seed_;
  Kept kept_;
  bool known_ = false;
  Mat3 turn_ = Eigen::AngleAxisd(0.4, Vec3(1, 2, 3).normalized()).toRotationMatrix();
};

struct SplitTally {
  std::size_t done = 0, refused = 0, hard_snaps = 0, cuts = 0, twins = 0, three_groups = 0, tips = 0;
};

// One split of a body with every invariant of before and after; adds to the tally.
inline void split_and_check(SplitBody& body, NodeSplitter& splitter, NodeId node, const Vec3& normal,
                            SplitTally& tally) {
  const auto [before, euler] = body.kept();
  const std::size_t tets = body.mesh.tet_count(), nodes = body.mesh.node_count();
  const Journal::Mark mark = body.mesh.journal().now();
  const SplitResult& result = body.split(splitter, node, normal);
  if (!result.done()) {
    ++tally.refused;
    EXPECT_EQ(body.mesh.journal().now(), mark) << "a refused split edited the mesh";
    EXPECT_EQ(result.status, SplitStatus::one_sided);
    return;
  }
  ++tally.done;
  tally.hard_snaps += result.hard_snaps;
  tally.cuts += result.cut_nodes.size();
  tally.twins += result.duplicates.size();
  tally.tips += result.tips.size();
  for (std::size_t i = 0; i + 1 < result.duplicates.size(); ++i) {
    tally.three_groups += result.duplicates[i].of == result.duplicates[i + 1].of ? 1 : 0;
  }
  const auto problems =
      split_problems(body.mesh, result, {node, normal, body.position, body.reference, splitter.parameters()});
  EXPECT_TRUE(problems.empty()) << problems.front();
  const auto broken = validate(body.mesh, {.allow_hinges = false, .max_problems = 1});
  EXPECT_TRUE(broken.empty()) << broken.front();
  EXPECT_EQ(body.reference.size(), body.mesh.tet_slots());
  EXPECT_EQ(body.mesh.tet_count(), tets + result.added.size() - result.removed.size());
  EXPECT_EQ(body.mesh.node_count(), nodes + result.cut_nodes.size() + result.duplicates.size());
  EXPECT_FALSE(result.crack_faces.empty());
  EXPECT_FALSE(result.duplicates.empty());
  EXPECT_EQ(body.euler_characteristic(result.duplicates), euler);

  const BodySums after = body.kept().sums;
  const double volume = before.volume, size = 10;  // no coordinate and no velocity is larger
  EXPECT_NEAR(after.volume, volume, 1e-12 * volume);
  EXPECT_LT((after.material_moment - before.material_moment).norm(), 1e-12 * volume * size);
  EXPECT_LT((after.world_moment - before.world_moment).norm(), 1e-12 * volume * size);
  EXPECT_LT((after.momentum - before.momentum).norm(), 1e-12 * volume * size);
  EXPECT_LT((after.angular_momentum - before.angular_momentum).norm(), 1e-12 * volume * size * size);
  EXPECT_NEAR(after.elastic, before.elastic, 1e-12 * volume * 3);  // lambda + 2 mu = 3
  EXPECT_LT(after.kinetic, before.kinetic * (1 + 1e-13));
  EXPECT_NEAR(after.outer_area, before.outer_area, 1e-12 * before.outer_area);
  EXPECT_GT(after.crack_area, before.crack_area);
  EXPECT_LT(after.crack_area_vector.norm(), 1e-12 * after.crack_area);
}

}  // namespace sunder
