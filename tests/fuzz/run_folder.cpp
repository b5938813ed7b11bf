// A run folder as `sunder check`, `--resume` and a new run find it. The parts of the input are its files; each has its
// own place, whatever run.json says the run is called.

#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>

#include "cache/run_folder.h"
#include "core/error.h"
#include "fuzz_target.h"
#include "named_parts.h"
#include "sealed.h"
#include "sim/check_run.h"

namespace sunder::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 11> kFiles = {"run.json",
                                                "scene.toml",
                                                "stats.csv",
                                                "forces.csv",
                                                "rigid.jsonl",
                                                "cracks.jsonl",
                                                "a.pvd",
                                                "frames/a.0001.vtu",
                                                "frames/a.0002.vtu",
                                                "checkpoints/a.0001.checkpoint",
                                                "checkpoints/a.0001+7.checkpoint"};

// One folder for this process, used again for every input; the runner sets TMPDIR to memory that it clears.
const fs::path& folder() {
  static const fs::path path = fs::temp_directory_path() / ("sunder-fuzz-" + std::to_string(::getpid()));
  return path;
}

std::string content(std::string_view file, std::string_view part) {
  if (file.starts_with("frames/")) return sealed_frame(part);
  if (file.starts_with("checkpoints/")) return sealed_checkpoint(part);
  return std::string(part);
}

void lay_out(std::string_view input) {
  fs::create_directories(folder() / "frames");
  fs::create_directories(folder() / "checkpoints");
  for (const char* file : kFiles) fs::remove(folder() / file);
  for (const auto& [name, part] : named_parts(input)) {
    for (const char* file : kFiles) {
      if (name == file) std::ofstream(folder() / file, std::ios::binary) << content(name, part);
    }
  }
}

}  // namespace

void try_input(std::string_view input) {
  lay_out(input);
  try {
    for (const std::string& problem : check_run(folder()).problems) require_readable(problem);
  } catch (const FileError& error) {  // no run.json: not a run folder
    require_readable(error.what());
  }
  RunFolder run(folder(), "a");
  if (find_run(folder())) run.cut_back_to(1, "");
  run.start({}, "");
}

}  // namespace sunder::fuzz
