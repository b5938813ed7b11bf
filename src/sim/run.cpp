#include "sim/run.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "cache/run_folder.h"
#include "core/error.h"
#include "core/parallel.h"
#include "core/timings.h"
#include "scene/write_scene.h"
#include "sim/build.h"
#include "sim/checkpoint.h"

namespace sunder {
namespace {

using Clock = std::chrono::steady_clock;

class FrameLoop {
 public:
  FrameLoop(const Scene& scene, const RunOptions& options)
      : scene_(scene), options_(options), text_(scene_text(scene)), folder_(options.folder, scene.name) {}

  RunResult run() {
    build();
    if (options_.resume) {
      loop_ = load_checkpoint(folder_.checkpoint_file(), *built_.solver, text_);
      folder_.cut_back_to(loop_.frame);
    } else {
      folder_.start(text_);
      write_frame(1);
    }
    resumed_at_ = loop_.time;
    resumed_wall_ = loop_.wall_s;
    start_ = last_progress_ = last_checkpoint_ = Clock::now();
    write_record("running");
    tell_progress();
    try {
      while (loop_.frame < frames_ && !stopping()) {
        advance_to_next_frame();
      }
    } catch (const Error& error) {
      if (error.code() == ExitCode::simulation) write_record("failed", error.what());
      throw;
    }
    const bool interrupted = loop_.frame < frames_;
    if (interrupted) write_checkpoint();
    write_record(interrupted ? "interrupted" : "complete");
    RunResult result;
    result.interrupted = interrupted;
    result.progress = progress();
    return result;
  }

 private:
  bool stopping() const { return options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed); }

  void build() {
    const auto measured = timings_.measure("setup");
    built_ = build_run(scene_);
    if (options_.warn) {
      for (const std::string& warning : built_.warnings) options_.warn(warning);
    }
  }

  // Steps of equal length, each within the stable one, that end exactly on the frame's time.
  void advance_to_next_frame() {
    const double target = loop_.frame / scene_.fps;  // frame n is at (n - 1) / fps
    bool arrived = false;
    while (!arrived && !stopping()) {
      const double left = target - loop_.time;
      const double stable = built_.solver->stable_dt();
      if (!(stable > 0)) {  // forward Euler, when the first node touches a collider without damping
        throw SimulationError(
            fmt::format("no step is stable any more at t = {:.6g} s: forward-euler needs viscosity in every material "
                        "and damping in every collider\n"
                        "  use integrator = \"symplectic-euler\", give the colliders damping, or set dt yourself",
                        loop_.time));
      }
      const double steps_left = std::max(1.0, std::ceil(left / stable - 1e-9));
      step(left / steps_left);
      arrived = steps_left == 1;
    }
    if (!arrived) return;
    loop_.time = target;
    write_frame(loop_.frame + 1);
    tell_progress();
    if (seconds_since(last_checkpoint_) > options_.checkpoint_interval) write_checkpoint();
  }

  void step(double dt) {
    StepReport report;
    {
      const auto measured = timings_.measure("steps");
      report = built_.solver->step(dt);
    }
    if (report.trouble) throw SimulationError(*report.trouble);
    loop_.dt_min = loop_.frame_steps == 0 ? dt : std::min(loop_.dt_min, dt);
    loop_.largest_inverted = std::max<std::uint64_t>(loop_.largest_inverted, report.inverted);
    loop_.time += dt;
    last_dt_ = dt;
    ++loop_.steps;
    ++loop_.frame_steps;
    if (seconds_since(last_progress_) > 0.25) tell_progress();
  }

  void write_frame(int number) {
    const auto measured = timings_.measure("frames");
    FrameStats stats;
    stats.frame = number;
    stats.time = loop_.time;
    stats.steps = loop_.frame_steps;
    stats.dt_min = loop_.dt_min;
    stats.totals = built_.solver->totals();
    built_.solver->snapshot(frame_);
    if (!std::isfinite(stats.totals.kinetic + stats.totals.elastic)) throw SimulationError(energies_blew_up());
    stats.state_hash = built_.solver->state_hash();
    stats.wall_s = wall_s();
    frame_.number = number;
    frame_.time = loop_.time;
    folder_.add_frame(frame_);
    folder_.add_reactions(stats, built_.solver->reactions(), loop_.time - loop_.frame_start);
    folder_.add_poses(stats, built_.poses);
    folder_.add_stats(stats);
    totals_ = stats.totals;
    loop_.frame = number;
    built_.solver->begin_frame();
    loop_.frame_start = loop_.time;
    loop_.frame_steps = 0;
    loop_.dt_min = 0;
  }

  // Numbers may still be finite when their squares are not. The fastest tet tells which body it is.
  std::string energies_blew_up() const {
    const auto speed = [&](std::size_t tet) {
      double fastest = 0;
      for (const std::uint32_t n : frame_.tets[tet]) fastest = std::max(fastest, frame_.velocity[n].lpNorm<1>());
      return fastest;
    };
    std::size_t worst = 0;
    for (std::size_t t = 1; t < frame_.tets.size(); ++t) {
      if (speed(t) > speed(worst)) worst = t;
    }
    return fmt::format("the motion of body \"{}\" blew up at t = {:.6g} s: its energy is no longer finite\n  {}",
                       built_.bodies[frame_.body[worst]], loop_.time,
                       scene_.dt ? "the step is set by hand: remove dt"
                                 : "try a smaller safety, for example 0.4, or a stiffer material");
  }

  void write_checkpoint() {
    const auto measured = timings_.measure("checkpoints");
    LoopState state = loop_;
    state.wall_s = wall_s();
    folder_.write_checkpoint(checkpoint_bytes(state, *built_.solver, text_));
    last_checkpoint_ = Clock::now();
  }

  void write_record(const char* status, const std::string& message = "") {
    if (totals_.elements == 0) totals_ = built_.solver->totals();
    RunRecord record;
    record.name = scene_.name;
    record.version = version();
    record.status = status;
    record.message = message;
    record.threads = options_.threads;
    record.seed = scene_.seed;
    record.overrides = options_.overrides;
    record.bodies = built_.bodies;
    record.materials = built_.materials;
    record.parts = built_.parts;
    record.colliders = built_.colliders;
    record.frames = loop_.frame;
    record.frames_planned = frames_;
    record.steps = loop_.steps;
    record.nodes = totals_.nodes;
    record.elements = totals_.elements;
    record.fragments = totals_.fragments;
    record.largest_inverted = loop_.largest_inverted;
    record.simulated_seconds = loop_.time;
    record.wall_seconds = wall_s();
    record.phase_seconds = timings_.seconds();
    folder_.write_record(record);
  }

  static double seconds_since(Clock::time_point then) {
    return std::chrono::duration<double>(Clock::now() - then).count();
  }
  double wall_s() const { return resumed_wall_ + seconds_since(start_); }

  Progress progress() const {
    Progress p;
    p.frame = loop_.frame;
    p.frames = frames_;
    p.time = loop_.time;
    p.duration = (frames_ - 1) / scene_.fps;
    p.steps = loop_.steps;
    p.dt = last_dt_;
    p.elements = totals_.elements;
    p.fragments = totals_.fragments;
    p.wall_s = wall_s();
    const double done = loop_.time - resumed_at_, all = p.duration - resumed_at_;
    p.done = all > 0 ? done / all : 1;
    p.seconds_left = p.done > 0 ? seconds_since(start_) * (1 - p.done) / p.done : 0;
    return p;
  }

  void tell_progress() {
    last_progress_ = Clock::now();
    if (options_.progress) options_.progress(progress());
  }

  const Scene& scene_;
  const RunOptions& options_;
  const std::string text_;
  RunFolder folder_;
  const int frames_ = frame_count(scene_);
  BuiltRun built_;
  LoopState loop_;
  Frame frame_;
  Totals totals_;
  Timings timings_;
  double last_dt_ = 0, resumed_at_ = 0, resumed_wall_ = 0;
  Clock::time_point start_ = Clock::now(), last_progress_ = start_, last_checkpoint_ = start_;
};

}  // namespace

int frame_count(const Scene& scene) { return 1 + static_cast<int>(std::floor(scene.duration * scene.fps + 1e-6)); }

const char* version() { return SUNDER_VERSION; }

RunResult run_scene(const Scene& scene, const RunOptions& options) {
  RunResult result;
  Threads threads(options.threads);
  threads.run([&] { result = FrameLoop(scene, options).run(); });
  result.threads_taken_part = threads.taken_part();
  return result;
}

}  // namespace sunder
