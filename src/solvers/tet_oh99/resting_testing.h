#pragma once
// Boxes on the ground that come to rest, for the tests of sleep and debris.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

#include "solvers/tet_oh99/testing.h"

namespace sunder::tet_oh99::testing {

inline std::string criterion_name(const ::testing::TestParamInfo<ContactCriterion>& test) {
  return test.param == ContactCriterion::node_penetration ? "Nodes" : "Overlap";
}

inline constexpr double kFrame = 1.0 / 24;

inline Collider ground() {
  Collider c;
  c.name = "ground";
  c.shape = GroundCollider{0};
  return c;
}

inline Collider ball(const Vec3& at, const Vec3& velocity) {
  Collider c;
  c.name = "ball";
  c.shape = SphereCollider{0.1};
  c.motion = ColliderMotion::dynamic;
  c.mass = 2;
  c.position = at, c.velocity = velocity;
  return c;
}

// Boxes of 0.2 m, 8 kg each.
struct Boxes {
  explicit Boxes(ContactCriterion criterion = ContactCriterion::node_penetration) {
    setup.parameters.contact.criterion = criterion;
    setup.colliders.push_back(ground());
    material.lambda = material.mu = 2e6, material.density = 1000;
    material.phi = material.psi = 4000;
  }
  void add(const Vec3& at, const Vec3& velocity = Vec3::Zero()) {
    setup.body_names.push_back("box-" + std::to_string(setup.body_names.size() + 1));
    setup.materials.push_back(isotropic_material(material));
    add_part(at, velocity);
  }
  // One more of the last body, of another size.
  void add_part(const Vec3& at, const Vec3& velocity, double size = 0.2) {
    const auto number = static_cast<std::uint32_t>(setup.body_names.size() - 1);
    const TetSoup soup = box_mesh({size, size, size}, size / 2, number + 1);
    setup.mesh.append(soup, {number, number});
    for (const Vec3& p : soup.points) {
      setup.state.position.push_back(p + at);
      setup.state.velocity.push_back(velocity);
    }
  }
  Material material;
  TetSetup setup;
};

inline double books(const TetSolver& solver) {
  const Totals t = solver.totals();
  return t.kinetic + t.elastic + t.gravity + t.contact + t.dissipated;
}

inline void run_frame(TetSolver& solver) {
  const double end = solver.time() + kFrame;
  while (end - solver.time() > 1e-9) {
    ASSERT_TRUE(solver.step(std::min(solver.stable_dt(), end - solver.time())).finite);
  }
  solver.prepare_frame();
  solver.begin_frame();
}

// Frames until all nodes sleep, or it takes too long.
inline bool run_until_asleep(TetSolver& solver, double most) {
  while (solver.time() < most && solver.asleep().count < solver.mesh().node_count()) run_frame(solver);
  return solver.asleep().count == solver.mesh().node_count();
}

inline bool same(const Column<NodeId, Vec3>& a, const Column<NodeId, Vec3>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace sunder::tet_oh99::testing
