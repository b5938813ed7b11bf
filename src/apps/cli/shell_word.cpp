#include "apps/cli/shell_word.h"

namespace sunder::cli {

std::string shell_word(const std::string& word) {
  const bool plain = word.find_first_of(" \t\n'\"$`\\*?[](){};&|<>#~!") == std::string::npos && !word.empty();
  if (plain) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace sunder::cli
