#include "render/frame_between.h"

namespace sunder::render {

Frame frame_between(const Frame& a, const Frame& b, double share) {
  if (share <= 0) return a;
  if (share >= 1) return b;
  const double span = b.time - a.time, time = a.time + share * span;
  const bool same = a.tets == b.tets && a.node_uid == b.node_uid;
  Frame result = share < 0.5 || same ? a : b;
  if (same) {
    // Hermite's basis: h00 a + h10 span va + h01 b + h11 span vb, and its derivative.
    const double s = share, s2 = s * s, s3 = s2 * s;
    for (std::size_t n = 0; n < result.position.size(); ++n) {
      const Vec3 &xa = a.position[n], &xb = b.position[n];
      const Vec3 ma = span * a.velocity[n], mb = span * b.velocity[n];
      result.position[n] =
          (2 * s3 - 3 * s2 + 1) * xa + (s3 - 2 * s2 + s) * ma + (3 * s2 - 2 * s3) * xb + (s3 - s2) * mb;
      if (span > 0) {
        result.velocity[n] = ((6 * s2 - 6 * s) * (xa - xb) + (3 * s2 - 4 * s + 1) * ma + (3 * s2 - 2 * s) * mb) / span;
      }
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
  result.time = time;
  return result;
}

}  // namespace sunder::render
