#pragma once
// The GGX distribution of microfacets (Walter et al. 2007), Smith's height-correlated shadowing, sampling of the facets
// that are seen (Heitz 2018, by caps of the sphere after Dupuy and Benyoub 2023), and Fresnel's formulas.
// Directions are in the surface's axes, z up; alpha = roughness^2.

#include <algorithm>

#include "render/light_types.h"

namespace sunder::render {

inline float ggx_density(const Vec3f& h, float alpha) {
  const float a2 = alpha * alpha;
  const float t = (h.x() * h.x() + h.y() * h.y()) / a2 + h.z() * h.z();
  return 1 / (kPi * a2 * t * t);
}

// Lambda of Smith: G1 = 1 / (1 + Lambda).
inline float smith_lambda(const Vec3f& w, float alpha) {
  const float z2 = w.z() * w.z();
  if (z2 <= 0) return kFar;
  const float tan2 = (w.x() * w.x() + w.y() * w.y()) / z2;
  return (std::sqrt(1 + alpha * alpha * tan2) - 1) / 2;
}
inline float smith_g1(const Vec3f& w, float alpha) { return 1 / (1 + smith_lambda(w, alpha)); }
inline float smith_g2(const Vec3f& a, const Vec3f& b, float alpha) {
  return 1 / (1 + smith_lambda(a, alpha) + smith_lambda(b, alpha));
}

// A facet normal seen from w (w.z > 0), with density G1(w) D(h) (w.h) / w.z.
inline Vec3f sample_seen_facet(const Vec3f& w, float alpha, const Vec2f& u) {
  const Vec3f stretched = Vec3f(alpha * w.x(), alpha * w.y(), w.z()).normalized();
  const float z = (1 - u.y()) * (1 + stretched.z()) - stretched.z();
  const float r = std::sqrt(std::max(0.0f, 1 - z * z)), phi = 2 * kPi * u.x();
  const Vec3f h = Vec3f(r * std::cos(phi), r * std::sin(phi), z) + stretched;
  return Vec3f(alpha * h.x(), alpha * h.y(), std::max(0.0f, h.z())).normalized();
}
inline float seen_facet_pdf(const Vec3f& w, const Vec3f& h, float alpha) {
  return smith_g1(w, alpha) * ggx_density(h, alpha) * std::abs(w.dot(h)) / std::abs(w.z());
}

// Share of unpolarised light that a smooth interface reflects; eta = index behind it / index before it.
inline float fresnel_dielectric(float cos_in, float eta) {
  const float c = std::min(std::abs(cos_in), 1.0f);
  const float sin2 = (1 - c * c) / (eta * eta);
  if (sin2 >= 1) return 1;  // total reflection
  const float t = std::sqrt(1 - sin2);
  const float s_polarised = (c - eta * t) / (c + eta * t), p_polarised = (eta * c - t) / (eta * c + t);
  return (s_polarised * s_polarised + p_polarised * p_polarised) / 2;
}

inline Color fresnel_schlick(const Color& head_on, float cos_in) {
  const float m = std::clamp(1 - cos_in, 0.0f, 1.0f);
  return head_on + (1 - head_on) * (m * m * m * m * m);
}

inline Vec3f reflected(const Vec3f& w, const Vec3f& h) { return 2 * w.dot(h) * h - w; }

// Snell's law; w and h on the same side, no total reflection.
inline Vec3f refracted(const Vec3f& w, const Vec3f& h, float eta) {
  const float c = w.dot(h);
  const float sin2 = std::max(0.0f, 1 - c * c) / (eta * eta);
  return -w / eta + (c / eta - std::sqrt(std::max(0.0f, 1 - sin2))) * h;
}

}  // namespace sunder::render
