#include "fracture/split_plan.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "geometry/tetrahedron.h"

namespace sunder {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

constexpr double kSharpestBend = 0.5;  // cosine: beyond 60 degrees a crack turns off by branching

// Squares of smallest altitude and of quality: what the floor asks of a tet, without roots.
struct ShapeSquares {
  double altitude, quality;
};

ShapeSquares shape_squares(const TetCorners& x) {
  const Vec3 a = x[1] - x[0], b = x[2] - x[0], c = x[3] - x[0];
  const Vec3 ab = a.cross(b), bc = b.cross(c), ca = c.cross(a);
  const double six_volumes = ab.dot(c);
  const double largest_face =
      std::max(std::max(ab.squaredNorm(), bc.squaredNorm()), std::max(ca.squaredNorm(), (ab + bc + ca).squaredNorm()));
  const double edges = 3 * (a.squaredNorm() + b.squaredNorm() + c.squaredNorm()) - 2 * (a.dot(b) + b.dot(c) + c.dot(a));
  const double mean = edges / 6, square = six_volumes * six_volumes;
  return {square / largest_face, 2 * square / (mean * mean * mean)};
}

}  // namespace

SplitStatus SplitPlan::make(const TetMesh& mesh, NodeId node, const Vec3& normal, const Column<NodeId, Vec3>& position,
                            const Column<TetId, double>& reference_length, const SplitParameters& parameters) {
  node_ = node;
  hard_snaps_ = 0;
  cuts_.clear(), pieces_.clear();
  const double length = normal.stableNorm();
  if (!(length > 0) || !std::isfinite(length)) return SplitStatus::not_finite;
  if (!gather_star(mesh, normal / length, position, reference_length)) return SplitStatus::not_finite;
  bent_ = parameters.bend_at_tips && bend(mesh, normal / length, position);
  snap(position, parameters);
  if (!choose_sides(mesh)) return SplitStatus::one_sided;
  find_cuts(mesh);
  find_pieces(mesh);
  for (Piece& piece : pieces_) cut(piece, mesh, reference_length, parameters);
  // Ends in the worst case with all nodes on the plane: the crack follows the faces.
  for (std::uint32_t end = end_to_snap(); end != kNone; end = end_to_snap()) {
    link_[end].sign = 0;
    ++hard_snaps_;
    if (!choose_sides(mesh)) return SplitStatus::one_sided;
    cut_less(end, mesh, reference_length, parameters);
  }
  number_cuts_anew();
  find_cuts_on_surface(mesh);

  constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max() / 4 - 1;  // four corner slots a tet
  const bool room = mesh.tet_slots() + Subdivision::kMost * pieces_.size() < most &&
                    mesh.node_slots() + 2 * (link_.size() + cuts_.size()) < most;
  return room ? SplitStatus::done : SplitStatus::no_room;
}

// The order of a star in the mesh depends on its past; sorted by uid it does not, and a resumed run splits alike.
bool SplitPlan::gather_star(const TetMesh& mesh, const Vec3& normal, const Column<NodeId, Vec3>& position,
                            const Column<TetId, double>& reference_length) {
  star_.clear(), link_.clear();
  link_of_node_.clear(), star_of_tet_.clear();
  for (const Corner c : mesh.star(node_)) star_.push_back({c.tet, c.index, {}, 0});
  std::sort(star_.begin(), star_.end(),
            [&](const StarTet& a, const StarTet& b) { return mesh.uid(a.tet) < mesh.uid(b.tet); });
  const Vec3& origin = position[node_];
  bool finite = origin.allFinite();
  for (std::uint32_t s = 0; s < star_.size(); ++s) {
    StarTet& t = star_[s];
    star_of_tet_.insert(t.tet, s);
    const double reference = reference_length[t.tet];
    std::size_t filled = 0;
    for (int i = 0; i < 4; ++i) {
      if (i == t.corner) continue;
      const NodeId n = mesh.node({t.tet, i});
      const auto next = static_cast<std::uint32_t>(link_.size());
      const std::uint32_t known = link_of_node_.insert(n, next);
      if (known == kNone) {
        const double distance = normal.dot(position[n] - origin);
        finite = finite && std::isfinite(distance);
        link_.push_back({n, distance, reference, 0});
      } else {
        link_[known].reference = std::min(link_[known].reference, reference);
      }
      t.link[filled++] = known == kNone ? next : known;
    }
  }
  return finite;
}

void SplitPlan::snap(const Column<NodeId, Vec3>& position, const SplitParameters& parameters) {
  const Vec3& origin = position[node_];
  const double sine = std::sin(parameters.snap_angle);
  for (LinkNode& n : link_) {
    const double off = std::abs(n.distance);
    const bool on_plane =
        off == 0 || off < parameters.snap_distance * n.reference || off < sine * (position[n.node] - origin).norm();
    n.sign = on_plane ? 0 : (n.distance > 0 ? 1 : -1);
  }
}

// The new plane goes forward, the old crack back: distances are measured from both, and the smaller one counts if the
// new plane rises over the old crack, the larger one if it dips. Says whether the node is such a tip at all: a crack
// that passes through the node has faces on both sides, whose area vectors cancel; on the wall of an old crack they add
// up.
bool SplitPlan::bend(const TetMesh& mesh, const Vec3& normal, const Column<NodeId, Vec3>& position) {
  const Vec3& origin = position[node_];
  on_crack_.clear();
  Vec3 sum = Vec3::Zero(), crack_normal = Vec3::Zero(), back = Vec3::Zero();
  double all = 0;
  for (const StarTet& t : star_) {
    for (int face = 0; face < 4; ++face) {
      if (face == t.corner || (mesh.crack_faces(t.tet) >> face & 1u) == 0) continue;
      const auto n = mesh.face_nodes({t.tet, face});
      const Vec3 area = (position[n[1]] - position[n[0]]).cross(position[n[2]] - position[n[0]]);
      sum += area;
      all += area.norm();
      crack_normal += area.dot(crack_normal) < 0 ? Vec3(-area) : area;
      back += area.norm() * ((position[n[0]] + position[n[1]] + position[n[2]]) / 3 - origin);
      std::size_t filled = 0;
      for (int i = 0; i < 4; ++i) {
        if (i == t.corner) continue;
        if (i != face) on_crack_.push_back(t.link[filled]);
        ++filled;
      }
    }
  }
  if (!(sum.norm() < 0.5 * all) || !(crack_normal.norm() > 0)) return false;
  crack_normal.normalize();
  if (crack_normal.dot(normal) < 0) crack_normal = -crack_normal;
  if (crack_normal.dot(normal) < kSharpestBend) return false;
  const bool rises = (back - normal.dot(back) * normal).dot(crack_normal) < 0;
  for (LinkNode& n : link_) {
    const double old = crack_normal.dot(position[n.node] - origin);
    n.distance = rises ? std::min(n.distance, old) : std::max(n.distance, old);
  }
  for (const std::uint32_t n : on_crack_) link_[n].distance = 0;
  return true;
}

// False if one side is left without a tet.
bool SplitPlan::choose_sides(const TetMesh& mesh) {
  flat_.clear();
  bool any_plus = false, any_minus = false;
  for (std::uint32_t s = 0; s < star_.size(); ++s) {
    bool plus = false, minus = false;
    for (const std::uint32_t n : star_[s].link) {
      plus = plus || link_[n].sign > 0;
      minus = minus || link_[n].sign < 0;
    }
    star_[s].side = (plus ? 1 : 0) - (minus ? 1 : 0);
    if (!plus && !minus) flat_.push_back(s);
    any_plus = any_plus || plus;
    any_minus = any_minus || minus;
  }
  if (!flat_.empty()) {
    choose_sides_of_flat_tets(mesh);
    for (const StarTet& t : star_) {
      any_plus = any_plus || t.side > 0;
      any_minus = any_minus || t.side < 0;
    }
  }
  return any_plus && any_minus;
}

// A tet with all its link nodes on the plane goes to the side where it really lies, by its centroid before snapping, if
// a face-neighbour through the node is there, else to the side where it has one: a flake would hang on nothing.
void SplitPlan::choose_sides_of_flat_tets(const TetMesh& mesh) {
  const auto own_side = [&](const StarTet& t) {
    const double sum = link_[t.link[0]].distance + link_[t.link[1]].distance + link_[t.link[2]].distance;
    return sum < 0 ? -1 : 1;
  };
  // A tet that is cut has both sides, but none of its faces with a flat one is: that face lies on the plane.
  const auto neighbours_on = [&](const StarTet& t) {
    std::array<bool, 2> found = {false, false};  // minus, plus
    for (int i = 0; i < 4; ++i) {
      if (i == t.corner) continue;
      const TetId other = mesh.neighbour({t.tet, i});
      if (!other.valid()) continue;
      const int side = star_[star_of_tet_.find(other)].side;
      if (side != 0) found[side > 0 ? 1 : 0] = true;
    }
    return found;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const std::uint32_t s : flat_) {
      StarTet& t = star_[s];
      if (t.side != 0) continue;
      const std::array<bool, 2> found = neighbours_on(t);
      const int own = own_side(t);
      if (!found[0] && !found[1]) continue;
      t.side = found[own > 0 ? 1 : 0] ? own : -own;
      changed = true;
    }
  }
  for (const std::uint32_t s : flat_) {
    if (star_[s].side == 0) star_[s].side = own_side(star_[s]);
  }
}

void SplitPlan::find_cuts(const TetMesh& mesh) {
  cuts_.clear();
  for (const StarTet& t : star_) {
    if (t.side != 0) continue;
    for (std::size_t i = 0; i < 3; ++i) {
      std::uint32_t plus = t.link[i], minus = t.link[(i + 1) % 3];
      if (link_[plus].sign * link_[minus].sign >= 0) continue;
      if (link_[plus].sign < 0) std::swap(plus, minus);
      const bool known =
          std::any_of(cuts_.begin(), cuts_.end(), [&](const Cut& c) { return c.plus == plus && c.minus == minus; });
      if (known) continue;
      const LinkNode &a = link_[plus], &b = link_[minus];
      const Vec3 &from = mesh.material_position(a.node), &to = mesh.material_position(b.node);
      const double fraction = a.distance / (a.distance - b.distance);
      const Uid u = mesh.uid(a.node), v = mesh.uid(b.node);
      cuts_.push_back({plus,
                       minus,
                       fraction,
                       {(to - from).squaredNorm(), std::min(u, v), std::max(u, v)},
                       from + fraction * (to - from),
                       t.tet});
    }
  }
  std::sort(cuts_.begin(), cuts_.end(), [](const Cut& a, const Cut& b) { return a.rank < b.rank; });
  for (LinkNode& n : link_) n.first_cut = kNone;
  for (std::uint32_t c = 0; c < cuts_.size(); ++c) {
    cuts_[c].next = link_[cuts_[c].plus].first_cut;
    link_[cuts_[c].plus].first_cut = c;
  }
}

std::uint32_t SplitPlan::cut_between(std::uint32_t a, std::uint32_t b) const {
  if (a == kNone || b == kNone || link_[a].sign * link_[b].sign >= 0) return kNone;
  const std::uint32_t plus = link_[a].sign > 0 ? a : b, minus = link_[a].sign > 0 ? b : a;
  for (std::uint32_t c = link_[plus].first_cut; c != kNone; c = cuts_[c].next) {
    if (cuts_[c].minus == minus) return c;
  }
  return kNone;  // both are in the link, but no tet of the star holds the edge
}

void SplitPlan::take_piece(const TetMesh& mesh, TetId tet) {
  if (is_piece_.insert(tet, 1) == kNone) with_cuts_.emplace_back(mesh.uid(tet), tet);
}

// The tets round a cut edge, from one to the next through their faces: far fewer than the star of one of its ends.
// False if they do not close a ring: on the boundary there may be others that hang together with these by nodes alone.
bool SplitPlan::take_ring(const TetMesh& mesh, const Cut& cut) {
  const NodeId a = link_[cut.plus].node, b = link_[cut.minus].node;
  TetId tet = cut.tet;
  NodeId came_past;  // the corner of the last tet that this one shares with it, beside the edge
  do {
    take_piece(mesh, tet);
    const auto& nodes = mesh.corners(tet);
    int leave = -1;  // through the face opposite this corner
    NodeId ahead;    // the corner in that face beside the edge
    for (int i = 0; i < 4; ++i) {
      const NodeId n = nodes[at(i)];
      if (n == a || n == b) continue;
      if (leave < 0 && (n == came_past || !came_past.valid())) {
        leave = i;
      } else {
        ahead = n;
      }
    }
    tet = mesh.neighbour({tet, leave});
    came_past = ahead;
  } while (tet.valid() && tet != cut.tet);
  return tet.valid();
}

// Every tet that holds a cut edge, in the star or beside it.                                       OH99 figure 8
void SplitPlan::find_pieces(const TetMesh& mesh) {
  with_cuts_.clear();
  is_piece_.clear();
  for (const Cut& cut : cuts_) {
    if (take_ring(mesh, cut)) continue;
    for (const Corner corner : mesh.star(link_[cut.plus].node)) {
      const auto& nodes = mesh.corners(corner.tet);
      if (std::find(nodes.begin(), nodes.end(), link_[cut.minus].node) != nodes.end()) take_piece(mesh, corner.tet);
    }
  }
  std::sort(with_cuts_.begin(), with_cuts_.end());
  pieces_.resize(with_cuts_.size());
  for (std::size_t p = 0; p < pieces_.size(); ++p) {
    Piece& piece = pieces_[p];
    piece.tet = with_cuts_[p].second;
    piece.star_corner = -1;
    const auto& nodes = mesh.corners(piece.tet);
    for (int i = 0; i < 4; ++i) {
      if (nodes[at(i)] == node_) piece.star_corner = i;
      piece.link[at(i)] = nodes[at(i)] == node_ ? kNone : link_of_node_.find(nodes[at(i)]);
    }
  }
}

// Finds the cut edges of a piece, what they make of it, and the worst child.
void SplitPlan::cut(Piece& piece, const TetMesh& mesh, const Column<TetId, double>& reference_length,
                    const SplitParameters& parameters) const {
  std::array<std::uint8_t, 6> edges;
  std::size_t count = 0;
  for (std::uint8_t e = 0; e < 6; ++e) {
    piece.cut[e] = cut_between(piece.link[at(kTetEdges[e][0])], piece.link[at(kTetEdges[e][1])]);
    if (piece.cut[e] == kNone) continue;
    // Cuts are numbered in the global order: insert by number.
    std::size_t place = count++;
    for (; place > 0 && piece.cut[edges[place - 1]] > piece.cut[e]; --place) edges[place] = edges[place - 1];
    edges[place] = e;
  }
  piece.children = subdivide({edges.data(), count});
  piece.worst_share = 1;
  if (count == 0) return;

  const TetCorners parent = mesh.material_corners(piece.tet);
  const double altitude = parameters.lowest_altitude(reference_length[piece.tet]);
  ShapeSquares floor = {altitude * altitude, parameters.quality_floor * parameters.quality_floor};
  bool asked_parent = false;
  for (std::size_t c = 0; c < piece.children.count; ++c) {
    TetCorners x;
    for (std::size_t i = 0; i < 4; ++i) {
      const TetPlace p = piece.children.children[c].corners[i];
      x[i] = p < 4 ? parent[p] : cuts_[piece.cut[p - 4u]].material_position;
    }
    const ShapeSquares shape = shape_squares(x);
    if (shape.altitude >= floor.altitude && shape.quality >= floor.quality) continue;
    if (!asked_parent) {
      const ShapeSquares own = shape_squares(parent);
      floor = {std::min(floor.altitude, own.altitude), std::min(floor.quality, own.quality)};
      asked_parent = true;
    }
    const double share = std::min(shape.altitude / floor.altitude, shape.quality / floor.quality);
    if (!(share < piece.worst_share)) continue;
    piece.worst_share = share;
    piece.worst_child = c;
  }
}

// A link node has been snapped to the plane: its edges are cut no more. All other cuts stay, since a tet that holds one
// has a corner on either side as before.
void SplitPlan::cut_less(std::uint32_t snapped, const TetMesh& mesh, const Column<TetId, double>& reference_length,
                         const SplitParameters& parameters) {
  for (Piece& piece : pieces_) {
    if (std::find(piece.link.begin(), piece.link.end(), snapped) == piece.link.end()) continue;
    cut(piece, mesh, reference_length, parameters);
    if (piece.children.count == 1) is_piece_.set(piece.tet, 0);
  }
  std::erase_if(pieces_, [](const Piece& piece) { return piece.children.count == 1; });
}

// Drops the cuts whose ends are no longer on either side.
void SplitPlan::number_cuts_anew() {
  if (hard_snaps_ == 0) return;
  new_number_.clear();
  std::uint32_t count = 0;
  for (const Cut& c : cuts_) new_number_.push_back(link_[c.plus].sign > 0 && link_[c.minus].sign < 0 ? count++ : kNone);
  std::erase_if(cuts_, [&](const Cut& c) { return link_[c.plus].sign <= 0 || link_[c.minus].sign >= 0; });
  for (Piece& piece : pieces_) {
    for (std::uint32_t& c : piece.cut) c = c == kNone ? kNone : new_number_[c];
  }
}

// Whether an edge lies on the outer surface decides whether a cut between held nodes is held.
void SplitPlan::find_cuts_on_surface(const TetMesh& mesh) {
  for (const Piece& piece : pieces_) {
    for (int f = 0; f < 4; ++f) {
      if (mesh.neighbour({piece.tet, f}).valid() || (mesh.crack_faces(piece.tet) >> f & 1u) != 0) continue;
      for (std::uint8_t e = 0; e < 6; ++e) {
        if (piece.cut[e] == kNone || kTetEdges[e][0] == f || kTetEdges[e][1] == f) continue;
        cuts_[piece.cut[e]].on_outer_surface = true;
      }
    }
  }
}

int SplitPlan::side(const Piece& piece, const Subdivision::Child& child) const {
  for (const TetPlace p : child.corners) {
    if (p < 4 && piece.link[p] != kNone && link_[piece.link[p]].sign != 0) return link_[piece.link[p]].sign;
  }
  return 0;
}

// If the floor is broken: of the worst child's cuts the one nearest an edge's end, and of its ends that one. Else none.
std::uint32_t SplitPlan::end_to_snap() const {
  double worst = 1;  // share of what the floor asks, squared
  const Piece* worst_piece = nullptr;
  for (const Piece& piece : pieces_) {
    if (!(piece.worst_share < worst)) continue;
    worst = piece.worst_share;
    worst_piece = &piece;
  }
  std::uint32_t end = kNone;
  if (worst_piece == nullptr) return end;
  double nearest = std::numeric_limits<double>::infinity();
  for (const TetPlace p : worst_piece->children.children[worst_piece->worst_child].corners) {
    if (p < 4) continue;
    const Cut& cut = cuts_[worst_piece->cut[p - 4u]];
    const double distance = std::min(cut.fraction, 1 - cut.fraction) * std::sqrt(cut.rank.length_square);
    if (!(distance < nearest)) continue;
    nearest = distance;
    end = cut.fraction <= 0.5 ? cut.plus : cut.minus;
  }
  return end;
}

}  // namespace sunder
