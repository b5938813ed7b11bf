#pragma once
// The page that documents every key of a scene file, made from the same descriptions the reader uses.

#include <string>

namespace sunder {

std::string scene_reference();  // Markdown

}  // namespace sunder
