#include "scene/overrides.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/suggest.h"
#include "scene/schema.h"

namespace sunder {
namespace {

constexpr std::size_t kLongestPath = 32;  // steps; a scene needs five

// body[0].edge and body.0.edge are the steps "body", "0", "edge".
std::vector<std::string> steps_of(const std::string& key, const std::string& whole) {
  const auto malformed = [&]() {
    throw UsageError(fmt::format("--set {}: {} is not a key\n  write duration=2, body.0.edge=0.1 or body[0].edge=0.1",
                                 excerpt(whole), excerpt(key)));
  };
  std::vector<std::string> steps(1);
  bool in_brackets = false, after_brackets = false;
  for (const char c : key) {
    if (c == (in_brackets ? ']' : '[')) {
      if (steps.back().empty()) malformed();
      if (!in_brackets) steps.emplace_back();
      after_brackets = in_brackets;
      in_brackets = !in_brackets;
    } else if (c == '.' && !in_brackets) {
      if (steps.back().empty()) malformed();
      steps.emplace_back();
      after_brackets = false;
    } else if (after_brackets || c == '[' || c == ']' || c == '.') {
      malformed();
    } else {
      steps.back() += c;
    }
  }
  if (in_brackets || steps.back().empty() || steps.size() > kLongestPath) malformed();
  return steps;
}

const std::string* text_in(const TomlTable& table, std::string_view key) {
  const TomlEntry* entry = table.find(key);
  return entry == nullptr ? nullptr : entry->value.as<std::string>();
}

// The name by which an element of a list can be addressed: its own, or the one it will get.
std::string name_of_element(const std::string& list, const TomlValue& element, std::size_t index) {
  const auto* table = element.as<TomlTable>();
  if (table == nullptr) return "";
  if (const std::string* name = text_in(*table, "name")) return *name;
  if (list == "body") return default_body_name(index);
  if (list == "region") return default_region_name(index);
  if (list == "toughness") return default_toughness_name(index);
  if (const TomlEntry* shape = table->find("shape"); list == "collider" && shape != nullptr) {
    const auto* shape_table = shape->value.as<TomlTable>();
    const std::string* kind = shape_table == nullptr ? nullptr : text_in(*shape_table, "kind");
    if (kind != nullptr) return default_collider_name(*kind, index);
  }
  return "";
}

TomlValue& element_of(TomlArray& array, const std::string& list, const std::string& step, const Place& place) {
  if (step.find_first_not_of("0123456789") == std::string::npos) {
    std::size_t index = array.size();
    const auto [end, error] = std::from_chars(step.data(), step.data() + step.size(), index);
    if (error == std::errc() && index < array.size()) return array[index];
    throw InputError(place, fmt::format("there is no `{}[{}]`", list, step),
                     array.empty() ? fmt::format("`{}` is empty", list)
                                   : fmt::format("`{}` goes from 0 to {}", list, array.size() - 1));
  }
  std::vector<std::string> names;
  for (std::size_t i = 0; i < array.size(); ++i) {
    names.push_back(name_of_element(list, array[i], i));
    if (names.back() == step) return array[i];
  }
  std::erase(names, "");
  throw InputError(place, fmt::format("no `{}` is called `{}`", list, step), suggestion(step, names));
}

// For error messages, on one line of a terminal.
std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', '?');
  constexpr std::size_t longest = 200;
  if (text.size() > longest) text.replace(longest, std::string::npos, "...");
  return text;
}

bool is_list_of_tables(const std::string& key) {
  return key == "body" || key == "collider" || key == "region" || key == "toughness";
}

}  // namespace

void apply_override(TomlTable& scene, const std::string& key_and_value) {
  const std::size_t equals = key_and_value.find('=');
  if (equals == std::string::npos) {
    throw UsageError(fmt::format("--set {}: there is no `=`\n  write key=value, for example --set duration=2",
                                 excerpt(key_and_value)));
  }
  const auto trimmed = [](const std::string& text) {
    const std::size_t begin = text.find_first_not_of(" \t");
    return begin == std::string::npos ? std::string() : text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
  };
  const std::vector<std::string> steps = steps_of(trimmed(key_and_value.substr(0, equals)), key_and_value);
  const std::string text = trimmed(key_and_value.substr(equals + 1));
  const Place place{"--set " + one_line(key_and_value)};

  TomlTable* table = &scene;
  TomlValue* target = nullptr;  // where the steps so far lead; null: the scene itself
  std::string last_key;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::string& step = steps[i];
    if (target != nullptr) {
      if (auto* array = target->as<TomlArray>()) {
        target = &element_of(*array, last_key, step, place);
        table = target->as<TomlTable>();
        continue;
      }
      if (const auto* preset = target->as<std::string>(); preset != nullptr && last_key == "material") {
        TomlTable expanded;  // material = "glass" becomes material = { preset = "glass" }
        expanded.entries.push_back({"preset", target->place, {*preset, target->place}});
        target->data = std::move(expanded);
      }
      table = target->as<TomlTable>();
    }
    if (table == nullptr) {
      throw InputError(place, fmt::format("`{}` has no key `{}`: it is {}", steps[i - 1], step, described(*target)));
    }
    TomlEntry* entry = table->find(step);
    if (entry == nullptr) {
      if (i + 1 < steps.size() && target == nullptr && is_list_of_tables(step)) {
        throw InputError(place, fmt::format("the scene has no `{}`", step),
                         "--set changes what is there; add it to the scene file");
      }
      entry = &table->entries.emplace_back(TomlEntry{step, place, {TomlTable{}, place}});
    } else if (i + 1 == steps.size()) {
      entry->place = place;
    }
    target = &entry->value;
    last_key = step;
  }
  *target = parse_toml_value(text, place).value_or(TomlValue{text, place});
}

}  // namespace sunder
