#pragma once
// Bodies of several methods in one scene. All take the same steps, as long as the one with the shortest can: a moment
// of the scene is a moment of all its bodies. What the solvers tell becomes one frame, one row of totals, one list of
// reactions; what they number from 1 each for itself is numbered anew without a table: number n of part p of P becomes
// (n - 1) P + p + 1.
//
// Every part has the scene's colliders. Those that stand still or go by keyframes are at the same places for all. Rigid
// bodies with a mass are the first part's: the others touch copies of them, hand over the impulses of the step, and
// follow where it has moved them.
// Bodies of different parts push each other where balls of one touch faces of another (ball_contacts.h).

#include <cstdint>
#include <span>
#include <vector>

#include "solvers/mixed/ball_contacts.h"
#include "solvers/shared_solver.h"

namespace sunder::mixed {

struct Part {
  SharedSolver* solver = nullptr;     // outlives the mixed one
  std::vector<std::uint32_t> bodies;  // numbers in the scene of the solver's bodies
};

class MixedSolver final : public Solver {
 public:
  // In the order in which frames hold their elements: tetrahedra, then hexahedra.
  // With an automatic step, contact between parts counts in it.
  MixedSolver(std::vector<Part> parts, const BallContactRules& rules, bool automatic_step);

  double stable_dt() const override;
  double stability_limit() const override;
  StepReport step(double dt) override;
  void snapshot(Frame& frame) const override;
  Totals totals() const override;
  double kinetic_energy() const override;
  FastestNode fastest_node() const override;
  const std::vector<Reaction>& reactions() const override { return reactions_; }
  std::vector<RigidPose> poses() const override { return parts_[0].solver->poses(); }
  const CrackLog& cracks() const override { return cracks_; }
  const DebrisLog& debris() const override { return debris_; }
  void prepare_frame() override;
  void begin_frame() override;
  std::uint64_t state_hash() const override;
  void save(Writer& out) const override;
  void load(Reader& in) override;
  void load_motion(Reader& in) override;

  std::size_t touching() const;  // balls that touch faces of other parts

 private:
  struct Touching {  // of two parts
    std::size_t balls, faces;
    BallContacts contacts;
  };
  Touchable of(std::size_t part) const { return parts_[part].solver->touchable(); }
  // s, that is stable with what touches, where each part for itself is with its `own`.
  double contact_step(std::span<const double> own) const;
  template <class Number>
  Number numbered(Number number, std::size_t part) const;
  void gather_reactions();
  ColliderContacts& colliders(std::size_t part) const { return parts_[part].solver->collider_contacts(); }
  std::vector<std::uint32_t> touched_rigid(std::size_t part) const;  // with a mass, by who is awake, ascending

  std::vector<Part> parts_;
  bool automatic_step_;
  std::vector<Touching> touching_;
  std::vector<std::vector<std::size_t>> row_;  // by part: where its reactions are in all
  std::vector<Reaction> reactions_;            // those of one name and kind added up
  CrackLog cracks_;                            // as of the last prepare_frame()
  DebrisLog debris_;
};

}  // namespace sunder::mixed
