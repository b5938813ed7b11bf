#pragma once
// What a surface looks like.

#include <array>
#include <memory>

#include "render/light_types.h"

namespace sunder::render {

struct Texture;

enum class PaintKind {
  diffuse,  // chalk, clay
  coated,   // a diffuse base under a clear coat: glazed ceramic, plastic, rubber
  metal,    // a mirror if the roughness is 0
  glass,    // clear, smooth or rough
};

// Unevenness of what lies in the open, such as earth: smooth noise in material coordinates, in octaves from `size`
// on. It stays on its pieces when a body breaks.
struct Weathering {
  float mottle = 0;   // the colour is up to so much darker or lighter
  float grit = 0;     // slope of bumps, which only the shading sees
  float size = 0.1f;  // m
  bool any() const { return mottle > 0 || grit > 0; }
};

struct Paint {
  PaintKind kind = PaintKind::diffuse;
  Color color = Color::Constant(0.7f);     // of the base; of a metal's reflection head-on; what glass lets through
  float roughness = 0;                     // 0 smooth .. 1 dull; of coat, metal or glass
  float index = 1.5f;                      // of refraction, of coat and glass
  float clear_depth = 0.05f;               // m of glass that dye white light with `color`
  std::shared_ptr<const Texture> texture;  // times `color`; laid on in material coordinates
  bool texture_uv = false;                 // or by texture coordinates, where there are some
  Weathering weathering;
};

}  // namespace sunder::render
