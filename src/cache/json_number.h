#pragma once
// Whole numbers from JSON that may be damaged.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>

namespace sunder {

// The library converts 1e65 to int without a word, which is undefined; this throws its type_error unless the number is
// whole, and gives the nearest int.
inline int whole_number(const nlohmann::json& value) {
  const std::int64_t number = value.get_ref<const nlohmann::json::number_integer_t&>();
  return static_cast<int>(
      std::clamp<std::int64_t>(number, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()));
}

}  // namespace sunder
