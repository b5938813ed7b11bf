#include "solvers/tet_oh99/element_upkeep.h"

namespace sunder::tet_oh99 {

ElementUpkeep::ElementUpkeep(const std::vector<TetMaterial>& materials, const DampingParameters& damping)
    : maker_(materials, damping) {
  for (const TetMaterial& m : materials) {
    density_.push_back(m.constants.density);
    wave_modulus_.push_back(wave_modulus(m));
  }
}

ElementUpkeep::StarSums ElementUpkeep::sums_at(const Data& data, NodeId node) const {
  StarSums sums;
  for (const Corner c : data.mesh.star(node)) {
    const std::uint32_t material = data.mesh.tags(c.tet).material;
    sums.mass += density_[material] * data.elements.volume[c.tet] * data.shedding.kept(c.tet) / 4;
    sums.stiffness += corner_stiffness(data.elements, c, wave_modulus_[material]);
    for (int i = 0; i < 4 && !sums.on_boundary; ++i) {
      sums.on_boundary = i != c.index && !data.mesh.neighbour({c.tet, i}).valid();
    }
  }
  return sums;
}

// Whose star or place on the boundary has changed.
void ElementUpkeep::find_nodes(const SplitResult& result, const TetMesh& mesh, bool with_dust) {
  nodes_.clear(), seen_.clear();
  const auto add = [&](NodeId n) {
    if (seen_.insert(n, 1) == ScratchMap<NodeId>::kNone) nodes_.push_back(n);
  };
  for (const auto& child : result.added) {
    for (const NodeId n : mesh.corners(child.tet)) add(n);
  }
  for (const auto& twin : result.duplicates) add(twin.of), add(twin.node);
  for (const auto& pair : result.crack_faces) {
    for (const Corner face : {pair.plus, pair.minus}) {
      for (const NodeId n : mesh.face_nodes(face)) add(n);
      if (with_dust) add(mesh.node(face));  // the whole tet has become lighter
    }
  }
}

ElementUpkeep::Booking ElementUpkeep::after_split(const SplitResult& result, const Data& data) {
  maker_.make_room(data.mesh, data.elements);
  PlasticShapes& plastic = data.elements.plastic;
  if (plastic.any()) {
    carry_to_new_tets(result, data.mesh, plastic.deformation);
    carry_to_new_tets(result, data.mesh, plastic.strain);
  }
  TetId parent;
  std::uint32_t fragment = 0;
  for (const auto& child : result.added) {
    maker_.make(data.mesh, child.tet, data.elements);
    maker_.count(data.mesh, child.tet, data.elements);
    if (child.parent != parent) parent = child.parent, fragment = data.fragments.label(data.mesh.uid(parent));
    data.fragments.inherit(data.mesh.uid(child.tet), fragment);
  }
  carry_to_new_nodes(result, data.mesh, data.state.position);
  carry_to_new_nodes(result, data.mesh, data.state.velocity);

  data.masses.mass.resize(data.mesh.node_slots(), 0);
  data.masses.inverse.resize(data.mesh.node_slots(), 0);
  data.masses.stiffness.resize(data.mesh.node_slots(), 0);
  Booking booking;
  booking.shed =
      data.shedding.after_split(result, data.mesh, data.elements, data.state, data.gravity, data.half_dt, data.dust);
  booking.lost = -booking.shed.gained;
  find_nodes(result, data.mesh, data.shedding.on());
  if (data.contacts.wants_nodes()) {
    for (const auto& twin : result.duplicates) data.contacts.add_twin(twin.node, twin.of);
  }
  for (const NodeId n : nodes_) {
    const StarSums sums = sums_at(data, n);
    booking.lost += 0.5 * (data.masses.mass[n] - sums.mass) * data.state.velocity[n].squaredNorm();
    data.masses.mass[n] = sums.mass;
    data.masses.inverse[n] = sums.mass > 0 ? 1 / sums.mass : 0;
    data.masses.stiffness[n] = sums.stiffness;
    if (data.contacts.wants_nodes() && sums.on_boundary) data.contacts.set_node(n, sums.stiffness, sums.mass);
  }
  for (const auto& pair : result.crack_faces) {
    for (const Corner face : {pair.plus, pair.minus}) {
      for (const NodeId n : data.mesh.face_nodes(face)) data.bodies.disarm(n);
    }
  }
  data.regions.follow(result, data.mesh, data.masses.mass);
  return booking;
}

}  // namespace sunder::tet_oh99
