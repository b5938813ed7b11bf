// Constants of single elements.
#include "solvers/tet_oh99/elements.h"

#include <gtest/gtest.h>

#include "solvers/tet_oh99/testing.h"

namespace sunder::tet_oh99 {
namespace {

using testing::Dice;

// The closed form for isotropic materials and the eigenvalue solver for any law, on the same tets.
TEST(ElementConstants, IsotropicEigenvaluesAreThoseOfTheGeneralLaw) {
  Dice dice(11);
  for (int i = 0; i < 200; ++i) {
    TetMesh mesh;
    mesh.append(testing::random_tet(dice), {});
    Material constants = testing::random_material(dice);
    if (i % 4 == 0) constants.lambda = -0.6 * constants.mu;  // shear may be the stiffest then
    std::vector<TetMaterial> special, general;
    special.push_back(isotropic_material(constants));
    general.push_back(isotropic_material(constants));
    general[0].isotropic = false;
    const ElementConstants a = element_constants(mesh, special, {}), b = element_constants(mesh, general, {});
    const TetId t(0);
    EXPECT_NEAR(a.elastic_eigen[t], b.elastic_eigen[t], 1e-11 * b.elastic_eigen[t]);
    EXPECT_NEAR(a.viscous_eigen[t], b.viscous_eigen[t], 1e-11 * b.viscous_eigen[t]);
    EXPECT_NEAR(a.damping_scale[t], b.damping_scale[t], 1e-11);
  }
}

}  // namespace
}  // namespace sunder::tet_oh99
