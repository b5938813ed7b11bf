#include "apps/cli/interrupt.h"

#include <csignal>

namespace sunder::cli {
namespace {

std::atomic<bool> stop_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free);  // or a signal handler must not touch it

void handle(int signal) {
  stop_requested.store(true, std::memory_order_relaxed);
  std::signal(signal, SIG_DFL);  // the next one kills
}

}  // namespace

InterruptGuard::InterruptGuard() {
  stop_requested = false;
  std::signal(SIGINT, handle);
  std::signal(SIGTERM, handle);
}

InterruptGuard::~InterruptGuard() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

const std::atomic<bool>& InterruptGuard::requested() const { return stop_requested; }

}  // namespace sunder::cli
