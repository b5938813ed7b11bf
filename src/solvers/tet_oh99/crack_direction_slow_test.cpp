// Cracks follow the stress, not the mesh.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <numbers>

#include "mesh/boundary.h"
#include "solvers/tet_oh99/cracking_testing.h"

namespace sunder::tet_oh99 {
namespace {

using testing::run_until_cracked;
using testing::StretchedBlock;

constexpr double kDegrees = 180 / std::numbers::pi;

// Angle between the crack faces and the plane across the pull, degrees: the mean over all faces by area, as they lie in
// the material.
double mean_angle(const TetSolver& solver, const Vec3& pull) {
  double area = 0, sum = 0;
  for (const BoundaryFace& face : boundary_faces(solver.mesh())) {
    if ((solver.mesh().crack_faces(face.face.tet) >> face.face.index & 1u) == 0) continue;
    const Vec3 a = area_vector(face, solver.mesh().material_positions());
    area += a.norm();
    sum += a.norm() * std::acos(std::min(1.0, std::abs(a.normalized().dot(pull)))) * kDegrees;
  }
  return sum / area;
}

// And how far the direction that most crack area faces lies from the pull, degrees.
double tilt(const TetSolver& solver, const Vec3& pull) {
  Mat3 moments = Mat3::Zero();
  for (const BoundaryFace& face : boundary_faces(solver.mesh())) {
    if ((solver.mesh().crack_faces(face.face.tet) >> face.face.index & 1u) == 0) continue;
    const Vec3 a = area_vector(face, solver.mesh().material_positions());
    moments += a * a.transpose() / a.norm();
  }
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(moments);
  return std::acos(std::min(1.0, std::abs(eigen.eigenvectors().col(2).dot(pull)))) * kDegrees;
}

struct Angles {
  double mean = 0, tilt = 0;
};

// Over ten meshes.
Angles angles(double snap_distance, double snap_angle) {
  Angles sum;
  constexpr int kSeeds = 10;
  for (int seed = 1; seed <= kSeeds; ++seed) {
    StretchedBlock block;
    block.size = Vec3(0.2, 0.2, 0.1);
    block.seed = static_cast<std::uint64_t>(seed);
    const double angle = 30 / kDegrees;
    block.direction = Vec3(std::cos(angle), std::sin(angle), 0);
    block.fracture.split.snap_distance = snap_distance;
    block.fracture.split.snap_angle = snap_angle;
    TetSolver solver(block.setup());
    run_until_cracked(solver, 40, 0.003);
    EXPECT_GE(solver.totals().splits, 40u);
    sum.mean += mean_angle(solver, block.direction) / kSeeds;
    sum.tilt += tilt(solver, block.direction) / kSeeds;
  }
  return sum;
}

TEST(BlockPulledAtThirtyDegreesToItsMesh, CracksAcrossThePull) {
  const Angles a = angles(SplitParameters().snap_distance, SplitParameters().snap_angle);
  std::printf("mean %.2f tilt %.2f\n", a.mean, a.tilt);
  EXPECT_LT(a.mean, 5);
}

TEST(BlockPulledAtThirtyDegreesToItsMesh, DoesNotIfCracksAlwaysSnapToTheMesh) {
  const Angles a = angles(1e6, 1.6);
  std::printf("mean %.2f tilt %.2f\n", a.mean, a.tilt);
  EXPECT_GT(a.mean, 5);
}

}  // namespace
}  // namespace sunder::tet_oh99
