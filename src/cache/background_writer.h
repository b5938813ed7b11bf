#pragma once
// A thread that writes while the simulation goes on. Jobs are done one after the other, in the order given; whoever
// gives them faster than the disk takes them has to wait, so memory does not grow.

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace sunder {

class BackgroundWriter {
 public:
  // At most `capacity` jobs wait while one is at work.
  explicit BackgroundWriter(std::size_t capacity = 2);
  ~BackgroundWriter();  // what was given is still written
  BackgroundWriter(const BackgroundWriter&) = delete;
  BackgroundWriter& operator=(const BackgroundWriter&) = delete;

  // Waits for room. Throws what an earlier job threw: after a failure nothing more is written.
  void give(std::function<void()> job);

  // Waits until all is written; throws what a job threw.
  void finish();

  // Whether a job has failed; finish() says how. Cheap enough to ask at every step.
  bool failed() const { return failed_.load(std::memory_order_relaxed); }

 private:
  void work();
  void rethrow(std::unique_lock<std::mutex>& lock);

  const std::size_t capacity_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  bool busy_ = false, closing_ = false;
  std::exception_ptr failure_;
  std::atomic<bool> failed_{false};
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace sunder
