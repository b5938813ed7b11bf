#include "fuzz_target.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "core/error.h"
#include "core/printable.h"

namespace sunder::fuzz {
void broken(const std::string& what) {
  std::fprintf(stderr, "fuzz target: %s\n", what.c_str());
  std::abort();
}

void require_readable(const std::string& message) {
  constexpr std::size_t longest = 2000;  // bytes; excerpts of the user's file must be cut
  if (message.empty() || message.size() > longest || printable(message) != message) {
    broken("a message is empty, too long or not printable: " + message);
  }
}

}  // namespace sunder::fuzz

// What libFuzzer calls with every input; the bytes are a heap block of exactly this size.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  try {
    sunder::fuzz::try_input({reinterpret_cast<const char*>(bytes), size});
  } catch (const sunder::Error& error) {
    sunder::fuzz::require_readable(error.what());
  }
  return 0;
}
