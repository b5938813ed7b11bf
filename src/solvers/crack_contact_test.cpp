// Contact of what cracks: the broad phase follows the splits, and fresh crack faces do not push each other.
#include <gtest/gtest.h>

#include "collision/body_contacts.h"
#include "collision/near_faces_testing.h"
#include "collision/near_tets_testing.h"
#include "collision/overlap_contacts.h"
#include "fracture/split.h"
#include "mesh/boundary.h"
#include "mesh/fragments.h"
#include "meshing/box_mesh.h"

namespace sunder {
namespace {

using testing::Blocks;
using testing::expect_complete;

void split(Blocks& blocks, Column<TetId, double>& lengths, NodeSplitter& splitter) {
  const NodeId node(
      static_cast<std::size_t>(random_unit(6, blocks.draw++) * static_cast<double>(blocks.mesh.node_slots())));
  const Vec3 normal(random_unit(7, blocks.draw), random_unit(8, blocks.draw), random_unit(9, blocks.draw) - 0.5);
  ++blocks.draw;
  const SplitResult& result = splitter.split(blocks.mesh, node, normal, blocks.position, lengths);
  if (result.done()) carry_to_new_nodes(result, blocks.mesh, blocks.position);
}

void compact(Blocks& blocks, Column<TetId, double>& lengths) {
  const TetMesh::Renumbering map = blocks.mesh.compact();
  Column<TetId, double> moved(blocks.mesh.tet_slots());
  for (std::size_t t = 0; t < map.tet.size(); ++t) {
    if (map.tet[t].valid()) moved[map.tet[t]] = lengths[TetId(t)];
  }
  lengths = std::move(moved);
}

TEST(NearFaces, HoldsAllPairsWithinReachWhileBodiesCrack) {
  Blocks blocks;
  Column<TetId, double> lengths = reference_lengths(blocks.mesh);
  NodeSplitter splitter;
  NearFaces near(0.1, 0.03);
  for (int step = 0; step < 36; ++step) {
    near.update(blocks.mesh, blocks.position);
    expect_complete(near, blocks, 0.1, 0.03);
    EXPECT_EQ(near.search().tree().items(), boundary_faces(blocks.mesh).size());
    split(blocks, lengths, splitter);
    if (step % 3 == 0) blocks.move(0.008);
    if (step == 24) compact(blocks, lengths);
    ASSERT_FALSE(::testing::Test::HasFailure()) << "step " << step;
  }
}

TEST(NearTets, HoldsAllPairsWithinReachWhileBodiesCrack) {
  Blocks blocks;
  Column<TetId, double> lengths = reference_lengths(blocks.mesh);
  NodeSplitter splitter;
  NearTets near(0.1, 0.03);
  for (int step = 0; step < 36; ++step) {
    near.update(blocks.mesh, blocks.position);
    testing::expect_complete(near, blocks, 0.1);
    split(blocks, lengths, splitter);
    if (step % 3 == 0) blocks.move(0.008);
    if (step == 24) compact(blocks, lengths);
    ASSERT_FALSE(::testing::Test::HasFailure()) << "step " << step;
  }
}

// A bar of one cell's thickness, cut in two across its middle; the halves can be moved along it.
template <class Contacts>
struct CutBar {
  explicit CutBar(const ContactRules& rules) : contacts(rules, 0.1) {
    const TetSoup soup = box_mesh({0.6, 0.1, 0.1}, 0.1, 1);
    mesh.append(soup, {});
    for (const Vec3& p : soup.points) position.push_back(p);
    Column<TetId, double> lengths = reference_lengths(mesh);
    NodeSplitter splitter({.snap_distance = 0.6, .snap_angle = 1});
    // Again and again, until it has come apart: the nodes nearest to the plane first.
    for (int round = 0; round < 20 && fragments() < 2; ++round) {
      const std::size_t nodes = mesh.node_slots();
      for (std::size_t i = 0; i < nodes && fragments() < 2; ++i) {
        if (std::abs(position[NodeId(i)].x()) > 0.02 + 0.004 * round) continue;
        const SplitResult& result = splitter.split(mesh, NodeId(i), Vec3::UnitX(), position, lengths);
        if (!result.done()) continue;
        carry_to_new_nodes(result, mesh, position);
        for (const auto& pair : result.crack_faces) {
          for (const Corner face : {pair.plus, pair.minus}) {
            for (const NodeId n : mesh.face_nodes(face)) contacts.disarm(n);
          }
        }
      }
    }
    mass.assign(mesh.node_slots(), 1);
    stiffness.assign(mesh.node_slots(), 1000);
    velocity.assign(mesh.node_slots(), Vec3::Zero());
    halves.update(mesh);
  }
  std::size_t fragments() {
    FragmentTracker tracker;
    tracker.update(mesh);
    return tracker.count();
  }
  // The half that does not hold the tet of the first label moves by so much along x, in small steps.
  void move(double by) {
    constexpr int kSteps = 200;
    std::vector<std::uint8_t> moves(mesh.node_slots(), 0);
    for (const TetId t : id_range<TetId>(mesh.tet_slots())) {
      if (!mesh.alive(t) || halves.labels()[t] != 2) continue;
      for (const NodeId n : mesh.corners(t)) moves[n.index] = 1;
    }
    const double sign = centre_of_moving(moves) > 0 ? 1 : -1;
    for (const NodeId n : id_range<NodeId>(mesh.node_slots())) {
      velocity[n] = moves[n.index] != 0 ? Vec3(sign * by, 0, 0) : Vec3::Zero();
    }
    for (int i = 0; i < kSteps; ++i) {
      for (const NodeId n : id_range<NodeId>(mesh.node_slots())) position[n] += velocity[n] / kSteps;
      contacts.find({mesh, position, velocity, mass, stiffness}, 1.0 / kSteps);
    }
  }
  double centre_of_moving(const std::vector<std::uint8_t>& moves) const {
    double sum = 0;
    for (const NodeId n : id_range<NodeId>(mesh.node_slots())) sum += moves[n.index] * position[n].x();
    return sum;
  }
  double force() {
    Column<NodeId, Vec3> f(mesh.node_slots(), Vec3::Zero());
    contacts.add_forces(Column<NodeId, Vec3>(mesh.node_slots(), Vec3::Zero()), f);
    double size = 0;
    for (const Vec3& v : f) size += v.norm();
    return size;
  }
  std::size_t unarmed() const {
    std::size_t count = 0;
    for (const NodeId n : id_range<NodeId>(mesh.node_slots())) count += contacts.armed(n) ? 0u : 1u;
    return count;
  }
  TetMesh mesh;
  Column<NodeId, Vec3> position, velocity;
  Column<NodeId, double> mass, stiffness;
  Contacts contacts;
  FragmentTracker halves;
};

template <class Contacts>
class CrackContact : public ::testing::Test {};
using Criteria = ::testing::Types<BodyContacts, OverlapContacts>;
TYPED_TEST_SUITE(CrackContact, Criteria);

TYPED_TEST(CrackContact, FreshCrackFacesPushOnlyAfterTheyHaveComeApart) {
  CutBar<TypeParam> bar({});  // edge 0.1: armed at a gap of 1 mm; play 5 mm
  ASSERT_EQ(bar.fragments(), 2u);
  const std::size_t fresh = bar.unarmed();
  ASSERT_GT(fresh, 12u);
  bar.move(0);
  EXPECT_EQ(bar.force(), 0);
  EXPECT_GT(bar.unarmed(), fresh / 2);  // tips have nothing opposite
  bar.move(-0.002);                     // into each other
  EXPECT_GT(bar.contacts.touching(), 0u);
  EXPECT_EQ(bar.force(), 0);
  bar.move(0.0026);  // a gap of 0.6 mm: not yet
  EXPECT_GT(bar.unarmed(), fresh / 2);
  bar.move(-0.0016);
  EXPECT_EQ(bar.force(), 0);
  bar.move(0.0035);                     // a gap of 2.5 mm
  EXPECT_LT(bar.unarmed(), fresh / 2);  // side cracks within a half stay shut
  bar.move(-0.0035);                    // 1 mm into each other, and now they push
  EXPECT_GT(bar.force(), 0.1);
}

TYPED_TEST(CrackContact, UnarmedFacesDoNotSinkIntoEachOtherBeyondTheirPlay) {
  CutBar<TypeParam> bar({});
  bar.move(-0.004);
  EXPECT_EQ(bar.force(), 0);
  bar.move(-0.003);
  EXPECT_GT(bar.force(), 0.03);
}

}  // namespace
}  // namespace sunder
