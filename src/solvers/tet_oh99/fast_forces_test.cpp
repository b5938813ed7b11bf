#include "solvers/tet_oh99/fast_forces.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

#include "core/parallel.h"
#include "meshing/ball_mesh.h"
#include "meshing/box_mesh.h"
#include "solvers/simd_target.h"
#include "solvers/tet_oh99/testing.h"

namespace {
std::atomic<long> allocations{0};
}

// Counted, for NothingIsAllocatedInTheSteadyState. Inlined, they would look mismatched to the compiler.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size);
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t align) {
  ++allocations;
  const auto a = static_cast<std::size_t>(align);
  if (void* p = std::aligned_alloc(a, (size + a - 1) / a * a)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, const std::nothrow_t&) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

namespace sunder::tet_oh99 {
namespace {

using testing::Dice;

constexpr const char* kTargets[] = {"avx512", "avx2", "portable"};

// The best instruction set again at the end of a test that forces one.
struct RestoreTarget {
  ~RestoreTarget() { force_simd_target(""); }
};

// A body of several materials, with both ways to find its forces.
struct TwoWays {
  explicit TwoWays(const TetSoup& soup, std::size_t material_count, Dice& dice, bool capped = true) {
    for (std::size_t m = 0; m < material_count; ++m) {
      materials.push_back(isotropic_material(testing::random_material(dice), dice(0, 1) < 0.8));
    }
    for (const Vec3& p : soup.points) mesh.add_node(p);
    for (const auto& tet : soup.tets) {
      std::array<NodeId, 4> corners;
      for (std::size_t i = 0; i < 4; ++i) corners[i] = NodeId(static_cast<std::size_t>(tet[i]));
      const auto material = static_cast<std::uint32_t>(dice(0, static_cast<double>(material_count)));
      mesh.add_tet(corners, {.body = 0, .material = material});
    }
    damping.capped = capped;
    refresh();
  }
  TwoWays(const TwoWays&) = delete;  // the forces refer to the members
  TwoWays& operator=(const TwoWays&) = delete;

  void refresh() {
    elements = element_constants(mesh, materials, damping);
    plain.refresh();
    fast.refresh();
  }

  void remove_tets(double share, Dice& dice) {
    for (const TetId t : id_range<TetId>(mesh.tet_slots())) {
      if (mesh.alive(t) && dice(0, 1) < share) mesh.remove_tet(t);
    }
    refresh();
  }

  // Nodes off their places by up to `amount` of an edge: 0.2 strains, 1 crushes and inverts.
  void deform(double edge, double amount, Dice& dice) {
    const Mat3 turn = dice.rotation();
    state.position.resize(mesh.node_slots());
    state.velocity.resize(mesh.node_slots());
    for (const NodeId n : id_range<NodeId>(mesh.node_slots())) {
      state.position[n] = turn * (mesh.material_position(n) + amount * edge * dice.vec(-1, 1));
      state.velocity[n] = dice.vec(-10, 10);
    }
  }

  TetMesh mesh;
  std::vector<TetMaterial> materials;
  DampingParameters damping;
  ElementConstants elements;
  NodeState state;
  InternalForces plain{mesh, materials, elements};
  FastForces fast{mesh, materials, elements};
};

// By node: the largest forces that the stress of the tets around it could make, vol |S| |F| |grad b| with |S| as large
// as its terms before they cancel. What rounding errors are measured against.
Column<NodeId, double> force_scale(const TwoWays& body) {
  Column<NodeId, double> scale(body.mesh.node_slots());
  for (const TetId t : id_range<TetId>(body.mesh.tet_slots())) {
    if (!body.mesh.alive(t)) continue;
    const TetMaterial& m = body.materials[body.mesh.tags(t).material];
    const TetCorners x = body.mesh.corner_positions(t, body.state.position);
    const TetCorners v = body.mesh.corner_positions(t, body.state.velocity);
    const Mat3 f = edge_matrix(x) * body.elements.rest_inverse[t], g = edge_matrix(v) * body.elements.rest_inverse[t];
    const double j = f.determinant();
    double stress = (3 * m.constants.lambda + 2 * m.constants.mu) * (1 + f.squaredNorm()) +
                    (3 * m.constants.phi + 2 * m.constants.psi) * f.norm() * g.norm();
    if (m.barrier.acts(j)) {  // an error of J, some |F|^3, counts with the curvature
      stress += (std::abs(m.barrier.slope(j)) + m.barrier.curvature(j) * std::pow(f.norm(), 3)) * f.norm();
    }
    const double force = body.elements.volume[t] * stress * f.norm() * std::sqrt(body.elements.gradient_square[t]);
    for (const NodeId n : body.mesh.corners(t)) scale[n] += force;
  }
  return scale;
}

void expect_agreement(TwoWays& body, const std::string& what) {
  SCOPED_TRACE(what + " on " + simd_target());
  Column<NodeId, Vec3> plain, fast;
  const ForceReport wanted = body.plain.evaluate(body.state, plain);
  const ForceReport got = body.fast.evaluate(body.state, fast, true);
  const Column<NodeId, double> scale = force_scale(body);
  double worst = 0;
  for (const NodeId n : id_range<NodeId>(plain.size())) {
    if (scale[n] == 0) {
      EXPECT_EQ(fast[n], Vec3::Zero());
    } else {
      worst = std::max(worst, (plain[n] - fast[n]).norm() / scale[n]);
    }
  }
  EXPECT_LT(worst, 1e-12);
  EXPECT_NEAR(got.elastic_eigen, wanted.elastic_eigen, 1e-12 * wanted.elastic_eigen);
  EXPECT_NEAR(got.viscous_eigen, wanted.viscous_eigen, 1e-12 * wanted.viscous_eigen);
  EXPECT_EQ(got.inverted, wanted.inverted);
  EXPECT_NEAR(got.viscous_power, wanted.viscous_power, 1e-11 * wanted.viscous_power);

  Column<NodeId, Vec3> unmeasured;
  const ForceReport quick = body.fast.evaluate(body.state, unmeasured, false);
  EXPECT_EQ(quick.viscous_power, got.viscous_power);
  EXPECT_EQ(quick.inverted, got.inverted);
  for (const NodeId n : id_range<NodeId>(fast.size())) ASSERT_EQ(unmeasured[n], fast[n]);
}

TetSoup shuffled(TetSoup soup, Dice& dice) {
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(dice(0, static_cast<double>(n))); };
  for (std::size_t i = soup.tets.size(); i > 1; --i) std::swap(soup.tets[i - 1], soup.tets[below(i)]);
  return soup;
}

TEST(FastForces, AgreeWithThePlainOnesOnRandomMeshesMaterialsAndStates) {
  const RestoreTarget restore;
  Dice dice(1);
  struct Mesh {
    const char* name;
    TetSoup soup;
    double edge;
  };
  const Mesh meshes[] = {{"one tet", testing::random_tet(dice), 1},
                         {"small box", box_mesh({1, 1, 1}, 1, 2), 1},
                         {"box", box_mesh({1, 0.7, 0.5}, 0.15, 3), 0.15},
                         {"shuffled box", shuffled(box_mesh({1, 1, 1}, 0.12, 4), dice), 0.12},
                         {"ball", ball_mesh(0.5, 0.1, 5), 0.1}};
  for (const Mesh& mesh : meshes) {
    for (const std::size_t materials : {1, 3}) {
      TwoWays body(mesh.soup, materials, dice, dice(0, 1) < 0.5);
      for (const double share : {0.0, 0.3}) {
        if (share > 0 && mesh.soup.tets.size() > 1) body.remove_tets(share, dice);
        for (const double amount : {1e-6, 0.05, 0.3, 1.5}) {
          body.deform(mesh.edge, amount, dice);
          for (const char* target : kTargets) {
            if (!force_simd_target(target)) continue;
            expect_agreement(body, std::string(mesh.name) + ", off by " + std::to_string(amount));
          }
        }
      }
    }
  }
}

TEST(FastForces, CrushedAndInvertedTetsAreFound) {
  Dice dice(2);
  TwoWays body(box_mesh({1, 1, 1}, 0.2, 1), 1, dice);
  body.deform(0.2, 0, dice);
  for (Vec3& p : body.state.position) p = Vec3(p.x(), -0.5 * p.y(), p.z());  // inside out, all of them
  Column<NodeId, Vec3> force;
  EXPECT_EQ(body.fast.evaluate(body.state, force, false).inverted, body.mesh.tet_count());
  expect_agreement(body, "mirrored");
}

TEST(FastForces, MostTetsFindAPartner) {
  Dice dice(3);
  TwoWays body(box_mesh({1, 1, 1}, 0.1, 1), 1, dice);
  const ElementBlocks& blocks = body.fast.blocks();
  EXPECT_GT(body.mesh.tet_count(), 10000u);
  EXPECT_LT(static_cast<double>(2 * kLanes * blocks.groups.size()), 1.1 * static_cast<double>(body.mesh.tet_count()));
  // Position, velocity, force and mass of the nodes included.
  const double bytes = static_cast<double>(body.fast.hot_bytes() + 80 * body.mesh.node_count());
  EXPECT_LT(bytes, 130 * static_cast<double>(body.mesh.tet_count()));
}

bool same_bits(const Column<NodeId, Vec3>& a, const Column<NodeId, Vec3>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Vec3)) == 0;
}

TEST(FastForces, BitsDoNotDependOnTheNumberOfThreads) {
  Dice dice(4);
  TwoWays body(box_mesh({1, 1, 1}, 0.08, 1), 2, dice);
  body.deform(0.08, 0.2, dice);
  Column<NodeId, Vec3> wanted;
  const ForceReport wanted_report = body.fast.evaluate(body.state, wanted, true);
  for (const int count : {1, 2, 3, 4, 7}) {
    Threads threads(count);
    threads.run([&] {
      Column<NodeId, Vec3> force;
      const ForceReport report = body.fast.evaluate(body.state, force, true);
      EXPECT_TRUE(same_bits(force, wanted)) << count << " threads";
      EXPECT_EQ(report.viscous_power, wanted_report.viscous_power);
      EXPECT_EQ(report.elastic_eigen, wanted_report.elastic_eigen);
    });
  }
}

TEST(FastForces, Avx2AndAvx512GiveTheSameBits) {
  const RestoreTarget restore;
  if (!force_simd_target("avx2") || !force_simd_target("avx512")) GTEST_SKIP() << "needs both";
  Dice dice(5);
  TwoWays body(ball_mesh(0.5, 0.06, 1), 3, dice);
  for (const double amount : {0.05, 1.5}) {
    body.deform(0.06, amount, dice);
    Column<NodeId, Vec3> wide, narrow;
    force_simd_target("avx512");
    const ForceReport a = body.fast.evaluate(body.state, wide, true);
    EXPECT_STREQ(simd_target(), "AVX3");
    force_simd_target("avx2");
    const ForceReport b = body.fast.evaluate(body.state, narrow, true);
    EXPECT_STREQ(simd_target(), "AVX2");
    EXPECT_TRUE(same_bits(wide, narrow));
    EXPECT_EQ(a.viscous_power, b.viscous_power);
    EXPECT_EQ(a.elastic_eigen, b.elastic_eigen);
    EXPECT_EQ(a.viscous_eigen, b.viscous_eigen);
  }
}

TEST(FastForces, NothingIsAllocatedInTheSteadyState) {
  Dice dice(7);
  TwoWays body(box_mesh({1, 1, 1}, 0.15, 1), 2,
               dice);  // small enough for one thread: TBB's tasks are not counted
  body.deform(0.15, 0.1, dice);
  Column<NodeId, Vec3> force;
  Threads one(1);
  one.run([&] {
    const auto all_kinds = [&] {
      body.fast.evaluate(body.state, force, true);
      body.fast.evaluate(body.state, force, false);
    };
    for (int i = 0; i < 3; ++i) all_kinds();
    const long before = allocations;
    for (int i = 0; i < 10; ++i) all_kinds();
    EXPECT_EQ(allocations - before, 0);
  });
}

TEST(TetSolver, StepsWithContactSupportsAndLoadsWithoutAllocating) {
  Material m;
  m.lambda = m.mu = 1e5, m.phi = m.psi = 50, m.density = 1000;
  TetSetup setup = testing::setup_of(box_mesh({0.4, 0.4, 0.4}, 0.1, 1), m);
  Collider ground;
  ground.shape = GroundCollider{-0.2};
  setup.colliders.push_back(ground);
  Region held, pushed;
  for (const NodeId n : id_range<NodeId>(setup.mesh.node_slots())) {
    if (setup.mesh.material_position(n).x() < -0.19) held.nodes.push_back(n);
    if (setup.mesh.material_position(n).x() > 0.19) pushed.nodes.push_back(n);
  }
  pushed.kind = Region::Kind::force, pushed.force = Vec3(0, -3, 0);
  pushed.share.assign(pushed.nodes.size(), 1.0 / static_cast<double>(pushed.nodes.size()));
  setup.regions = {held, pushed};
  TetSolver solver(std::move(setup));
  Threads(1).run([&] {
    for (int i = 0; i < 600; ++i) solver.step(solver.stable_dt());  // touches, and has had its estimates
    EXPECT_GT(solver.reactions().back().peak, 0) << "nothing touches";
    const long before = allocations;
    for (int i = 0; i < 600; ++i) solver.step(solver.stable_dt());
    EXPECT_EQ(allocations - before, 0);
  });
}

}  // namespace
}  // namespace sunder::tet_oh99
