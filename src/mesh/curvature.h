#pragma once
// Curvature of a surface of triangles: the tensor of Cohen-Steiner and Morvan (2003), averaged over the edges round
// each node.

#include <vector>

#include "core/column.h"
#include "core/vec.h"
#include "mesh/tri_mesh.h"

namespace sunder {

// Mean of the triangles' normals round each node, weighted with their angles; unit.
std::vector<Vec3> node_normals(const TriMesh& mesh);

// In space, 1/m: along a direction of the tangent plane n^T C n is the curvature of the surface that way, positive
// where it bends away from the normal, as a ball does everywhere. `rings`: how many rings of edges round a node count.
std::vector<Mat3> node_curvatures(const TriMesh& mesh, int rings = 2);

// Principal curvatures: of the two directions of the tangent plane, by size.
struct PrincipalCurvatures {
  double first = 0, second = 0;  // 1/m; |first| >= |second|
  double gaussian() const { return first * second; }
  double mean() const { return (first + second) / 2; }
};
PrincipalCurvatures principal_curvatures(const Mat3& tensor, const Vec3& normal);

}  // namespace sunder
