#pragma once
// The little XML that VTK files need: a pull parser over tags, attributes and text, with comments, CDATA and the
// predefined and numeric entities; no DTD, no namespaces. https://www.w3.org/TR/xml

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"

namespace sunder {

struct XmlTag {
  std::string name;
  std::vector<std::pair<std::string, std::string>> attributes;  // values with entities resolved
  Place place;

  const std::string* find(std::string_view attribute) const;  // nullptr if there is none
};

// The content must outlive the parser. Malformed XML is an InputError.
class XmlTags {
 public:
  XmlTags(std::string_view content, std::string file_name);

  // `<a/>` is a start and an end. Text is reported as it stands in the file, in pieces if comments interrupt it.
  enum class Event { start, end, text, done };
  Event next();

  const XmlTag& tag() const { return tag_; }  // after start and end; after end only the name counts
  std::string_view text() const { return text_; }
  std::size_t depth() const { return open_.size(); }  // of the element just started, or around the one just ended

  // After a start: everything up to the last end tag of this name in the file, unseen. VTK's raw appended data may
  // contain anything, also what looks like tags. The next event is the end.
  std::string_view raw_content();

  [[noreturn]] void fail(const std::string& problem, const std::string& remedy = "");

 private:
  bool starts_with(std::string_view mark) const { return content_.substr(at_).starts_with(mark); }
  void skip_past(std::string_view mark, const char* what);
  void skip_blanks();
  std::string_view read_name();
  std::string read_value();
  void read_start_tag();
  void read_end_tag();
  void close(std::string_view name);
  std::string resolve_entities(std::string_view text);
  Place place_of(std::size_t at);

  std::string_view content_;
  std::string file_;
  std::size_t at_ = 0;
  XmlTag tag_;
  std::string_view text_;
  std::vector<std::string> open_;
  bool ends_at_once_ = false;  // the tag just reported was <a/>
  bool has_root_ = false;

  // Lines are counted as far as places have been asked for.
  std::size_t counted_ = 0;
  std::size_t line_start_ = 0;
  int line_ = 1;
};

}  // namespace sunder
