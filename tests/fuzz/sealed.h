#pragma once
// Files that end with a checksum of all before it. A changed byte would be refused there and nothing behind it reached,
// so the targets put the checksum right.

#include <string>
#include <string_view>

#include "cache/frame_vtu.h"
#include "core/byte_stream.h"
#include "core/hash.h"

namespace sunder::fuzz {

inline std::string sealed_frame(std::string_view text) {
  constexpr std::string_view last_tag = "</VTKFile>\n";
  return with_checksum(std::string(text) + std::string(text.ends_with(last_tag) ? "" : last_tag));
}

inline std::string sealed_checkpoint(std::string_view bytes) {
  Writer out;
  for (const char c : bytes) out.put(c);
  out.put(checksum(bytes));
  return out.take();
}

}  // namespace sunder::fuzz
