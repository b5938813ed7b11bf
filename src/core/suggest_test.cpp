#include "core/suggest.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sunder {
namespace {

const std::vector<std::string> kMaterials = {"glass", "brick", "concrete", "sandstone"};

TEST(Suggest, FindsASlipOfTheFingers) {
  EXPECT_EQ(nearest_name("glas", kMaterials), "glass");    // one missing
  EXPECT_EQ(nearest_name("glaass", kMaterials), "glass");  // one too many
  EXPECT_EQ(nearest_name("gkass", kMaterials), "glass");   // a wrong one
  EXPECT_EQ(nearest_name("lgass", kMaterials), "glass");   // two swapped
  EXPECT_EQ(nearest_name("sandstnoe", kMaterials), "sandstone");
}

TEST(Suggest, PrefersTheNearer) {
  const std::vector<std::string> names = {"density", "densify", "intensity"};
  EXPECT_EQ(nearest_name("densit", names), "density");
  EXPECT_EQ(nearest_name("densif", names), "densify");
}

TEST(Suggest, SaysNothingWhenNothingIsNear) {
  EXPECT_EQ(nearest_name("water", kMaterials), "");
  EXPECT_EQ(nearest_name("glass", {}), "");
  EXPECT_EQ(nearest_name(std::string(100, 'g'), kMaterials), "");
}

TEST(Suggest, SpeaksInASentence) {
  EXPECT_EQ(suggestion("glas", kMaterials), "did you mean `glass`?");
  EXPECT_EQ(suggestion("water", kMaterials), "known here: glass, brick, concrete, sandstone");
}

}  // namespace
}  // namespace sunder
