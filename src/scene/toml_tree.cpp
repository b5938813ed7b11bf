#include "scene/toml_tree.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <tuple>

namespace sunder {
namespace {

constexpr int kDeepest = 32;            // levels of brackets, and dots in a key; a scene needs three
constexpr int kMostValues = 1'000'000;  // each costs a few hundred bytes once parsed
constexpr std::size_t kExcerpt = 60;    // characters of a user's text that an error message repeats

Place place_of_offset(std::string_view text, std::size_t offset, const std::string& file) {
  Place place{file, 1, 1};
  for (const char c : text.substr(0, offset)) {
    if (c == '\n') {
      ++place.line;
      place.column = 1;
    } else if ((static_cast<unsigned char>(c) & 0xc0u) != 0x80u) {  // columns count characters, not UTF-8 bytes
      ++place.column;
    }
  }
  return place;
}

// The end of the string that starts at `begin`, or the end of the text if it is not closed.
std::size_t end_of_string(std::string_view text, std::size_t begin) {
  const char quote = text[begin];
  const std::string triple(3, quote);
  const bool long_string = text.substr(begin, 3) == triple;
  for (std::size_t i = begin + (long_string ? 3 : 1); i < text.size(); ++i) {
    if (text[i] == '\\' && quote == '"') {
      ++i;
    } else if (long_string && text.substr(i, 3) == triple) {
      // Up to two quotes may stand at the end of the text, before the three that close it.
      return std::min({text.find_first_not_of(quote, i), i + 5, text.size()});
    } else if (!long_string && text[i] == quote) {
      return i + 1;
    } else if (text[i] == '\n' && !long_string) {
      return i;
    }
  }
  return text.size();
}

// Parser and tree are recursive, and a tree is far larger than its text: refuse what would exhaust stack or memory.
void refuse_excess(std::string_view text, const std::string& file) {
  if (text.size() > kLargestSceneFile) {
    throw InputError({file},
                     fmt::format("the scene has {} MB, the limit is {} MB", text.size() >> 20, kLargestSceneFile >> 20),
                     "a scene holds no bulk data; put meshes in files of their own");
  }
  int brackets = 0, dots = 0, values = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '#') {
      i = std::min(text.find('\n', i), text.size()) - 1;
    } else if (c == '"' || c == '\'') {
      i = end_of_string(text, i) - 1;
    } else if (c == '.') {
      ++dots;
    } else if (c == ']' || c == '}') {
      brackets = std::max(0, brackets - 1);
    } else if (c == '[' || c == '{' || c == ',' || c == '=' || c == '\n') {
      dots = 0;
      if (c == '[' || c == '{') ++brackets;
      if (c != '\n') ++values;
    }
    if (brackets > kDeepest || dots > kDeepest) {
      throw InputError(place_of_offset(text, i, file), fmt::format("nested more than {} deep", kDeepest));
    }
    if (values > kMostValues) {
      throw InputError(place_of_offset(text, i, file), fmt::format("more than {} values", kMostValues),
                       "a scene holds no bulk data; put meshes in files of their own");
    }
  }
}

class Converter {
 public:
  // Every part gets the place `fixed` if there is one, else its own in `file`.
  Converter(const std::string& file, const Place* fixed) : file_(file), fixed_(fixed) {}

  TomlValue value(const toml::node& node) const {
    TomlValue result{false, place(node.source())};
    if (const auto* flag = node.as_boolean()) {
      result.data = flag->get();
    } else if (const auto* whole = node.as_integer()) {
      result.data = std::int64_t{whole->get()};
    } else if (const auto* number = node.as_floating_point()) {
      result.data = number->get();
    } else if (const auto* text = node.as_string()) {
      result.data = text->get();
    } else if (const auto* array = node.as_array()) {
      TomlArray& values = result.data.emplace<TomlArray>();
      for (const toml::node& element : *array) values.push_back(value(element));
    } else if (const auto* entries = node.as_table()) {
      result.data = table(*entries);
    } else {
      result.data = TomlTime{};
    }
    return result;
  }

  TomlTable table(const toml::table& node) const {
    TomlTable result;
    for (const auto& [key, child] : node) {
      result.entries.push_back({std::string(key.str()), place(key.source()), value(child)});
    }
    std::stable_sort(result.entries.begin(), result.entries.end(), [](const TomlEntry& a, const TomlEntry& b) {
      return std::tie(a.place.line, a.place.column) < std::tie(b.place.line, b.place.column);
    });
    return result;
  }

 private:
  Place place(const toml::source_region& region) const {
    if (fixed_ != nullptr) return *fixed_;
    return {file_, static_cast<int>(region.begin.line), static_cast<int>(region.begin.column)};
  }

  const std::string& file_;
  const Place* fixed_;
};

}  // namespace

const TomlEntry* TomlTable::find(std::string_view key) const {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const TomlEntry& e) { return e.key == key; });
  return found == entries.end() ? nullptr : &*found;
}

TomlEntry* TomlTable::find(std::string_view key) {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const TomlEntry& e) { return e.key == key; });
  return found == entries.end() ? nullptr : &*found;
}

TomlTable parse_toml(std::string_view text, const std::string& file_name) {
  refuse_excess(text, file_name);
  try {
    return Converter(file_name, nullptr).table(toml::parse(text));
  } catch (const toml::parse_error& error) {
    const toml::source_position where = error.source().begin;
    throw InputError({file_name, static_cast<int>(where.line), static_cast<int>(where.column)},
                     std::string(error.description()), "the file is not valid TOML here; text needs \"quotes\"");
  }
}

std::optional<TomlValue> parse_toml_value(std::string_view text, const Place& place) {
  if (text.find('\n') != std::string_view::npos) return std::nullopt;  // or it could bring further keys along
  const std::string line = "value = " + std::string(text);
  refuse_excess(line, place.file);
  try {
    const toml::table table = toml::parse(std::string_view(line));
    return Converter(place.file, &place).value(*table.get("value"));
  } catch (const toml::parse_error&) {
    return std::nullopt;
  }
}

std::string described(const TomlValue& value) {
  if (const auto* flag = value.as<bool>()) return *flag ? "`true`" : "`false`";
  if (const auto* whole = value.as<std::int64_t>()) return fmt::format("the number {}", *whole);
  if (const auto* number = value.as<double>()) return fmt::format("the number {}", *number);
  if (const auto* text = value.as<std::string>()) return fmt::format("the text {}", excerpt(*text));
  if (const auto* array = value.as<TomlArray>()) {
    return array->size() == 1 ? "a list of 1 value" : fmt::format("a list of {} values", array->size());
  }
  if (value.as<TomlTable>() != nullptr) return "a table";
  return "a date or time";
}

std::string toml_text(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      result += fmt::format("\\u{:04X}", byte);
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::string excerpt(std::string_view text) {
  if (text.size() <= kExcerpt) return toml_text(text);
  std::size_t end = kExcerpt;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0u) == 0x80u) --end;  // not inside a UTF-8 character
  return toml_text(text.substr(0, end)) + "...";
}

}  // namespace sunder
