#pragma once
// "Did you mean ...?" for misspelt names.

#include <span>
#include <string>
#include <string_view>

namespace sunder {

// The candidate nearest to `word`, or "" if none is near enough to be what was meant.
std::string nearest_name(std::string_view word, std::span<const std::string> candidates);

// "did you mean `x`?" if there is a near candidate, else "known here: a, b, c".
std::string suggestion(std::string_view word, std::span<const std::string> candidates);

}  // namespace sunder
