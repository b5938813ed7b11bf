#pragma once
// Plain values to bytes and back, for checkpoints. Little-endian machines only, which is all we run on.

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/vec.h"

namespace sunder {

static_assert(std::endian::native == std::endian::little);

class Writer {
 public:
  template <class T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void put(const Vec3& v) { put(v.x()), put(v.y()), put(v.z()); }
  template <class T>
  void put_all(std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    put<std::uint64_t>(values.size());
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  }
  void put_all(std::span<const Vec3> values) { put_all(flat(values)); }
  void put_text(std::string_view text) { put_all(std::span<const char>(text)); }
  const std::string& bytes() const { return bytes_; }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class Reader {
 public:
  Reader(std::string_view bytes, std::string file) : bytes_(bytes), file_(std::move(file)) {}

  template <class T>
  T get() {
    T value;
    std::memcpy(&value, take(sizeof value), sizeof value);
    return value;
  }
  template <class T>
  std::vector<T> get_all() {
    const auto count = get<std::uint64_t>();
    if (count > bytes_.size() / sizeof(T)) fail();
    std::vector<T> values(static_cast<std::size_t>(count));
    const char* from = take(values.size() * sizeof(T));
    if (!values.empty()) std::memcpy(static_cast<void*>(values.data()), from, values.size() * sizeof(T));
    return values;
  }
  Vec3 get_vec3() {
    const double x = get<double>(), y = get<double>(), z = get<double>();
    return {x, y, z};
  }
  // Fills `values`, whose size must be what was written.
  template <class T>
  void get_into(std::span<T> values) {
    if (get<std::uint64_t>() != values.size()) fail();
    const char* from = take(values.size_bytes());
    if (!values.empty()) std::memcpy(static_cast<void*>(values.data()), from, values.size_bytes());
  }
  void get_into(std::span<Vec3> values) {
    const std::vector<double> numbers = get_all<double>();
    if (numbers.size() != 3 * values.size()) fail();
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = Vec3(numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]);
  }
  std::string get_text() {
    const std::vector<char> letters = get_all<char>();
    return {letters.begin(), letters.end()};
  }
  // What put_text() wrote, to be read on its own.
  Reader get_block() {
    const auto size = get<std::uint64_t>();
    if (size > bytes_.size()) fail();
    return {std::string_view(take(static_cast<std::size_t>(size)), static_cast<std::size_t>(size)), file_};
  }
  std::string_view rest() const { return bytes_; }
  bool at_end() const { return bytes_.empty(); }
  [[noreturn]] void fail() const { throw FileError(file_, "does not fit the scene, or is damaged"); }

 private:
  const char* take(std::size_t size) {
    if (size > bytes_.size()) fail();
    const char* from = bytes_.data();
    bytes_.remove_prefix(size);
    return from;
  }

  std::string_view bytes_;
  std::string file_;
};

}  // namespace sunder
