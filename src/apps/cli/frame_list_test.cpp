#include "apps/cli/frame_list.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace sunder::cli {
namespace {

TEST(FrameList, ReadsWhatPeopleWrite) {
  const std::vector<int> known = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  EXPECT_EQ(frame_list("4", known), (std::vector<int>{4}));
  EXPECT_EQ(frame_list("2..5", known), (std::vector<int>{2, 3, 4, 5}));
  EXPECT_EQ(frame_list("2-5,7", known), (std::vector<int>{2, 3, 4, 5, 7}));
  EXPECT_EQ(frame_list("1..9:3", known), (std::vector<int>{1, 4, 7}));
  EXPECT_EQ(frame_list("9,1,3..4", known), (std::vector<int>{9, 1, 3, 4}));
}

TEST(FrameList, RefusesWhatIsNone) {
  const std::vector<int> known = {1, 2, 3};
  for (const char* bad : {"", "x", "0", "-1", "3..1", "1..", "..3", "1..3:0", "1-", "3-1", "1-2-3", "1e3",
                          "99999999999", "1,,2", "2..9"}) {
    EXPECT_THROW(frame_list(bad, known), UsageError) << bad;
  }
}

}  // namespace
}  // namespace sunder::cli
