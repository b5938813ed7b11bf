#pragma once
// Contact of bodies and fragments with each other by the volume in which their tets overlap, OH99 3.3: it also sees
// edges that cross, where no node is inside anything.
//
//   normal     f_n = max(0, k_v (V - free A) - c v.n)      V the volume, A its area across n, v of a against b
//   along      f_t = -k_v A s - c v_t, shortened to mu f_n  s the stretch since the last slip
//
// at the centroid of V, shared out to the nodes of a, and with the other sign to those of b, by its weights in either
// tet: forces and moments balance. V adds up over tets, so the force hardly depends on how the bodies are cut up.
//
// k_v = k / A_ref, N/m^3, with k the nodes' stiffness of the two sides one behind the other and A_ref the smaller
// boundary face: a flat contact is about as stiff as one by nodes, of which there is one for each face.
//
// What keeps contact from making energy, and fracture from making dust:
//   - k_v is kept while a pair touches, and handed on to the pairs beside it that it slides onto, or is split into
//   - a depth V / A that is there at once, not grown, is `free`: it is let go of as the tets move apart, but never
//     pushes; fresh crack faces are not armed, as in BodyContacts
//   - the spring along the surface has the area's stiffness: area that leaves takes its share, area that comes is not
//     yet stretched
//
// The force is a potential's gradient only where flat faces meet:
//   E = k_v (V - free A)^2 / (A (1 + A h / V)) A h / V      h the height of the overlap
// that is k_v V^2 / (2 A) of a slab (A h = V), V h / 4 of a point or of two edges that cross (A h = 3 V), V h / 3 of an
// edge on a face: for these the work of f_n, exactly. See body_contact_test.cpp for how well the sum balances.
//
// Only tets with a boundary face take part: what goes deeper than one tet is not seen.

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "collision/between_bodies.h"
#include "collision/near_tets.h"
#include "collision/spring_bound.h"
#include "collision/tet_penetration.h"
#include "collision/unarmed_nodes.h"

namespace sunder {

class OverlapContacts final : public BetweenBodies {
 public:
  OverlapContacts(const ContactRules& rules, double edge);

  bool on() const override { return rules_.on; }
  void find(const TouchingBodies& bodies, double last_dt) override;
  void add_forces(const Column<NodeId, Vec3>& velocity, Column<NodeId, Vec3>& force) override;
  void add_force_rates(const Column<NodeId, Vec3>& velocity, const Column<NodeId, Vec3>& acceleration,
                       Column<NodeId, Vec3>& force_rate) const override;
  void disarm(NodeId node) override { unarmed_.add(node); }
  bool armed(NodeId node) const { return !unarmed_.holds(node); }
  ColliderContacts::Limits limits() const override { return limits_; }
  double longest_step(const Column<NodeId, Vec3>& velocity) override;
  double account(double dt, const Column<NodeId, Vec3>& velocity) override;
  double energy(const Column<NodeId, Vec3>& position, const Column<NodeId, Vec3>& velocity, double dt) const override;
  std::size_t touching() const override { return contacts_.size(); }
  double deepest() const override;
  std::optional<Journal::Mark> mark() const override { return near_.mark(); }
  void forget() override;
  void save(Writer& out) const override;
  void load(Reader& in, const TetMesh& mesh) override;

  double volume() const;  // m^3, of all overlaps
  const NearTets& near() const { return near_; }

 private:
  struct Contact {
    Uid a = 0, b = 0;  // tets, a < b: they last when storage is compacted
    std::array<NodeId, 4> nodes_a, nodes_b;
    std::uint8_t boundary_a = 0, boundary_b = 0;
    bool unarmed = false;
    TetPenetration in;
    double modulus = 0;  // k_v, N/m^3
    double sides = 0;    // N/m, of the nodes of both sides, one behind the other
    double free = 0;     // m, of the mean depth: without force
    double damping = 0;  // N s/m
    bool slips = false;
    Vec3 stretch = Vec3::Zero();       // of the spring along the surface, m
    Vec3 force = Vec3::Zero();         // on a
    Vec3 spring_along = Vec3::Zero();  // the part of the force that the spring along the surface exerts
    double normal_damping = 0;         // N, the part of the normal force that damps
    Vec3 damping_along = Vec3::Zero();
    double carried = 0;  // J, in the spring along the surface by the books
    Vec3 velocity_before = Vec3::Zero();

    double stiffness() const { return modulus * in.area; }                         // N/m
    double pressing() const { return std::max(0.0, in.volume - free * in.area); }  // m^3
    double stored() const { return 0.5 * stiffness() * stretch.squaredNorm(); }    // J, along the surface
    double pressed() const { return pressed(in, pressing()); }                     // J
    double pressed(const TetPenetration& p, double volume) const {                 // of this much volume
      return modulus * volume * volume * p.height / (p.volume + p.area * p.height);
    }
    friend bool operator<(const Contact& p, const Contact& q) { return p.a != q.a ? p.a < q.a : p.b < q.b; }
  };
  struct Part {  // what one task found
    std::vector<Contact> contacts;
    std::vector<NodeId> held_back;  // unarmed nodes that are in something, or not yet clear of a crack face
  };
  struct Touched {  // a tet of previous_[contact]
    Uid tet;
    std::uint32_t contact;
    friend auto operator<=>(const Touched&, const Touched&) = default;
  };

  void look_at(const TouchingBodies& bodies, NearTets::Pair pair, Part& part) const;
  void hold_back(const TouchingBodies& bodies, TetId tet, TetId other, Part& part) const;
  bool has_unarmed_crack(const TetMesh& mesh, TetId tet, std::uint8_t faces) const;
  void arm(std::size_t parts);
  void take_over(const TouchingBodies& bodies, double last_dt);
  std::uint32_t beside(const Contact& contact) const;
  void begin(Contact& contact, const TouchingBodies& bodies) const;
  void bound_step(const TouchingBodies& bodies);

  ContactRules rules_;
  double edge_;  // m
  NearTets near_;
  std::vector<Contact> contacts_, previous_;  // by tets
  UnarmedNodes unarmed_;
  ColliderContacts::Limits limits_;
  double lost_ = 0;  // J, in this step

  // scratch
  std::vector<Part> parts_;
  Column<NodeId, std::uint8_t> held_back_;
  std::vector<std::uint32_t> same_;  // by contact: the one it was
  std::vector<std::uint8_t> lasts_;  // of previous_
  std::vector<Touched> touched_;
  SpringBound spring_bound_;
  std::vector<double> fastest_;
};

}  // namespace sunder
