#include "cache/background_writer.h"

#include <utility>

namespace sunder {

BackgroundWriter::BackgroundWriter(std::size_t capacity) : capacity_(capacity), thread_([this] { work(); }) {}

BackgroundWriter::~BackgroundWriter() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void BackgroundWriter::give(std::function<void()> job) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return failed() || waiting_.size() < capacity_; });
  rethrow(lock);
  waiting_.push_back(std::move(job));
  changed_.notify_all();
}

void BackgroundWriter::finish() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return failed() || (waiting_.empty() && !busy_); });
  rethrow(lock);
}

void BackgroundWriter::rethrow(std::unique_lock<std::mutex>& lock) {
  if (!failed()) return;
  const std::exception_ptr failure = failure_;
  lock.unlock();
  std::rethrow_exception(failure);
}

void BackgroundWriter::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return closing_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    std::function<void()> job = std::move(waiting_.front());
    waiting_.pop_front();
    busy_ = true;
    lock.unlock();
    changed_.notify_all();  // there is room again
    std::exception_ptr failure;
    try {
      job();
    } catch (...) {
      failure = std::current_exception();
    }
    job = nullptr;  // its memory goes before the next one is taken up
    lock.lock();
    busy_ = false;
    if (failure) {
      failure_ = failure;
      waiting_.clear();
      failed_ = true;
    }
    changed_.notify_all();
    if (failure) return;
  }
}

}  // namespace sunder
