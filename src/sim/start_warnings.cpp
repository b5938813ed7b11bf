#include "sim/start_warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "collision/touch_points.h"
#include "geometry/tetrahedron.h"
#include "mesh/boundary.h"
#include "spatial/box_tree.h"

namespace sunder {
namespace {

using tet_oh99::TetSetup;

void warn_about_bodies_in_colliders(const Scene& scene, std::span<const Vec3> nodes,
                                    const std::vector<Collider>& colliders, std::vector<std::string>& warnings) {
  constexpr double kRoundOff = 1e-6;  // in edges: what is put down on the ground lies on it no better
  double largest_edge = 0;
  for (const BodySpec& body : scene.bodies) largest_edge = std::max(largest_edge, body.edge);
  for (const Collider& collider : colliders) {
    double deepest = 0;
    for (const Vec3& p : nodes) deepest = std::max(deepest, penetration(collider, p, 0).depth);
    if (deepest > std::max(1e-9, kRoundOff * largest_edge)) {
      warnings.push_back(fmt::format(
          "a body starts {:.3g} m inside collider \"{}\" and will be pushed out with force; move one of them", deepest,
          collider.name));
    }
    if (smallest_extent(collider) < 2 * largest_edge) {
      warnings.push_back(fmt::format(
          "collider \"{}\" is not much larger than the mesh's edges ({:.3g} m): nodes may pass it by; use a finer edge",
          collider.name, largest_edge));
    }
  }
}

// How deep the points of `a` lie in `b`, m.
double depth_in(const Collider& a, const Collider& b) {
  double deepest = 0;
  for (const TouchPoint& point : touch_points(a)) {
    const Vec3 x = a.position + a.rotation * point.at;
    deepest = std::max(deepest, point.radius + penetration(b, x, point.radius).depth);
  }
  return deepest;
}

void warn_about_colliders_in_colliders(const std::vector<Collider>& colliders, std::vector<std::string>& warnings) {
  for (std::size_t i = 0; i < colliders.size(); ++i) {
    for (std::size_t j = i + 1; j < colliders.size(); ++j) {
      const Collider &a = colliders[i], &b = colliders[j];
      if (a.motion != ColliderMotion::dynamic && b.motion != ColliderMotion::dynamic) continue;
      const double deepest = std::max(depth_in(a, b), depth_in(b, a));
      if (deepest <= 1e-9) continue;
      warnings.push_back(fmt::format(
          "colliders \"{}\" and \"{}\" start {:.3g} m inside each other and will be pushed apart with force; "
          "move one of them",
          a.name, b.name, deepest));
    }
  }
}

void warn_about_bodies_in_bodies(const TetSetup& setup, std::vector<std::string>& warnings) {
  constexpr double kTouching = 1e-3;  // the least weight of a node that is inside and does not just lie against a face
  const TetMesh& mesh = setup.mesh;
  std::vector<std::uint32_t> tets;
  std::vector<Bounds> boxes;
  for (const TetId t : id_range<TetId>(mesh.tet_slots())) {
    tets.push_back(t.index);
    Bounds& box = boxes.emplace_back();
    for (const Vec3& x : mesh.corner_positions(t, setup.state.position)) box.add(x);
  }
  BoxTree tree;
  tree.build(tets, boxes);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> inside;  // nodes, by the two bodies
  for (const NodeId n : boundary_nodes(boundary_faces(mesh))) {
    const Vec3& x = setup.state.position[n];
    const std::uint32_t own = mesh.tags((*mesh.star(n).begin()).tet).body;
    Bounds point;
    point.add(x);
    bool found = false;
    tree.for_each_meeting(point, [&](std::uint32_t item) {
      const std::uint32_t other = mesh.tags(TetId(item)).body;
      if (found || other == own) return;
      const auto weights = barycentric_coordinates(mesh.corner_positions(TetId(item), setup.state.position), x);
      if (!weights || *std::min_element(weights->begin(), weights->end()) < kTouching) return;
      ++inside[std::minmax(own, other)];
      found = true;
    });
  }
  for (const auto& [bodies, nodes] : inside) {
    warnings.push_back(fmt::format(
        "bodies \"{}\" and \"{}\" start inside each other ({} nodes): they will not be pushed apart, only kept from "
        "going deeper; move one of them, or switch contact off",
        setup.body_names[bodies.first], setup.body_names[bodies.second], nodes));
  }
}

}  // namespace

void warn_about_colliders(const Scene& scene, std::span<const Vec3> nodes, const std::vector<Collider>& colliders,
                          std::vector<std::string>& warnings) {
  warn_about_bodies_in_colliders(scene, nodes, colliders, warnings);
  warn_about_colliders_in_colliders(colliders, warnings);
}

void warn_about_unheeded_keys(const Scene& scene, std::vector<std::string>& warnings) {
  if (!scene.has_lattices() || scene.is_mixed()) return;
  std::string keys;
  const auto look = [&keys](const char* key, const auto& given, const auto& usual) {
    if (!(given == usual)) keys += fmt::format("{}`{}`", keys.empty() ? "" : ", ", key);
  };
  const Scene usual;
  look("damping", scene.damping, usual.damping);
  look("damping_cap", scene.damping_cap, usual.damping_cap);
  look("crushing", scene.crushing, usual.crushing);
  look("fracture.compression", scene.fracture.compression, usual.fracture.compression);
  look("fracture.crack_speed", scene.fracture.crack_speed, usual.fracture.crack_speed);
  look("fracture.tip_share", scene.fracture.tip_share, usual.fracture.tip_share);
  look("fracture.tip_length", scene.fracture.tip_length, usual.fracture.tip_length);
  look("fracture.residual", scene.fracture.residual, usual.fracture.residual);
  look("fracture.bend_at_tips", scene.fracture.bend_at_tips, usual.fracture.bend_at_tips);
  look("fracture.snap_distance", scene.fracture.snap_distance, usual.fracture.snap_distance);
  look("fracture.snap_angle", scene.fracture.snap_angle, usual.fracture.snap_angle);
  look("fracture.altitude_floor", scene.fracture.altitude_floor, usual.fracture.altitude_floor);
  look("fracture.quality_floor", scene.fracture.quality_floor, usual.fracture.quality_floor);
  look("fracture.smallest", scene.fracture.smallest, usual.fracture.smallest);
  look("contact.criterion", scene.contact.criterion, usual.contact.criterion);
  look("contact.crack_gap", scene.contact.gap, usual.contact.gap);
  look("contact.crack_play", scene.contact.play, usual.contact.play);
  if (!keys.empty()) warnings.push_back(fmt::format("for tetrahedra only, and not heeded by lattices: {}", keys));
}

void warn_about_start(const Scene& scene, const TetSetup& setup, std::vector<std::string>& warnings) {
  warn_about_colliders(scene, setup.state.position.span(), setup.colliders, warnings);
  if (scene.contact.on && scene.bodies.size() > 1) warn_about_bodies_in_bodies(setup, warnings);
}

}  // namespace sunder
