#pragma once
// The frame loop: steps a scene from frame to frame while another thread writes the run folder. Checkpoints are left on
// the way; an interrupted, failed or killed run continues from the last one to the same bits, and a branch restarts
// from any of them with a changed scene.

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "scene/scene.h"

namespace sunder {

struct Progress {
  int frame = 1, frames = 1;      // last frame written, frames in all
  double time = 0, duration = 0;  // simulated s
  std::uint64_t steps = 0;
  double dt = 0;
  std::size_t elements = 0, fragments = 0;
  std::uint64_t splits = 0, refused_splits = 0, hard_snapped_splits = 0;  // of nodes, up to that frame
  double crack_area = 0;                                                  // m^2
  std::uint64_t removed_pieces = 0, frozen_pieces = 0;                    // as debris
  double removed_mass = 0;                                                // kg
  std::uint64_t grains = 0;                                               // of dust
  double dust_mass = 0;                                                   // kg
  double smallest_dt = 0;                                                 // s, of all steps so far
  double wall_s = 0;
  double done = 0;  // share of the work since the start or resume that is behind us, by simulated time
  double seconds_left = 0;
};

// A new run that goes on from a checkpoint of another.
struct BranchPoint {
  std::filesystem::path parent;  // folder of the other run
  std::string parent_name;
  int frame = 1;
};

struct RunOptions {
  std::filesystem::path folder;
  int threads = 1;
  bool resume = false;
  std::optional<BranchPoint> branch;
  std::vector<std::string> overrides;  // for the record in run.json; the scene has them already
  double checkpoint_seconds = 60;      // of wall time between checkpoints
  int checkpoint_frames = 12;          // between checkpoints that are kept for good; 0: none but the first
  const std::atomic<bool>* stop = nullptr;
  std::atomic<bool>* checkpoint_now = nullptr;    // set to ask for a checkpoint; cleared when it is on its way
  std::function<void(const Progress&)> progress;  // called a few times a second and after every frame
  std::function<void(const std::string&)> warn;
};

struct RunResult {
  bool interrupted = false;
  int threads_taken_part = 0;
  Progress progress;
};

// Throws SimulationError if the motion blows up and FileError if something cannot be written; what was written until
// then stays, and can be resumed.
RunResult run_scene(const Scene& scene, const RunOptions& options);

// Frames of a run, the one at t = 0 included.
int frame_count(const Scene& scene);

const char* version();

}  // namespace sunder
