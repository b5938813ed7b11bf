#include <fmt/format.h>

#include <filesystem>

#include "apps/cli/commands.h"
#include "apps/cli/output_folder.h"
#include "core/files.h"
#include "scene/read_scene.h"

namespace sunder::cli {
namespace {

constexpr const char* kStarter = R"(# {0}: a scene for sunder. Run it with:  sunder run {0}.toml
# Lengths in metres, masses in kilograms, times in seconds; Y points up. All keys: `sunder reference`.

about = "a block of jelly falls on the ground"
duration = 1.5            # seconds to simulate
fps = 24                  # frames per second

[[body]]
name = "block"
shape = {{ kind = "box", size = [0.4, 0.2, 0.3] }}   # or {{ kind = "sphere", radius = 0.2 }}, {{ kind = "file", path = "my.msh" }}
edge = 0.04               # edge length of the tetrahedra: smaller is finer and slower
position = [0, 0.5, 0]    # where its centre starts
rotation = [20, 0, 35]    # degrees about x, then y, then z
spin = [0, 1, 0]          # radians per second
material = "jelly"        # or with changes: {{ preset = "jelly", density = 1200 }}

[[collider]]
name = "floor"
shape = {{ kind = "ground" }}
friction = 0.5

# Parts of bodies can be held, moved or loaded:
#
# [[region]]
# name = "left-end"
# where = {{ kind = "half-space", point = [-0.19, 0, 0], normal = [-1, 0, 0] }}
# action = "hold"
)";

}  // namespace

ExitCode new_command(const NewOptions& options) {
  const std::filesystem::path path = std::filesystem::path(options.name).extension() == ".toml"
                                         ? std::filesystem::path(options.name)
                                         : std::filesystem::path(options.name + ".toml");
  if (std::filesystem::exists(path)) throw FileError(path.string(), "exists already; choose another name");
  const std::string text = fmt::format(kStarter, path.stem().string());
  // A starter scene that does not read would be a poor start; this also refuses names that cannot be file names.
  read_scene({.text = "name = \"" + path.stem().string() + "\"\n" + text,
              .file_name = path.string(),
              .folder = path.parent_path(),
              .default_name = path.stem().string()});
  make_folder_of(path);
  write_file_atomically(path, text);
  fmt::print("{0}: written. Run it with:\n  sunder run {0}\n", path.string());
  return ExitCode::fine;
}

}  // namespace sunder::cli
