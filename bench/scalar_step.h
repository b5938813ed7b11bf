#pragma once
// The yardstick of plain code: array of structs, one tet after the other, Eigen's 3x3 matrices, one thread. The same
// physics as ours (Green strain, strain rate, elastic and viscous stress, four corner forces, symplectic Euler).

#include <array>
#include <cstdint>
#include <vector>

#include "core/vec.h"
#include "mesh/tet_soup.h"

namespace sunder::bench {

class ScalarStep {
 public:
  ScalarStep(const TetSoup& soup, double lambda, double mu, double phi, double psi, double density);
  void step(double dt);

 private:
  struct Node {
    Vec3 position, velocity, force;
    double mass = 0;
  };
  struct Tet {
    std::array<std::uint32_t, 4> node;
    Mat3 rest_inverse;
    double volume;
  };
  std::vector<Node> nodes_;
  std::vector<Tet> tets_;
  double lambda_, mu_, phi_, psi_;
};

}  // namespace sunder::bench
