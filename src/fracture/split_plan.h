#pragma once
// What a split of a node by a plane would do, worked out without touching the mesh: which nodes of the link lie on
// which side, which edges are cut where, and into which children the tets with cut edges fall. While a child would come
// out too small or too flat, a node is snapped to the plane and its edges are cut no more.
//
// The link of a node is made of the other corners of its tets, its star.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "core/column.h"
#include "core/ids.h"
#include "core/vec.h"
#include "fracture/scratch_map.h"
#include "fracture/subdivide.h"
#include "mesh/tet_mesh.h"

namespace sunder {

// Lengths are relative to the reference length of the tets, h: the mean edge of the tet of the start mesh they come
// from.
struct SplitParameters {
  // A link node nearer to the plane than this, or seen from the split node at a smaller angle to it, counts as on it.
  double snap_distance = 0.25;  // h
  double snap_angle = 0.25;     // radians
  // At a crack's tip the plane is bent back onto the crack behind it, if it turns by no more than 60 degrees: no second
  // branch opens there.                                                                                 OH99 figure 12
  bool bend_at_tips = false;
  // No child comes out below both of these, or below its parent where that is below already.
  double altitude_floor = 0.2;  // h
  double quality_floor = 0.15;  // 6 sqrt(2) V / l_rms^3, 1 for the regular tet
  double least_altitude = 0;    // m; the altitude's floor is no lower than this, whatever h

  double lowest_altitude(double reference_length) const {
    return std::max(altitude_floor * reference_length, least_altitude);
  }
};

enum class SplitStatus : std::uint8_t {
  done,
  one_sided,   // all tets lie on one side of the plane, or are snapped there
  not_finite,  // a position or the normal is no number
  no_room,     // ids are used up
};

class SplitPlan {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffu;

  struct LinkNode {
    NodeId node;
    double distance;                  // from the plane, signed, in the world (m)
    double reference;                 // smallest reference length of the star's tets that hold the node (m)
    int sign;                         // +1, 0, -1: side after snapping
    std::uint32_t first_cut = kNone;  // of the cuts whose `plus` it is
  };
  // An edge from + to -, cut where it meets the plane.
  struct Cut {
    std::uint32_t plus, minus;  // link nodes
    double fraction;            // of the way from plus to minus
    EdgeRank rank;
    Vec3 material_position;
    TetId tet;                      // of the star, holds the edge
    std::uint32_t next = kNone;     // of the same `plus`
    bool on_outer_surface = false;  // the edge lies in a boundary face that is no crack face
  };
  struct StarTet {
    TetId tet;
    int corner;                         // where the split node is
    std::array<std::uint32_t, 3> link;  // link nodes at the other corners, in ascending order of corners
    int side = 0;                       // +1 or -1; 0 if it is cut
  };
  // A tet with a cut edge.
  struct Piece {
    TetId tet;
    int star_corner = -1;               // where the split node is; -1 outside the star
    std::array<std::uint32_t, 4> link;  // link nodes at the corners, kNone where there is none
    std::array<std::uint32_t, 6> cut;   // cuts on the edges, kNone where there is none
    Subdivision children;
    double worst_share = 1;  // of what the floor asks, squared, that a child has; 1 if all have enough
    std::size_t worst_child = 0;
  };

  // `normal` need not have unit length. `position` is in the world.
  SplitStatus make(const TetMesh& mesh, NodeId node, const Vec3& normal, const Column<NodeId, Vec3>& position,
                   const Column<TetId, double>& reference_length, const SplitParameters& parameters);

  NodeId node() const { return node_; }
  const std::vector<LinkNode>& link() const { return link_; }
  const std::vector<Cut>& cuts() const { return cuts_; }        // in the global order of edges
  const std::vector<StarTet>& star() const { return star_; }    // by tet uid
  const std::vector<Piece>& pieces() const { return pieces_; }  // by tet uid
  bool bent() const { return bent_; }
  std::size_t hard_snaps() const { return hard_snaps_; }  // nodes that the floor moved to the plane
  bool is_piece(TetId tet) const { return is_piece_.find(tet) == 1; }
  // Side of a child of a star piece.
  int side(const Piece& piece, const Subdivision::Child& child) const;

 private:
  bool gather_star(const TetMesh& mesh, const Vec3& normal, const Column<NodeId, Vec3>& position,
                   const Column<TetId, double>& reference_length);
  bool bend(const TetMesh& mesh, const Vec3& normal, const Column<NodeId, Vec3>& position);
  void snap(const Column<NodeId, Vec3>& position, const SplitParameters& parameters);
  bool choose_sides(const TetMesh& mesh);
  void choose_sides_of_flat_tets(const TetMesh& mesh);
  void find_cuts(const TetMesh& mesh);
  void find_pieces(const TetMesh& mesh);
  bool take_ring(const TetMesh& mesh, const Cut& cut);
  void take_piece(const TetMesh& mesh, TetId tet);
  std::uint32_t cut_between(std::uint32_t link_a, std::uint32_t link_b) const;
  void cut(Piece& piece, const TetMesh& mesh, const Column<TetId, double>& reference_length,
           const SplitParameters& parameters) const;
  std::uint32_t end_to_snap() const;
  void cut_less(std::uint32_t snapped, const TetMesh& mesh, const Column<TetId, double>& reference_length,
                const SplitParameters& parameters);
  void number_cuts_anew();
  void find_cuts_on_surface(const TetMesh& mesh);

  NodeId node_;
  std::vector<LinkNode> link_;
  std::vector<StarTet> star_;
  std::vector<Cut> cuts_;
  std::vector<Piece> pieces_;
  std::vector<std::pair<Uid, TetId>> with_cuts_;
  std::vector<std::uint32_t> flat_;  // star tets with all link nodes on the plane, undecided
  ScratchMap<NodeId> link_of_node_;
  ScratchMap<TetId> star_of_tet_, is_piece_;
  std::vector<std::uint32_t> new_number_;  // of cuts
  std::vector<std::uint32_t> on_crack_;    // link nodes of the crack faces at the node
  bool bent_ = false;
  std::size_t hard_snaps_ = 0;
};

}  // namespace sunder
