#pragma once
// Scenes from text, and what is said about bad ones, for the tests.

#include <string>

#include "core/error.h"
#include "scene/read_scene.h"

namespace sunder::scene_testing {

// Three lines that make a scene.
inline const std::string kBody = "[[body]]\nshape = { kind = \"box\" }\nmaterial = \"glass\"\n";

inline Scene read(const std::string& text) { return read_scene({text, "s.toml", "", "s"}); }

inline std::string error_of(const SceneSource& source, const ReadOptions& options = {}) {
  try {
    read_scene(source, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

inline std::string error_of(const std::string& text) { return error_of(SceneSource{text, "s.toml", "", "s"}); }

}  // namespace sunder::scene_testing
