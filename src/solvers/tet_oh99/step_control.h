#pragma once
// Chooses the step: the element bound now, the share of it that the assembled body really has (power iteration), what
// contact adds; and holds the step while it may.

#include <functional>

#include "collision/collider_contacts.h"
#include "core/byte_stream.h"
#include "solvers/tet_oh99/stable_step.h"

namespace sunder::tet_oh99 {

class StepControl {
 public:
  StepControl(Scheme scheme, double safety) : scheme_(scheme), safety_(safety) {}

  // Largest eigenvalues of the assembled body near a step of dt, by so many iterations; zeros if they cannot be had.
  using Estimate = std::function<Stiffness(double dt, int iterations)>;

  // Once a step, with the element bound and the contacts as they are now.
  void update(const Stiffness& element_bound, const ColliderContacts::Limits& contact, const Estimate& estimate);

  // s: what is safe with these contacts, when update() has not seen them yet.
  double safe_dt(const Stiffness& element_bound, const ColliderContacts::Limits& contact) const;

  // The mesh has changed: what was learnt of the assembled body is void, and single elements count until the mesh has
  // been left alone for a while.
  void forget_body();

  // What is known of the assembled body, or the bound if nothing is.
  Stiffness body(const Stiffness& element_bound) const;

  double dt() const { return held_dt_; }                   // s; 0 if no step is stable
  double limit() const { return limit_; }                  // s, the largest safe step now
  double element_limit() const { return element_limit_; }  // s, the same from the element bound alone

  void save(Writer& out) const;
  void load(Reader& in);

 private:
  void hold();
  double with_contact(const Stiffness& bound, const ColliderContacts::Limits& contact, double elastic_share,
                      double viscous_share) const;
  void refine(const Stiffness& element_bound, const Estimate& estimate);

  Scheme scheme_;
  double safety_;
  double elastic_share_ = 1, viscous_share_ = 1;  // of the element bound that the assembled body has
  double estimated_at_ = 0;                       // element bound (elastic) at the last estimate
  std::uint64_t steps_since_ = 0;                 // that estimate
  std::uint64_t unsettled_ = 0;                   // steps until the body is looked at again
  double held_dt_ = 0, limit_ = 0, element_limit_ = 0;
  double window_limit_ = 0;         // smallest limit of the window
  std::uint64_t window_steps_ = 0;  // into the window
};

}  // namespace sunder::tet_oh99
