#pragma once
// The keys of coats that crack (scene/schema.h).

#include "scene/schema_keys.h"

namespace sunder {

void describe(auto& v, Is<ImpactSpec> auto& impact) {
  v.key({.name = "point", .unit = "m", .about = "Where the blow falls, in the world.", .required = true}, impact.point,
        kAnyNumber);
  v.key({.name = "hoop", .about = "Tension round the point: it opens radial cracks."}, impact.hoop, Range{-1e3, 1e3});
  v.key({.name = "radial", .about = "Tension away from it: it opens rings."}, impact.radial, Range{-1e3, 1e3});
  v.key({.name = "radius", .unit = "m", .about = "Both fall off as exp(-(r / radius)^2)."}, impact.radius, kSize);
  v.key(
      {.name = "rings",
       .unit = "m",
       .about = "The radial tension comes in waves, as a struck pane bends: the first ring opens at this distance, the "
                "k-th at k^(4/3) times it; 0: no waves."},
      impact.rings, kNotNegative);
}

void describe_sources(auto& v, auto& c) {
  v.key({.name = "tension", .about = "Stress that is the same everywhere and in all directions; drying, cooling."},
        c.tension, Range{-1e3, 1e3});
  v.key({.name = "curvature",
         .unit = "m",
         .about = "Adds so much times the curvature tensor: cracks run along folds and limbs."},
        c.curvature, Range{-1e6, 1e6});
  v.key({.name = "noise", .about = "Adds up to so much at random to every component of the stress."}, c.noise,
        Range{0, 1e3});
  v.key({.name = "noise_range",
         .unit = "length",
         .about =
             "This noise is alike over so many times `length`, as ground dries unevenly, and makes first cracks bend; "
             "0: it is drawn for each triangle."},
        c.noise_range, Range{0, 1e3});
  v.key({.name = "impacts", .about = "Blows.", .fallback = "none"}, c.impacts, InlineTables{1000});
  v.key({.name = "painted",
         .about = "Adds a tension read from the model: the name of a value of its points or, if they have none of that "
                  "name, of its faces, such as `red` of painted colours.",
         .fallback = "none"},
        c.painted, TextRule::line);
  v.key({.name = "painted_factor",
         .about = "Times that value. Colours go from 0 to 1, also where the file has them as bytes."},
        c.painted_factor, Range{-1e6, 1e6});
}

void describe(auto& v, Is<StressSpec> auto& sources) { describe_sources(v, sources); }

void describe_coat(auto& v, auto& c) {
  v.key({.name = "length",
         .unit = "m",
         .about = "Over which the ground under the coat takes its stress up; cells come out one to two times as wide.",
         .fallback = "five edges"},
        c.length, kLength, Unset{"auto"});
  v.key({.name = "substrate",
         .about = "`false`: nothing holds the coat but its border, as in the paper; then use `relax` paper."},
        c.substrate);
  v.key({.name = "toughness_spread",
         .about = "Nodes differ by up to this share of the toughness, up and down, by the scene's `seed`."},
        c.toughness_spread, Range{0, 1, false, true});
  describe_sources(v, c);
  v.key({.name = "once",
         .about = "Sources that act first, once and in full, and stay: a blow before the coat dries. Their cracks run "
                  "before there is any load."},
        c.once);
  v.key({.name = "load_from",
         .about = "All these stresses but those of `once` are multiplied with a load that starts here ..."},
        c.load_from, Range{0, 1e3});
  v.key({.name = "load_to", .about = "... and rises to here. Toughness is one."}, c.load_to, Range{0, 1e3});
  v.key({.name = "load_step", .about = "By so much at a time, whenever nothing cracks any more."}, c.load_step,
        Range{1e-4, 1e3});
  v.key({.name = "load_seconds", .unit = "s", .about = "In this time.", .fallback = "the scene's `duration`"},
        c.load_seconds, kNotNegative, Unset{"auto"});
  v.key({.name = "cracks_per_second",
         .unit = "1/s",
         .about = "Cracks go on at most so fast, and the load waits for them; 0: no limit. For films."},
        c.cracks_per_second, kNotNegative);
  v.key({.name = "relax",
         .about = "How stress evens out after each crack: `local` is quick, `exact` solves the whole surface, `paper` "
                  "takes steps of forward Euler."},
        c.relax, kRelaxWays);
  v.key({.name = "relax_steps", .about = "Steps after each crack, for `relax` paper."}, c.relax_steps,
        Count{1000000, "none"});
  v.key(
      {.name = "relax_tolerance", .about = "Force that `relax` local leaves at a node, in toughness times mean edge."},
      c.relax_tolerance, Range{1e-9, 1});
  v.key({.name = "alpha",
         .about = "Share of a crack's excess that its tips inherit: small is jagged, large is straight."},
        c.alpha, Range{0, 1, false, true});
  v.key({.name = "crack_snap", .unit = "degrees", .about = "No crack starts nearer to another or to the border."},
        c.crack_snap, Range{0, 90});
  v.key({.name = "tip_snap", .unit = "degrees", .about = "Nor from a tip nearer to its own crack."}, c.tip_snap,
        Range{0, 150});
  v.key({.name = "edge_snap", .unit = "degrees", .about = "Cracks nearer to an edge of the mesh run along it."},
        c.edge_snap, Range{0, 45});
  v.key({.name = "child_area", .about = "No piece of a triangle is smaller than this share of the mean triangle."},
        c.child_area, Range{1e-4, 0.5});
  v.key({.name = "tip_factor", .about = "Tips of cracks fail so much more easily."}, c.tip_factor, Range{0.1, 100});
  v.key({.name = "border_factor", .about = "Borders and the lips of cracks fail so much more easily (below 1: less)."},
        c.border_factor, Range{0, 100});
  v.key({.name = "curvature_scale", .about = "Curved places fail more easily, by this measure over its mean."},
        c.curvature_scale, kCurvatureMeasures);
  v.key({.name = "curvature_share", .about = "How much of that counts: 0 nothing, 1 flat places cannot crack."},
        c.curvature_share, Range{0, 1});
  v.key({.name = "curvature_most", .about = "Largest factor."}, c.curvature_most, Range{1, 1e6});
  v.key({.name = "border",
         .about =
             "Whether the surface's border is `free` (cracks meet it at right angles), held (`fixed`), or `continued`: "
             "what is there is a piece of a larger, uncracked surface."},
        c.border, kBorderRules);
  v.key({.name = "held",
         .about = "A value of the model's points or faces: where it is above 0.5 they are held.",
         .fallback = "none"},
        c.held, TextRule::line);
  v.key({.name = "gap", .about = "How much of its shrinkage shows as gaps."}, c.gap, Range{0, 10});
  v.key({.name = "gap_limit", .about = "No node shows more motion than this times load times `length`."}, c.gap_limit,
        Range{0, 1e3});
  v.key({.name = "depth", .unit = "m", .about = "Of the walls of cracks; 0: none."}, c.depth, kNotNegative);
  v.key({.name = "curl", .about = "How far the lips of cracks rise, in widths of half a gap."}, c.curl, Range{0, 100});
  v.key({.name = "curl_width", .about = "How far from the lips the rise reaches, in `length`."}, c.curl_width,
        Range{0.01, 10});
  v.key({.name = "line", .unit = "m", .about = "Width of cracks that are drawn as dark lines; 0: none."}, c.line,
        kNotNegative);
}

void describe(auto& v, Is<MudCoat> auto& coat) { describe_coat(v, coat); }
void describe(auto& v, Is<GlazeCoat> auto& coat) { describe_coat(v, coat); }
void describe(auto& v, Is<GlassCoat> auto& coat) { describe_coat(v, coat); }

}  // namespace sunder
