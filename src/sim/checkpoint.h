#pragma once
// Where the frame loop stood, and the solver's state, as one checked block of bytes.

#include <cstdint>
#include <filesystem>
#include <string>

#include "solvers/solver.h"

namespace sunder {

struct LoopState {
  std::int32_t frame = 1;  // last frame written
  double time = 0;         // simulated, s
  double frame_start = 0;  // time of that frame
  std::uint64_t steps = 0;
  std::uint64_t frame_steps = 0;  // since that frame
  double dt_min = 0;              // of those
  double wall_s = 0;
  std::uint64_t largest_inverted = 0;
};

// `scene_text` is what the run was started with; a checkpoint fits no other.
std::string checkpoint_bytes(const LoopState& loop, const Solver& solver, const std::string& scene_text);

// FileError if the file is damaged, of another version, or of another scene.
LoopState load_checkpoint(const std::filesystem::path& file, Solver& solver, const std::string& scene_text);

}  // namespace sunder
