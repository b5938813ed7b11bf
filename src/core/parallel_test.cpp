#include "core/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "core/random.h"

namespace sunder {
namespace {

// Values whose sum depends on the order of addition.
std::vector<double> awkward_values(std::size_t count) {
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = (random_unit(1, i) - 0.5) * std::pow(10, 12 * random_unit(2, i) - 6);
  }
  return values;
}

TEST(Parallel, SumsHaveTheSameBitsForAnyNumberOfThreads) {
  const auto values = awkward_values(200'003);
  const auto sum = [&](int threads) {
    double result = 0;
    Threads(threads).run([&] {
      result = parallel_sum(values.size(), 100, [&](std::size_t begin, std::size_t end) {
        double part = 0;
        for (std::size_t i = begin; i < end; ++i) part += values[i];
        return part;
      });
    });
    return std::bit_cast<std::uint64_t>(result);
  };
  const std::uint64_t expected = sum(1);
  for (const int threads : {1, 2, 3, 7}) {
    for (int repeat = 0; repeat < 10; ++repeat) ASSERT_EQ(sum(threads), expected) << threads << " threads";
  }
  // The values are such that another order shows.
  double backwards = 0;
  for (std::size_t i = values.size(); i-- > 0;) backwards += values[i];
  EXPECT_NE(std::bit_cast<std::uint64_t>(backwards), expected);
}

TEST(Parallel, ChunksCoverEverythingOnce) {
  for (const std::size_t count : {0u, 1u, 99u, 100u, 101u, 5000u}) {
    std::vector<std::atomic<int>> visits(count);
    std::atomic<bool> aligned = true;
    Threads(3).run([&] {
      parallel_chunks(count, 100, [&](std::size_t begin, std::size_t end) {
        if (begin % 100 != 0 || end <= begin || end - begin > 100) aligned = false;
        for (std::size_t i = begin; i < end; ++i) ++visits[i];
      });
    });
    EXPECT_TRUE(aligned);
    for (const auto& v : visits) ASSERT_EQ(v, 1);
  }
}

TEST(Parallel, ForReachesEveryIndex) {
  std::vector<std::size_t> squares(10'000);
  Threads(3).run([&] { parallel_for(squares.size(), [&](std::size_t i) { squares[i] = i * i; }); });
  for (std::size_t i = 0; i < squares.size(); ++i) ASSERT_EQ(squares[i], i * i);
}

// How many threads take part in 64 chunks, each of which waits a while for `wanted` threads to show up.
std::size_t threads_that_work(int threads, std::size_t wanted) {
  std::mutex mutex;
  std::set<std::thread::id> ids;
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  Threads(threads).run([&] {
    parallel_chunks(64, 1, [&](std::size_t, std::size_t) {
      for (;;) {
        {
          const std::lock_guard lock(mutex);
          ids.insert(std::this_thread::get_id());
          if (ids.size() >= wanted) return;
        }
        if (std::chrono::steady_clock::now() > give_up) return;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    });
  });
  return ids.size();
}

TEST(Parallel, AsManyThreadsWorkAsWereAskedFor) {
  EXPECT_EQ(threads_that_work(1, 1), 1u);
  EXPECT_EQ(threads_that_work(2, 2), 2u);
  EXPECT_EQ(threads_that_work(3, 3), 3u);
  EXPECT_EQ(threads_that_work(7, 7), 7u);  // more than there are cores, if need be
}

TEST(Parallel, NoMoreThreadsWorkThanWereAskedFor) {
  std::mutex mutex;
  std::set<std::thread::id> ids;
  Threads(2).run([&] {
    parallel_chunks(200, 1, [&](std::size_t, std::size_t) {
      std::this_thread::sleep_for(std::chrono::microseconds(200));
      const std::lock_guard lock(mutex);
      ids.insert(std::this_thread::get_id());
    });
  });
  EXPECT_LE(ids.size(), 2u);
}

#if defined(__SSE2__)
TEST(Parallel, DenormalsAreFlushedInEveryThreadAndOnlyInside) {
  const auto half_of_smallest = [] {
    volatile double smallest = std::numeric_limits<double>::min();
    return smallest * 0.5;
  };
  std::atomic<int> kept = 0;
  Threads(3).run([&] {
    parallel_chunks(64, 1, [&](std::size_t, std::size_t) {
      if (half_of_smallest() != 0) ++kept;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    });
  });
  EXPECT_EQ(kept, 0);
  EXPECT_GT(half_of_smallest(), 0);
}
#endif

}  // namespace
}  // namespace sunder
