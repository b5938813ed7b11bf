#include "fracture/effective_area.h"

#include <algorithm>
#include <cmath>

namespace sunder {

double effective_area(std::span<const Vec3> scaled_gradients, const Vec3& normal, double sum_of_areas) {
  double sum = 0, size = 0;
  for (const Vec3& a : scaled_gradients) {
    const double along = a.dot(normal);
    sum += along, size += std::abs(along);
  }
  return std::max(0.5 * (size - std::abs(sum)), least_effective_area(sum_of_areas));
}

}  // namespace sunder
