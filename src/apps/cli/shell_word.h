#pragma once

#include <string>

namespace sunder::cli {

// The word as a shell must be given it: in quotes if it has to be.
std::string shell_word(const std::string& word);

}  // namespace sunder::cli
