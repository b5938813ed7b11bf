#pragma once
// TOML text -> Scene. Every key is checked; what is wrong is an InputError with file:line:column and what to do.

#include <filesystem>
#include <string>
#include <vector>

#include "scene/scene.h"

namespace sunder {

struct SceneSource {
  std::string text;
  std::string file_name;         // what error messages call it
  std::filesystem::path folder;  // mesh files are found relative to it; empty: the current folder
  std::string default_name;      // of a scene without `name`; characters that file names cannot have become `-`
};

// Reads at most the 16 MB a scene may have, so endless files are refused as well. FileError if it cannot be read.
SceneSource scene_source(const std::filesystem::path& file);

struct ReadOptions {
  std::vector<std::string> overrides;  // key=value, as --set takes them (scene/overrides.h), applied in order

  // A scene may come from a stranger, so it may name mesh files only in its own folder and below (symbolic links
  // followed), by relative paths. With this it may name any. A run folder's scene.toml names its meshes by absolute
  // path; it is no exception: only someone who knows where it came from can say that it may read them.
  bool allow_outside = false;

  // Of a run that is over: what it was made from may be gone. Paths are then not looked at.
  bool files_may_be_gone = false;
};

Scene read_scene(const SceneSource& source, const ReadOptions& options = {});

// A shape from the command line: a kind with all defaults (`bowl`), or a table (`{ kind = "bowl", wall = 0.01 }`).
Shape read_shape(const std::string& text);

}  // namespace sunder
