#include "fuzz_target.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "core/error.h"

namespace sunder::fuzz {
namespace {

// The length of the UTF-8 character that `text` begins with, or 0 if it begins with none (RFC 3629, section 4).
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) -> unsigned {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
  };
  const auto follows = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xbf) {
    return byte(i) >= low && byte(i) <= high;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return follows(1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    return follows(1, first == 0xe0 ? 0xa0 : 0x80, first == 0xed ? 0x9f : 0xbf) && follows(2) ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    return follows(1, first == 0xf0 ? 0x90 : 0x80, first == 0xf4 ? 0x8f : 0xbf) && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

}  // namespace

void broken(const std::string& what) {
  std::fprintf(stderr, "fuzz target: %s\n", what.c_str());
  std::abort();
}

void require_printable(std::string_view message) {
  if (message.empty()) broken("a message is empty");
  for (std::size_t i = 0; i < message.size();) {
    const auto byte = static_cast<unsigned char>(message[i]);
    if ((byte < 0x20 && byte != '\n') || byte == 0x7f) {
      broken("a message has a control character: " + std::string(message));
    }
    const std::size_t length = utf8_length(message.substr(i));
    if (length == 0) broken("a message is not UTF-8: " + std::string(message));
    i += length;
  }
}

}  // namespace sunder::fuzz

// What libFuzzer calls with every input; the bytes are a heap block of exactly this size.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  try {
    sunder::fuzz::try_input({reinterpret_cast<const char*>(bytes), size});
  } catch (const sunder::Error& error) {
    sunder::fuzz::require_printable(error.what());
  }
  return 0;
}
