#pragma once
// The keys of lattices that break (scene/schema.h).

#include "scene/schema_keys.h"

namespace sunder {

void describe(auto& v, Is<LatticeSpec> auto& lattice) {
  v.key(
      {.name = "bonds",
       .about = "Which corners of a cell are joined: the 12 edges and its 4 body diagonals (`edges-body`), one "
                "diagonal a face (`edges-face`), both (`edges-faces`), or all 28 (`full`), which alone is as strong in "
                "all directions."},
      lattice.bonds, kLatticeBonds);
  v.key({.name = "threshold",
         .about = "Strain at which bonds break.",
         .fallback = "the material's `strength`, or its preset's, over Young's modulus; without strength, never"},
        lattice.threshold, Range{0, 10, true}, Unset{"auto"});
  v.key({.name = "scatter",
         .about = "Standard deviation of the thresholds over their mean: two parts alike over a few cells, one by the "
                  "bond; none is below a quarter of the mean."},
        lattice.scatter, Range{0, 2});
  v.key(
      {.name = "damping", .about = "Of the fastest vibration, as a share of critical damping; slower ones have less."},
      lattice.damping, Range{0, 10});
  v.key({.name = "spring",
         .unit = "N/m",
         .about = "Spring constant of every bond along an edge, whatever its length and however many cells hold it: "
                  "the paper's way. The material's stiffness is then not heeded.",
         .fallback = "what the material's Young's modulus makes of each bond"},
        lattice.spring, kPositive, Unset{"auto"});
  const bool springs = lattice.spring.has_value();
  v.key({.name = "spring_face",
         .unit = "N/m",
         .about = "The same of bonds across a face.",
         .fallback = "`spring`",
         .applies = springs && lattice.has_face_diagonals(),
         .goes_with = "`spring`, and `bonds` other than edges-body"},
        lattice.spring_face, kPositive, Unset{"auto"});
  v.key({.name = "spring_body",
         .unit = "N/m",
         .about = "The same of bonds across a cell.",
         .fallback = "`spring`",
         .applies = springs && lattice.has_body_diagonals(),
         .goes_with = "`spring`, and `bonds` full or edges-body"},
        lattice.spring_body, kPositive, Unset{"auto"});
  v.key({.name = "spring_damping",
         .unit = "N s/m",
         .about = "Damping constant of every bond along an edge; diagonals have it in proportion to their springs.",
         .fallback = "what `damping` makes of it",
         .applies = springs,
         .goes_with = "`spring`"},
        lattice.spring_damping, kNotNegative, Unset{"auto"});
}

void describe(auto& v, Is<ControlSpec> auto& control) {
  v.key({.name = "time", .unit = "s", .about = "When.", .required = true}, control.time, kNotNegative);
  v.key({.name = "gravity", .about = "Times the scene's `gravity`."}, control.gravity, Range{-1e3, 1e3});
  v.key({.name = "stiffness", .about = "Times the stiffness of every bond."}, control.stiffness, Range{1e-6, 1e3});
  v.key({.name = "length", .about = "Times the rest length of every bond."}, control.length, Range{0.1, 10});
}

void describe(auto& v, Is<LatticesSpec> auto& lattices) {
  v.key(
      {.name = "keep",
       .about = "A break that would leave a node without an unbroken cell waits until its strain is so many times the "
                "threshold; 1 is the paper, which sheds many single nodes."},
      lattices.keep, Range{1, 1e6});
  v.key({.name = "within", .about = "Nodes of one piece repel each other, too, if they have no cell in common."},
        lattices.within);
  v.key(
      {.name = "flight",
       .about = "Pieces that touch nothing, have nothing near them and hardly vibrate are moved as rigid bodies until "
                "something comes near; false: bond by bond, always."},
      lattices.flight);
  v.key({.name = "control",
         .about = "Factors at times, evenly from one to the next: heavier, softer, tighter.",
         .fallback = "none"},
        lattices.control, InlineTables{10000});
}

}  // namespace sunder
