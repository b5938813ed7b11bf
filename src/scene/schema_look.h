#pragma once
// The keys of everything that only pictures use (scene/schema.h).

#include "scene/schema_keys.h"

namespace sunder {

inline constexpr Range kShare{0, 1};

void describe(auto&, Is<AutoPaint> auto&) {}

void describe_texture(auto& v, auto& paint) {
  v.key({.name = "texture",
         .about = "PNG or JPEG file, relative to the scene's folder; laid on in material coordinates, times `color`.",
         .fallback = "none"},
        paint.texture);
  v.key({.name = "texture_size", .unit = "m", .about = "Width that the picture covers; it repeats."},
        paint.texture_size, kSize);
  v.key({.name = "texture_uv",
         .about = "Laid on by the model's own texture coordinates instead, once from 0 to 1; where it has none, as "
                  "`texture_size` says."},
        paint.texture_uv);
}

void describe(auto& v, Is<DiffusePaint> auto& paint) {
  v.key({.name = "color", .about = "Red, green, blue (sRGB)."}, paint.color, kShare);
  describe_texture(v, paint);
  v.key({.name = "mottle", .about = "Stains: up to so much darker or lighter."}, paint.mottle, kShare);
  v.key({.name = "mottle_size", .unit = "m", .about = "Of the largest stains; there are smaller ones in them."},
        paint.mottle_size, kSize);
  v.key({.name = "grit", .about = "Slope of small bumps that only the light sees."}, paint.grit, Range{0, 10});
}

void describe(auto& v, Is<GlossyPaint> auto& paint) {
  v.key({.name = "color", .about = "Red, green, blue (sRGB)."}, paint.color, kShare);
  v.key({.name = "roughness", .about = "0 shines, 1 is dull."}, paint.roughness, kShare);
  describe_texture(v, paint);
}

void describe(auto& v, Is<CeramicPaint> auto& paint) {
  v.key({.name = "color", .about = "Of what lies under the glaze."}, paint.color, kShare);
  v.key({.name = "roughness", .about = "Of the glaze."}, paint.roughness, kShare);
  describe_texture(v, paint);
}

void describe(auto& v, Is<MetalPaint> auto& paint) {
  v.key({.name = "color", .about = "Of its reflections."}, paint.color, kShare);
  v.key({.name = "roughness", .about = "0 is a mirror."}, paint.roughness, kShare);
}

void describe(auto& v, Is<GlassPaint> auto& paint) {
  v.key({.name = "color", .about = "Of white light after `depth` of glass."}, paint.color, kShare);
  v.key({.name = "depth", .unit = "m", .about = "Where `color` is reached."}, paint.depth, kSize);
  v.key({.name = "roughness", .about = "0 is clear, more is frosted."}, paint.roughness, kShare);
  v.key({.name = "index", .about = "Of refraction."}, paint.index, Range{1, 3});
}

void describe(auto& v, Is<PaintedSpec> auto& painted) {
  v.key({.name = "on", .about = "Name of a body, a collider or a material.", .required = true}, painted.on,
        TextRule::label);
  v.key({.name = "outside", .about = "Of the surface; `auto` fits the material."}, painted.outside);
  v.key({.name = "inside", .about = "Of crack faces; `auto` fits the material."}, painted.inside);
}

void describe(auto& v, Is<CameraSpec> auto& camera) {
  v.key({.name = "name", .about = "What `--camera` calls it.", .fallback = "`camera-1`, `camera-2`, ..."}, camera.name,
        TextRule::label);
  v.key({.name = "position", .unit = "m", .about = "Where it stands.", .required = true}, camera.position, kAnyNumber);
  v.key({.name = "target", .unit = "m", .about = "What it looks at."}, camera.target, kAnyNumber);
  v.key({.name = "fov", .unit = "degrees", .about = "Angle of view of the picture's height."}, camera.fov,
        Range{1, 150});
}

void describe(auto& v, Is<PanelLight> auto& panel) {
  v.key({.name = "target", .unit = "m", .about = "What it faces."}, panel.target, kAnyNumber);
  v.key({.name = "width", .unit = "m", .about = "Whole length."}, panel.width, kSize);
  v.key({.name = "height", .unit = "m", .about = "Whole length."}, panel.height, kSize);
}

void describe(auto& v, Is<SphereLight> auto& sphere) {
  v.key({.name = "radius", .unit = "m", .about = "Radius."}, sphere.radius, kSize);
}

void describe(auto& v, Is<LightSpec> auto& light) {
  v.key({.name = "shape", .about = "What shines."}, light.shape);
  v.key({.name = "position", .unit = "m", .about = "Its middle."}, light.position, kAnyNumber);
  v.key({.name = "color", .about = "Red, green, blue (sRGB)."}, light.color, kShare);
  v.key({.name = "radiance", .about = "Brightness; a sunlit white wall has about 1."}, light.radiance, Range{0, 1e6});
}

void describe(auto& v, Is<LookSpec> auto& look) {
  v.key({.name = "sky", .about = "Light from all around; the studio has soft panels, the day a sun."}, look.sky,
        kSkies);
  v.key({.name = "sun", .about = "Direction towards the sun of sky `day`, of any length."}, look.sun, Direction{});
  v.key({.name = "exposure", .unit = "stops", .about = "1 doubles the light."}, look.exposure, Range{-20, 20});
  v.key({.name = "azimuth",
         .unit = "degrees",
         .about = "Of the camera that frames the scene by itself: 0 looks along -z, 90 along -x."},
        look.azimuth, Range{-360, 360});
  v.key({.name = "elevation", .unit = "degrees", .about = "How far down that camera looks."}, look.elevation,
        Range{-89, 89});
  v.key({.name = "shutter", .about = "Share of a frame's time that it is open: motion blur; 0 is none."}, look.shutter,
        kShare);
  v.key({.name = "crack_lines",
         .unit = "m",
         .about = "Cracks that gape less than five times this show as dark lines so wide; 0: as they are, which is not "
                  "at all while they are closed."},
        look.crack_lines, Range{0, 1e6});
  v.key({.name = "lattice",
         .about = "How lattices show: `octants` of cells round each node, jagged where they break, or the unbroken "
                  "`cells` alone, as in the paper."},
        look.lattice, kLatticeLooks);
}

}  // namespace sunder
