#include "apps/cli/progress_display.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace sunder::cli {
namespace {

double million_element_steps_per_second(const Progress& p) {
  return p.wall_s > 0 ? 1e-6 * static_cast<double>(p.steps) * static_cast<double>(p.elements) / p.wall_s : 0;
}

std::string summary(const Progress& p) {
  return fmt::format("frame {}/{}  t = {:.4f} s  dt {:.2g} s  {:.1f} M element-steps/s", p.frame, p.frames, p.time,
                     p.dt, million_element_steps_per_second(p));
}

}  // namespace

std::string duration_text(double seconds) {
  const long s = std::lround(std::max(0.0, seconds));
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {:02d} s", s / 60, s % 60);
  return fmt::format("{} h {:02d} min", s / 3600, s / 60 % 60);
}

ProgressDisplay::ProgressDisplay(ProgressStyle style) : style_(style), terminal_(isatty(STDERR_FILENO) == 1) {}

void ProgressDisplay::show(const Progress& p) {
  if (style_ == ProgressStyle::json) {
    show_json(p);
  } else if (style_ == ProgressStyle::automatic && p.done > 0) {  // before that, how long it takes is unknown
    terminal_ ? show_bar(p.done, summary(p), p.seconds_left)
              : show_line(p.done, summary(p), p.seconds_left, p.frame >= p.frames);
  }
}

void ProgressDisplay::show_pictures(const PictureCount& p) {
  if (style_ == ProgressStyle::json) {
    if (p.done == last_frame_) return;
    last_frame_ = p.done;
    const nlohmann::ordered_json line = {{"pictures", p.done}, {"of", p.all}, {"wall_s", p.wall_s}};
    std::printf("%s\n", line.dump().c_str());
    std::fflush(stdout);
  } else if (style_ == ProgressStyle::automatic && p.share > 0) {
    const double left = p.wall_s * (1 - p.share) / p.share;
    const double rate = p.wall_s > 0 ? p.share * p.all / p.wall_s : 0;
    const std::string what = fmt::format("picture {}/{}  {:.2f} pictures/s", p.done, p.all, rate);
    terminal_ ? show_bar(p.share, what, left) : show_line(p.share, what, left, p.done >= p.all);
  }
}

// Lines only for work that takes its time.
void ProgressDisplay::show_stage(const Stage& s) {
  if (style_ != ProgressStyle::automatic) return;
  const double left = s.share > 0 ? s.wall_s * (1 - s.share) / s.share : 0;
  if (terminal_) {
    show_bar(s.share, s.what, left);
  } else if (s.wall_s > 3) {
    show_line(s.share, s.what, left, s.share >= 1);
  }
}

void ProgressDisplay::show_bar(double done, const std::string& what, double seconds_left) {
  constexpr int width = 28;
  const int filled = std::clamp(static_cast<int>(std::lround(done * width)), 0, width);
  std::fprintf(stderr, "\r[%s%s] %3.0f %%  %s  %s left\033[K",
               std::string(static_cast<std::size_t>(filled), '#').c_str(),
               std::string(static_cast<std::size_t>(width - filled), '.').c_str(), 100 * done, what.c_str(),
               duration_text(seconds_left).c_str());
  std::fflush(stderr);
  bar_shown_ = true;
}

// A line every five seconds, and one for the last frame.
void ProgressDisplay::show_line(double done, const std::string& what, double seconds_left, bool last) {
  const auto now = std::chrono::steady_clock::now();
  if (now - last_line_ < std::chrono::seconds(5) && !last) return;
  last_line_ = now;
  std::fprintf(stderr, "%3.0f %%  %s  %s left\n", 100 * done, what.c_str(), duration_text(seconds_left).c_str());
}

// One line per frame.
void ProgressDisplay::show_json(const Progress& p) {
  if (p.frame == last_frame_) return;
  last_frame_ = p.frame;
  const nlohmann::ordered_json line = {{"frame", p.frame},
                                       {"frames", p.frames},
                                       {"time", p.time},
                                       {"steps", p.steps},
                                       {"dt", p.dt},
                                       {"elements", p.elements},
                                       {"fragments", p.fragments},
                                       {"wall_s", p.wall_s},
                                       {"done", p.done},
                                       {"seconds_left", p.seconds_left}};
  std::printf("%s\n", line.dump().c_str());
  std::fflush(stdout);
}

void ProgressDisplay::finish() {
  if (bar_shown_) std::fputc('\n', stderr);
  bar_shown_ = false;
}

}  // namespace sunder::cli
