#include "core/error.h"

#include <fmt/format.h>

#include "core/printable.h"

namespace sunder {

std::string Place::str() const {
  if (line <= 0) return file;
  if (column <= 0) return fmt::format("{}:{}", file, line);
  return fmt::format("{}:{}:{}", file, line, column);
}

Error::Error(ExitCode code, const std::string& what) : std::runtime_error(printable(what)), code_(code) {}

InputError::InputError(const Place& place, const std::string& problem, const std::string& remedy)
    : Error(ExitCode::input,
            (place.file.empty() ? problem : place.str() + ": " + problem) + (remedy.empty() ? "" : "\n  " + remedy)) {}

}  // namespace sunder
