#include "meshing/surface_guard.h"

#include <limits>

namespace sunder {
namespace {

constexpr double kFacing = 0.5;  // cosine between a triangle and the old surface at its middle

}  // namespace

SurfaceGuard::SurfaceGuard(const TriMesh& old, const TriangleTree& tree, std::span<const std::uint32_t> region,
                           double reach)
    : old_(old),
      region_(region.begin(), region.end()),
      reach_(reach),
      tree_(tree),
      head_(old.triangle_count(), kNone),
      next_(old.node_count(), kNone) {
  std::vector<std::uint8_t> placed(old.node_count(), 0);
  for (const TriangleId t : id_range<TriangleId>(old.triangle_count())) {
    for (const NodeId n : old.corners(t)) {
      if (placed[n.index] != 0) continue;
      placed[n.index] = 1;
      next_[n.index] = head_[t.index];
      head_[t.index] = n.index;
    }
  }
}

bool SurfaceGuard::near_old(const Fresh& fresh) const {
  const auto& [a, b, c] = fresh.corners;
  const Vec3 area = area_vector(fresh.corners);
  const TriangleTree::Nearest middle = nearest((a + b + c) / 3, reach_, fresh.region);
  if (middle.triangle == TriangleTree::kNone) return false;
  const Vec3 there = area_vector(old_.places(TriangleId(middle.triangle)));
  if (!(area.dot(there) > kFacing * area.norm() * there.norm())) return false;
  for (std::size_t i = 0; i < 3; ++i) {
    if ((fresh.new_edges >> i & 1u) == 0) continue;
    const Vec3 x = (fresh.corners[(i + 1) % 3] + fresh.corners[(i + 2) % 3]) / 2;
    if (!tree_.reaches_labelled(x, reach_, region_, fresh.region)) return false;
  }
  return true;
}

bool SurfaceGuard::replace(std::span<const TriangleId> old, std::span<const Fresh> fresh) {
  for (const Fresh& f : fresh) {
    if (!near_old(f)) return false;
  }
  points_.clear(), homes_.clear();
  for (const TriangleId t : old) {
    for (std::uint32_t p = head_[t.index]; p != kNone; p = next_[p]) points_.push_back(p);
  }
  const double near_enough = reach_ * reach_ / 25;  // no better home needs to be looked for
  for (const std::uint32_t p : points_) {
    const Vec3& x = old_.position(NodeId(p));
    double best = std::numeric_limits<double>::infinity();
    std::uint32_t home = kNone;
    for (const Fresh& f : fresh) {
      const double distance = (closest_point(f.corners, x).point - x).squaredNorm();
      if (distance < best) best = distance, home = f.id.index;
      if (best < near_enough) break;
    }
    if (!(best <= reach_ * reach_)) return false;
    homes_.push_back(home);
  }
  for (const TriangleId t : old) head_[t.index] = kNone;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (homes_[i] >= head_.size()) head_.resize(homes_[i] + 1, kNone);
    next_[points_[i]] = head_[homes_[i]];
    head_[homes_[i]] = points_[i];
  }
  for (const Fresh& f : fresh) {
    if (f.id.index >= head_.size()) head_.resize(f.id.index + 1, kNone);
  }
  return true;
}

}  // namespace sunder
