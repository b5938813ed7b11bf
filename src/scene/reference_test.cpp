#include "scene/reference.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "scene/read_scene.h"
#include "scene/schema.h"

namespace sunder {
namespace {

// The part of the page from a heading to the next one.
std::string section(const std::string& page, const std::string& heading) {
  const std::size_t begin = page.find("\n" + heading + "\n");
  if (begin == std::string::npos) return "";
  return page.substr(begin, page.find("\n#", begin + 1) - begin);
}

TEST(SceneReference, EveryTableListsItsKeys) {
  const std::string page = scene_reference();
  const std::vector<std::pair<std::string, std::vector<std::string>>> tables{
      {"## The scene",
       {"name", "about", "duration", "fps", "gravity", "integrator", "dt", "safety", "damping", "damping_cap",
        "crushing", "seed", "body", "collider", "region"}},
      {"## `[[body]]`",
       {"name", "solver", "shape", "edge", "layers", "position", "rotation", "velocity", "spin", "material"}},
      {"### `body.shape = { kind = \"box\", ... }`", {"size"}},
      {"### `body.shape = { kind = \"sphere\", ... }`", {"radius"}},
      {"### `body.shape = { kind = \"slab\", ... }`", {"size"}},
      {"### `body.shape = { kind = \"ellipsoid\", ... }`", {"radii"}},
      {"### `body.shape = { kind = \"cylinder\", ... }`", {"radius", "height"}},
      {"### `body.shape = { kind = \"capsule\", ... }`", {"radius", "height"}},
      {"### `body.shape = { kind = \"torus\", ... }`", {"radius", "tube"}},
      {"### `body.shape = { kind = \"disc\", ... }`", {"radius"}},
      {"### `body.coat.once = { ... }`", {"tension", "curvature", "noise", "noise_range", "impacts", "painted"}},
      {"### `body.shape = { kind = \"bowl\", ... }`", {"radius", "depth", "wall"}},
      {"### `body.shape = { kind = \"cup\", ... }`", {"radius", "height", "wall"}},
      {"### `body.shape = { kind = \"vase\", ... }`", {"radius", "height", "wall"}},
      {"### `body.shape = { kind = \"plate\", ... }`", {"radius", "wall"}},
      {"### `body.shape = { kind = \"revolve\", ... }`", {"profile", "curve", "closed", "wall"}},
      {"### `body.shape = { kind = \"patch\", ... }`", {"points", "wall"}},
      {"### `body.shape = { kind = \"tube\", ... }`", {"path", "radius", "wall", "closed"}},
      {"### `body.shape = { kind = \"polygon\", ... }`", {"points", "holes", "depth"}},
      {"### `body.shape = { kind = \"text\", ... }`", {"text", "height", "depth"}},
      {"### `body.shape = { kind = \"file\", ... }`", {"path", "scale", "up", "inside", "sharp", "walls", "finer"}},
      {"### `body.material`", {"preset", "lambda", "mu", "young", "poisson", "phi", "psi", "density", "toughness"}},
      {"## `[[collider]]`",
       {"name", "shape", "motion", "position", "rotation", "keyframes", "mass", "density", "velocity", "spin", "rope",
        "friction", "damping", "stiffness"}},
      {"### `collider.shape = { kind = \"capsule\", ... }`", {"radius", "height"}},
      {"### `collider.shape = { kind = \"mesh\", ... }`", {"path", "scale"}},
      {"#### `collider.keyframes = [{ ... }, ...]`", {"time", "position", "rotation"}},
      {"### `collider.rope = { ... }`", {"point", "attach", "length"}},
      {"### `collider.shape = { kind = \"ground\", ... }`", {"height"}},
      {"### `collider.shape = { kind = \"plane\", ... }`", {"normal"}},
      {"### `collider.shape = { kind = \"sphere\", ... }`", {"radius"}},
      {"### `collider.shape = { kind = \"box\", ... }`", {"size"}},
      {"## `[[region]]`", {"name", "body", "where", "action", "axes", "velocity", "force", "pressure", "start", "end"}},
      {"### `region.where = { kind = \"box\", ... }`", {"min", "max"}},
      {"### `region.where = { kind = \"sphere\", ... }`", {"center", "radius"}},
      {"### `region.where = { kind = \"half-space\", ... }`", {"point", "normal"}},
  };
  for (const auto& [heading, keys] : tables) {
    const std::string part = section(page, heading);
    ASSERT_FALSE(part.empty()) << heading;
    for (const std::string& key : keys) {
      EXPECT_NE(part.find("\n| `" + key + "` |"), std::string::npos) << heading << ' ' << key;
    }
  }
}

// Names of all keys the reader accepts, in any table.
struct AllNames {
  std::vector<std::string> names;

  template <class... Rest>
  void key(const Key& k, const Rest&... rest) {
    names.emplace_back(k.name);
    EXPECT_FALSE(k.about.empty()) << k.name;
    (inside(rest), ...);
  }

 private:
  template <class T>
  void inside(const T&) {}
  template <class... Kind>
  void inside(const std::variant<Kind...>&) {
    (describe(*this, static_cast<const Kind&>(Kind{})), ...);
  }
  template <class Spec>
  void inside(const std::vector<Spec>&) {
    const Spec spec{};
    if constexpr (requires { describe(*this, spec); }) describe(*this, spec);  // lists of points hold no keys
  }
  void inside(const std::optional<Rope>&) {
    const Rope rope;
    describe(*this, rope);
  }
  void inside(const Material&) {
    const MaterialTable table;
    describe(*this, table);
  }
};

TEST(SceneReference, MentionsEveryKeyTheReaderAccepts) {
  const std::string page = scene_reference();
  AllNames all;
  const Scene scene;
  describe(all, scene);
  EXPECT_GT(all.names.size(), 60u);
  for (const std::string& name : all.names) {
    EXPECT_NE(page.find("\n| `" + name + "` |"), std::string::npos) << name;
  }
}

TEST(SceneReference, GivesUnitsDefaultsAndLimits) {
  const std::string page = scene_reference();
  EXPECT_NE(page.find("| `duration` | number, at least 0 | s | `1` |"), std::string::npos);
  EXPECT_NE(page.find("| `gravity` | [x, y, z] | m/s^2 | `[0, -9.81, 0]` |"), std::string::npos);
  EXPECT_NE(page.find("| `safety` | number, above 0 and at most 1 |  | `0.8` |"), std::string::npos);
  EXPECT_NE(page.find("| `dt` | `\"auto\"` or number"), std::string::npos);
  EXPECT_NE(page.find("`\"symplectic-euler\"`"), std::string::npos);
  EXPECT_NE(page.find("Only with `action` force."), std::string::npos);
}

TEST(SceneReference, ListsEveryMaterialPreset) {
  const std::string part = section(scene_reference(), "## Material presets");
  for (const std::string& name : material_preset_names()) {
    EXPECT_NE(part.find("\n| `" + name + "` |"), std::string::npos) << name;
  }
}

TEST(SceneReference, ItsExampleIsAScene) {
  const std::string page = scene_reference();
  const std::size_t begin = page.find("```toml\n") + 8;
  const std::string example = page.substr(begin, page.find("```", begin) - begin);
  const Scene scene = read_scene({example, "reference", "", "example"});
  EXPECT_EQ(scene.bodies.size(), 2u);
  EXPECT_EQ(scene.regions.size(), 1u);
}

TEST(SceneReference, TableRowsHaveTheirFiveColumns) {
  const std::string page = scene_reference();
  const std::string tables = page.substr(0, page.find("## Material presets"));
  for (std::size_t at = tables.find("\n|"); at != std::string::npos; at = tables.find("\n|", at + 1)) {
    const std::string row = tables.substr(at + 1, tables.find('\n', at + 1) - at - 1);
    EXPECT_EQ(std::count(row.begin(), row.end(), '|'), 6) << row;
  }
}

}  // namespace
}  // namespace sunder
