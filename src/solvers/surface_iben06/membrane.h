#pragma once
// The stress field of a surface on a substrate: a tensor per triangle in the triangle's own plane, the forces it
// exerts on nodes, and how it changes as nodes move virtually. Nodes do not really move.
//
// Stress is measured in units of the toughness, the modulus is one, so strain and stress are one number. Forces and
// motions of a node lie in its tangent plane: a glaze sticks to its pot.

#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/byte_stream.h"
#include "core/column.h"
#include "core/ids.h"
#include "core/vec.h"
#include "fracture/surface_split.h"
#include "mesh/tri_mesh.h"

namespace sunder::surface_iben06 {

// One triangle of the field.
struct alignas(64) Facet {
  // What every crack reads comes first.
  std::array<Mat2, 3> turn;           // from each corner's tangent frame into the triangle's: rotations
  std::array<Vec2, 3> gradient;       // of the barycentric coordinates (rows of beta), 1/m
  std::array<double, 3> opposite;     // m, length of the edge opposite each corner
  double area = 0;                    // m^2
  Mat2 base = Mat2::Zero();           // stress that the sources brought, before any motion
  Mat2 stress = Mat2::Zero();         // base and what the motion changed
  double stirred = 0;                 // how much it has changed (Frobenius norm) since take_stir(), summed up
  bool sliver = false;                // S is not one
  Mat2 soften = Mat2::Identity();     // S: below one where the triangle is a sliver
  Mat2 pattern = Mat2::Zero();        // stress of the sources that grow, per unit of load
  Mat2 once = Mat2::Zero();           // stress of the sources that act once, in full
  Eigen::Matrix<double, 3, 2> frame;  // its plane; children of a split keep it
};

// One node of the field.
struct alignas(64) Joint {
  // What relaxation reads and writes comes first, in one line of the cache.
  Vec2 force = Vec2::Zero();  // that is left, of stress and substrate, per unit of modulus: m
  Vec2 moved = Vec2::Zero();  // U: the summed virtual motion, m
  bool fixed = false;         // its border is held
  bool waiting = false;       // in the relaxation's queue
  double area = 0;            // m^2, a third of its triangles'
  double toughness = 1;       // stress that it bears
  double scale = 1;           // of its separation tensor, by curvature
  TangentFrame frame;

  Vec3 normal() const { return frame.col(0).cross(frame.col(1)); }
};

struct MembraneRules {
  double length = 0;  // m, ell: the distance over which the substrate takes over; infinite: no substrate
  // Triangles soften beyond so many times the largest singular value of beta that the input has, its slivers left out.
  double sliver = 1;
  double area_floor = 0.1;  // share of the mean area of a node that counts in the substrate at least
};

class Membrane {
 public:
  Membrane() = default;
  // `normals` of the nodes' tangent planes, unit, one for each node of the mesh.
  Membrane(const TriMesh& mesh, const MembraneRules& rules, std::span<const Vec3> normals);

  const TriMesh& mesh() const { return mesh_; }
  const MembraneRules& rules() const { return rules_; }
  const Facet& facet(TriangleId t) const { return facets_[t]; }
  const Joint& joint(NodeId n) const { return joints_[n]; }
  Joint& joint(NodeId n) { return joints_[n]; }
  void set_pattern(TriangleId t, const Mat2& pattern) { facets_[t].pattern = pattern; }
  void set_once(TriangleId t, const Mat2& stress) { facets_[t].once = stress; }
  bool acts_once() const;  // anything
  // The surface goes on beyond its border (cracks are none), whole, under the same stress: it pulls as much, and gives
  // as a half-plane on its ground does. After the patterns are set and before any stress.
  void continue_border();
  double mean_edge() const { return mean_edge_; }   // m, of the input
  std::size_t slivers() const { return slivers_; }  // of the input
  double mean_triangle() const { return mean_triangle_; }
  double substrate(NodeId n) const;  // stiffness A / ell^2 of the substrate at a node

  // Stress of all triangles and forces on all nodes, by threads, when the load has grown by `more`. Returns the work
  // that this takes: the energy that is there before anything gives way, less what was there.
  double raise_load(double more) { return bring(0, more); }
  double load() const { return load_; }
  // The same when the sources act that act once: a blow, say, before the coat dries.
  double act_once() { return bring(1, 0); }
  void update_stress(TriangleId t);
  // The sum of all changes of a triangle's stress (Frobenius norms) since this was last asked.
  double take_stir(TriangleId t) { return std::exchange(facets_[t].stirred, 0); }
  void update_force(NodeId n);

  // Strain that the motion of a triangle's corners gives it: (4) to first order, by the corrected (6).
  Mat2 strain(TriangleId t) const;

  // The separation tensor of a node, scaled so that even tension gives itself: (2). At borders and tips over an eighth
  // of the star's rim.
  Mat2 separation(NodeId n) const;

  // The stiffness K_mn: by how much the force on m falls as n moves. `self` is that of the node itself.
  struct Link {
    NodeId node;
    Mat2 stiffness = Mat2::Zero();
  };
  struct alignas(64) Row {
    Mat2 inverse = Mat2::Zero();                   // of `self`; what relaxation reads comes first here, too
    std::uint32_t first = 0, count = 0, room = 0;  // of its links
    std::uint32_t corners = 0;                     // of its fan, beside them: as many as links, or one less
    bool open = false, tip = false;                // its fan has borders; they are the two sides of one cut
    Mat2 self = Mat2::Zero();
    double rim = 0;  // m, of its star: the edges opposite the node
    // Of a star without borders: from both sides it makes what even tension gives into that tension, whatever the
    // star's shape, 1/sqrt(m); and the square of its larger eigenvalue.
    Mat2 even = Mat2::Identity();
    double most_even = 0;
    // Of the surface beyond a continued border: how it holds the node, and its pull, m: of the sources that grow, per
    // unit of load, and of those that act once.
    Mat2 hold = Mat2::Zero();
    Vec2 pull = Vec2::Zero(), pull_once = Vec2::Zero();
  };
  std::span<const Side> fan(NodeId n) const { return {corners_.data() + rows_[n].first, rows_[n].corners}; }
  const Row& row(NodeId n) const { return rows_[n]; }
  std::span<const Link> links(NodeId n) const { return {links_.data() + rows_[n].first, rows_[n].count}; }
  void update_row(NodeId n, TriMesh::Fan& scratch);  // and its area
  void update_all_rows();

  // The largest step of forward Euler that no motion outgrows: 2 over a bound of the largest eigenvalue, the largest
  // sum over a node of the eigenvalue bounds of its triangles. It goes with shape and valence, not with size.
  double euler_limit() const;

  // What relaxation never raises: area-weighted sigma : C'^-1 : sigma and A U^2 / ell^2, both halved; of a continued
  // border also what lies beyond.
  double energy() const;

  // Cracks the mesh. Children carry their parent's stress, new nodes the motion and toughness between their ends'.
  // `changed` gets all nodes whose triangles or areas are new, each once.
  SurfaceSplit split(NodeId node, const Vec2& normal, const SurfaceSplitRules& rules, std::uint32_t event,
                     std::vector<NodeId>& changed);

  void save(Writer& out) const;
  void load(Reader& in);

 private:
  double bring(double once, double more);  // so much more of the sources of either sort
  Vec2 pull_beyond(const Row& row) const { return once_ * row.pull_once + load_ * row.pull; }
  void set_geometry(TriangleId t);
  void add_border(NodeId n, const TriMesh::Fan& fan);
  void set_even(Row& row, const TriMesh::Fan& fan) const;
  void keep_stress(TriangleId t);  // makes the base fit the motion, so that the stress stays
  Mat2 push_from_motion(TriangleId t) const;
  void add_joint_between(NodeId from, NodeId to, double share);

  TriMesh mesh_;
  MembraneRules rules_;
  Column<TriangleId, Facet> facets_;
  Column<NodeId, Joint> joints_;
  Column<NodeId, Row> rows_;
  std::vector<Link> links_;
  std::vector<Side> corners_;  // of the fans, in the same places as the links
  double mean_edge_ = 0, mean_triangle_ = 0, mean_node_area_ = 0;
  double largest_singular_ = 0;  // squared, 1/m^2, that is not softened
  std::size_t slivers_ = 0;      // of the input
  bool is_continued_ = false;    // its border
  double once_ = 0;              // 1 when the sources that act once have done so
  double load_ = 0;
};

// A tangent frame for a normal: the same for the same normal.
TangentFrame tangent_frame(const Vec3& normal);

}  // namespace sunder::surface_iben06
