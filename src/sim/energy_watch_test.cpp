#include "sim/energy_watch.h"

#include <gtest/gtest.h>

namespace sunder {
namespace {

TEST(EnergyWatch, RoundOffInAThingThatNothingMovesIsNoBlowUp) {
  EnergyWatch watch;
  Totals still;
  still.mass = 2;
  EXPECT_FALSE(watch.look(still, {}));
  still.elastic = 1e-23, still.kinetic = 1e-25;
  EXPECT_FALSE(watch.look(still, {}));
  EXPECT_FALSE(watch.suspects(still.kinetic));
}

TEST(EnergyWatch, EnergyFromNowhereIsSeenInAThingThatWasAtRest) {
  EnergyWatch watch;
  Totals still;
  still.mass = 2;
  watch.look(still, {});
  still.kinetic = 1e-6;  // at 1 mm/s
  EXPECT_TRUE(watch.suspects(still.kinetic));
  ASSERT_TRUE(watch.look(still, {}).has_value());
}

TEST(EnergyWatch, TheWorkOfALoadMayBecomeMotion) {
  EnergyWatch watch;
  Totals t;
  t.mass = 2;
  watch.look(t, {});
  t.kinetic = 5;
  EXPECT_FALSE(watch.look(t, {{.name = "push", .work = 5}}));
}

}  // namespace
}  // namespace sunder
