#include "mesh/curvature.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "geometry/symmetric_eigen.h"

namespace sunder {
namespace {

// Two unit vectors across a unit normal.
std::pair<Vec3, Vec3> plane_of(const Vec3& normal) {
  const Vec3 u = normal.unitOrthogonal();
  return {u, normal.cross(u)};
}

}  // namespace

std::vector<Vec3> node_normals(const TriMesh& mesh) {
  std::vector<Vec3> normals(mesh.node_count(), Vec3::Zero());
  for (const TriangleId t : id_range<TriangleId>(mesh.triangle_count())) {
    const TriangleCorners x = mesh.places(t);
    const Vec3 normal = area_vector(x).stableNormalized();
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 u = x[(k + 1) % 3] - x[k], v = x[(k + 2) % 3] - x[k];
      normals[mesh.corners(t)[k].index] += std::atan2(u.cross(v).norm(), u.dot(v)) * normal;
    }
  }
  for (Vec3& n : normals) n = n.squaredNorm() > 0 ? Vec3(n.stableNormalized()) : Vec3(Vec3::UnitY());
  return normals;
}

std::vector<Mat3> node_curvatures(const TriMesh& mesh, int rings) {
  // Of each edge, half for each of its two triangles: |e| times its turn, along the edge.
  Column<TriangleId, Mat3> bends(mesh.triangle_count(), Mat3::Zero());
  Column<TriangleId, double> areas(mesh.triangle_count(), 0.0);
  for (const TriangleId t : id_range<TriangleId>(mesh.triangle_count())) {
    const TriangleCorners x = mesh.places(t);
    const Vec3 normal = area_vector(x).stableNormalized();
    areas[t] = area_vector(x).norm();
    for (int i = 0; i < 3; ++i) {
      const TriangleId other = mesh.neighbour({t, i});
      if (!other.valid()) continue;
      const Vec3 edge = x[static_cast<std::size_t>((i + 2) % 3)] - x[static_cast<std::size_t>((i + 1) % 3)];
      const Vec3 along = edge.stableNormalized();
      const Vec3 beyond = area_vector(mesh.places(other)).stableNormalized();
      const double turn = std::atan2(normal.cross(beyond).dot(along), normal.dot(beyond));
      bends[t] += (edge.norm() * turn / 2) * (along * along.transpose());
    }
  }
  const std::vector<Vec3> normals = node_normals(mesh);
  std::vector<Mat3> tensors(mesh.node_count(), Mat3::Zero());
  parallel_chunks(mesh.node_count(), 256, [&](std::size_t begin, std::size_t end) {
    std::vector<TriangleId> patch;
    std::vector<NodeId> nodes, front;
    TriMesh::Fan fan;
    for (std::size_t i = begin; i < end; ++i) {
      patch.clear();
      nodes.assign(1, NodeId(i));
      front = nodes;
      for (int ring = 0; ring < rings; ++ring) {
        std::vector<NodeId> next;
        for (const NodeId n : front) {
          mesh.fan(n, fan);
          for (const Side corner : fan.corners) {
            if (std::find(patch.begin(), patch.end(), corner.triangle) != patch.end()) continue;
            patch.push_back(corner.triangle);
            for (const NodeId m : mesh.corners(corner.triangle)) {
              if (std::find(nodes.begin(), nodes.end(), m) != nodes.end()) continue;
              nodes.push_back(m), next.push_back(m);
            }
          }
        }
        front = std::move(next);
      }
      Mat3 sum = Mat3::Zero();
      double area = 0;
      for (const TriangleId t : patch) sum += bends[t], area += areas[t];
      if (!(area > 0)) continue;
      // The edges that bend run across the direction in which the surface bends: a quarter turn in the tangent plane.
      const auto [u, v] = plane_of(normals[i]);
      Mat3 quarter = v * u.transpose() - u * v.transpose();
      tensors[i] = quarter * (sum / area) * quarter.transpose();
    }
  });
  return tensors;
}

PrincipalCurvatures principal_curvatures(const Mat3& tensor, const Vec3& normal) {
  const auto [u, v] = plane_of(normal);
  Mat2 flat;
  flat << u.dot(tensor * u), u.dot(tensor * v), u.dot(tensor * v), v.dot(tensor * v);
  const PlaneEigen e = plane_eigen(flat);
  const bool second_larger = std::abs(e.values[1]) > std::abs(e.values[0]);
  return second_larger ? PrincipalCurvatures{e.values[1], e.values[0]} : PrincipalCurvatures{e.values[0], e.values[1]};
}

}  // namespace sunder
