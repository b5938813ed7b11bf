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
#include "solvers/lattice_norton91/bond_weakness.h"
#include "solvers/lattice_norton91/breakage.h"
#include "solvers/lattice_norton91/clearance.h"
#include "solvers/lattice_norton91/components.h"
#include "solvers/lattice_norton91/flight.h"
#include "solvers/lattice_norton91/idle.h"
#include "solvers/lattice_norton91/lattice.h"
#include "solvers/lattice_norton91/node_contacts.h"
#include "solvers/lattice_norton91/pressed_faces.h"
#include "solvers/lattice_norton91/sleep.h"
#include "solvers/regions.h"
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
  bool flight = true;        // pieces in free flight are moved as rigid bodies (flight.h)
  SleepRules sleep;          // pieces at rest stand still (sleep.h)
  NodeContactRules contact;
  std::vector<ControlKeyframe> controls;  // times ascending; empty: all factors are 1
};

struct LatticeSetup {
  std::vector<LatticeBody> bodies;
  std::vector<Region> regions;  // nodes numbered body by body
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
  void add_contact_forces(double dt) override;
  StepReport finish_step(double dt) override;
  double kick(double dt) const override { return dt; }
  Touchable touchable() override {
    place_flying();
    const double softer = control_at(time_).stiffness;  // of the step that is about to begin, or has begun
    return {position_, velocity_, lattice_.mass, lattice_.least_edge, force_, lattice_.radius, {}, 0, softer};
  }
  void disturb(std::span<const NodeId> nodes) override;
  void disturb_colliders(std::span<const std::uint32_t>) override {}  // none sleeps here
  ColliderContacts& collider_contacts() override { return colliders_; }
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
  const Flight& flight() const { return flight_; }
  const Sleep& sleep() const { return sleep_; }
  const Idle& idle() const { return idle_; }
  const Column<NodeId, Vec3>& position() const { return place_flying(), position_; }
  const Column<NodeId, Vec3>& velocity() const { return place_flying(), velocity_; }
  // For tests that place and move things themselves: what does not fly.
  Column<NodeId, Vec3>& position() { return place_flying(), position_; }
  Column<NodeId, Vec3>& velocity() { return place_flying(), velocity_; }
  double fastest_vibration(std::size_t body) const { return fastest_[body]; }  // 1/s^2

 private:
  bool break_bonds(std::vector<OverstretchedBond> overstretched);
  void retire(const std::vector<Index>& bonds);
  void follow_controls();
  void follow_flight();
  bool look_for_flight();
  bool wake_crowded();
  void follow_idle();
  bool look_for_sleep();
  void fall_asleep();
  void wake();
  double energy() const;
  bool controls_settled() const;
  double fastest() const;
  void place_flying() const { flight_.place(position_, velocity_); }
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
  BondWeakness weakness_;
  std::vector<double> fastest_;       // 1/s^2, by body
  std::vector<double> damping_time_;  // s, by body
  double largest_damping_ = 0;
  Breakage breakage_;
  Components components_;
  BondForces bond_forces_;
  Regions regions_;
  PressedFaces pressed_faces_;
  NodeContacts node_contacts_;
  ColliderContacts colliders_;

  Flight flight_;
  Sleep sleep_;
  Idle idle_;                          // who flies or sleeps
  Clearance clearance_;                // of who flies
  std::vector<std::uint32_t> quiet_;   // components that were so at the last look, ascending
  std::vector<std::uint32_t> pushed_;  // components that bodies of other methods have touched since the last look
  std::uint32_t until_look_ = 0;       // steps

  mutable Column<NodeId, Vec3> position_, velocity_;  // of nodes that fly, as of the last place_flying()
  Column<NodeId, Vec3> force_;
  Column<NodeId, Vec3> lossy_;            // N, what of the force is damping or friction between nodes
  std::vector<Eigen::Quaterniond> turn_;  // by node, of its unbroken surroundings; the last there were, without any
  ControlKeyframe control_;
  bool components_changed_ = false;  // or who flies
  double time_ = 0, last_dt_ = 0;
  double limit_ = 0;  // s, of stability, after the last step
  double dissipated_ = 0;
  double crack_area_ = 0;
  std::uint64_t breaks_ = 0;
  CrackLog log_;
  DebrisLog debris_;
  std::vector<Reaction> reactions_;  // of the regions, colliders, ropes, then of the controls if there are any
};

}  // namespace sunder::lattice_norton91
