#pragma once
// Is a run folder whole, and does every frame keep every invariant of the mesh?

#include <filesystem>
#include <string>
#include <vector>

namespace sunder {

// By kind.
struct ElementCounts {
  std::size_t tets = 0, triangles = 0, cells = 0;
  std::size_t count() const { return tets + triangles + cells; }
};

struct CheckReport {
  std::vector<std::string> problems;  // one clear sentence each
  int frames = 0;
  int checkpoints = 0;     // that can be used
  ElementCounts elements;  // of the last frame
  std::string status;      // complete, interrupted, ...
};

// FileError if there is no run folder there at all.
CheckReport check_run(const std::filesystem::path& folder);

}  // namespace sunder
