#pragma once
// Several files in one input: each begins after a line `=== NAME` and runs to the next such line.

#include <string_view>
#include <utility>
#include <vector>

namespace sunder::fuzz {

inline std::vector<std::pair<std::string_view, std::string_view>> named_parts(std::string_view input) {
  constexpr std::string_view mark = "=== ";
  std::vector<std::pair<std::string_view, std::string_view>> parts;
  bool is_open = false;
  while (!input.empty()) {
    const std::size_t end = input.find('\n');
    const std::string_view line = input.substr(0, end);
    const std::size_t whole = end == std::string_view::npos ? input.size() : end + 1;
    if (line.starts_with(mark)) {
      parts.emplace_back(line.substr(mark.size()), input.substr(whole, 0));
      is_open = true;
    } else if (is_open) {
      std::string_view& text = parts.back().second;
      text = {text.data(), text.size() + whole};
    }
    input.remove_prefix(whole);
  }
  return parts;
}

// The part of that name; empty if there is none.
inline std::string_view named_part(std::string_view input, std::string_view name) {
  for (const auto& [found, text] : named_parts(input)) {
    if (found == name) return text;
  }
  return {};
}

}  // namespace sunder::fuzz
