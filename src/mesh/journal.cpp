#include "mesh/journal.h"

#include "core/check.h"

namespace sunder {

std::span<const Edit> Journal::since(Mark mark) const {
  SUNDER_CHECK(mark >= forgotten_ && mark <= now(), "the journal no longer holds what this mark asks for");
  return std::span<const Edit>(edits_).subspan(static_cast<std::size_t>(mark - forgotten_));
}

void Journal::forget(Mark mark) {
  SUNDER_CHECK(mark >= forgotten_ && mark <= now(), "a mark outside the journal");
  edits_.erase(edits_.begin(), edits_.begin() + static_cast<std::ptrdiff_t>(mark - forgotten_));
  forgotten_ = mark;
}

}  // namespace sunder
