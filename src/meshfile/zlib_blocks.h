#pragma once
// The only place that calls zlib: one block of data compressed or expanded.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace sunder {

// Fast (level 1): frames are written often, and doubles hardly compress better with more effort.
std::string compress_block(std::string_view data);

// Fills `out` exactly; false if the data are damaged or hold more or less than that.
bool expand_block(std::string_view compressed, std::span<char> out);

// No zlib stream expands to more than this many times its size (https://zlib.net/zlib_tech.html): an announced size
// beyond it is a lie that must not make us allocate memory.
inline constexpr std::size_t kLargestExpansion = 1032;

}  // namespace sunder
