#include "mesh/journal.h"

#include <algorithm>

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

std::optional<std::vector<TetId>> edited_tets(const Journal& journal, Journal::Mark since) {
  std::vector<TetId> tets;
  for (const Edit& edit : journal.since(since)) {
    if (edit.kind == Edit::Kind::renumbered) return std::nullopt;
    if (edit.kind != Edit::Kind::node_added && edit.kind != Edit::Kind::node_removed) tets.push_back(edit.tet());
  }
  std::sort(tets.begin(), tets.end());
  tets.erase(std::unique(tets.begin(), tets.end()), tets.end());
  return tets;
}

}  // namespace sunder
