#include "collision/mass_properties.h"

#include <numbers>

#include "collision/closed_surface.h"

namespace sunder {
namespace {

constexpr double kPi = std::numbers::pi;

Mat3 diagonal(double x, double y, double z) { return Vec3(x, y, z).asDiagonal(); }

MassProperties solid(const Collider&, const GroundCollider&) { return {}; }
MassProperties solid(const Collider&, const PlaneCollider&) { return {}; }

MassProperties solid(const Collider&, const SphereCollider& sphere) {
  const double r = sphere.radius, volume = 4.0 / 3 * kPi * r * r * r, i = 0.4 * volume * r * r;
  return {volume, Vec3::Zero(), diagonal(i, i, i)};
}

MassProperties solid(const Collider&, const BoxCollider& box) {
  const double volume = box.size.prod();
  const Vec3 s = box.size.cwiseAbs2() * volume / 12;
  return {volume, Vec3::Zero(), diagonal(s.y() + s.z(), s.z() + s.x(), s.x() + s.y())};
}

// A cylinder of length h and two halves of a ball, whose centres of mass lie 3/8 r beyond the cylinder's ends.
MassProperties solid(const Collider&, const CapsuleCollider& capsule) {
  const double r = capsule.radius, h = 2 * capsule.half_axis();
  const double cylinder = kPi * r * r * h, ball = 4.0 / 3 * kPi * r * r * r;
  const double along = cylinder * r * r / 2 + ball * 0.4 * r * r;
  const double across = cylinder * (h * h / 12 + r * r / 4) + ball * (0.4 * r * r + h * h / 4 + 3.0 / 8 * h * r);
  return {cylinder + ball, Vec3::Zero(), diagonal(across, along, across)};
}

// The divergence theorem: the signed tetrahedra from any one point to the triangles add up to the solid.
//   integral of 1      det / 6                             det = a . (b x c)
//               x      det / 24 s                          s = a + b + c
//               x x^T  det / 120 (a a^T + b b^T + c c^T + s s^T)
MassProperties solid(const Collider& collider, const MeshCollider&) {
  const ClosedSurface& surface = *collider.surface;
  const Vec3 middle = surface.bounds().centre();
  double volume = 0;
  Vec3 moment = Vec3::Zero();
  Mat3 square = Mat3::Zero();
  for (const auto& t : surface.triangles()) {
    const Vec3 a = surface.points()[t[0]] - middle, b = surface.points()[t[1]] - middle,
               c = surface.points()[t[2]] - middle, s = a + b + c;
    const double det = a.dot(b.cross(c));
    volume += det / 6;
    moment += det / 24 * s;
    square += det / 120 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose());
  }
  const Vec3 centre = moment / volume;
  square -= volume * centre * centre.transpose();
  return {volume, middle + centre, square.trace() * Mat3::Identity() - square};
}

}  // namespace

MassProperties solid_of_density(const Collider& collider, double density) {
  MassProperties p = std::visit([&](const auto& shape) { return solid(collider, shape); }, collider.shape);
  p.mass *= density;
  p.inertia *= density;
  return p;
}

MassProperties mass_properties(const Collider& collider) {
  if (!collider.mass) return solid_of_density(collider, collider.density.value_or(1));
  MassProperties p = solid_of_density(collider, 1);
  p.inertia *= *collider.mass / p.mass;
  p.mass = *collider.mass;
  return p;
}

}  // namespace sunder
