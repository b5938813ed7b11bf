#pragma once
// Lets the tets that have yielded flow (materials/plastic_flow.h): their rest shapes change, and with them all that
// ElementConstants hold. Nodes do not move, so what the flow takes is elastic energy.

#include <cstdint>
#include <span>
#include <vector>

#include "collision/asleep.h"
#include "core/ids.h"
#include "materials/plastic_flow.h"
#include "mesh/tet_mesh.h"
#include "solvers/tet_oh99/elements.h"
#include "solvers/tet_oh99/forces.h"

namespace sunder::tet_oh99 {

class PlasticStep {
 public:
  // The mesh must live as long as this.
  PlasticStep(const TetMesh& mesh, const std::vector<TetMaterial>& materials, const DampingParameters& damping);

  // Tets whose nodes sleep do not flow. The argument must live as long as this.
  void leave_out(const Asleep* asleep) { asleep_ = asleep; }

  // Whether anything can flow at all.
  bool on() const { return on_; }

  // Every tet that has yielded at these positions flows until it bears its stress. Returns the elastic energy that was
  // lost, J, as the books have it: at the positions `centring` seconds ago (TetSolver::centring).
  double run(const NodeState& state, double centring, ElementConstants& elements);

  // Of the last run, in the order of the mesh.
  std::span<const TetId> flowed() const { return flowed_; }

 private:
  double flow(TetId tet, const NodeState& state, double centring, ElementConstants& elements);

  const TetMesh& mesh_;
  const Asleep* asleep_ = nullptr;
  ElementMaker maker_;
  std::vector<PlasticFlow> laws_;  // by material
  bool on_ = false;
  std::vector<std::uint8_t> has_flowed_;  // by tet
  std::vector<TetId> flowed_;
};

}  // namespace sunder::tet_oh99
