#pragma once
// The colliders as they move. A dynamic one is a rigid body: its centre of mass and its turn about it are stepped like
// the nodes, velocities kicked by the forces, then positions drifting by the velocities.
//
//   v += kick (F / M + g)        L += kick T              L the angular momentum, in the world
//   x += dt v                    q <- exp(dt w) q         free_turn.h
//
// So a free spin keeps L exactly, and its energy to second order without drift (the implicit midpoint rule). Whatever
// the scheme of the nodes: the paper's explicit ones would need damping in every contact of a rigid body too.
//
// A rope is a limit of distance, held as SHAKE holds bonds: along the rope's direction at the start of the step, an
// impulse that makes the distance right at its end. While taut it does no work but for the integrator's error; where it
// comes taut with a jerk, the motion along it is lost. Both are booked as dissipated.

#include <cstdint>
#include <string>
#include <vector>

#include "collision/asleep.h"
#include "collision/collider.h"
#include "core/byte_stream.h"
#include "core/hash.h"
#include "core/vec.h"

namespace sunder {

class RigidBodies {
 public:
  explicit RigidBodies(std::vector<Collider> colliders);

  const std::vector<Collider>& colliders() const { return colliders_; }  // where they are now
  // Where they were `back` seconds ago, at the velocities of the last step.
  std::vector<Collider> colliders_before(double back) const;

  bool moves(std::size_t collider) const { return bodies_[collider].moves; }
  bool stands_still(std::size_t collider) const { return !bodies_[collider].moves || bodies_[collider].asleep; }
  bool any_moves() const { return any_moves_; }
  double inverse_mass(std::size_t collider) const { return bodies_[collider].inverse_mass; }  // 1/kg; 0 unless dynamic
  // Of the point of the collider that is at x, m/s.
  Vec3 velocity_at(std::size_t collider, const Vec3& x) const {
    const Body& b = bodies_[collider];
    return b.moves ? Vec3(b.velocity + b.spin.cross(x - b.centre)) : Vec3(Vec3::Zero());
  }
  const Vec3& spin(std::size_t collider) const { return bodies_[collider].spin; }
  // How much faster a spring of stiffness k at x is for this end giving way: k times this at most, 1/kg.
  double mobility(std::size_t collider, const Vec3& x) const {
    const Body& b = bodies_[collider];
    return b.inverse_mass == 0 ? 0 : b.inverse_mass + b.largest_inverse_inertia * (x - b.centre).squaredNorm();
  }
  double fastest_point(std::size_t collider) const;  // m/s, at most; a kinematic one's from now on

  // The forces of a step: cleared, added, and acting in move(), which takes everything to `time`.
  void clear_forces();
  void push(std::size_t collider, const Vec3& at, const Vec3& force) {
    Body& b = bodies_[collider];
    if (b.inverse_mass == 0) return;
    b.force += force;
    b.torque += (at - b.centre).cross(force);
  }
  void move(double time, const Vec3& gravity, double kick, double dt);

  // These are the same bodies as the owner's, which outlives them: in move() the dynamic ones go where the owner's have
  // gone, and what they have of mass, momentum and energy, their ropes and their contact with each other are the
  // owner's. For bodies that several solvers touch: each finds its contacts with its own copies.
  void follow(const RigidBodies& owner) { owner_ = &owner, ropes_.clear(); }
  bool follows() const { return owner_ != nullptr; }
  // The owner's part of it: what pushed those that follow acts here, `share` times as strong.
  void take_forces(const RigidBodies& follower, double share);
  // Others sleep than before: who falls asleep loses what motion it had, and nothing moves it until it wakes.
  void follow_sleep(const Asleep& asleep);

  // What ropes did in the last step.
  struct RopePull {
    std::size_t collider = 0;
    Vec3 force = Vec3::Zero();  // N, on the collider, over the kick
    double dissipated = 0;      // J
  };
  const std::vector<RopePull>& ropes() const { return ropes_; }

  // Of the dynamic ones, at the time of their velocities: half a step after the positions before, half before those
  // after it.
  double mass() const;
  double kinetic_energy() const;
  Vec3 momentum() const;
  double gravity_energy(const Vec3& gravity, double half_dt) const;
  bool finite() const;

  void add_to(Hash64& hash) const;  // nothing if none moves
  void save(Writer& out) const;
  // What is loaded goes to the colliders of the same name and kind of motion. `same`: into the run it was saved from,
  // to the same bits; else masses may have changed, and kinematic ones go by their own keyframes.
  void load(Reader& in, bool same, double time);

 private:
  struct Body {
    bool moves = false;
    bool asleep = false;
    double inverse_mass = 0;
    Mat3 inertia = Mat3::Zero(), inverse_inertia = Mat3::Zero();  // about the centre of mass, in the collider's axes
    double largest_inverse_inertia = 0;
    Vec3 offset =
        Vec3::Zero();  // of the centre of mass, in the collider's axes; a kinematic one turns about its origin
    double rope_length = 0;

    Vec3 centre = Vec3::Zero();  // m
    Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();
    Vec3 velocity = Vec3::Zero();          // m/s, of the centre
    Vec3 spin = Vec3::Zero();              // rad/s, mean over the last step
    Vec3 angular_momentum = Vec3::Zero();  // kg m^2/s, about the centre, in the world

    Vec3 force = Vec3::Zero(), torque = Vec3::Zero();

    void drift(double dt);
  };
  void place(std::size_t collider);
  void follow_keyframes(std::size_t collider, double time, double dt);
  void hold_by_rope(RopePull& pull, const Body& before, double kick, double dt);

  const RigidBodies* owner_ = nullptr;
  std::vector<Collider> colliders_;
  std::vector<Body> bodies_;
  std::vector<RopePull> ropes_;
  bool any_moves_ = false;
  double time_ = 0;  // s, of the positions
};

}  // namespace sunder
