#pragma once
// Shapes that are put together of others.

#include <optional>

#include "shapes/shape.h"

namespace sunder {

// The parts of a union, goblet or teapot; none of other shapes. InputError without a place if the measures are
// impossible. Every part overlaps the one it sits on by half a wall or so, and does not reach through it.
std::optional<UnionShape> assembly_of(const Shape& shape);

// A teapot as lattices are glued of it (Norton et al. 1991, geometric modeling): a body, a cylindrical rim inside its
// opening that the lid lies on, a handle of two curved cylinders end to end, a spout of two curved slabs side by side.
// Parts of handle and spout are glued to each other first, then all to the body.
struct GluedTeapot {
  UnionPart body;
  UnionShape rim, handle, spout, lid;  // the lid with its knob
};
GluedTeapot glued_teapot(const TeapotShape& teapot);

// A part as a shape of its own.
Shape shape_of(const UnionPart& part);

// The least distance between opposite sides, m: the wall of what is hollow. It decides how fine the general mesher,
// which needs two cells there, must be.
double thinnest(const PartShape& shape);
double thinnest(const UnionShape& assembly);

}  // namespace sunder
