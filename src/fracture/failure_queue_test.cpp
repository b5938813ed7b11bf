#include "fracture/failure_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "core/random.h"
#include "fracture/split_testing.h"

namespace sunder {
namespace {

// Ratios by node, as a body would give them.
using Ratios = std::map<std::uint32_t, double>;

std::vector<std::uint32_t> order_of(FailureQueue& queue, const Ratios& ratios) {
  std::vector<std::uint32_t> order;
  while (const auto f = queue.next([&](NodeId n) { return ratios.at(n.index); })) order.push_back(f->node.index);
  return order;
}

double share(const FailureQueue& queue, const TetMesh& mesh, NodeId node) { return queue.toughness_share(mesh, node); }

using Order = std::vector<std::uint32_t>;

TEST(FailureQueue, LargestRatioFirstTiesByUid) {
  const Ratios ratios = {{1, 1.5}, {2, 3.0}, {3, 1.5}, {4, 0.9}, {5, 1.0}};
  FailureQueue queue;
  queue.begin_step(1, 0);
  for (const auto& [n, r] : ratios) queue.offer(NodeId(n), 100 - n, r);  // the later node has the smaller uid
  EXPECT_EQ(order_of(queue, ratios), (Order{2, 3, 1, 5}));
}

TEST(FailureQueue, OrderOfOffersDoesNotMatter) {
  Ratios ratios;
  for (std::uint32_t n = 0; n < 200; ++n) ratios[n] = 1 + static_cast<double>(random_bits(1, n) % 20);
  FailureQueue forward, backward;
  forward.begin_step(1, 0), backward.begin_step(1, 0);
  for (auto i = ratios.begin(); i != ratios.end(); ++i) forward.offer(NodeId(i->first), i->first, i->second);
  for (auto i = ratios.rbegin(); i != ratios.rend(); ++i) backward.offer(NodeId(i->first), i->first, i->second);
  const Order order = order_of(forward, ratios);
  EXPECT_EQ(order.size(), 200u);
  EXPECT_EQ(order, order_of(backward, ratios));
}

TEST(FailureQueue, ANodeIsEvaluatedAnewWhenItsTurnComes) {
  Ratios ratios = {{1, 5.0}, {2, 4.0}, {3, 3.0}};
  FailureQueue queue;
  queue.begin_step(1, 0);
  for (const auto& [n, r] : ratios) queue.offer(NodeId(n), n, r);
  const auto now = [&](NodeId n) { return ratios.at(n.index); };
  const auto first = queue.next(now);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->node, NodeId(1));
  EXPECT_EQ(first->ratio, 5);
  // The split relieves 2 a little and 3 wholly: 2 still fails, with its new ratio.
  ratios[2] = 1.25, ratios[3] = 0.5;
  const auto second = queue.next(now);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->node, NodeId(2));
  EXPECT_EQ(second->ratio, 1.25);
  EXPECT_FALSE(queue.next(now));
}

TEST(FailureQueue, ANodeThatWasRelievedWaitsForThoseNowAboveIt) {
  Ratios ratios = {{1, 5.0}, {2, 4.0}, {3, 3.0}};
  FailureQueue queue;
  queue.begin_step(1, 0);
  for (const auto& [n, r] : ratios) queue.offer(NodeId(n), n, r);
  ratios[1] = 3.5, ratios[2] = 2;
  EXPECT_EQ(order_of(queue, ratios), (Order{1, 3, 2}));
}

TEST(FailureQueue, RatiosThatAreNoNumbersNeverFail) {
  FailureQueue queue;
  queue.begin_step(1, 0);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  queue.offer(NodeId(1), 1, nan);
  queue.offer(NodeId(2), 2, 2);
  EXPECT_FALSE(queue.next([&](NodeId) { return nan; }));
  queue.offer(NodeId(2), 2, 2);
  EXPECT_FALSE(queue.next([&](NodeId) { return std::numeric_limits<double>::infinity(); }));
}

TEST(FailureQueue, ARefusedNodeWaitsSomeSteps) {
  FailureQueue queue({.refused_pause = 3});
  queue.begin_step(10, 0);
  queue.refused(7);
  for (std::uint64_t step = 10; step < 13; ++step) {
    queue.begin_step(step, 0);
    EXPECT_FALSE(queue.may_fail(7));
    queue.offer(NodeId(1), 7, 9);
    EXPECT_FALSE(queue.next([](NodeId) { return 9.0; }));
  }
  queue.begin_step(13, 0);
  EXPECT_TRUE(queue.may_fail(7));
  EXPECT_EQ(queue.waiting(), 0u);
}

// A grid of two cubes each way, its middle node split.
struct Cracked {
  SplitBody body{0};
  NodeSplitter splitter;
  SplitResult result;
  Cracked() { result = body.split(splitter, NodeId(13), Vec3(2, 0, 0)); }
};

TEST(FailureQueue, ARefusedNodeMayTryAgainWhenItsStarHasChanged) {
  Cracked crack;
  FailureQueue queue;
  queue.begin_step(1, 0);
  const NodeId beside = crack.result.tips.front();
  queue.refused(crack.body.mesh.uid(beside));
  queue.refused(99999);
  queue.cracked(crack.body.mesh, crack.result, NodeId(13), Vec3(2, 0, 0), 1, 1);
  EXPECT_TRUE(queue.may_fail(crack.body.mesh.uid(beside)));
  EXPECT_FALSE(queue.may_fail(99999));
}

TEST(FailureQueue, NodesBesideANewCrackWaitTheirDistanceOverTheCrackSpeed) {
  Cracked crack;
  const double speed = 50;
  FailureQueue queue({.crack_speed = speed});
  queue.begin_step(1, 2.0);
  queue.cracked(crack.body.mesh, crack.result, NodeId(13), Vec3(2, 0, 0), 1, 1);
  ASSERT_FALSE(crack.result.tips.empty());
  for (const NodeId n : crack.result.tips) {
    const Uid uid = crack.body.mesh.uid(n);
    const double distance =
        (crack.body.mesh.material_position(n) - crack.body.mesh.material_position(NodeId(13))).norm();
    EXPECT_FALSE(queue.may_fail(uid));
    queue.begin_step(2, 2.0 + 0.999 * distance / speed);
    EXPECT_FALSE(queue.may_fail(uid));
  }
  queue.begin_step(3, 2.0 + 2 / speed);
  for (const NodeId n : crack.result.tips) EXPECT_TRUE(queue.may_fail(crack.body.mesh.uid(n)));
}

TEST(FailureQueue, TheSplitNodeMayFailAgainAtOnceAcrossAnotherPlane) {
  Cracked crack;
  FailureQueue queue({.crack_speed = 1e-3});
  queue.begin_step(1, 0);
  queue.cracked(crack.body.mesh, crack.result, NodeId(13), Vec3(2, 0, 0), 1, 1);
  EXPECT_TRUE(queue.may_fail(crack.body.mesh.uid(NodeId(13))));
  EXPECT_TRUE(queue.may_fail(crack.body.mesh.uid(crack.result.duplicates.front().node)));
}

TEST(FailureQueue, TipsRememberTheCrackAndForgetItWhenTheySplit) {
  Cracked crack;
  FailureQueue queue({.tip_share = 0.7, .residual = 0.5});
  queue.begin_step(1, 0);
  queue.cracked(crack.body.mesh, crack.result, NodeId(13), Vec3(2, 0, 0), 8, 1);
  const NodeId tip = crack.result.tips.front();
  const Uid uid = crack.body.mesh.uid(tip);
  ASSERT_NE(queue.tip(uid), nullptr);
  EXPECT_EQ(queue.tip(uid)->normal, Vec3(1, 0, 0));
  EXPECT_EQ(queue.tip(uid)->residual, 4);
  EXPECT_EQ(share(queue, crack.body.mesh, tip), 0.7);
  EXPECT_EQ(share(queue, crack.body.mesh, NodeId(13)), 1);
  const SplitResult next = crack.body.split(crack.splitter, tip, Vec3(1, 0.1, 0));
  ASSERT_TRUE(next.done());
  queue.cracked(crack.body.mesh, next, tip, Vec3(1, 0.1, 0), 0, 1);
  EXPECT_EQ(queue.tip(uid), nullptr);
}

TEST(FailureQueue, WithALengthTipsAndNodesNearThemBearMore) {
  const double length = 4, edge = 1;
  Cracked crack;
  const TetMesh& mesh = crack.body.mesh;
  FailureQueue queue({.tip_share = 0.7, .tip_length = length});
  queue.begin_step(1, 0);
  queue.cracked(mesh, crack.result, NodeId(13), Vec3(2, 0, 0), 8, edge);
  ASSERT_FALSE(crack.result.tips.empty());
  for (const NodeId tip : crack.result.tips) {
    EXPECT_NEAR(share(queue, mesh, tip), 0.7 * std::sqrt(length / edge), 1e-12);
  }
  const double beside = (mesh.material_position(NodeId(13)) - mesh.material_position(crack.result.tips.front())).norm();
  EXPECT_GE(share(queue, mesh, NodeId(13)), std::sqrt(length / std::max(edge, beside)) - 1e-12);
  EXPECT_EQ(queue.least_toughness_share(mesh.uid(NodeId(13))), 1);
}

TEST(FailureQueue, NodesOfAnotherBodyInTheSamePlaceBearWhatTheyDid) {
  Cracked crack;
  TetMesh& mesh = crack.body.mesh;
  TetSoup beside;
  for (const NodeId n : mesh.corners((*mesh.star(crack.result.tips.front()).begin()).tet)) {
    beside.points.push_back(mesh.material_position(n));
  }
  beside.tets = {{0, 1, 2, 3}};
  const NodeId other = mesh.append(beside, {.body = 99});
  FailureQueue queue({.tip_length = 4});
  queue.begin_step(1, 0);
  queue.cracked(mesh, crack.result, NodeId(13), Vec3(2, 0, 0), 8, 1);
  for (std::uint32_t i = 0; i < 4; ++i) EXPECT_EQ(share(queue, mesh, NodeId(other.index + i)), 1);
  EXPECT_GT(share(queue, mesh, NodeId(13)), 1);
}

TEST(FailureQueue, WithoutResidualTheTipsAddNothing) {
  Cracked crack;
  FailureQueue queue;
  queue.begin_step(1, 0);
  queue.cracked(crack.body.mesh, crack.result, NodeId(13), Vec3(2, 0, 0), 8, 1);
  EXPECT_EQ(queue.tip(crack.body.mesh.uid(crack.result.tips.front()))->residual, 0);
  EXPECT_EQ(share(queue, crack.body.mesh, crack.result.tips.front()), 1);
}

TEST(FailureQueue, WhatLastsSurvivesACheckpoint) {
  Cracked crack;
  const FailureRules rules = {.crack_speed = 3, .tip_length = 4, .residual = 0.5};
  FailureQueue queue(rules), again(rules);
  queue.begin_step(5, 1);
  queue.refused(4711);
  queue.cracked(crack.body.mesh, crack.result, NodeId(13), Vec3(1, 2, 0), 8, 1);
  Writer out;
  queue.save(out);
  Reader in(out.bytes(), "test");
  again.load(in);
  EXPECT_TRUE(in.at_end());
  Writer second;
  again.save(second);
  EXPECT_EQ(out.bytes(), second.bytes());
  EXPECT_FALSE(again.may_fail(4711));
  Reader cut(std::string_view(out.bytes()).substr(0, out.bytes().size() - 1), "test");
  EXPECT_THROW(again.load(cut), FileError);
}

}  // namespace
}  // namespace sunder
