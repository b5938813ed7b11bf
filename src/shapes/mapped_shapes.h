#pragma once
// The mappings of the shapes that are meshed in layers. Impossible sizes are InputErrors without a place: the scene
// reader knows where the shape stands.

#include <vector>

#include "shapes/mapping.h"
#include "shapes/shape.h"

namespace sunder {

Mapping map_shape(const SlabShape& slab);
Mapping map_shape(const CylinderShape& cylinder);
Mapping map_shape(const TorusShape& torus);
Mapping map_shape(const BowlShape& bowl);
Mapping map_shape(const CupShape& cup);
Mapping map_shape(const VaseShape& vase);
Mapping map_shape(const PlateShape& plate);
Mapping map_shape(const RevolveShape& revolve);
Mapping map_shape(const PatchShape& patch);
Mapping map_shape(const TubeShape& tube);
Mapping map_shape(const PolygonShape& polygon);
std::vector<Mapping> map_shape(const TextShape& text);  // a prism for each separate outline

// All solids of a shape; none if it is meshed in another way.
std::vector<Mapping> mappings_of(const Shape& shape);

}  // namespace sunder
