#pragma once
// The signed distance of every shape.

#include "shapes/mapping.h"
#include "shapes/shape.h"

namespace sunder {

// InputError for a file, whose inside only its mesh knows.
DistanceFunction signed_distance(const Shape& shape);

}  // namespace sunder
