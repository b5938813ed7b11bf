#include "apps/cli/interrupt.h"

#include <array>
#include <csignal>

namespace sunder::cli {
namespace {

std::atomic<bool> stop{false}, checkpoint{false};
static_assert(std::atomic<bool>::is_always_lock_free);  // or a signal handler must not touch it

constexpr std::array kStopSignals = {SIGINT, SIGTERM, SIGHUP};

void ask_to_stop(int signal) {
  stop.store(true, std::memory_order_relaxed);
  std::signal(signal, SIG_DFL);  // the next one kills
}

void ask_for_checkpoint(int) { checkpoint.store(true, std::memory_order_relaxed); }

}  // namespace

InterruptGuard::InterruptGuard() {
  stop = checkpoint = false;
  for (const int signal : kStopSignals) {
    // What is ignored stays ignored: nohup counts on it.
    if (std::signal(signal, ask_to_stop) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
  struct sigaction action {};
  action.sa_handler = ask_for_checkpoint;  // std::signal's may be reset by the first signal
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGUSR1, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

InterruptGuard::~InterruptGuard() {
  for (const int signal : kStopSignals) std::signal(signal, SIG_DFL);
  std::signal(SIGUSR1, SIG_DFL);
}

const std::atomic<bool>& InterruptGuard::stop_requested() const { return stop; }
std::atomic<bool>& InterruptGuard::checkpoint_requested() const { return checkpoint; }

}  // namespace sunder::cli
