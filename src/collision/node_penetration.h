#pragma once
// A surface node inside an element it is no neighbour of, OH99 3.3: how deep, and which way is out.
//
// Out is through the nearest boundary face that looks towards the node's own surface, not simply the nearest: a corner
// that stands on the edge of another box must not slip out of its side.

#include <array>
#include <span>
#include <vector>

#include "collision/watched_faces.h"
#include "core/column.h"
#include "core/ids.h"
#include "core/vec.h"
#include "mesh/tet_mesh.h"

namespace sunder {

struct NodePenetration {
  NodeId node;
  std::uint32_t face = 0;
  double depth = 0;                 // m, from the node to the face's nearest point
  Vec3 normal = Vec3::Zero();       // from the node to that point: out
  std::array<NodeId, 4> element;    // the face's tet: the face's nodes first, then the one behind it
  std::array<double, 4> at_face{};  // weights of the nearest point; none behind the face
  std::array<double, 4> at_node{};  // weights of the node itself
};

// The element that holds the node, reached from the tet of a face by walking towards it; none if the way leads outside,
// to an element turned inside out, or to a neighbour of the node.
TetId element_around(const TetMesh& mesh, const Column<NodeId, Vec3>& position, NodeId node, TetId start);

// The node against those of the faces near it that are not quiet at this `travel`, up to `reach` (m) deep. One for each
// body that holds it. Faces through which the node cannot go for a while are told to be quiet. `own` are the boundary
// faces at the node itself.
void find_penetrations(const TetMesh& mesh, const Column<NodeId, Vec3>& position, NodeId node,
                       std::span<const FaceNodes> own, std::span<WatchedFace> faces, double travel, double reach,
                       std::vector<NodePenetration>& found);

}  // namespace sunder
