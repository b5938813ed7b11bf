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

InputError::InputError(const Place& place, const std::string& what_is_wrong, const std::string& what_to_do)
    : Error(ExitCode::input, (place.file.empty() ? what_is_wrong : place.str() + ": " + what_is_wrong) +
                                 (what_to_do.empty() ? "" : "\n  " + what_to_do)),
      problem(what_is_wrong),
      remedy(what_to_do) {}

}  // namespace sunder
