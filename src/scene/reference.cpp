#include "scene/reference.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scene/schema.h"
#include "scene/toml_tree.h"
#include "scene/write_scene.h"

namespace sunder {
namespace {

constexpr const char* kIntroduction = R"(# Scene files

A scene is a TOML file. Units are metres, kilograms and seconds; y is up, axes are right-handed; angles are degrees.
Every key is checked: a misspelt key, a wrong type or an impossible value is an error with file, line and column.
This page is made from the code that reads scenes.

```toml
about = "A glass cube falls on its edge"
duration = 0.5

[[body]]
name = "cube"
shape = { kind = "box", size = [0.2, 0.2, 0.2] }
edge = 0.04
position = [0, 0.5, 0]
rotation = [45, 0, 0]
velocity = [0, -4, 0]
material = { preset = "paper-glass", toughness = 2000 }

[[body]]
shape = { kind = "sphere", radius = 0.1 }
position = [0.5, 0.1, 0]
material = "jelly"

[[collider]]
shape = { kind = "ground" }
friction = 0.4

[[region]]
body = "body-2"
where = { kind = "half-space", point = [0, 0.05, 0], normal = [0, -1, 0] }
action = "hold"
```

On the command line `--set key=value` changes any key: `--set duration=2`, `--set body.0.edge=0.1`,
`--set body.cube.material.density=500`, `--set "gravity=[0, -1, 0]"`. List elements count from 0, or go by name.

Mesh files are found relative to the scene's folder and must lie in it or below. `--allow-outside` lifts that, for scenes
you trust; the `scene.toml` that a run leaves behind names its mesh files by absolute path and needs it too.

No number may be larger than 1e12 in size (moduli: 1e13), no file larger than 16 MB.
)";

std::string in_words(const Range& range) {
  std::vector<std::string> parts;
  if (range.low > -kLargest) parts.push_back(fmt::format("{} {}", range.above_low ? "above" : "at least", range.low));
  if (range.high < kLargest) parts.push_back(fmt::format("{} {}", range.below_high ? "below" : "at most", range.high));
  return parts.empty() ? "" : fmt::format(", {}", fmt::join(parts, " and "));
}

std::string code(std::string_view text) { return fmt::format("`{}`", text); }

std::string code_list(std::span<const std::string_view> words) {
  std::vector<std::string> quoted_words;
  for (const std::string_view word : words) quoted_words.push_back(code(toml_text(word)));
  return fmt::format("{}", fmt::join(quoted_words, ", "));
}

// The visitor that writes one table of the page, and the tables of what lies inside it after it.
class TableDocument {
 public:
  explicit TableDocument(std::string path) : path_(std::move(path)) {}

  template <class Record>
  std::string page(const std::string& title, const std::string& about, const Record& record) {
    describe(*this, record);
    if (rows_.empty()) return fmt::format("\n{}\n\n{}No further keys.\n", title, about.empty() ? "" : about + "\n\n");
    return fmt::format("\n{}\n\n{}| key | type | unit | default | meaning |\n|---|---|---|---|---|\n{}{}", title,
                       about.empty() ? "" : about + "\n\n", rows_, inside_);
  }

  void row(const Key& key, const std::string& type, const std::string& initial) {
    const std::string value = !key.fallback.empty() ? std::string(key.fallback)
                              : key.required        ? "required"
                                                    : code(initial);
    const std::string only = key.goes_with.empty() ? "" : fmt::format(" Only with {}.", key.goes_with);
    rows_ += fmt::format("| `{}` | {} | {} | {} | {}{} |\n", key.name, type, key.unit, value, key.about, only);
  }

  void key(const Key& key, const std::string& field, TextRule) { row(key, "text", toml_text(field)); }
  void key(const Key& key, const std::string& field, const Words& words) {
    row(key, "one of " + code_list(words.known), toml_text(field));
  }
  void key(const Key& key, const std::filesystem::path&) { row(key, "path", ""); }

  template <class Enum, std::size_t Count>
  void key(const Key& key, const Enum& field, const std::array<Choice<Enum>, Count>& choices) {
    std::vector<std::string_view> names;
    std::string_view initial;
    for (const Choice<Enum>& choice : choices) {
      names.push_back(choice.name);
      if (choice.value == field) initial = choice.name;
    }
    row(key, "one of " + code_list(names), toml_text(initial));
  }

  void key(const Key& key, const bool& field) { row(key, "`true` or `false`", field ? "true" : "false"); }
  void key(const Key& key, const std::uint32_t& field, Count count) {
    row(key, fmt::format("{} or whole number, 1 to {}", code(toml_text(count.word)), count.most),
        field == 0 ? toml_text(count.word) : fmt::format("{}", field));
  }
  void key(const Key& key, const std::vector<Vec2>& field, PointCount count) {
    row(key, fmt::format("list of {} [a, b]", amount(count)), toml_points(field));
  }
  void key(const Key& key, const std::vector<Vec3>& field, PointCount count) {
    row(key, fmt::format("list of {} [x, y, z]", amount(count)), toml_points(field));
  }
  void key(const Key& key, const std::vector<std::vector<Vec2>>&, PointCount count) {
    row(key, fmt::format("list of lists of {} [a, b]", amount(count)), "[]");
  }
  void key(const Key& key, const std::uint64_t& field) {
    row(key, "whole number, 0 or more", fmt::format("{}", field));
  }
  void key(const Key& key, const double& field, const Range& range) {
    row(key, "number" + in_words(range), fmt::format("{}", field));
  }
  void key(const Key& key, const std::optional<double>&, const Range& range, Unset unset) {
    const std::string word = unset.word.empty() ? "" : fmt::format("{} or ", code(toml_text(unset.word)));
    row(key, word + "number" + in_words(range), toml_text(unset.word));
  }
  void key(const Key& key, const Vec3& field, const Range& range) {
    row(key, "[x, y, z]" + in_words(range), vector(field));
  }
  void key(const Key& key, const std::optional<Vec3>&, const Range& range, Unset) {
    row(key, "[x, y, z]" + in_words(range), "");
  }
  void key(const Key& key, const std::vector<double>&, const Range& range, NumberCount numbers) {
    row(key, fmt::format("list of {} numbers{}", numbers.count, in_words(range)), "");
  }
  void key(const Key& key, const Vec3& field, Direction) { row(key, "[x, y, z], not zero", vector(field)); }

  template <class... Kind>
  void key(const Key& key, const std::variant<Kind...>&) {
    using Names = Kinds<std::variant<Kind...>>;
    row(key, "table, `kind` is one of " + code_list(Names::names), "");
    std::size_t i = 0;
    (add_kind(key, Names::names[i++], Kind{}), ...);
    if (!Names::later.empty()) inside_ += fmt::format("\nNot in this version: {}.\n", fmt::join(Names::later, ", "));
  }

  void key(const Key& key, const Material&, const std::string&) {
    row(key, "text or table", "");
    const std::string path = join(key.name);
    inside_ += TableDocument(path).page(
        fmt::format("### `{}`", path),
        "The name of a preset, `material = \"glass\"`; or a preset with changes; or all constants. Stiffness is "
        "`lambda` and `mu`, or `young` and `poisson`, or depends on direction: `young_axes`, `poisson_axes` and "
        "`shear_axes`, or `stiffness_matrix`.",
        MaterialTable{});
  }

  void key(const Key& key, const std::optional<Rope>&) {
    row(key, "table, below", "");
    const std::string path = join(key.name);
    inside_ += TableDocument(path).page(fmt::format("### `{} = {{ ... }}`", path), "", Rope{});
  }

  void key(const Key& key, const LookSpec& record) { table(key, record); }
  void key(const Key& key, const FractureSpec& record) { table(key, record); }
  void key(const Key& key, const ContactRules& record) { table(key, record); }
  void key(const Key& key, const DebrisRules& record) { table(key, record); }
  void key(const Key& key, const LatticesSpec& record) { table(key, record); }
  void key(const Key& key, const LatticeSpec& record) { inline_table(key, record); }
  void key(const Key& key, const StressSpec& record) { inline_table(key, record); }
  template <class Record>
  void inline_table(const Key& key, const Record& record) {
    row(key, "table, below", "{}");
    const std::string path = join(key.name);
    inside_ += TableDocument(path).page(fmt::format("### `{} = {{ ... }}`", path), "", record);
  }
  template <class Record>
  void table(const Key& key, const Record& record) {
    row(key, "table", "{}");
    inside_ +=
        TableDocument(std::string(key.name)).page(fmt::format("## `[{}]`", key.name), std::string(key.about), record);
  }

  // The kinds of bodies have been told before.
  void key(const Key& key, const PartShape&) {
    row(key, "table, `kind` is one of " + code_list(Kinds<PartShape>::names), "");
  }

  template <class Spec>
  void key(const Key& key, const std::vector<Spec>&) {
    row(key, "list of tables", "[]");
    inside_ +=
        TableDocument(std::string(key.name)).page(fmt::format("## `[[{}]]`", key.name), std::string(key.about), Spec{});
  }

  template <class Spec>
  void key(const Key& key, const std::vector<Spec>&, InlineTables count) {
    row(key, fmt::format("list of at most {} tables, below", count.most), "[]");
    const std::string path = join(key.name);
    inside_ += TableDocument(path).page(fmt::format("#### `{} = [{{ ... }}, ...]`", path), "", Spec{});
  }

 private:
  static std::string amount(PointCount count) {
    return count.fewest == count.most ? fmt::format("{}", count.most)
                                      : fmt::format("{} to {}", count.fewest, count.most);
  }
  static std::string vector(const Vec3& v) { return fmt::format("[{}, {}, {}]", v.x(), v.y(), v.z()); }

  std::string join(std::string_view name) const {
    return path_.empty() ? std::string(name) : fmt::format("{}.{}", path_, name);
  }

  template <class Record>
  void add_kind(const Key& key, std::string_view kind, const Record& record) {
    const std::string path = join(key.name);
    inside_ += TableDocument(path).page(fmt::format("### `{} = {{ kind = \"{}\", ... }}`", path, kind), "", record);
  }

  std::string path_;
  std::string rows_;
  std::string inside_;
};

std::string material_list() {
  std::string page =
      "\n## Material presets\n\n| name | what | lambda (Pa) | mu (Pa) | phi (Pa s) | psi (Pa s) | density (kg/m^3) | "
      "toughness (N) |\n|---|---|---|---|---|---|---|---|\n";
  for (const MaterialPreset& preset : material_presets()) {
    const Material& m = preset.material;
    page += fmt::format("| `{}` | {} | {:.4g} | {:.4g} | {:.4g} | {:.4g} | {:.4g} | {:.5g} |\n", preset.name,
                        preset.about, m.lambda, m.mu, m.phi, m.psi, m.density, m.toughness);
  }
  return page +
         "\nThe real materials take very small time steps; the `paper-` ones are softer for that reason. Toughness of "
         "the "
         "real ones is their tensile strength times (2 cm)^2: multiply it by (edge / 2 cm)^2 at other edge lengths.\n";
}

}  // namespace

std::string scene_reference() {
  return kIntroduction + TableDocument("").page("## The scene", "Keys before the first table.", Scene{}) +
         material_list();
}

}  // namespace sunder
