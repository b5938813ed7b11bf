#pragma once
// The record of topology edits. Whoever caches something derived from a mesh (masses, gradients, hierarchies) keeps a
// mark and pulls what has happened since.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/ids.h"

namespace sunder {

struct Edit {
  enum class Kind : std::uint8_t {
    node_added,
    node_removed,
    tet_added,
    tet_removed,
    tet_changed,  // a corner was given to another node
    tet_cracked,  // a face became crack surface
    renumbered,   // storage was compacted: all ids of before are void
  };
  Kind kind;
  std::uint32_t index = 0;  // of the node or tet

  NodeId node() const { return NodeId(index); }
  TetId tet() const { return TetId(index); }
  friend bool operator==(const Edit&, const Edit&) = default;
};

class Journal {
 public:
  // A position in the record; stays meaningful when old edits are forgotten.
  using Mark = std::uint64_t;

  void add(Edit edit) { edits_.push_back(edit); }
  Mark now() const { return forgotten_ + edits_.size(); }

  // The edits made after `mark`, oldest first. The mark must not lie before what was forgotten.
  std::span<const Edit> since(Mark mark) const;

  // Drops everything before `mark`; call it with the oldest mark anybody keeps.
  void forget(Mark mark);

 private:
  std::vector<Edit> edits_;
  Mark forgotten_ = 0;
};

// The tets that were added, removed or changed since the mark, ascending, each once; none at all if storage was
// renumbered since, and the ids of before are void.
std::optional<std::vector<TetId>> edited_tets(const Journal& journal, Journal::Mark since);

}  // namespace sunder
