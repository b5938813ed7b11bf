#include "meshfile/xml_tags.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "meshfile/text_scanner.h"

namespace sunder {
namespace {

// VTK needs six levels; a file that nests without end must not grow our stack of names without end.
constexpr std::size_t kDeepest = 64;
// Names appear in messages.
constexpr std::size_t kLongestName = 100;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

bool is_name_char(char c) {
  const auto u = static_cast<unsigned char>(c);
  return (u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z') || (u >= '0' && u <= '9') || u == '_' || u == '-' ||
         u == '.' || u == ':' || u >= 0x80;
}

void append_utf8(std::string& out, unsigned long code) {
  const auto byte = [&](unsigned long value) { out += static_cast<char>(static_cast<unsigned char>(value)); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xc0 | (code >> 6));
    byte(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    byte(0xe0 | (code >> 12));
    byte(0x80 | ((code >> 6) & 0x3f));
    byte(0x80 | (code & 0x3f));
  } else {
    byte(0xf0 | (code >> 18));
    byte(0x80 | ((code >> 12) & 0x3f));
    byte(0x80 | ((code >> 6) & 0x3f));
    byte(0x80 | (code & 0x3f));
  }
}

}  // namespace

const std::string* XmlTag::find(std::string_view attribute) const {
  for (const auto& [key, value] : attributes) {
    if (key == attribute) return &value;
  }
  return nullptr;
}

XmlTags::XmlTags(std::string_view content, std::string file_name) : content_(content), file_(std::move(file_name)) {
  if (starts_with("\xef\xbb\xbf")) at_ = 3;  // a UTF-8 byte order mark
}

XmlTags::Event XmlTags::next() {
  if (ends_at_once_) {
    ends_at_once_ = false;
    close(tag_.name);
    return Event::end;
  }
  while (at_ < content_.size()) {
    if (content_[at_] != '<') {
      const std::size_t end = std::min(content_.find('<', at_), content_.size());
      text_ = content_.substr(at_, end - at_);
      const bool is_empty = std::all_of(text_.begin(), text_.end(), is_blank);
      if (!is_empty && open_.empty()) fail("there is text outside the XML document", kTruncatedRemedy);
      at_ = end;
      if (!is_empty) return Event::text;
    } else if (starts_with("<!--")) {
      at_ += 4;
      skip_past("-->", "a comment");
    } else if (starts_with("<![CDATA[")) {
      const std::size_t start = at_ + 9;
      skip_past("]]>", "a CDATA section");
      text_ = content_.substr(start, at_ - 3 - start);
      if (open_.empty()) fail("there is text outside the XML document");
      return Event::text;
    } else if (starts_with("<?")) {
      skip_past("?>", "a processing instruction");
    } else if (starts_with("<!")) {
      fail("document type declarations are not supported", "remove the <!DOCTYPE ...> line");
    } else if (starts_with("</")) {
      read_end_tag();
      return Event::end;
    } else {
      read_start_tag();
      return Event::start;
    }
  }
  if (!open_.empty()) fail(fmt::format("the file ends within <{}>", open_.back()), kTruncatedRemedy);
  if (!has_root_) fail("the file is empty", kTruncatedRemedy);
  return Event::done;
}

void XmlTags::skip_past(std::string_view mark, const char* what) {
  const std::size_t found = content_.find(mark, at_);
  if (found == std::string_view::npos) fail(fmt::format("{} does not end", what), kTruncatedRemedy);
  at_ = found + mark.size();
}

void XmlTags::skip_blanks() {
  while (at_ < content_.size() && is_blank(content_[at_])) ++at_;
}

std::string_view XmlTags::read_name() {
  const std::size_t start = at_;
  while (at_ < content_.size() && is_name_char(content_[at_])) ++at_;
  if (at_ - start > kLongestName) fail(fmt::format("malformed XML: a name is longer than {} letters", kLongestName));
  if (at_ == start) {
    if (at_ == content_.size()) fail("the file ends within a tag", kTruncatedRemedy);
    fail(fmt::format("malformed XML: expected a name, found {}", shown_word(content_.substr(at_, 1))),
         kTruncatedRemedy);
  }
  return content_.substr(start, at_ - start);
}

std::string XmlTags::read_value() {
  skip_blanks();
  const char quote = at_ < content_.size() ? content_[at_] : '\0';
  if (quote != '"' && quote != '\'') fail("malformed XML: an attribute has no quoted value", kTruncatedRemedy);
  const std::size_t end = content_.find(quote, at_ + 1);
  if (end == std::string_view::npos) fail("the value of an attribute does not end", kTruncatedRemedy);
  const std::string_view value = content_.substr(at_ + 1, end - at_ - 1);
  if (value.find('<') != std::string_view::npos) fail("malformed XML: `<` within the value of an attribute");
  std::string resolved = resolve_entities(value);
  at_ = end + 1;
  return resolved;
}

void XmlTags::read_start_tag() {
  if (open_.empty() && has_root_) fail("there is more than one document in the file", kTruncatedRemedy);
  if (open_.size() == kDeepest) fail(fmt::format("tags are nested more than {} deep", kDeepest));
  tag_.place = place_of(at_);
  tag_.attributes.clear();
  ++at_;
  tag_.name = read_name();
  for (;;) {
    skip_blanks();
    if (at_ == content_.size()) fail(fmt::format("the file ends within <{}>", tag_.name), kTruncatedRemedy);
    ends_at_once_ = starts_with("/>");
    if (ends_at_once_ || content_[at_] == '>') break;
    std::string key(read_name());
    skip_blanks();
    if (!starts_with("="))
      fail(fmt::format("malformed XML: attribute {} has no value", shown_word(key)), kTruncatedRemedy);
    ++at_;
    tag_.attributes.emplace_back(std::move(key), read_value());
  }
  at_ += ends_at_once_ ? 2 : 1;
  open_.push_back(tag_.name);
  has_root_ = true;
}

void XmlTags::read_end_tag() {
  tag_.place = place_of(at_);
  at_ += 2;
  tag_.name = read_name();
  skip_blanks();
  if (!starts_with(">")) fail(fmt::format("malformed XML: </{} has no `>`", tag_.name), kTruncatedRemedy);
  ++at_;
  close(tag_.name);
}

void XmlTags::close(std::string_view name) {
  if (open_.empty() || open_.back() != name) {
    fail(fmt::format("malformed XML: </{}> where {} should end", shown_word(name),
                     open_.empty() ? "nothing" : "<" + open_.back() + ">"),
         kTruncatedRemedy);
  }
  open_.pop_back();
}

std::string XmlTags::resolve_entities(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '&') {
      out += text[i];
      continue;
    }
    const std::size_t end = text.find(';', i);
    if (end == std::string_view::npos) fail("malformed XML: `&` without `;`");
    const std::string_view entity = text.substr(i + 1, end - i - 1);
    if (entity == "lt") {
      out += '<';
    } else if (entity == "gt") {
      out += '>';
    } else if (entity == "amp") {
      out += '&';
    } else if (entity == "quot") {
      out += '"';
    } else if (entity == "apos") {
      out += '\'';
    } else {
      const bool is_hex = entity.starts_with("#x");
      const std::string_view digits = entity.substr(std::min<std::size_t>(entity.size(), is_hex ? 2 : 1));
      unsigned long code = 0;
      const auto [stop, problem] =
          std::from_chars(digits.data(), digits.data() + digits.size(), code, is_hex ? 16 : 10);
      const bool is_code = entity.starts_with('#') && problem == std::errc() && stop == digits.data() + digits.size();
      if (!is_code || code == 0 || code > 0x10ffff) {
        fail(fmt::format("malformed XML: unknown entity {}", shown_word(entity)));
      }
      append_utf8(out, code);
    }
    i = end;
  }
  return out;
}

std::string_view XmlTags::raw_content() {
  if (ends_at_once_) return {};
  const std::string mark = "</" + tag_.name;
  const std::size_t end = content_.rfind(mark);
  if (end == std::string_view::npos || end < at_) {
    fail(fmt::format("the file ends within <{}>", tag_.name), kTruncatedRemedy);
  }
  const std::string_view found = content_.substr(at_, end - at_);
  at_ = end;
  return found;
}

Place XmlTags::place_of(std::size_t at) {
  for (; counted_ < at; ++counted_) {
    if (content_[counted_] != '\n') continue;
    ++line_;
    line_start_ = counted_ + 1;
  }
  return {file_, line_, static_cast<int>(std::min<std::size_t>(at - std::min(at, line_start_), 1u << 30)) + 1};
}

void XmlTags::fail(const std::string& problem, const std::string& remedy) {
  throw InputError(place_of(std::min(at_, content_.size())), problem, remedy);
}

}  // namespace sunder
