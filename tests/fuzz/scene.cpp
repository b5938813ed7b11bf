// Scene files. Lines that begin with `--set ` are taken out and given as overrides, as the command line would.

#include "fuzz_target.h"
#include "scene/read_scene.h"
#include "scene/write_scene.h"

namespace sunder::fuzz {
namespace {

struct Input {
  SceneSource source;
  ReadOptions options;
};

Input split(std::string_view text) {
  constexpr std::string_view mark = "--set ";
  // Mesh files are only looked for, not read; the seeds of the vtu target are some that can be found.
  Input input{{"", "scene.toml", SUNDER_FUZZ_MESHES, "fuzz"}, {}};
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::string_view whole = text.substr(0, line.size() + 1);
    if (line.starts_with(mark)) {
      input.options.overrides.emplace_back(line.substr(mark.size()));
    } else {
      input.source.text += whole;
    }
    text.remove_prefix(whole.size());
  }
  return input;
}

}  // namespace

void try_input(std::string_view text) {
  const Input input = split(text);
  const std::string written = scene_text(read_scene(input.source, input.options));
  try {
    const Scene again = read_scene({written, "written.toml", {}, "other"}, {.overrides = {}, .allow_outside = true});
    if (scene_text(again) != written) broken("a scene is not what was written:\n" + written + scene_text(again));
  } catch (const Error& error) {
    broken("a written scene cannot be read: " + std::string(error.what()) + "\n" + written);
  }
}

}  // namespace sunder::fuzz
