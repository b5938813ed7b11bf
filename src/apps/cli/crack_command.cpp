#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <vector>

#include "apps/cli/commands.h"
#include "apps/cli/own_model.h"
#include "apps/cli/shell_word.h"
#include "export/crack_net.h"
#include "scene/read_scene.h"
#include "scene/toml_tree.h"
#include "scene/write_scene.h"
#include "sim/recorded_run.h"
#include "sim/remesh_body.h"
#include "sim/surface_of_body.h"

namespace sunder::cli {
namespace {

namespace fs = std::filesystem;

// The sources that act first; "" without any.
std::string once_of(const CrackCommandOptions& options) {
  std::vector<std::string> keys;
  if (!options.blows.empty()) {
    std::vector<std::string> impacts;
    for (const Blow& blow : options.blows) {
      impacts.push_back(fmt::format("{{ point = [{}, {}, {}], radius = {} }}", toml_number(blow.point.x()),
                                    toml_number(blow.point.y()), toml_number(blow.point.z()),
                                    toml_number(blow.radius)));
    }
    keys.push_back(fmt::format("impacts = [{}]", fmt::join(impacts, ", ")));
  }
  if (!options.painted_once.empty()) keys.push_back(fmt::format("painted = {}", toml_text(options.painted_once)));
  return keys.empty() ? "" : fmt::format("once = {{ {} }}", fmt::join(keys, ", "));
}

// A scene of one surface, as a user would write it. `remesh`: why, if it is meshed anew.
std::string scene_of_model(const CrackCommandOptions& options, const std::string& name, const std::string& remesh) {
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
  if (const std::string once = once_of(options); !once.empty()) coat += ", " + once;
  std::string text = fmt::format(
      "# Written by `sunder crack`, which writes over this file when it is given again.\n"
      "# Change it, and run it with `sunder run` and --allow-outside.\n"
      "name = {}\nabout = \"cracks in a coat of {}\"\nduration = 1\nfps = 8\nseed = {}\n\n[[body]]\n"
      "solver = \"surface_iben06\"\nshape = {}\n",
      toml_text(name), options.material, options.seed, shape);
  if (options.edge > 0) text += fmt::format("edge = {}\n", options.edge);
  if (!remesh.empty()) text += fmt::format("remesh = true  # {}\n", remesh);
  if (!options.part.empty()) text += fmt::format("part = {}\n", toml_text(options.part));
  return text + fmt::format("coat = {{ {} }}\n", coat);
}

// Why the surface is to be meshed anew; empty if it is not.
std::string reason_to_remesh(const CrackCommandOptions& options, const OwnRun& place) {
  if (options.remesh) return "as --remesh asks for";
  if (options.keep_triangles || !fs::exists(options.model)) return "";
  if (options.edge > 0) return "as --edge asks for";
  const std::string stem = place.scene.stem().string();
  const Scene scene =
      read_scene({scene_of_model(options, place.name, ""), "the scene for " + stem, {}, stem}, {.allow_outside = true});
  std::vector<std::string> said_later;
  return why_remesh(surface_of_body(scene, 0, said_later), spec_of(scene.bodies[0].coat).length);
}

// What the command leaves beside the frames.
struct Output {
  std::string ending;
  bool lines;
  const char* what;
};

std::vector<Output> outputs_of(const Frame& frame) {
  std::vector<Output> outputs = {
      {".ply", false, "mesh"}, {"-walls.obj", false, "walls"}, {"-lines.obj", true, "lines"}};
  if (!flat_normal(frame).isZero()) outputs.push_back({".svg", false, "drawing"});
  if (!frame.corner_uv.empty()) outputs.push_back({"-mask.png", false, "mask"});
  return outputs;
}

}  // namespace

ExitCode crack_command(const CrackCommandOptions& options) {
  require_model(options.model);
  if (options.unit != 1 && !fs::exists(options.model)) throw UsageError("--unit is for files");
  if (options.keep_triangles && options.edge > 0 && fs::exists(options.model)) {
    throw UsageError("a file with --keep-triangles has its own edges; leave out --edge");
  }
  const OwnRun place = own_run("crack", options.model, options.folder);
  RunCommandOptions run;
  run.threads = options.threads;
  run.render = options.render;
  run.progress = options.progress;
  const ExitCode code =
      run_own_scene(place, scene_of_model(options, place.name, reason_to_remesh(options, place)), run);
  const bool complete = is_complete(place);
  const bool any_frame = fs::exists(place.folder / "frames" / (place.name + ".0001.vtu"));
  if (!complete && (code != ExitCode::interrupted || !any_frame)) return code;

  std::FILE* out = options.progress == ProgressStyle::json ? stderr : stdout;
  const RecordedRun recorded(place.folder);
  const Frame frame = recorded.frame(recorded.frames().back());
  if (!complete) fmt::print(stderr, "  and then, as this command does when it is not interrupted:\n");
  for (const auto& [ending, lines, what] : outputs_of(frame)) {
    const std::string file = (place.folder / (place.name + ending)).string();
    if (complete) {
      export_frame(frame, file, lines, options.size, 0);
      fmt::print(out, "  {:<8} {}\n", what, file);
    } else {
      fmt::print(stderr, "  sunder export {} -o {}{}{}\n", shell_word(place.folder.string()), shell_word(file),
                 lines ? " --lines" : "", ending.ends_with(".png") ? fmt::format(" --size {}", options.size) : "");
    }
  }
  return code;
}

}  // namespace sunder::cli
