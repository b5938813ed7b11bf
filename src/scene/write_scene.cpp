#include "scene/write_scene.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "scene/schema.h"
#include "scene/toml_tree.h"

namespace sunder {
namespace {

// The visitor that turns a record into lines of TOML.
class TableWriter {
 public:
  struct Line {
    std::string key, value, unit;
  };

  const std::string& lists() const { return lists_; }  // [[...]] tables, to follow all lines

  void key(const Key& key, const std::string& field, TextRule) {
    if (field.empty() && !key.fallback.empty()) return;
    add(key, toml_text(field));
  }
  void key(const Key& key, const std::string& field, const Words&) { add(key, toml_text(field)); }
  void key(const Key& key, const std::filesystem::path& field) {
    if (field.empty() && !key.fallback.empty()) return;
    add(key, toml_text(field.string()));
  }

  template <class Enum, std::size_t Count>
  void key(const Key& key, const Enum& field, const std::array<Choice<Enum>, Count>& choices) {
    for (const Choice<Enum>& choice : choices) {
      if (choice.value == field) add(key, toml_text(choice.name));
    }
  }

  void key(const Key& key, const bool& field) { add(key, field ? "true" : "false"); }
  void key(const Key& key, const std::uint32_t& field, Count count) {
    add(key, field == 0 ? toml_text(count.word) : fmt::format("{}", field));
  }
  void key(const Key& key, const std::vector<Vec2>& field, PointCount) { add(key, toml_points(field)); }
  void key(const Key& key, const std::vector<Vec3>& field, PointCount) { add(key, toml_points(field)); }
  void key(const Key& key, const std::vector<std::vector<Vec2>>& field, PointCount) {
    std::vector<std::string> loops;
    for (const auto& loop : field) loops.push_back(toml_points(loop));
    add(key, fmt::format("[{}]", fmt::join(loops, ", ")));
  }
  void key(const Key& key, const std::uint64_t& field) { add(key, fmt::format("{}", field)); }
  void key(const Key& key, const double& field, const Range&) {
    if (field == 0 && !key.fallback.empty()) return;  // found only when it is needed
    add(key, toml_number(field));
  }

  void key(const Key& key, const std::optional<double>& field, const Range&, Unset unset) {
    if (field) {
      add(key, toml_number(*field));
    } else if (!unset.word.empty()) {
      add(key, toml_text(unset.word));
    }
  }

  void key(const Key& key, const Vec3& field, const Range&) { add(key, toml_vector(field)); }
  void key(const Key& key, const Vec3& field, Direction) { add(key, toml_vector(field)); }
  void key(const Key& key, const std::optional<Vec3>& field, const Range&, Unset) {
    if (field) add(key, toml_vector(*field));
  }
  void key(const Key& key, const std::vector<double>& field, const Range&, NumberCount) {
    if (field.empty()) return;
    std::vector<std::string> numbers;
    for (const double x : field) numbers.push_back(toml_number(x));
    add(key, fmt::format("[{}]", fmt::join(numbers, ", ")));
  }

  template <class... Kind>
  void key(const Key& key, const std::variant<Kind...>& field) {
    TableWriter inside;
    inside.lines_.push_back({"kind", toml_text(Kinds<std::variant<Kind...>>::names[field.index()]), ""});
    std::visit([&](const auto& record) { describe(inside, record); }, field);
    add_inline(key, inside);
  }

  void key(const Key& key, const Material& field, const std::string& preset) {
    TableWriter inside;
    const MaterialTable material = table_of(field, preset);
    describe(inside, material);
    add_inline(key, inside);
  }

  void key(const Key& key, const std::optional<Rope>& field) {
    if (!field) return;
    TableWriter inside;
    describe(inside, *field);
    add_inline(key, inside);
  }

  void key(const Key& key, const LookSpec& field) { table(key, field); }
  void key(const Key& key, const FractureSpec& field) { table(key, field); }
  void key(const Key& key, const ContactRules& field) { table(key, field); }
  void key(const Key& key, const DebrisRules& field) { table(key, field); }
  void key(const Key& key, const LatticesSpec& field) { table(key, field); }
  void key(const Key& key, const LatticeSpec& field) { inline_table(key, field); }
  void key(const Key& key, const StressSpec& field) { inline_table(key, field); }
  template <class Record>
  void inline_table(const Key& key, const Record& field) {
    TableWriter inside;
    describe(inside, field);
    add_inline(key, inside);
  }
  template <class Record>
  void table(const Key& key, const Record& field) {
    TableWriter inside;
    describe(inside, field);
    lists_ += fmt::format("\n[{}]\n{}", key.name, inside.text());
  }

  template <class Spec>
  void key(const Key& key, const std::vector<Spec>& field) {
    for (const Spec& spec : field) {
      TableWriter inside;
      describe(inside, spec);
      lists_ += fmt::format("\n[[{}]]\n{}", key.name, inside.text());
    }
  }

  template <class Spec>
  void key(const Key& key, const std::vector<Spec>& field, InlineTables) {
    std::vector<std::string> tables;
    for (const Spec& spec : field) {
      TableWriter inside;
      describe(inside, spec);
      tables.push_back(inside.inline_table());
    }
    add(key, fmt::format("[{}]", fmt::join(tables, ", ")));
  }

  std::string text() const {
    std::string result;
    for (const Line& line : lines_) {
      result += fmt::format("{} = {}", line.key, line.value);
      if (!line.unit.empty()) result += "  # " + line.unit;
      result += '\n';
    }
    return result;
  }

 private:
  void add(const Key& key, std::string value) {
    if (key.applies) lines_.push_back({std::string(key.name), std::move(value), std::string(key.unit)});
  }

  std::string inline_table() const {
    std::vector<std::string> values;
    for (const Line& line : lines_) values.push_back(fmt::format("{} = {}", line.key, line.value));
    return fmt::format("{{ {} }}", fmt::join(values, ", "));
  }

  void add_inline(const Key& key, const TableWriter& inside) {
    std::vector<std::string> units;
    for (const Line& line : inside.lines_) {
      if (!line.unit.empty()) units.push_back(fmt::format("{} in {}", line.key, line.unit));
    }
    if (key.applies) {
      lines_.push_back({std::string(key.name), inside.inline_table(), fmt::format("{}", fmt::join(units, ", "))});
    }
  }

  std::vector<Line> lines_;
  std::string lists_;
};

}  // namespace

std::string toml_number(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";  // also keeps the sign of -0
  return text;
}

std::string toml_vector(const Vec3& value) {
  return fmt::format("[{}, {}, {}]", toml_number(value.x()), toml_number(value.y()), toml_number(value.z()));
}

std::string toml_points(std::span<const Vec2> points) {
  std::vector<std::string> texts;
  for (const Vec2& p : points) texts.push_back(fmt::format("[{}, {}]", toml_number(p.x()), toml_number(p.y())));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

std::string toml_points(std::span<const Vec3> points) {
  std::vector<std::string> texts;
  for (const Vec3& p : points) texts.push_back(toml_vector(p));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

std::string scene_text(const Scene& scene) {
  TableWriter writer;
  describe(writer, scene);
  std::string head = "# A scene with every value written out. Units: metres, kilograms, seconds; y is up.\n";
  const bool reads_files =
      std::any_of(scene.bodies.begin(), scene.bodies.end(),
                  [](const BodySpec& body) { return std::holds_alternative<FileShape>(body.shape); }) ||
      std::any_of(scene.colliders.begin(), scene.colliders.end(),
                  [](const ColliderSpec& c) { return std::holds_alternative<MeshCollider>(c.shape); }) ||
      std::any_of(scene.toughness.begin(), scene.toughness.end(), [](const ToughnessSpec& t) {
        const auto* painted = std::get_if<PaintedPattern>(&t.pattern);
        return std::holds_alternative<SurfacePattern>(t.pattern) || (painted != nullptr && !painted->path.empty());
      });
  if (reads_files) head += "# It names mesh files by absolute path: reading it again takes --allow-outside.\n";
  return head + writer.text() + writer.lists();
}

}  // namespace sunder
