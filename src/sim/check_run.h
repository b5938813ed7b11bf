#pragma once
// Is a run folder whole, and does every frame keep every invariant of the mesh?

#include <filesystem>
#include <string>
#include <vector>

namespace sunder {

struct CheckReport {
  std::vector<std::string> problems;  // one clear sentence each
  int frames = 0;
  int checkpoints = 0;       // that can be used
  std::size_t elements = 0;  // of the last frame
  std::string status;        // complete, interrupted, ...
};

// FileError if there is no run folder there at all.
CheckReport check_run(const std::filesystem::path& folder);

}  // namespace sunder
