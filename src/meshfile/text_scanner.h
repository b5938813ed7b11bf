#pragma once
// Words, numbers and lines of a mesh file, with the place of each for messages. Everything that is wrong with the text
// is an InputError at the word in question. The content must outlive the scanner.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"

namespace sunder {

class TextScanner {
 public:
  // Where a line end matters a record must be complete on its line (Gmsh, TetGen): a missing value is then reported on
  // its own line, not where the shifted numbers first make no sense.
  enum class Lines { ignored, matter };

  // `comment` starts a comment that runs to the end of its line; '\0' if the format has none.
  TextScanner(std::string_view content, std::string file_name, Lines lines, char comment = '\0')
      : content_(content), file_(std::move(file_name)), lines_(lines), comment_(comment) {}

  // Goes to the next line that has a word on it; at the end of the file it is an error that `what` is missing.
  void next_line(std::string_view what);

  // Nothing but blanks and comments is left.
  bool at_end();

  // `what` names the value in messages: "the x coordinate of node 3" reads better than "a number".
  std::string_view word(std::string_view what);
  double number(std::string_view what);         // nan and inf are numbers here
  double coordinate(std::string_view what);     // and here an error
  std::int64_t integer(std::string_view what);  // whole, in decimal

  // A number of records that follow, each at least `bytes_each` long: refused if the rest of the file cannot hold them,
  // so that no count in a file can make us reserve more than a small multiple of the file's size.
  std::size_t count(std::string_view what, std::size_t bytes_each);

  // The same test for a count that is already known.
  void expect_room(std::uint64_t count, std::size_t bytes_each, std::string_view what) const;

  void skip_word();              // the last peeked word
  std::string_view peek_word();  // empty at the end (of the line, where lines matter)

  // The numbers up to the end of the line, such as a colour behind a record; none if a word is no finite number. Where
  // lines matter.
  std::vector<double> numbers_left();

  std::string_view rest_of_line();           // without its end, which is consumed
  std::string_view bytes(std::size_t size);  // exactly so many, from here on

  int line() const { return lines_known_ ? line_ : 0; }
  Place place() const;  // of the last word read
  const std::string& file() const { return file_; }
  [[noreturn]] void fail(const std::string& problem, const std::string& remedy = "") const;

 private:
  void skip_blanks(bool over_lines);
  [[noreturn]] void fail_missing(std::string_view what);

  std::string_view content_;
  std::string file_;
  Lines lines_;
  char comment_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  std::size_t word_start_ = 0;
  int line_ = 1;
  bool line_begun_ = false;  // a word of this line has been read
  bool lines_known_ = true;  // no longer once binary data have been passed
};

// The value of a whole word, in the "C" locale whatever the program's locale is; nothing if it is not a number.
std::optional<double> parse_number(std::string_view word);
std::optional<std::int64_t> parse_integer(std::string_view word);
std::optional<std::uint64_t> parse_unsigned(std::string_view word);

// A piece of the user's file for a message: short, and without bytes that would upset a terminal.
std::string shown_word(std::string_view text);

inline constexpr const char* kTruncatedRemedy = "the file may be cut short: copy or export it again";

}  // namespace sunder
