#include "apps/cli/interrupt.h"

#include <unistd.h>

#include <string_view>

#include "core/error.h"
#include "core/files.h"

namespace sunder::cli {
namespace {

std::atomic<bool> stop{false}, checkpoint{false}, exit_at_once{false};
static_assert(std::atomic<bool>::is_always_lock_free);  // or a signal handler must not touch it

// Of the Leftover: what a handler may read. Complete before the flag is set.
std::array<char, 4096> leftover_file{}, leftover_folder{};
std::atomic<bool> leftover{false};

void remove_leftover() {
  if (!leftover.exchange(false)) return;
  ::unlink(leftover_file.data());
  if (leftover_folder[0] != 0) ::rmdir(leftover_folder.data());  // only if nothing else is in it
}

bool fits(const std::filesystem::path& path, std::array<char, 4096>& place) {
  const std::string text = path.string();
  if (text.size() >= place.size()) return false;
  text.copy(place.data(), text.size());
  place[text.size()] = 0;
  return true;
}

void ask_to_stop(int signal) {
  if (exit_at_once.load(std::memory_order_relaxed)) {
    remove_leftover();
    constexpr std::string_view message = "\nsunder: interrupted before the simulation began\n";
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, message.data(), message.size());
    ::_exit(static_cast<int>(ExitCode::interrupted));
  }
  stop.store(true, std::memory_order_relaxed);
  std::signal(signal, SIG_DFL);  // the next one kills
}

void ask_for_checkpoint(int) { checkpoint.store(true, std::memory_order_relaxed); }

}  // namespace

InterruptGuard::InterruptGuard(StopBy how) {
  stop = checkpoint = false;
  exit_at_once = how == StopBy::exit;
  for (std::size_t i = 0; i < kStopSignals.size(); ++i) {
    before_[i] = std::signal(kStopSignals[i], ask_to_stop);
    if (before_[i] == SIG_IGN) std::signal(kStopSignals[i], SIG_IGN);  // it stays ignored: nohup counts on it
  }
  struct sigaction action {};
  action.sa_handler = ask_for_checkpoint;  // std::signal's may be reset by the first signal
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGUSR1, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

InterruptGuard::~InterruptGuard() {
  for (std::size_t i = 0; i < kStopSignals.size(); ++i) std::signal(kStopSignals[i], before_[i]);
  std::signal(SIGUSR1, SIG_DFL);
}

void InterruptGuard::stop_by_request() const { exit_at_once = false; }
const std::atomic<bool>& InterruptGuard::stop_requested() const { return stop; }
std::atomic<bool>& InterruptGuard::checkpoint_requested() const { return checkpoint; }

Leftover::Leftover(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.parent_path();
  const bool made = !folder.empty() && !std::filesystem::exists(folder);
  if (!folder.empty()) create_folder(folder);
  if (std::filesystem::exists(file)) return;  // of an earlier run, to be written over
  leftover = fits(file, leftover_file) && fits(made ? folder : "", leftover_folder);
}

Leftover::~Leftover() { remove_leftover(); }

void Leftover::keep() { leftover = false; }

}  // namespace sunder::cli
