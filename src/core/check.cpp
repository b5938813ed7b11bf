#include "core/check.h"

#include <cstdio>
#include <cstdlib>

namespace sunder {
namespace {

std::string& replay_command() {
  static std::string command;
  return command;
}

}  // namespace

void set_replay_command(const std::string& command) { replay_command() = command; }

void broken_invariant(const char* file, int line, const char* condition, const std::string& what) {
  std::fprintf(stderr, "sunder: internal error at %s:%d: %s\n  broken: %s\n", file, line, what.c_str(), condition);
  if (!replay_command().empty()) std::fprintf(stderr, "  replay: %s\n", replay_command().c_str());
  std::fprintf(stderr, "  This is a bug in sunder; please report it with the scene.\n");
  std::abort();
}

}  // namespace sunder
