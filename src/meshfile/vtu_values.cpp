#include "meshfile/vtu_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <span>
#include <utility>

#include "meshfile/byte_reader.h"
#include "meshfile/text_scanner.h"
#include "meshfile/zlib_blocks.h"

namespace sunder {
namespace {

std::string wrong_size(std::uint64_t found, std::uint64_t wanted) {
  return fmt::format("it has {} bytes of data, but {} belong there", found, wanted);
}

// A size in the header of an array.
std::uint64_t read_size(const VtuTags& file, const VtuArrayTag& tag, ByteReader& bytes) {
  std::array<char, 8> raw{};
  const std::size_t width = file.has_long_headers ? 8 : 4;
  if (!bytes.read(std::span(raw).first(width))) fail_array(tag, "its data are cut short or damaged");
  if (file.is_big_endian) std::reverse(raw.begin(), raw.begin() + static_cast<std::ptrdiff_t>(width));
  std::uint64_t size = 0;
  std::memcpy(&size, raw.data(), raw.size());
  return size;
}

std::string read_plain(const VtuTags& file, const VtuArrayTag& tag, ByteReader& bytes,
                       std::optional<std::uint64_t> wanted) {
  const std::uint64_t size = read_size(file, tag, bytes);
  if (wanted && size != *wanted) fail_array(tag, wrong_size(size, *wanted));
  if (size > bytes.most_left()) {
    fail_array(tag, fmt::format("it announces {} bytes of data, but the file has only {}", size, bytes.most_left()));
  }
  std::string data(size, '\0');
  if (!bytes.read(data)) fail_array(tag, "its data are cut short or damaged");
  return data;
}

// [blocks][block size][size of the last block if it is shorter, else 0][compressed sizes...], then the blocks.
std::string read_compressed(const VtuTags& file, const VtuArrayTag& tag, ByteReader& bytes,
                            std::optional<std::uint64_t> wanted) {
  const std::uint64_t blocks = read_size(file, tag, bytes);
  const std::uint64_t block_size = read_size(file, tag, bytes);
  const std::uint64_t last_size = read_size(file, tag, bytes);
  if (blocks > bytes.most_left() / (file.has_long_headers ? 8 : 4)) {
    fail_array(tag, fmt::format("it announces {} blocks of data, more than the file can hold", blocks));
  }
  std::vector<std::pair<std::uint64_t, std::uint64_t>> sizes;  // compressed and expanded
  std::uint64_t compressed = 0;
  std::uint64_t expanded = 0;
  for (std::uint64_t i = 0; i < blocks; ++i) {
    const std::uint64_t from = read_size(file, tag, bytes);
    const std::uint64_t to = (i + 1 == blocks && last_size != 0) ? last_size : block_size;
    if (from > bytes.most_left() || compressed + from > bytes.most_left() || to > from * kLargestExpansion) {
      fail_array(tag, fmt::format("it announces a block of {} bytes compressed to {}, which cannot be", to, from));
    }
    compressed += from;
    expanded += to;
    sizes.emplace_back(from, to);
  }
  if (wanted && expanded != *wanted) fail_array(tag, wrong_size(expanded, *wanted));

  std::string data(expanded, '\0');
  std::string block;
  std::size_t at = 0;
  for (const auto& [from, to] : sizes) {
    block.resize(from);
    if (!bytes.read(block) || !expand_block(block, std::span(data).subspan(at, to))) {
      fail_array(tag, "its compressed data are cut short or damaged");
    }
    at += to;
  }
  return data;
}

std::string read_bytes(VtuTags& file, const VtuArrayTag& tag, std::optional<std::uint64_t> wanted) {
  std::string_view content = tag.text;
  auto encoding = ByteReader::Encoding::base64;
  if (tag.format == VtuFormat::appended) {
    if (!file.appended) fail_array(tag, "the file has no <AppendedData>");
    if (tag.offset > file.appended->size()) fail_array(tag, "its offset lies beyond the end of the appended data");
    content = file.appended->substr(tag.offset);
    if (file.is_raw) encoding = ByteReader::Encoding::raw;
  }
  ByteReader bytes(content, encoding);
  std::string data =
      file.is_compressed ? read_compressed(file, tag, bytes, wanted) : read_plain(file, tag, bytes, wanted);
  if (tag.format == VtuFormat::appended) {
    if (bytes.used() > file.appended_allowance) fail_array(tag, "too many arrays share the same data");
    file.appended_allowance -= bytes.used();
  }
  return data;
}

template <class InFile, class Stored>
std::vector<Stored> values_of_bytes(VtuTags& file, const VtuArrayTag& tag, std::optional<std::uint64_t> count) {
  std::optional<std::uint64_t> size;
  if (count) size = *count * sizeof(InFile);
  const std::string bytes = read_bytes(file, tag, size);
  if (bytes.size() % sizeof(InFile) != 0) fail_array(tag, "its data end within a value");
  std::vector<Stored> values(bytes.size() / sizeof(InFile));
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::array<char, sizeof(InFile)> raw{};
    std::memcpy(raw.data(), bytes.data() + i * sizeof(InFile), sizeof(InFile));
    if (file.is_big_endian) std::reverse(raw.begin(), raw.end());
    values[i] = static_cast<Stored>(std::bit_cast<InFile>(raw));  // NOLINT: an Int8 here is a number, not a character
  }
  return values;
}

// A word of an ASCII array; nothing if it is not a value of the type in the file.
template <class InFile>
std::optional<InFile> value_of_word(std::string_view word) {
  if constexpr (std::is_floating_point_v<InFile>) {
    const std::optional<double> value = parse_number(word);
    if (!value) return std::nullopt;
    return static_cast<InFile>(*value);
  } else if constexpr (std::is_signed_v<InFile>) {
    const std::optional<std::int64_t> value = parse_integer(word);
    if (!value || !std::in_range<InFile>(*value)) return std::nullopt;
    return static_cast<InFile>(*value);
  } else {
    const std::optional<std::uint64_t> value = parse_unsigned(word);
    if (!value || !std::in_range<InFile>(*value)) return std::nullopt;
    return static_cast<InFile>(*value);
  }
}

template <class InFile, class Stored>
std::vector<Stored> values_of_text(const VtuArrayTag& tag, std::optional<std::uint64_t> count) {
  // A value takes a digit and a blank; the last one needs no blank.
  if (count && *count > (tag.text.size() + 1) / 2) {
    fail_array(tag, fmt::format("{} values belong there, but its text is only {} bytes long", *count, tag.text.size()));
  }
  std::vector<Stored> values;
  if (count) values.reserve(*count);
  TextScanner text(tag.text, tag.place.file, TextScanner::Lines::ignored);
  while (!text.at_end()) {
    const std::string_view word = text.word("a value");
    const std::optional<InFile> value = value_of_word<InFile>(word);
    if (!value) fail_array(tag, fmt::format("{} is not a value of its type", shown_word(word)));
    if (count && values.size() == *count)
      fail_array(tag, fmt::format("it has more than the {} values that belong there", *count));
    values.push_back(static_cast<Stored>(*value));
  }
  if (count && values.size() != *count) {
    fail_array(tag, fmt::format("it has {} values, but {} belong there", values.size(), *count));
  }
  return values;
}

template <class InFile, class Stored = InFile>
std::vector<Stored> read_values(VtuTags& file, const VtuArrayTag& tag, std::optional<std::uint64_t> count) {
  // Writers differ in what they leave in the file for an empty array.
  if (count && *count == 0) return {};
  return tag.format == VtuFormat::ascii ? values_of_text<InFile, Stored>(tag, count)
                                        : values_of_bytes<InFile, Stored>(file, tag, count);
}

}  // namespace

void fail_array(const VtuArrayTag& tag, const std::string& problem) {
  throw InputError(tag.place, fmt::format("array {}: {}", shown_word(tag.name), problem), kTruncatedRemedy);
}

VtuArray read_vtu_array(VtuTags& file, const VtuArrayTag& tag, std::optional<std::uint64_t> tuples) {
  std::optional<std::uint64_t> count;
  if (tuples) count = *tuples * tag.components;
  VtuArray array;
  array.name = tag.name;
  array.components = static_cast<int>(tag.components);
  switch (tag.type) {
    case VtuType::int8:
      array.values = read_values<std::int8_t, std::int32_t>(file, tag, count);
      break;
    case VtuType::uint8:
      array.values = read_values<std::uint8_t>(file, tag, count);
      break;
    case VtuType::int16:
      array.values = read_values<std::int16_t, std::int32_t>(file, tag, count);
      break;
    case VtuType::uint16:
      array.values = read_values<std::uint16_t, std::uint32_t>(file, tag, count);
      break;
    case VtuType::int32:
      array.values = read_values<std::int32_t>(file, tag, count);
      break;
    case VtuType::uint32:
      array.values = read_values<std::uint32_t>(file, tag, count);
      break;
    case VtuType::int64:
      array.values = read_values<std::int64_t>(file, tag, count);
      break;
    case VtuType::uint64:
      array.values = read_values<std::uint64_t>(file, tag, count);
      break;
    case VtuType::float32:
      array.values = read_values<float>(file, tag, count);
      break;
    case VtuType::float64:
      array.values = read_values<double>(file, tag, count);
      break;
  }
  if (array.size() % tag.components != 0) fail_array(tag, "its last tuple is incomplete");
  return array;
}

}  // namespace sunder
