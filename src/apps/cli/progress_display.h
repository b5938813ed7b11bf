#pragma once
// How far a run is: a bar on a terminal, plain lines elsewhere, JSON lines on request. Goes to standard error, so that
// standard output stays for results; JSON goes to standard output.

#include <chrono>

#include "apps/cli/commands.h"
#include "sim/run.h"

namespace sunder::cli {

// How far pictures are.
struct PictureCount {
  int done = 0, all = 1;
  double share = 0;  // of all the work
  double wall_s = 0;
};

// How far work in stages is.
struct Stage {
  const char* what = "";  // being done now
  double share = 0;       // of all the work that is behind
  double wall_s = 0;
};

class ProgressDisplay {
 public:
  explicit ProgressDisplay(ProgressStyle style);

  void show(const Progress& progress);
  void show_pictures(const PictureCount& pictures);
  void show_stage(const Stage& stage);
  void finish();  // ends the bar's line

 private:
  void show_bar(double done, const std::string& what, double seconds_left);
  void show_line(double done, const std::string& what, double seconds_left, bool last);
  void show_json(const Progress& progress);

  ProgressStyle style_;
  bool terminal_;
  bool bar_shown_ = false;
  int last_frame_ = 0;
  std::chrono::steady_clock::time_point last_line_{};
};

// "12 s", "3 min 05 s", "2 h 10 min"
std::string duration_text(double seconds);

}  // namespace sunder::cli
