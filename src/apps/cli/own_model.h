#pragma once
// What `drop`, `hit` and `crack` have in common: a model of one's own, and a scene that the command writes for it.

#include <filesystem>
#include <string>

#include "apps/cli/commands.h"

namespace sunder::cli {

// UsageError or FileError, with a suggestion, if it is neither a file nor a shape.
void require_model(const std::string& model);

// Where the results of `verb` go.
struct OwnRun {
  std::string verb, name;               // "drop", "drop-cup"
  std::filesystem::path folder, scene;  // out/drop-cup, out/drop-cup.toml

  std::filesystem::path model_file() const { return folder.string() + "-model.obj"; }
};

// An empty folder is out/<name>. FileError if there is anything in the places that the same command did not write.
OwnRun own_run(const std::string& verb, const std::string& model, const std::string& folder);
void require_own_model_file(const OwnRun& place);

// Runs the scene, which is written to its place when the run has begun: what fails before leaves nothing behind.
ExitCode run_own_scene(const OwnRun& place, const std::string& text, RunCommandOptions options);

// Whether the run of these results came to its end; drawing may have been interrupted after that.
bool is_complete(const OwnRun& place);

}  // namespace sunder::cli
