#include "frame/pieces.h"

#include <gtest/gtest.h>

namespace sunder {
namespace {

// A tet with legs of this length, of this fragment.
void add_corner(Frame& frame, double leg, std::uint32_t fragment) {
  const auto first = static_cast<std::uint32_t>(frame.rest.size());
  for (const Vec3& x : {Vec3(0, 0, 0), Vec3(leg, 0, 0), Vec3(0, leg, 0), Vec3(0, 0, leg)}) frame.rest.push_back(x);
  frame.position = frame.rest;
  frame.tets.push_back({first, first + 1, first + 2, first + 3});
  frame.fragment.push_back(fragment);
}

TEST(Pieces, AreListedByVolumeWithTheirShares) {
  Frame frame;
  add_corner(frame, 1, 7);
  add_corner(frame, 2, 3);
  add_corner(frame, 1, 7);
  add_corner(frame, 1, 1);
  add_corner(frame, 1, 5);
  for (std::size_t n = 4; n < 8; ++n) frame.position[n].x() += 0.3;
  for (std::size_t n = 0; n < 4; ++n) frame.position[n].y() -= 0.1;
  const std::vector<Piece> pieces = find_pieces(frame);
  ASSERT_EQ(pieces.size(), 4u);
  EXPECT_EQ(pieces[0].fragment, 3u);
  EXPECT_NEAR(pieces[0].volume, 8.0 / 6, 1e-15);
  EXPECT_NEAR(pieces[0].share, 8.0 / 12, 1e-15);
  EXPECT_NEAR(pieces[0].moved, 0.3, 1e-15);
  EXPECT_NEAR(pieces[1].moved, 0.05, 1e-15);
  EXPECT_EQ(pieces[1].fragment, 7u);
  EXPECT_NEAR(pieces[1].share, 2.0 / 12, 1e-15);
  EXPECT_EQ(pieces[2].fragment, 1u);  // of equals the lower number
  EXPECT_EQ(pieces[3].fragment, 5u);
}

TEST(Pieces, OfNothingAreNone) { EXPECT_TRUE(find_pieces({}).empty()); }

}  // namespace
}  // namespace sunder
