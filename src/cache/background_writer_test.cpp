#include "cache/background_writer.h"

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <vector>

namespace sunder {
namespace {

using namespace std::chrono_literals;

TEST(BackgroundWriter, DoesTheJobsInOrder) {
  std::vector<int> done;
  BackgroundWriter writer;
  for (int i = 0; i < 1000; ++i) writer.give([&, i] { done.push_back(i); });
  writer.finish();
  ASSERT_EQ(done.size(), 1000u);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(done[static_cast<std::size_t>(i)], i);
}

TEST(BackgroundWriter, WorksWhileTheGiverGoesOn) {
  std::atomic<bool> release{false}, done{false};
  BackgroundWriter writer;
  writer.give([&] {
    while (!release) std::this_thread::sleep_for(1ms);
    done = true;
  });
  EXPECT_FALSE(done) << "give() waited for the job";
  release = true;
  writer.finish();
  EXPECT_TRUE(done);
}

// One job at work and two that wait: the fourth has to wait for room.
TEST(BackgroundWriter, PressesBackWhenTheDiskIsSlow) {
  std::atomic<int> given{0};
  std::atomic<bool> release{false};
  BackgroundWriter writer(2);
  std::thread giver([&] {
    for (int i = 0; i < 10; ++i) {
      writer.give([&] {
        while (!release) std::this_thread::sleep_for(1ms);
      });
      ++given;
    }
  });
  std::this_thread::sleep_for(100ms);
  EXPECT_LE(given, 3);
  release = true;
  giver.join();
  writer.finish();
  EXPECT_EQ(given, 10);
}

TEST(BackgroundWriter, AFailureReachesTheGiverAndEndsTheWriting) {
  BackgroundWriter writer;
  std::atomic<int> done{0};
  writer.give([&] { ++done; });
  writer.give([] { throw std::runtime_error("disk on fire"); });
  EXPECT_THROW(writer.finish(), std::runtime_error);
  EXPECT_TRUE(writer.failed());
  EXPECT_THROW(writer.give([&] { ++done; }), std::runtime_error);
  EXPECT_THROW(writer.finish(), std::runtime_error) << "it does not heal";
  EXPECT_EQ(done, 1);
}

TEST(BackgroundWriter, WritesWhatItWasGivenBeforeItGoes) {
  std::atomic<int> done{0};
  {
    BackgroundWriter writer(100);
    for (int i = 0; i < 50; ++i) {
      writer.give([&] {
        std::this_thread::sleep_for(1ms);
        ++done;
      });
    }
  }
  EXPECT_EQ(done, 50);
}

TEST(BackgroundWriter, GivesTheMemoryOfAJobBack) {
  const auto data = std::make_shared<int>(1);
  BackgroundWriter writer;
  writer.give([data] {});
  writer.finish();
  EXPECT_EQ(data.use_count(), 1);
}

}  // namespace
}  // namespace sunder
