#include "shapes/path.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"

namespace sunder {
namespace {
// v after the least turn that takes the unit vector `from` to `to` (Rodrigues' formula without the angle); where they
// are opposite, the turn is about v, which stands at right angles to both.
Vec3 turned(const Vec3& v, const Vec3& from, const Vec3& to) {
  const double cosine = from.dot(to);
  if (cosine < -1 + 1e-12) return v;
  const Vec3 axis = from.cross(to);
  return cosine * v + axis.cross(v) + axis * (axis.dot(v) / (1 + cosine));
}

constexpr int kSamples = 64;  // of the curve from one point to the next

// Slope at b of the parabola through a, b, c with the given chord lengths.
Vec3 slope(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double h = (b - a).norm(), k = (c - b).norm();
  return ((b - a) / h * k + (c - b) / k * h) / (h + k);
}

std::vector<Vec3> sampled(std::span<const Vec3> x, bool closed) {
  const std::size_t n = x.size(), pieces = closed ? n : n - 1;
  std::vector<Vec3> slopes(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (closed || (i > 0 && i + 1 < n)) {
      slopes[i] = slope(x[(i + n - 1) % n], x[i], x[(i + 1) % n]);
    }
  }
  if (!closed) {
    // The curve of an end piece is a parabola: its second derivative is constant.
    const auto end = [](const Vec3& chord, const Vec3& inner) { return Vec3(2 * chord / chord.norm() - inner); };
    if (n == 2) {
      slopes[0] = slopes[1] = (x[1] - x[0]).normalized();
    } else {
      slopes[0] = end(x[1] - x[0], slopes[1]);
      slopes[n - 1] = end(x[n - 1] - x[n - 2], slopes[n - 2]);
    }
  }
  std::vector<Vec3> samples;
  for (std::size_t i = 0; i < pieces; ++i) {
    const std::size_t next = i + 1 < n ? i + 1 : 0;
    const Vec3 &a = x[i], &b = x[next];
    const double h = (b - a).norm();
    for (int k = i == 0 ? 0 : 1; k <= kSamples; ++k) {
      const double t = static_cast<double>(k) / kSamples, u = 1 - t;
      samples.emplace_back(u * u * (1 + 2 * t) * a + t * t * (3 - 2 * t) * b +
                           h * t * u * (u * slopes[i] - t * slopes[next]));
    }
  }
  return samples;
}

Vec3 any_normal(const Vec3& tangent) {
  int axis = 0;
  for (int i = 1; i < 3; ++i) {
    if (std::abs(tangent[i]) < std::abs(tangent[axis]) - 1e-9) axis = i;
  }
  return (Vec3::Unit(axis) - tangent[axis] * tangent).normalized();
}

}  // namespace

Path::Path(std::span<const Vec3> points, bool closed) : smallest_bend_(std::numeric_limits<double>::infinity()) {
  const std::size_t n = points.size(), least = closed ? 3 : 2;
  if (n < least) throw InputError({}, fmt::format("a path needs at least {} points, found {}", least, n));
  for (std::size_t i = closed ? 0 : 1; i < n; ++i) {
    if ((points[i] - points[(i + n - 1) % n]).norm() > 0) continue;
    throw InputError({}, fmt::format("points {} and {} of the path coincide", i == 0 ? n : i, i + 1), "remove one");
  }
  const std::vector<Vec3> x = sampled(points, closed);
  const std::size_t m = x.size();
  s_.push_back(0);
  for (std::size_t i = 1; i < m; ++i) s_.push_back(s_.back() + (x[i] - x[i - 1]).norm());
  frames_.resize(m);
  for (std::size_t i = 0; i < m; ++i) {
    const bool ends = !closed && (i == 0 || i + 1 == m);
    const std::size_t before = i > 0 ? i - 1 : m - 2, after = i + 1 < m ? i + 1 : 1;
    Frame& f = frames_[i];
    f.position = x[i];
    if (ends) {
      f.tangent = (i == 0 ? x[1] - x[0] : x[i] - x[i - 1]).normalized();
    } else {
      f.tangent = (x[after] - x[before]).normalized();
      const Vec3 in = x[i] - x[before], out = x[after] - x[i];
      const double bend = (out.normalized() - in.normalized()).norm() / ((in.norm() + out.norm()) / 2);
      smallest_bend_ = std::min(smallest_bend_, 1 / std::max(bend, 1e-300));
    }
  }
  // Carry the normal along with the least turn about the tangent.
  frames_[0].normal = any_normal(frames_[0].tangent);
  for (std::size_t i = 1; i < m; ++i) {
    Vec3 normal = turned(frames_[i - 1].normal, frames_[i - 1].tangent, frames_[i].tangent);
    normal -= normal.dot(frames_[i].tangent) * frames_[i].tangent;
    frames_[i].normal = normal.normalized();
  }
  if (closed) {
    // What is left over after one round is spread over it, so that the ends fit.
    const Frame &first = frames_.front(), &last = frames_.back();
    const double angle = std::atan2(last.normal.cross(first.normal).dot(first.tangent), last.normal.dot(first.normal));
    for (std::size_t i = 0; i < m; ++i) {
      frames_[i].normal = Eigen::AngleAxisd(angle * s_[i] / s_.back(), frames_[i].tangent) * frames_[i].normal;
    }
    frames_.back() = frames_.front();
  }
  for (Frame& f : frames_) f.binormal = f.tangent.cross(f.normal);
}

Path::Frame Path::at(double s) const {
  const auto above = std::upper_bound(s_.begin(), s_.end(), s);
  const auto i = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(above - s_.begin() - 1, 0, std::ssize(s_) - 2));
  const double t = std::clamp((s - s_[i]) / (s_[i + 1] - s_[i]), 0.0, 1.0);
  const auto mix = [t](const Vec3& a, const Vec3& b) { return Vec3((1 - t) * a + t * b); };
  Frame f;
  f.position = mix(frames_[i].position, frames_[i + 1].position);
  f.tangent = mix(frames_[i].tangent, frames_[i + 1].tangent).normalized();
  const Vec3 normal = mix(frames_[i].normal, frames_[i + 1].normal);
  f.normal = (normal - normal.dot(f.tangent) * f.tangent).normalized();
  f.binormal = f.tangent.cross(f.normal);
  return f;
}

double Path::nearest(const Vec3& x) const {
  double best = 0, least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i + 1 < s_.size(); ++i) {
    const Vec3 &a = frames_[i].position, d = frames_[i + 1].position - a;
    const double t = std::clamp((x - a).dot(d) / d.squaredNorm(), 0.0, 1.0);
    const double distance = (a + t * d - x).squaredNorm();
    if (distance >= least) continue;
    least = distance;
    best = s_[i] + t * (s_[i + 1] - s_[i]);
  }
  return best;
}

}  // namespace sunder
