#include "solvers/tet_oh99/element_upkeep.h"

namespace sunder::tet_oh99 {
namespace {

bool on_boundary(const TetMesh& mesh, NodeId node) {
  for (const Corner c : mesh.star(node)) {
    for (int i = 0; i < 4; ++i) {
      if (i != c.index && !mesh.neighbour({c.tet, i}).valid()) return true;
    }
  }
  return false;
}

}  // namespace

ElementUpkeep::ElementUpkeep(const std::vector<TetMaterial>& materials, const DampingParameters& damping)
    : maker_(materials, damping) {
  for (const TetMaterial& m : materials) {
    density_.push_back(m.constants.density);
    wave_modulus_.push_back(wave_modulus(m));
  }
}

double ElementUpkeep::mass_at(const Data& data, NodeId node) const {
  double mass = 0;
  for (const Corner c : data.mesh.star(node)) {
    mass += density_[data.mesh.tags(c.tet).material] * data.elements.volume[c.tet] / 4;
  }
  return mass;
}

double ElementUpkeep::stiffness_at(const Data& data, NodeId node) const {
  double stiffness = 0;
  for (const Corner c : data.mesh.star(node)) {
    stiffness += corner_stiffness(data.elements, c, wave_modulus_[data.mesh.tags(c.tet).material]);
  }
  return stiffness;
}

double ElementUpkeep::after_split(const SplitResult& result, std::span<const NodeId> nodes, const Data& data) const {
  ElementMaker::make_room(data.mesh, data.elements);
  for (const auto& child : result.added) {
    maker_.make(data.mesh, child.tet, data.elements);
    maker_.count(data.mesh, child.tet, data.elements);
    data.fragments.inherit(data.mesh.uid(child.tet), data.mesh.uid(child.parent));
  }
  carry_to_new_nodes(result, data.mesh, data.state.position);
  carry_to_new_nodes(result, data.mesh, data.state.velocity);

  data.masses.mass.resize(data.mesh.node_slots(), 0);
  data.masses.inverse.resize(data.mesh.node_slots(), 0);
  double lost = 0;
  for (const NodeId n : nodes) {
    const double mass = mass_at(data, n);
    lost += 0.5 * (data.masses.mass[n] - mass) * data.state.velocity[n].squaredNorm();
    data.masses.mass[n] = mass;
    data.masses.inverse[n] = mass > 0 ? 1 / mass : 0;
    if (data.contacts.wants_nodes() && on_boundary(data.mesh, n)) {
      data.contacts.set_node(n, stiffness_at(data, n), mass);
    }
  }
  data.regions.follow(result, data.mesh, data.masses.mass);
  return lost;
}

}  // namespace sunder::tet_oh99
