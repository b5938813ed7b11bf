#include "solvers/surface_iben06/membrane.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/parallel.h"
#include "fracture/separation_tensor.h"
#include "geometry/symmetric_eigen.h"

namespace sunder::surface_iben06 {
namespace {

constexpr std::size_t kChunk = 2048;  // triangles or nodes, some twenty microseconds
constexpr double kUnlimited = std::numeric_limits<double>::infinity();
// Times its longest edge, the largest singular value of beta of a triangle that is no sliver: 1.4 if all sides are
// equal, 30 if it is some twenty times as long as high. Relaxation takes the longer the flatter triangles are.
constexpr double kFlattest = 30;

// Square of the largest singular value of beta's gradient block.
double largest_singular(const std::array<Vec2, 3>& gradient) {
  Mat2 gram = Mat2::Zero();
  for (const Vec2& g : gradient) gram += g * g.transpose();
  return plane_eigen(gram).values[0];
}

double longest_edge(const Facet& facet) { return *std::max_element(facet.opposite.begin(), facet.opposite.end()); }

// The rotation next to a projection from one plane into another: the fold between them is laid flat. A mere projection
// would take from what pulls across a fold, and stars on the rim of a cup would fail first, all in one direction.
Mat2 laid_flat(const Mat2& projection) {
  if (projection.determinant() > 1 - 1e-12) return projection;  // flat already
  const Vec2 turn(projection(0, 0) + projection(1, 1), projection(1, 0) - projection(0, 1));
  if (!(turn.squaredNorm() > 0)) return projection;  // folded back on itself
  const Vec2 unit = turn.normalized();
  Mat2 rotation;
  rotation << unit.x(), -unit.y(), unit.y(), unit.x();
  return rotation;
}

// S = V diag(min(1, s_max^2 / s^2)) V^T of the gradient block with the singular values s.
Mat2 softening(const std::array<Vec2, 3>& gradient, double limit) {
  Mat2 gram = Mat2::Zero();
  for (const Vec2& g : gradient) gram += g * g.transpose();
  const PlaneEigen e = plane_eigen(gram);
  const auto share = [&](double squared) { return std::min(1.0, limit / squared); };
  const Mat2 first = e.first * e.first.transpose();
  return share(e.values[0]) * first + share(e.values[1]) * (Mat2::Identity() - first);
}

// sigma : C'^-1 : sigma' of two stresses.
double work_density(const Facet& facet, const Mat2& stress, const Mat2& other) {
  if (!facet.sliver) return stress.cwiseProduct(other).sum();
  const Mat2 hard = facet.soften.inverse();
  return stress.cwiseProduct(hard * other * hard).sum();
}

// Neither eigenvalue is negative.
bool all_tension(const Mat2& stress) { return stress.trace() >= 0 && stress.determinant() >= 0; }

}  // namespace

TangentFrame tangent_frame(const Vec3& normal) {
  // The axis that is furthest from the normal, so that flat sheets have their frames along their sides.
  Eigen::Index axis = 0;
  normal.cwiseAbs().minCoeff(&axis);
  const Vec3 x = (Vec3::Unit(axis) - normal[axis] * normal).normalized();
  TangentFrame frame;
  frame.col(0) = x;
  frame.col(1) = normal.cross(x);
  return frame;
}

Membrane::Membrane(const TriMesh& mesh, const MembraneRules& rules, std::span<const Vec3> normals)
    : mesh_(mesh), rules_(rules), facets_(mesh.triangle_count()), joints_(mesh.node_count()), rows_(mesh.node_count()) {
  for (const NodeId n : id_range<NodeId>(mesh_.node_count())) joints_[n].frame = tangent_frame(normals[n.index]);
  largest_singular_ = kUnlimited;
  double largest = 0, edges = 0, area = 0;
  for (const TriangleId t : id_range<TriangleId>(mesh_.triangle_count())) {
    const TriangleCorners x = mesh_.places(t);
    Facet& facet = facets_[t];
    facet.frame.col(0) = (x[1] - x[0]).stableNormalized();
    facet.frame.col(1) = area_vector(x).stableNormalized().cross(facet.frame.col(0));
    set_geometry(t);
    const double singular = largest_singular(facet.gradient), longest = longest_edge(facet);
    if (singular * longest * longest > kFlattest * kFlattest) {
      ++slivers_;
    } else {
      largest = std::max(largest, singular);
    }
    edges += facet.opposite[0] + facet.opposite[1] + facet.opposite[2];
    area += facet.area;
  }
  const auto count = static_cast<double>(mesh_.triangle_count());
  mean_edge_ = edges / (3 * count);
  mean_triangle_ = area / count;
  mean_node_area_ = area / static_cast<double>(mesh_.node_count());
  if (largest > 0) largest_singular_ = rules_.sliver * rules_.sliver * largest;
  for (const TriangleId t : id_range<TriangleId>(mesh_.triangle_count())) set_geometry(t);
  update_all_rows();
}

void Membrane::set_geometry(TriangleId t) {
  Facet& facet = facets_[t];
  const TriangleCorners x = mesh_.places(t);
  std::array<Vec2, 3> flat;
  for (std::size_t k = 0; k < 3; ++k) flat[k] = facet.frame.transpose() * (x[k] - x[0]);
  const Vec2 u = flat[1], v = flat[2];
  const double doubled = u.x() * v.y() - u.y() * v.x();
  facet.area = doubled / 2;
  for (std::size_t k = 0; k < 3; ++k) {
    // Across the opposite edge, inwards, one over the height: the gradient of the corner's barycentric coordinate.
    const Vec2 edge = flat[(k + 2) % 3] - flat[(k + 1) % 3];
    facet.gradient[k] = Vec2(-edge.y(), edge.x()) / doubled;
    facet.opposite[k] = edge.norm();
    facet.turn[k] = laid_flat(facet.frame.transpose() * joints_[mesh_.corners(t)[k]].frame);
  }
  const double flattest = kFlattest / longest_edge(facet), limit = std::min(largest_singular_, flattest * flattest);
  facet.sliver = largest_singular(facet.gradient) > limit;
  facet.soften = facet.sliver ? softening(facet.gradient, limit) : Mat2(Mat2::Identity());
}

double Membrane::substrate(NodeId n) const {
  const double area = std::max(joints_[n].area, rules_.area_floor * mean_node_area_);
  return area / (rules_.length * rules_.length);  // 0 without a substrate
}

Mat2 Membrane::strain(TriangleId t) const {
  // d eps_ij / d p_nr = 1/2 ( beta_ni x_rj + x_ri beta_nj ): the corrected (6), x being the triangle's own plane.
  const Facet& facet = facets_[t];
  Mat2 slope = Mat2::Zero();
  for (std::size_t k = 0; k < 3; ++k) {
    slope += (facet.turn[k] * joints_[mesh_.corners(t)[k]].moved) * facet.gradient[k].transpose();
  }
  return 0.5 * (slope + slope.transpose());
}

Mat2 Membrane::push_from_motion(TriangleId t) const {
  const Facet& facet = facets_[t];
  const Mat2 strain = this->strain(t);
  return facet.sliver ? Mat2(facet.soften * strain * facet.soften) : strain;  // dsigma = S eps S, (7)
}

void Membrane::update_stress(TriangleId t) {
  Facet& facet = facets_[t];
  const Mat2 before = facet.stress;
  facet.stress = facet.base + push_from_motion(t);
  facet.stirred += (facet.stress - before).norm();
}

void Membrane::keep_stress(TriangleId t) { facets_[t].base = facets_[t].stress - push_from_motion(t); }

void Membrane::update_force(NodeId n) {
  Joint& joint = joints_[n];
  Vec2 force = -substrate(n) * joint.moved;
  for (const Side corner : fan(n)) {
    const Facet& f = facets_[corner.triangle];
    const auto k = static_cast<std::size_t>(corner.index);
    force -= f.area * (f.turn[k].transpose() * (f.stress * f.gradient[k]));  // (1), with the true beta
  }
  if (is_continued_) force += pull_beyond(rows_[n]) - rows_[n].hold * joint.moved;
  joint.force = joint.fixed ? Vec2(Vec2::Zero()) : force;
}

bool Membrane::acts_once() const {
  return std::any_of(facets_.begin(), facets_.end(), [](const Facet& f) { return !f.once.isZero(0); });
}

double Membrane::bring(double once, double more) {
  const double work = parallel_sum(mesh_.triangle_count(), kChunk, [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) {
      Facet& facet = facets_[TriangleId(i)];
      const Mat2 pull = once * facet.once + more * facet.pattern;
      sum += work_density(facet, facet.stress + pull / 2, pull) * facet.area;
      facet.base += pull;
      update_stress(TriangleId(i));
    }
    return sum;
  });
  once_ += once;
  load_ += more;
  double beyond = 0;
  if (is_continued_) {
    for (const NodeId n : id_range<NodeId>(mesh_.node_count())) {
      beyond += (once * rows_[n].pull_once + more * rows_[n].pull).dot(joints_[n].moved);
    }
  }
  parallel_for(mesh_.node_count(), [&](std::size_t i) { update_force(NodeId(i)); });
  return work - beyond;
}

Mat2 Membrane::separation(NodeId n) const {
  SeparationSum<2> sum;
  for (const Side corner : fan(n)) {
    const Facet& f = facets_[corner.triangle];
    const auto k = static_cast<std::size_t>(corner.index);
    const Mat2 into_node = -f.area * f.turn[k].transpose();
    const Vec2 whole = f.stress * f.gradient[k];
    if (all_tension(f.stress)) {
      sum.pull(into_node * whole);
    } else {
      const Vec2 pull = plane_split(f.stress).tensile * f.gradient[k];
      sum.pull(into_node * pull);
      sum.push(into_node * (whole - pull));
    }
  }
  const Mat2 tensor = sum.tensor();
  if (!rows_[n].open) return rows_[n].even * tensor * rows_[n].even;
  if (rows_[n].tip) return tensor * (8 / rows_[n].rim);
  // At a border stress has one direction, and a star is half, or a slice: what a uniform pull along the eigenvector
  // would give there, a quarter of the star's width across it, twice counted.
  const Vec2 along = plane_eigen(tensor).first;
  double width = 0;
  for (const Side corner : fan(n)) {
    const Facet& f = facets_[corner.triangle];
    const auto k = static_cast<std::size_t>(corner.index);
    width += 2 * f.area * std::abs((f.turn[k].transpose() * f.gradient[k]).dot(along));
  }
  return tensor * (4 / width);
}

void Membrane::update_row(NodeId n, TriMesh::Fan& scratch) {
  mesh_.fan(n, scratch);
  const std::size_t most = scratch.corners.size() + (scratch.open ? 1 : 0);
  Row& row = rows_[n];
  if (most > row.room) {
    row.room = static_cast<std::uint32_t>(most + 2);
    row.first = static_cast<std::uint32_t>(links_.size());
    links_.resize(links_.size() + row.room);
    corners_.resize(links_.size());
  }
  std::copy(scratch.corners.begin(), scratch.corners.end(), corners_.begin() + row.first);
  row.corners = static_cast<std::uint32_t>(scratch.corners.size());
  row.open = scratch.open;
  row.tip = is_crack_tip(mesh_, scratch);
  joints_[n].area = 0;
  row.rim = 0;
  for (const Side corner : scratch.corners) {
    joints_[n].area += facets_[corner.triangle].area / 3;
    row.rim += facets_[corner.triangle].opposite[static_cast<std::size_t>(corner.index)];
  }
  if (!row.open) set_even(row, scratch);
  row.count = 0;
  row.self = substrate(n) * Mat2::Identity();
  const auto link = [&](NodeId m) -> Mat2& {
    for (std::uint32_t i = 0; i < row.count; ++i) {
      if (links_[row.first + i].node == m) return links_[row.first + i].stiffness;
    }
    links_[row.first + row.count] = {m, Mat2::Zero()};
    return links_[row.first + row.count++].stiffness;
  };
  for (const Side corner : scratch.corners) {
    const Facet& f = facets_[corner.triangle];
    const auto& corners = mesh_.corners(corner.triangle);
    const auto k = static_cast<std::size_t>(corner.index);
    // K_mn = A/2 turn_m^T ( (g_n . S g_m) S + S g_n (S g_m)^T ) turn_n
    const Vec2 mine = f.soften * f.gradient[k];
    for (std::size_t j = 0; j < 3; ++j) {
      const Mat2 inner = mine.dot(f.gradient[j]) * f.soften + mine * (f.soften * f.gradient[j]).transpose();
      const Mat2 block = (f.area / 2) * (f.turn[j].transpose() * inner * f.turn[k]);
      (j == k ? row.self : link(corners[j])) += block;
    }
  }
  if (is_continued_) add_border(n, scratch), row.self += row.hold;
  row.inverse = row.self.inverse();
}

void Membrane::set_even(Row& row, const TriMesh::Fan& fan) const {
  // Under even tension of one each triangle pulls by half its edge of the rim, across it; then zeta is half the sum of
  // m(f). Long stars would fail first, and all in one direction where all are long the same way.
  Mat2 whole = Mat2::Zero();
  for (const Side corner : fan.corners) {
    const Facet& f = facets_[corner.triangle];
    const auto k = static_cast<std::size_t>(corner.index);
    const Vec2 across = f.turn[k].transpose() * f.gradient[k].normalized();
    whole += f.opposite[k] / 4 * across * across.transpose();
  }
  const PlaneEigen e = plane_eigen(whole);
  const Mat2 first = e.first * e.first.transpose();
  const double least = std::max(e.values[1], 0.02 * e.values[0]);  // of stars that are all needle
  row.even = first / std::sqrt(e.values[0]) + (Mat2::Identity() - first) / std::sqrt(least);
  row.most_even = 1 / least;
}

void Membrane::continue_border() {
  is_continued_ = true;
  update_all_rows();
}

void Membrane::add_border(NodeId n, const TriMesh::Fan& fan) {
  Row& row = rows_[n];
  row.hold.setZero(), row.pull.setZero(), row.pull_once.setZero();
  for (const Side corner : fan.corners) {
    const Facet& f = facets_[corner.triangle];
    const Mat2& turn = f.turn[static_cast<std::size_t>(corner.index)];
    for (int side = 1; side <= 2; ++side) {
      const Side edge = {corner.triangle, (corner.index + side) % 3};
      if (mesh_.neighbour(edge).valid() || mesh_.crack(edge) != 0) continue;
      const auto k = static_cast<std::size_t>(edge.index);
      const double half = f.opposite[k] / 2;
      const Vec2 out = -f.gradient[k].normalized();
      row.pull += half * (turn.transpose() * (f.pattern * out));
      row.pull_once += half * (turn.transpose() * (f.once * out));
      // A half-plane on such a ground moves by exp(-x/ell) when it is pulled, by exp(-x sqrt(2)/ell) when it is
      // sheared.
      const Mat2 across = out * out.transpose();
      const Mat2 hold = (across + std::numbers::sqrt2 / 2 * (Mat2::Identity() - across)) * (half / rules_.length);
      row.hold += turn.transpose() * hold * turn;
    }
  }
}

void Membrane::update_all_rows() {
  links_.clear(), corners_.clear();
  TriMesh::Fan scratch;
  for (const NodeId n : id_range<NodeId>(mesh_.node_count())) {
    rows_[n].room = 0;
    update_row(n, scratch);
  }
}

double Membrane::euler_limit() const {
  Column<NodeId, double> sums(mesh_.node_count(), 0.0);
  for (const NodeId n : id_range<NodeId>(mesh_.node_count())) sums[n] = substrate(n) + rows_[n].hold.trace();
  for (const TriangleId t : id_range<TriangleId>(mesh_.triangle_count())) {
    const Facet& f = facets_[t];
    // |S eps S|^2 <= s^2 sum |U|^2 with the largest singular value s of beta's softened gradients: A s^2 bounds the
    // eigenvalue.
    std::array<Vec2, 3> soft = f.gradient;
    for (Vec2& g : soft) g = f.soften * g;
    const double bound = f.area * largest_singular(soft);
    for (const NodeId n : mesh_.corners(t)) sums[n] += bound;
  }
  const double largest = *std::max_element(sums.begin(), sums.end());
  return 2 / largest;
}

double Membrane::energy() const {
  const double stretched = parallel_sum(mesh_.triangle_count(), kChunk, [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const Facet& f = facets_[TriangleId(i)];
      sum += f.area * work_density(f, f.stress, f.stress) / 2;
    }
    return sum;
  });
  return stretched + parallel_sum(mesh_.node_count(), kChunk, [&](std::size_t begin, std::size_t end) {
           double sum = 0;
           for (std::size_t i = begin; i < end; ++i) {
             const Vec2& moved = joints_[NodeId(i)].moved;
             const Row& row = rows_[NodeId(i)];
             sum += substrate(NodeId(i)) * moved.squaredNorm() / 2;
             if (is_continued_) sum += moved.dot(row.hold * moved) / 2 - pull_beyond(row).dot(moved);
           }
           return sum;
         });
}

void Membrane::add_joint_between(NodeId from, NodeId to, double share) {
  const Joint &a = joints_[from], &b = joints_[to];
  Joint joint;
  joint.frame = a.normal() == b.normal()
                    ? a.frame
                    : tangent_frame(((1 - share) * a.normal() + share * b.normal()).stableNormalized());
  const Vec3 moved = (1 - share) * (a.frame * a.moved) + share * (b.frame * b.moved);
  joint.moved =
      a.frame == b.frame ? Vec2((1 - share) * a.moved + share * b.moved) : Vec2(joint.frame.transpose() * moved);
  joint.toughness = (1 - share) * a.toughness + share * b.toughness;
  joint.scale = (1 - share) * a.scale + share * b.scale;
  joint.fixed = false;  // set by split() if it lies on a held border
  joints_.push_back(joint);
  rows_.push_back({});
}

SurfaceSplit Membrane::split(NodeId node, const Vec2& normal, const SurfaceSplitRules& rules, std::uint32_t event,
                             std::vector<NodeId>& changed) {
  changed.clear();
  SurfaceSplit split = split_surface(mesh_, node, TangentFrame(joints_[node].frame), normal, rules, event);
  if (!split.done) return split;
  std::vector<TriangleId> halved;
  for (const auto& cut : split.cut_edges) {
    add_joint_between(cut.from, cut.to, cut.share);
    const bool border = !cut.split.neighbour.valid();
    joints_[cut.split.node].fixed = border && joints_[cut.from].fixed && joints_[cut.to].fixed;
  }
  for (const auto& [copy, of] : split.copies) {
    joints_.push_back(Joint(joints_[of]));
    rows_.push_back({});
  }
  for (const auto& cut : split.cut_edges) {
    const auto inherit = [&](TriangleId parent, TriangleId child) {
      facets_.push_back(Facet(facets_[parent]));
      halved.push_back(parent), halved.push_back(child);
    };
    inherit(cut.split.triangle, cut.split.child);
    if (cut.split.neighbour.valid()) inherit(cut.split.neighbour, cut.split.neighbour_child);
  }
  for (const TriangleId t : halved) {
    set_geometry(t);
    keep_stress(t);
  }

  // All triangles that are new, smaller or have new nodes lie round these.
  std::vector<NodeId> middles = split.tips;
  middles.push_back(node);
  for (const auto& cut : split.cut_edges) middles.push_back(cut.split.node);
  for (const auto& [copy, of] : split.copies) middles.push_back(copy), middles.push_back(of);
  TriMesh::Fan around;
  for (const NodeId middle : middles) {
    mesh_.fan(middle, around);
    for (const Side corner : around.corners) {
      const auto& corners = mesh_.corners(corner.triangle);
      changed.insert(changed.end(), corners.begin(), corners.end());
    }
  }
  std::sort(changed.begin(), changed.end());
  changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
  for (const NodeId n : changed) {
    update_row(n, around);
    update_force(n);
  }
  return split;
}

}  // namespace sunder::surface_iben06
