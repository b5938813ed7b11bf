#include "mesh/fragments.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "mesh/kuhn_grid.h"
#include "mesh/validate.h"

namespace sunder {
namespace {

using News = std::vector<NewFragment>;

// A row of cubes along x; cube i has the tets 6 i to 6 i + 5.
TetMesh row(std::uint32_t cubes) {
  TetMesh mesh;
  mesh.append(kuhn_grid(cubes, 1, 1), {});
  return mesh;
}

// Cuts at the plane x = at: what lies beyond gets nodes of its own.
void cut(TetMesh& mesh, double at) {
  for (const NodeId n : id_range<NodeId>(mesh.node_slots())) {
    if (!mesh.alive(n) || mesh.material_position(n)[0] != at) continue;
    std::vector<Corner> beyond;
    bool before = false;
    for (const Corner c : mesh.star(n)) {
      double middle = 0;
      for (const NodeId m : mesh.corners(c.tet)) middle += mesh.material_position(m)[0] / 4;
      if (middle > at) {
        beyond.push_back(c);
      } else {
        before = true;
      }
    }
    if (beyond.empty() || !before) continue;
    const NodeId twin = mesh.add_node(mesh.material_position(n));
    for (const Corner c : beyond) mesh.set_corner(c, twin);
  }
}

std::uint32_t label_of_cube(const FragmentTracker& tracker, std::size_t cube) {
  std::set<std::uint32_t> labels;
  for (std::size_t t = 6 * cube; t < 6 * cube + 6; ++t) labels.insert(tracker.labels()[TetId(t)]);
  return labels.size() == 1 ? *labels.begin() : 0;
}

std::vector<std::uint32_t> label_of_cubes(const FragmentTracker& tracker, std::size_t cubes) {
  std::vector<std::uint32_t> labels;
  for (std::size_t i = 0; i < cubes; ++i) labels.push_back(label_of_cube(tracker, i));
  return labels;
}

using Labels = std::vector<std::uint32_t>;

TEST(Fragments, AreNumberedFromOneByTheirSmallestUid) {
  TetMesh mesh = row(3);
  mesh.append(kuhn_grid(1, 1, 1), {});
  mesh.append(kuhn_grid(2, 1, 1), {});
  FragmentTracker tracker;
  EXPECT_EQ(tracker.update(mesh), (News{{1, 0}, {2, 0}, {3, 0}}));
  EXPECT_EQ(label_of_cubes(tracker, 6), (Labels{1, 1, 1, 2, 3, 3}));
  EXPECT_EQ(tracker.count(), 3u);
}

TEST(Fragments, TheLargestPieceKeepsTheId) {
  TetMesh mesh = row(5);
  FragmentTracker tracker;
  tracker.update(mesh);
  cut(mesh, 2);
  ASSERT_TRUE(validate(mesh).empty());
  EXPECT_EQ(tracker.update(mesh), (News{{2, 1}}));
  EXPECT_EQ(label_of_cubes(tracker, 5), (Labels{2, 2, 1, 1, 1}));
  cut(mesh, 3);  // of the piece of three, the part with two cubes keeps it
  EXPECT_EQ(tracker.update(mesh), (News{{3, 1}}));
  EXPECT_EQ(label_of_cubes(tracker, 5), (Labels{2, 2, 3, 1, 1}));
  cut(mesh, 1);  // the piece with id 2 breaks in halves: the smaller uid decides
  EXPECT_EQ(tracker.update(mesh), (News{{4, 2}}));
  EXPECT_EQ(label_of_cubes(tracker, 5), (Labels{2, 4, 3, 1, 1}));
  EXPECT_EQ(tracker.count(), 4u);
}

TEST(Fragments, ManyPiecesAtOnceAreNumberedByUid) {
  TetMesh mesh = row(7);
  FragmentTracker tracker;
  tracker.update(mesh);
  for (const double at : {1.0, 2.0, 5.0}) cut(mesh, at);
  EXPECT_EQ(tracker.update(mesh), (News{{2, 1}, {3, 1}, {4, 1}}));
  EXPECT_EQ(label_of_cubes(tracker, 7), (Labels{2, 3, 1, 1, 1, 4, 4}));
}

TEST(Fragments, VolumeDecidesNotTheNumberOfTets) {
  // A large tet and, on one of its faces, two small ones.
  TetMesh mesh;
  for (const Vec3& x : {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 5), Vec3(0.1, 0.1, -0.1)}) {
    mesh.add_node(x);
  }
  const NodeId far = mesh.add_node(Vec3(0.2, 1, -0.1));
  mesh.add_tet({NodeId(0), NodeId(2), NodeId(1), NodeId(4)}, {});
  mesh.add_tet({NodeId(1), NodeId(2), far, NodeId(4)}, {});
  const TetId large = mesh.add_tet({NodeId(0), NodeId(1), NodeId(2), NodeId(3)}, {});
  ASSERT_EQ(validate(mesh), std::vector<std::string>());
  FragmentTracker tracker;
  ASSERT_EQ(tracker.update(mesh), (News{{1, 0}}));
  for (int i = 0; i < 3; ++i) mesh.set_corner({large, i}, mesh.add_node(mesh.material_position(mesh.node({large, i}))));
  EXPECT_EQ(tracker.update(mesh), (News{{2, 1}}));
  EXPECT_EQ(tracker.labels()[large], 1u);
}

TEST(Fragments, SurviveCompactAndRemovedTets) {
  TetMesh mesh = row(5);
  FragmentTracker tracker;
  tracker.update(mesh);
  cut(mesh, 2);
  tracker.update(mesh);
  for (std::size_t t = 0; t < 6; ++t) mesh.remove_tet(TetId(t));  // the first cube, of fragment 2
  for (const NodeId n : id_range<NodeId>(mesh.node_slots())) {
    if (mesh.alive(n) && mesh.star(n).empty()) mesh.remove_node(n);
  }
  mesh.compact();
  EXPECT_EQ(tracker.update(mesh), News{});
  EXPECT_EQ(label_of_cubes(tracker, 4), (Labels{2, 1, 1, 1}));
  EXPECT_EQ(tracker.labels().size(), 24u);
}

TEST(Fragments, HolesHaveTheLabelZero) {
  TetMesh mesh = row(2);
  mesh.remove_tet(TetId(3));
  FragmentTracker tracker;
  tracker.update(mesh);
  EXPECT_EQ(tracker.labels()[TetId(3)], 0u);
  EXPECT_EQ(tracker.labels()[TetId(4)], 1u);
}

TEST(Fragments, TetsThatReplaceOthersInheritFromTheirNodes) {
  // Every tet of cube 0 is replaced by four round a new node, as a split would; nothing of the fragment is left but
  // its nodes.
  TetMesh mesh = row(1);
  mesh.append(kuhn_grid(1, 1, 1), {});
  FragmentTracker tracker;
  ASSERT_EQ(tracker.update(mesh), (News{{1, 0}, {2, 0}}));
  for (std::size_t t = 6; t < 12; ++t) {
    const auto corners = mesh.corners(TetId(t));
    Vec3 middle = Vec3::Zero();
    for (const NodeId n : corners) middle += mesh.material_position(n) / 4;
    mesh.remove_tet(TetId(t));
    const NodeId centre = mesh.add_node(middle);
    for (std::size_t i = 0; i < 4; ++i) {
      auto child = corners;
      child[i] = centre;
      mesh.add_tet(child, {});
    }
  }
  ASSERT_TRUE(validate(mesh).empty());
  EXPECT_EQ(tracker.update(mesh), News{});
  EXPECT_EQ(tracker.count(), 2u);
  EXPECT_EQ(tracker.labels()[TetId(20)], 2u);
}

TEST(Fragments, APieceOfNothingKnownHasNoParent) {
  TetMesh mesh = row(1);
  FragmentTracker tracker;
  tracker.update(mesh);
  mesh.append(kuhn_grid(1, 1, 1), {});
  EXPECT_EQ(tracker.update(mesh), (News{{2, 0}}));
}

TEST(Fragments, NothingIsDoneWithoutAnEditOfTets) {
  TetMesh mesh = row(2);
  FragmentTracker tracker;
  tracker.update(mesh);
  const auto* before = tracker.labels().data();
  mesh.add_node(Vec3(9, 9, 9));
  EXPECT_EQ(tracker.update(mesh), News{});
  EXPECT_EQ(tracker.labels().data(), before);
  EXPECT_EQ(tracker.mark(), mesh.journal().now());
  mesh.journal().forget(*tracker.mark());  // nothing before the mark is asked for again
  cut(mesh, 1);
  EXPECT_EQ(tracker.update(mesh), (News{{2, 1}}));
}

TEST(Fragments, GoOnFromASavedState) {
  TetMesh mesh = row(5);
  FragmentTracker tracker;
  tracker.update(mesh);
  cut(mesh, 2);
  tracker.update(mesh);
  FragmentTracker resumed(tracker.state());
  mesh.journal().forget(mesh.journal().now());  // a loaded mesh has no past
  EXPECT_EQ(resumed.update(mesh), News{});
  EXPECT_EQ(label_of_cubes(resumed, 5), (Labels{2, 2, 1, 1, 1}));
  cut(mesh, 3);
  EXPECT_EQ(tracker.update(mesh), (News{{3, 1}}));
  EXPECT_EQ(resumed.update(mesh), (News{{3, 1}}));
  EXPECT_EQ(resumed.state(), tracker.state());
}

}  // namespace
}  // namespace sunder
