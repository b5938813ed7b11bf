#pragma once
// Vectors, colours and rays of the renderer: single precision, which is Embree's and more than an eye can tell.

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cmath>
#include <limits>
#include <numbers>

namespace sunder::render {

using Vec2f = Eigen::Vector2f;
using Vec3f = Eigen::Vector3f;
using Color = Eigen::Array3f;  // linear RGB with the primaries of sRGB; radiance, or a share of light between 0 and 1

inline constexpr float kPi = std::numbers::pi_v<float>;
inline constexpr float kFar = std::numeric_limits<float>::infinity();

inline float luminance(const Color& c) { return 0.2126f * c[0] + 0.7152f * c[1] + 0.0722f * c[2]; }
inline bool is_black(const Color& c) { return !(c.maxCoeff() > 0); }

struct Ray {
  Vec3f origin, direction;  // direction is one long
  float time = 0.5f;        // 0: the shutter opens, 1: it closes
};

// Axes at right angles to each other with z along a direction. After Frisvad 2012 as Duff et al. 2017 mend it.
struct Axes {
  Vec3f x, y, z;

  explicit Axes(const Vec3f& n) : z(n) {
    const float sign = std::copysign(1.0f, n.z());
    const float a = -1 / (sign + n.z());
    const float b = n.x() * n.y() * a;
    x = Vec3f(1 + sign * n.x() * n.x() * a, sign * b, -sign * n.x());
    y = Vec3f(b, sign + n.y() * n.y() * a, -n.y());
  }
  Vec3f to_local(const Vec3f& v) const { return {v.dot(x), v.dot(y), v.dot(z)}; }
  Vec3f to_world(const Vec3f& v) const { return v.x() * x + v.y() * y + v.z() * z; }
};

}  // namespace sunder::render
