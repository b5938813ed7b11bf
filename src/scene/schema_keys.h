#pragma once
// What descriptions of keys are made of (scene/schema.h): the key, rules for its value, words for choices and kinds.

#include <array>
#include <concepts>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "scene/material_table.h"
#include "scene/scene.h"

namespace sunder {

struct Key {
  std::string_view name;
  std::string_view unit = "";
  std::string_view about = "";
  std::string_view fallback = "";  // the default in words, where it is not the value the field starts with; an empty
                                   // text field stands for it
  bool required = false;
  bool applies = true;              // false: the record's other keys leave no room for this one
  std::string_view goes_with = "";  // what it takes for the key to apply
};

struct Range {
  double low, high;
  bool above_low = false;   // low itself is not allowed
  bool below_high = false;  // high itself is not allowed
};
inline constexpr double kLargest = 1e12;  // of any number without a limit of its own
inline constexpr Range kAnyNumber{-kLargest, kLargest};
inline constexpr Range kPositive{0, kLargest, true};
inline constexpr Range kNotNegative{0, kLargest};
inline constexpr Range kSize{1e-6, kLargest};    // of things that must not vanish, m
inline constexpr Range kLength{1e-9, kLargest};  // of their elements, m
inline constexpr Range kTimeStep{1e-12, 1};
inline constexpr Range kModulus{0, kLargestModulus, true};

enum class TextRule {
  line,       // one line
  file_name,  // becomes part of file names: letters, digits, - and _
  label,      // the same and not only digits, which would look like a position in the list
  reference,  // a label, or ""
  axes,       // some of x, y, z
};

struct Direction {};  // rule of a vector: not zero, and made one long

// The word that stands for an unset optional number; "" means that the key is left out.
struct Unset {
  std::string_view word;
};

// How many points a list may have.
struct PointCount {
  std::size_t fewest, most;
};

// How many numbers a list has, if it has any.
struct NumberCount {
  std::size_t count;
};

// A list of so many tables at most, written on one line.
struct InlineTables {
  std::size_t most;
};

// A whole number from 1 on; 0 stands for the word.
struct Count {
  std::uint32_t most;
  std::string_view word;
};

// Text that is one of a few words; `later` are words of the design that this version does not know yet.
struct Words {
  std::span<const std::string_view> known;
  std::span<const std::string_view> later;
};

template <class Enum>
struct Choice {
  std::string_view name;
  Enum value;
};
inline constexpr std::array<Choice<Integrator>, 3> kIntegrators{{{"forward-euler", Integrator::forward_euler},
                                                                 {"taylor2", Integrator::taylor2},
                                                                 {"symplectic-euler", Integrator::symplectic_euler}}};
inline constexpr std::array<Choice<DampingRule>, 2> kDampingRules{
    {{"capped", DampingRule::capped}, {"literal", DampingRule::literal}}};
inline constexpr std::array<Choice<CrushingRule>, 2> kCrushingRules{
    {{"barrier", CrushingRule::barrier}, {"literal", CrushingRule::literal}}};
inline constexpr std::array<Choice<CompressionRule>, 2> kCompressionRules{
    {{"hinders", CompressionRule::hinders}, {"printed", CompressionRule::printed}}};
inline constexpr std::array<Choice<ContactCriterion>, 2> kContactCriteria{
    {{"node-penetration", ContactCriterion::node_penetration}, {"overlap-volume", ContactCriterion::overlap_volume}}};
inline constexpr std::array<Choice<DebrisAction>, 3> kDebrisActions{
    {{"keep", DebrisAction::keep}, {"freeze", DebrisAction::freeze}, {"remove", DebrisAction::remove}}};
inline constexpr std::array<Choice<RegionAction>, 4> kRegionActions{{{"hold", RegionAction::hold},
                                                                     {"move", RegionAction::move},
                                                                     {"force", RegionAction::force},
                                                                     {"pressure", RegionAction::pressure}}};

inline constexpr std::array<Choice<ColliderMotion>, 3> kColliderMotions{{{"static", ColliderMotion::fixed},
                                                                         {"kinematic", ColliderMotion::kinematic},
                                                                         {"dynamic", ColliderMotion::dynamic}}};

inline constexpr std::array<Choice<UpAxis>, 3> kUpAxes{{{"x", UpAxis::x}, {"y", UpAxis::y}, {"z", UpAxis::z}}};
inline constexpr std::array<Choice<CurveKind>, 2> kCurves{
    {{"polyline", CurveKind::polyline}, {"bezier", CurveKind::bezier}}};

inline constexpr std::array<std::string_view, 3> kSolvers{kTetSolver, kSurfaceSolver, kLatticeSolver};
inline constexpr std::array<std::string_view, 1> kLaterSolvers{"virtual_node_molino04"};

inline constexpr std::array<Choice<LatticeBonds>, 4> kLatticeBonds{{{"edges-body", LatticeBonds::edges_body},
                                                                    {"edges-face", LatticeBonds::edges_face},
                                                                    {"edges-faces", LatticeBonds::edges_faces},
                                                                    {"full", LatticeBonds::full}}};
inline constexpr std::array<Choice<LatticeLook>, 2> kLatticeLooks{
    {{"octants", LatticeLook::octants}, {"cells", LatticeLook::cells}}};

inline constexpr std::array<Choice<RelaxWay>, 3> kRelaxWays{
    {{"local", RelaxWay::local}, {"exact", RelaxWay::exact}, {"paper", RelaxWay::paper}}};
inline constexpr std::array<Choice<BorderRule>, 3> kBorderRules{
    {{"free", BorderRule::free}, {"fixed", BorderRule::fixed}, {"continued", BorderRule::continued}}};
inline constexpr std::array<Choice<CurvatureMeasure>, 5> kCurvatureMeasures{{{"none", CurvatureMeasure::none},
                                                                             {"gaussian", CurvatureMeasure::gaussian},
                                                                             {"mean", CurvatureMeasure::mean},
                                                                             {"frobenius", CurvatureMeasure::frobenius},
                                                                             {"squares", CurvatureMeasure::squares}}};

inline constexpr std::array<Choice<SkyKind>, 4> kSkies{
    {{"studio", SkyKind::studio}, {"day", SkyKind::day}, {"overcast", SkyKind::overcast}, {"dark", SkyKind::dark}}};

// `kind` of each alternative of a variant, in the variant's order, and the kinds that are to come.
template <class Variant>
struct Kinds;
template <>
struct Kinds<Shape> {
  static constexpr std::array<std::string_view, 21> names{
      "box",     "slab",  "sphere", "ellipsoid", "cylinder", "capsule", "torus", "bowl",   "cup",    "vase", "plate",
      "revolve", "patch", "tube",   "polygon",   "text",     "file",    "union", "goblet", "teapot", "disc"};
  static constexpr std::array<std::string_view, 1> later{"cone"};
};
template <>
struct Kinds<PartShape> {
  static constexpr std::array<std::string_view, 16> names{
      "box", "slab", "sphere", "ellipsoid", "cylinder", "capsule", "torus",   "bowl",
      "cup", "vase", "plate",  "revolve",   "patch",    "tube",    "polygon", "text"};
  static constexpr std::array<std::string_view, 1> later{"cone"};
};
template <>
struct Kinds<ColliderShape> {
  static constexpr std::array<std::string_view, 6> names{"ground", "plane", "sphere", "box", "capsule", "mesh"};
  static constexpr std::array<std::string_view, 1> later{"cylinder"};
};
template <>
struct Kinds<Selection> {
  static constexpr std::array<std::string_view, 4> names{"box", "sphere", "half-space", "everywhere"};
  static constexpr std::array<std::string_view, 1> later{"cylinder"};
};
template <>
struct Kinds<PatternSpec> {
  static constexpr std::array<std::string_view, 11> names{"uniform", "noise", "bricks", "plane",  "grid",   "voronoi",
                                                          "surface", "joint", "grain",  "layers", "painted"};
  static constexpr std::array<std::string_view, 0> later{};
};
template <>
struct Kinds<Coat> {
  static constexpr std::array<std::string_view, 3> names{"mud", "glaze", "glass"};
  static constexpr std::array<std::string_view, 0> later{};
};
template <>
struct Kinds<PaintSpec> {
  static constexpr std::array<std::string_view, 6> names{"auto", "diffuse", "glossy", "ceramic", "metal", "glass"};
  static constexpr std::array<std::string_view, 0> later{};
};
template <>
struct Kinds<LightShape> {
  static constexpr std::array<std::string_view, 2> names{"panel", "sphere"};
  static constexpr std::array<std::string_view, 0> later{};
};

// Names of things that the scene leaves nameless; `index` counts from 0.
std::string default_body_name(std::size_t index);
std::string default_collider_name(std::string_view kind, std::size_t index);
std::string default_region_name(std::size_t index);
std::string default_toughness_name(std::size_t index);
std::string default_camera_name(std::size_t index);

template <class T, class Record>
concept Is = std::same_as<std::remove_const_t<T>, Record>;

}  // namespace sunder
