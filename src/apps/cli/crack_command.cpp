#include <fmt/format.h>

#include <filesystem>

#include "apps/cli/commands.h"
#include "core/files.h"
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
      "# Written by `sunder crack`. Change it and run it: sunder run {}.toml --allow-outside\n"
      "name = {}\nabout = \"cracks in a coat of {}\"\nduration = 1\nfps = 8\nseed = {}\n\n[[body]]\n"
      "solver = \"surface_iben06\"\nshape = {}\n",
      name, toml_text(name), options.material, options.seed, shape);
  if (options.edge > 0) text += fmt::format("edge = {}\n", options.edge);
  if (!options.part.empty()) text += fmt::format("part = {}\n", toml_text(options.part));
  return text + fmt::format("coat = {{ {} }}\n", coat);
}

std::string name_of_model(const std::string& model) {
  std::string name = fs::exists(model) ? fs::path(model).stem().string() : "shape";
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '-';
  }
  return "crack-" + name.substr(0, 50);
}

}  // namespace

ExitCode crack_command(const CrackCommandOptions& options) {
  if (fs::path(options.model).has_extension() && !options.model.starts_with('{') && !fs::exists(options.model)) {
    throw FileError(options.model, "there is no such file");
  }
  const std::string name = name_of_model(options.model);
  const fs::path folder = options.folder.empty() ? fs::path("out") / name : fs::path(options.folder);
  const std::string scene = (folder.parent_path() / (folder.filename().string() + ".toml")).string();
  if (!folder.parent_path().empty()) create_folder(folder.parent_path());
  write_file_atomically(scene, scene_of_model(options, name));

  RunCommandOptions run;
  run.scene = scene;
  run.folder = folder.string();
  run.threads = options.threads;
  run.allow_outside = true;
  run.render = options.render;
  run.progress = options.progress;
  if (const ExitCode code = run_command(run); code != ExitCode::fine) return code;

  const RecordedRun recorded(folder);
  const Frame frame = recorded.frame(recorded.frames().back());
  const auto write = [&](const std::string& ending, bool lines, const char* what) {
    const std::string file = (folder / (name + ending)).string();
    export_frame(frame, file, lines, options.size, 0);
    if (options.progress != ProgressStyle::none) fmt::print("  {:<8} {}\n", what, file);
  };
  write(".ply", false, "mesh");
  write("-walls.obj", false, "walls");
  write("-lines.obj", true, "lines");
  if (!flat_normal(frame).isZero()) write(".svg", false, "drawing");
  if (!frame.corner_uv.empty()) write("-mask.png", false, "mask");
  return ExitCode::fine;
}

}  // namespace sunder::cli
