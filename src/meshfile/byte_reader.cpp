#include "meshfile/byte_reader.h"

#include <algorithm>
#include <cstring>

namespace sunder {
namespace {

constexpr std::uint8_t kNotBase64 = 0xff;

// RFC 4648, section 4.
constexpr std::array<std::uint8_t, 256> make_values() {
  std::array<std::uint8_t, 256> values{};
  values.fill(kNotBase64);
  constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (std::size_t i = 0; i < alphabet.size(); ++i) {
    values[static_cast<unsigned char>(alphabet[i])] = static_cast<std::uint8_t>(i);
  }
  return values;
}
constexpr std::array<std::uint8_t, 256> kValues = make_values();

}  // namespace

bool ByteReader::decode_group() {
  std::uint32_t bits = 0;
  std::size_t characters = 0;
  std::size_t padding = 0;
  while (characters + padding < 4) {
    if (at_ == content_.size()) return false;
    const char c = content_[at_++];
    if (c == ' ' || c == '\n' || c == '\r' || c == '\t') continue;
    if (c == '=') {
      ++padding;
      continue;
    }
    const std::uint8_t value = kValues[static_cast<unsigned char>(c)];
    if (value == kNotBase64 || padding > 0) return false;
    bits = (bits << 6) | value;
    ++characters;
  }
  if (padding > 2) return false;
  bits <<= 6 * padding;
  decoded_ = {static_cast<char>((bits >> 16) & 0xff), static_cast<char>((bits >> 8) & 0xff),
              static_cast<char>(bits & 0xff)};
  decoded_begin_ = 0;
  decoded_end_ = 3 - padding;
  return true;
}

bool ByteReader::read(std::span<char> out) {
  if (encoding_ == Encoding::raw) {
    if (out.size() > content_.size() - at_) return false;
    std::copy_n(content_.data() + at_, out.size(), out.data());
    at_ += out.size();
    return true;
  }
  for (char& byte : out) {
    if (decoded_begin_ == decoded_end_ && !decode_group()) return false;
    byte = decoded_[decoded_begin_++];
  }
  return true;
}

std::size_t ByteReader::most_left() const {
  const std::size_t left = content_.size() - at_;
  if (encoding_ == Encoding::raw) return left;
  return left / 4 * 3 + (decoded_end_ - decoded_begin_);
}

}  // namespace sunder
