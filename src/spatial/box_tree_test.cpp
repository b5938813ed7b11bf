// The hierarchy and its front against brute force.
#include "spatial/box_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "core/random.h"

namespace sunder {
namespace {

using Pair = PairFront::Pair;

// Boxes that fly about, come and go.
struct Swarm {
  explicit Swarm(std::size_t count, std::uint64_t seed_) : seed(seed_) {
    for (std::size_t i = 0; i < count; ++i) add();
  }
  double random() { return random_unit(seed, draw++); }
  Vec3 random_vec() {
    const double x = random(), y = random(), z = random();
    return {x, y, z};
  }
  std::uint32_t add() {
    Bounds box;
    box.add(random_vec());
    boxes[next] = box.grown(0.03 + 0.05 * random());
    return next++;
  }
  void move() {
    for (auto& [item, box] : boxes) {
      const Vec3 by = 0.04 * (random_vec() - Vec3::Constant(0.5));
      box.lower += by, box.upper += by;
    }
  }
  std::vector<Pair> brute_force() const {
    std::vector<Pair> pairs;
    for (const auto& [a, box_a] : boxes) {
      for (const auto& [b, box_b] : boxes) {
        if (a < b && box_a.meets(box_b)) pairs.push_back({a, b});
      }
    }
    return pairs;
  }
  void build(BoxTree& tree) const {
    std::vector<std::uint32_t> items;
    std::vector<Bounds> all;
    for (const auto& [item, box] : boxes) items.push_back(item), all.push_back(box);
    tree.build(items, all);
  }
  std::map<std::uint32_t, Bounds> boxes;
  std::uint32_t next = 0;
  std::uint64_t seed, draw = 0;
};

std::vector<Pair> found(PairFront& front, const BoxTree& tree) {
  const auto pairs = front.find(tree, [](std::uint32_t, std::uint32_t) { return true; });
  return {pairs.begin(), pairs.end()};
}

TEST(BoxTree, FrontFindsThePairsOfBruteForceWhileBoxesMove) {
  Swarm swarm(300, 1);
  BoxTree tree;
  swarm.build(tree);
  PairFront front;
  std::size_t pairs = 0;
  for (int step = 0; step < 40; ++step) {
    tree.refit([&](std::uint32_t item) { return swarm.boxes[item]; });
    const std::vector<Pair> expected = swarm.brute_force();
    ASSERT_EQ(found(front, tree), expected) << "step " << step;
    pairs += expected.size();
    swarm.move();
  }
  EXPECT_GT(pairs, 10000u);
}

TEST(BoxTree, FrontFindsThePairsOfBruteForceWhileItemsComeAndGo) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Swarm swarm(60, seed);
    BoxTree tree;
    swarm.build(tree);
    PairFront front;
    for (int step = 0; step < 60; ++step) {
      for (int i = 0; i < 3; ++i) {
        const std::uint32_t item = swarm.add();
        front.add_leaf(tree.insert(item, swarm.boxes[item]));
      }
      for (int i = 0; i < 2; ++i) {
        auto gone = swarm.boxes.begin();
        std::advance(gone, static_cast<int>(swarm.random() * static_cast<double>(swarm.boxes.size())));
        tree.remove(gone->first);
        swarm.boxes.erase(gone);
      }
      swarm.move();
      tree.refit([&](std::uint32_t item) { return swarm.boxes[item]; });
      ASSERT_EQ(tree.items(), swarm.boxes.size());
      ASSERT_EQ(found(front, tree), swarm.brute_force()) << "seed " << seed << ", step " << step;
    }
  }
}

TEST(BoxTree, QueryFindsWhatBruteForceFinds) {
  Swarm swarm(500, 3);
  BoxTree tree;
  swarm.build(tree);
  for (int i = 0; i < 200; ++i) {
    Bounds query;
    query.add(swarm.random_vec());
    query = query.grown(0.1);
    std::vector<std::uint32_t> expected, seen;
    for (const auto& [item, box] : swarm.boxes) {
      if (box.meets(query)) expected.push_back(item);
    }
    tree.for_each_meeting(query, [&](std::uint32_t item) { seen.push_back(item); });
    std::sort(seen.begin(), seen.end());
    ASSERT_EQ(seen, expected);
  }
}

TEST(BoxTree, ManyBoxesInOnePlaceAndNoneAtAll) {
  BoxTree tree;
  PairFront front;
  tree.build({}, {});
  EXPECT_TRUE(found(front, tree).empty());
  EXPECT_EQ(tree.insert(7, Bounds{Vec3::Zero(), Vec3::Ones()}), 0u);
  front.add_leaf(0);
  EXPECT_TRUE(found(front, tree).empty());

  const std::vector<Bounds> same(100, Bounds{Vec3::Zero(), Vec3::Ones()});
  std::vector<std::uint32_t> items;
  for (std::uint32_t i = 0; i < 100; ++i) items.push_back(i);
  tree.build(items, same);
  front.restart();
  EXPECT_EQ(found(front, tree).size(), 100u * 99 / 2);
}

}  // namespace
}  // namespace sunder
