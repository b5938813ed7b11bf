#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "apps/cli/commands.h"
#include "apps/cli/find_scene.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/progress_display.h"
#include "apps/cli/shell_word.h"
#include "core/parallel.h"
#include "scene/read_scene.h"
#include "sim/run.h"

namespace sunder::cli {
namespace {

// The command that takes an interrupted run up again.
std::string resume_hint(const RunCommandOptions& options, const std::string& folder) {
  std::string hint = "sunder run " + shell_word(options.scene) + " -o " + shell_word(folder);
  for (const std::string& set : options.overrides) hint += " --set " + shell_word(set);
  if (options.frames) hint += fmt::format(" --frames {}", *options.frames);
  if (options.allow_outside) hint += " --allow-outside";
  return hint + " --resume";
}

}  // namespace

ExitCode run_command(const RunCommandOptions& options) {
  Scene scene =
      read_scene(find_scene(options.scene), {.overrides = options.overrides, .allow_outside = options.allow_outside});
  // One frame lasts no time, but scene.toml must have a duration: half a frame has room for no second.
  if (options.frames) scene.duration = std::max(*options.frames - 1.0, 0.5) / scene.fps;

  RunOptions run;
  run.folder =
      options.folder.empty() ? std::filesystem::path("out") / scene.name : std::filesystem::path(options.folder);
  run.threads = options.threads > 0 ? options.threads : hardware_threads();
  run.resume = options.resume;
  run.overrides = options.overrides;
  if (options.resume && !std::filesystem::exists(run.folder / "run.json")) {
    throw FileError(run.folder.string(), "holds no run to resume; start without --resume");
  }

  const InterruptGuard interrupt;
  ProgressDisplay display(options.progress);
  run.stop = &interrupt.requested();
  run.progress = [&](const Progress& p) { display.show(p); };
  run.warn = [](const std::string& warning) { fmt::print(stderr, "sunder: note: {}\n", warning); };

  RunResult result;
  try {
    result = run_scene(scene, run);
  } catch (const Error&) {
    display.finish();
    throw;
  }
  display.finish();

  const Progress& p = result.progress;
  const std::string folder = run.folder.string();
  std::FILE* out = options.progress == ProgressStyle::json ? stderr : stdout;
  if (result.interrupted) {
    fmt::print(stderr, "sunder: interrupted at t = {:.4f} s after {} frames; to go on:\n  {}\n", p.time, p.frame,
               resume_hint(options, folder));
    return ExitCode::interrupted;
  }
  if (options.progress != ProgressStyle::none) {
    fmt::print(out, "{}: {} frames, {} steps, {} tets, {} in {}\n", scene.name, p.frames, p.steps, p.elements,
               p.fragments == 1 ? std::string("1 piece") : fmt::format("{} pieces", p.fragments),
               duration_text(p.wall_s));
    fmt::print(out, "  frames   {}/frames/\n  ParaView {}/{}.pvd\n  numbers  {}/stats.csv\n", folder, folder,
               scene.name, folder);
  }
  return options.render ? render_after_run(folder, run.threads, options.progress) : ExitCode::fine;
}

}  // namespace sunder::cli
