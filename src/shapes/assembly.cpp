#include "shapes/assembly.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "core/error.h"
#include "shapes/mapped_shapes.h"
#include "shapes/path.h"

namespace sunder {
namespace {

// A part whose own coordinates, before it was centred, are those of the whole.
UnionPart in_place(const char* name, const auto& shape, const Vec3& shift) {
  return {name, shape, map_shape(shape).centre + shift, Vec3::Zero()};
}

RevolveShape wall_of_revolution(std::vector<Vec2> control, double unit, double wall) {
  for (Vec2& p : control) p *= unit;
  return {std::move(control), CurveKind::bezier, false, wall};
}

std::vector<Vec3> path_in_plane(std::initializer_list<Vec2> points, double unit) {
  std::vector<Vec3> path;
  for (const Vec2& p : points) path.emplace_back(unit * p.x(), unit * p.y(), 0);
  return path;
}

void require_wall(double wall, double least, double most, const char* of) {
  if (wall >= least && wall <= most) return;
  throw InputError({}, fmt::format("a wall of {:g} m does not suit a {} of this size", wall, of),
                   fmt::format("make `wall` {:.3g} to {:.3g} m", least, most));
}

// Heights in units of the radius of the bowl, from the ground up.
UnionShape parts_of(const GobletShape& goblet) {
  const double r = goblet.radius, h = goblet.height, wall = goblet.wall;
  require_wall(wall, 0.03 * r, 0.25 * r, "goblet");
  if (!(h > 2 * r && h < 6 * r)) {
    throw InputError({}, fmt::format("a goblet of radius {:g} m cannot be {:g} m high", r, h),
                     fmt::format("make `height` {:.3g} to {:.3g} m", 2 * r, 6 * r));
  }
  const double bowl = 0.55 * h, stem = 0.13 * r + 0.3 * wall;
  const Vec3 shift(0, -h / 2, 0);
  // A shallow cone for a foot, and a bowl whose bottom the stem carries.
  const RevolveShape foot = {
      {{0, 0.1 * r + wall / 2}, {0.25 * r, 0.1 * r + wall / 2}, {0.5 * r, wall / 2 + 0.03 * r}, {0.78 * r, wall / 2}},
      CurveKind::bezier,
      false,
      wall};
  const double low = h - bowl + wall / 2, side = r - wall / 2, top = bowl - wall / 2;
  const RevolveShape cup = {{{0, low},
                             {0.6 * side, low},
                             {side, low + 0.2 * top},
                             {side, low + 0.52 * top},
                             {side, low + 0.7 * top},
                             {0.96 * side, low + 0.86 * top},
                             {0.93 * side, low + top}},
                            CurveKind::bezier,
                            false,
                            wall};
  const double from = 0.1 * r + wall / 2, to = low;  // middles of the walls that the stem joins
  return UnionShape{{in_place("foot", foot, shift),
                     {"stem", CylinderShape{stem, to - from}, Vec3(0, (from + to) / 2, 0) + shift, Vec3::Zero()},
                     {"knop", EllipsoidShape{Vec3(1.9 * stem, 1.3 * stem, 1.9 * stem)},
                      Vec3(0, from + 0.55 * (to - from), 0) + shift, Vec3::Zero()},
                     in_place("bowl", cup, shift)}};
}

// Teapots are drawn with a body of radius 2; the middle of its wall is 1.45 wide at the rim and 2.4 high.
struct TeapotMeasures {
  double unit, wall;  // m
  double in;          // of the middle line, where the body is widest, in units
  Vec3 shift;         // m
  double handle;      // m, radius
  std::vector<Vec3> handle_path;
};

TeapotMeasures measures_of(const TeapotShape& pot) {
  const double unit = pot.radius / 2, wall = pot.wall;
  require_wall(wall, 0.03 * pot.radius, 0.16 * pot.radius, "teapot");
  if (!pot.pot && !pot.lid) {
    throw InputError({}, "a teapot without pot and without lid is nothing", "let one of `pot` and `lid` be true");
  }
  const double in = 2 - wall / (2 * unit);
  return {unit,
          wall,
          in,
          Vec3(0, -1.5 * unit, 0),
          std::max(0.17 * unit, 0.75 * wall),
          path_in_plane({{-1.71, 1.93}, {-2.25, 2.2}, {-2.85, 2.05}, {-2.95, 1.5}, {-2.55, 1.08}, {-in, 1}}, unit)};
}

UnionPart teapot_body(const TeapotMeasures& m) {
  const std::vector<Vec2> profile = {{0, 0.1},    {0.6, 0.1},   {1, 0.1},     {1.35, 0.14}, {1.75, 0.19},
                                     {m.in, 0.5}, {m.in, 0.95}, {m.in, 1.45}, {1.72, 1.9},  {1.45, 2.4}};
  return in_place("body", wall_of_revolution(profile, m.unit, m.wall), m.shift);
}

// One solid: the lid sits fast.
UnionShape parts_of(const TeapotShape& pot) {
  const TeapotMeasures m = measures_of(pot);
  const double unit = m.unit, wall = m.wall;
  UnionShape whole{.parts = {}};
  if (pot.pot) {
    whole.parts.push_back(teapot_body(m));
    const double rim = std::max(0.11 * unit, 0.8 * wall);
    whole.parts.push_back({"rim", TorusShape{1.45 * unit, rim}, Vec3(0, 2.42 * unit, 0) + m.shift, Vec3::Zero()});
    // Handle and spout leave the wall at right angles, so that their flat ends stay within it.
    whole.parts.push_back(in_place("handle", TubeShape{m.handle_path, m.handle, 0, false, {}}, m.shift));
    whole.parts.push_back(
        in_place("spout",
                 TubeShape{path_in_plane({{m.in, 0.9}, {2.4, 0.98}, {2.8, 1.25}, {3.12, 1.75}, {3.55, 2.3}}, unit),
                           0.54 * unit, wall, false, 0.13 * unit + wall},
                 m.shift));
  }
  if (pot.lid) {
    whole.parts.push_back(
        in_place("lid", wall_of_revolution({{0, 2.92}, {0.5, 2.92}, {1.05, 2.72}, {1.42, 2.45}}, unit, wall), m.shift));
    const double knob = std::max(0.24 * unit, 0.9 * wall);
    whole.parts.push_back({"knob", SphereShape{knob}, Vec3(0, 2.92 * unit + 0.85 * knob, 0) + m.shift, Vec3::Zero()});
  }
  return whole;
}

// One side of a spout: a Bezier patch whose four rows of control points are half circles, bulging towards z, or away
// from it, across a Bezier curve. The borders of both sides coincide, and so do their thickness there.
PatchShape spout_side(const TeapotMeasures& m, double side) {
  const std::array<Vec2, 4> path = {{{m.in - 0.03, 0.9}, {2.75, 0.9}, {3.05, 1.6}, {3.55, 2.3}}};
  const double from = 0.54 - m.wall / m.unit / 2, to = 0.13 + m.wall / m.unit / 2;  // of the wall's middle
  constexpr double kBulge = 4.0 / 3;  // a cubic curve is a half circle to 2 %
  PatchShape patch{{}, m.wall};
  for (std::size_t j = 0; j < 4; ++j) {
    const Vec2 along = (path[std::min<std::size_t>(j + 1, 3)] - path[j == 0 ? 0 : j - 1]).normalized();
    const double radius = from + (to - from) * static_cast<double>(j) / 3;
    for (const auto& [across, bulge] : {std::array{1.0, 0.0}, {1.0, kBulge}, {-1.0, kBulge}, {-1.0, 0.0}}) {
      const Vec2 at = path[j] + radius * across * Vec2(-along.y(), along.x());
      patch.points.emplace_back(m.unit * at.x(), m.unit * at.y(), side * m.unit * radius * bulge);
    }
  }
  return patch;
}

// From one length along a curve to another.
std::vector<Vec3> stretch_of(const std::vector<Vec3>& points, double from, double to) {
  constexpr int kPoints = 6;
  const Path path(points, false);
  std::vector<Vec3> part;
  for (int i = 0; i < kPoints; ++i)
    part.push_back(path.at(path.length() * (from + (to - from) * i / (kPoints - 1))).position);
  return part;
}

struct Thickness {
  double operator()(const BoxShape& box) const { return box.size.minCoeff(); }
  double operator()(const SlabShape& slab) const { return slab.size.minCoeff(); }
  double operator()(const SphereShape& sphere) const { return 2 * sphere.radius; }
  double operator()(const EllipsoidShape& ellipsoid) const { return 2 * ellipsoid.radii.minCoeff(); }
  double operator()(const CylinderShape& c) const { return std::min(2 * c.radius, c.height); }
  double operator()(const CapsuleShape& capsule) const { return 2 * capsule.radius; }
  double operator()(const TorusShape& torus) const { return 2 * torus.tube; }
  double operator()(const RevolveShape& revolve) const {
    if (!revolve.closed) return revolve.wall;
    double low = std::numeric_limits<double>::infinity(), high = -low, in = low, out = high;
    for (const Vec2& p : revolve.profile) {
      in = std::min(in, p.x()), out = std::max(out, p.x());
      low = std::min(low, p.y()), high = std::max(high, p.y());
    }
    return std::min(out - in, high - low);
  }
  double operator()(const TubeShape& tube) const {
    return tube.wall > 0 ? tube.wall : 2 * std::min(tube.radius, tube.end_radius.value_or(tube.radius));
  }
  double operator()(const PolygonShape& polygon) const { return polygon.depth; }
  double operator()(const TextShape& text) const { return std::min(text.depth, 0.15 * text.height); }  // a stroke
  double operator()(const auto& vessel) const { return vessel.wall; }
};

}  // namespace

GluedTeapot glued_teapot(const TeapotShape& pot) {
  const TeapotMeasures m = measures_of(pot);
  const double w = m.wall / m.unit;
  // The inner edge of the opening, where the wall leans inwards. The rim is a ledge below it, as thick as the wall and
  // about a cell wide, that reaches a little into the wall.
  const Vec2 opening(1.45 - 0.44 * w, 2.4 - 0.24 * w);
  const double ledge = opening.x() - std::max(0.14, 1.1 * w), half = w / 2;
  const std::vector<Vec2> rim = {m.unit * Vec2(ledge, opening.y() - half),
                                 m.unit * Vec2(opening.x() + 0.35 * w, opening.y() - half)};
  // The lid's lower edge lies over the ledge's inner one, a little above it.
  const Vec2 end(ledge + 0.03 + 0.3 * w, opening.y() + 0.04 + 0.4 * w);
  const double top = end.y() + 0.42;
  const std::vector<Vec2> lid = {{0, top}, {0.38 * end.x(), top}, {0.745 * end.x(), end.y() + 0.25}, end};
  // Its knob stands on the lid's upper side as a cylinder does, node on node, and is wider at the top.
  const double foot = std::max(0.14, 0.8 * w), head = std::max(0.24, 0.9 * w);
  const TubeShape knob{path_in_plane({{0, top + half}, {0, top + 0.28}, {0, top + 0.5}}, m.unit), foot * m.unit, 0,
                       false, head * m.unit};
  const auto handle = [&](const char* name, double from, double to) {
    return in_place(name, TubeShape{stretch_of(m.handle_path, from, to), m.handle, 0, false, {}}, m.shift);
  };
  return {
      .body = teapot_body(m),
      .rim = {{in_place("rim", RevolveShape{rim, CurveKind::polyline, false, m.wall}, m.shift)}},
      .handle = {{handle("handle", 0, 0.5), handle("lower handle", 0.5, 1)}},
      .spout = {{in_place("spout", spout_side(m, -1), m.shift), in_place("right spout", spout_side(m, 1), m.shift)}},
      .lid = {{in_place("lid", wall_of_revolution(lid, m.unit, m.wall), m.shift), in_place("knob", knob, m.shift)}}};
}

std::vector<UnionPart> UnionShape::cup_with_handle() {
  const CupShape cup{0.045, 0.1, 0.008};
  const double wall = cup.radius - cup.wall / 2;  // about where its middle is
  const TubeShape handle{{{0, 0.032, 0}, {0.024, 0.036, 0}, {0.036, 0.008, 0}, {0.022, -0.02, 0}, {-0.004, -0.024, 0}},
                         0.0065,
                         0,
                         false,
                         {}};
  return {{"cup", cup, Vec3::Zero(), Vec3::Zero()}, in_place("handle", handle, Vec3(0.98 * wall, 0, 0))};
}

std::optional<UnionShape> assembly_of(const Shape& shape) {
  if (const auto* goblet = std::get_if<GobletShape>(&shape)) return parts_of(*goblet);
  if (const auto* teapot = std::get_if<TeapotShape>(&shape)) return parts_of(*teapot);
  const auto* whole = std::get_if<UnionShape>(&shape);
  if (whole == nullptr) return std::nullopt;
  constexpr std::size_t most = 100;
  if (whole->parts.empty() || whole->parts.size() > most) {
    throw InputError({}, fmt::format("a union has 1 to {} parts, found {}", most, whole->parts.size()),
                     "each is { name = \"...\", shape = { kind = ... }, position = [x, y, z] }");
  }
  UnionShape named = *whole;
  for (std::size_t i = 0; i < named.parts.size(); ++i) {
    if (named.parts[i].name.empty()) named.parts[i].name = fmt::format("part-{}", i + 1);
  }
  return named;
}

Shape shape_of(const UnionPart& part) {
  return std::visit([](const auto& shape) { return Shape(shape); }, part.shape);
}

double thinnest(const PartShape& shape) { return std::visit(Thickness{}, shape); }

double thinnest(const UnionShape& assembly) {
  double least = std::numeric_limits<double>::infinity();
  for (const UnionPart& part : assembly.parts) least = std::min(least, thinnest(part.shape));
  return least;
}

}  // namespace sunder
