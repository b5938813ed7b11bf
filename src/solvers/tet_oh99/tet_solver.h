#pragma once
// The solver tet_oh99: O'Brien & Hodgins 1999, deformation and fracture.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "collision/between_bodies.h"
#include "collision/collider_contacts.h"
#include "collision/dust.h"
#include "mesh/fragments.h"
#include "mesh/tet_mesh.h"
#include "solvers/regions.h"
#include "solvers/shared_solver.h"
#include "solvers/tet_oh99/debris.h"
#include "solvers/tet_oh99/dust_shedding.h"
#include "solvers/tet_oh99/element_upkeep.h"
#include "solvers/tet_oh99/elements.h"
#include "solvers/tet_oh99/fast_forces.h"
#include "solvers/tet_oh99/forces.h"
#include "solvers/tet_oh99/fracture_step.h"
#include "solvers/tet_oh99/integrate.h"
#include "solvers/tet_oh99/plastic_step.h"
#include "solvers/tet_oh99/sleep.h"
#include "solvers/tet_oh99/spectral_limit.h"
#include "solvers/tet_oh99/step_control.h"

namespace sunder::tet_oh99 {

struct TetParameters {
  Vec3 gravity = Vec3(0, -9.81, 0);  // m/s^2
  Scheme scheme = Scheme::symplectic_euler;
  std::optional<double> dt;  // s; unset: automatic
  double safety = 0.8;       // share of the stability limit that the automatic step takes
  DampingParameters damping;
  FractureParameters fracture;
  ContactRules contact;  // of the bodies with each other
  DebrisRules debris;
  std::vector<DustRules> dust;  // by body; none: nobody sheds any
};

struct TetSetup {
  TetMesh mesh;  // tags name body and material by their positions in the lists below
  std::vector<std::string> body_names;
  std::vector<TetMaterial> materials;
  std::vector<ToughnessField> toughness;  // by material; none, or value 0: cannot break
  NodeState state;
  std::vector<Region> regions;
  std::vector<Collider> colliders;
  TetParameters parameters;
};

class TetSolver final : public SharedSolver {
 public:
  // Throws SimulationError if the scheme has no stable step for these materials.
  explicit TetSolver(TetSetup setup);

  double stable_dt() const override;
  double stability_limit() const override { return step_control_.limit(); }
  double begin_step(double dt) override;
  void add_contact_forces(double dt) override;
  StepReport finish_step(double dt) override;
  double kick(double dt) const override;
  Touchable touchable() override;
  void disturb(std::span<const NodeId> nodes) override;
  void disturb_colliders(std::span<const std::uint32_t> colliders) override;
  ColliderContacts& collider_contacts() override { return contacts_; }
  void snapshot(Frame& frame) const override;
  Totals totals() const override;
  double kinetic_energy() const override;
  FastestNode fastest_node() const override;
  const std::vector<Reaction>& reactions() const override { return reactions_; }
  std::vector<RigidPose> poses() const override;
  const CrackLog& cracks() const override { return fracture_.log(); }
  const DebrisLog& debris() const override { return debris_.log(); }
  void prepare_frame() override;
  void begin_frame() override;
  std::uint64_t state_hash() const override;
  void save(Writer& out) const override;
  void load(Reader& in) override;
  void load_motion(Reader& in) override;

  double time() const { return time_; }
  const StepControl& step_control() const { return step_control_; }
  // What a step reads and writes per tet, the nodes' share included.
  double hot_bytes_per_tet() const;
  const TetMesh& mesh() const { return mesh_; }
  const NodeState& state() const { return state_; }
  const Column<NodeId, double>& masses() const { return masses_.mass; }
  const FractureStep& fracture() const { return fracture_; }
  const BetweenBodies& body_contacts() const { return *bodies_; }
  const Asleep& asleep() const { return sleep_.asleep(); }
  const Dust& dust() const { return dust_; }
  const TetParameters& parameters() const { return parameters_; }

 private:
  void flow();
  bool break_nodes();
  void compact();
  void remove_pieces(const std::vector<DebrisEvent>& pieces);
  bool mesh_changes() const { return fracture_.on() || debris_.rules().removes(); }
  void fall_asleep(std::span<const std::uint32_t> freeze);
  void wake();
  ForceReport find_internal_forces(const NodeState& state, Column<NodeId, Vec3>& force, bool measure);
  void take_bound(const ForceReport& internal);
  void control_step();
  void find_jerk();
  TouchingBodies touching_bodies() const;
  void find_contacts(double last_dt);
  ColliderContacts::Limits contact_limits() const;
  double thinnest() const;
  void account(double dt);
  void start_step_control();
  void refresh_forces();
  void save_mesh(Writer& out) const;
  void load_mesh(Reader& in);
  void save_plastic(Writer& out) const;
  void load_plastic(Reader& in);
  void read_motion(Reader& in, bool same);
  template <class Value>
  double sum_over_nodes(Value&& value) const;  // of the values times the masses
  double energy() const;
  double centring() const;
  Column<NodeId, Vec3> centred_positions() const;

  TetMesh mesh_;
  std::vector<std::string> body_names_;
  std::vector<TetMaterial> materials_;
  TetParameters parameters_;
  ElementConstants elements_;
  InternalForces internal_forces_;         // any law
  std::optional<FastForces> fast_forces_;  // if all laws are isotropic
  NodeMasses masses_;
  ColliderContacts contacts_;
  std::unique_ptr<BetweenBodies> bodies_;
  Regions regions_;
  FragmentTracker fragments_;
  Sleep sleep_;
  Debris debris_;
  DustShedding shedding_;
  Dust dust_;
  ElementUpkeep upkeep_;
  PlasticStep plastic_;
  FractureStep fracture_;
  SpectralLimit spectral_limit_;
  StepControl step_control_;

  NodeState state_;
  double time_ = 0;
  double last_dt_ = 0;
  static constexpr std::uint64_t kRestlessSteps = 16;
  ForceReport internal_;   // of the step that has begun ...
  bool measured_ = false;  // ... and whether it tells the bound of the elements
  Stiffness bound_;        // of the elements, when it was last measured
  // The step stays as if nobody slept, since whoever wakes needs it at once: the bound and what was known of the
  // assembled body when the last ones fell asleep. Nothing if nobody sleeps.
  Stiffness resting_bound_, resting_body_;
  std::uint64_t steps_ = 0, restless_until_ = 0;
  double dissipated_ = 0;            // J, since the start, by plastic flow too:
  double plastic_work_ = 0;          // J
  std::vector<Reaction> reactions_;  // of the regions, then of the colliders, then of their ropes

  Column<NodeId, Vec3> force_, acceleration_, jerk_;

  // What bodies of other methods touch, and touched in this step.
  std::vector<std::array<NodeId, 3>> skin_;
  Journal::Mark skin_mark_ = 0;  // the mesh's journal when it was listed
  std::vector<NodeId> disturbed_;
  std::vector<std::uint32_t> disturbed_colliders_;
  std::vector<NodeId> pushed_;  // the same of the last step
  std::vector<std::uint32_t> pushed_colliders_;
};

}  // namespace sunder::tet_oh99
