#include "solvers/surface_iben06/relax.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/parallel.h"

namespace sunder::surface_iben06 {
namespace {

constexpr std::size_t kChunk = 1024;  // nodes

using Vectors = Column<NodeId, Vec2>;

double dot(const Vectors& a, const Vectors& b) {
  return parallel_sum(a.size(), kChunk, [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += a[NodeId(i)].dot(b[NodeId(i)]);
    return sum;
  });
}

// K x, held nodes left out.
void multiply(const Membrane& membrane, const Vectors& x, Vectors& y) {
  parallel_chunks(x.size(), kChunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const NodeId n(i);
      if (membrane.joint(n).fixed) {
        y[n] = Vec2::Zero();
        continue;
      }
      Vec2 sum = membrane.row(n).self * x[n];
      for (const Membrane::Link& link : membrane.links(n)) sum += link.stiffness.transpose() * x[link.node];
      y[n] = sum;
    }
  });
}

std::vector<NodeId> all_nodes(const Membrane& membrane) {
  std::vector<NodeId> nodes;
  for (const NodeId n : id_range<NodeId>(membrane.mesh().node_count())) nodes.push_back(n);
  return nodes;
}

}  // namespace

void Relaxer::note(NodeId n) {
  if (noted_[n.index] != 0) return;
  noted_[n.index] = 1;
  moved_.push_back(n);
}

// The load has grown, and where nothing has cracked since, the motion grows as it does: one step along the motion so
// far, of the length that leaves the least energy. Node by node the same takes ten times as many relaxations.
void Relaxer::follow_load(Membrane& membrane) {
  const std::size_t nodes = membrane.mesh().node_count();
  Vectors along(nodes), force(nodes), product(nodes);
  parallel_for(nodes, [&](std::size_t i) {
    along[NodeId(i)] = membrane.joint(NodeId(i)).moved;
    force[NodeId(i)] = membrane.joint(NodeId(i)).force;
  });
  multiply(membrane, along, product);
  const double curvature = dot(along, product);
  if (!(curvature > 0)) return;  // nothing has moved
  const double step = dot(along, force) / curvature;
  parallel_for(nodes, [&](std::size_t i) {
    Joint& joint = membrane.joint(NodeId(i));
    joint.moved += step * along[NodeId(i)];
    joint.force -= step * product[NodeId(i)];
  });
}

const std::vector<NodeId>& Relaxer::relax_everywhere(Membrane& membrane) {
  if (rules_.method == Relaxation::local) follow_load(membrane);
  return relax(membrane, all_nodes(membrane));
}

const std::vector<NodeId>& Relaxer::relax(Membrane& membrane, const std::vector<NodeId>& changed) {
  const std::size_t nodes = membrane.mesh().node_count();
  noted_.resize(nodes, 0);
  moved_.clear();
  switch (rules_.method) {
    case Relaxation::local:
      local(membrane, changed);
      break;
    case Relaxation::exact:
      exact(membrane);
      break;
    case Relaxation::paper:
      paper(membrane);
      break;
  }
  for (const NodeId n : changed) note(n);  // their separation is another even if they have not moved
  for (const NodeId n : moved_) noted_[n.index] = 0;
  return moved_;
}

void Relaxer::local(Membrane& membrane, const std::vector<NodeId>& changed) {
  const double limit = rules_.tolerance * membrane.mean_edge(), squared = limit * limit;
  // The queue is a ring; no node waits twice, so it has room for all. Whether a node must wait is a coin that no
  // processor can predict: it is written behind the last one in any case and counts if it must, with & and | in the
  // place of && and ||, which may become jumps (with them all of a run took half as long again).
  ring_.resize(std::bit_ceil(membrane.mesh().node_count() + 1));
  const std::size_t mask = ring_.size() - 1;
  std::size_t first = 0, last = 0;
  const auto ask = [&](NodeId n, Joint& joint) {
    const bool strained = joint.force.squaredNorm() > squared;
    ring_[last & mask] = n;
    last += static_cast<std::size_t>(strained & !joint.waiting);
    joint.waiting |= strained;
  };
  for (const NodeId n : changed) {
    if (!membrane.joint(n).fixed) ask(n, membrane.joint(n));
  }
  // Meshes without slivers take some fifty relaxations a node for a new load and a few thousand for a crack.
  const std::size_t most = 1'000'000 + 1'000 * membrane.mesh().node_count();
  for (; first < last && first < most; ++first) {
    const NodeId n = ring_[first & mask];
    Joint& joint = membrane.joint(n);
    joint.waiting = false;
    const Vec2 step = rules_.over * (membrane.row(n).inverse * joint.force);
    joint.moved += step;
    joint.force *= 1 - rules_.over;
    note(n);
    for (const Membrane::Link& link : membrane.links(n)) {
      Joint& other = membrane.joint(link.node);
      if (other.fixed) continue;
      other.force -= link.stiffness * step;
      ask(link.node, other);
    }
    ask(n, joint);
  }
  relaxations_ += first;
  if (first == last) return;
  ++unfinished_;
  for (; first < last; ++first) membrane.joint(ring_[first & mask]).waiting = false;
}

void Relaxer::exact(Membrane& membrane) {
  const std::size_t nodes = membrane.mesh().node_count();
  Vectors residual(nodes), along(nodes), product(nodes), prepared(nodes);
  double largest = 0;
  for (const NodeId n : id_range<NodeId>(nodes)) {
    residual[n] = membrane.joint(n).force;
    largest = std::max(largest, residual[n].norm());
  }
  if (!(largest > 0)) return;
  const auto prepare = [&] {
    parallel_for(nodes,
                 [&](std::size_t i) { prepared[NodeId(i)] = membrane.row(NodeId(i)).inverse * residual[NodeId(i)]; });
  };
  prepare();
  along = prepared;
  double power = dot(residual, prepared);
  const double target = rules_.exact_tolerance * rules_.exact_tolerance * dot(residual, residual);
  for (std::size_t round = 0; round < 20 * nodes + 100 && dot(residual, residual) > target; ++round) {
    multiply(membrane, along, product);
    const double curvature = dot(along, product);
    if (!(curvature > 0)) break;  // a motion that stretches nothing
    const double step = power / curvature;
    parallel_for(nodes, [&](std::size_t i) {
      const NodeId n(i);
      membrane.joint(n).moved += step * along[n];
      residual[n] -= step * product[n];
    });
    prepare();
    const double next = dot(residual, prepared);
    const double keep = next / power;
    power = next;
    parallel_for(nodes, [&](std::size_t i) { along[NodeId(i)] = prepared[NodeId(i)] + keep * along[NodeId(i)]; });
    relaxations_ += nodes;
  }
  for (const NodeId n : id_range<NodeId>(nodes)) {
    membrane.joint(n).force = residual[n];
    note(n);
  }
}

void Relaxer::paper(Membrane& membrane) {
  const double step = rules_.step_share * membrane.euler_limit();
  const std::size_t nodes = membrane.mesh().node_count();
  for (std::uint32_t i = 0; i < rules_.steps; ++i) {
    parallel_for(nodes, [&](std::size_t k) {
      Joint& joint = membrane.joint(NodeId(k));
      joint.moved += step * joint.force;  // (3)
    });
    membrane.raise_load(0);  // (7), then (1)
    relaxations_ += nodes;
  }
  for (const NodeId n : id_range<NodeId>(nodes)) note(n);
}

const std::vector<Relaxer::Stirred>& Relaxer::refresh_all(Membrane& membrane) {
  const TriMesh& mesh = membrane.mesh();
  parallel_for(mesh.triangle_count(), [&](std::size_t i) { membrane.update_stress(TriangleId(i)); });
  stirred_.clear();
  for (const NodeId n : id_range<NodeId>(mesh.node_count())) stirred_.push_back({n, 0});
  for (const TriangleId t : id_range<TriangleId>(mesh.triangle_count())) {
    const double change = membrane.take_stir(t) / 2;
    for (std::size_t k = 0; k < 3; ++k) {
      stirred_[mesh.corners(t)[k].index].change += membrane.facet(t).opposite[k] * change;
    }
  }
  return stirred_;
}

const std::vector<Relaxer::Stirred>& Relaxer::refresh_stress(Membrane& membrane, const std::vector<NodeId>& moved) {
  const TriMesh& mesh = membrane.mesh();
  if (moved.size() == mesh.node_count()) return refresh_all(membrane);
  triangle_seen_.resize(mesh.triangle_count(), 0);
  place_.resize(mesh.node_count(), 0);
  triangles_.clear();
  stirred_.clear();
  for (const NodeId n : moved) {
    for (const Side corner : membrane.fan(n)) {
      if (triangle_seen_[corner.triangle.index] != 0) continue;
      triangle_seen_[corner.triangle.index] = 1;
      triangles_.push_back(corner.triangle);
    }
  }
  for (const TriangleId t : triangles_) {
    triangle_seen_[t.index] = 0;
    membrane.update_stress(t);
    const double change = membrane.take_stir(t) / 2;
    for (std::size_t k = 0; k < 3; ++k) {
      const NodeId n = mesh.corners(t)[k];
      if (place_[n.index] == 0) {
        stirred_.push_back({n, 0});
        place_[n.index] = static_cast<std::uint32_t>(stirred_.size());
      }
      // A |grad b| is half the opposite edge.
      stirred_[place_[n.index] - 1].change += membrane.facet(t).opposite[k] * change;
    }
  }
  for (const Stirred& s : stirred_) place_[s.node.index] = 0;
  return stirred_;
}

}  // namespace sunder::surface_iben06
