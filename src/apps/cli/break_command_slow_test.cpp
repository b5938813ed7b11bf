// An artist's cup: a file whose walls are thin.
#include "apps/cli/program_testing.h"

namespace sunder::cli {
namespace {

class BreakCommandSlow : public ProgramTest {};

TEST_F(BreakCommandSlow, ACupFromAFileHasFewTetsAndBreaks) {
  ASSERT_EQ(sunder({"mesh", "cup", "-o", "cup.obj", "-q"}).code, 0);
  const Outcome o = sunder({"drop", "cup.obj", "--pieces", "many", "--seconds", "0.1", "--no-film", "-o", "d"});
  ASSERT_EQ(o.code, 0) << o.err;
  const auto info = json_of({"info", "d", "--json"});
  EXPECT_LT(info["totals"]["elements"], 6000);  // the lattice alone makes 31,700
  EXPECT_GT(info["totals"]["fragments"], 3);
  EXPECT_EQ(sunder({"check", "d"}).code, 0);
  EXPECT_NE(read("d.toml").find("stretch = "), std::string::npos);
}

}  // namespace
}  // namespace sunder::cli
