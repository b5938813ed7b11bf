#pragma once
// Strong ids: a node index cannot be used where an element index belongs.
// Ids are 32-bit positions in columns and may change when storage is compacted; a Uid lasts for the whole run.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace sunder {

// Lasting identity of a node or element: seeds noise, breaks ties, reaches viewers.
using Uid = std::uint64_t;

template <class Tag>
struct Id {
  static constexpr std::uint32_t kNone = 0xffffffffu;

  std::uint32_t index = kNone;

  constexpr Id() = default;
  constexpr explicit Id(std::size_t i) : index(static_cast<std::uint32_t>(i)) {}

  constexpr bool valid() const { return index != kNone; }
  friend constexpr auto operator<=>(const Id&, const Id&) = default;
};

using NodeId = Id<struct NodeTag>;
using TetId = Id<struct TetTag>;
using TriangleId = Id<struct TriangleTag>;

// for (NodeId n : id_range<NodeId>(count))
template <class IdType>
class IdRange {
 public:
  explicit IdRange(std::size_t count) : count_(static_cast<std::uint32_t>(count)) {}

  struct Iterator {
    std::uint32_t i;
    IdType operator*() const { return IdType(i); }
    Iterator& operator++() {
      ++i;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return i != other.i; }
  };
  Iterator begin() const { return {0}; }
  Iterator end() const { return {count_}; }

 private:
  std::uint32_t count_;
};

template <class IdType>
IdRange<IdType> id_range(std::size_t count) {
  return IdRange<IdType>(count);
}

}  // namespace sunder

template <class Tag>
struct std::hash<sunder::Id<Tag>> {
  std::size_t operator()(const sunder::Id<Tag>& id) const noexcept { return std::hash<std::uint32_t>()(id.index); }
};
