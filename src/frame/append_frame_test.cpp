#include "frame/append_frame.h"

#include <gtest/gtest.h>

namespace sunder {
namespace {

Frame one_tet() {
  Frame frame;
  frame.time = 0.5;
  frame.position = frame.rest = {Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
  frame.velocity.assign(4, Vec3::UnitX());
  frame.node_uid = {1, 3, 5, 7};
  frame.tets = {{0, 1, 2, 3}};
  frame.body = frame.material = {1};
  frame.fragment = {1};
  frame.tet_uid = {1};
  frame.stress = {10};
  frame.crack_faces = {2};
  frame.parts = {{1, 0, 0, 0}};
  return frame;
}

Frame one_cell() {
  Frame frame;
  for (int i = 0; i < 8; ++i) {
    frame.position.push_back(Vec3(i, 0, 0));
    frame.node_uid.push_back(2 + 2 * static_cast<Uid>(i));
  }
  frame.rest = frame.position;
  frame.velocity.assign(8, Vec3::Zero());
  frame.hexes = {{0, 1, 2, 3, 4, 5, 6, 7}};
  frame.body = frame.material = {0};
  frame.fragment = {2};
  frame.tet_uid = {2};
  frame.stress = {20};
  frame.crack_faces = {0};
  frame.broken_edges = {5};
  frame.node_fragment.assign(8, 2);
  frame.turn.assign(8, {0, 1, 0, 0});
  return frame;
}

TEST(AppendFrame, ElementsNameTheirOwnNodes) {
  Frame all = one_tet();
  append_frame(all, one_cell());
  EXPECT_EQ(all.time, 0.5);
  ASSERT_EQ(all.position.size(), 12u);
  EXPECT_EQ(all.tets, one_tet().tets);
  EXPECT_EQ(all.hexes, (std::vector<std::array<std::uint32_t, 8>>{{4, 5, 6, 7, 8, 9, 10, 11}}));
  EXPECT_EQ(all.position[all.hexes[0][7]], Vec3(7, 0, 0));
  EXPECT_EQ(all.body, (std::vector<std::uint32_t>{1, 0}));
  EXPECT_EQ(all.stress, (std::vector<double>{10, 20}));
}

TEST(AppendFrame, ColumnsOfOneAreFilledUpForTheOther) {
  Frame all = one_tet();
  append_frame(all, one_cell());
  ASSERT_EQ(all.parts.size(), 2u);
  EXPECT_EQ(all.parts[1], (std::array<std::uint8_t, 4>{}));
  ASSERT_EQ(all.turn.size(), 12u);
  EXPECT_EQ(all.turn[3], (std::array<double, 4>{1, 0, 0, 0}));
  EXPECT_EQ(all.turn[4], (std::array<double, 4>{0, 1, 0, 0}));
  EXPECT_EQ(all.node_fragment[3], 0u);
  EXPECT_EQ(all.node_fragment[4], 2u);
  EXPECT_EQ(all.broken_edges, (std::vector<std::uint32_t>{5}));  // of hexahedra only
  EXPECT_TRUE(all.uv.empty());                                   // of neither
}

}  // namespace
}  // namespace sunder
