#pragma once
// Ctrl-C and SIGTERM ask for an orderly stop; a second one stops at once.

#include <atomic>

namespace sunder::cli {

// Installs the handlers for the life of the object.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  const std::atomic<bool>& requested() const;
};

}  // namespace sunder::cli
