#include "shapes/signed_distance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/error.h"
#include "core/rotation.h"
#include "shapes/assembly.h"
#include "shapes/distance.h"
#include "shapes/mapped_shapes.h"

namespace sunder {
namespace {

// Exact outside; where parts overlap, no more than the distance to the surface.
DistanceFunction union_distance(const UnionShape& assembly) {
  struct Placed {
    DistanceFunction distance;
    Mat3 turn_back;
    Vec3 position;
  };
  std::vector<Placed> parts;
  for (const UnionPart& part : assembly.parts) {
    Placed placed;
    placed.distance = signed_distance(shape_of(part));
    placed.turn_back = rotation_matrix(part.rotation).transpose();
    placed.position = part.position;
    parts.push_back(std::move(placed));
  }
  return [parts](const Vec3& x) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const Placed& part : parts) nearest = std::min(nearest, part.distance(part.turn_back * (x - part.position)));
    return nearest;
  };
}

}  // namespace

DistanceFunction signed_distance(const Shape& shape) {
  require_solid(shape);
  if (const auto* box = std::get_if<BoxShape>(&shape)) {
    return [half = Vec3(box->size / 2)](const Vec3& x) { return box_distance(x, half); };
  }
  if (const auto* sphere = std::get_if<SphereShape>(&shape)) {
    return [r = sphere->radius](const Vec3& x) { return x.norm() - r; };
  }
  if (const auto* ellipsoid = std::get_if<EllipsoidShape>(&shape)) {
    // Distance to first order, f / |grad f| with f = |x / radii| - 1; at the centre, where that has no meaning, and
    // inside in general, no more than the distance in the scaled space allows.
    return [r = ellipsoid->radii](const Vec3& x) {
      const double f = x.cwiseQuotient(r).norm(), slope = x.cwiseQuotient(r.cwiseProduct(r)).norm();
      const double least = (f - 1) * r.minCoeff();
      return slope > 0 ? (f > 1 ? f * (f - 1) / slope : std::max(f * (f - 1) / slope, least)) : least;
    };
  }
  if (const auto* capsule = std::get_if<CapsuleShape>(&shape)) {
    return [r = capsule->radius, straight = capsule->height / 2 - capsule->radius](const Vec3& x) {
      return Vec3(x.x(), std::max(0.0, std::abs(x.y()) - straight), x.z()).norm() - r;
    };
  }
  if (const auto assembly = assembly_of(shape)) return union_distance(*assembly);
  const std::vector<Mapping> mappings = mappings_of(shape);
  if (mappings.empty()) {
    throw InputError({}, "a mesh file has no signed distance", "use a shape that is described by its measures");
  }
  return [mappings](const Vec3& x) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const Mapping& mapping : mappings) nearest = std::min(nearest, mapping.distance(x));
    return nearest;
  };
}

}  // namespace sunder
