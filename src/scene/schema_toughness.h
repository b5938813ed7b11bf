#pragma once
// The keys of [[toughness]] (scene/schema.h).

#include "scene/schema_keys.h"

namespace sunder {

inline constexpr Range kFactor{1e-6, 1e6};
inline constexpr std::string_view kWidth =
    "How far the weakness reaches across, in all; nodes (of a lattice the middles of bonds) feel it, so not less than "
    "about an `edge`.";
inline constexpr std::string_view kOwnSeed = "Goes with the scene's `seed`; each body has its own pattern.";

void describe(auto&, Is<UniformPattern> auto&) {}

void describe(auto& v, Is<NoisePattern> auto& noise) {
  v.key({.name = "length", .unit = "m", .about = "Distance over which it changes; 0: each node by itself."},
        noise.length, kNotNegative);
  v.key({.name = "seed", .about = kOwnSeed}, noise.seed);
}

void describe(auto& v, Is<BricksPattern> auto& bricks) {
  v.key(
      {.name = "size",
       .unit = "m",
       .about = "Of a brick. Rows lie along x, one above the other along y, every second shifted by half a brick; the "
                "first begins at the lowest corner of the body."},
      bricks.size, kSize);
  v.key({.name = "mortar", .unit = "m", .about = "Thickness of the joints, where the factor holds; about an `edge`."},
        bricks.mortar, kSize);
}

void describe(auto& v, Is<PlanePattern> auto& plane) {
  v.key({.name = "point", .unit = "m", .about = "A point of it."}, plane.point, kAnyNumber);
  v.key({.name = "normal", .about = "Direction across it, of any length."}, plane.normal, Direction{});
  v.key({.name = "width", .unit = "m", .about = kWidth}, plane.width, kSize);
}

void describe(auto& v, Is<GridPattern> auto& grid) {
  v.key({.name = "spacing",
         .unit = "m",
         .about = "From one line to the next along x, y, z, from the lowest corner of the body; 0: none.",
         .required = true},
        grid.spacing, kNotNegative);
  v.key({.name = "width", .unit = "m", .about = kWidth}, grid.width, kSize);
}

void describe(auto& v, Is<VoronoiPattern> auto& voronoi) {
  v.key({.name = "cells", .about = "Random cells in the box round the body; `default` is 20."}, voronoi.cells,
        Count{10000, "default"});
  v.key({.name = "width", .unit = "m", .about = kWidth}, voronoi.width, kSize);
  v.key({.name = "seed", .about = kOwnSeed}, voronoi.seed);
}

void describe(auto& v, Is<SurfacePattern> auto& surface) {
  v.key(
      {.name = "path", .about = "Triangles, open or closed: .obj, .ply, .stl, .off, .gltf or .glb.", .required = true},
      surface.path);
  v.key({.name = "scale", .unit = "m", .about = "Metres per unit of the file."}, surface.scale, Range{1e-9, kLargest});
  v.key({.name = "width", .unit = "m", .about = kWidth}, surface.width, kSize);
}

void describe(auto& v, Is<JointPattern> auto& joint) {
  v.key({.name = "first",
         .about = "A part of the body's shape, of a `union`, goblet or teapot, whose surface is the joint: the cup.",
         .required = true},
        joint.first, TextRule::line);
  v.key({.name = "second",
         .about = "The part that was put on it, as far as which the joint goes: the handle.",
         .required = true},
        joint.second, TextRule::line);
  v.key({.name = "width", .unit = "m", .about = kWidth}, joint.width, kSize);
}

void describe_direction(auto& v, auto& pattern, std::string_view about) {
  v.key({.name = "direction", .about = about}, pattern.direction, Direction{});
  v.key({.name = "wobble", .unit = "degrees", .about = "How far the direction wanders, about."}, pattern.wobble,
        Range{0, 80});
  v.key({.name = "length", .unit = "m", .about = "Over which distance it does."}, pattern.length, kSize);
  v.key({.name = "seed", .about = kOwnSeed}, pattern.seed);
}
void describe(auto& v, Is<GrainPattern> auto& grain) {
  describe_direction(v, grain, "Of the fibres, of any length; the factor is for planes along them, which split wood.");
}
void describe(auto& v, Is<LayersPattern> auto& layers) {
  describe_direction(v, layers,
                     "Across the layers, of any length; the factor is for planes between them, as in slate.");
}

void describe(auto& v, Is<PaintedPattern> auto& painted) {
  v.key({.name = "attribute",
         .about =
             "Name of a number at the vertices of a .ply, .obj or .gltf surface, such as `red`, or at the points of a "
             ".vtu volume (`NAME[0]` if it has several components): 0 leaves the material as it is.",
         .required = true},
        painted.attribute, TextRule::line);
  v.key({.name = "path",
         .about = "A surface, or a .vtu of tetrahedra, in the body's own axes.",
         .fallback = "the body's own file"},
        painted.path);
  v.key({.name = "full",
         .about = "The value that stands for the whole factor; colours go from 0 to 1, also in the bytes of a .ply."},
        painted.full, kPositive);
}

void describe(auto& v, Is<FactorKeyframeSpec> auto& keyframe) {
  v.key({.name = "time", .unit = "s", .about = "Later than the one before.", .required = true}, keyframe.time,
        kAnyNumber);
  v.key({.name = "factor", .about = "Then.", .required = true}, keyframe.factor, kFactor);
}

void describe(auto& v, Is<ToughnessSpec> auto& toughness) {
  v.key({.name = "name", .about = "What messages call it.", .fallback = "`toughness-1`, `toughness-2`, ..."},
        toughness.name, TextRule::label);
  v.key({.name = "body", .about = "Name of the body it belongs to; empty means all of them."}, toughness.body,
        TextRule::reference);
  v.key({.name = "pattern",
         .about = "Where the factor holds, in the body's own axes, before it is placed.",
         .fallback = "`{ kind = \"uniform\" }`"},
        toughness.pattern);
  v.key({.name = "where",
         .about = "Limits it to a part of the body, in the body's own axes.",
         .fallback = "`{ kind = \"everywhere\" }`"},
        toughness.where);
  v.key({.name = "keyframes",
         .about = "The factor over time, in the place of `factor`: geometrically from one to the next, in 256 steps."},
        toughness.keyframes, InlineTables{10000});
  v.key(
      {.name = "factor",
       .about = "What the material bears there, over what it would; below 1 is weaker. `unbreakable`: no cracks. Of a "
                "lattice's bond, its threshold.",
       .required = true,
       .applies = toughness.keyframes.empty(),
       .goes_with = "no `keyframes`"},
      toughness.factor, kFactor, Unset{"unbreakable"});
  v.key({.name = "pull",
         .about = "How much the factor is for cracks along the pattern's surfaces only: 1 leaves other planes as they "
                  "were, 0 treats all alike.",
         .applies = has_surfaces(toughness.pattern),
         .goes_with = "patterns of surfaces: bricks, plane, grid, voronoi, surface, joint"},
        toughness.pull, Range{0, 1});
}

}  // namespace sunder
