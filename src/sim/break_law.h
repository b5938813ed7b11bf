#pragma once
// How stiff and strong a model must be to break as an artist asks, whatever its size. `sunder drop` and `sunder hit`
// choose their material and their time by it.
//
// With L the model's size, rho its density and v the speed of the blow:
//
//   Mach number of the blow      v / c = M(n),  n = v^2 / (2 g L), the fall in sizes      c = sqrt(E / rho)
//   strength                     sigma = s rho c v                                        s by `pieces`
//   viscosity                    phi / lambda = psi / mu = tau L / c
//   time to come to rest         T = k(n) sqrt(L / g)
//
// All else being lengths in L, a model and its copy of ten thousand times the size do the same, the copy a hundred
// times slower: weight over strength, steps and pieces are the same (Froude's scaling). A blow of rho c v is what a
// bar that hits a wall feels; real ceramic has M = 0.001, which takes fifty times the steps and looks no different.
//
// Thin walls bend where they land and pass less of the blow on: they are given less strength, so that cups part as
// rings do. The viscosity takes part of what the softened material stores, which would throw the pieces far.
//
// Compact things, balls and blocks, feel rho c v near the place of the blow only, and so much less elsewhere that no
// one strength breaks them: whole above it, dust below, since the stress inside is nearly even and nothing says where
// to part. Real ones part at flaws. So they are given some: walls of random cells, weaker the more compact the thing is
// and fewer the fewer pieces are asked for, with cracks that run on once they have begun. What the blow has stored in
// them is more, so they are more viscous, too.

#include "materials/material.h"

namespace sunder {

enum class Pieces { few, some, many };

struct Blow {
  double size = 1;   // m, L: the longest side of the model's box
  double speed = 1;  // m/s, v
  double gravity = 9.81;
};

// n: from how many sizes a thing falls that arrives with the blow's speed.
double fall_in_sizes(const Blow& blow);

// The preset, no stiffer than the blow needs, and as strong as gives the pieces. What cannot break (toughness 0) stays
// so; what flows yields at the same share of its strength. `thickness` as below.
Material material_for(const Material& real, const Blow& blow, Pieces pieces, double thickness);

// From 0, a torus or thinner, to 1, a ball or a block. `thickness` is that of ModelSurvey.
double compactness(double thickness);

// The weak walls inside, and how cracks run.
struct Flaws {
  int cells = 0;           // 0: no walls
  double factor = 1;       // of the strength, in the walls
  double tip_share = 0.8;  // of the strength, at a crack's tip
  double residual = 0;     // how much cracks keep to their course
};
Flaws flaws_for(double compact, Pieces pieces);

// v / c of a material.
double mach_of(const Material& material, const Blow& blow);

// From the blow until the pieces lie, s.
double time_to_rest(const Blow& blow);

// Frames per second, a usual number, that give a film of two to five seconds at 24 or 30 pictures a second; large
// things take their time and have at least 12.
double frame_rate_for(double duration);

}  // namespace sunder
