#pragma once
// Where the frame loop stood, and the solver's state, as one checked block of bytes:
//
//   magic, version, scene, mesh (fingerprints), loop state, solver state, checksum of all before
//
// The checksum is looked at before anything else, so a damaged file never reaches a solver.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "solvers/solver.h"

namespace sunder {

struct LoopState {
  std::int32_t frame = 1;  // last frame written
  double time = 0;         // simulated, s
  double frame_start = 0;  // time of that frame
  std::uint64_t steps = 0;
  std::uint64_t frame_steps = 0;  // since that frame
  double dt_min = 0;              // of those
  double smallest_dt = 0;         // of all steps
  double wall_s = 0;
  std::uint64_t largest_inverted = 0;
};

// What a checkpoint belongs to. A resumed run must match in both; a branch may differ in its scene, but needs the mesh.
struct RunFingerprint {
  std::uint64_t scene = 0;  // of the scene's text, its duration left out: a run may be made longer
  std::uint64_t mesh = 0;   // of the bodies as they were built
};

struct Checkpoint {
  RunFingerprint run;
  LoopState loop;
  std::string solver_state;
  std::string file;  // for messages

  // FileError if the state does not fit the solver.
  void load_into(Solver& solver) const;         // all of it: the run goes on as if it had never stopped
  void load_motion_into(Solver& solver) const;  // into a solver whose scene differs
};

std::string checkpoint_bytes(const RunFingerprint& run, const LoopState& loop, const Solver& solver);

// FileError if the file is damaged, cut short, or of another version of the format.
Checkpoint read_checkpoint(const std::filesystem::path& file);
Checkpoint parse_checkpoint(std::string_view bytes, const std::string& file);

}  // namespace sunder
