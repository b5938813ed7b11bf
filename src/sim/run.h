#pragma once
// The frame loop: steps a scene from frame to frame and writes the run folder. Interrupted runs leave a checkpoint and
// continue from it to the same bits.

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
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
  double wall_s = 0;
  double done = 0;  // share of the work since the start or resume that is behind us, by simulated time
  double seconds_left = 0;
};

struct RunOptions {
  std::filesystem::path folder;
  int threads = 1;
  bool resume = false;
  std::vector<std::string> overrides;  // for the record in run.json; the scene has them already
  double checkpoint_interval = 60;     // s of wall time between checkpoints
  const std::atomic<bool>* stop = nullptr;
  std::function<void(const Progress&)> progress;  // called a few times a second and after every frame
  std::function<void(const std::string&)> warn;
};

struct RunResult {
  bool interrupted = false;
  int threads_taken_part = 0;
  Progress progress;
};

// Throws SimulationError if the motion blows up; frames written until then stay.
RunResult run_scene(const Scene& scene, const RunOptions& options);

// Frames of a run, the one at t = 0 included.
int frame_count(const Scene& scene);

const char* version();

}  // namespace sunder
