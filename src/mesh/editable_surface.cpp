#include "mesh/editable_surface.h"

#include <algorithm>

namespace sunder {
namespace {

std::size_t slot(int i) { return static_cast<std::size_t>(i); }
int after(int i) { return (i + 1) % 3; }
int before(int i) { return (i + 2) % 3; }

// Nodes at the other ends of a node's edges, in order round it.
std::vector<NodeId> ends_round(const TriMesh& mesh, const TriMesh::Fan& fan) {
  std::vector<NodeId> ends;
  for (const Side corner : fan.corners) ends.push_back(mesh.clockwise_node(corner));
  if (fan.open) ends.push_back(mesh.counter_clockwise_node(fan.corners.back()));
  return ends;
}

}  // namespace

void EditableSurface::set_line(Side side, std::uint32_t number) {
  mesh_.cracks_[side.triangle][slot(side.index)] = number;
  if (!mesh_.neighbour(side).valid()) return;
  const Side other = mesh_.beyond(side);
  mesh_.cracks_[other.triangle][slot(other.index)] = number;
}

void EditableSurface::set_neighbour(Side side, TriangleId t) { mesh_.neighbours_[side.triangle][slot(side.index)] = t; }

bool EditableSurface::may_flip(Side side) const {
  if (line(side) != 0 || !mesh_.neighbour(side).valid()) return false;
  const NodeId a = mesh_.node(side), c = mesh_.node(mesh_.beyond(side));
  if (a == c) return false;
  const std::vector<NodeId> ends = ends_round(mesh_, mesh_.fan(a));
  return std::find(ends.begin(), ends.end(), c) == ends.end();
}

void EditableSurface::flip(Side side) {
  const Side there = mesh_.beyond(side);
  const TriangleId t = side.triangle, o = there.triangle;
  const Side edge_ad{t, after(side.index)}, edge_bc{o, after(there.index)};
  const NodeId a = mesh_.node(side), b = mesh_.clockwise_node(side), d = mesh_.counter_clockwise_node(side);
  const NodeId c = mesh_.node(there);
  const Side past_ad = mesh_.neighbour(edge_ad).valid() ? mesh_.beyond(edge_ad) : Side{};
  const Side past_bc = mesh_.neighbour(edge_bc).valid() ? mesh_.beyond(edge_bc) : Side{};
  const std::uint32_t line_ad = line(edge_ad), line_bc = line(edge_bc);
  mesh_.corners_[t][slot(before(side.index))] = c;
  mesh_.corners_[o][slot(before(there.index))] = a;
  const auto give = [&](Side own, Side past, std::uint32_t number) {
    set_neighbour(own, past.triangle);
    if (past.triangle.valid()) set_neighbour(past, own.triangle);
    mesh_.cracks_[own.triangle][slot(own.index)] = number;
  };
  give(side, past_bc, line_bc);
  give(there, past_ad, line_ad);
  mesh_.join(edge_ad, edge_bc);  // now both the new edge from a to c
  for (const Side s : {edge_ad, edge_bc}) mesh_.cracks_[s.triangle][slot(s.index)] = 0;
  mesh_.first_[a] = mesh_.first_[b] = t;
  mesh_.first_[c] = mesh_.first_[d] = o;
}

bool EditableSurface::may_collapse(Side side, NodeId from) const {
  const NodeId first = mesh_.clockwise_node(side), second = mesh_.counter_clockwise_node(side);
  const NodeId to = from == first ? second : first;
  const TriMesh::Fan fan = mesh_.fan(from), other = mesh_.fan(to);
  const bool at_border = !mesh_.neighbour(side).valid();
  if (fan.open && other.open && !at_border) return false;
  if (fan.open && !other.open) return false;  // the border would move
  const std::vector<NodeId> ends = ends_round(mesh_, fan), others = ends_round(mesh_, other);
  std::size_t common = 0;
  for (const NodeId n : ends) common += std::find(others.begin(), others.end(), n) != others.end() ? 1 : 0;
  if (common != (at_border ? 1u : 2u)) return false;
  // A face of the whole whose three edges are all in common: the last triangle of a sheet, or a tetrahedron.
  if (at_border) return fan.corners.size() > 1 || other.corners.size() > 1;
  return ends.size() > 3 || others.size() > 3;
}

void EditableSurface::collapse(Side side, NodeId from) {
  const NodeId first = mesh_.clockwise_node(side), second = mesh_.counter_clockwise_node(side);
  const NodeId to = from == first ? second : first;
  std::vector<Side> at_edge = {side};
  if (mesh_.neighbour(side).valid()) at_edge.push_back(mesh_.beyond(side));
  const TriMesh::Fan fan = mesh_.fan(from);
  for (const Side s : at_edge) {
    const bool from_is_next = mesh_.clockwise_node(s) == from;
    const Side across_to{s.triangle, from_is_next ? before(s.index) : after(s.index)};    // from `from` to the apex
    const Side across_from{s.triangle, from_is_next ? after(s.index) : before(s.index)};  // from `to` to the apex
    const Side near = mesh_.neighbour(across_to).valid() ? mesh_.beyond(across_to) : Side{};
    const Side far = mesh_.neighbour(across_from).valid() ? mesh_.beyond(across_from) : Side{};
    const std::uint32_t number = std::max(line(across_from), line(across_to));
    for (const auto& [own, past] : {std::pair{near, far}, std::pair{far, near}}) {
      if (!own.triangle.valid()) continue;
      set_neighbour(own, past.triangle);
      mesh_.cracks_[own.triangle][slot(own.index)] = number;
      mesh_.first_[to] = mesh_.first_[mesh_.node(s)] = own.triangle;
    }
  }
  for (const Side corner : fan.corners) mesh_.corners_[corner.triangle][slot(corner.index)] = to;
  for (const Side s : at_edge) mesh_.corners_[s.triangle] = {};
  mesh_.first_[from] = TriangleId();
}

std::vector<std::array<std::uint32_t, 3>> EditableSurface::triangles(std::vector<NodeId>& kept) const {
  std::vector<std::uint32_t> number(mesh_.node_count(), NodeId::kNone);
  std::vector<std::array<std::uint32_t, 3>> all;
  kept.clear();
  for (const NodeId n : id_range<NodeId>(mesh_.node_count())) {
    if (!alive(n)) continue;
    number[n.index] = static_cast<std::uint32_t>(kept.size());
    kept.push_back(n);
  }
  for (const TriangleId t : id_range<TriangleId>(mesh_.triangle_count())) {
    if (!alive(t)) continue;
    const auto& [a, b, c] = mesh_.corners(t);
    all.push_back({number[a.index], number[b.index], number[c.index]});
  }
  return all;
}

}  // namespace sunder
