#pragma once
// Every key of a scene file, described once: name, field, unit, allowed values, meaning. The reader, the writer and the
// reference page are visitors of these descriptions; a new key is one new line here.
//
// A visitor has `key(const Key&, field, rule...)` for each kind of field used below. Records may be const. Keys on
// which the `applies` of others depends come before them, since the reader fills the record in this order.

#include "scene/schema_coat.h"
#include "scene/schema_keys.h"
#include "scene/schema_lattice.h"
#include "scene/schema_look.h"
#include "scene/schema_shapes.h"
#include "scene/schema_toughness.h"

namespace sunder {

// --- colliders

void describe(auto& v, Is<GroundCollider> auto& ground) {
  v.key({.name = "height", .unit = "m", .about = "Height of the ground; everything below is solid."}, ground.height,
        kAnyNumber);
}

void describe(auto& v, Is<PlaneCollider> auto& plane) {
  v.key(
      {.name = "normal",
       .about = "Direction out of the solid side, of any length; the plane passes through the collider's `position`."},
      plane.normal, Direction{});
}

void describe(auto& v, Is<SphereCollider> auto& sphere) {
  v.key({.name = "radius", .unit = "m", .about = "Radius."}, sphere.radius, kSize);
}

void describe(auto& v, Is<BoxCollider> auto& box) {
  v.key({.name = "size", .unit = "m", .about = "Whole lengths along x, y, z."}, box.size, kSize);
}

void describe(auto& v, Is<CapsuleCollider> auto& capsule) {
  v.key({.name = "radius", .unit = "m", .about = "Radius."}, capsule.radius, kSize);
  v.key({.name = "height", .unit = "m", .about = "Length along y, round ends included; at least 2 `radius`."},
        capsule.height, kSize);
}

void describe(auto& v, Is<MeshCollider> auto& mesh) {
  v.key({.name = "path",
         .about = "A closed surface of triangles: .obj, .ply, .stl, .off, .gltf or .glb. Its own origin is kept.",
         .required = true},
        mesh.path);
  v.key({.name = "scale", .unit = "m", .about = "Metres per unit of the file."}, mesh.scale, kPositive);
}

void describe(auto& v, Is<KeyframeSpec> auto& keyframe) {
  v.key({.name = "time", .unit = "s", .about = "Later than the one before.", .required = true}, keyframe.time,
        kAnyNumber);
  v.key({.name = "position", .unit = "m", .about = "Where the shape's origin is then."}, keyframe.position, kAnyNumber);
  v.key({.name = "rotation", .unit = "degrees", .about = "How it is turned then, about world x, then y, then z."},
        keyframe.rotation, kAnyNumber);
}

void describe(auto& v, Is<Rope> auto& rope) {
  v.key(
      {.name = "point", .unit = "m", .about = "What it hangs from; a point that stays where it is.", .required = true},
      rope.point, kAnyNumber);
  v.key({.name = "attach", .unit = "m", .about = "Where it is tied to the collider, in the collider's own axes."},
        rope.attach, kAnyNumber);
  v.key({.name = "length", .unit = "m", .about = "`auto` is the distance of the two at the start."}, rope.length, kSize,
        Unset{"auto"});
}

// --- selections

void describe(auto& v, Is<BoxSelection> auto& box) {
  v.key({.name = "min", .unit = "m", .about = "Lowest corner.", .required = true}, box.min, kAnyNumber);
  v.key({.name = "max", .unit = "m", .about = "Highest corner.", .required = true}, box.max, kAnyNumber);
}

void describe(auto& v, Is<SphereSelection> auto& sphere) {
  v.key({.name = "center", .unit = "m", .about = "Centre."}, sphere.center, kAnyNumber);
  v.key({.name = "radius", .unit = "m", .about = "Radius.", .required = true}, sphere.radius, kSize);
}

void describe(auto& v, Is<HalfSpaceSelection> auto& half) {
  v.key({.name = "point", .unit = "m", .about = "A point of the bounding plane."}, half.point, kAnyNumber);
  v.key({.name = "normal", .about = "Direction into the selected side, of any length."}, half.normal, Direction{});
}

void describe(auto&, Is<EverywhereSelection> auto&) {}

// --- materials

void describe(auto& v, Is<MaterialTable> auto& m) {
  constexpr Unset absent{""};
  v.key({.name = "preset",
         .about = "A material of the list below, which the other keys change.",
         .fallback = "none: then stiffness, density and toughness are required"},
        m.preset, TextRule::line);
  constexpr std::string_view from_preset = "the preset's";
  v.key({.name = "lambda", .unit = "Pa", .about = "First Lame constant, above -2/3 mu.", .fallback = from_preset},
        m.lambda, Range{-kLargestModulus, kLargestModulus}, absent);
  v.key({.name = "mu", .unit = "Pa", .about = "Shear modulus (second Lame constant).", .fallback = from_preset}, m.mu,
        kModulus, absent);
  v.key({.name = "young",
         .unit = "Pa",
         .about = "Young's modulus; `young` and `poisson` stand in the place of `lambda` and `mu`.",
         .fallback = from_preset},
        m.young, kModulus, absent);
  v.key({.name = "poisson", .about = "Poisson's ratio.", .fallback = from_preset}, m.poisson,
        Range{-1, 0.5, true, true}, absent);
  v.key({.name = "young_axes",
         .unit = "Pa",
         .about = "Young's moduli [E1, E2, E3] along the material's own axes. With `poisson_axes` and `shear_axes` it "
                  "stands in the place of `lambda` and `mu`, for wood, rolled sheet, laminates.",
         .fallback = from_preset},
        m.young_axes, kModulus, absent);
  v.key({.name = "poisson_axes",
         .about = "[nu12, nu23, nu31]; nu12: contraction along 2 when pulled along 1.",
         .fallback = from_preset},
        m.poisson_axes, Range{-10, 10}, absent);
  v.key({.name = "shear_axes", .unit = "Pa", .about = "Shear moduli [G12, G23, G31].", .fallback = from_preset},
        m.shear_axes, kModulus, absent);
  v.key(
      {.name = "stiffness_matrix",
       .unit = "Pa",
       .about = "The 21 elastic constants, in the place of all these: C11 C12 C13 C14 C15 C16 C22 C23 ... C66, in the "
                "order xx, yy, zz, yz, xz, xy, with engineering shears.",
       .fallback = from_preset},
      m.stiffness_matrix, Range{-kLargestModulus, kLargestModulus}, NumberCount{21});
  v.key({.name = "axes",
         .unit = "degrees",
         .about = "How the material's axes 1, 2, 3 lie in the body: x, y, z turned about x, then y, then z. They turn "
                  "with the body.",
         .fallback = "the preset's, or [0, 0, 0] without one"},
        m.axes, kAnyNumber, absent);
  v.key({.name = "phi",
         .unit = "Pa s",
         .about = "Viscosity that goes with `lambda`.",
         .fallback = "the preset's, or 0 without one"},
        m.phi, kNotNegative, absent);
  v.key({.name = "psi",
         .unit = "Pa s",
         .about = "Viscosity that goes with `mu`.",
         .fallback = "the preset's, or 0 without one"},
        m.psi, kNotNegative, absent);
  v.key({.name = "density", .unit = "kg/m^3", .about = "Mass per volume.", .fallback = from_preset}, m.density,
        Range{1e-6, kLargest}, absent);
  v.key({.name = "toughness",
         .unit = "N",
         .about = "Force at which a node separates; 0 cannot break. At the same strength it grows with the square of "
                  "`edge`; the real presets are set for 2 cm.",
         .fallback = from_preset},
        m.toughness, kNotNegative, absent);
  v.key({.name = "strength",
         .unit = "Pa",
         .about = "Stress at which it breaks, whatever the `edge`; stands in the place of `toughness`, also of the "
                  "preset's. 0: `toughness` counts.",
         .fallback = "0"},
        m.strength, kNotNegative, absent);
  v.key({.name = "toughness_spread",
         .about = "Nodes differ by up to this share of `toughness` or `strength`, up and down, by the scene's `seed`.",
         .fallback = "the preset's, or 0 without one"},
        m.toughness_spread, Range{0, 1, false, true}, absent);
  v.key({.name = "toughness_grain",
         .unit = "m",
         .about = "Distance in the material over which that changes; 0: each node by itself.",
         .fallback = "the preset's, or 0 without one"},
        m.toughness_grain, kNotNegative, absent);
  constexpr std::string_view or_zero = "the preset's, or 0 without one";
  v.key({.name = "yield_stress",
         .unit = "Pa",
         .about = "True stress (von Mises) at which plastic flow begins; 0: never. Only with the same stiffness in all "
                  "directions.",
         .fallback = or_zero},
        m.yield_stress, kNotNegative, absent);
  v.key({.name = "hardening",
         .unit = "Pa",
         .about = "What the yield stress gains per unit of plastic strain.",
         .fallback = or_zero},
        m.hardening, kNotNegative, absent);
  v.key({.name = "plastic_limit",
         .about = "Largest plastic strain; beyond it the material is elastic again, until it breaks.",
         .fallback = "the preset's, or none without one"},
        m.plastic_limit, kPositive, absent);
}

// --- the tables of the scene

void describe(auto& v, Is<BodySpec> auto& body) {
  v.key({.name = "name", .about = "What messages and result files call it.", .fallback = "`body-1`, `body-2`, ..."},
        body.name, TextRule::label);
  v.key({.name = "solver", .about = "Method that simulates it."}, body.solver, Words{kSolvers, kLaterSolvers});
  v.key({.name = "shape", .about = "Its solid, centred at the origin before it is placed.", .required = true},
        body.shape);
  v.key({.name = "edge",
         .unit = "m",
         .about = "Length of the tetrahedra's or triangles' edges; at most 50 million tetrahedra. Surfaces of files "
                  "keep their own triangles without `remesh`.",
         .fallback = "one that gives a few thousand tetrahedra",
         .applies = needs_edge(body.shape),
         .goes_with = "shapes other than files of tetrahedra, which bring their own"},
        body.edge, kLength);
  v.key({.name = "layers",
         .about = "Layers of tetrahedra through the thickness; `auto` takes as many as suit the edge.",
         .applies = has_layers(body.shape) || std::holds_alternative<BoxShape>(body.shape),
         .goes_with = "shapes that are meshed in layers"},
        body.layers, Count{1000, "auto"});
  v.key(
      {.name = "cells",
       .about = "Tetrahedra are cut from the cells that a lattice would have, six each: few and coarse in thin walls.",
       .applies = body.solver == kTetSolver,
       .goes_with = "`solver` tet_oh99"},
      body.cells);
  v.key({.name = "position", .unit = "m", .about = "Where the shape's origin is put."}, body.position, kAnyNumber);
  v.key({.name = "rotation", .unit = "degrees", .about = "About world x, then y, then z, before it is moved."},
        body.rotation, kAnyNumber);
  v.key({.name = "velocity", .unit = "m/s", .about = "At the start."}, body.velocity, kAnyNumber);
  v.key({.name = "spin", .unit = "rad/s", .about = "At the start, about the centre of mass."}, body.spin, kAnyNumber);
  const bool surface = body.is_surface();
  v.key({.name = "material",
         .about = "The name of a preset, or a table.",
         .required = true,
         .applies = !surface,
         .goes_with = "solvers of solids; a surface has a `coat`"},
        body.material, body.material_name);
  constexpr std::string_view kWithSurface = "`solver` surface_iben06";
  v.key({.name = "coat",
         .about = "What cracks on the surface ([surface-cracks.md](surface-cracks.md)).",
         .fallback = "required for surfaces",
         .required = true,
         .applies = surface,
         .goes_with = kWithSurface},
        body.coat);
  v.key({.name = "lattice",
         .about = "Bonds and how they break ([lattice.md](lattice.md)).",
         .applies = body.is_lattice(),
         .goes_with = "`solver` lattice_norton91"},
        body.lattice);
  v.key({.name = "part",
         .about = "Only this part of the shape's surface: such as `front` of a slab, `outside` of a cup, a group of a "
                  "model.",
         .fallback = "all of it",
         .applies = surface,
         .goes_with = kWithSurface},
        body.part, TextRule::line);
  v.key(
      {.name = "remesh",
       .about = "Meshes the surface anew with even triangles that lie in no rows, with edges of length `edge`; a file "
                "without that gets a fifth of the coat's `length`, or 20,000 to 100,000 triangles. Borders, edges "
                "that turn by more than `sharp` and seams of the texture are kept.",
       .applies = surface,
       .goes_with = kWithSurface},
      body.remesh);
  v.key({.name = "copies",
         .about = "How many of it stand side by side along x, y and z; `brick` becomes `brick-1`, `brick-2`, ..."},
        body.copies, Range{1, 1e4});
  const bool many = body.copies != Vec3::Ones();
  v.key({.name = "spacing",
         .unit = "m",
         .about = "From one copy to the next; along x and z they stand about `position`, along y they rise from it.",
         .required = true,
         .applies = many,
         .goes_with = "`copies`"},
        body.spacing, kNotNegative);
  v.key({.name = "scatter",
         .unit = "m",
         .about = "Copies stand off their place by up to this much along x, y and z, by the scene's `seed`.",
         .applies = many,
         .goes_with = "`copies`"},
        body.scatter, kNotNegative);
  v.key({.name = "tumble", .about = "Copies are turned at random.", .applies = many, .goes_with = "`copies`"},
        body.tumble);
}

void describe(auto& v, Is<ColliderSpec> auto& collider) {
  v.key({.name = "name",
         .about = "What messages and result files call it.",
         .fallback = "the shape's kind, with the number in the list after the first: `ground`, `sphere-2`, ..."},
        collider.name, TextRule::label);
  v.key({.name = "shape", .about = "Its solid.", .required = true}, collider.shape);
  using enum ColliderMotion;
  const bool placed = !std::holds_alternative<GroundCollider>(collider.shape);
  v.key({.name = "motion",
         .about = "`kinematic` goes by its `keyframes`, whatever it meets; `dynamic` has a mass, falls, and is pushed "
                  "by what it hits, bodies and colliders; planes cannot.",
         .applies = placed,
         .goes_with = "shapes other than `ground`"},
        collider.motion, kColliderMotions);
  const bool here = placed && collider.motion != kinematic;
  v.key({.name = "position",
         .unit = "m",
         .about = "Where the shape's origin is put.",
         .applies = here,
         .goes_with = "shapes other than `ground`, which has `height`, and `motion` other than kinematic, whose "
                      "`keyframes` say where it is"},
        collider.position, kAnyNumber);
  v.key({.name = "rotation",
         .unit = "degrees",
         .about = "About world x, then y, then z, before it is moved.",
         .applies = here,
         .goes_with = "shapes other than `ground`, and `motion` other than kinematic"},
        collider.rotation, kAnyNumber);
  v.key({.name = "keyframes",
         .about = "Where it is and when: evenly from one to the next, turning the shortest way; still before the first "
                  "and after the last.",
         .fallback = "required for kinematic",
         .required = true,
         .applies = collider.motion == kinematic,
         .goes_with = "`motion` kinematic"},
        collider.keyframes, InlineTables{10000});
  constexpr std::string_view kWithDynamic = "`motion` dynamic";
  const bool is_dynamic = collider.motion == dynamic;
  v.key({.name = "mass",
         .unit = "kg",
         .about = "In all.",
         .fallback = "by `density`",
         .applies = is_dynamic,
         .goes_with = kWithDynamic},
        collider.mass, kPositive, Unset{""});
  v.key({.name = "density",
         .unit = "kg/m^3",
         .about = "Mass per volume, in the place of `mass`.",
         .fallback = "by `mass`",
         .applies = is_dynamic,
         .goes_with = kWithDynamic},
        collider.density, kPositive, Unset{""});
  v.key({.name = "velocity",
         .unit = "m/s",
         .about = "At the start, of the centre of mass.",
         .applies = is_dynamic,
         .goes_with = kWithDynamic},
        collider.velocity, kAnyNumber);
  v.key({.name = "spin",
         .unit = "rad/s",
         .about = "At the start, about the centre of mass.",
         .applies = is_dynamic,
         .goes_with = kWithDynamic},
        collider.spin, kAnyNumber);
  v.key({.name = "rope",
         .about = "What it hangs from: a rope that weighs nothing, only pulls, and does not stretch.",
         .fallback = "none",
         .applies = is_dynamic,
         .goes_with = kWithDynamic},
        collider.rope);
  v.key({.name = "friction", .about = "Coulomb's coefficient."}, collider.friction, Range{0, 100});
  v.key({.name = "damping", .about = "Of the contact, as a share of critical damping."}, collider.damping,
        Range{0, 10});
  v.key({.name = "stiffness",
         .unit = "N/m",
         .about = "At every touching node or point of a collider; `auto` takes the node's own elastic stiffness, and "
                  "between colliders one that stops 10 m/s within 1 % of the thinner one."},
        collider.stiffness, kPositive, Unset{"auto"});
  v.key({.name = "hidden", .about = "It is there, but pictures do not show it."}, collider.hidden);
}

void describe(auto& v, Is<RegionSpec> auto& region) {
  using enum RegionAction;
  v.key({.name = "name", .about = "What messages and result files call it.", .fallback = "`region-1`, `region-2`, ..."},
        region.name, TextRule::label);
  v.key({.name = "body",
         .about = "Name of the body it belongs to; empty means all of them. Needed in a scene of tetrahedra and "
                  "lattices."},
        region.body, TextRule::reference);
  v.key({.name = "where", .about = "What it selects, in the world at the start.", .required = true}, region.where);
  v.key({.name = "action", .about = "What is done to the selected part."}, region.action, kRegionActions);
  v.key({.name = "axes",
         .about = "Axes along which the nodes are held or moved; they are free along the others.",
         .applies = region.action == hold || region.action == move,
         .goes_with = "`action` hold or move"},
        region.axes, TextRule::axes);
  v.key({.name = "velocity",
         .unit = "m/s",
         .about = "Of the moved nodes.",
         .required = true,
         .applies = region.action == move,
         .goes_with = "`action` move"},
        region.velocity, kAnyNumber);
  v.key({.name = "force",
         .unit = "N",
         .about = "In total, shared by the selected nodes.",
         .required = true,
         .applies = region.action == force,
         .goes_with = "`action` force"},
        region.force, kAnyNumber);
  v.key({.name = "pressure",
         .unit = "Pa",
         .about = "Pushes the selected boundary faces inwards; negative pulls. Of a lattice, those of unbroken cells.",
         .required = true,
         .applies = region.action == pressure,
         .goes_with = "`action` pressure"},
        region.pressure, kAnyNumber);
  v.key({.name = "start", .unit = "s", .about = "When it begins to act."}, region.start, kNotNegative);
  v.key({.name = "end", .unit = "s", .about = "When it stops; `never` means at the end of the run."}, region.end,
        kPositive, Unset{"never"});
}

void describe(auto& v, Is<FractureSpec> auto& fracture) {
  v.key({.name = "on", .about = "`false`: nothing breaks, whatever its toughness."}, fracture.on);
  v.key({.name = "compression",
         .about = "Whether compression only `hinders` a crack, or may open one, as the paper's formula is `printed`."},
        fracture.compression, kCompressionRules);
  v.key({.name = "crack_speed",
         .unit = "m/s",
         .about = "Nodes beside a new crack wait their distance over this; 0: cracks run as far as forces take them."},
        fracture.crack_speed, kNotNegative);
  v.key({.name = "tip_share",
         .about = "Share of the toughness at which a crack's tip fails; below 1 cracks run on rather than start anew."},
        fracture.tip_share, Range{0, 1, true});
  v.key({.name = "tip_length",
         .unit = "m",
         .about =
             "Cracks run on as they would in a mesh of this edge, whatever the mesh: their tips bear "
             "sqrt(tip_length / edge) times as much, nodes at a smaller distance r from one sqrt(tip_length / r). 0: "
             "finer meshes let them run further, as in the paper."},
        fracture.tip_length, kNotNegative);
  v.key({.name = "residual",
         .about = "How much cracks keep to their course: from 0, jagged, the 1999 paper, to 1, straight. It is also "
                  "the share of "
                  "the separation beyond toughness that is handed on to a crack's tips."},
        fracture.residual, Range{0, 1});
  v.key({.name = "bend_at_tips", .about = "Cracks go on from their tips and leave no spurs behind them."},
        fracture.bend_at_tips);
  v.key({.name = "snap_distance",
         .about = "Nodes nearer to a crack's plane count as on it; in edge lengths of the start mesh."},
        fracture.snap_distance, Range{0, 1e6});
  v.key({.name = "snap_angle", .unit = "rad", .about = "So do nodes seen at a smaller angle from the split node."},
        fracture.snap_angle, Range{0, 1.6});
  v.key({.name = "altitude_floor",
         .about = "No piece of a tetrahedron is lower, in edge lengths of the start mesh; it keeps the time step."},
        fracture.altitude_floor, Range{1e-3, 1e6});
  v.key({.name = "quality_floor", .about = "Nor flatter; a regular tetrahedron has 1."}, fracture.quality_floor,
        Range{1e-3, 1});
  v.key({.name = "smallest",
         .unit = "m",
         .about = "No piece of a tetrahedron is lower than this either, in any mesh; below it cracks run between the "
                  "elements and refine no further."},
        fracture.smallest, kNotNegative);
}

void describe(auto& v, Is<ContactRules> auto& contact) {
  v.key({.name = "on", .about = "`false`: bodies and fragments pass through each other, and touch colliders only."},
        contact.on);
  v.key({.name = "criterion",
         .about = "What pushes: nodes inside another body's elements, or the volume that elements share."},
        contact.criterion, kContactCriteria);
  v.key({.name = "friction", .about = "Coulomb's coefficient."}, contact.friction, Range{0, 100});
  v.key({.name = "damping", .about = "Of the contact, as a share of critical damping."}, contact.damping, Range{0, 10});
  v.key({.name = "stiffness", .about = "Of the contact, over that of the two sides one behind the other."},
        contact.stiffness, Range{1e-6, 1e3});
  v.key({.name = "crack_gap",
         .about = "Fresh crack faces push each other only after they have been this far apart; in edge lengths."},
        contact.gap, Range{0, 1});
  v.key({.name = "crack_play", .about = "Until then they may overlap so far; in edge lengths."}, contact.play,
        Range{0, 1});
  v.key({.name = "sleep",
         .about = "Pieces at rest stand exactly still and cost next to nothing, until something touches them."},
        contact.sleep.on);
  v.key({.name = "sleep_speed",
         .unit = "m/s",
         .about = "A piece is at rest while all its nodes are slower, and so is all that it touches. `auto` is "
                  "0.01 sqrt(g edge) with the shortest edge length: nothing sleeps without gravity."},
        contact.sleep.speed, kPositive, Unset{"auto"});
  v.key({.name = "sleep_after",
         .unit = "s",
         .about = "So long it must have been at rest; looked at in every frame, lattices every 128 steps."},
        contact.sleep.after, kNotNegative);
}

void describe(auto& v, Is<DebrisRules> auto& debris) {
  v.key({.name = "lowest", .unit = "m", .about = "Pieces all of which is below this height are outside."},
        debris.lowest, kAnyNumber, Unset{"none"});
  v.key({.name = "farthest", .unit = "m", .about = "So are pieces all of which is further from the origin."},
        debris.farthest, kPositive, Unset{"none"});
  v.key({.name = "outside",
         .about = "What becomes of them: `keep` them as any other, `freeze` them where they are for good, or `remove` "
                  "them."},
        debris.outside, kDebrisActions);
  v.key({.name = "smallest",
         .unit = "m",
         .about = "Pieces that have broken off are small if their volume is below that of a cube with this edge."},
        debris.smallest, kNotNegative);
  v.key({.name = "small",
         .about = "What becomes of them: `keep`, `freeze` once they have come to rest and sleep, or `remove`."},
        debris.small, kDebrisActions);
}

void describe(auto& v, Is<DustSpec> auto& dust) {
  v.key({.name = "body", .about = "Name of the body whose crack faces shed it; empty means all of them."}, dust.body,
        TextRule::reference);
  v.key({.name = "thickness",
         .unit = "m",
         .about = "Of the material that each new crack face loses on average; no element loses more than a tenth of "
                  "its mass.",
         .required = true},
        dust.rules.thickness, kPositive);
  v.key({.name = "smallest", .unit = "m", .about = "Diameter of the smallest grains."}, dust.rules.smallest, kSize);
  v.key({.name = "largest", .unit = "m", .about = "And of the largest; as many in each octave of sizes between."},
        dust.rules.largest, kSize);
  v.key({.name = "speed", .unit = "m/s", .about = "At which the fastest leave the face, beyond its own motion."},
        dust.rules.speed, kNotNegative);
  v.key({.name = "angle", .unit = "degrees", .about = "From the face's normal that they leave it at, at most."},
        dust.rules.angle, Range{0, 90});
  v.key({.name = "most", .about = "Grains of each body; `default` is 100000."}, dust.rules.most,
        Count{100000000, "default"});
  v.key({.name = "seed", .about = "Goes with the scene's `seed`; each body has its own dust."}, dust.rules.seed);
}

void describe(auto& v, Is<Scene> auto& scene) {
  v.key({.name = "name",
         .about = "Name of the run and of its files: letters, digits, `-` and `_`.",
         .fallback = "the file's name"},
        scene.name, TextRule::file_name);
  v.key({.name = "about", .about = "One line for the gallery."}, scene.about, TextRule::line);
  v.key({.name = "duration", .unit = "s", .about = "Simulated time; at most a million frames."}, scene.duration,
        kNotNegative);
  v.key({.name = "fps", .unit = "1/s", .about = "Frames per simulated second."}, scene.fps, kPositive);
  v.key({.name = "gravity", .unit = "m/s^2", .about = "Acceleration of everything; y is up."}, scene.gravity,
        kAnyNumber);
  v.key({.name = "integrator", .about = "How time is stepped."}, scene.integrator, kIntegrators);
  v.key({.name = "dt", .unit = "s", .about = "Time step; `auto` follows the stability limit."}, scene.dt, kTimeStep,
        Unset{"auto"});
  v.key({.name = "safety", .about = "Share of the stability limit that the automatic step takes."}, scene.safety,
        Range{0, 1, true});
  v.key({.name = "damping", .about = "Whether `damping_cap` limits the viscosity of small elements."}, scene.damping,
        kDampingRules);
  v.key({.name = "damping_cap", .about = "Largest damping ratio of an element, for damping `capped`."},
        scene.damping_cap, kNotNegative);
  v.key({.name = "crushing",
         .about = "Whether elements below 30 % of their volume push back (`barrier`) or fold up as the paper's do."},
        scene.crushing, kCrushingRules);
  v.key({.name = "seed", .about = "Of everything random; another seed gives another, equally likely run."}, scene.seed);
  v.key({.name = "body", .about = "What is simulated; at least one.", .fallback = "required"}, scene.bodies);
  v.key({.name = "collider",
         .about = "Rigid things that bodies bounce off: they stand still, go by keyframes or are thrown about."},
        scene.colliders);
  v.key({.name = "region", .about = "Parts of bodies that are held, moved or loaded."}, scene.regions);
  v.key({.name = "toughness",
         .about = "Where bodies are weaker or tougher than their material says: patterns whose factors multiply its "
                  "`toughness` or `strength`."},
        scene.toughness);
  v.key({.name = "fracture", .about = "How bodies break; what they bear is their material's `toughness`."},
        scene.fracture);
  v.key({.name = "contact", .about = "How bodies and fragments touch each other; colliders have their own keys."},
        scene.contact);
  v.key(
      {.name = "debris",
       .about = "Pieces that leave the world or are too small. Looked at in every frame; whatever happens to one has a "
                "line in `debris.jsonl`."},
      scene.debris);
  v.key({.name = "lattice", .about = "What all lattices of the scene have in common, and how it changes in time."},
        scene.lattices);
  v.key(
      {.name = "dust",
       .about = "Grains that crack faces shed when they open; their mass is taken from the body. The first table that "
                "names a body, or all, is that body's."},
      scene.dust);
  v.key({.name = "look", .about = "How pictures of the scene look; it changes nothing in the simulation."}, scene.look);
  v.key({.name = "paint", .about = "Surfaces of bodies and colliders in pictures."}, scene.paints);
  v.key({.name = "camera", .about = "Where pictures are taken from; without any, one frames the scene by itself."},
        scene.cameras);
  v.key({.name = "light", .about = "Lamps and panels in pictures, besides the sky's."}, scene.lights);
}

}  // namespace sunder
