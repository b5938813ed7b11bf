#include "collision/safe_travel.h"

namespace sunder {
namespace {

constexpr double kShare = 0.99;  // of what is there: the rest covers round-off

// The largest travel, to a factor, at which change(travel) is at most `room`. `linear` is a root of its linear part:
// the true one is smaller.
template <class Change>
double travel_within(double room, double linear, Change&& change) {
  for (int i = 0; i < 12; ++i, linear *= 0.7) {
    if (change(linear) <= room) return linear;
  }
  return 0;
}

}  // namespace

// h = A . (x - a) changes by |dA| |x - a| + |A| 2 d + |dA| 2 d at most, if all move by d.
double safe_travel_in_front(const TriangleCorners& t, const Vec3& area, const Vec3& x) {
  AreaVector a;
  a.add(t);
  const Vec3 from_corner = x - t[0];
  const double size = area.norm(), distance = from_corner.norm();
  const double room = kShare * area.dot(from_corner);
  if (!(room > 1e-9 * size * distance)) return 0;
  const double linear = room / (a.edges * distance + 2 * size);
  return travel_within(room, linear, [&](double d) { return a.change(d) * (distance + 2 * d) + 2 * size * d; });
}

// A . B changes by |A| |dB| + |B| |dA| + |dA| |dB| at most.
double safe_travel_alike(const AreaVector& a, const AreaVector& b) {
  const double one = a.sum.norm(), other = b.sum.norm();
  const double room = kShare * a.sum.dot(b.sum);
  if (!(room > 1e-9 * one * other)) return 0;
  const double linear = room / (one * b.edges + other * a.edges);
  return travel_within(room, linear,
                       [&](double d) { return one * b.change(d) + other * a.change(d) + a.change(d) * b.change(d); });
}

}  // namespace sunder
