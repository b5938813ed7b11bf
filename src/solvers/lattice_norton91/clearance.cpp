#include "solvers/lattice_norton91/clearance.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/parallel.h"

namespace sunder::lattice_norton91 {
namespace {

// Of the mean radius, half a cell's edge. Wider, and pieces that pass each other do not fly; narrower, and there is
// more looking to do.
constexpr double kMargin = 1.5;
constexpr std::size_t kChunk = 1024;

// How near this collider may come to anything that is `margin` away before the next look: it moves as others do.
// What has no end and moves may be anywhere.
bool is_near(const RigidBodies& rigid, std::size_t c, const Vec3& x, double margin) {
  const Collider& collider = rigid.colliders()[c];
  if (rigid.moves(c) && !std::isfinite(reach_of(collider))) return true;
  return penetration(collider, x, margin).depth > -margin;
}

}  // namespace

Clearance::Clearance(const Lattice& lattice) : all_(lattice.node_count()) {
  std::iota(all_.begin(), all_.end(), Index{0});
  margin_ = kMargin * std::accumulate(lattice.radius.begin(), lattice.radius.end(), 0.0) /
            static_cast<double>(std::max<std::size_t>(1, lattice.node_count()));
}

void Clearance::look(const Lattice& lattice, const Components& components, const RigidBodies& rigid,
                     const Column<NodeId, Vec3>& position, bool contact) {
  const std::vector<std::uint32_t>& label = components.labels();
  crowded_.assign(*std::max_element(label.begin(), label.end()) + std::size_t{1}, 0);
  moved_ = 0;
  if (contact && components.count() > 1) {
    for (const NodePair& pair : grid_.find(position, all_, lattice.radius, label, margin_, false)) {
      crowd(label[pair.a]), crowd(label[pair.b]);
    }
  }
  std::vector<std::uint8_t> near(position.size(), 0);
  parallel_chunks(position.size(), kChunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) {
      if (crowded(label[n])) continue;
      for (std::size_t c = 0; c < rigid.colliders().size() && near[n] == 0; ++c) {
        near[n] = is_near(rigid, c, position[NodeId(n)], margin_) ? 1 : 0;
      }
    }
  });
  for (std::size_t n = 0; n < near.size(); ++n) {
    if (near[n] != 0) crowd(label[n]);
  }
}

}  // namespace sunder::lattice_norton91
