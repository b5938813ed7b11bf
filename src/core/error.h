#pragma once
// What can go wrong for a user, and the exit code each kind ends with (interface.md).
// Broken invariants are not here: they are bugs, and stop the program (core/check.h).

#include <stdexcept>
#include <string>

namespace sunder {

enum class ExitCode { fine = 0, usage = 2, input = 3, simulation = 4, files = 5, interrupted = 130 };

// Where in a text file something stands; line and column count from 1, 0 means "not known".
struct Place {
  std::string file;
  int line = 0;
  int column = 0;

  std::string str() const;  // file:line:column, as far as it is known
};

// Its text may repeat what stands in a user's file: it is made printable (core/printable.h).
class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& what);
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

// The command line asks for something impossible.
struct UsageError : Error {
  explicit UsageError(const std::string& what) : Error(ExitCode::usage, what) {}
};

// A scene or mesh is wrong: where, what, and what to do about it.
struct InputError : Error {
  InputError(const Place& place, const std::string& problem, const std::string& remedy = "");

  // The same error where its place is known: what throws it may not know the file.
  InputError at(const Place& place) const { return {place, problem, remedy}; }

  std::string problem, remedy;
};

// The simulation cannot go on.
struct SimulationError : Error {
  explicit SimulationError(const std::string& what) : Error(ExitCode::simulation, what) {}
};

// A file or folder cannot be read or written: which, and why.
struct FileError : Error {
  FileError(const std::string& path, const std::string& reason) : Error(ExitCode::files, path + ": " + reason) {}
};

}  // namespace sunder
