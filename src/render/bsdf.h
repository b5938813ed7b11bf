#pragma once
// How paints scatter light. Directions point away from the surface, in its axes, z along the normal; for glass z points
// out of the body, for all other paints to the side that is looked at.
//
// Facets that shadow each other would swallow light that in truth leaves after several bounces. Tables of what a single
// bounce returns (made once per paint) give it back, after Kulla and Conty 2017 and Turquin 2019: a white paint returns
// all light.

#include <array>
#include <optional>
#include <vector>

#include "render/paint.h"

namespace sunder::render {

struct Scattered {
  Vec3f direction;
  Color weight;              // f cos / pdf
  float pdf = 0;             // per solid angle; of no meaning if `certain`
  bool certain = false;      // a mirror or smooth glass: no other direction was possible
  bool transmitted = false;  // through the surface
};

struct Scattering {
  Color value = Color::Zero();  // f cos
  float pdf = 0;
};

class Bsdf {
 public:
  explicit Bsdf(const Paint& paint);

  // Takes part in next-event estimation: it has directions with a finite density.
  bool has_density() const { return !smooth_; }
  bool is_glass() const { return paint_.kind == PaintKind::glass; }

  // `color` is the paint's at the point. Nothing: the light is lost (below the horizon).
  std::optional<Scattered> sample(const Vec3f& out, const Color& color, float choice, const Vec2f& u) const;
  Scattering evaluate(const Vec3f& out, const Vec3f& in, const Color& color) const;

  const Paint& paint() const { return paint_; }

 private:
  static constexpr int kEntries = 48;
  // Share of light that one bounce returns, over sqrt(cos): steep near the horizon.
  using Table = std::array<float, kEntries>;

  static float look_up(const Table& table, float cosine);
  std::optional<Scattered> sample_glass(const Vec3f& out, float choice, const Vec2f& u, bool compensated) const;
  Scattering evaluate_glass(const Vec3f& out, const Vec3f& in) const;
  Scattering evaluate_metal(const Vec3f& out, const Vec3f& in, const Color& color) const;
  Scattering evaluate_coated(const Vec3f& out, const Vec3f& in, const Color& color) const;
  float coat_share(const Vec3f& out, const Color& color) const;
  Table coat_or_metal_table() const;
  Table glass_table(float side) const;

  Paint paint_;
  float alpha_ = 0;
  bool smooth_ = false;
  Table front_{}, back_{};
  float base_light_ = 1;  // what reaches a coated base from all around
};

}  // namespace sunder::render
