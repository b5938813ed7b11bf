#pragma once
// Every kind of shape, for tests and for the table in docs/shapes.md.

#include <string>
#include <vector>

#include "shapes/shape.h"

namespace sunder {

struct ShapeSample {
  std::string name;
  Shape shape;
  int euler = 2;          // V - E + F of the boundary
  bool straight = false;  // a mesh fills it exactly
};

inline std::vector<ShapeSample> shape_samples() {
  const std::vector<Vec3> arc = {{0, -0.1, 0}, {0.08, -0.06, 0}, {0.08, 0.06, 0}, {0, 0.1, 0}};
  return {{"box", BoxShape{}, 2, true},
          {"slab", SlabShape{}, 2, true},
          {"sphere", SphereShape{}},
          {"ellipsoid", EllipsoidShape{}},
          {"cylinder", CylinderShape{}},
          {"capsule", CapsuleShape{}},
          {"torus", TorusShape{}, 0},
          {"bowl", BowlShape{}},
          {"cup", CupShape{}},
          {"vase", VaseShape{}},
          {"plate", PlateShape{}},
          {"revolve", RevolveShape{}, 0},
          {"ring", RevolveShape{{{0.1, 0}, {0.14, 0}, {0.14, 0.03}, {0.1, 0.03}}, CurveKind::polyline, true, 0}, 0},
          {"patch", PatchShape{}},
          {"tube", TubeShape{}},
          {"hollow tube", TubeShape{arc, 0.02, 0.006, false}, 0},
          {"polygon", PolygonShape{}, 2, true},
          {"text", TextShape{}, 10}};  // six letters, one with a hole
}

// What is put together of parts, and goes through the general mesher.
inline std::vector<ShapeSample> assembly_samples() {
  return {{"union", UnionShape{}, 0},
          {"goblet", GobletShape{}},
          {"teapot", TeapotShape{}, 2},  // 0 outside, for the handle, and 2 of the hollow inside
          {"open teapot", TeapotShape{0.1, 0.014, false}, 0}};
}

}  // namespace sunder
