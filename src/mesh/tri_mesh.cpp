#include "mesh/tri_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "core/check.h"

namespace sunder {
namespace {

constexpr std::uint32_t kNoSource = 0xffffffffu;

std::size_t slot(int i) { return static_cast<std::size_t>(i); }

}  // namespace

TriMesh::TriMesh(std::span<const Vec3> points, std::span<const std::array<std::uint32_t, 3>> triangles) {
  for (std::size_t p = 0; p < points.size(); ++p) add_node(points[p], static_cast<std::uint32_t>(p));
  for (const auto& t : triangles) {
    add_triangle({NodeId(t[0]), NodeId(t[1]), NodeId(t[2])}, static_cast<std::uint32_t>(triangle_count()));
  }

  // Edges by direction: an edge walked twice in the same direction has no partner.
  struct Walk {
    Side side;
    bool twice = false;
  };
  std::unordered_map<std::uint64_t, Walk> walks;
  walks.reserve(3 * triangles.size());
  const auto key = [](NodeId from, NodeId to) { return std::uint64_t{from.index} << 32 | to.index; };
  for (const TriangleId t : id_range<TriangleId>(triangle_count())) {
    for (int i = 0; i < 3; ++i) {
      const auto [at, is_new] = walks.try_emplace(key(clockwise_node({t, i}), counter_clockwise_node({t, i})));
      at->second.twice = !is_new;
      if (is_new) at->second.side = {t, i};
    }
  }
  for (const TriangleId t : id_range<TriangleId>(triangle_count())) {
    for (int i = 0; i < 3; ++i) {
      const NodeId from = clockwise_node({t, i}), to = counter_clockwise_node({t, i});
      const auto back = walks.find(key(to, from));
      if (back == walks.end() || back->second.twice || walks.at(key(from, to)).twice) continue;
      neighbours_[t][slot(i)] = back->second.side.triangle;
    }
  }

  std::vector<std::vector<Side>> stars(node_count());
  for (const TriangleId t : id_range<TriangleId>(triangle_count())) {
    for (int i = 0; i < 3; ++i) stars[node({t, i}).index].push_back({t, i});
  }
  for (std::size_t n = 0; n < stars.size(); ++n) {
    if (!stars[n].empty()) separate(NodeId(n), stars[n]);
  }
}

NodeId TriMesh::add_node(const Vec3& place, std::uint32_t source) {
  position_.push_back(place);
  source_.push_back(source);
  first_.push_back(TriangleId());
  return NodeId(node_count() - 1);
}

TriangleId TriMesh::add_triangle(const std::array<NodeId, 3>& corners, std::uint32_t source) {
  corners_.push_back(corners);
  neighbours_.push_back({});
  cracks_.push_back({0, 0, 0});
  piece_of_.push_back(source);
  const TriangleId t(triangle_count() - 1);
  for (const NodeId n : corners) first_[n] = t;
  return t;
}

TriangleCorners TriMesh::places(TriangleId t) const {
  const auto& c = corners_[t];
  return {position_[c[0]], position_[c[1]], position_[c[2]]};
}

Side TriMesh::beyond(Side side) const {
  const TriangleId other = neighbour(side);
  const NodeId from = counter_clockwise_node(side);  // where the other one's walk along the edge begins
  for (int i = 0; i < 3; ++i) {
    if (clockwise_node({other, i}) == from && neighbour({other, i}) == side.triangle) return {other, i};
  }
  SUNDER_CHECK(false, "neighbours of a surface must know each other");
  return {};
}

std::uint8_t TriMesh::crack_mask(TriangleId t) const {
  unsigned mask = 0;
  for (unsigned i = 0; i < 3; ++i) mask |= cracks_[t][i] != 0 ? 1u << i : 0u;
  return static_cast<std::uint8_t>(mask);
}

TriMesh::Fan TriMesh::fan(NodeId node) const {
  Fan fan;
  this->fan(node, fan);
  return fan;
}

void TriMesh::fan(NodeId node, Fan& into) const {
  into.corners.clear();
  into.open = false;
  const auto corner_in = [&](TriangleId t) {
    const auto& c = corners_[t];
    return Side{t, c[0] == node ? 0 : c[1] == node ? 1 : 2};
  };
  const TriangleId any = first_[node];
  if (!any.valid()) return;
  TriangleId start = any;
  for (;;) {  // clockwise to the border, or all round
    const TriangleId next = neighbour(clockwise_edge(corner_in(start)));
    if (!next.valid()) into.open = true;
    if (!next.valid() || next == any) break;
    start = next;
  }
  if (!into.open) start = any;
  for (TriangleId t = start; t.valid();) {
    into.corners.push_back(corner_in(t));
    t = neighbour(counter_clockwise_edge(into.corners.back()));
    if (t == start) break;
  }
}

void TriMesh::join(Side a, Side b) {
  neighbours_[a.triangle][slot(a.index)] = b.triangle;
  neighbours_[b.triangle][slot(b.index)] = a.triangle;
}

TriMesh::EdgeSplit TriMesh::split_edge(Side side, double share) {
  const int after = (side.index + 1) % 3, last = (side.index + 2) % 3;
  const TriangleId t = side.triangle;
  const NodeId apex = node(side), from = node({t, after}), to = node({t, last});
  EdgeSplit split;
  split.triangle = t;
  split.neighbour = neighbour(side);
  const Side there = split.neighbour.valid() ? beyond(side) : Side{};
  split.node = add_node((1 - share) * position_[from] + share * position_[to], kNoSource);

  // t = (apex, from, to) becomes (apex, from, new) and the child (apex, new, to); corners stay where they were in t.
  const auto half = [&](Side whole, TriangleId& child) {
    const int first = (whole.index + 1) % 3, second = (whole.index + 2) % 3;
    const TriangleId parent = whole.triangle;
    // The edge from the second end to the apex goes to the child, with what is beyond it.
    const Side moved{parent, first};
    const Side outside = neighbour(moved).valid() ? beyond(moved) : Side{};
    std::array<NodeId, 3> corners = corners_[parent];
    corners[slot(first)] = split.node;
    child = add_triangle(corners, std::uint32_t{piece_of_[parent]});
    corners_[parent][slot(second)] = split.node;
    if (outside.triangle.valid()) join({child, first}, outside);
    cracks_[child][slot(first)] = crack(moved);
    cracks_[parent][slot(first)] = 0;
    cracks_[child][slot(whole.index)] = crack(whole);
    join({parent, first}, {child, second});
  };
  half(side, split.child);
  if (there.triangle.valid()) {
    half(there, split.neighbour_child);
    // It walks the edge the other way round: its first half is our second.
    join({t, side.index}, {split.neighbour_child, there.index});
    join({split.child, side.index}, there);
  }
  for (const NodeId n : {apex, from, split.node}) first_[n] = t;
  if (there.triangle.valid()) first_[node(there)] = there.triangle;
  return split;
}

void TriMesh::cut(Side side, std::uint32_t event) {
  const Side other = beyond(side);
  for (const Side s : {side, other}) {
    neighbours_[s.triangle][slot(s.index)] = TriangleId();
    cracks_[s.triangle][slot(s.index)] = event;
  }
}

std::vector<NodeId> TriMesh::separate(NodeId node, std::span<const Side> star) {
  std::vector<NodeId> copies;
  std::vector<Side> left(star.begin(), star.end());
  NodeId owner = node;
  while (!left.empty()) {
    std::vector<Side> part = {left.front()};
    left.erase(left.begin());
    for (std::size_t i = 0; i < part.size(); ++i) {
      for (const Side edge : {clockwise_edge(part[i]), counter_clockwise_edge(part[i])}) {
        const TriangleId next = neighbour(edge);
        if (!next.valid()) continue;
        const auto found = std::find_if(left.begin(), left.end(), [&](Side s) { return s.triangle == next; });
        if (found == left.end()) continue;
        part.push_back(*found);
        left.erase(found);
      }
    }
    if (part.front() != star.front()) {
      owner = add_node(Vec3(position_[node]), source_[node]);
      copies.push_back(owner);
    }
    for (const Side s : part) corners_[s.triangle][slot(s.index)] = owner;
    first_[owner] = part.front().triangle;
  }
  return copies;
}

void TriMesh::save(Writer& out) const {
  out.put_all(position_.span());
  out.put_all(source_.span());
  out.put_all(first_.span());
  out.put_all(corners_.span());
  out.put_all(neighbours_.span());
  out.put_all(cracks_.span());
  out.put_all(piece_of_.span());
}

void TriMesh::load(Reader& in) {
  const std::vector<double> places = in.get_all<double>();
  if (places.size() % 3 != 0) in.fail();
  const std::size_t nodes = places.size() / 3;
  position_.resize(nodes);
  for (std::size_t i = 0; i < nodes; ++i) {
    position_[NodeId(i)] = Vec3(places[3 * i], places[3 * i + 1], places[3 * i + 2]);
  }
  source_.resize(nodes), first_.resize(nodes);
  in.get_into(source_.span());
  in.get_into(first_.span());
  const auto corners = in.get_all<std::array<NodeId, 3>>();
  corners_.resize(corners.size());
  std::copy(corners.begin(), corners.end(), corners_.begin());
  neighbours_.resize(corners.size()), cracks_.resize(corners.size()), piece_of_.resize(corners.size());
  in.get_into(neighbours_.span());
  in.get_into(cracks_.span());
  in.get_into(piece_of_.span());
  if (!problems().empty()) in.fail();
}

std::vector<std::string> TriMesh::problems() const {
  std::vector<std::string> found;
  const auto problem = [&](std::string text) {
    if (found.size() < 10) found.push_back(std::move(text));
  };
  for (const TriangleId t : id_range<TriangleId>(triangle_count())) {
    const auto& c = corners_[t];
    for (const NodeId n : c) {
      if (n.index >= node_count()) return {fmt::format("triangle {} names node {}", t.index, n.index)};
    }
    if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0]) problem(fmt::format("triangle {} has a node twice", t.index));
    if (!(area_vector(places(t)).norm() > 0)) problem(fmt::format("triangle {} has no area", t.index));
  }
  for (const TriangleId t : id_range<TriangleId>(triangle_count())) {
    for (int i = 0; i < 3; ++i) {
      const TriangleId other = neighbour({t, i});
      if (!other.valid()) continue;
      if (other.index >= triangle_count()) return {fmt::format("triangle {} has neighbour {}", t.index, other.index)};
      if (crack({t, i}) != 0) problem(fmt::format("triangle {} is joined across a crack", t.index));
      bool back = false;
      for (int k = 0; k < 3; ++k) {
        back = back || (neighbour({other, k}) == t && clockwise_node({other, k}) == counter_clockwise_node({t, i}) &&
                        counter_clockwise_node({other, k}) == clockwise_node({t, i}));
      }
      if (!back) return {fmt::format("triangles {} and {} disagree on their edge", t.index, other.index)};
    }
  }
  std::vector<std::size_t> corners_at(node_count(), 0);
  for (const auto& c : corners_) {
    for (const NodeId n : c) ++corners_at[n.index];
  }
  Fan around;
  for (const NodeId n : id_range<NodeId>(node_count())) {
    const TriangleId first = first_[n];
    if (!first.valid() && corners_at[n.index] == 0) continue;
    if (!first.valid() || first.index >= triangle_count() ||
        std::find(corners_[first].begin(), corners_[first].end(), n) == corners_[first].end()) {
      return {fmt::format("node {} does not know its triangles", n.index)};
    }
    fan(n, around);
    if (around.corners.size() != corners_at[n.index]) problem(fmt::format("node {} is a hinge", n.index));
  }
  return found;
}

}  // namespace sunder
