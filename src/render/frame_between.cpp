#include "render/frame_between.h"

namespace sunder::render {

namespace {

// Hermite's cubic: place and velocity at a share of the span between two moments.
void put_between(const Vec3& xa, const Vec3& va, const Vec3& xb, const Vec3& vb, double span, double s, Vec3& x,
                 Vec3& v) {
  const double s2 = s * s, s3 = s2 * s;
  const Vec3 ma = span * va, mb = span * vb;
  x = (2 * s3 - 3 * s2 + 1) * xa + (s3 - 2 * s2 + s) * ma + (3 * s2 - 2 * s3) * xb + (s3 - s2) * mb;
  if (span > 0) v = ((6 * s2 - 6 * s) * (xa - xb) + (3 * s2 - 4 * s + 1) * ma + (3 * s2 - 2 * s) * mb) / span;
}

// Grains that were born in between are there from the middle on, as the crack that shed them is.
std::vector<FrameGrain> grains_between(const Frame& a, const Frame& b, double share) {
  std::vector<FrameGrain> grains = share < 0.5 ? a.grains : b.grains;
  const double span = b.time - a.time;
  for (std::size_t g = 0; g < grains.size(); ++g) {
    if (g < a.grains.size() && g < b.grains.size()) {
      put_between(a.grains[g].position, a.grains[g].velocity, b.grains[g].position, b.grains[g].velocity, span, share,
                  grains[g].position, grains[g].velocity);
    } else {
      grains[g].position -= (1 - share) * span * grains[g].velocity;
    }
  }
  return grains;
}

}  // namespace

Frame frame_between(const Frame& a, const Frame& b, double share) {
  if (share <= 0) return a;
  if (share >= 1) return b;
  const double span = b.time - a.time, time = a.time + share * span;
  const bool same = a.tets == b.tets && a.triangles == b.triangles && a.node_uid == b.node_uid;
  Frame result = share < 0.5 || same ? a : b;
  if (same) {
    for (std::size_t n = 0; n < result.position.size(); ++n) {
      put_between(a.position[n], a.velocity[n], b.position[n], b.velocity[n], span, share, result.position[n],
                  result.velocity[n]);
    }
    for (std::size_t t = 0; t < result.plastic_strain.size(); ++t) {
      result.plastic_strain[t] = (1 - share) * a.plastic_strain[t] + share * b.plastic_strain[t];
    }
    for (std::size_t t = 0; t < result.stress.size(); ++t) {
      result.stress[t] = (1 - share) * a.stress[t] + share * b.stress[t];
    }
  } else {
    const double ahead = time - result.time;
    for (std::size_t n = 0; n < result.position.size(); ++n) result.position[n] += ahead * result.velocity[n];
  }
  result.grains = grains_between(a, b, share);
  result.time = time;
  return result;
}

}  // namespace sunder::render
