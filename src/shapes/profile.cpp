#include "shapes/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/error.h"
#include "shapes/distance.h"
#include "shapes/outline.h"
#include "shapes/ring_chart.h"

namespace sunder {
namespace {

constexpr double kStraight = 10 * std::numbers::pi / 180;  // tangents that differ less meet smoothly
constexpr int kSamples = 64;                               // of a Bezier curve

Vec2 left_of(const Vec2& direction) { return {-direction.y(), direction.x()}; }

// The middle line with, at each vertex, the vector across the wall: a unit normal where the curve is straight, longer
// at bends, so that both sides are parallel to the middle (a mitre).
struct Wall {
  std::vector<Vec2> middle, across;
  std::vector<bool> corner;
  std::vector<double> s;  // arc length of the middle

  Vec2 at(std::size_t vertex, double w, double wall) const {
    return middle[vertex] + (w - 0.5) * wall * across[vertex];
  }
};

// From the axis or the lower end on, whichever way it was given.
Wall wall_of(const Profile& profile) {
  std::vector<Vec2> x = profile.points;
  std::vector<bool> corner = profile.corner;
  const bool reversed = x.front().x() != 0 && (x.back().x() == 0 || x.back().y() < x.front().y());
  if (reversed) {
    std::reverse(x.begin(), x.end());
    std::reverse(corner.begin(), corner.end());
  }
  Wall wall{x, {}, corner, {0}};
  for (std::size_t i = 0; i + 1 < x.size(); ++i) wall.s.push_back(wall.s.back() + (x[i + 1] - x[i]).norm());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Vec2 out = (i + 1 < x.size() ? x[i + 1] - x[i] : x[i] - x[i - 1]).normalized();
    const Vec2 in = (i > 0 ? x[i] - x[i - 1] : x[1] - x[0]).normalized();
    if (i == 0 && x[0].x() == 0) {
      wall.across.emplace_back(0, 1 / std::max(out.x(), 1e-3));  // the mirror image on the other side makes the bend
    } else {
      const Vec2 sum = left_of(in) + left_of(out);
      wall.across.push_back(2 * sum / std::max(sum.squaredNorm(), 1e-3));
    }
  }
  return wall;
}

std::vector<Vec2> section_of(const Wall& line, double wall) {
  std::vector<Vec2> loop;
  const std::size_t n = line.middle.size();
  for (std::size_t i = 0; i < n; ++i) loop.push_back(line.at(i, 0, wall));
  for (std::size_t i = n; i-- > 0;) loop.push_back(line.at(i, 1, wall));
  return loop;
}

// Of the solid that a cross-section in (r, y) sweeps. A side on the axis is no surface.
DistanceFunction revolved_distance(std::vector<Vec2> section, double centre) {
  if (section.front().x() == 0 && section.back().x() == 0) {
    // Mirrored, the cross-section has no side there.
    for (std::size_t i = section.size(); i-- > 0;) {
      if (section[i].x() > 0) section.emplace_back(-section[i].x(), section[i].y());
    }
  }
  return [loop = std::vector<std::vector<Vec2>>{std::move(section)}, centre](const Vec3& x) {
    return outline_distance(Vec2(std::hypot(x.x(), x.z()), x.y() + centre), loop);
  };
}

void require_a_curve(const Profile& profile) {
  const auto& x = profile.points;
  if (x.size() < 2) throw InputError({}, "a profile needs at least 2 points");
  for (std::size_t i = 0; i < x.size(); ++i) {
    const bool inner = i > 0 && i + 1 < x.size();
    if (x[i].x() < 0 || (inner && x[i].x() == 0)) {
      throw InputError({}, fmt::format("the profile reaches r = {:g} m at point {}", x[i].x(), i + 1),
                       "keep it on the side r > 0; only an end may lie on the axis");
    }
    if (i > 0 && !((x[i] - x[i - 1]).norm() > 0)) {
      throw InputError({}, fmt::format("points {} and {} of the profile coincide", i, i + 1), "remove one");
    }
  }
  if (x.front().x() == 0 && x.back().x() == 0) {
    throw InputError({}, "both ends of the profile lie on the axis: the hollow inside could not be reached",
                     "end it at a rim with r > 0");
  }
}

void require_a_sound_section(const Wall& line, double wall) {
  const std::string remedy = "use a smaller `wall` or wider bends";
  for (std::size_t i = 0; i < line.middle.size(); ++i) {
    for (const double w : {0.0, 1.0}) {
      const Vec2 side = line.at(i, w, wall);
      if (line.middle[i].x() > 0 && !(side.x() > 0)) {
        throw InputError(
            {}, fmt::format("a wall of {:g} m reaches across the axis where r = {:g} m", wall, line.middle[i].x()),
            remedy);
      }
      if (i == 0) continue;
      const Vec2 step = side - line.at(i - 1, w, wall);
      if (!(step.dot(line.middle[i] - line.middle[i - 1]) > 0)) {
        throw InputError(
            {}, fmt::format("a wall of {:g} m is too thick for the bend at r = {:g} m", wall, line.middle[i].x()),
            remedy);
      }
    }
  }
  if (crossing_sides(section_of(line, wall)).first >= 0) {
    throw InputError({}, "the wall runs into itself", "keep parts of the profile further than `wall` from each other");
  }
}

}  // namespace

Profile polyline(std::span<const Vec2> points) {
  return {{points.begin(), points.end()}, std::vector<bool>(points.size(), true)};
}

Profile bezier_profile(std::span<const Vec2> control) {
  if (control.size() < 4 || control.size() % 3 != 1) {
    throw InputError({}, fmt::format("a Bezier profile has 4, 7, 10, ... points, found {}", control.size()),
                     "each further curve takes 3 points: two handles and its end");
  }
  Profile profile;
  for (std::size_t c = 0; c + 3 < control.size(); c += 3) {
    const auto* p = &control[c];
    for (int i = c == 0 ? 0 : 1; i <= kSamples; ++i) {
      const double t = static_cast<double>(i) / kSamples, u = 1 - t;
      profile.points.emplace_back(u * u * u * p[0] + 3 * u * u * t * p[1] + 3 * u * t * t * p[2] + t * t * t * p[3]);
      profile.corner.push_back(i == kSamples);
    }
  }
  // An end of a curve is a corner only if it bends there.
  for (std::size_t i = 1; i + 1 < profile.points.size(); ++i) {
    if (!profile.corner[i]) continue;
    const Vec2 in = (profile.points[i] - profile.points[i - 1]).normalized();
    const Vec2 out = (profile.points[i + 1] - profile.points[i]).normalized();
    profile.corner[i] = in.dot(out) < std::cos(kStraight);
  }
  return profile;
}

std::vector<Vec2> wall_section(const Profile& profile, double wall) { return section_of(wall_of(profile), wall); }

Mapping revolved_wall(const Profile& profile, double wall) {
  require_a_curve(profile);
  const Wall line = wall_of(profile);
  require_a_sound_section(line, wall);
  const std::vector<Vec2> section = section_of(line, wall);
  const std::size_t n = line.middle.size();
  std::vector<double> r(n);
  for (std::size_t i = 0; i < n; ++i) r[i] = line.middle[i].x();
  const RingChart chart(line.s, r);
  if (!(chart.length() < RingChart::kLongest)) {
    throw InputError({}, "the profile is too long for its narrowest places", "make it wider, or shorter");
  }
  const auto [lowest, highest] =
      std::minmax_element(section.begin(), section.end(), [](const Vec2& a, const Vec2& b) { return a.y() < b.y(); });
  const double centre = (lowest->y() + highest->y()) / 2;

  Mapping mapping;
  RingDomain domain{{chart.radius(0)}, "foot", "rim"};
  double last_crease = 0, narrowest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < n; ++i) {
    mapping.area += std::numbers::pi * (r[i] + r[i - 1]) * (line.s[i] - line.s[i - 1]);
    const bool waist = i + 1 < n && r[i] <= r[i - 1] && r[i] <= r[i + 1];
    if (waist || (i + 1 == n && r[i] < r[i - 1])) narrowest = std::min(narrowest, r[i]);
    if (i + 1 < n && !line.corner[i]) continue;
    domain.radii.push_back(chart.radius(i));
    // Between rings nearer than an edge, triangles would be flat.
    if (n > 2) mapping.largest_edge = std::min(mapping.largest_edge, 1.3 * (line.s[i] - last_crease));
    last_crease = line.s[i];
  }
  if (r[0] > 0) narrowest = std::min(narrowest, r[0]);
  constexpr double fewest_round = 6;
  mapping.largest_edge = std::min(mapping.largest_edge, 2 * std::numbers::pi * narrowest / fewest_round);
  mapping.domain = domain;
  mapping.centre = Vec3(0, centre, 0);
  mapping.bottom = "outside";
  mapping.top = "inside";
  mapping.thickness = wall;
  mapping.volume = std::abs(revolved_volume(section));
  mapping.texture_wraps = true;
  mapping.place = [line, chart, wall, centre](const Vec2& x, double w) {
    const auto [i, f, angle] = chart.locate(x);
    const Vec2 p = (1 - f) * line.at(i, w, wall) + f * line.at(i + 1, w, wall);
    return Vec3(p.x() * std::cos(angle), p.y() - centre, -p.x() * std::sin(angle));
  };
  mapping.distance = revolved_distance(section, centre);
  mapping.texture = [chart, s = line.s](const Vec2& x) {
    const auto [i, f, angle] = chart.locate(x);
    return Vec2(angle / (2 * std::numbers::pi), ((1 - f) * s[i] + f * s[i + 1]) / s.back());
  };
  return mapping;
}

Mapping revolved_outline(const Profile& outline) {
  std::vector<Vec2> loop = outline.points;
  std::vector<bool> corner = outline.corner;
  double nearest = std::numeric_limits<double>::infinity(), furthest = 0, low = nearest, high = -nearest;
  for (const Vec2& p : loop) {
    nearest = std::min(nearest, p.x());
    furthest = std::max(furthest, p.x());
    low = std::min(low, p.y());
    high = std::max(high, p.y());
  }
  if (!(nearest > 0.1 * furthest)) {
    throw InputError({},
                     fmt::format("the closed profile comes as near to the axis as r = {:g} m, and reaches {:g} m",
                                 nearest, furthest),
                     "keep it further away than a tenth of its reach, or use a `wall`");
  }
  if (signed_area(loop) < 0) {
    std::reverse(loop.begin(), loop.end());
    std::reverse(corner.begin(), corner.end());
  }
  const SidePair crossing = crossing_sides(loop);
  if (crossing.first >= 0) {
    throw InputError(
        {},
        fmt::format("sides {} and {} of the closed profile cross or touch", crossing.first + 1, crossing.second + 1),
        "give its points in order round the outline");
  }
  const double centre = (low + high) / 2, width = furthest - nearest, height = high - low;
  Mapping mapping;
  mapping.area = signed_area(loop);
  mapping.volume = revolved_volume(loop);
  mapping.thickness = mapping.volume / mapping.area;  // the way round of the centroid
  mapping.closed = true;
  mapping.centre = Vec3(0, centre, 0);
  mapping.domain = PolygonDomain{{{loop, corner, "surface"}}};
  mapping.place = [centre](const Vec2& x, double w) {
    const double angle = 2 * std::numbers::pi * w;
    return Vec3(x.x() * std::cos(angle), x.y() - centre, x.x() * std::sin(angle));
  };
  mapping.distance = revolved_distance(loop, centre);
  mapping.texture = [=](const Vec2& x) { return Vec2((x.x() - nearest) / width, (x.y() - low) / height); };
  return mapping;
}

}  // namespace sunder
