#pragma once
// What hangs on the tets and nodes of a mesh, brought up to date after each split: element constants, masses, positions
// and velocities, contacts, regions, fragments. Costs time proportional to what the split touched.

#include <vector>

#include "collision/between_bodies.h"
#include "collision/collider_contacts.h"
#include "core/column.h"
#include "core/ids.h"
#include "fracture/scratch_map.h"
#include "fracture/split.h"
#include "mesh/fragments.h"
#include "mesh/tet_mesh.h"
#include "solvers/regions.h"
#include "solvers/tet_oh99/dust_shedding.h"
#include "solvers/tet_oh99/elements.h"
#include "solvers/tet_oh99/forces.h"

namespace sunder::tet_oh99 {

// Lumped masses, their inverses, and how hard a node alone resists being moved.
struct NodeMasses {
  Column<NodeId, double> mass;       // kg
  Column<NodeId, double> inverse;    // 1/kg, 0 where no tet is
  Column<NodeId, double> stiffness;  // N/m, node_stiffness() of elements.h
};

class ElementUpkeep {
 public:
  ElementUpkeep(const std::vector<TetMaterial>& materials, const DampingParameters& damping);

  struct Data {
    const TetMesh& mesh;
    NodeState& state;
    ElementConstants& elements;
    NodeMasses& masses;
    ColliderContacts& contacts;
    BetweenBodies& bodies;
    Regions& regions;
    FragmentTracker& fragments;
    DustShedding& shedding;
    Dust& dust;
    Vec3 gravity = Vec3::Zero();  // m/s^2
    double half_dt = 0;           // s, from the time of the velocities to that of the positions
  };
  struct Booking {
    // J: to lump masses at more nodes is to move them as if they were stuck together. What threw the dust was won.
    double lost = 0;
    DustShedding::Shed shed;
  };
  Booking after_split(const SplitResult& result, const Data& data);

 private:
  // Of the tets round a node.
  struct StarSums {
    double mass = 0;       // kg
    double stiffness = 0;  // N/m
    bool on_boundary = false;
  };
  StarSums sums_at(const Data& data, NodeId node) const;
  void find_nodes(const SplitResult& result, const TetMesh& mesh, bool with_dust);

  ElementMaker maker_;
  std::vector<double> density_, wave_modulus_;  // by material: kg/m^3, Pa

  // scratch
  std::vector<NodeId> nodes_;
  ScratchMap<NodeId> seen_;
};

}  // namespace sunder::tet_oh99
