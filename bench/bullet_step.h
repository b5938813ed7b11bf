#pragma once
// Bullet's deformable body, stepped explicitly: deformation gradients, elastic and damping forces, node update.

#include <memory>

#include "core/vec.h"
#include "mesh/tet_soup.h"

namespace sunder::bench {

class BulletStep {
 public:
  BulletStep(const TetSoup& soup, double lambda, double mu, double density);
  ~BulletStep();
  void step(double dt);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sunder::bench
