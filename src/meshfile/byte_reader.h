#pragma once
// The bytes of a VTK data array, which stand in the file as they are or as base64. Padding may occur in the middle:
// VTK encodes the header and the data of a compressed array one after the other.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace sunder {

class ByteReader {
 public:
  enum class Encoding { raw, base64 };
  ByteReader(std::string_view content, Encoding encoding) : content_(content), encoding_(encoding) {}

  // False if there are not so many bytes, or something that is not base64.
  bool read(std::span<char> out);

  // How much of the content has been read.
  std::size_t used() const { return at_; }

  // No more than so many bytes are left; what an array may announce.
  std::size_t most_left() const;

 private:
  bool decode_group();

  std::string_view content_;
  Encoding encoding_;
  std::size_t at_ = 0;
  std::array<char, 3> decoded_{};  // of the last group of four characters
  std::size_t decoded_begin_ = 0;
  std::size_t decoded_end_ = 0;
};

}  // namespace sunder
