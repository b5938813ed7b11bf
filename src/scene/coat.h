#pragma once
// A coat that cracks on the surface of a body: mud, glaze or glass. For solver `surface_iben06`.

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/vec.h"

namespace sunder {

// The substrate's length in mean edges, where a scene leaves one of the two open.
inline constexpr double kEdgesOfLength = 5;

struct ImpactSpec {
  Vec3 point = Vec3::Zero();  // m, in the world
  double hoop = 3, radial = 1.5;
  double radius = 0.1;  // m
  double rings = 0;     // m; 0: radial tension without waves
};

enum class RelaxWay { local, exact, paper };
enum class BorderRule { free, fixed, continued };
enum class CurvatureMeasure { none, gaussian, mean, frobenius, squares };

// Sources of stress, which add up. Stress is in units of the coat's mean toughness, and its modulus is one.
struct StressSpec {
  double tension = 0;
  double curvature = 0;  // m
  double noise = 0;
  double noise_range = 0;  // in `length`; 0: each triangle by itself
  std::vector<ImpactSpec> impacts;
  std::string painted;  // attribute of the model's points or faces
  double painted_factor = 1;
};

// Its own sources grow with the load.
struct CoatSpec : StressSpec {
  CoatSpec() { tension = 1; }
  StressSpec once;  // sources that act in full before any load

  std::optional<double> length;  // m; unset: kEdgesOfLength edges
  bool substrate = true;
  double toughness_spread = 0.0866;  // evenly up and down: 5 % standard deviation

  double load_from = 0.8, load_to = 1.35, load_step = 0.02;
  std::optional<double> load_seconds;  // s; unset: the scene's duration
  double cracks_per_second = 0;

  RelaxWay relax = RelaxWay::local;
  std::uint32_t relax_steps = 20;
  double relax_tolerance = 0.01;

  double alpha = 0.85;
  double crack_snap = 15, tip_snap = 90, edge_snap = 15;  // degrees
  double child_area = 0.01;
  double tip_factor = 1.6, border_factor = 0.35;
  CurvatureMeasure curvature_scale = CurvatureMeasure::none;
  double curvature_share = 0.8, curvature_most = 4;

  BorderRule border = BorderRule::free;
  std::string held;  // attribute: points above one half are held

  double gap = 0.1, gap_limit = 1.5;
  double depth = 0;  // m
  double curl = 0, curl_width = 1;
  double line = 0;  // m, width of drawn cracks
};

// Kinds differ in what is usual for them.
// No ground dries evenly and no glaze is equally thick everywhere: where stress is quite the same in all directions,
// borders and triangles would decide how the first cracks run. Mud is seen as a piece of a larger sheet.
struct MudCoat : CoatSpec {
  MudCoat() { noise = 0.2, noise_range = 3, border = BorderRule::continued; }
};
struct GlazeCoat : CoatSpec {
  GlazeCoat() { noise = 0.2, noise_range = 3, gap = 0, line = 0.0006; }
};
struct GlassCoat : CoatSpec {
  GlassCoat() { alpha = 0.95, edge_snap = 12, gap = 0.02; }
};
using Coat = std::variant<MudCoat, GlazeCoat, GlassCoat>;

inline const CoatSpec& spec_of(const Coat& coat) {
  return std::visit([](const auto& c) -> const CoatSpec& { return c; }, coat);
}

}  // namespace sunder
