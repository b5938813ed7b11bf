#include "scene/read_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <utility>

#include "core/printable.h"
#include "core/suggest.h"
#include "scene/check_scene.h"
#include "scene/copies.h"
#include "scene/overrides.h"
#include "scene/schema.h"
#include "scene/toml_tree.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;

struct Reading {
  const SceneSource& source;
  const ReadOptions& options;
  Scene scene;
};

// Collects the names of a table's keys.
struct KeyNames {
  std::vector<std::string> names;

  template <class... Rest>
  void key(const Key& key, const Rest&...) {
    names.emplace_back(key.name);
  }
};

std::vector<std::string> to_strings(std::span<const std::string_view> words) { return {words.begin(), words.end()}; }

bool is_label_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

// What is wrong with a text, or "".
std::string text_problem(const std::string& text, TextRule rule) {
  constexpr std::size_t longest_line = 1000, longest_name = 64;
  if (rule == TextRule::axes) {
    std::string sorted = text;
    std::sort(sorted.begin(), sorted.end());
    const bool some = !text.empty() && text.find_first_not_of("xyz") == std::string::npos;
    return some && std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end()
               ? ""
               : "must be some of the letters x, y, z";
  }
  if (rule == TextRule::line) {
    const bool one_line = std::none_of(text.begin(), text.end(),
                                       [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
    if (!one_line) return "must be one line without control characters";
    if (!is_utf8(text)) return "must be UTF-8";  // TOML is; --set may bring anything
    return text.size() <= longest_line ? "" : fmt::format("must have at most {} bytes", longest_line);
  }
  if (rule == TextRule::reference && text.empty()) return "";
  if (text.empty() || text.size() > longest_name || !std::all_of(text.begin(), text.end(), is_label_character)) {
    return fmt::format("must have 1 to {} letters, digits, `-` and `_`, and nothing else", longest_name);
  }
  if (rule == TextRule::label && text.find_first_not_of("0123456789") == std::string::npos) {
    return "must not be a number, which would look like a position in the list";
  }
  return "";
}

// Finds a mesh file and makes sure that the scene may read it.
fs::path resolved(const std::string& text, const Reading& reading, const Place& place) {
  const auto fail = [&](const std::string& problem, const std::string& remedy = "") {
    throw InputError(place, fmt::format("{}: {}", excerpt(text), problem), remedy);
  };
  const std::string outside = "--allow-outside permits it, if you trust the scene";
  std::error_code error;
  const fs::path folder =
      fs::weakly_canonical(reading.source.folder.empty() ? fs::path(".") : reading.source.folder, error);
  fs::path path = error ? fs::path() : fs::weakly_canonical(fs::absolute(folder) / text, error);
  if (error) fail(error.message());
  if (!reading.options.allow_outside) {
    if (fs::path(text).is_absolute()) fail("a scene may not name files by absolute path", outside);
    const fs::path root = fs::absolute(folder);
    const bool inside = std::mismatch(root.begin(), root.end(), path.begin(), path.end()).first == root.end();
    if (!inside) fail("the file lies outside the scene's folder", outside);
  }
  if (reading.options.files_may_be_gone) return path;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::not_found) {
    fail("there is no such file", fmt::format("looked for {}", toml_text(path.string())));
  }
  if (error) fail(error.message());
  if (status.type() != fs::file_type::regular) fail("this is not a file");
  return path;
}

template <class Record>
void read_table(Reading& reading, const TomlTable& table, const std::string& path, Record& record,
                std::vector<std::string> known = {});

// The visitor that fills a record from a table.
class TableReader {
 public:
  // `path` is the table's name in messages and in Scene::places, "" for the whole file.
  TableReader(Reading& reading, const TomlTable& table, const std::string& path)
      : reading_(reading), table_(table), path_(path) {}

  void key(const Key& key, std::string& field, TextRule rule) {
    const TomlEntry* entry = find(key);
    if (entry == nullptr) return;
    const std::string& text = text_of(key, *entry);
    if (const std::string problem = text_problem(text, rule); !problem.empty()) {
      fail(entry->value, fmt::format("`{}` {}, found {}", name_of(key), problem, excerpt(text)));
    }
    field = text;
  }

  void key(const Key& key, std::string& field, const Words& words) {
    if (const TomlEntry* entry = find(key)) field = words.known[one_of(key, *entry, words)];
  }

  void key(const Key& key, fs::path& field) {
    const TomlEntry* entry = find(key);
    if (entry == nullptr) return;
    const std::string& text = text_of(key, *entry);
    if (const std::string problem = text_problem(text, TextRule::line); !problem.empty() || text.empty()) {
      fail(entry->value,
           fmt::format("`{}` {}, found {}", name_of(key), text.empty() ? "must name a file" : problem, excerpt(text)));
    }
    field = resolved(text, reading_, entry->value.place);
  }

  template <class Enum, std::size_t Count>
  void key(const Key& key, Enum& field, const std::array<Choice<Enum>, Count>& choices) {
    const TomlEntry* entry = find(key);
    if (entry == nullptr) return;
    std::array<std::string_view, Count> names;
    std::transform(choices.begin(), choices.end(), names.begin(), [](const auto& choice) { return choice.name; });
    field = choices[one_of(key, *entry, {names, {}})].value;
  }

  void key(const Key& key, std::uint64_t& field) {
    const TomlEntry* entry = find(key);
    if (entry == nullptr) return;
    const auto* whole = entry->value.as<std::int64_t>();
    if (whole == nullptr || *whole < 0) expected(key, entry->value, "a whole number, 0 or more");
    field = static_cast<std::uint64_t>(*whole);
  }

  void key(const Key& key, bool& field) {
    const TomlEntry* entry = find(key);
    if (entry == nullptr) return;
    const auto* flag = entry->value.as<bool>();
    if (flag == nullptr) expected(key, entry->value, "true or false");
    field = *flag;
  }

  void key(const Key& key, std::uint32_t& field, Count count) {
    const TomlEntry* entry = find(key);
    if (entry == nullptr) return;
    const auto* text = entry->value.as<std::string>();
    const auto* whole = entry->value.as<std::int64_t>();
    if (text != nullptr && *text == count.word) {
      field = 0;
    } else if (whole != nullptr && *whole >= 1 && *whole <= std::int64_t{count.most}) {
      field = static_cast<std::uint32_t>(*whole);
    } else {
      expected(key, entry->value, fmt::format("a whole number from 1 to {}, or \"{}\"", count.most, count.word));
    }
  }

  void key(const Key& key, std::vector<Vec2>& field, PointCount count) {
    if (const TomlEntry* entry = find(key)) field = points<2>(key, entry->value, count);
  }
  void key(const Key& key, std::vector<Vec3>& field, PointCount count) {
    if (const TomlEntry* entry = find(key)) field = points<3>(key, entry->value, count);
  }
  void key(const Key& key, std::vector<std::vector<Vec2>>& field, PointCount count) {
    constexpr std::size_t most = 100;
    const TomlEntry* entry = find(key);
    if (entry == nullptr) return;
    const auto* list = entry->value.as<TomlArray>();
    if (list == nullptr || list->size() > most) {
      expected(key, entry->value, fmt::format("a list of at most {} lists of points", most));
    }
    field.clear();
    for (const TomlValue& loop : *list) field.push_back(points<2>(key, loop, count));
  }

  void key(const Key& key, double& field, const Range& range) {
    if (const TomlEntry* entry = find(key)) field = number(key, entry->value, range);
  }

  void key(const Key& key, std::optional<double>& field, const Range& range, Unset unset) {
    const TomlEntry* entry = find(key);
    if (entry == nullptr) return;
    const auto* text = entry->value.as<std::string>();
    if (text != nullptr && !unset.word.empty()) {
      if (*text != unset.word) expected(key, entry->value, fmt::format("a number or \"{}\"", unset.word));
      field.reset();
    } else {
      field = number(key, entry->value, range);
    }
  }

  void key(const Key& key, Vec3& field, const Range& range) {
    const TomlEntry* entry = find(key);
    if (entry == nullptr) return;
    const auto* list = entry->value.as<TomlArray>();
    if (list == nullptr || list->size() != 3) expected(key, entry->value, "three numbers [x, y, z]");
    for (std::size_t i = 0; i < 3; ++i) field[static_cast<int>(i)] = number(key, (*list)[i], range);
  }

  // Unset is the key that is left out.
  void key(const Key& key, std::optional<Vec3>& field, const Range& range, Unset) {
    if (find(key) != nullptr) this->key(key, field.emplace(), range);
  }

  void key(const Key& key, std::vector<double>& field, const Range& range, NumberCount numbers) {
    const TomlEntry* entry = find(key);
    if (entry == nullptr) return;
    const auto* list = entry->value.as<TomlArray>();
    if (list == nullptr) expected(key, entry->value, fmt::format("a list of {} numbers", numbers.count));
    if (list->size() != numbers.count) {
      fail(entry->value, fmt::format("`{}` must have {} numbers, found {}", name_of(key), numbers.count, list->size()));
    }
    field.clear();
    for (const TomlValue& value : *list) field.push_back(number(key, value, range));
  }

  void key(const Key& key, Vec3& field, Direction) {
    const TomlEntry* entry = find(key);
    if (entry == nullptr) return;
    this->key(key, field, kAnyNumber);
    const double length = field.stableNorm();
    if (length < 1e-12) fail(entry->value, fmt::format("`{}` has no direction: it must not be zero", name_of(key)));
    // What is already one long up to round-off is kept, so that a written scene reads back with the same bits.
    if (std::abs(length - 1) > 1e-14) field /= length;
  }

  template <class... Kind>
  void key(const Key& key, std::variant<Kind...>& field) {
    using Names = Kinds<std::variant<Kind...>>;
    const TomlEntry* entry = find(key);
    if (entry == nullptr) return;
    const auto* table = entry->value.as<TomlTable>();
    const std::string example = fmt::format("write {} = {{ kind = \"{}\", ... }}", key.name, Names::names[0]);
    if (table == nullptr) expected(key, entry->value, "a table", example);
    const TomlEntry* kind = table->find("kind");
    if (kind == nullptr) fail(entry->value, fmt::format("`{}` has no `kind`", name_of(key)), example);
    TableReader(reading_, *table, name_of(key)).read_kind(*kind, field);
    std::visit([&](auto& record) { read_table(reading_, *table, name_of(key), record, {"kind"}); }, field);
  }

  void key(const Key& key, Material& field, std::string& preset) {
    const TomlEntry* entry = find(key);
    if (entry == nullptr) return;
    MaterialTable material;
    if (const auto* text = entry->value.as<std::string>()) {
      if (find_material_preset(*text) == nullptr) {
        fail(entry->value, fmt::format("there is no material {}", excerpt(*text)),
             suggestion(*text, material_preset_names()));
      }
      material.preset = *text;
    } else if (const auto* table = entry->value.as<TomlTable>()) {
      read_table(reading_, *table, name_of(key), material);
    } else {
      expected(key, entry->value, "the name of a preset, or a table");
    }
    field = material_from(material, [&](const std::string& part) {
      return reading_.scene.place(part.empty() ? name_of(key) : name_of(key) + '.' + part);
    });
    preset = material.preset.empty() ? kCustomMaterial : material.preset;
  }

  void key(const Key& key, LookSpec& field) { table(key, field); }
  void key(const Key& key, FractureSpec& field) { table(key, field); }
  void key(const Key& key, ContactRules& field) { table(key, field); }
  void key(const Key& key, DebrisRules& field) { table(key, field); }
  void key(const Key& key, LatticesSpec& field) { table(key, field); }
  void key(const Key& key, LatticeSpec& field) { inline_table(key, field); }
  void key(const Key& key, StressSpec& field) { inline_table(key, field); }
  template <class Record>
  void inline_table(const Key& key, Record& field) {
    table(key, field, fmt::format("write {} = {{ ... }}", key.name));
  }
  template <class Record>
  void table(const Key& key, Record& field) {
    table(key, field, fmt::format("it starts with [{}]", key.name));
  }
  template <class Record>
  void table(const Key& key, Record& field, const std::string& example) {
    const TomlEntry* entry = find(key);
    if (entry == nullptr) return;
    const auto* table = entry->value.as<TomlTable>();
    if (table == nullptr) expected(key, entry->value, "a table", example);
    read_table(reading_, *table, name_of(key), field);
  }

  void key(const Key& key, std::optional<Rope>& field) {
    const TomlEntry* entry = find(key);
    if (entry == nullptr) return;
    const auto* table = entry->value.as<TomlTable>();
    if (table == nullptr) expected(key, entry->value, "a table", fmt::format("write {} = {{ ... }}", key.name));
    read_table(reading_, *table, name_of(key), field.emplace());
  }

  template <class Spec>
  void key(const Key& key, std::vector<Spec>& field) {
    if (const TomlEntry* entry = find(key)) {
      tables(key, entry->value, fmt::format("each is a table of its own that starts with [[{}]]", key.name), field);
    }
  }
  template <class Spec>
  void key(const Key& key, std::vector<Spec>& field, InlineTables count) {
    const TomlEntry* entry = find(key);
    if (entry == nullptr) return;
    const auto* list = entry->value.as<TomlArray>();
    if (list != nullptr && list->size() > count.most) {
      expected(key, entry->value, fmt::format("a list of at most {} tables", count.most));
    }
    field.clear();
    tables(key, entry->value, fmt::format("write {} = [{{ ... }}, {{ ... }}]", key.name), field);
  }

 private:
  template <class Spec>
  void tables(const Key& key, const TomlValue& value, const std::string& remedy, std::vector<Spec>& field) {
    const auto* list = value.as<TomlArray>();
    if (list == nullptr) expected(key, value, "a list of tables", remedy);
    for (std::size_t i = 0; i < list->size(); ++i) {
      const auto* table = (*list)[i].as<TomlTable>();
      if (table == nullptr) expected(key, (*list)[i], "a list of tables", remedy);
      const std::string path = fmt::format("{}[{}]", name_of(key), i);
      reading_.scene.places[path] = (*list)[i].place;
      read_table(reading_, *table, path, field.emplace_back());
    }
  }

  std::string name_of(const Key& key) const {
    return path_.empty() ? std::string(key.name) : fmt::format("{}.{}", path_, key.name);
  }

  [[noreturn]] void fail(const TomlValue& value, const std::string& problem, const std::string& remedy = "") const {
    throw InputError(value.place, problem, remedy);
  }

  [[noreturn]] void expected(const Key& key, const TomlValue& value, const std::string& what,
                             const std::string& remedy = "") const {
    fail(value, fmt::format("`{}` must be {}, found {}", name_of(key), what, described(value)), remedy);
  }

  // The entry of a key and its place in Scene::places; null if the scene does not have it, and need not.
  const TomlEntry* find(const Key& key) {
    const TomlEntry* entry = table_.find(key.name);
    if (entry == nullptr) {
      if (!key.required || !key.applies) return nullptr;
      const std::string example = key.name == "material" ? " such as material = \"glass\"" : "";
      throw InputError(reading_.scene.place(path_), fmt::format("`{}` is missing", name_of(key)),
                       fmt::format("add it{}: {}", example, key.about));
    }
    if (!key.applies) {
      throw InputError(entry->place, fmt::format("`{}` goes only with {}", name_of(key), key.goes_with), "remove it");
    }
    reading_.scene.places[name_of(key)] = entry->place;
    return entry;
  }

  const std::string& text_of(const Key& key, const TomlEntry& entry) const {
    const auto* text = entry.value.as<std::string>();
    if (text == nullptr) expected(key, entry.value, "text in quotes");
    return *text;
  }

  std::size_t one_of(const Key& key, const TomlEntry& entry, const Words& words) const {
    const std::string& text = text_of(key, entry);
    const auto found = std::find(words.known.begin(), words.known.end(), text);
    if (found != words.known.end()) return static_cast<std::size_t>(found - words.known.begin());
    if (std::find(words.later.begin(), words.later.end(), text) != words.later.end()) {
      fail(entry.value, fmt::format("`{}` = \"{}\" is not in this version", name_of(key), text),
           suggestion("", to_strings(words.known)));
    }
    fail(entry.value, fmt::format("`{}` cannot be {}", name_of(key), excerpt(text)),
         suggestion(text, to_strings(words.known)));
  }

  double number(const Key& key, const TomlValue& value, const Range& range) const {
    double number = 0;
    if (const auto* whole = value.as<std::int64_t>()) {
      number = static_cast<double>(*whole);
    } else if (const auto* real = value.as<double>()) {
      number = *real;
    } else {
      expected(key, value, key.unit.empty() ? "a number" : fmt::format("a number ({})", key.unit));
    }
    if (!std::isfinite(number)) expected(key, value, "a finite number");
    if (number < range.low || (range.above_low && number == range.low)) {
      expected(key, value, fmt::format("{} {}", range.above_low ? "greater than" : "at least", range.low));
    }
    if (number > range.high || (range.below_high && number == range.high)) {
      expected(key, value, fmt::format("{} {}", range.below_high ? "less than" : "at most", range.high));
    }
    return number;
  }

  // A list of points of two or three numbers each.
  template <int Size>
  std::vector<Eigen::Vector<double, Size>> points(const Key& key, const TomlValue& value, PointCount count) const {
    const auto* list = value.as<TomlArray>();
    const std::string point = Size == 2 ? "[a, b]" : "[x, y, z]";
    const std::string amount =
        count.fewest == count.most ? fmt::format("{}", count.most) : fmt::format("{} to {}", count.fewest, count.most);
    if (list == nullptr || list->size() < count.fewest || list->size() > count.most) {
      expected(key, value, fmt::format("a list of {} points {}", amount, point));
    }
    std::vector<Eigen::Vector<double, Size>> result;
    for (const TomlValue& element : *list) {
      const auto* numbers = element.as<TomlArray>();
      if (numbers == nullptr || numbers->size() != Size) {
        expected(key, element, fmt::format("a list of points {}", point));
      }
      auto& x = result.emplace_back();
      for (int i = 0; i < Size; ++i) x[i] = number(key, (*numbers)[static_cast<std::size_t>(i)], kAnyNumber);
    }
    return result;
  }

  // Makes `field` hold the kind that is named.
  template <class... Kind>
  void read_kind(const TomlEntry& entry, std::variant<Kind...>& field) {
    using Names = Kinds<std::variant<Kind...>>;
    reading_.scene.places[path_ + ".kind"] = entry.place;
    const std::size_t index = one_of({.name = "kind"}, entry, {Names::names, Names::later});
    std::size_t i = 0;
    ((i++ == index ? static_cast<void>(field = Kind{}) : static_cast<void>(0)), ...);
  }

  Reading& reading_;
  const TomlTable& table_;
  std::string path_;
};

template <class Record>
void read_table(Reading& reading, const TomlTable& table, const std::string& path, Record& record,
                std::vector<std::string> known) {
  KeyNames keys{std::move(known)};
  describe(keys, record);
  for (const TomlEntry& entry : table.entries) {
    if (std::find(keys.names.begin(), keys.names.end(), entry.key) != keys.names.end()) continue;
    const bool plain = entry.key.size() <= 60 && std::all_of(entry.key.begin(), entry.key.end(), is_label_character);
    throw InputError(entry.place,
                     fmt::format("unknown key {}{}", plain ? fmt::format("`{}`", entry.key) : excerpt(entry.key),
                                 path.empty() ? "" : fmt::format(" in `{}`", path)),
                     suggestion(entry.key, keys.names));
  }
  TableReader reader(reading, table, path);
  describe(reader, record);
}

std::string as_file_name(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !is_label_character(c); }, '-');
  name.resize(std::min<std::size_t>(name.size(), 64));
  return name.empty() ? "scene" : name;
}

// Also finds out whether the shape is possible.
double edge_of(const Scene& scene, std::size_t body) {
  try {
    return default_edge(scene.bodies[body].shape);
  } catch (const InputError& error) {
    throw error.at(scene.place(fmt::format("body[{}].shape", body)));
  }
}

// What a shape on the command line is read into.
struct ShapeRecord {
  Shape shape;
};
void describe(auto& v, Is<ShapeRecord> auto& record) {
  v.key({.name = "shape", .about = "A solid.", .required = true}, record.shape);
}

void fill_defaults(Scene& scene, const std::string& default_name) {
  if (scene.name.empty()) scene.name = as_file_name(default_name);
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    BodySpec& body = scene.bodies[i];
    if (body.name.empty()) body.name = default_body_name(i);
    const double edge = edge_of(scene, i);
    if (body.edge == 0) body.edge = edge;
    if (body.is_surface()) body.material_name = Kinds<Coat>::names[body.coat.index()];
  }
  for (std::size_t i = 0; i < scene.colliders.size(); ++i) {
    ColliderSpec& collider = scene.colliders[i];
    if (collider.name.empty()) {
      collider.name = default_collider_name(Kinds<ColliderShape>::names[collider.shape.index()], i);
    }
    if (!collider.keyframes.empty()) {
      collider.position = collider.keyframes.front().position;
      collider.rotation = collider.keyframes.front().rotation;
    }
  }
  for (std::size_t i = 0; i < scene.regions.size(); ++i) {
    if (scene.regions[i].name.empty()) scene.regions[i].name = default_region_name(i);
  }
  for (std::size_t i = 0; i < scene.toughness.size(); ++i) {
    if (scene.toughness[i].name.empty()) scene.toughness[i].name = default_toughness_name(i);
  }
  for (std::size_t i = 0; i < scene.cameras.size(); ++i) {
    if (scene.cameras[i].name.empty()) scene.cameras[i].name = default_camera_name(i);
  }
}

}  // namespace

SceneSource scene_source(const fs::path& file) {
  std::error_code ignored;  // what is wrong shows when it is opened
  if (fs::is_directory(file, ignored)) throw FileError(file.string(), "is a folder, a scene file is needed");
  std::ifstream in(file, std::ios::binary);
  if (!in) throw FileError(file.string(), fmt::format("cannot be opened ({})", std::strerror(errno)));
  std::string text;
  std::array<char, 1 << 16> block;
  // A little too much of a file that is too large: read_scene refuses it.
  while (text.size() <= kLargestSceneFile && (in.read(block.data(), block.size()) || in.gcount() > 0)) {
    text.append(block.data(), static_cast<std::size_t>(in.gcount()));
  }
  if (in.bad()) throw FileError(file.string(), "cannot be read");
  return {std::move(text), file.string(), file.parent_path(), file.stem().string()};
}

Shape read_shape(const std::string& text) {
  const Place place{"shape"};
  const bool name = !text.empty() && std::all_of(text.begin(), text.end(), is_label_character);
  const auto value = parse_toml_value(name ? fmt::format("{{ kind = \"{}\" }}", text) : text, place);
  if (!value) {
    throw InputError(place, fmt::format("{} is not a shape", excerpt(text)),
                     "write a kind, or a table in TOML: '{ kind = \"bowl\", radius = 0.15 }'");
  }
  const SceneSource source{text, place.file, {}, ""};
  Reading reading{source, {.overrides = {}, .allow_outside = true}, {}};
  reading.scene.places[""] = place;
  TomlTable table;
  table.entries.push_back({"shape", place, *value});
  ShapeRecord record;
  read_table(reading, table, "", record);
  try {
    default_edge(record.shape);
  } catch (const InputError& error) {
    throw error.at(place);
  }
  return record.shape;
}

Scene read_scene(const SceneSource& source, const ReadOptions& options) {
  TomlTable table = parse_toml(source.text, source.file_name);
  for (const std::string& override_text : options.overrides) apply_override(table, override_text);
  Reading reading{source, options, {}};
  reading.scene.places[""] = Place{source.file_name};
  read_table(reading, table, "", reading.scene);
  expand_copies(reading.scene);
  fill_defaults(reading.scene, source.default_name);
  check_scene(reading.scene);
  return std::move(reading.scene);
}

}  // namespace sunder
