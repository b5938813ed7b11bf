#include <fmt/format.h>

#include <filesystem>

#include "apps/cli/commands.h"
#include "apps/cli/own_model.h"
#include "export/crack_net.h"
#include "scene/toml_tree.h"
#include "sim/recorded_run.h"

namespace sunder::cli {
namespace {

namespace fs = std::filesystem;

// A scene of one surface, as a user would write it.
std::string scene_of_model(const CrackCommandOptions& options, const std::string& name) {
  const bool file = fs::exists(options.model);
  std::string shape;
  if (file) {
    shape = fmt::format("{{ kind = \"file\", path = {}, scale = {} }}", toml_text(fs::absolute(options.model).string()),
                        options.unit);
  } else {
    shape = options.model.starts_with('{') ? options.model : fmt::format("{{ kind = {} }}", toml_text(options.model));
  }
  std::string coat = fmt::format("kind = {}", toml_text(options.material));
  if (options.length > 0) coat += fmt::format(", length = {}", options.length);
  if (options.load > 0) coat += fmt::format(", load_to = {}", options.load);
  if (options.depth >= 0) coat += fmt::format(", depth = {}", options.depth);
  if (!options.painted.empty()) coat += fmt::format(", painted = {}", toml_text(options.painted));
  std::string text = fmt::format(
      "# Written by `sunder crack`, which writes over this file when it is given again.\n"
      "# Change it, and run it with `sunder run` and --allow-outside.\n"
      "name = {}\nabout = \"cracks in a coat of {}\"\nduration = 1\nfps = 8\nseed = {}\n\n[[body]]\n"
      "solver = \"surface_iben06\"\nshape = {}\n",
      toml_text(name), options.material, options.seed, shape);
  if (options.edge > 0) text += fmt::format("edge = {}\n", options.edge);
  if (!options.part.empty()) text += fmt::format("part = {}\n", toml_text(options.part));
  return text + fmt::format("coat = {{ {} }}\n", coat);
}

}  // namespace

ExitCode crack_command(const CrackCommandOptions& options) {
  require_model(options.model);
  if (options.unit != 1 && !fs::exists(options.model)) throw UsageError("--unit is for files");
  const OwnRun place = own_run("crack", options.model, options.folder);
  RunCommandOptions run;
  run.threads = options.threads;
  run.render = options.render;
  run.progress = options.progress;
  const ExitCode code = run_own_scene(place, scene_of_model(options, place.name), run);
  if (!is_complete(place)) return code;

  std::FILE* out = options.progress == ProgressStyle::json ? stderr : stdout;
  const RecordedRun recorded(place.folder);
  const Frame frame = recorded.frame(recorded.frames().back());
  const auto write = [&](const std::string& ending, bool lines, const char* what) {
    const std::string file = (place.folder / (place.name + ending)).string();
    export_frame(frame, file, lines, options.size, 0);
    fmt::print(out, "  {:<8} {}\n", what, file);
  };
  write(".ply", false, "mesh");
  write("-walls.obj", false, "walls");
  write("-lines.obj", true, "lines");
  if (!flat_normal(frame).isZero()) write(".svg", false, "drawing");
  if (!frame.corner_uv.empty()) write("-mask.png", false, "mask");
  return code;
}

}  // namespace sunder::cli
