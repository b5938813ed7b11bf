#include "collision/node_contact.h"

namespace sunder {
namespace {

// Of the node against the element, at its place by the weights.
Vec3 difference(const NodePenetration& in, const std::array<double, 4>& weights, const Column<NodeId, Vec3>& of) {
  Vec3 result = of[in.node];
  for (std::size_t i = 0; i < 4; ++i) result -= weights[i] * of[in.element[i]];
  return result;
}

}  // namespace

Vec3 NodeContact::relative(const Column<NodeId, Vec3>& v) const {
  return difference(in, in.at_face, v).dot(in.normal) * in.normal +
         tangential(difference(in, in.at_node, v), in.normal);
}

void NodeContact::push_apart(const Vec3& push, Column<NodeId, Vec3>& force_on) const {
  const Vec3 across = push.dot(in.normal) * in.normal, along = push - across;
  force_on[in.node] += push;
  for (std::size_t i = 0; i < 4; ++i) force_on[in.element[i]] -= in.at_face[i] * across + in.at_node[i] * along;
}

bool NodeContact::settle(const Vec3& moved) {
  in.depth -= moved.dot(normal);
  depth = std::max(0.0, in.depth - free);
  stretch = tangential(stretch + moved, normal);
  carried = stored();
  return in.depth > 0;
}

double NodeContact::energy(const Column<NodeId, Vec3>& position, const Column<NodeId, Vec3>& velocity,
                           double dt) const {
  const Vec3 then = stretch + dt * tangential(relative(velocity), normal);
  return pressed(-difference(in, in.at_face, position).dot(normal)) + 0.5 * stiffness * then.squaredNorm();
}

void NodeContact::save(Writer& out) const {
  out.put(in.node), out.put(in.element), out.put(in.depth), out.put(in.normal);
  out.put(in.at_face), out.put(in.at_node);
  out.put(free), out.put(stiffness), out.put(damping), out.put(own_stiffness);
  out.put(stretch), out.put(carried);
}

void NodeContact::load(Reader& saved) {
  in.node = saved.get<NodeId>(), in.element = saved.get<std::array<NodeId, 4>>();
  in.depth = saved.get<double>(), in.normal = normal = saved.get_vec3();
  in.at_face = saved.get<std::array<double, 4>>(), in.at_node = saved.get<std::array<double, 4>>();
  free = saved.get<double>(), stiffness = saved.get<double>(), damping = saved.get<double>();
  own_stiffness = saved.get<double>();
  stretch = saved.get_vec3(), carried = saved.get<double>();
  depth = std::max(0.0, in.depth - free);
}

}  // namespace sunder
