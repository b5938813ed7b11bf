#include "meshfile/text_scanner.h"

#include <fmt/format.h>
#include <locale.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace sunder {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f'; }

template <class Integer>
std::optional<Integer> parse_whole(std::string_view word) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  Integer value = 0;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (problem != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<double> parse_number(std::string_view word) {
  // strtod wants a NUL at the end, which a view into a file does not have. No honest number is longer than this: a
  // double printed in full needs at most 1077 characters, and nobody prints mesh coordinates so.
  char text[512];
  if (word.empty() || word.size() >= sizeof text || is_blank(word[0])) return std::nullopt;
  std::memcpy(text, word.data(), word.size());
  text[word.size()] = '\0';
  static const locale_t c_locale = newlocale(LC_ALL_MASK, "C", static_cast<locale_t>(nullptr));
  char* end = nullptr;
  const double value = strtod_l(text, &end, c_locale);
  if (end != text + word.size()) return std::nullopt;
  return value;
}

std::optional<std::int64_t> parse_integer(std::string_view word) { return parse_whole<std::int64_t>(word); }
std::optional<std::uint64_t> parse_unsigned(std::string_view word) { return parse_whole<std::uint64_t>(word); }

std::string shown_word(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  std::string shown = "`";
  for (char c : text.substr(0, kLongest)) shown += (c >= ' ' && c <= '~') ? c : '?';
  return shown + (text.size() > kLongest ? "...`" : "`");
}

void TextScanner::skip_blanks(bool over_lines) {
  while (at_ < content_.size()) {
    const char c = content_[at_];
    if (c == '\n') {
      if (!over_lines) return;
      ++at_;
      ++line_;
      line_start_ = at_;
      line_begun_ = false;
    } else if (is_blank(c)) {
      ++at_;
    } else if (comment_ != '\0' && c == comment_) {
      at_ = std::min(content_.find('\n', at_), content_.size());
    } else {
      return;
    }
  }
}

bool TextScanner::at_end() {
  skip_blanks(true);
  return at_ == content_.size();
}

void TextScanner::next_line(std::string_view what) {
  if (line_begun_) rest_of_line();
  if (at_end()) fail_missing(what);
}

std::string_view TextScanner::peek_word() {
  skip_blanks(lines_ == Lines::ignored);
  word_start_ = at_;
  std::size_t end = at_;
  while (end < content_.size() && !is_blank(content_[end]) && !(comment_ != '\0' && content_[end] == comment_)) ++end;
  return content_.substr(at_, end - at_);
}

void TextScanner::skip_word() {
  at_ += peek_word().size();
  line_begun_ = true;
}

std::string_view TextScanner::word(std::string_view what) {
  const std::string_view found = peek_word();
  if (found.empty()) fail_missing(what);
  at_ += found.size();
  line_begun_ = true;
  return found;
}

double TextScanner::number(std::string_view what) {
  const std::string_view found = word(what);
  const std::optional<double> value = parse_number(found);
  if (!value) fail(fmt::format("{} should be a number, not {}", what, shown_word(found)));
  return *value;
}

std::vector<double> TextScanner::numbers_left() {
  std::vector<double> numbers;
  bool all = true;
  for (std::string_view left = peek_word(); !left.empty(); left = peek_word()) {
    const std::optional<double> value = parse_number(left);
    all = all && value && std::isfinite(*value);
    if (all) numbers.push_back(*value);
    skip_word();
  }
  return all ? numbers : std::vector<double>();
}

double TextScanner::coordinate(std::string_view what) {
  const double value = number(what);
  if (!std::isfinite(value)) fail(fmt::format("{} is not finite", what), "repair the mesh in the program it came from");
  return value;
}

std::int64_t TextScanner::integer(std::string_view what) {
  const std::string_view found = word(what);
  const std::optional<std::int64_t> value = parse_integer(found);
  if (!value) fail(fmt::format("{} should be a whole number, not {}", what, shown_word(found)));
  return *value;
}

std::size_t TextScanner::count(std::string_view what, std::size_t bytes_each) {
  const std::int64_t value = integer(what);
  if (value < 0) fail(fmt::format("{} is negative", what));
  expect_room(static_cast<std::uint64_t>(value), bytes_each, what);
  return static_cast<std::size_t>(value);
}

void TextScanner::expect_room(std::uint64_t count, std::size_t bytes_each, std::string_view what) const {
  // One byte is lent because the last record needs no line end.
  const std::uint64_t left = content_.size() - at_ + 1;
  if (count > left / bytes_each) {
    fail(fmt::format("{} is {}, but only {} bytes of the file are left", what, count, content_.size() - at_),
         kTruncatedRemedy);
  }
}

std::string_view TextScanner::rest_of_line() {
  const std::size_t start = at_;
  const std::size_t end = std::min(content_.find('\n', at_), content_.size());
  at_ = end;
  std::string_view text = content_.substr(start, end - start);
  if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  if (at_ < content_.size()) {
    ++at_;
    ++line_;
    line_start_ = at_;
  }
  word_start_ = at_;
  line_begun_ = false;
  return text;
}

std::string_view TextScanner::bytes(std::size_t size) {
  if (size > content_.size() - at_) fail("the file ends within its binary data", kTruncatedRemedy);
  const std::string_view found = content_.substr(at_, size);
  at_ += size;
  word_start_ = at_;
  lines_known_ = false;
  return found;
}

Place TextScanner::place() const {
  if (!lines_known_) return {file_, 0, 0};
  const auto column = static_cast<std::int64_t>(word_start_ - std::min(line_start_, word_start_)) + 1;
  return {file_, line_, column < std::numeric_limits<int>::max() ? static_cast<int>(column) : 0};
}

void TextScanner::fail(const std::string& problem, const std::string& remedy) const {
  throw InputError(place(), problem, remedy);
}

void TextScanner::fail_missing(std::string_view what) {
  skip_blanks(false);
  word_start_ = at_;
  if (at_ == content_.size()) fail(fmt::format("the file ends where {} should stand", what), kTruncatedRemedy);
  fail(fmt::format("the line ends where {} should stand", what));
}

}  // namespace sunder
