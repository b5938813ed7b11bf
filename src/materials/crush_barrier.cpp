#include "materials/crush_barrier.h"

#include <Eigen/Geometry>

namespace sunder {

Mat3 cofactor(const Mat3& f) {
  Mat3 c;
  c << f.col(1).cross(f.col(2)), f.col(2).cross(f.col(0)), f.col(0).cross(f.col(1));
  return c;
}

Mat3 cofactor_rate(const Mat3& f, const Mat3& g) {
  Mat3 c;
  c << g.col(1).cross(f.col(2)) + f.col(1).cross(g.col(2)), g.col(2).cross(f.col(0)) + f.col(2).cross(g.col(0)),
      g.col(0).cross(f.col(1)) + f.col(0).cross(g.col(1));
  return c;
}

}  // namespace sunder
