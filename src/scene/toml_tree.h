#pragma once
// TOML text as a plain tree in which every key and value knows where it stands. The one place that sees the TOML
// library.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/error.h"

namespace sunder {

struct TomlValue;
struct TomlEntry;

using TomlArray = std::vector<TomlValue>;

struct TomlTable {
  std::vector<TomlEntry> entries;  // in the order of the file

  const TomlEntry* find(std::string_view key) const;  // null if there is none
  TomlEntry* find(std::string_view key);
};

struct TomlTime {};  // a date or time: no key takes one, so its value is not kept

struct TomlValue {
  std::variant<bool, std::int64_t, double, std::string, TomlTime, TomlArray, TomlTable> data;
  Place place;

  template <class T>
  const T* as() const {
    return std::get_if<T>(&data);
  }
  template <class T>
  T* as() {
    return std::get_if<T>(&data);
  }
};

struct TomlEntry {
  std::string key;
  Place place;
  TomlValue value;
};

// Larger files are refused before they are parsed: a scene holds no bulk data.
inline constexpr std::size_t kLargestSceneFile = std::size_t{16} << 20;

// Throws InputError with file:line:column for anything that is not TOML, or is too large, or nested too deeply.
TomlTable parse_toml(std::string_view text, const std::string& file_name);

// One value, as it may stand behind a `=`; nothing if the text is not one. Every part of it gets the given place.
std::optional<TomlValue> parse_toml_value(std::string_view text, const Place& place);

// What an error message calls a value: "the text "abc"", "the number 3", "a list of 2 values", ...
std::string described(const TomlValue& value);

// Text for an error message or a TOML file: in double quotes, control characters escaped.
std::string toml_text(std::string_view text);

// The same, cut short if it is long, for error messages.
std::string excerpt(std::string_view text);

}  // namespace sunder
