#pragma once
// The program's commands, free of how their options were parsed. Each returns the exit code.

#include <optional>
#include <string>
#include <vector>

#include "core/error.h"

namespace sunder::cli {

struct GalleryOptions {
  bool json = false;
};
ExitCode gallery_command(const GalleryOptions& options);

enum class ProgressStyle { automatic, json, none };

struct RunCommandOptions {
  std::string scene;   // a .toml file or a gallery name
  std::string folder;  // empty: out/<name>
  std::vector<std::string> overrides;
  std::optional<int> frames;
  int threads = 0;  // 0: all of them
  bool resume = false;
  std::optional<int> from;    // with resume: branch off at this frame
  std::string branch_folder;  // empty: beside the run, with -from-FRAME added
  double checkpoint_seconds = 60;
  int checkpoint_frames = 12;
  bool allow_outside = false;
  ProgressStyle progress = ProgressStyle::automatic;
};
ExitCode run_command(const RunCommandOptions& options);

struct NewOptions {
  std::string name;
};
ExitCode new_command(const NewOptions& options);

struct InfoOptions {
  std::string what;
  bool json = false;
};
ExitCode info_command(const InfoOptions& options);

struct CheckOptions {
  std::string what;
};
ExitCode check_command(const CheckOptions& options);

ExitCode reference_command();

// Parses the command line and runs the command; errors become messages and exit codes.
int main_program(int argc, char** argv);

}  // namespace sunder::cli
