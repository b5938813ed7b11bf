#pragma once
// Signals to a running simulation. Ctrl-C, SIGTERM and SIGHUP (the terminal is gone) ask for an orderly stop; a second
// one stops at once. SIGUSR1 asks for a checkpoint. A reader of our output that goes away, or a limit on the size of
// files, is an error of writing and no reason to die.

#include <atomic>

namespace sunder::cli {

// Installs the handlers for the life of the object.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  const std::atomic<bool>& stop_requested() const;
  std::atomic<bool>& checkpoint_requested() const;  // to be cleared by who serves it
};

}  // namespace sunder::cli
