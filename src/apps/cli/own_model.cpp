#include "apps/cli/own_model.h"

#include <fmt/format.h>

#include <cctype>
#include <vector>

#include "apps/cli/mesh_report.h"
#include "cache/run_folder.h"
#include "core/files.h"
#include "core/suggest.h"
#include "scene/read_scene.h"
#include "scene/schema.h"

namespace sunder::cli {
namespace {

namespace fs = std::filesystem;

// cup.obj -> drop-cup, { kind = "cup", ... } -> drop-cup
std::string name_of(const std::string& verb, const std::string& model) {
  std::string name = fs::exists(model)        ? fs::path(model).stem().string()
                     : model.starts_with('{') ? std::string(Kinds<Shape>::names[read_shape(model).index()])
                                              : model;
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '-';
  }
  return fmt::format("{}-{}", verb, name.substr(0, 50));
}

// The first line of the scenes that the command writes says so.
bool is_written_by(const std::string& verb, const fs::path& scene) {
  const std::string text = read_file(scene);
  const std::string line = text.substr(0, text.find('\n'));
  return line.starts_with("# Written by `") && line.find("sunder " + verb) != std::string::npos;
}

[[noreturn]] void refuse(const OwnRun& place, const fs::path& file) {
  throw FileError(
      file.string(),
      fmt::format("was not written by `sunder {0}`, and `sunder {0}` would write over it: choose another place (-o "
                  "other), or remove it",
                  place.verb));
}

}  // namespace

void require_model(const std::string& model) {
  if (fs::is_directory(model)) throw FileError(model, "is a folder; give a file of a model, such as cup.obj");
  if (fs::exists(model) || looks_like_shape(model)) return;
  if (fs::path(model).has_extension()) throw FileError(model, "there is no such file");
  const std::vector<std::string> kinds(Kinds<Shape>::names.begin(), Kinds<Shape>::names.end());
  throw UsageError(fmt::format("`{}` is neither a file nor a kind of shape; {}", model, suggestion(model, kinds)));
}

OwnRun own_run(const std::string& verb, const std::string& model, const std::string& folder) {
  OwnRun run{verb, name_of(verb, model), {}, {}};
  run.folder = folder.empty() ? fs::path("out") / run.name : (fs::path(folder) / "").parent_path();
  run.scene = run.folder.string() + ".toml";
  for (fs::path above = run.folder.parent_path(); !above.empty() && above.has_relative_path();
       above = above.parent_path()) {
    std::error_code error;
    if (!fs::exists(above, error) || fs::is_directory(above, error)) continue;
    throw FileError(run.folder.string(),
                    fmt::format("cannot be created, as {} is a file; choose another place with -o", above.string()));
  }
  require_run_or_nothing(run.folder);
  if (fs::exists(run.scene) && !is_written_by(verb, run.scene)) refuse(run, run.scene);
  return run;
}

// A scene in its place is the command's own, and so is the model then.
void require_own_model_file(const OwnRun& place) {
  if (fs::exists(place.model_file()) && !fs::exists(place.scene)) refuse(place, place.model_file());
}

ExitCode run_own_scene(const OwnRun& place, const std::string& text, RunCommandOptions options) {
  options.scene = place.scene.string();
  options.text = text;
  options.folder = place.folder.string();
  options.allow_outside = true;
  return run_command(options);
}

bool is_complete(const OwnRun& place) {
  const auto run = find_run(place.folder);
  return run && run->status == "complete";
}

}  // namespace sunder::cli
