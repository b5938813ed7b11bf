#pragma once
// What must be known of a model before a scene can be made for it: how large and how heavy it is.

#include <cstdint>
#include <vector>

#include "core/vec.h"
#include "shapes/shape.h"

namespace sunder {

struct ModelSurvey {
  std::vector<Vec3> points;  // m, of the surface, in the body's own axes
  double volume = 0;         // m^3
  double area = 0;           // m^2, of the surface
  double edge = 0;           // m, to be meshed with; 0 for a file of tets, which has its own
  std::size_t tets = 0;

  Vec3 extent() const;                                 // m, of the box
  double size() const { return extent().maxCoeff(); }  // m
  // How thick it is, over its size: of a plate its thickness, of a rod its radius, of a ball two thirds of that.
  double thickness() const { return 2 * volume / (area * size()); }
};

// Meshes the shape; an edge of 0 takes one that gives a few thousand tets, as thin walls allow.
ModelSurvey survey_model(const Shape& shape, double edge, std::uint64_t seed);

}  // namespace sunder
