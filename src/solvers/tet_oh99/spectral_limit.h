#pragma once
// The true stability limit, by power iteration. The bound from single elements (elements.h) is safe but counts every
// element as if it stood alone; the assembled body's fastest mode is slower, and its step 1.3 to 1.6 times longer.
//
// Symplectic Euler is stable while the largest eigenvalue of dt^2 K + 2 dt C (mass-scaled) is at most 4. Power
// iteration on that matrix needs only forces: with u small and the velocity 2/dt u,
//
//   f(p + u, 2/dt u) - f(p, 0)  =  -(K + 2/dt C) u
//
// so an iteration costs one evaluation of forces. The mode is kept: when the body has moved on a little, a few
// iterations bring it up to date.

#include <functional>

#include "core/byte_stream.h"
#include "solvers/tet_oh99/forces.h"
#include "solvers/tet_oh99/stable_step.h"

namespace sunder::tet_oh99 {

class SpectralLimit {
 public:
  // Forces at a state, internal ones only.
  using ForceAt = std::function<void(const NodeState&, Column<NodeId, Vec3>&)>;

  // Stiffness and viscosity of the mode that limits a step of about `dt`. `length` (m) is the size of the smallest
  // elements, the scale of the trial displacements. Rayleigh quotients approach the eigenvalue from below, so the
  // caller keeps a margin.
  Stiffness estimate(const NodeState& state, const Column<NodeId, double>& mass, double dt, double length,
                     int iterations, const ForceAt& force_at);

  bool started() const { return mode_.size() > 0; }
  void forget() { mode_.resize(0); }  // the mesh has changed

  void save(Writer& out) const { out.put_all(mode_.span()); }
  void load(Reader& in, std::size_t nodes);

 private:
  // u^T M u, and the force difference along the mode for position and velocity parts of the given weights.
  double mass_norm(const Column<NodeId, Vec3>& u, const Column<NodeId, double>& mass) const;
  void response(const NodeState& state, double position_weight, double velocity_weight, const ForceAt& force_at);

  Column<NodeId, Vec3> mode_;  // displacements, largest about `length` / 1e6
  NodeState trial_;
  Column<NodeId, Vec3> base_, force_;
};

}  // namespace sunder::tet_oh99
