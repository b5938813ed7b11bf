#pragma once
// A 64-bit fingerprint of a state, equal exactly when every byte is (up to chance); used for `state_hash`.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "core/random.h"

namespace sunder {

class Hash64 {
 public:
  // Hashes the bytes of plain values, eight at a time.
  template <class T>
  void add(std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    add_bytes(reinterpret_cast<const unsigned char*>(values.data()), values.size_bytes());
  }
  void add(std::uint64_t value) { state_ = mix64(state_ + 0x9e3779b97f4a7c15ull) ^ mix64(value); }

  std::uint64_t value() const { return mix64(state_); }

 private:
  void add_bytes(const unsigned char* bytes, std::size_t size) {
    add(size);
    for (std::size_t i = 0; i < size; i += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes + i, size - i < 8 ? size - i : 8);
      add(word);
    }
  }

  std::uint64_t state_ = 0x73756e646572ull;
};

// The checksum of a file's content. Changing any one word of eight bytes always changes it.
inline std::uint64_t checksum(std::string_view bytes) {
  Hash64 hash;
  hash.add(std::span<const char>(bytes));
  return hash.value();
}

}  // namespace sunder
