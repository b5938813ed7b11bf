#include "core/printable.h"

#include <cstddef>

namespace sunder {
namespace {

// How many bytes the UTF-8 character that the text begins with has; 0 if it begins with none.
// The table of RFC 3629, section 4: no overlong forms, no surrogates, nothing beyond U+10FFFF.
std::size_t utf8_length(std::string_view text) {
  const auto lies_in = [&](std::size_t i, unsigned low, unsigned high) {
    return i < text.size() && static_cast<unsigned char>(text[i]) >= low && static_cast<unsigned char>(text[i]) <= high;
  };
  const auto follow = [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i <= last; ++i) {
      if (!lies_in(i, 0x80, 0xbf)) return false;
    }
    return true;
  };
  if (lies_in(0, 0x00, 0x7f)) return 1;
  if (lies_in(0, 0xc2, 0xdf)) return follow(1, 1) ? 2 : 0;
  if (lies_in(0, 0xe0, 0xe0)) return lies_in(1, 0xa0, 0xbf) && follow(2, 2) ? 3 : 0;
  if (lies_in(0, 0xed, 0xed)) return lies_in(1, 0x80, 0x9f) && follow(2, 2) ? 3 : 0;
  if (lies_in(0, 0xe1, 0xef)) return follow(1, 2) ? 3 : 0;
  if (lies_in(0, 0xf0, 0xf0)) return lies_in(1, 0x90, 0xbf) && follow(2, 3) ? 4 : 0;
  if (lies_in(0, 0xf1, 0xf3)) return follow(1, 3) ? 4 : 0;
  if (lies_in(0, 0xf4, 0xf4)) return lies_in(1, 0x80, 0x8f) && follow(2, 3) ? 4 : 0;
  return 0;
}

// U+0000 to U+001F, U+007F, and U+0080 to U+009F, which some terminals obey as well.
bool is_control(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(character[i]); };
  if (character.size() == 1) return byte(0) < 0x20 || byte(0) == 0x7f;
  return character.size() == 2 && byte(0) == 0xc2 && byte(1) < 0xa0;
}

}  // namespace

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const std::string_view character = text.substr(0, length == 0 ? 1 : length);
    if (length == 0 || (is_control(character) && character != "\n")) {
      result += '?';
    } else {
      result += character;
    }
    text.remove_prefix(character.size());
  }
  return result;
}

}  // namespace sunder
