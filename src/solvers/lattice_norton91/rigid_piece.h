#pragma once
// A piece that moves as a rigid body, with the shape that it had when it became one. Nothing pushes it but gravity: its
// centre is stepped as the nodes are, so that its path is theirs, and its angular momentum stands still. Its vibration
// pauses: what nodes had of velocity besides the rigid motion turns with the piece, and goes on when it is one no more.
// So no energy, momentum or angular momentum comes or goes, at the beginning or in the end.
//
// A turn takes its steps when it has grown to a few hundredths of a radian, not with every step of time. Its place at
// any time in between follows from the last of them: looking changes nothing.

#include <Eigen/Geometry>
#include <cstdint>
#include <span>
#include <vector>

#include "core/byte_stream.h"
#include "core/column.h"
#include "core/ids.h"
#include "core/vec.h"
#include "solvers/lattice_norton91/lattice.h"

namespace sunder::lattice_norton91 {

class RigidPiece {
 public:
  RigidPiece() = default;
  // Of one node or more.
  RigidPiece(const Lattice& lattice, std::span<const Index> nodes, const Column<NodeId, Vec3>& position,
             const Column<NodeId, Vec3>& velocity);

  std::span<const Index> nodes() const { return nodes_; }
  double mass() const { return mass_; }                             // kg
  double kinetic_energy() const;                                    // J, with what pauses
  double vibration() const { return vibration_; }                   // J, kinetic, that pauses
  const Vec3& centre() const { return centre_; }                    // m
  const Vec3& velocity() const { return velocity_; }                // m/s, of the centre
  const Vec3& angular_momentum() const { return momentum_; }        // kg m^2/s, about the centre
  double fastest() const { return velocity_.norm() + tip_speed_; }  // m/s, no point of it goes on faster

  // As nodes: V' = V + dt g, R' = R + dt V, or dt V'.
  void advance(double dt, const Vec3& gravity, bool forward);
  // Where its nodes are now, and how they would move.
  void place(Column<NodeId, Vec3>& position, Column<NodeId, Vec3>& velocity) const;

  void save(Writer& out) const;
  void load(Reader& in, const Lattice& lattice);

 private:
  void find_inertia(const Lattice& lattice);
  Eigen::Quaterniond turn_now() const;
  void find_tip_speed();

  std::vector<Index> nodes_;  // ascending
  std::vector<Vec3> arms_;    // m, from the centre to them, unturned
  std::vector<Vec3> paused_;  // m/s, of their vibration, unturned
  double mass_ = 0;
  Mat3 inverse_inertia_ = Mat3::Zero();  // about the centre, unturned; 0 about the axis of nodes in a line
  double reach_ = 0;                     // m, of the farthest node
  double unsteady_ = 1;                  // by which the spin grows at most from one step of the turn to the next

  Vec3 centre_ = Vec3::Zero(), velocity_ = Vec3::Zero(), momentum_ = Vec3::Zero();
  double turning_energy_ = 0, vibration_ = 0;  // J: they stand still, too
  Eigen::Quaterniond turn_ = Eigen::Quaterniond::Identity();
  double since_ = 0;      // s, since `turn_`
  double tip_speed_ = 0;  // m/s
};

}  // namespace sunder::lattice_norton91
