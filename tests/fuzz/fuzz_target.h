#pragma once
// What every fuzz target is made of. A target is one file that defines try_input: it gives the bytes to a reader and,
// if they are accepted, goes on with what was read as the program would.

#include <string>
#include <string_view>

namespace sunder::fuzz {

// Returning and throwing a sunder::Error are the good outcomes. Any other exception, a sanitizer's report, too much
// time or memory, and a call of broken() are bugs.
void try_input(std::string_view input);

// A property does not hold: says which, and stops, so that the fuzzer keeps the input.
[[noreturn]] void broken(const std::string& what);

// What we tell a user must be short, and fit for a terminal (core/printable.h).
void require_readable(const std::string& message);

}  // namespace sunder::fuzz
