#include "export/material_tracker.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "export/broken_bar_testing.h"

namespace sunder {
namespace {

const BrokenBar kBar;

TEST(MaterialTracker, IsExactForAffineMotion) {
  const Frame late = kBar.frame(4);
  MaterialTracker tracker(late);
  tracker.look_at(kBar.frame(2));
  const Frame early = kBar.frame(2);
  const std::vector<Vec3> position = tracker.carry(early.position), velocity = tracker.carry(early.velocity);
  ASSERT_GT(late.rest.size(), early.rest.size());
  for (std::size_t n = 0; n < late.rest.size(); ++n) {
    ASSERT_TRUE(tracker.has_node(n));
    const Vec3 expected = BrokenBar::affine() * late.rest[n] + BrokenBar::shift();
    EXPECT_LT((position[n] - expected).norm(), 1e-14);
    EXPECT_LT((velocity[n] - 3 * expected).norm(), 1e-13);
  }
  EXPECT_LT(tracker.worst_outside(), 1e-14);
}

TEST(MaterialTracker, KeepsTheSidesOfACrackApart) {
  const Frame late = kBar.frame(4), early = kBar.frame(3);
  MaterialTracker tracker(late);
  tracker.look_at(early);
  const std::vector<Vec3> position = tracker.carry(early.position);
  std::size_t on_cut = 0;
  for (std::size_t t = 0; t < late.tets.size(); ++t) {
    for (const std::uint32_t n : late.tets[t]) {
      EXPECT_EQ(position[n], early.position[n]);  // the topology is the same: to the last bit
      on_cut += late.rest[n].x() == 1 ? 1 : 0;
    }
  }
  EXPECT_GT(on_cut, 0u);
}

TEST(MaterialTracker, RefindsWhenTheTopologyChangesAndKnowsWhatIsNotThere) {
  const Frame late = kBar.frame(4);
  MaterialTracker tracker(late);
  for (const int number : {1, 2, 3, 4, 1}) {
    const Frame frame = kBar.frame(number);
    tracker.look_at(frame);
    const std::vector<Vec3> rest = tracker.carry(frame.rest);
    for (std::size_t n = 0; n < late.rest.size(); ++n) EXPECT_LT((rest[n] - late.rest[n]).norm(), 1e-14);
  }
  tracker.look_at(kBar.frame(5));
  for (std::size_t t = 0; t < late.tets.size(); ++t) {
    const std::uint32_t inner = *std::max_element(late.tets[t].begin(), late.tets[t].end());
    EXPECT_EQ(tracker.has_node(inner), late.fragment[t] == 1) << "a node of one piece only";
  }
}

TEST(MaterialTracker, BodiesInOnePlaceAreNotMixedUp) {
  Frame frame = kBar.frame(1);
  const std::size_t nodes = frame.rest.size(), tets = frame.tets.size();
  const Frame once = frame;
  for (std::size_t n = 0; n < nodes; ++n) frame.rest.push_back(frame.rest[n]);
  for (std::size_t t = 0; t < tets; ++t) {
    auto corners = once.tets[t];
    for (std::uint32_t& c : corners) c += static_cast<std::uint32_t>(nodes);
    frame.tets.push_back(corners);
    frame.body.push_back(1);
  }
  const std::vector<std::uint32_t> found =
      find_tets(frame, {{rest_middle(frame, 5), 0}, {rest_middle(frame, 5), 1}, {rest_middle(frame, 5), 2}});
  EXPECT_EQ(found, (std::vector<std::uint32_t>{5, static_cast<std::uint32_t>(tets + 5), MaterialTracker::kNone}));
}

}  // namespace
}  // namespace sunder
