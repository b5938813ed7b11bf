#pragma once
// Grains that crack faces have shed. They fly as the rigid bodies do, whatever the scheme of the nodes (velocities
// kicked by gravity, then positions drifting), and stop at colliders without a bounce, with Coulomb's friction. What
// comes to rest on a collider that stands still stays there and costs nothing any more. Grains feel neither bodies nor
// each other.

#include <cstdint>
#include <limits>
#include <vector>

#include "collision/rigid_bodies.h"
#include "core/byte_stream.h"
#include "core/hash.h"
#include "core/vec.h"

namespace sunder {

struct Grain {
  static constexpr std::uint32_t kFlies = std::numeric_limits<std::uint32_t>::max();

  Vec3 position = Vec3::Zero();     // m
  Vec3 velocity = Vec3::Zero();     // m/s
  Vec3 rest = Vec3::Zero();         // where it broke off, in the material, m
  double mass = 0;                  // kg
  double radius = 0;                // m
  std::uint32_t body = 0;           // that it came from
  std::uint32_t rests_on = kFlies;  // the collider that carries it for good
};

class Dust {
 public:
  explicit Dust(std::size_t colliders)
      : resting_mass_(colliders, 0), force_(colliders, Vec3::Zero()), work_(colliders, 0) {}

  const std::vector<Grain>& grains() const { return grains_; }
  void add(const Grain& grain) { grains_.push_back(grain); }

  // Takes all grains `dt` further, kicked for `kick` seconds. Colliders are where they were before the step; those with
  // a mass get pushed. Returns what friction and stopping took, J.
  double fly(const Vec3& gravity, double kick, double dt, RigidBodies& rigid);
  // What each collider exerted on grains in the last step, N, and the work of those that go by keyframes, J.
  const std::vector<Vec3>& force() const { return force_; }
  const std::vector<double>& work() const { return work_; }

  double mass() const;
  Vec3 momentum() const;
  double kinetic_energy() const;
  // At the time of their velocities: half a step before the positions.
  double gravity_energy(const Vec3& gravity, double half_dt) const;

  void add_to(Hash64& hash) const;
  void save(Writer& out) const;
  // `same`: into the run that it was saved from; else colliders may have changed, and who rested flies again.
  void load(Reader& in, bool same, std::size_t bodies);

 private:
  struct Touch {
    std::uint32_t collider;
    Vec3 at;
    Vec3 impulse;   // N s, on the grain
    double lost;    // J
    double weight;  // kg, of a grain that has come to rest
  };
  void fly_one(Grain& grain, const Vec3& gravity, double kick, double dt, const RigidBodies& rigid,
               std::vector<Touch>& touches) const;

  std::vector<Grain> grains_;
  std::vector<double> resting_mass_;  // kg, by collider
  std::vector<Vec3> force_;           // by collider
  std::vector<double> work_;
  std::vector<std::vector<Touch>> touches_;  // by chunk
};

// Kinetic and gravity energy of a grain, J.
double energy(const Grain& grain, const Vec3& gravity, double half_dt);

}  // namespace sunder
