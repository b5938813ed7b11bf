#pragma once
// Where the stress comes from: sources that add up to a pattern of stress per unit of load, one tensor for each
// triangle, and what curvature does to the separation tensor (Iben & O'Brien 2006, 3.2 and 4.1).

#include <cstdint>
#include <string>
#include <vector>

#include "core/vec.h"
#include "solvers/surface_iben06/membrane.h"

namespace sunder::surface_iben06 {

// A blow. Radial cracks open under hoop tension, rings under radial tension; both fall off as exp(-(r / radius)^2).
struct Impact {
  Vec3 point = Vec3::Zero();  // m
  double hoop = 3, radial = 1.5;
  double radius = 0.1;  // m
  // m: the radial tension comes in waves, as a pane that was struck bends in waves. Their crests, where rings open, are
  // at rings k^(4/3), k = 1, 2, ...: further and further apart. 0: no waves.
  double rings = 0;
};

enum class CurvatureScale : std::uint8_t {
  none,
  gaussian,   // |k1 k2|
  mean,       // |k1 + k2| / 2
  frobenius,  // sqrt(k1^2 + k2^2)
  squares,    // k1^2 + k2^2
};

struct StressSources {
  double tension = 1;      // the same everywhere and in all directions: shrinkage
  double curvature = 0;    // m: times the curvature tensor
  double noise = 0;        // at random, each component up to this much ...
  double noise_range = 0;  // m: ... or, with the same standard deviation, alike within so far; 0: no range
  std::uint64_t noise_seed = 0;
  std::vector<Impact> impacts;
  std::vector<double> painted;        // tension at each point of the input; empty: none
  std::vector<double> painted_faces;  // and at each of its triangles
};

// Of each triangle, in its own frame. Before anything is cracked.
std::vector<Mat2> stress_pattern(const Membrane& membrane, const StressSources& sources);

// Factors of the nodes' separation tensors: the measure over its mean, mixed with 1 by `share`, at most `most`.
std::vector<double> curvature_scales(const TriMesh& mesh, CurvatureScale measure, double share, double most);

}  // namespace sunder::surface_iben06
