#pragma once
// --set key=value: changes one key of a parsed scene before it is checked.
//
//   duration=2   gravity=[0,-1,0]   body.0.edge=0.1   body[0].edge=0.1   body.NAME.material.density=500
//
// The value is read as TOML, and taken as text if it is none (material=glass needs no quotes). Missing keys and tables
// are created and then checked like any other; in error messages they stand at `--set key=value`.

#include <string>

#include "scene/toml_tree.h"

namespace sunder {

// UsageError if the text has not the form key=value, InputError if the scene has no such list element.
void apply_override(TomlTable& scene, const std::string& key_and_value);

}  // namespace sunder
