#pragma once

#include <Eigen/Geometry>
#include <cstdint>

#include "core/random.h"
#include "core/vec.h"

namespace sunder {

// Numbers in a range, one after the other, from a seed.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : seed_(seed) {}
  double operator()(double low, double high) { return low + (high - low) * random_unit(seed_, 0, draw_++); }
  Vec3 vec(double low, double high) {
    const double x = (*this)(low, high), y = (*this)(low, high), z = (*this)(low, high);
    return {x, y, z};
  }
  Mat3 matrix(double low, double high) {
    Mat3 m;
    m << vec(low, high), vec(low, high), vec(low, high);
    return m;
  }
  Mat3 rotation() {
    const double w = (*this)(-1, 1), x = (*this)(-1, 1), y = (*this)(-1, 1), z = (*this)(-1, 1);
    return Eigen::Quaterniond(w, x, y, z).normalized().toRotationMatrix();
  }

 private:
  std::uint64_t seed_, draw_ = 0;
};

}  // namespace sunder
