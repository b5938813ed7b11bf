#include "frame/lattice_surface.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "core/disjoint_sets.h"
#include "core/random.h"

namespace sunder {
namespace {

using Index = std::uint32_t;

constexpr double kJitter = 0.3;  // of the way from the middle to a corner that a dual point may lie off it

constexpr Uid kMade = Uid{1} << 63;  // in uids of what is made here: all others count from 1

// A point between nodes, as often as broken bonds part those nodes.
struct DualPoint {
  std::vector<Index> nodes;  // of the lattice, ascending
  std::vector<Index> point;  // of the new frame, for each of them
};

class Solid {
 public:
  Solid(Frame& frame, LatticeSurface surface) : in_(frame), octants_(surface == LatticeSurface::octants) {
    first_ = frame.tets.size() + frame.triangles.size();
    count_faces();
  }

  void build() {
    const std::size_t nodes = in_.position.size();
    std::vector<char> has_cell(nodes, octants_ ? 1 : 0);
    for (std::size_t c = 0; c < in_.hexes.size(); ++c) {
      if (!octants_ && in_.broken_edges[c] != 0) continue;
      for (const Index n : in_.hexes[c]) has_cell[n] = 1;
      add_cell(c);
    }
    if (octants_) return;
    for (std::size_t c = 0; c < in_.hexes.size(); ++c) {
      for (const Index n : in_.hexes[c]) {
        if (std::exchange(has_cell[n], 1) == 0) add_crumb(c, n);
      }
    }
  }

  // The rows of the tetrahedra that were there before stay in front.
  void put_into(Frame& frame) {
    const auto keep = [&](auto& column, const auto& more) {
      if (!column.empty()) column.resize(first_);
      column.insert(column.end(), more.begin(), more.end());
    };
    keep(frame.body, body_), keep(frame.fragment, fragment_), keep(frame.material, material_);
    keep(frame.tet_uid, uid_), keep(frame.stress, stress_), keep(frame.crack_faces, crack_);
    frame.tets.insert(frame.tets.end(), tets_.begin(), tets_.end());
    const auto widen = [&](auto& column) {
      if (!column.empty()) column.resize(frame.tets.size());
    };
    widen(frame.parts), widen(frame.uv), widen(frame.normals), widen(frame.source), widen(frame.plastic_strain);
    frame.hexes.clear(), frame.broken_edges.clear(), frame.node_fragment.clear(), frame.turn.clear();
  }

 private:
  void count_faces() {
    for (const auto& cell : in_.hexes) {
      for (const auto& face : kHexFaces) ++cells_at_[face_of(cell, face)];
    }
  }

  static std::array<Index, 4> face_of(const std::array<Index, 8>& cell, const std::array<std::uint8_t, 4>& face) {
    std::array<Index, 4> nodes = {cell[face[0]], cell[face[1]], cell[face[2]], cell[face[3]]};
    std::sort(nodes.begin(), nodes.end());
    return nodes;
  }

  // By their uids: nodes of tetrahedra that crack may stand in front of them, more and more.
  std::uint64_t key_of(std::span<const Index> nodes) const {
    std::uint64_t key = nodes.size();
    for (const Index n : nodes) key = mix64(key * 0x9e3779b97f4a7c15ull + in_.node_uid[n]);
    return key;
  }

  // Where a node, moving all that is near it, takes a point of the material.
  Vec3 carried(Index node, const Vec3& rest) const {
    const auto& [w, x, y, z] = in_.turn[node];
    return in_.position[node] + Eigen::Quaterniond(w, x, y, z) * Vec3(rest - in_.rest[node]);
  }

  // The dual point of these nodes: of a cell's edge, face, or all. `joined` are pairs of places in `nodes`.
  template <class Joined>
  const DualPoint& dual(std::vector<Index> nodes, const Joined& joined) {
    const std::uint64_t key = key_of(nodes);
    auto& stored = duals_[nodes];
    if (!stored.nodes.empty()) return stored;
    Vec3 rest = Vec3::Zero(), velocity = Vec3::Zero();
    double all = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const double weight = octants_ ? 1 - kJitter + 2 * kJitter * random_unit(key, i) : 1;
      rest += weight * in_.rest[nodes[i]];
      all += weight;
    }
    rest /= all;
    DisjointSets sets(nodes.size());
    joined([&](Index i, Index j) { sets.join(i, j); });
    stored.nodes = nodes;
    stored.point.assign(nodes.size(), 0);
    for (Index i = 0; i < nodes.size(); ++i) {
      if (sets.root(i) != i) continue;
      Vec3 position = Vec3::Zero();
      velocity = Vec3::Zero();
      double count = 0;
      for (Index j = 0; j < nodes.size(); ++j) {
        if (sets.root(j) != i) continue;
        position += carried(nodes[j], rest);
        velocity += in_.velocity[nodes[j]];
        count += 1;
      }
      const Index point = add_point(position / count, rest, velocity / count, mix64(key + in_.node_uid[nodes[i]]));
      for (Index j = 0; j < nodes.size(); ++j) {
        if (sets.root(j) == i) stored.point[j] = point;
      }
    }
    return stored;
  }

  Index add_point(const Vec3& position, const Vec3& rest, const Vec3& velocity, Uid uid) {
    in_.position.push_back(position), in_.rest.push_back(rest), in_.velocity.push_back(velocity);
    in_.node_uid.push_back(uid | kMade);
    return static_cast<Index>(in_.position.size() - 1);
  }

  static Index point_at(const DualPoint& dual, Index node) {
    return dual.point[static_cast<std::size_t>(std::lower_bound(dual.nodes.begin(), dual.nodes.end(), node) -
                                               dual.nodes.begin())];
  }

  void add_cell(std::size_t c) {
    const std::array<Index, 8> cell = in_.hexes[c];
    const std::uint32_t broken = in_.broken_edges[c];
    const auto join_within = [&](const std::vector<Index>& nodes, const auto& join) {
      for (std::size_t e = 0; e < 12; ++e) {
        if ((broken >> e & 1) != 0) continue;
        const auto a = std::lower_bound(nodes.begin(), nodes.end(), cell[kHexEdges[e][0]]);
        const auto b = std::lower_bound(nodes.begin(), nodes.end(), cell[kHexEdges[e][1]]);
        if (a == nodes.end() || b == nodes.end() || *a != cell[kHexEdges[e][0]] || *b != cell[kHexEdges[e][1]])
          continue;
        join(static_cast<Index>(a - nodes.begin()), static_cast<Index>(b - nodes.begin()));
      }
    };
    const auto dual_of = [&](std::vector<Index> nodes) -> const DualPoint& {
      std::sort(nodes.begin(), nodes.end());
      return dual(nodes, [&](const auto& join) { join_within(nodes, join); });
    };
    const DualPoint& middle = dual_of({cell.begin(), cell.end()});
    for (std::size_t f = 0; f < 6; ++f) {
      const auto& corners = kHexFaces[f];
      const std::array<Index, 4> key = face_of(cell, corners);
      const DualPoint& face = dual_of({key.begin(), key.end()});
      const bool inner = cells_at_[key] > 1;  // of the unbroken lattice
      for (std::size_t k = 0; k < 4; ++k) {
        const std::uint8_t a = corners[k], b = corners[(k + 1) % 4];
        const auto edge_number = static_cast<std::size_t>(
            std::find_if(kHexEdges.begin(), kHexEdges.end(),
                         [&](const auto& e) { return (e[0] == a && e[1] == b) || (e[0] == b && e[1] == a); }) -
            kHexEdges.begin());
        const DualPoint& edge = dual_of({cell[a], cell[b]});
        const bool open = (broken >> edge_number & 1) != 0;
        for (const std::uint8_t corner : {a, b}) {
          const Index n = cell[corner];
          // Bit 0: opposite the node, across the edge; bit 3: on the cell's own face.
          const auto crack = static_cast<std::uint8_t>((open ? 1 : 0) | (!octants_ && inner ? 8 : 0));
          std::array<Index, 4> tet = {n, point_at(edge, n), point_at(face, n), point_at(middle, n)};
          // Faces are counter-clockwise from outside: (a, edge, face, cell) is left-handed, (b, edge, face, cell) is
          // not.
          if (corner == a) std::swap(tet[1], tet[2]);
          add_tet(c, tet, crack, in_.node_fragment[n]);
        }
      }
    }
  }

  void add_crumb(std::size_t c, Index n) {
    double shortest = 1e300;
    for (const Index other : in_.hexes[c]) {
      if (other != n) shortest = std::min(shortest, (in_.rest[other] - in_.rest[n]).norm());
    }
    std::array<Index, 4> tet;
    for (std::size_t k = 0; k < 4; ++k) {
      constexpr std::array<std::array<int, 3>, 4> kCorners = {{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}};
      const Vec3 offset = 0.25 * shortest * Vec3(kCorners[k][0], kCorners[k][1], kCorners[k][2]);
      const Vec3 rest = in_.rest[n] + offset;
      tet[k] = add_point(carried(n, rest), rest, in_.velocity[n], mix64(mix64(in_.node_uid[n]) + k));
    }
    add_tet(c, tet, 15, in_.node_fragment[n]);
  }

  void add_tet(std::size_t c, const std::array<Index, 4>& tet, std::uint8_t crack, std::uint32_t fragment) {
    const std::size_t row = first_ + c;
    tets_.push_back(tet);
    body_.push_back(in_.body[row]), material_.push_back(in_.material[row]), stress_.push_back(in_.stress[row]);
    fragment_.push_back(fragment);
    crack_.push_back(crack);
    uid_.push_back((in_.tet_uid[row] * 64 + made_in_cell(c)) | kMade);
  }

  Uid made_in_cell(std::size_t c) {
    if (c != last_cell_) last_cell_ = c, made_ = 0;
    return made_++;
  }

  Frame& in_;
  bool octants_;
  std::size_t first_;  // row of the first hexahedron
  std::map<std::array<Index, 4>, int> cells_at_;
  std::map<std::vector<Index>, DualPoint> duals_;
  std::size_t last_cell_ = static_cast<std::size_t>(-1);
  Uid made_ = 0;

  std::vector<std::array<Index, 4>> tets_;
  std::vector<std::uint32_t> body_, fragment_, material_;
  std::vector<Uid> uid_;
  std::vector<double> stress_;
  std::vector<std::uint8_t> crack_;
};

}  // namespace

Frame lattice_as_tets(Frame frame, LatticeSurface surface) {
  if (frame.hexes.empty()) return frame;
  Solid solid(frame, surface);
  solid.build();
  solid.put_into(frame);
  return frame;
}

}  // namespace sunder
