#pragma once
// Signals to a running simulation. Ctrl-C, SIGTERM and SIGHUP (the terminal is gone) ask for an orderly stop; a second
// one stops at once. SIGUSR1 asks for a checkpoint. A reader of our output that goes away, or a limit on the size of
// files, is an error of writing and no reason to die.

#include <array>
#include <atomic>
#include <csignal>
#include <filesystem>

namespace sunder::cli {

// What a stop signal does: an orderly stop, or, while there is nothing yet that would be worth it, the end at once.
enum class StopBy { request, exit };

// Installs the handlers for the life of the object.
class InterruptGuard {
 public:
  explicit InterruptGuard(StopBy how = StopBy::request);
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  void stop_by_request() const;  // from now on
  const std::atomic<bool>& stop_requested() const;
  std::atomic<bool>& checkpoint_requested() const;  // to be cleared by who serves it

 private:
  static constexpr std::array kStopSignals = {SIGINT, SIGTERM, SIGHUP};
  std::array<void (*)(int), kStopSignals.size()> before_{};
};

// A file that goes away, unless it is kept, when its object does or a signal ends the program at once; and with it the
// folder that was made for it. One at a time.
class Leftover {
 public:
  explicit Leftover(const std::filesystem::path& file);  // makes the folder
  ~Leftover();
  Leftover(const Leftover&) = delete;
  Leftover& operator=(const Leftover&) = delete;

  static void keep();
};

}  // namespace sunder::cli
