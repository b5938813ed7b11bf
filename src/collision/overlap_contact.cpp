#include "collision/overlap_contact.h"

namespace sunder {

Vec3 OverlapContact::relative(const Column<NodeId, Vec3>& v) const {
  Vec3 result = Vec3::Zero();
  for (std::size_t i = 0; i < 4; ++i) result += in.at_a[i] * v[nodes_a[i]] - in.at_b[i] * v[nodes_b[i]];
  return result;
}

void OverlapContact::push_apart(const Vec3& push, Column<NodeId, Vec3>& force_on) const {
  for (std::size_t i = 0; i < 4; ++i) force_on[nodes_a[i]] += in.at_a[i] * push;
  for (std::size_t i = 0; i < 4; ++i) force_on[nodes_b[i]] -= in.at_b[i] * push;
}

double OverlapContact::push(const Vec3& v, double friction) {
  depth = (v.dot(normal) < 0 ? 1 : share) * pressing() / in.area;
  elastic = stiffness * depth;
  return ContactSpring::push(v, friction);
}

// As the next find() would have it, on the way that the last step has gone.
bool OverlapContact::settle(const Vec3& moved) {
  const double closer = -moved.dot(in.normal);
  in.volume += in.area * closer;
  settled += closer;
  const double elastic_before = elastic;
  elastic = share * modulus * pressing();
  kept = std::max(0.0, kept + 0.5 * (elastic_before + elastic) * closer);
  stretch = tangential(stretch + moved, in.normal);
  carried = stored();
  return in.volume > 0;
}

double OverlapContact::energy(const Column<NodeId, Vec3>& position, const Column<NodeId, Vec3>& velocity,
                              double dt) const {
  const Vec3 then = stretch + dt * tangential(relative(velocity), in.normal);
  const double volume = pressing();
  const double closer = std::max(-relative(position).dot(in.normal) - settled, -volume / in.area);
  return 0.5 * stiffness * then.squaredNorm() +
         std::max(0.0, kept + share * modulus * (volume + 0.5 * in.area * closer) * closer);
}

void OverlapContact::save(Writer& out) const {
  out.put(a), out.put(b), out.put(nodes_a), out.put(nodes_b);
  out.put(in.volume), out.put(in.area), out.put(in.height), out.put(in.normal);
  out.put(in.at_a), out.put(in.at_b);
  out.put(kept), out.put(share), out.put(elastic), out.put(settled);
  out.put(modulus), out.put(stiffness), out.put(sides), out.put(free), out.put(stretch);
  out.put(carried), out.put(damping), out.put(in.surface);
}

void OverlapContact::load(Reader& saved) {
  a = saved.get<Uid>(), b = saved.get<Uid>();
  nodes_a = saved.get<std::array<NodeId, 4>>(), nodes_b = saved.get<std::array<NodeId, 4>>();
  in.volume = saved.get<double>(), in.area = saved.get<double>(), in.height = saved.get<double>();
  in.normal = normal = saved.get_vec3();
  in.at_a = saved.get<std::array<double, 4>>(), in.at_b = saved.get<std::array<double, 4>>();
  kept = saved.get<double>(), share = saved.get<double>(), elastic = saved.get<double>();
  settled = saved.get<double>();
  modulus = saved.get<double>(), stiffness = saved.get<double>(), sides = saved.get<double>();
  free = saved.get<double>(), stretch = saved.get_vec3();
  carried = saved.get<double>(), damping = saved.get<double>(), in.surface = saved.get<double>();
}

}  // namespace sunder
