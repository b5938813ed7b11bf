// Blocks that follow splits give the forces of blocks that are cut anew.
#include "solvers/tet_oh99/living_blocks.h"

#include <gtest/gtest.h>

#include "fracture/split.h"
#include "solvers/tet_oh99/fast_forces.h"
#include "solvers/tet_oh99/testing.h"

namespace sunder::tet_oh99 {
namespace {

using testing::Dice;

// A block that random planes go through, with its forces.
struct CutBlock {
  explicit CutBlock(Dice& dice) : dice_(dice) {
    materials.push_back(isotropic_material(testing::random_material(dice)));
    const TetSoup soup = box_mesh(Vec3(0.3, 0.2, 0.2), 0.05, 1);
    mesh.append(soup, {});
    for (const Vec3& p : soup.points) {
      state.position.push_back(p + dice.vec(-0.005, 0.005));
      state.velocity.push_back(dice.vec(-1, 1));
    }
    reference = reference_lengths(mesh);
    elements = element_constants(mesh, materials, {});
    maker.emplace(materials, DampingParameters{});
    fast.emplace(mesh, materials, elements);
  }

  void split(int count) {
    for (int i = 0; i < count;) {
      const NodeId node(static_cast<std::size_t>(dice_(0, static_cast<double>(mesh.node_slots()))));
      const SplitResult& result = splitter.split(mesh, node, dice_.vec(-1, 1), state.position, reference);
      if (!result.done()) continue;
      ++i;
      carry_to_new_nodes(result, mesh, state.position);
      carry_to_new_nodes(result, mesh, state.velocity);
      maker->make_room(mesh, elements);
      for (const auto& child : result.added) maker->make(mesh, child.tet, elements);
    }
  }

  Dice& dice_;
  TetMesh mesh;
  std::vector<TetMaterial> materials;
  NodeState state;
  Column<TetId, double> reference;
  ElementConstants elements;
  std::optional<FastForces> fast;
  NodeSplitter splitter;
  std::optional<ElementMaker> maker;
};

double largest_difference(const Column<NodeId, Vec3>& a, const Column<NodeId, Vec3>& b) {
  double largest = 0;
  for (const NodeId n : id_range<NodeId>(a.size())) largest = std::max(largest, (a[n] - b[n]).norm());
  return largest;
}

double largest_norm(const Column<NodeId, Vec3>& a) {
  double largest = 0;
  for (const Vec3& f : a) largest = std::max(largest, f.norm());
  return largest;
}

TEST(LivingBlocks, GiveTheForcesOfBlocksCutAnew) {
  Dice dice(3);
  CutBlock block(dice);
  for (const int splits : {1, 10, 60, 200}) {
    block.split(splits);
    block.fast->update();
    Column<NodeId, Vec3> followed, anew;
    const ForceReport report = block.fast->evaluate(block.state, followed, true);
    FastForces fresh(block.mesh, block.materials, block.elements);
    const ForceReport expected = fresh.evaluate(block.state, anew, true);
    ASSERT_EQ(followed.size(), anew.size());
    EXPECT_LT(largest_difference(followed, anew), 1e-12 * largest_norm(anew));
    EXPECT_NEAR(report.viscous_power, expected.viscous_power, 1e-11 * expected.viscous_power);
    EXPECT_DOUBLE_EQ(report.elastic_eigen, expected.elastic_eigen);
    EXPECT_EQ(report.inverted, expected.inverted);
  }
}

TEST(LivingBlocks, LanesOfTetsThatAreGoneAreUsedAgain) {
  Dice dice(6);
  CutBlock block(dice);
  std::size_t tets_that_came = 0;
  for (int i = 0; i < 200; ++i) {
    const std::size_t before = block.mesh.tet_slots();
    block.split(1);
    tets_that_came += block.mesh.tet_slots() - before;
    block.fast->update();
  }
  const ElementBlocks& blocks = block.fast->blocks();
  std::size_t lanes = 0, used = 0;
  for (const Pair& pair : blocks.lane_tets) {
    ++lanes;
    used += pair[0].valid() ? 1 : 0;
  }
  EXPECT_GT(tets_that_came, 500u);
  EXPECT_GT(static_cast<double>(used), 0.2 * static_cast<double>(lanes));
  Column<NodeId, Vec3> followed, anew;
  block.fast->evaluate(block.state, followed, true);
  FastForces(block.mesh, block.materials, block.elements).evaluate(block.state, anew, true);
  EXPECT_LT(largest_difference(followed, anew), 1e-12 * largest_norm(anew));
}

TEST(LivingBlocks, AreCutAnewOnceTheTailHasCostAsMuch) {
  Dice dice(7);
  CutBlock block(dice);
  block.split(20);
  block.fast->update();
  Column<NodeId, Vec3> force;
  const auto tail = [&] { return block.fast->blocks().blocks.size() - block.fast->first_tail_block(); };
  EXPECT_GT(tail(), 0u);
  int evaluations = 0;
  for (; tail() > 0 && evaluations < 100'000; ++evaluations) block.fast->evaluate(block.state, force, false);
  EXPECT_GT(evaluations, 20) << "a cut takes as long as 20 evaluations of all tets";
  EXPECT_LT(evaluations, 100'000);
}

TEST(LivingBlocks, LoadedTheyGiveTheSameBits) {
  Dice dice(4);
  CutBlock block(dice);
  for (int i = 0; i < 40; ++i) block.split(1), block.fast->update();
  Writer out;
  block.fast->save(out);
  FastForces loaded(block.mesh, block.materials, block.elements);
  Reader in(out.bytes(), "memory");
  loaded.load(in);
  Column<NodeId, Vec3> kept, found;
  const ForceReport a = block.fast->evaluate(block.state, kept, true), b = loaded.evaluate(block.state, found, true);
  EXPECT_EQ(largest_difference(kept, found), 0);
  EXPECT_EQ(a.viscous_power, b.viscous_power);
  for (int i = 0; i < 100; ++i) {
    block.split(1);
    block.fast->update(), loaded.update();
    block.fast->evaluate(block.state, kept, false), loaded.evaluate(block.state, found, false);
    ASSERT_EQ(largest_difference(kept, found), 0) << i;
  }
}

TEST(LivingBlocks, RefuseAStateOfAnotherMesh) {
  Dice dice(5);
  CutBlock block(dice);
  Writer out;
  block.fast->save(out);
  block.split(1);
  Reader in(out.bytes(), "memory");
  EXPECT_THROW(block.fast->load(in), FileError);
}

}  // namespace
}  // namespace sunder::tet_oh99
