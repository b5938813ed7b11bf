#include "sim/memory.h"

#include <gtest/gtest.h>

namespace sunder {
namespace {

TEST(Memory, WhatFitsPasses) {
  EXPECT_NO_THROW(require_memory(Scene{}, 1e6, 2e9));
  EXPECT_GT(available_memory(), 1e7) << "and this test runs";
}

TEST(Memory, WhatDoesNotFitIsRefusedWithBothFiguresAndARemedy) {
  Scene scene;
  scene.places["body[0].edge"] = {"big.toml", 7, 3};
  try {
    require_memory(scene, 8e6, 1e9);
    FAIL();
  } catch (const InputError& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find("big.toml:7:3"), std::string::npos) << what;
    EXPECT_NE(what.find("8 million tets"), std::string::npos) << what;
    EXPECT_NE(what.find("6.8 GB"), std::string::npos) << what;
    EXPECT_NE(what.find("1 GB"), std::string::npos) << what;
    EXPECT_NE(what.find("every edge 2 times as long"), std::string::npos) << what;
  }
  EXPECT_THROW(require_memory(scene, 1, -5), InputError);
  EXPECT_THROW(require_memory(scene, 1e300, 1e12), InputError);
}

}  // namespace
}  // namespace sunder
