#pragma once
// Text from users' files and file names may hold any bytes. What we print reaches terminals, where control characters
// can do harm, and run.json, which must be UTF-8.

#include <string>
#include <string_view>

namespace sunder {

bool is_utf8(std::string_view text);

// The text with every control character but line ends, and every byte that is not UTF-8, replaced by `?`.
std::string printable(std::string_view text);

}  // namespace sunder
