#pragma once
// Light from far away: a smooth dome, and a sun.

#include "render/light_types.h"

namespace sunder::render {

struct Sky {
  Color zenith = Color::Constant(1), horizon = Color::Constant(1), below = Color::Constant(1);  // radiance
  float blend = 0.5f;  // exponent of the way from horizon to zenith over the sine of the height

  Vec3f sun = Vec3f(0.5f, 0.7f, 0.3f).normalized();  // towards it
  Color sun_light = Color::Zero();                   // irradiance of a surface that faces it; 0: no sun
  float sun_radius = 0.02f;                          // radians; the real one's 0.0047 makes harder shadows
  Color glow = Color::Zero();                        // radiance added round the sun

  bool has_sun() const { return sun_light.maxCoeff() > 0; }
  Color sun_radiance() const { return sun_light / (kPi * sun_radius * sun_radius); }
};

// The dome's radiance from a direction, without the sun's disc.
Color dome(const Sky& sky, const Vec3f& direction);

Sky studio_sky();               // soft white light, for things on a table
Sky day_sky(const Vec3f& sun);  // blue, with a warm sun in the given direction
Sky overcast_sky();             // grey, no shadows to speak of
Sky dark_sky();                 // black surroundings: things lit by lamps and panels only
Sky uniform_sky(const Color& radiance);

}  // namespace sunder::render
