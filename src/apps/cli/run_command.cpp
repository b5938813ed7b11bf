#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "apps/cli/commands.h"
#include "apps/cli/find_scene.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/progress_display.h"
#include "apps/cli/shell_word.h"
#include "cache/run_folder.h"
#include "core/files.h"
#include "core/parallel.h"
#include "scene/read_scene.h"
#include "sim/run.h"

namespace sunder::cli {
namespace {

namespace fs = std::filesystem;

// The command that takes an interrupted run up again.
std::string resume_hint(const RunCommandOptions& options, const RunOptions& run) {
  std::string hint = "sunder run " + shell_word(options.scene) + " -o " + shell_word(run.folder.string());
  for (const std::string& set : run.overrides) hint += " --set " + shell_word(set);
  if (options.frames) hint += fmt::format(" --frames {}", *options.frames);
  if (options.allow_outside) hint += " --allow-outside";
  return hint + " --resume" + (options.render ? " --render" : "");
}

std::string frames_text(int count) { return fmt::format("{} frame{}", count, count == 1 ? "" : "s"); }

bool can_be_resumed(const fs::path& folder) {
  std::error_code error;
  return fs::exists(folder / "run.json", error) && fs::exists(folder / "checkpoints", error);
}

// The options of the run that is taken up, and after them the new ones.
std::vector<std::string> joined(std::vector<std::string> recorded, const std::vector<std::string>& given) {
  for (const std::string& one : given) {
    recorded.erase(std::remove(recorded.begin(), recorded.end(), one), recorded.end());
    recorded.push_back(one);
  }
  return recorded;
}

// out/bowl -> out/bowl-from-0013, or the first free out/bowl-from-0013-2, -3, ...
fs::path free_branch_folder(const fs::path& run, int frame) {
  const std::string stem = fmt::format("{}-from-{:04d}", (run / "").parent_path().string(), frame);
  fs::path folder = stem;
  for (int n = 2; fs::exists(folder); ++n) folder = fmt::format("{}-{}", stem, n);
  return folder;
}

// What is wrong with a scene that no file has yet is said of the command that made it.
Scene read(const RunCommandOptions& options, const std::vector<std::string>& overrides) {
  SceneSource source;
  if (options.text.empty()) {
    source = find_scene(options.scene);
  } else {
    const fs::path file = options.scene;
    source = {options.text, "the scene for " + file.stem().string(), file.parent_path(), file.stem().string()};
  }
  return read_scene(source, {.overrides = overrides, .allow_outside = options.allow_outside});
}

// Where the scene's run is, and what it was started with.
struct Target {
  fs::path folder;
  RunOnDisk found;
};

Target find_target(const RunCommandOptions& options) {
  // The name is the scene's own; only its file knows it.
  Target target;
  target.folder =
      options.folder.empty() ? fs::path("out") / read(options, options.overrides).name : fs::path(options.folder);
  if (!options.resume) return target;
  const auto found = find_run(target.folder);
  if (!found) throw FileError(target.folder.string(), "holds no run to resume; start without --resume");
  target.found = *found;
  return target;
}

}  // namespace

ExitCode run_command(const RunCommandOptions& options) {
  const Target target = find_target(options);
  RunOptions run;
  run.overrides = joined(target.found.overrides, options.overrides);
  Scene scene = read(options, run.overrides);
  // One frame lasts no time, but scene.toml must have a duration: half a frame has room for no second.
  if (options.frames) scene.duration = std::max(*options.frames - 1.0, 0.5) / scene.fps;

  run.folder = target.folder;
  run.threads = options.threads > 0 ? options.threads : hardware_threads();
  run.resume = options.resume;
  run.checkpoint_seconds = options.checkpoint_seconds;
  run.checkpoint_frames = options.checkpoint_frames;
  if (!options.branch_folder.empty() && !options.from) {
    throw UsageError("--branch is for --resume --from FRAME");
  }
  if (options.from) {
    const Scene parent = read_scene(scene_source(target.folder / "scene.toml"), {.allow_outside = true});
    if (parent.fps != scene.fps) {
      throw UsageError(fmt::format("a branch keeps the frames of its parent, so fps stays {}", parent.fps));
    }
    run.branch = BranchPoint{target.folder, parent.name, *options.from};
    run.folder = options.branch_folder.empty() ? free_branch_folder(target.folder, *options.from)
                                               : fs::path(options.branch_folder);
    if (fs::exists(run.folder)) {
      throw FileError(run.folder.string(), "exists already; choose another folder with --branch");
    }
  }

  // What is taken up is there already, and stays in good order.
  const InterruptGuard interrupt(options.resume ? StopBy::request : StopBy::exit);
  ProgressDisplay display(options.progress);
  run.stop = &interrupt.stop_requested();
  run.checkpoint_now = &interrupt.checkpoint_requested();
  bool begun = false;
  run.progress = [&](const Progress& p) {
    if (!begun) {
      begun = true;
      interrupt.stop_by_request();
      if (!options.text.empty()) write_file_atomically(options.scene, options.text);
      Leftover::keep();
    }
    display.show(p);
  };
  run.warn = [](const std::string& warning) { fmt::print(stderr, "sunder: note: {}\n", warning); };

  RunResult result;
  try {
    result = run_scene(scene, run);
  } catch (const FileError& error) {
    display.finish();
    if (!can_be_resumed(run.folder)) throw;
    throw Error(ExitCode::files,
                fmt::format("{}\n  what was written before is whole; when this is mended, go on with:\n  {}",
                            error.what(), resume_hint(options, run)));
  } catch (const Error&) {
    display.finish();
    throw;
  }
  display.finish();

  const Progress& p = result.progress;
  const std::string folder = run.folder.string();
  std::FILE* out = options.progress == ProgressStyle::json ? stderr : stdout;
  if (result.interrupted) {
    fmt::print(stderr, "sunder: interrupted at t = {:.4f} s after {}; to go on{}:\n  {}\n", p.time,
               frames_text(p.frame), options.render ? ", and to draw it" : "", resume_hint(options, run));
    return ExitCode::interrupted;
  }
  if (options.progress != ProgressStyle::none) {
    const auto pieces = [](std::uint64_t n) { return n == 1 ? std::string("1 piece") : fmt::format("{} pieces", n); };
    const bool surface = scene.bodies[0].is_surface();
    fmt::print(out, "{}: {}, {} steps, {} {}, {} in {}\n", scene.name, frames_text(p.frames), p.steps, p.elements,
               surface                ? "triangles"
               : scene.is_mixed()     ? "tets and cells"
               : scene.has_lattices() ? "cells"
                                      : "tets",
               pieces(p.fragments), duration_text(p.wall_s));
    if (surface) {
      fmt::print(out, "  cracks   {} events ({} refused, {} along edges of the mesh), {:.4g} m\n", p.splits,
                 p.refused_splits, p.hard_snapped_splits, p.crack_area);
    } else if (scene.has_lattices() && p.splits > 0) {
      fmt::print(out, "  cracks   {} {}, {:.4g} m^2; smallest step {:.2g} s\n", p.splits,
                 scene.is_mixed() ? "splits of nodes and breaks of bonds" : "breaks of bonds", p.crack_area,
                 p.smallest_dt);
    } else if (p.splits + p.refused_splits > 0) {
      fmt::print(out, "  cracks   {} splits ({} refused, {} snapped hard), {:.4g} m^2; smallest step {:.2g} s\n",
                 p.splits, p.refused_splits, p.hard_snapped_splits, p.crack_area, p.smallest_dt);
    }
    if (p.removed_pieces > 0) {
      fmt::print(out, "  debris   {}, {:.3g} kg removed as debris: see {}/debris.jsonl\n", pieces(p.removed_pieces),
                 p.removed_mass, folder);
    }
    if (p.grains > 0) {
      fmt::print(out, "  dust     {} grains, {:.3g} kg: see {}/debris.jsonl\n", p.grains, p.dust_mass, folder);
    }
    if (p.frozen_pieces > 0)
      fmt::print(out, "  debris   {} frozen: see {}/debris.jsonl\n", pieces(p.frozen_pieces), folder);
    if (run.branch) fmt::print(out, "  branch   of {} at frame {}\n", run.branch->parent.string(), run.branch->frame);
    fmt::print(out, "  frames   {}/frames/\n  ParaView {}/{}.pvd\n  numbers  {}/stats.csv\n", folder, folder,
               scene.name, folder);
  }
  return options.render ? render_after_run(folder, run.threads, options.progress) : ExitCode::fine;
}

}  // namespace sunder::cli
