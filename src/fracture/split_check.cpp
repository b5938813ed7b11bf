#include "fracture/split_check.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <set>

#include "geometry/tetrahedron.h"

namespace sunder {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

class SplitChecker {
 public:
  SplitChecker(const TetMesh& mesh, const SplitResult& result, const SplitRequest& request)
      : mesh_(mesh), result_(result), request_(request) {}

  std::vector<std::string> problems() && {
    if (!result_.done()) return {};
    families();
    for (const auto& child : result_.added) neighbours(child.tet);
    plane();
    crack_faces();
    std::set<NodeId> touched = {request_.node};
    for (const auto& cut : result_.cut_nodes) touched.insert(cut.node);
    for (const auto& twin : result_.duplicates) touched.insert({twin.node, twin.of});
    touched.insert(result_.tips.begin(), result_.tips.end());
    for (const NodeId n : touched) hinge(n);
    for (const auto& twin : result_.duplicates) doubled(twin);
    return std::move(problems_);
  }

 private:
  void problem(std::string sentence) { problems_.push_back(std::move(sentence)); }
  std::string name(TetId t) const { return fmt::format("tet uid {}", mesh_.uid(t)); }
  std::string name(NodeId n) const { return fmt::format("node uid {}", mesh_.uid(n)); }

  TetCorners material(const std::array<NodeId, 4>& c) const {
    return {mesh_.material_position(c[0]), mesh_.material_position(c[1]), mesh_.material_position(c[2]),
            mesh_.material_position(c[3])};
  }

  void families() {
    std::size_t next = 0;
    for (const auto& parent : result_.removed) {
      if (mesh_.alive(parent.tet)) problem(fmt::format("{} was replaced but is still there", name(parent.tet)));
      const TetCorners x = material(parent.corners);
      double volume = 0;
      Vec3 moment = Vec3::Zero();
      std::size_t children = 0;
      for (; next < result_.added.size() && result_.added[next].parent == parent.tet; ++next, ++children) {
        const TetCorners y = mesh_.material_corners(result_.added[next].tet);
        child(result_.added[next].tet, y, x);
        volume += signed_volume(y);
        moment += signed_volume(y) * (y[0] + y[1] + y[2] + y[3]) / 4;
      }
      const double whole = signed_volume(x), size = std::cbrt(whole) + x[0].norm();
      const Vec3 whole_moment = whole * (x[0] + x[1] + x[2] + x[3]) / 4;
      if (!(std::abs(volume - whole) <= 1e-12 * whole) || !((moment - whole_moment).norm() <= 1e-12 * whole * size)) {
        problem(fmt::format("the children of {} do not fill it: {:g} of {:g} m^3", name(parent.tet), volume, whole));
      }
      number_of_children(parent, children);
    }
    if (next != result_.added.size()) problem("there are children without a parent");
  }

  void child(TetId t, const TetCorners& y, const TetCorners& parent) {
    if (!mesh_.alive(t)) return problem(fmt::format("{} was added but is not there", name(t)));
    const SplitParameters& p = request_.parameters;
    constexpr double round_off = 1 - 1e-9;
    const double altitude = std::min(p.lowest_altitude(request_.reference_length[t]), smallest_altitude(parent));
    const double shape = std::min(p.quality_floor, quality(parent));
    if (!(signed_volume(y) > 0)) problem(fmt::format("{} is inside out", name(t)));
    if (!(smallest_altitude(y) >= round_off * altitude)) {
      problem(fmt::format("{} is below the floor: altitude {:g} m of {:g}", name(t), smallest_altitude(y), altitude));
    }
    if (!(quality(y) >= round_off * shape)) {
      problem(fmt::format("{} is below the floor: quality {:g} of {:g}", name(t), quality(y), shape));
    }
  }

  // One cut edge makes two children, two at a corner three; a tet of the star has no more.
  void number_of_children(const SplitResult::RemovedTet& parent, std::size_t children) {
    const auto& c = parent.corners;
    const auto holds = [&](NodeId n) { return std::find(c.begin(), c.end(), n) != c.end(); };
    const auto cuts = static_cast<std::size_t>(std::count_if(result_.cut_nodes.begin(), result_.cut_nodes.end(),
                                                             [&](const auto& n) { return holds(n.a) && holds(n.b); }));
    const bool in_star = holds(request_.node);
    if (cuts == 0 || (in_star && cuts > 2)) problem(fmt::format("{} was replaced for {} cuts", name(parent.tet), cuts));
    if (children < cuts + 1 || children > Subdivision::kMost || (in_star && children != cuts + 1)) {
      problem(fmt::format("{} has {} children for {} cut edges", name(parent.tet), children, cuts));
    }
  }

  void neighbours(TetId t) {
    for (int i = 0; i < 4; ++i) {
      const auto nodes = mesh_.face_nodes({t, i});
      TetId expected;
      for (const Corner c : mesh_.star(nodes[0])) {
        if (c.tet == t || mesh_.face_index(c.tet, nodes) < 0) continue;
        if (expected.valid()) problem(fmt::format("face {} of {} is shared by three tets", i, name(t)));
        expected = c.tet;
      }
      if (mesh_.neighbour({t, i}) != expected) {
        problem(fmt::format("{} has the wrong neighbour behind face {}", name(t), i));
        continue;
      }
      if (!expected.valid()) continue;
      const Corner back = {expected, mesh_.face_index(expected, nodes)};
      if (mesh_.neighbour(back) != t) problem(fmt::format("{} is not the neighbour of its neighbour", name(t)));
      const Vec3 sum = area(nodes) + area(mesh_.face_nodes(back));
      if (!(sum.norm() <= 1e-12 * area(nodes).norm())) {
        problem(fmt::format("{} and its neighbour lie on the same side of their face", name(t)));
      }
    }
  }

  Vec3 area(const std::array<NodeId, 3>& n) const {
    const Vec3& a = mesh_.material_position(n[0]);
    return (mesh_.material_position(n[1]) - a).cross(mesh_.material_position(n[2]) - a) / 2;
  }

  void plane() {
    const Vec3 normal = request_.normal.normalized(), origin = request_.position[request_.node];
    double h = 0;
    for (const auto& child : result_.added) h = std::max(h, request_.reference_length[child.tet]);
    for (const auto& cut : result_.cut_nodes) {
      const Vec3 &a = request_.position[cut.a], &b = request_.position[cut.b];
      const double off = normal.dot(a + cut.fraction * (b - a) - origin);
      const double round_off = 1e-15 * (a.norm() + b.norm() + origin.norm());  // of bodies far from the origin
      if (!result_.bent && !(std::abs(off) <= 1e-10 * h + round_off))
        problem(fmt::format("{} is {:g} m off the plane", name(cut.node), off));
      if (!(cut.fraction > 0 && cut.fraction < 1)) problem(fmt::format("{} lies outside its edge", name(cut.node)));
      const Vec3 &m = mesh_.material_position(cut.a), &k = mesh_.material_position(cut.b);
      if (!((m + cut.fraction * (k - m) - mesh_.material_position(cut.node)).norm() <= 1e-14 * (m.norm() + k.norm()))) {
        problem(fmt::format("{} is not where its fraction says", name(cut.node)));
      }
    }
    if (result_.hard_snaps > result_.snapped.size()) problem("more hard snaps than snapped nodes");
  }

  // The node a corner had before it was doubled.
  NodeId original(NodeId n) const {
    for (const auto& twin : result_.duplicates) {
      if (twin.node == n) return twin.of;
    }
    return n;
  }

  void crack_faces() {
    std::set<NodeId> allowed(result_.snapped.begin(), result_.snapped.end());
    allowed.insert(request_.node);
    for (const auto& cut : result_.cut_nodes) allowed.insert(cut.node);
    for (const auto& pair : result_.crack_faces) {
      for (const Corner face : {pair.plus, pair.minus}) {
        if (!mesh_.alive(face.tet) || mesh_.neighbour(face).valid() ||
            (mesh_.crack_faces(face.tet) >> face.index & 1u) == 0) {
          problem(fmt::format("face {} of {} should be an open crack face", face.index, name(face.tet)));
        }
        for (const NodeId n : mesh_.face_nodes(face)) {
          if (!allowed.contains(original(n))) {
            problem(fmt::format("{} is on the crack but neither in the plane nor snapped", name(n)));
          }
        }
      }
      const Vec3 plus = area(mesh_.face_nodes(pair.plus)), minus = area(mesh_.face_nodes(pair.minus));
      if (!((plus + minus).norm() <= 1e-12 * plus.norm())) problem("the two sides of a crack face do not match");
    }
  }

  std::set<TetId> star(NodeId n) const {
    std::set<TetId> tets;
    for (const Corner c : mesh_.star(n)) tets.insert(c.tet);
    return tets;
  }

  void hinge(NodeId n) {
    const std::set<TetId> all = star(n);
    if (all.empty()) return problem(fmt::format("{} has no tets", name(n)));
    std::set<TetId> reached = {*all.begin()};
    std::vector<TetId> stack = {*all.begin()};
    while (!stack.empty()) {
      const TetId t = stack.back();
      stack.pop_back();
      for (int i = 0; i < 4; ++i) {
        const TetId other = mesh_.neighbour({t, i});
        if (all.contains(other) && reached.insert(other).second) stack.push_back(other);
      }
    }
    if (reached.size() != all.size()) problem(fmt::format("{} is a hinge", name(n)));
  }

  // A twin is needed: put back in its place, its tets would share no face with those of the original.
  void doubled(const SplitResult::Duplicate& twin) {
    if (mesh_.material_position(twin.node) != mesh_.material_position(twin.of)) {
      problem(fmt::format("{} is not where the node is that it was made of", name(twin.node)));
    }
    std::set<std::array<NodeId, 3>> faces;
    for (const Corner c : mesh_.star(twin.of)) {
      for (int i = 0; i < 4; ++i) {
        if (i != c.index && !is_crack({c.tet, i})) faces.insert(key({c.tet, i}, twin));
      }
    }
    for (const Corner c : mesh_.star(twin.node)) {
      for (int i = 0; i < 4; ++i) {
        if (i != c.index && !is_crack({c.tet, i}) && faces.contains(key({c.tet, i}, twin))) {
          problem(fmt::format("{} was doubled though a face joins its tets", name(twin.of)));
        }
      }
    }
  }
  bool is_crack(Corner face) const { return (mesh_.crack_faces(face.tet) >> at(face.index) & 1u) != 0; }
  std::array<NodeId, 3> key(Corner face, const SplitResult::Duplicate& twin) const {
    auto nodes = mesh_.face_nodes(face);
    for (NodeId& n : nodes) n = n == twin.node ? twin.of : n;
    std::sort(nodes.begin(), nodes.end());
    return nodes;
  }

  const TetMesh& mesh_;
  const SplitResult& result_;
  const SplitRequest& request_;
  std::vector<std::string> problems_;
};

}  // namespace

std::vector<std::string> split_problems(const TetMesh& mesh, const SplitResult& result, const SplitRequest& request) {
  return SplitChecker(mesh, result, request).problems();
}

}  // namespace sunder
