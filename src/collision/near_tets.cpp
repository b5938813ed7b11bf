#include "collision/near_tets.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace sunder {
namespace {

// Whether a plane along a face of `a` has all of `b` further than `distance` outside.
bool some_face_parts(const TetCorners& a, const TetCorners& b, double distance) {
  for (std::size_t i = 0; i < 4; ++i) {
    const auto& f = kTetFaces[i];
    const Vec3& foot = a[static_cast<std::size_t>(f[0])];
    Vec3 normal = (a[static_cast<std::size_t>(f[1])] - foot).cross(a[static_cast<std::size_t>(f[2])] - foot);
    if (normal.dot(a[i] - foot) > 0) normal = -normal;  // turned inside out
    double nearest = normal.dot(b[0] - foot);
    for (std::size_t k = 1; k < 4; ++k) nearest = std::min(nearest, normal.dot(b[k] - foot));
    if (nearest > 0 && nearest * nearest > distance * distance * normal.squaredNorm()) return true;
  }
  return false;
}

}  // namespace

std::uint8_t boundary_faces_of(const TetMesh& mesh, TetId tet) {
  unsigned bits = 0;
  for (int i = 0; i < 4; ++i) {
    if (!mesh.neighbour({tet, i}).valid()) bits |= 1u << i;
  }
  return static_cast<std::uint8_t>(bits);
}

// Boxes that meet are not yet near: most pairs of a list would be tets of one surface with another between them.
bool NearTets::near(TetId a, TetId b, double distance) const {
  if (share_a_node(mesh_->corners(a), mesh_->corners(b))) return false;
  const TetCorners x = mesh_->corner_positions(a, *position_), y = mesh_->corner_positions(b, *position_);
  return !some_face_parts(x, y, distance) && !some_face_parts(y, x, distance);
}

void NearTets::update(const TetMesh& mesh, const Column<NodeId, Vec3>& position, const Asleep* asleep) {
  using News = SurfaceSearch<SurfaceTets>::News;
  mesh_ = &mesh, position_ = &position, asleep_ = asleep;
  const News news = search_.follow(mesh, position);
  if (news == News::all || news == News::renumbered) list_all();
  if (news == News::fresh) list_fresh();
}

void NearTets::list_all() {
  const auto nodes = search_.tree().nodes();
  const auto close = search_.pairs([&](std::uint32_t a, std::uint32_t b) {
    const TetId one(nodes[a].item), other(nodes[b].item);
    return !(sleeps(one) && sleeps(other)) && near(one, other, search_.list_distance());
  });
  pairs_.clear();
  for (const PairFront::Pair& pair : close) pairs_.push_back({TetId(pair.a), TetId(pair.b)});
}

void NearTets::list_fresh() {
  const auto edited = search_.edited();
  const auto is_edited = [&](TetId t) { return std::binary_search(edited.begin(), edited.end(), t); };
  std::erase_if(pairs_, [&](const Pair& pair) { return is_edited(pair.a) || is_edited(pair.b); });
  for (const std::uint32_t fresh : search_.fresh_items()) {
    const TetId t(fresh);
    search_.for_each_fresh_near(search_.bounds_of(fresh), [&](std::uint32_t item) {
      const TetId other(item);
      if (other == t || !near(t, other, search_.fresh_distance())) return;
      pairs_.push_back({std::min(t, other), std::max(t, other)});
    });
  }
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
}

}  // namespace sunder
