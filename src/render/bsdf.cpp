#include "render/bsdf.h"

#include <algorithm>

#include "render/ggx.h"
#include "render/sampler.h"

namespace sunder::render {
namespace {

// Below this a surface is a perfect mirror: its highlight is smaller than a pixel.
constexpr float kSmoothRoughness = 0.03f;
constexpr float kLeastCoatRoughness = 0.04f;  // so that highlights of lights have a density

Vec3f cosine_direction(const Vec2f& u) {
  const float r = std::sqrt(u.x()), phi = 2 * kPi * u.y();
  return {r * std::cos(phi), r * std::sin(phi), std::sqrt(std::max(0.0f, 1 - u.x()))};
}

Vec3f direction_at(float cosine) { return {std::sqrt(std::max(0.0f, 1 - cosine * cosine)), 0, cosine}; }

}  // namespace

Bsdf::Bsdf(const Paint& paint) : paint_(paint) {
  float roughness = std::clamp(paint.roughness, 0.0f, 1.0f);
  if (paint.kind == PaintKind::coated) roughness = std::max(roughness, kLeastCoatRoughness);
  alpha_ = roughness * roughness;
  const bool by_facets = paint.kind == PaintKind::metal || paint.kind == PaintKind::glass;
  smooth_ = by_facets && roughness < kSmoothRoughness;
  if (smooth_ || paint.kind == PaintKind::diffuse) return;
  if (paint.kind == PaintKind::glass) {
    front_ = glass_table(1);
    back_ = glass_table(-1);
    return;
  }
  front_ = coat_or_metal_table();
  if (paint.kind != PaintKind::coated) return;
  constexpr int steps = 512;  // base_light = 2 integral of (1 - E(mu)) mu dmu
  base_light_ = 0;
  for (int i = 0; i < steps; ++i) {
    const float mu = (static_cast<float>(i) + 0.5f) / steps;
    base_light_ += 2 * (1 - look_up(front_, mu)) * mu / steps;
  }
}

float Bsdf::look_up(const Table& table, float cosine) {
  const float at = std::sqrt(std::clamp(std::abs(cosine), 0.0f, 1.0f)) * (kEntries - 1);
  const int i = std::min(static_cast<int>(at), kEntries - 2);
  const float t = at - static_cast<float>(i);
  const auto k = static_cast<std::size_t>(i);
  return (1 - t) * table[k] + t * table[k + 1];
}

Bsdf::Table Bsdf::coat_or_metal_table() const {
  constexpr std::uint32_t samples = 1024;
  Table table;
  for (int k = 0; k < kEntries; ++k) {
    const float s = static_cast<float>(std::max(k, 1)) / (kEntries - 1);  // at the horizon itself nothing is defined
    const Vec3f out = direction_at(s * s);
    double sum = 0;
    for (std::uint32_t i = 0; i < samples; ++i) {
      const Vec3f h = sample_seen_facet(out, alpha_, Sampler(0, 0, i).next2());
      const Vec3f in = reflected(out, h);
      if (in.z() <= 0) continue;
      const float f = paint_.kind == PaintKind::metal ? 1 : fresnel_dielectric(out.dot(h), paint_.index);
      sum += static_cast<double>(f * smith_g2(out, in, alpha_) / smith_g1(out, alpha_));
    }
    table[static_cast<std::size_t>(k)] = static_cast<float>(sum / samples);
  }
  return table;
}

Bsdf::Table Bsdf::glass_table(float side) const {
  constexpr std::uint32_t samples = 1024;
  Table table;
  for (int k = 0; k < kEntries; ++k) {
    const float s = static_cast<float>(std::max(k, 1)) / (kEntries - 1);
    const Vec3f out = side * direction_at(s * s);
    double sum = 0;
    for (std::uint32_t i = 0; i < samples; ++i) {
      Sampler sampler(0, 0, i);
      const Vec2f u = sampler.next2();
      if (const auto light = sample_glass(out, sampler.next(), u, false)) sum += static_cast<double>(light->weight[0]);
    }
    table[static_cast<std::size_t>(k)] = std::max(static_cast<float>(sum / samples), 0.05f);
  }
  return table;
}

std::optional<Scattered> Bsdf::sample(const Vec3f& out, const Color& color, float choice, const Vec2f& u) const {
  switch (paint_.kind) {
    case PaintKind::diffuse: {
      const Vec3f in = cosine_direction(u);
      if (in.z() <= 0 || out.z() <= 0) return {};
      return Scattered{.direction = in, .weight = color, .pdf = in.z() / kPi};
    }
    case PaintKind::glass:
      return sample_glass(out, choice, u, true);
    case PaintKind::metal: {
      if (out.z() <= 0) return {};
      if (smooth_) {
        return Scattered{.direction = Vec3f(-out.x(), -out.y(), out.z()),
                         .weight = fresnel_schlick(color, out.z()),
                         .certain = true};
      }
      const Vec3f in = reflected(out, sample_seen_facet(out, alpha_, u));
      const Scattering s = evaluate_metal(out, in, color);
      if (!(s.pdf > 0)) return {};
      return Scattered{.direction = in, .weight = s.value / s.pdf, .pdf = s.pdf};
    }
    case PaintKind::coated: {
      if (out.z() <= 0) return {};
      const Vec3f in =
          choice < coat_share(out, color) ? reflected(out, sample_seen_facet(out, alpha_, u)) : cosine_direction(u);
      const Scattering s = evaluate_coated(out, in, color);
      if (!(s.pdf > 0)) return {};
      return Scattered{.direction = in, .weight = s.value / s.pdf, .pdf = s.pdf};
    }
  }
  return {};
}

Scattering Bsdf::evaluate(const Vec3f& out, const Vec3f& in, const Color& color) const {
  if (smooth_) return {};
  switch (paint_.kind) {
    case PaintKind::diffuse:
      if (in.z() <= 0 || out.z() <= 0) return {};
      return {color * in.z() / kPi, in.z() / kPi};
    case PaintKind::glass:
      return evaluate_glass(out, in);
    case PaintKind::metal:
      return evaluate_metal(out, in, color);
    case PaintKind::coated:
      return evaluate_coated(out, in, color);
  }
  return {};
}

Scattering Bsdf::evaluate_metal(const Vec3f& out, const Vec3f& in, const Color& color) const {
  if (in.z() <= 0 || out.z() <= 0) return {};
  const Vec3f h = (out + in).normalized();
  const float d = ggx_density(h, alpha_);
  // What other facets catch comes back, dyed once more: 1 + F0 (1 - E) / E                      Turquin 2019 (16)
  const float e = std::max(look_up(front_, out.z()), 0.05f);
  const Color value = fresnel_schlick(color, out.dot(h)) * (1 + color * ((1 - e) / e)) *
                      (d * smith_g2(out, in, alpha_) / (4 * out.z()));
  return {value, seen_facet_pdf(out, h, alpha_) / (4 * out.dot(h))};
}

float Bsdf::coat_share(const Vec3f& out, const Color& color) const {
  const float coat = look_up(front_, out.z());
  return std::clamp(coat / (coat + (1 - coat) * luminance(color) + 1e-4f), 0.25f, 0.9f);
}

Scattering Bsdf::evaluate_coated(const Vec3f& out, const Vec3f& in, const Color& color) const {
  if (in.z() <= 0 || out.z() <= 0) return {};
  const Vec3f h = (out + in).normalized();
  const float f = fresnel_dielectric(out.dot(h), paint_.index);
  const float coat = f * ggx_density(h, alpha_) * smith_g2(out, in, alpha_) / (4 * out.z());
  // The base sees what the coat leaves over, both ways                                   Kelemen and Szirmay-Kalos 2001
  const float through = (1 - look_up(front_, out.z())) * (1 - look_up(front_, in.z())) / base_light_;
  const float share = coat_share(out, color);
  return {coat + color * (through * in.z() / kPi),
          share * seen_facet_pdf(out, h, alpha_) / (4 * out.dot(h)) + (1 - share) * in.z() / kPi};
}

// eta is the index behind the surface over the index before it, seen from `out`. The radiance's factor 1 / eta^2 of a
// passage is left out: every path goes in as often as it comes out.
std::optional<Scattered> Bsdf::sample_glass(const Vec3f& out, float choice, const Vec2f& u, bool compensated) const {
  if (out.z() == 0) return {};
  const float side = out.z() > 0 ? 1 : -1;
  const float eta = out.z() > 0 ? paint_.index : 1 / paint_.index;
  const Vec3f w = side * out;  // mirrored at the origin: the upper side does for both
  const Vec3f h = smooth_ ? Vec3f(0, 0, 1) : sample_seen_facet(w, alpha_, u);
  const float c = w.dot(h);
  if (c <= 0) return {};
  const float f = fresnel_dielectric(c, eta);
  Scattered light;
  light.transmitted = choice >= f;
  const Vec3f in = light.transmitted ? refracted(w, h, eta) : reflected(w, h);
  if (light.transmitted ? in.z() >= 0 : in.z() <= 0) return {};
  light.direction = side * in;
  light.certain = smooth_;
  light.weight = Color::Ones();
  if (smooth_) return light;
  float weight = smith_g2(w, in, alpha_) / smith_g1(w, alpha_);
  if (compensated) weight /= look_up(side > 0 ? front_ : back_, w.z());
  light.weight *= weight;
  const float facet = seen_facet_pdf(w, h, alpha_);
  if (light.transmitted) {
    const float inner = c + eta * in.dot(h);
    light.pdf = (1 - f) * facet * eta * eta * std::abs(in.dot(h)) / (inner * inner);
  } else {
    light.pdf = f * facet / (4 * c);
  }
  return light;
}

Scattering Bsdf::evaluate_glass(const Vec3f& out, const Vec3f& in_world) const {
  if (out.z() == 0 || in_world.z() == 0) return {};
  const float side = out.z() > 0 ? 1 : -1;
  const float eta = out.z() > 0 ? paint_.index : 1 / paint_.index;
  const Vec3f w = side * out, in = side * in_world;
  const bool transmitted = in.z() < 0;
  Vec3f h = transmitted ? Vec3f(-(w + eta * in)) : Vec3f(w + in);
  const float length = h.norm();
  if (length < 1e-6f) return {};
  h /= length;
  if (h.z() < 0) h = -h;
  const float c = w.dot(h), c_in = in.dot(h);
  if (c <= 0 || (transmitted ? c_in >= 0 : c_in <= 0)) return {};
  const float f = fresnel_dielectric(c, eta);
  const float facet = seen_facet_pdf(w, h, alpha_);
  float pdf = f * facet / (4 * c);
  if (transmitted) {
    const float inner = c + eta * c_in;
    if (inner * inner < 1e-12f) return {};
    pdf = (1 - f) * facet * eta * eta * std::abs(c_in) / (inner * inner);
  }
  const float weight = smith_g2(w, in, alpha_) / smith_g1(w, alpha_) / look_up(side > 0 ? front_ : back_, w.z());
  return {Color::Constant(weight * pdf), pdf};
}

}  // namespace sunder::render
