#include "fracture/max_tree.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/dice_testing.h"

namespace sunder {
namespace {

TEST(MaxTree, TopIsTheLargestAndTheFirstOfEqualOnes) {
  Dice dice(4);
  MaxTree tree;
  std::vector<double> values;
  for (int round = 0; round < 20000; ++round) {
    if (values.empty() || dice(0, 1) < 0.05) {
      values.push_back(MaxTree::kNothing);
      tree.resize(values.size());
    }
    const auto i = static_cast<std::size_t>(dice(0, static_cast<double>(values.size())));
    values[i] = dice(0, 1) < 0.1 ? MaxTree::kNothing : std::floor(dice(0, 20));  // many ties
    tree.set(i, values[i]);
    const auto best = static_cast<std::size_t>(std::max_element(values.begin(), values.end()) - values.begin());
    ASSERT_EQ(tree.top_value(), values[best]);
    if (values[best] > MaxTree::kNothing) {
      ASSERT_EQ(tree.top(), best);
    }
  }
}

TEST(MaxTree, NotANumberIsNothing) {
  MaxTree tree;
  tree.resize(3);
  tree.set(0, std::nan(""));
  tree.set(2, 1);
  EXPECT_EQ(tree.top(), 2u);
  tree.set(2, std::nan(""));
  EXPECT_EQ(tree.top_value(), MaxTree::kNothing);
}

}  // namespace
}  // namespace sunder
