#pragma once
// A small map from ids (or triples of ids) to numbers that is filled and cleared for every split: open addressing,
// cleared by a new epoch instead of by writing, memory kept. Never iterated, so its order cannot reach a result.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/ids.h"

namespace sunder {

// The three nodes of a face, ascending.
struct FaceKey {
  std::uint32_t a, b, c;

  explicit FaceKey(const std::array<NodeId, 3>& n) : a(n[0].index), b(n[1].index), c(n[2].index) {
    if (a > b) swap(a, b);
    if (b > c) swap(b, c);
    if (a > b) swap(a, b);
  }
  FaceKey() : a(0), b(0), c(0) {}
  friend bool operator==(const FaceKey&, const FaceKey&) = default;

 private:
  static void swap(std::uint32_t& x, std::uint32_t& y) {
    const std::uint32_t t = x;
    x = y;
    y = t;
  }
};

template <class Tag>
std::uint64_t scratch_hash(Id<Tag> id) {
  return id.index * 0x9e3779b97f4a7c15ull;
}
inline std::uint64_t scratch_hash(const FaceKey& f) {
  constexpr std::uint64_t golden = 0x9e3779b97f4a7c15ull;
  return ((f.a * golden ^ f.b) * golden ^ f.c) * golden;
}

template <class Key>
class ScratchMap {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffu;

  ScratchMap() : entries_(std::size_t{1} << kFirstBits), bits_(kFirstBits) {}

  void clear() {
    ++epoch_;
    count_ = 0;
  }
  // The value of a key, or kNone.
  std::uint32_t find(const Key& key) const {
    const Entry& e = entries_[place(key)];
    return e.epoch == epoch_ ? e.value : kNone;
  }
  // Sets the value of a key that is not there yet and returns kNone, or returns the value that is there.
  std::uint32_t insert(const Key& key, std::uint32_t value) {
    if (2 * (count_ + 1) > entries_.size()) grow();
    Entry& e = entries_[place(key)];
    if (e.epoch == epoch_) return e.value;
    e = {epoch_, value, key};
    ++count_;
    return kNone;
  }

  // Sets the value of a key and returns the one it had, or kNone.
  std::uint32_t set(const Key& key, std::uint32_t value) {
    if (2 * (count_ + 1) > entries_.size()) grow();
    Entry& e = entries_[place(key)];
    const bool is_new = e.epoch != epoch_;
    const std::uint32_t before = is_new ? kNone : e.value;
    e = {epoch_, value, key};
    if (is_new) ++count_;
    return before;
  }

 private:
  struct Entry {
    std::uint64_t epoch = 0;
    std::uint32_t value = 0;
    Key key{};
  };
  static constexpr unsigned kFirstBits = 8;

  // Where the key is, or would be.
  std::size_t place(const Key& key) const {
    std::size_t i = scratch_hash(key) >> (64 - bits_);
    while (entries_[i].epoch == epoch_ && !(entries_[i].key == key)) i = (i + 1) & (entries_.size() - 1);
    return i;
  }
  void grow() {
    std::vector<Entry> old(entries_.size() * 2);
    old.swap(entries_);
    ++bits_;
    for (const Entry& e : old) {
      if (e.epoch == epoch_) entries_[place(e.key)] = e;
    }
  }

  std::vector<Entry> entries_;
  unsigned bits_;
  std::uint64_t epoch_ = 1;
  std::size_t count_ = 0;
};

}  // namespace sunder
