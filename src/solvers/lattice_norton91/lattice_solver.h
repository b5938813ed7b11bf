#pragma once
// Breakable lattices (Norton, Turk, Bacon, Gerth & Sweeney 1991) behind the seam of all solvers.

#include <Eigen/Geometry>
#include <optional>
#include <string>
#include <vector>

#include "collision/collider_contacts.h"
#include "core/byte_stream.h"
#include "core/column.h"
#include "solvers/lattice_norton91/bond_forces.h"
#include "solvers/lattice_norton91/breakage.h"
#include "solvers/lattice_norton91/components.h"
#include "solvers/lattice_norton91/lattice.h"
#include "solvers/lattice_norton91/node_contacts.h"
#include "solvers/shared_solver.h"

namespace sunder::lattice_norton91 {

enum class Scheme { forward_euler, symplectic_euler };

// Factors at a time; between two, evenly from one to the other.
struct ControlKeyframe {
  double time = 0;       // s
  double gravity = 1;    // of the scene's
  double stiffness = 1;  // of all bonds
  double length = 1;     // of all bonds at rest
};

struct LatticeParameters {
  Vec3 gravity = Vec3(0, -9.81, 0);
  Scheme scheme = Scheme::symplectic_euler;
  std::optional<double> dt;  // s; unset: automatic
  double safety = 0.8;       // share of the stability limit
  double keep = 4;           // breakage.h
  NodeContactRules contact;
  std::vector<ControlKeyframe> controls;  // times ascending; empty: all factors are 1
};

struct LatticeSetup {
  std::vector<LatticeBody> bodies;
  std::vector<Collider> colliders;
  LatticeParameters parameters;
};

class LatticeSolver final : public SharedSolver {
 public:
  // InputError if contact is stiffer than the bonds, or a cell has no volume.
  explicit LatticeSolver(LatticeSetup setup);

  double stable_dt() const override;
  double stability_limit() const override;
  double begin_step(double dt) override;
  StepReport finish_step(double dt) override;
  double kick(double dt) const override { return dt; }
  Touchable touchable() override {
    const double softer = control_at(time_).stiffness;  // of the step that is about to begin, or has begun
    return {position_, velocity_, lattice_.mass, lattice_.least_edge, force_, lattice_.radius, {}, 0, softer};
  }
  void disturb(std::span<const NodeId>) override {}  // nobody sleeps
  void snapshot(Frame& frame) const override;
  Totals totals() const override;
  double kinetic_energy() const override;
  FastestNode fastest_node() const override;
  const std::vector<Reaction>& reactions() const override { return reactions_; }
  std::vector<RigidPose> poses() const override;
  const CrackLog& cracks() const override { return log_; }
  const DebrisLog& debris() const override { return debris_; }
  void prepare_frame() override;
  void begin_frame() override;
  std::uint64_t state_hash() const override;
  void save(Writer& out) const override;
  void load(Reader& in) override;
  void load_motion(Reader& in) override;

  const Lattice& lattice() const { return lattice_; }
  const Breakage& breakage() const { return breakage_; }
  const Components& components() const { return components_; }
  const NodeContacts& node_contacts() const { return node_contacts_; }
  const Column<NodeId, Vec3>& position() const { return position_; }
  const Column<NodeId, Vec3>& velocity() const { return velocity_; }
  Column<NodeId, Vec3>& position() { return position_; }  // for tests that place things themselves
  Column<NodeId, Vec3>& velocity() { return velocity_; }
  double fastest_vibration(std::size_t body) const { return fastest_[body]; }  // 1/s^2

 private:
  bool break_bonds(std::vector<OverstretchedBond> overstretched);
  void retire(const std::vector<Index>& bonds);
  void follow_controls();
  double integrate(double dt);
  void account(double dt);
  void update_turns();
  void load_motion_of(Reader& in, bool same);
  Eigen::Quaterniond turn_of(Index node) const;
  ControlKeyframe control_at(double time) const;
  double elastic_energy(const ControlKeyframe& at) const;
  double cell_stress(Index cell) const;
  double find_limit() const;
  double limit_until(double end) const;
  Column<NodeId, Vec3> centred_positions() const;

  LatticeParameters parameters_;
  std::vector<std::string> body_names_;
  Lattice lattice_;
  std::vector<double> fastest_;       // 1/s^2, by body
  std::vector<double> damping_time_;  // s, by body
  double largest_damping_ = 0;
  Breakage breakage_;
  Components components_;
  BondForces bond_forces_;
  NodeContacts node_contacts_;
  ColliderContacts colliders_;

  Column<NodeId, Vec3> position_, velocity_, force_;
  Column<NodeId, Vec3> lossy_;            // N, what of the force is damping or friction between nodes
  std::vector<Eigen::Quaterniond> turn_;  // by node, of its unbroken surroundings; the last there were, without any
  ControlKeyframe control_;
  bool components_changed_ = false;
  double time_ = 0, last_dt_ = 0;
  double limit_ = 0;  // s, of stability, after the last step
  double dissipated_ = 0;
  double crack_area_ = 0;
  std::uint64_t breaks_ = 0;
  CrackLog log_;
  DebrisLog debris_;
  std::vector<Reaction> reactions_;  // of the colliders, ropes, then of the controls if there are any
};

}  // namespace sunder::lattice_norton91
