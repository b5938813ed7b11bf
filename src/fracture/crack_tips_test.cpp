#include "fracture/crack_tips.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/dice_testing.h"

namespace sunder {
namespace {

CrackTip tip_at(const Vec3& position, double edge) {
  CrackTip tip;
  tip.position = position, tip.edge = edge;
  return tip;
}

// In a field K / sqrt(2 pi r), cut off below an edge, a node at any distance within the length fails at the same K.
TEST(CrackTips, NearATipTheIntensityDecidesWhateverTheMeshAndTheDistance) {
  const double length = 0.03;
  for (const double edge : {0.02, 0.01, 0.003}) {
    CrackTips tips({.length = length});
    tips.add(7, tip_at(Vec3(1, 2, 3), edge));
    for (const double r : {0.1 * edge, edge, 1.3 * edge, 0.9 * length, length}) {
      const double seen = 1 / std::sqrt(std::max(r, edge));  // of the toughness, at K = 1
      EXPECT_NEAR(tips.share_at(0, Vec3(1, 2 + r, 3)) / seen, std::max(std::sqrt(length), 1 / seen), 1e-9) << r;
    }
    EXPECT_NEAR(tips.find(7)->share, std::sqrt(length / edge), 1e-12);
    EXPECT_EQ(tips.share_at(0, Vec3(1, 2, 3 + 1.001 * length)), 1);
  }
}

TEST(CrackTips, AShareOfTheTipsIsNoMatterOfTheNodesRoundThem) {
  CrackTips tips({.share = 0.6, .length = 0.04});
  tips.add(7, tip_at(Vec3::Zero(), 0.01));
  EXPECT_NEAR(tips.find(7)->share, 1.2, 1e-12);
  EXPECT_NEAR(tips.share_at(0, Vec3(0.01, 0, 0)), 2, 1e-12);
}

TEST(CrackTips, WithoutALengthOrInACoarserMeshNothingNearThemIsTougher) {
  for (const double length : {0.0, 0.01}) {
    CrackTips tips({.length = length});
    tips.add(7, tip_at(Vec3::Zero(), 0.02));
    EXPECT_EQ(tips.share_at(0, Vec3(0.001, 0, 0)), 1);
    EXPECT_NEAR(tips.find(7)->share, length > 0 ? std::sqrt(0.5) : 1, 1e-12);
  }
}

TEST(CrackTips, TheNearestOfManyCountsWhileTheyComeAndGo) {
  Dice dice(11);
  for (int set = 0; set < 200; ++set) {
    const double length = dice(0.02, 0.3);
    CrackTips tips({.length = length});
    std::map<Uid, CrackTip> known;
    for (int change = 0; change < 60; ++change) {
      const Uid uid = static_cast<Uid>(dice(0, 25));
      if (dice(0, 1) < 0.3) {
        tips.erase(uid), known.erase(uid);
      } else {
        known[uid] = tip_at(dice.vec(-0.5, 0.5), dice(0.005, 0.1));
        tips.add(uid, known[uid]);
      }
      const Vec3 place = dice.vec(-0.5, 0.5);
      double expected = 1;
      for (const auto& [other, tip] : known) {
        expected = std::max(expected, std::sqrt(length / std::max(tip.edge, (tip.position - place).norm())));
      }
      EXPECT_NEAR(tips.share_at(0, place), expected, 1e-12);
      EXPECT_EQ(tips.find(uid) != nullptr, known.contains(uid));
    }
  }
}

TEST(CrackTips, ACheckpointKeepsThemAndWhatIsNearThem) {
  Dice dice(3);
  const TipRules rules = {.share = 0.8, .length = 0.2, .residual = 0.5};
  CrackTips tips(rules), again(rules);
  again.add(900, tip_at(Vec3::Zero(), 0.01));  // of another run
  for (Uid uid = 0; uid < 40; ++uid) tips.add(uid, tip_at(dice.vec(-1, 1), 0.05));
  Writer out;
  tips.save(out);
  Reader in(out.bytes(), "test");
  again.load(in);
  EXPECT_TRUE(in.at_end());
  EXPECT_EQ(again.find(900), nullptr);
  for (int i = 0; i < 2000; ++i) {
    const Vec3 place = dice.vec(-1, 1);
    EXPECT_EQ(tips.share_at(0, place), again.share_at(0, place));
  }
}

TEST(CrackTips, ATipInOneBodyIsNoMatterOfAnotherBesideIt) {
  CrackTips tips({.length = 0.04});
  CrackTip tip = tip_at(Vec3::Zero(), 0.01);
  tip.body = 3;
  tips.add(7, tip);
  EXPECT_NEAR(tips.share_at(3, Vec3(0.01, 0, 0)), 2, 1e-12);
  EXPECT_EQ(tips.share_at(0, Vec3(0.01, 0, 0)), 1);
}

TEST(CrackTips, WhoGoesOnWithOtherRulesHasTheirsAtTipsThatWereThere) {
  CrackTips before({.share = 0.7}), after({.share = 0.5, .length = 0.04, .residual = 0.25});
  CrackTip tip = tip_at(Vec3::Zero(), 0.01);
  tip.excess = 8;
  before.add(7, tip);
  EXPECT_EQ(before.find(7)->share, 0.7);
  EXPECT_EQ(before.find(7)->residual, 0);
  Writer out;
  before.save(out);
  Reader in(out.bytes(), "test");
  after.load(in);
  EXPECT_NEAR(after.find(7)->share, 1, 1e-12);
  EXPECT_EQ(after.find(7)->residual, 2);
  EXPECT_NEAR(after.share_at(0, Vec3(0.01, 0, 0)), 2, 1e-12);
}

TEST(CrackTips, TipsOfNodesThatAreGoneProtectNothing) {
  CrackTips tips({.length = 0.04});
  tips.add(7, tip_at(Vec3::Zero(), 0.01)), tips.add(9, tip_at(Vec3(1, 0, 0), 0.01));
  tips.keep({2, 9, 11});
  EXPECT_EQ(tips.find(7), nullptr);
  EXPECT_EQ(tips.share_at(0, Vec3::Zero()), 1);
  EXPECT_NEAR(tips.share_at(0, Vec3(1, 0, 0)), 2, 1e-12);
}

}  // namespace
}  // namespace sunder
