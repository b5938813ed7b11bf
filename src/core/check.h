#pragma once
// A broken invariant is a bug in sunder, not in the user's input: say where, and how to replay it, and stop.

#include <string>

namespace sunder {

// The command that is running, printed with a broken invariant so that a report can replay it. Set once by main.
void set_replay_command(const std::string& command);

[[noreturn]] void broken_invariant(const char* file, int line, const char* condition, const std::string& what);

}  // namespace sunder

#define SUNDER_CHECK(condition, what) \
  ((condition) ? static_cast<void>(0) : ::sunder::broken_invariant(__FILE__, __LINE__, #condition, (what)))
