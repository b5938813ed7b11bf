#include "sim/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <utility>

#include "cache/background_writer.h"
#include "cache/checkpoint_store.h"
#include "cache/run_folder.h"
#include "core/error.h"
#include "core/files.h"
#include "core/hash.h"
#include "core/parallel.h"
#include "core/timings.h"
#include "scene/write_scene.h"
#include "sim/blow_up.h"
#include "sim/build.h"
#include "sim/checkpoint.h"
#include "sim/energy_watch.h"

namespace sunder {
namespace {

using Clock = std::chrono::steady_clock;

// What a frame leaves on disk, on its way to the thread that writes it.
struct FrameOutput {
  Frame frame;
  FrameStats stats;
  std::vector<Reaction> reactions;
  std::vector<RigidPose> poses;
  CrackLog cracks;
  DebrisLog debris;
  double seconds_since_last = 0;
};

class FrameLoop {
 public:
  FrameLoop(const Scene& scene, const RunOptions& options)
      : scene_(scene),
        options_(options),
        text_(scene_text(scene)),
        folder_(options.folder, scene.name),
        checkpoints_(options.folder, scene.name) {}

  RunResult run() {
    build();
    if (options_.branch) {
      start_branch();
    } else if (!options_.resume || !take_up()) {
      start();
    }
    resumed_at_ = loop_.time;
    resumed_wall_ = loop_.wall_s;
    first_step_ = last_progress_ = last_checkpoint_ = Clock::now();
    look_at_energy(built_.any().totals());
    write_record("running");
    tell_progress();
    try {
      while (loop_.frame < frames_ && !stopping()) advance_to_next_frame();
    } catch (const SimulationError& error) {
      writer_.finish();
      write_record("failed", error.what());
      throw;
    }
    const bool interrupted = loop_.frame < frames_;
    if (!half_done_ && checkpointed_ != std::pair(loop_.frame, loop_.frame_steps)) write_checkpoint(false);
    writer_.finish();
    write_record(interrupted ? "interrupted" : "complete");
    RunResult result;
    result.interrupted = interrupted;
    result.progress = progress();
    return result;
  }

 private:
  bool stopping() const { return options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed); }

  void warn(const std::string& warning) const {
    if (options_.warn) options_.warn(warning);
  }

  void build() {
    const auto measured = timings_.measure("setup");
    built_ = build_run(scene_);
    for (const std::string& warning : built_.warnings) warn(warning);
    if (built_.surface) built_.surface->stop_on(options_.stop);
    Scene ageless = scene_;
    ageless.duration = 1;  // the same motion, however long it is watched
    fingerprint_ = {checksum(scene_text(ageless)), built_.mesh_fingerprint};
    first_limit_ = built_.any().stability_limit();
  }

  void start() {
    folder_.start(record("starting"), text_);
    write_frame(1);
    write_checkpoint(true);
  }

  // Goes back to the newest checkpoint that can be used. False if the run never came to its first.
  bool take_up() {
    const auto found = find_run(options_.folder);
    const std::vector<StoredCheckpoint> stored = checkpoints_.newest_first();
    if (!found || found->status == "starting" || stored.empty()) {
      warn("the run was stopped before its first checkpoint: it starts from the beginning");
      return false;
    }
    for (const StoredCheckpoint& candidate : stored) {
      Checkpoint checkpoint;
      try {
        checkpoint = read_checkpoint(candidate.file);
      } catch (const FileError& error) {
        warn(fmt::format("{}; trying the one before it", error.what()));
        continue;
      }
      require_same_scene(checkpoint);
      if (checkpoint.loop.frame > frames_) {
        throw UsageError(fmt::format("the run in {} has {} frames already, more than the {} asked for",
                                     options_.folder.string(), checkpoint.loop.frame, frames_));
      }
      checkpoint.load_into(built_.any());
      loop_ = checkpoint.loop;
      checkpoints_.remove_newer_than(candidate.mark);
      folder_.cut_back_to(loop_.frame, text_);
      checkpointed_ = {loop_.frame, loop_.frame_steps};
      return true;
    }
    throw FileError((options_.folder / "checkpoints").string(),
                    "every checkpoint is damaged; run without --resume to start anew");
  }

  void require_same_scene(const Checkpoint& checkpoint) const {
    if (checkpoint.run.scene == fingerprint_.scene && checkpoint.run.mesh == fingerprint_.mesh) return;
    throw FileError(checkpoint.file,
                    checkpoint.run.scene == fingerprint_.scene
                        ? "belongs to other meshes: a mesh file has changed since; run without --resume to start anew"
                        : "belongs to another scene: it, or its --set, has changed since; run without --resume to "
                          "start anew, or add --from FRAME to go on from there with the changes");
  }

  // The branch is set up under another name and renamed when it is whole, so that a branch that can be seen can be
  // resumed.
  void start_branch() {
    const BranchPoint& from = *options_.branch;
    const Checkpoint checkpoint = checkpoint_to_branch_from(from);
    if (checkpoint.run.mesh != fingerprint_.mesh) {
      throw InputError({}, fmt::format("the changed scene has other meshes than the run in {}", from.parent.string()),
                       "a branch takes over every node: leave shape, edge, seed and the number of bodies as they were");
    }
    checkpoint.load_motion_into(built_.any());
    loop_ = checkpoint.loop;
    parent_ = ParentRun{std::filesystem::absolute(from.parent), loop_.frame, loop_.frame_steps};
    const std::filesystem::path unfinished = options_.folder.string() + std::string(kTemporaryEnding);
    std::error_code ignored;
    std::filesystem::remove_all(unfinished, ignored);
    folder_ = RunFolder(unfinished, scene_.name);
    folder_.start_branch(record("running"), text_, RunFolder(from.parent, from.parent_name), loop_.frame);
    checkpoints_ = CheckpointStore(unfinished, scene_.name);
    write_checkpoint(loop_.frame_steps == 0);
    writer_.finish();
    folder_.move_to(options_.folder);
    checkpoints_ = CheckpointStore(options_.folder, scene_.name);
  }

  Checkpoint checkpoint_to_branch_from(const BranchPoint& from) const {
    std::vector<StoredCheckpoint> stored = CheckpointStore(from.parent, from.parent_name).newest_first();
    std::reverse(stored.begin(), stored.end());  // of several after the same frame, the one nearest to it
    std::string usable;
    for (const StoredCheckpoint& candidate : stored) {
      const std::string frame = fmt::format("{}", candidate.mark.frame);
      try {
        Checkpoint checkpoint = read_checkpoint(candidate.file);
        if (candidate.mark.frame == from.frame) return checkpoint;
        if (!usable.ends_with(" " + frame)) usable += (usable.empty() ? " " : ", ") + frame;
      } catch (const FileError& error) {
        warn(error.what());
      }
    }
    throw FileError(
        from.parent.string(),
        usable.empty()
            ? std::string("holds no checkpoint that can be used")
            : fmt::format("holds no usable checkpoint at frame {}; those at frames{} can be used", from.frame, usable));
  }

  // Steps of equal length, each within the stable one, that end exactly on the frame's time.
  void advance_to_next_frame() {
    const double target = loop_.frame / scene_.fps;  // frame n is at (n - 1) / fps
    bool arrived = false;
    while (!arrived && !stopping()) {
      const double left = target - loop_.time;
      const double stable = built_.any().stable_dt();
      if (!(stable > 0)) {  // forward Euler, when the first node touches a collider without damping
        throw SimulationError(
            fmt::format("no step is stable any more at t = {:.6g} s: forward-euler needs viscosity in every material "
                        "and damping in every collider\n"
                        "  use integrator = \"symplectic-euler\", give the colliders damping, or set dt yourself",
                        loop_.time));
      }
      const double steps_left = std::max(1.0, std::ceil(left / stable - 1e-9));
      const double asked = left / steps_left;
      arrived = step(asked) == asked && steps_left == 1;
      if (!arrived && !half_done_ && checkpoint_is_due()) write_checkpoint(false);
    }
    if (!arrived) return;
    loop_.time = target;
    write_frame(loop_.frame + 1);
    tell_progress();
    const int every = options_.checkpoint_frames;
    const bool keep = every > 0 && (loop_.frame - 1) % every == 0;
    if (keep || checkpoint_is_due()) write_checkpoint(keep);
  }

  // The step that was taken, s: a shorter one where cracks have made smaller elements.
  double step(double asked) {
    StepReport report;
    {
      const auto measured = timings_.measure("steps");
      report = built_.any().step(asked);
    }
    if (built_.surface) {
      for (const std::string& note : built_.surface->take_notes()) warn(note);
    }
    const double dt = report.dt;
    if (dt == 0) {  // it was told to stop half way
      half_done_ = true;
      return dt;
    }
    loop_.smallest_dt = loop_.steps == 0 ? dt : std::min(loop_.smallest_dt, dt);
    loop_.dt_min = loop_.frame_steps == 0 ? dt : std::min(loop_.dt_min, dt);
    loop_.largest_inverted = std::max<std::uint64_t>(loop_.largest_inverted, report.inverted);
    loop_.time += dt;
    last_report_ = report;
    ++loop_.steps;
    ++loop_.frame_steps;
    if (!report.finite) throw blow_up(std::nullopt);
    if (report.outran_contact && !warned_of_contact_) {
      warned_of_contact_ = true;
      warn(
          fmt::format("at t = {:.6g} s something moves too fast for contact to follow with dt = {:.3g} s: things may "
                      "pass through each other; set a smaller dt, or leave it to sunder",
                      loop_.time, dt));
    }
    if (loop_.steps % EnergyWatch::kInterval == 0 && watch_.suspects(built_.any().kinetic_energy())) {
      look_at_energy(built_.any().totals());
    }
    if (writer_.failed()) writer_.finish();
    if (seconds_since(last_progress_) > 0.25) tell_progress();
    return dt;
  }

  void look_at_energy(const Totals& totals) {
    if (const auto missing = watch_.look(totals, built_.any().reactions())) throw blow_up(missing);
  }

  SimulationError blow_up(std::optional<double> missing_energy) const {
    const BlowUp b = {loop_.steps,           loop_.time, last_report_.dt, first_limit_, missing_energy,
                      last_report_.inverted, loop_.frame};
    return SimulationError(describe(b, built_.any().fastest_node(), scene_));
  }

  bool checkpoint_is_due() const {
    if (options_.checkpoint_now != nullptr && options_.checkpoint_now->exchange(false)) return true;
    return seconds_since(last_checkpoint_) > options_.checkpoint_seconds;
  }

  void write_frame(int number) {
    const auto measured = timings_.measure("frames");
    built_.any().prepare_frame();
    const auto output = std::make_shared<FrameOutput>();
    FrameStats& stats = output->stats;
    stats.frame = number;
    stats.time = loop_.time;
    stats.steps = loop_.frame_steps;
    stats.dt_min = loop_.dt_min;
    stats.totals = built_.any().totals();
    look_at_energy(stats.totals);
    stats.state_hash = built_.any().state_hash();
    stats.wall_s = wall_s();
    built_.any().snapshot(output->frame);
    output->frame.number = number;
    output->frame.time = loop_.time;
    output->reactions = built_.any().reactions();
    output->poses = built_.any().poses();
    output->cracks = built_.any().cracks();
    output->debris = built_.any().debris();
    output->seconds_since_last = loop_.time - loop_.frame_start;
    // stats.csv comes last: a frame that has its row there has everything.
    writer_.give([this, output] {
      folder_.add_frame(output->frame);
      folder_.add_reactions(output->stats, output->reactions, output->seconds_since_last);
      folder_.add_poses(output->stats, output->poses);
      folder_.add_cracks(output->stats, output->cracks);
      folder_.add_debris(output->stats, output->debris);
      folder_.add_stats(output->stats);
    });
    totals_ = stats.totals;
    loop_.frame = number;
    built_.any().begin_frame();
    loop_.frame_start = loop_.time;
    loop_.frame_steps = 0;
    loop_.dt_min = 0;
  }

  // Given to the writer after the frames it counts on: when it is there, they are.
  void write_checkpoint(bool keep) {
    const auto measured = timings_.measure("checkpoints");
    LoopState state = loop_;
    state.wall_s = wall_s();
    const auto bytes = std::make_shared<std::string>(checkpoint_bytes(fingerprint_, state, built_.any()));
    const CheckpointMark mark = {loop_.frame, loop_.frame_steps, keep};
    writer_.give([this, bytes, mark] { checkpoints_.write(mark, *bytes); });
    checkpointed_ = {loop_.frame, loop_.frame_steps};
    last_checkpoint_ = Clock::now();
  }

  void write_record(const char* status, const std::string& message = "") {
    writer_.give([this, r = record(status, message)] { folder_.write_record(r); });
    writer_.finish();
  }

  RunRecord record(const char* status, const std::string& message = "") {
    if (totals_.elements == 0) totals_ = built_.any().totals();
    RunRecord record;
    record.parent = parent_;
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
    record.splits = totals_.splits;
    record.refused_splits = totals_.refused_splits;
    record.hard_snapped_splits = totals_.hard_snapped_splits;
    record.crack_area = totals_.crack_area;
    record.plastic_work = totals_.plastic;
    record.removed_pieces = totals_.removed_pieces;
    record.removed_mass = totals_.removed_mass;
    record.frozen_pieces = totals_.frozen_pieces;
    record.grains = totals_.grains, record.dust_mass = totals_.dust_mass;
    record.smallest_dt = loop_.smallest_dt;
    record.simulated_seconds = loop_.time;
    record.wall_seconds = wall_s();
    record.phase_seconds = timings_.seconds();
    return record;
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
    p.dt = last_report_.dt;
    p.elements = totals_.elements;
    p.fragments = totals_.fragments;
    p.splits = totals_.splits;
    p.refused_splits = totals_.refused_splits;
    p.hard_snapped_splits = totals_.hard_snapped_splits;
    p.crack_area = totals_.crack_area;
    p.removed_pieces = totals_.removed_pieces;
    p.removed_mass = totals_.removed_mass;
    p.frozen_pieces = totals_.frozen_pieces;
    p.grains = totals_.grains, p.dust_mass = totals_.dust_mass;
    p.smallest_dt = loop_.smallest_dt;
    p.wall_s = wall_s();
    const double done = loop_.time - resumed_at_, all = p.duration - resumed_at_;
    p.done = all > 0 ? done / all : 1;
    p.seconds_left = p.done > 0 ? seconds_since(first_step_) * (1 - p.done) / p.done : 0;
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
  CheckpointStore checkpoints_;
  const int frames_ = frame_count(scene_);
  BuiltRun built_;
  RunFingerprint fingerprint_;
  std::optional<ParentRun> parent_;
  double first_limit_ = 0;  // s, the step that was safe at the start
  LoopState loop_;
  std::pair<int, std::uint64_t> checkpointed_ = {0, 0};  // frame and steps after it of the newest checkpoint
  StepReport last_report_;
  bool warned_of_contact_ = false;
  bool half_done_ = false;  // the last step was given up: the state is no place to go on from
  EnergyWatch watch_;
  Totals totals_;
  Timings timings_;
  double resumed_at_ = 0, resumed_wall_ = 0;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point first_step_ = start_, last_progress_ = start_, last_checkpoint_ = start_;
  BackgroundWriter writer_;  // last: its jobs use the above, and the last of them is waited for first
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
