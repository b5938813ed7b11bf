#pragma once
// The keys of shapes (scene/schema.h).

#include "scene/schema_keys.h"

namespace sunder {

void describe(auto& v, Is<BoxShape> auto& box) {
  v.key({.name = "size", .unit = "m", .about = "Whole lengths along x, y, z."}, box.size, kSize);
}

void describe(auto& v, Is<SlabShape> auto& slab) {
  v.key({.name = "size", .unit = "m", .about = "Whole lengths along x, y, z; layers lie across the shortest."},
        slab.size, kSize);
}

void describe(auto& v, Is<SphereShape> auto& sphere) {
  v.key({.name = "radius", .unit = "m", .about = "Radius."}, sphere.radius, kSize);
}

void describe(auto& v, Is<EllipsoidShape> auto& ellipsoid) {
  v.key({.name = "radii", .unit = "m", .about = "Half the lengths along x, y, z."}, ellipsoid.radii, kSize);
}

void describe(auto& v, Is<CylinderShape> auto& cylinder) {
  v.key({.name = "radius", .unit = "m", .about = "Radius."}, cylinder.radius, kSize);
  v.key({.name = "height", .unit = "m", .about = "Length along y."}, cylinder.height, kSize);
}

void describe(auto& v, Is<CapsuleShape> auto& capsule) {
  v.key({.name = "radius", .unit = "m", .about = "Radius."}, capsule.radius, kSize);
  v.key({.name = "height", .unit = "m", .about = "Length along y, round ends included; more than 2 `radius`."},
        capsule.height, kSize);
}

void describe(auto& v, Is<TorusShape> auto& torus) {
  v.key({.name = "radius", .unit = "m", .about = "From the y axis to the middle of the tube."}, torus.radius, kSize);
  v.key({.name = "tube", .unit = "m", .about = "Radius of the tube, below 0.9 `radius`."}, torus.tube, kSize);
}

inline constexpr std::string_view kWallAbout = "Thickness.";

void describe(auto& v, Is<BowlShape> auto& bowl) {
  v.key({.name = "radius", .unit = "m", .about = "Outside radius of the rim."}, bowl.radius, kSize);
  v.key({.name = "depth", .unit = "m", .about = "Outside height; the bowl is half an ellipsoid."}, bowl.depth, kSize);
  v.key({.name = "wall", .unit = "m", .about = kWallAbout}, bowl.wall, kSize);
}

void describe(auto& v, Is<CupShape> auto& cup) {
  v.key({.name = "radius", .unit = "m", .about = "Outside radius of the rim."}, cup.radius, kSize);
  v.key({.name = "height", .unit = "m", .about = "Outside height."}, cup.height, kSize);
  v.key({.name = "wall", .unit = "m", .about = kWallAbout}, cup.wall, kSize);
}

void describe(auto& v, Is<VaseShape> auto& vase) {
  v.key({.name = "radius", .unit = "m", .about = "Outside radius of the belly."}, vase.radius, kSize);
  v.key({.name = "height", .unit = "m", .about = "Outside height."}, vase.height, kSize);
  v.key({.name = "wall", .unit = "m", .about = kWallAbout}, vase.wall, kSize);
}

void describe(auto& v, Is<PlateShape> auto& plate) {
  v.key({.name = "radius", .unit = "m", .about = "Outside radius; the rim rises by 0.14 of it."}, plate.radius, kSize);
  v.key({.name = "wall", .unit = "m", .about = kWallAbout}, plate.wall, kSize);
}

void describe(auto& v, Is<RevolveShape> auto& revolve) {
  v.key({.name = "profile",
         .unit = "m",
         .about = "Points (r, y) of the middle of the wall, or of the outline if `closed`; it is turned about y."},
        revolve.profile, PointCount{2, 400});
  v.key({.name = "curve",
         .about =
             "`bezier` takes the points as cubic curves end to end: 4, 7, 10, ... of them, two handles between ends."},
        revolve.curve, kCurves);
  v.key({.name = "closed", .about = "The profile is the outline of the cross-section, clear of the axis."},
        revolve.closed);
  v.key({.name = "wall",
         .unit = "m",
         .about = kWallAbout,
         .applies = !revolve.closed,
         .goes_with = "profiles that are not `closed`"},
        revolve.wall, kSize);
}

void describe(auto& v, Is<PatchShape> auto& patch) {
  v.key({.name = "points", .unit = "m", .about = "Control points of a bicubic Bezier patch, 4 rows of 4."},
        patch.points, PointCount{16, 16});
  v.key({.name = "wall", .unit = "m", .about = "Thickness, half to each side."}, patch.wall, kSize);
}

void describe(auto& v, Is<TubeShape> auto& tube) {
  v.key({.name = "path", .unit = "m", .about = "Points that the middle of the tube passes through, smoothly."},
        tube.path, PointCount{2, 400});
  v.key({.name = "radius", .unit = "m", .about = "Outside radius."}, tube.radius, kSize);
  v.key({.name = "wall", .unit = "m", .about = "Thickness; 0 is solid."}, tube.wall, kNotNegative);
  v.key({.name = "closed", .about = "The path returns to its first point."}, tube.closed);
  v.key({.name = "end_radius",
         .unit = "m",
         .about = "Outside radius at the end of the path, which it reaches evenly.",
         .fallback = "`radius`",
         .applies = !tube.closed,
         .goes_with = "tubes that are not `closed`"},
        tube.end_radius, kSize, Unset{""});
}

void describe(auto& v, Is<PolygonShape> auto& polygon) {
  v.key({.name = "points", .unit = "m", .about = "Corners (x, y) in order, either way round."}, polygon.points,
        PointCount{3, 1000});
  v.key({.name = "holes", .unit = "m", .about = "Lists of corners like `points`, inside and apart from each other."},
        polygon.holes, PointCount{3, 1000});
  v.key({.name = "depth", .unit = "m", .about = "Length along z."}, polygon.depth, kSize);
}

void describe(auto& v, Is<TextShape> auto& text) {
  v.key({.name = "text", .about = "Letters A-Z, digits, space and . ! ? - &; each is a solid of its own."}, text.text,
        TextRule::line);
  v.key({.name = "height", .unit = "m", .about = "Of a capital, along y."}, text.height, kSize);
  v.key({.name = "depth", .unit = "m", .about = "Along z."}, text.depth, kSize);
}

void describe(auto& v, Is<FileShape> auto& file) {
  v.key({.name = "path",
         .about = "File of tetrahedra, or of a surface that is filled with them (.obj, .ply, .stl, .off, .gltf, .glb), "
                  "relative to the scene's folder.",
         .required = true},
        file.path);
  v.key({.name = "scale", .unit = "m", .about = "Metres per unit of the file."}, file.scale, kLength);
  v.key({.name = "up", .about = "Axis of the file that points up."}, file.up, kUpAxes);
  v.key({.name = "inside",
         .about = "Far from the surface edges may be so many times longer than `edge`; 1 for the same everywhere.",
         .applies = file.is_surface(),
         .goes_with = "surfaces"},
        file.fill.inside, Range{1, 64});
  v.key({.name = "sharp",
         .unit = "degrees",
         .about = "Edges of the surface that turn by more are kept sharp; 180 keeps none.",
         .applies = file.is_surface(),
         .goes_with = "surfaces"},
        file.fill.sharp, Range{1, 180});
  v.key({.name = "walls",
         .about =
             "Cells through thin walls, at least, whatever the `edge`; 1.3 has less than half the tets of the default.",
         .applies = file.is_surface(),
         .goes_with = "surfaces"},
        file.fill.walls, Range{1.3, 8});
  v.key({.name = "stretch",
         .about = "Edges along thin walls may be so many times as long as the wall is thick, up to `edge`, with one "
                  "layer of tets through it; 0 leaves them as the cells are.",
         .applies = file.is_surface(),
         .goes_with = "surfaces"},
        file.fill.stretch, Range{0, 8});
  v.key({.name = "finer",
         .about = "Places with shorter edges, for instance where something will hit.",
         .applies = file.is_surface(),
         .goes_with = "surfaces"},
        file.fill.finer, InlineTables{100});
}

void describe(auto& v, Is<FineRegion> auto& region) {
  v.key({.name = "center",
         .unit = "m",
         .about = "After `scale` and `up`, before the body's `position` and `rotation`.",
         .required = true},
        region.centre, kAnyNumber);
  v.key({.name = "radius", .unit = "m", .about = "Edges grow again beyond it.", .required = true}, region.radius,
        kSize);
  v.key({.name = "edge", .unit = "m", .about = "Length of edges within the radius.", .required = true}, region.edge,
        kLength);
}

void describe(auto& v, Is<UnionPart> auto& part) {
  v.key({.name = "name",
         .about = "What its faces are called: `NAME-outside` and so on.",
         .fallback = "`part-1`, `part-2`, ..."},
        part.name, TextRule::label);
  v.key({.name = "shape", .about = "Any of the solid shapes above but `file`, with the same keys.", .required = true},
        part.shape);
  v.key({.name = "position", .unit = "m", .about = "Where the shape's centre is put."}, part.position, kAnyNumber);
  v.key({.name = "rotation", .unit = "degrees", .about = "About x, then y, then z, before it is moved."}, part.rotation,
        kAnyNumber);
}

void describe(auto& v, Is<UnionShape> auto& whole) {
  v.key({.name = "parts",
         .about = "Overlapping shapes that become one solid, in their own coordinates; walls get two elements "
                  "through, whatever the `edge`.",
         .fallback = "a cup and its handle"},
        whole.parts, InlineTables{100});
}

void describe(auto& v, Is<GobletShape> auto& goblet) {
  v.key({.name = "radius", .unit = "m", .about = "Outside radius of the bowl."}, goblet.radius, kSize);
  v.key({.name = "height", .unit = "m", .about = "Whole height, 2 to 6 `radius`."}, goblet.height, kSize);
  v.key({.name = "wall", .unit = "m", .about = "Thickness of bowl and foot."}, goblet.wall, kSize);
}

void describe(auto& v, Is<TeapotShape> auto& teapot) {
  v.key({.name = "radius", .unit = "m", .about = "Outside radius of the body; the spout points to x."}, teapot.radius,
        kSize);
  v.key({.name = "wall", .unit = "m", .about = "Thickness, 0.03 to 0.16 `radius`."}, teapot.wall, kSize);
  v.key({.name = "lid", .about = "With a lid: it sits fast, but lies loose on a lattice's pot."}, teapot.lid);
  v.key({.name = "pot", .about = "With the pot; false for the lid alone, as a body of its own in the same position."},
        teapot.pot);
}

void describe(auto& v, Is<DiscShape> auto& disc) {
  v.key({.name = "radius",
         .unit = "m",
         .about = "A flat sheet, facing y; without thickness, so only for `solver` surface_iben06."},
        disc.radius, kSize);
}

}  // namespace sunder
