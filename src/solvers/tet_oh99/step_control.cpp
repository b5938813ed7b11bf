#include "solvers/tet_oh99/step_control.h"

#include <algorithm>
#include <cmath>

namespace sunder::tet_oh99 {
namespace {

// Rayleigh quotients come from below: after the first iterations they are within a few per cent.
constexpr double kMargin = 1.1;
constexpr int kFirstIterations = 60, kLaterIterations = 3;
constexpr std::uint64_t kInterval = 256;      // steps between estimates; they cost about 6 evaluations of forces
constexpr std::uint64_t kShortInterval = 16;  // when the element bound has risen since
constexpr double kRise = 1.1;
constexpr std::uint64_t kSettle = 256;  // steps without a change of the mesh, before the first estimate is worth it
constexpr std::uint64_t kWindow = 512;  // steps that must all have allowed a longer one before the step grows

}  // namespace

void StepControl::refine(const Stiffness& bound, const Estimate& estimate) {
  const double dt = held_dt_ > 0 ? held_dt_ : tet_oh99::stable_dt(scheme_, bound);
  const Stiffness found = estimate(dt, estimated_at_ > 0 ? kLaterIterations : kFirstIterations);
  const auto share = [](double part, double whole) {
    return part > 0 && whole > 0 && std::isfinite(part) ? std::min(1.0, kMargin * part / whole) : 1.0;
  };
  elastic_share_ = share(found.elastic, bound.elastic);
  viscous_share_ = bound.viscous > 0 ? share(found.viscous, bound.viscous) : 1.0;
  estimated_at_ = bound.elastic;
  steps_since_ = 0;
}

Stiffness StepControl::body(const Stiffness& bound) const {
  return {elastic_share_ / kMargin * bound.elastic, viscous_share_ / kMargin * bound.viscous, bound.smallest_ratio};
}

void StepControl::forget_body() {
  elastic_share_ = viscous_share_ = 1;
  estimated_at_ = 0;
  unsettled_ = kSettle;
}

double StepControl::with_contact(const Stiffness& bound, const ColliderContacts::Limits& contact, double elastic_share,
                                 double viscous_share) const {
  Stiffness s = bound;
  s.elastic = elastic_share * bound.elastic + contact.elastic;
  s.viscous = viscous_share * bound.viscous + contact.viscous;
  if (contact.elastic > 0) s.smallest_ratio = std::min(s.smallest_ratio, contact.smallest_ratio);
  return std::min(contact.longest, safety_ * tet_oh99::stable_dt(scheme_, s));
}

// A bound that has risen may be due to a few tets whose own modes nobody has looked at yet: take it as it is.
double StepControl::safe_dt(const Stiffness& bound, const ColliderContacts::Limits& contact) const {
  const bool trusted = scheme_ == Scheme::symplectic_euler && bound.elastic <= kRise * estimated_at_;
  return trusted ? with_contact(bound, contact, elastic_share_, viscous_share_) : with_contact(bound, contact, 1, 1);
}

void StepControl::update(const Stiffness& bound, const ColliderContacts::Limits& contact, const Estimate& estimate) {
  ++steps_since_;
  // The other schemes are limited by damping, not by the fastest mode alone: they keep to the element bound.
  const bool assembled = scheme_ == Scheme::symplectic_euler;
  const bool risen = bound.elastic > kRise * estimated_at_;
  if (unsettled_ > 0) --unsettled_;
  if (assembled && unsettled_ == 0 &&
      (steps_since_ >= kInterval || (risen && steps_since_ >= kShortInterval) || estimated_at_ == 0)) {
    refine(bound, estimate);
  }
  element_limit_ = with_contact(bound, contact, 1, 1);
  limit_ = safe_dt(bound, contact);
  hold();
}

// Every change of the step disturbs the energy of an undamped body, and one that breathes with the body's stretch
// pumps: shrink at once when it must be, grow only to what a long window has allowed throughout, and never by so much
// that a contact could come in the next step that the limits have not foreseen (ColliderContacts::find).
void StepControl::hold() {
  window_limit_ = window_steps_ == 0 ? limit_ : std::min(window_limit_, limit_);
  ++window_steps_;
  if (held_dt_ > limit_ || held_dt_ == 0) {
    held_dt_ = 0.95 * limit_;
    window_steps_ = 0;
  } else if (window_steps_ >= kWindow) {
    if (held_dt_ < 0.8 * window_limit_) held_dt_ = std::min(2 * held_dt_, 0.95 * window_limit_);
    window_steps_ = 0;
  }
}

void StepControl::save(Writer& out) const {
  out.put(elastic_share_), out.put(viscous_share_), out.put(estimated_at_), out.put(steps_since_), out.put(unsettled_);
  out.put(held_dt_), out.put(limit_), out.put(element_limit_), out.put(window_limit_), out.put(window_steps_);
}

void StepControl::load(Reader& in) {
  elastic_share_ = in.get<double>(), viscous_share_ = in.get<double>(), estimated_at_ = in.get<double>();
  steps_since_ = in.get<std::uint64_t>(), unsettled_ = in.get<std::uint64_t>();
  held_dt_ = in.get<double>(), limit_ = in.get<double>(), element_limit_ = in.get<double>();
  window_limit_ = in.get<double>(), window_steps_ = in.get<std::uint64_t>();
}

}  // namespace sunder::tet_oh99
