#pragma once
// Every key of a scene file, described once: name, field, unit, allowed values, meaning. The reader, the writer and the
// reference page are visitors of these descriptions; a new key is one new line here.
//
// A visitor has `key(const Key&, field, rule...)` for each kind of field used below. Records may be const. Keys on
// which the `applies` of others depends come before them, since the reader fills the record in this order.

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
inline constexpr std::array<Choice<RegionAction>, 4> kRegionActions{{{"hold", RegionAction::hold},
                                                                     {"move", RegionAction::move},
                                                                     {"force", RegionAction::force},
                                                                     {"pressure", RegionAction::pressure}}};

inline constexpr std::array<Choice<UpAxis>, 3> kUpAxes{{{"x", UpAxis::x}, {"y", UpAxis::y}, {"z", UpAxis::z}}};
inline constexpr std::array<Choice<CurveKind>, 2> kCurves{
    {{"polyline", CurveKind::polyline}, {"bezier", CurveKind::bezier}}};

inline constexpr std::array<std::string_view, 1> kSolvers{"tet_oh99"};
inline constexpr std::array<std::string_view, 3> kLaterSolvers{"lattice_norton91", "virtual_node_molino04",
                                                               "surface_iben06"};

inline constexpr std::array<Choice<SkyKind>, 4> kSkies{
    {{"studio", SkyKind::studio}, {"day", SkyKind::day}, {"overcast", SkyKind::overcast}, {"dark", SkyKind::dark}}};

// `kind` of each alternative of a variant, in the variant's order, and the kinds that are to come.
template <class Variant>
struct Kinds;
template <>
struct Kinds<Shape> {
  static constexpr std::array<std::string_view, 20> names{
      "box",   "slab",    "sphere", "ellipsoid", "cylinder", "capsule", "torus", "bowl",  "cup",    "vase",
      "plate", "revolve", "patch",  "tube",      "polygon",  "text",    "file",  "union", "goblet", "teapot"};
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
  static constexpr std::array<std::string_view, 4> names{"ground", "plane", "sphere", "box"};
  static constexpr std::array<std::string_view, 3> later{"cylinder", "capsule", "file"};
};
template <>
struct Kinds<Selection> {
  static constexpr std::array<std::string_view, 3> names{"box", "sphere", "half-space"};
  static constexpr std::array<std::string_view, 1> later{"cylinder"};
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
std::string default_camera_name(std::size_t index);

template <class T, class Record>
concept Is = std::same_as<std::remove_const_t<T>, Record>;

// --- shapes of bodies

void describe(auto& v, Is<BoxShape> auto& box) {
  v.key({.name = "size", .unit = "m", .about = "Whole lengths along x, y, z."}, box.size, kSize);
}

void describe(auto& v, Is<SlabShape> auto& slab) {
  v.key({.name = "size", .unit = "m", .about = "Whole lengths along x, y, z; layers lie across the shortest."},
        slab.size, kSize);
}

void describe(auto& v, Is<SphereShape> auto& sphere) {
  v.key({.name = "radius", .unit = "m", .about = "Radius."}, sphere.radius, kSize);
}

void describe(auto& v, Is<EllipsoidShape> auto& ellipsoid) {
  v.key({.name = "radii", .unit = "m", .about = "Half the lengths along x, y, z."}, ellipsoid.radii, kSize);
}

void describe(auto& v, Is<CylinderShape> auto& cylinder) {
  v.key({.name = "radius", .unit = "m", .about = "Radius."}, cylinder.radius, kSize);
  v.key({.name = "height", .unit = "m", .about = "Length along y."}, cylinder.height, kSize);
}

void describe(auto& v, Is<CapsuleShape> auto& capsule) {
  v.key({.name = "radius", .unit = "m", .about = "Radius."}, capsule.radius, kSize);
  v.key({.name = "height", .unit = "m", .about = "Length along y, round ends included; more than 2 `radius`."},
        capsule.height, kSize);
}

void describe(auto& v, Is<TorusShape> auto& torus) {
  v.key({.name = "radius", .unit = "m", .about = "From the y axis to the middle of the tube."}, torus.radius, kSize);
  v.key({.name = "tube", .unit = "m", .about = "Radius of the tube, below 0.9 `radius`."}, torus.tube, kSize);
}

inline constexpr std::string_view kWallAbout = "Thickness.";

void describe(auto& v, Is<BowlShape> auto& bowl) {
  v.key({.name = "radius", .unit = "m", .about = "Outside radius of the rim."}, bowl.radius, kSize);
  v.key({.name = "depth", .unit = "m", .about = "Outside height; the bowl is half an ellipsoid."}, bowl.depth, kSize);
  v.key({.name = "wall", .unit = "m", .about = kWallAbout}, bowl.wall, kSize);
}

void describe(auto& v, Is<CupShape> auto& cup) {
  v.key({.name = "radius", .unit = "m", .about = "Outside radius of the rim."}, cup.radius, kSize);
  v.key({.name = "height", .unit = "m", .about = "Outside height."}, cup.height, kSize);
  v.key({.name = "wall", .unit = "m", .about = kWallAbout}, cup.wall, kSize);
}

void describe(auto& v, Is<VaseShape> auto& vase) {
  v.key({.name = "radius", .unit = "m", .about = "Outside radius of the belly."}, vase.radius, kSize);
  v.key({.name = "height", .unit = "m", .about = "Outside height."}, vase.height, kSize);
  v.key({.name = "wall", .unit = "m", .about = kWallAbout}, vase.wall, kSize);
}

void describe(auto& v, Is<PlateShape> auto& plate) {
  v.key({.name = "radius", .unit = "m", .about = "Outside radius; the rim rises by 0.14 of it."}, plate.radius, kSize);
  v.key({.name = "wall", .unit = "m", .about = kWallAbout}, plate.wall, kSize);
}

void describe(auto& v, Is<RevolveShape> auto& revolve) {
  v.key({.name = "profile",
         .unit = "m",
         .about = "Points (r, y) of the middle of the wall, or of the outline if `closed`; it is turned about y."},
        revolve.profile, PointCount{2, 400});
  v.key({.name = "curve",
         .about =
             "`bezier` takes the points as cubic curves end to end: 4, 7, 10, ... of them, two handles between ends."},
        revolve.curve, kCurves);
  v.key({.name = "closed", .about = "The profile is the outline of the cross-section, clear of the axis."},
        revolve.closed);
  v.key({.name = "wall",
         .unit = "m",
         .about = kWallAbout,
         .applies = !revolve.closed,
         .goes_with = "profiles that are not `closed`"},
        revolve.wall, kSize);
}

void describe(auto& v, Is<PatchShape> auto& patch) {
  v.key({.name = "points", .unit = "m", .about = "Control points of a bicubic Bezier patch, 4 rows of 4."},
        patch.points, PointCount{16, 16});
  v.key({.name = "wall", .unit = "m", .about = "Thickness, half to each side."}, patch.wall, kSize);
}

void describe(auto& v, Is<TubeShape> auto& tube) {
  v.key({.name = "path", .unit = "m", .about = "Points that the middle of the tube passes through, smoothly."},
        tube.path, PointCount{2, 400});
  v.key({.name = "radius", .unit = "m", .about = "Outside radius."}, tube.radius, kSize);
  v.key({.name = "wall", .unit = "m", .about = "Thickness; 0 is solid."}, tube.wall, kNotNegative);
  v.key({.name = "closed", .about = "The path returns to its first point."}, tube.closed);
  v.key({.name = "end_radius",
         .unit = "m",
         .about = "Outside radius at the end of the path, which it reaches evenly.",
         .fallback = "`radius`",
         .applies = !tube.closed,
         .goes_with = "tubes that are not `closed`"},
        tube.end_radius, kSize, Unset{""});
}

void describe(auto& v, Is<PolygonShape> auto& polygon) {
  v.key({.name = "points", .unit = "m", .about = "Corners (x, y) in order, either way round."}, polygon.points,
        PointCount{3, 1000});
  v.key({.name = "holes", .unit = "m", .about = "Lists of corners like `points`, inside and apart from each other."},
        polygon.holes, PointCount{3, 1000});
  v.key({.name = "depth", .unit = "m", .about = "Length along z."}, polygon.depth, kSize);
}

void describe(auto& v, Is<TextShape> auto& text) {
  v.key({.name = "text", .about = "Letters A-Z, digits, space and . ! ? - &; each is a solid of its own."}, text.text,
        TextRule::line);
  v.key({.name = "height", .unit = "m", .about = "Of a capital, along y."}, text.height, kSize);
  v.key({.name = "depth", .unit = "m", .about = "Along z."}, text.depth, kSize);
}

void describe(auto& v, Is<FileShape> auto& file) {
  v.key({.name = "path",
         .about = "File of tetrahedra, or of a surface that is filled with them (.obj, .ply, .stl, .off, .gltf, .glb), "
                  "relative to the scene's folder.",
         .required = true},
        file.path);
  v.key({.name = "scale", .unit = "m", .about = "Metres per unit of the file."}, file.scale, kLength);
  v.key({.name = "up", .about = "Axis of the file that points up."}, file.up, kUpAxes);
  v.key({.name = "inside",
         .about = "Far from the surface edges may be so many times longer than `edge`; 1 for the same everywhere.",
         .applies = file.is_surface(),
         .goes_with = "surfaces"},
        file.fill.inside, Range{1, 64});
  v.key({.name = "sharp",
         .unit = "degrees",
         .about = "Edges of the surface that turn by more are kept sharp; 180 keeps none.",
         .applies = file.is_surface(),
         .goes_with = "surfaces"},
        file.fill.sharp, Range{1, 180});
  v.key({.name = "finer",
         .about = "Places with shorter edges, for instance where something will hit.",
         .applies = file.is_surface(),
         .goes_with = "surfaces"},
        file.fill.finer, InlineTables{100});
}

void describe(auto& v, Is<FineRegion> auto& region) {
  v.key({.name = "center",
         .unit = "m",
         .about = "After `scale` and `up`, before the body's `position` and `rotation`.",
         .required = true},
        region.centre, kAnyNumber);
  v.key({.name = "radius", .unit = "m", .about = "Edges grow again beyond it.", .required = true}, region.radius,
        kSize);
  v.key({.name = "edge", .unit = "m", .about = "Length of edges within the radius.", .required = true}, region.edge,
        kLength);
}

void describe(auto& v, Is<UnionPart> auto& part) {
  v.key({.name = "name",
         .about = "What its faces are called: `NAME-outside` and so on.",
         .fallback = "`part-1`, `part-2`, ..."},
        part.name, TextRule::label);
  v.key({.name = "shape", .about = "Any of the shapes above but `file`, with the same keys.", .required = true},
        part.shape);
  v.key({.name = "position", .unit = "m", .about = "Where the shape's centre is put."}, part.position, kAnyNumber);
  v.key({.name = "rotation", .unit = "degrees", .about = "About x, then y, then z, before it is moved."}, part.rotation,
        kAnyNumber);
}

void describe(auto& v, Is<UnionShape> auto& whole) {
  v.key({.name = "parts",
         .about = "Overlapping shapes that become one solid, in their own coordinates; walls get two elements "
                  "through, whatever the `edge`.",
         .fallback = "a cup and its handle"},
        whole.parts, InlineTables{100});
}

void describe(auto& v, Is<GobletShape> auto& goblet) {
  v.key({.name = "radius", .unit = "m", .about = "Outside radius of the bowl."}, goblet.radius, kSize);
  v.key({.name = "height", .unit = "m", .about = "Whole height, 2 to 6 `radius`."}, goblet.height, kSize);
  v.key({.name = "wall", .unit = "m", .about = "Thickness of bowl and foot."}, goblet.wall, kSize);
}

void describe(auto& v, Is<TeapotShape> auto& teapot) {
  v.key({.name = "radius", .unit = "m", .about = "Outside radius of the body; the spout points to x."}, teapot.radius,
        kSize);
  v.key({.name = "wall", .unit = "m", .about = "Thickness, 0.03 to 0.16 `radius`."}, teapot.wall, kSize);
  v.key({.name = "lid", .about = "With a lid, which sits fast."}, teapot.lid);
}

// --- colliders

void describe(auto& v, Is<GroundCollider> auto& ground) {
  v.key({.name = "height", .unit = "m", .about = "Height of the ground; everything below is solid."}, ground.height,
        kAnyNumber);
}

void describe(auto& v, Is<PlaneCollider> auto& plane) {
  v.key(
      {.name = "normal",
       .about = "Direction out of the solid side, of any length; the plane passes through the collider's `position`."},
      plane.normal, Direction{});
}

void describe(auto& v, Is<SphereCollider> auto& sphere) {
  v.key({.name = "radius", .unit = "m", .about = "Radius."}, sphere.radius, kSize);
}

void describe(auto& v, Is<BoxCollider> auto& box) {
  v.key({.name = "size", .unit = "m", .about = "Whole lengths along x, y, z."}, box.size, kSize);
}

// --- selections

void describe(auto& v, Is<BoxSelection> auto& box) {
  v.key({.name = "min", .unit = "m", .about = "Lowest corner.", .required = true}, box.min, kAnyNumber);
  v.key({.name = "max", .unit = "m", .about = "Highest corner.", .required = true}, box.max, kAnyNumber);
}

void describe(auto& v, Is<SphereSelection> auto& sphere) {
  v.key({.name = "center", .unit = "m", .about = "Centre."}, sphere.center, kAnyNumber);
  v.key({.name = "radius", .unit = "m", .about = "Radius.", .required = true}, sphere.radius, kSize);
}

void describe(auto& v, Is<HalfSpaceSelection> auto& half) {
  v.key({.name = "point", .unit = "m", .about = "A point of the bounding plane."}, half.point, kAnyNumber);
  v.key({.name = "normal", .about = "Direction into the selected side, of any length."}, half.normal, Direction{});
}

// --- materials

void describe(auto& v, Is<MaterialTable> auto& m) {
  constexpr Unset absent{""};
  v.key({.name = "preset",
         .about = "A material of the list below, which the other keys change.",
         .fallback = "none: then stiffness, density and toughness are required"},
        m.preset, TextRule::line);
  constexpr std::string_view from_preset = "the preset's";
  v.key({.name = "lambda", .unit = "Pa", .about = "First Lame constant, above -2/3 mu.", .fallback = from_preset},
        m.lambda, Range{-kLargestModulus, kLargestModulus}, absent);
  v.key({.name = "mu", .unit = "Pa", .about = "Shear modulus (second Lame constant).", .fallback = from_preset}, m.mu,
        kModulus, absent);
  v.key({.name = "young",
         .unit = "Pa",
         .about = "Young's modulus; `young` and `poisson` stand in the place of `lambda` and `mu`.",
         .fallback = from_preset},
        m.young, kModulus, absent);
  v.key({.name = "poisson", .about = "Poisson's ratio.", .fallback = from_preset}, m.poisson,
        Range{-1, 0.5, true, true}, absent);
  v.key({.name = "phi",
         .unit = "Pa s",
         .about = "Viscosity that goes with `lambda`.",
         .fallback = "the preset's, or 0 without one"},
        m.phi, kNotNegative, absent);
  v.key({.name = "psi",
         .unit = "Pa s",
         .about = "Viscosity that goes with `mu`.",
         .fallback = "the preset's, or 0 without one"},
        m.psi, kNotNegative, absent);
  v.key({.name = "density", .unit = "kg/m^3", .about = "Mass per volume.", .fallback = from_preset}, m.density,
        kPositive, absent);
  v.key({.name = "toughness",
         .unit = "N",
         .about = "Force at which a node separates; 0 cannot break. At the same strength it grows with the square of "
                  "`edge`; the real presets are set for 2 cm.",
         .fallback = from_preset},
        m.toughness, kNotNegative, absent);
  v.key({.name = "toughness_spread",
         .about = "Nodes differ by up to this share of `toughness`, up and down, by the scene's `seed`.",
         .fallback = "the preset's, or 0 without one"},
        m.toughness_spread, Range{0, 1, false, true}, absent);
  v.key({.name = "toughness_grain",
         .unit = "m",
         .about = "Distance in the material over which that changes; 0: each node by itself.",
         .fallback = "the preset's, or 0 without one"},
        m.toughness_grain, kNotNegative, absent);
}

// --- the tables of the scene

void describe(auto& v, Is<BodySpec> auto& body) {
  v.key({.name = "name", .about = "What messages and result files call it.", .fallback = "`body-1`, `body-2`, ..."},
        body.name, TextRule::label);
  v.key({.name = "solver", .about = "Method that simulates it."}, body.solver, Words{kSolvers, kLaterSolvers});
  v.key({.name = "shape", .about = "Its solid, centred at the origin before it is placed.", .required = true},
        body.shape);
  v.key({.name = "edge",
         .unit = "m",
         .about = "Length of the tetrahedra's edges; at most 50 million tetrahedra.",
         .fallback = "one that gives a few thousand tetrahedra",
         .applies = needs_edge(body.shape),
         .goes_with = "shapes other than files of tetrahedra, which bring their own"},
        body.edge, kLength);
  v.key({.name = "layers",
         .about = "Layers of tetrahedra through the thickness; `auto` takes as many as suit the edge.",
         .applies = has_layers(body.shape) || std::holds_alternative<BoxShape>(body.shape),
         .goes_with = "shapes that are meshed in layers"},
        body.layers, Count{1000, "auto"});
  v.key({.name = "position", .unit = "m", .about = "Where the shape's origin is put."}, body.position, kAnyNumber);
  v.key({.name = "rotation", .unit = "degrees", .about = "About world x, then y, then z, before it is moved."},
        body.rotation, kAnyNumber);
  v.key({.name = "velocity", .unit = "m/s", .about = "At the start."}, body.velocity, kAnyNumber);
  v.key({.name = "spin", .unit = "rad/s", .about = "At the start, about the centre of mass."}, body.spin, kAnyNumber);
  v.key({.name = "material", .about = "The name of a preset, or a table.", .required = true}, body.material,
        body.material_name);
}

void describe(auto& v, Is<ColliderSpec> auto& collider) {
  v.key({.name = "name",
         .about = "What messages and result files call it.",
         .fallback = "the shape's kind, with the number in the list after the first: `ground`, `sphere-2`, ..."},
        collider.name, TextRule::label);
  v.key({.name = "shape", .about = "Its solid.", .required = true}, collider.shape);
  const bool placed = !std::holds_alternative<GroundCollider>(collider.shape);
  v.key({.name = "position",
         .unit = "m",
         .about = "Where the shape's origin is put.",
         .applies = placed,
         .goes_with = "shapes other than `ground`, which has `height`"},
        collider.position, kAnyNumber);
  v.key({.name = "rotation",
         .unit = "degrees",
         .about = "About world x, then y, then z, before it is moved.",
         .applies = placed,
         .goes_with = "shapes other than `ground`"},
        collider.rotation, kAnyNumber);
  v.key({.name = "friction", .about = "Coulomb's coefficient."}, collider.friction, Range{0, 100});
  v.key({.name = "damping", .about = "Of the contact, as a share of critical damping."}, collider.damping,
        Range{0, 10});
  v.key({.name = "stiffness",
         .unit = "N/m",
         .about = "At every touching node; `auto` takes the node's own elastic stiffness."},
        collider.stiffness, kPositive, Unset{"auto"});
}

void describe(auto& v, Is<RegionSpec> auto& region) {
  using enum RegionAction;
  v.key({.name = "name", .about = "What messages and result files call it.", .fallback = "`region-1`, `region-2`, ..."},
        region.name, TextRule::label);
  v.key({.name = "body", .about = "Name of the body it belongs to; empty means all of them."}, region.body,
        TextRule::reference);
  v.key({.name = "where", .about = "What it selects, in the world at the start.", .required = true}, region.where);
  v.key({.name = "action", .about = "What is done to the selected part."}, region.action, kRegionActions);
  v.key({.name = "axes",
         .about = "Axes along which the nodes are held or moved; they are free along the others.",
         .applies = region.action == hold || region.action == move,
         .goes_with = "`action` hold or move"},
        region.axes, TextRule::axes);
  v.key({.name = "velocity",
         .unit = "m/s",
         .about = "Of the moved nodes.",
         .required = true,
         .applies = region.action == move,
         .goes_with = "`action` move"},
        region.velocity, kAnyNumber);
  v.key({.name = "force",
         .unit = "N",
         .about = "In total, shared by the selected nodes.",
         .required = true,
         .applies = region.action == force,
         .goes_with = "`action` force"},
        region.force, kAnyNumber);
  v.key({.name = "pressure",
         .unit = "Pa",
         .about = "Pushes the selected boundary faces inwards; negative pulls.",
         .required = true,
         .applies = region.action == pressure,
         .goes_with = "`action` pressure"},
        region.pressure, kAnyNumber);
  v.key({.name = "start", .unit = "s", .about = "When it begins to act."}, region.start, kNotNegative);
  v.key({.name = "end", .unit = "s", .about = "When it stops; `never` means at the end of the run."}, region.end,
        kPositive, Unset{"never"});
}

// --- pictures

inline constexpr Range kShare{0, 1};

void describe(auto&, Is<AutoPaint> auto&) {}

void describe_texture(auto& v, auto& paint) {
  v.key({.name = "texture",
         .about = "PNG or JPEG file, relative to the scene's folder; laid on in material coordinates, times `color`.",
         .fallback = "none"},
        paint.texture);
  v.key({.name = "texture_size", .unit = "m", .about = "Width that the picture covers; it repeats."},
        paint.texture_size, kSize);
}

void describe(auto& v, Is<DiffusePaint> auto& paint) {
  v.key({.name = "color", .about = "Red, green, blue (sRGB)."}, paint.color, kShare);
  describe_texture(v, paint);
}

void describe(auto& v, Is<GlossyPaint> auto& paint) {
  v.key({.name = "color", .about = "Red, green, blue (sRGB)."}, paint.color, kShare);
  v.key({.name = "roughness", .about = "0 shines, 1 is dull."}, paint.roughness, kShare);
  describe_texture(v, paint);
}

void describe(auto& v, Is<CeramicPaint> auto& paint) {
  v.key({.name = "color", .about = "Of what lies under the glaze."}, paint.color, kShare);
  v.key({.name = "roughness", .about = "Of the glaze."}, paint.roughness, kShare);
  describe_texture(v, paint);
}

void describe(auto& v, Is<MetalPaint> auto& paint) {
  v.key({.name = "color", .about = "Of its reflections."}, paint.color, kShare);
  v.key({.name = "roughness", .about = "0 is a mirror."}, paint.roughness, kShare);
}

void describe(auto& v, Is<GlassPaint> auto& paint) {
  v.key({.name = "color", .about = "Of white light after `depth` of glass."}, paint.color, kShare);
  v.key({.name = "depth", .unit = "m", .about = "Where `color` is reached."}, paint.depth, kSize);
  v.key({.name = "roughness", .about = "0 is clear, more is frosted."}, paint.roughness, kShare);
  v.key({.name = "index", .about = "Of refraction."}, paint.index, Range{1, 3});
}

void describe(auto& v, Is<PaintedSpec> auto& painted) {
  v.key({.name = "on", .about = "Name of a body, a collider or a material.", .required = true}, painted.on,
        TextRule::label);
  v.key({.name = "outside", .about = "Of the surface; `auto` fits the material."}, painted.outside);
  v.key({.name = "inside", .about = "Of crack faces; `auto` fits the material."}, painted.inside);
}

void describe(auto& v, Is<CameraSpec> auto& camera) {
  v.key({.name = "name", .about = "What `--camera` calls it.", .fallback = "`camera-1`, `camera-2`, ..."}, camera.name,
        TextRule::label);
  v.key({.name = "position", .unit = "m", .about = "Where it stands.", .required = true}, camera.position, kAnyNumber);
  v.key({.name = "target", .unit = "m", .about = "What it looks at."}, camera.target, kAnyNumber);
  v.key({.name = "fov", .unit = "degrees", .about = "Angle of view of the picture's height."}, camera.fov,
        Range{1, 150});
}

void describe(auto& v, Is<PanelLight> auto& panel) {
  v.key({.name = "target", .unit = "m", .about = "What it faces."}, panel.target, kAnyNumber);
  v.key({.name = "width", .unit = "m", .about = "Whole length."}, panel.width, kSize);
  v.key({.name = "height", .unit = "m", .about = "Whole length."}, panel.height, kSize);
}

void describe(auto& v, Is<SphereLight> auto& sphere) {
  v.key({.name = "radius", .unit = "m", .about = "Radius."}, sphere.radius, kSize);
}

void describe(auto& v, Is<LightSpec> auto& light) {
  v.key({.name = "shape", .about = "What shines."}, light.shape);
  v.key({.name = "position", .unit = "m", .about = "Its middle."}, light.position, kAnyNumber);
  v.key({.name = "color", .about = "Red, green, blue (sRGB)."}, light.color, kShare);
  v.key({.name = "radiance", .about = "Brightness; a sunlit white wall has about 1."}, light.radiance, Range{0, 1e6});
}

void describe(auto& v, Is<LookSpec> auto& look) {
  v.key({.name = "sky", .about = "Light from all around; the studio has soft panels, the day a sun."}, look.sky,
        kSkies);
  v.key({.name = "sun", .about = "Direction towards the sun of sky `day`, of any length."}, look.sun, Direction{});
  v.key({.name = "exposure", .unit = "stops", .about = "1 doubles the light."}, look.exposure, Range{-20, 20});
  v.key({.name = "azimuth",
         .unit = "degrees",
         .about = "Of the camera that frames the scene by itself: 0 looks along -z, 90 along -x."},
        look.azimuth, Range{-360, 360});
  v.key({.name = "elevation", .unit = "degrees", .about = "How far down that camera looks."}, look.elevation,
        Range{-89, 89});
  v.key({.name = "shutter", .about = "Share of a frame's time that it is open: motion blur; 0 is none."}, look.shutter,
        kShare);
}

void describe(auto& v, Is<FractureSpec> auto& fracture) {
  v.key({.name = "on", .about = "`false`: nothing breaks, whatever its toughness."}, fracture.on);
  v.key({.name = "compression",
         .about = "Whether compression only `hinders` a crack, or may open one, as the paper's formula is `printed`."},
        fracture.compression, kCompressionRules);
  v.key({.name = "crack_speed",
         .unit = "m/s",
         .about = "Nodes beside a new crack wait their distance over this; 0: cracks run as far as forces take them."},
        fracture.crack_speed, kNotNegative);
  v.key({.name = "tip_share",
         .about = "Share of the toughness at which a crack's tip fails; below 1 cracks run on rather than start anew."},
        fracture.tip_share, Range{0, 1, true});
  v.key({.name = "residual",
         .about = "Share of the separation beyond toughness that is handed on to a crack's tips; 0 is the 1999 paper."},
        fracture.residual, Range{0, 1});
  v.key({.name = "bend_at_tips", .about = "Cracks go on from their tips and leave no spurs behind them."},
        fracture.bend_at_tips);
  v.key({.name = "snap_distance",
         .about = "Nodes nearer to a crack's plane count as on it; in edge lengths of the start mesh."},
        fracture.snap_distance, Range{0, 1e6});
  v.key({.name = "snap_angle", .unit = "rad", .about = "So do nodes seen at a smaller angle from the split node."},
        fracture.snap_angle, Range{0, 1.6});
  v.key({.name = "altitude_floor",
         .about = "No piece of a tetrahedron is lower, in edge lengths of the start mesh; it keeps the time step."},
        fracture.altitude_floor, Range{1e-3, 1e6});
  v.key({.name = "quality_floor", .about = "Nor flatter; a regular tetrahedron has 1."}, fracture.quality_floor,
        Range{1e-3, 1});
}

void describe(auto& v, Is<Scene> auto& scene) {
  v.key({.name = "name",
         .about = "Name of the run and of its files: letters, digits, `-` and `_`.",
         .fallback = "the file's name"},
        scene.name, TextRule::file_name);
  v.key({.name = "about", .about = "One line for the gallery."}, scene.about, TextRule::line);
  v.key({.name = "duration", .unit = "s", .about = "Simulated time; at most a million frames."}, scene.duration,
        kNotNegative);
  v.key({.name = "fps", .unit = "1/s", .about = "Frames per simulated second."}, scene.fps, kPositive);
  v.key({.name = "gravity", .unit = "m/s^2", .about = "Acceleration of everything; y is up."}, scene.gravity,
        kAnyNumber);
  v.key({.name = "integrator", .about = "How time is stepped."}, scene.integrator, kIntegrators);
  v.key({.name = "dt", .unit = "s", .about = "Time step; `auto` follows the stability limit."}, scene.dt, kTimeStep,
        Unset{"auto"});
  v.key({.name = "safety", .about = "Share of the stability limit that the automatic step takes."}, scene.safety,
        Range{0, 1, true});
  v.key({.name = "damping", .about = "Whether `damping_cap` limits the viscosity of small elements."}, scene.damping,
        kDampingRules);
  v.key({.name = "damping_cap", .about = "Largest damping ratio of an element, for damping `capped`."},
        scene.damping_cap, kNotNegative);
  v.key({.name = "crushing",
         .about = "Whether elements below 30 % of their volume push back (`barrier`) or fold up as the paper's do."},
        scene.crushing, kCrushingRules);
  v.key({.name = "seed", .about = "Of everything random; another seed gives another, equally likely run."}, scene.seed);
  v.key({.name = "body", .about = "What is simulated; at least one.", .fallback = "required"}, scene.bodies);
  v.key({.name = "collider", .about = "Rigid things that do not move and that bodies bounce off."}, scene.colliders);
  v.key({.name = "region", .about = "Parts of bodies that are held, moved or loaded."}, scene.regions);
  v.key({.name = "fracture", .about = "How bodies break; what they bear is their material's `toughness`."},
        scene.fracture);
  v.key({.name = "look", .about = "How pictures of the scene look; it changes nothing in the simulation."}, scene.look);
  v.key({.name = "paint", .about = "Surfaces of bodies and colliders in pictures."}, scene.paints);
  v.key({.name = "camera", .about = "Where pictures are taken from; without any, one frames the scene by itself."},
        scene.cameras);
  v.key({.name = "light", .about = "Lamps and panels in pictures, besides the sky's."}, scene.lights);
}

}  // namespace sunder
