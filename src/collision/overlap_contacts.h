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
//   - the force is a potential's gradient only where a face meets a face, a point or an edge. There its work is
//       E = k_v (V - free A)^2 h / (V + A h)        h the height of the overlap
//     k_v V^2 / (2 A) of a slab (A h = V), k_v V h / 4 of a point in a face and of edges that cross (A h = 3 V). In
//     general it is not: left to itself, it let bounces gain up to a quarter of their energy. So a patch of pairs keeps
//     books of the work done on it, and as it comes apart its force is no more than what is left pays for.
// Undamped bounces of soft boxes, the worst of six: kinetic, elastic and contact energy rise by no more than 1.2 % at
// 0.8 of the stable step, 0.02 % at 0.1 of it; 0 to 7 % is lost, and booked; the books balance to 0.9 % and 0.13 %.
//
// Only tets with a boundary face take part: what goes deeper than one tet is not seen.

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "collision/between_bodies.h"
#include "collision/contact_spring.h"
#include "collision/near_tets.h"
#include "collision/spring_bound.h"
#include "collision/tet_penetration.h"
#include "collision/unarmed_nodes.h"
#include "core/disjoint_sets.h"

namespace sunder {

class OverlapContacts final : public BetweenBodies {
 public:
  OverlapContacts(const ContactRules& rules, double edge);

  void find(const TouchingBodies& bodies, double last_dt) override;
  void add_forces(const Column<NodeId, Vec3>& velocity, Column<NodeId, Vec3>& force) override;
  void add_force_rates(const Column<NodeId, Vec3>& velocity, const Column<NodeId, Vec3>& acceleration,
                       Column<NodeId, Vec3>& force_rate) const override;
  void disarm(NodeId node) override { unarmed_.add(node); }
  bool armed(NodeId node) const { return !unarmed_.holds(node); }
  ColliderContacts::Limits limits() const override { return limits_.with(resting_limits_); }
  double account(double dt, const Column<NodeId, Vec3>& velocity) override;
  double energy(const Column<NodeId, Vec3>& position, const Column<NodeId, Vec3>& velocity, double dt) const override;
  std::size_t touching() const override { return contacts_.size() + resting_.size(); }
  void follow_sleep(const TouchingBodies& bodies, double last_dt) override;
  void add_resting_forces(Column<NodeId, Vec3>& force) const override;
  void list_touches(std::vector<Touch>& touches) const override;
  void drop_gone(const TetMesh& mesh) override;
  std::optional<Journal::Mark> mark() const override { return near_.search().mark(); }
  void forget() override;
  void save(Writer& out) const override;
  void load(Reader& in, const TetMesh& mesh) override;

  double volume() const;  // m^3, of all overlaps

 private:
  struct Contact : ContactSpring {  // with k = k_v A, and the depth (V - free A) / A
    Uid a = 0, b = 0;               // tets, a < b: they last when storage is compacted
    std::array<NodeId, 4> nodes_a, nodes_b;
    std::uint8_t boundary_a = 0, boundary_b = 0;
    bool unarmed = false;
    TetPenetration in;
    double modulus = 0;  // k_v, N/m^3
    double sides = 0;    // N/m, of the nodes of both sides, one behind the other
    double free = 0;     // m, of the mean depth: without force
    double kept = 0;     // J, of the work done against the normal force, what it has not given back
    double share = 1;    // of the normal force, when the tets move apart
    double elastic = 0;  // N, the normal force but for damping
    double settled = 0;  // m, that they came closer between find(), which gave the weights, and falling asleep

    double pressing() const { return std::max(0.0, in.volume - free * in.area); }  // m^3
    double by_formula() const {                                                    // J
      return modulus * pressing() * pressing() * in.height / (in.volume + in.area * in.height);
    }
    Vec3 relative(const Column<NodeId, Vec3>& v) const;                            // of a against b, at the centroid
    double approach(const Column<NodeId, Vec3>& velocity, double last_dt) const {  // m, by the motion of the last step
      return -last_dt * relative(velocity).dot(in.normal);
    }
    void push_apart(const Vec3& push, Column<NodeId, Vec3>& force_on) const;
    friend bool operator<(const Contact& p, const Contact& q) { return p.a != q.a ? p.a < q.a : p.b < q.b; }
  };
  struct Part {  // what one task found
    std::vector<Contact> contacts;
    std::vector<NodeId> held_back;  // unarmed nodes that are in something, or not yet clear of a crack face
  };
  struct Touched {  // a tet of a contact
    Uid tet;
    std::uint32_t contact;
    friend auto operator<=>(const Touched&, const Touched&) = default;
  };

  void look_at(const TouchingBodies& bodies, NearTets::Pair pair, Part& part) const;
  void hold_back(const TouchingBodies& bodies, TetId tet, TetId other, Part& part) const;
  bool has_unarmed_crack(const TetMesh& mesh, TetId tet, std::uint8_t faces) const;
  void arm(const TouchingBodies& bodies, std::size_t parts);
  void smooth_normals();
  void pool();
  static void list_touched(const std::vector<Contact>& contacts, std::vector<Touched>& touched);
  void take_over(const TouchingBodies& bodies, double last_dt);
  std::uint32_t beside(const Contact& contact) const;
  void begin(Contact& contact, const TouchingBodies& bodies) const;
  ColliderContacts::Limits bound_step(const TouchingBodies& bodies, const std::vector<Contact>& contacts);
  NearTets new_search() const;

  ContactRules rules_;
  double edge_;  // m
  NearTets near_;
  std::vector<Contact> contacts_, previous_;  // by tets
  std::vector<Contact> resting_;              // both sides asleep; by tets
  UnarmedNodes unarmed_;
  ColliderContacts::Limits limits_, resting_limits_ = {0, 0, std::numeric_limits<double>::infinity()};
  bool resting_changed_ = false;  // since resting_limits_ was found
  double lost_ = 0;               // J, in this step

  // scratch
  std::vector<Part> parts_;
  Column<NodeId, std::uint8_t> held_back_;
  std::vector<std::uint32_t> same_;  // by contact: the one it was
  std::vector<std::uint8_t> lasts_;  // of previous_
  std::vector<double> claimed_;      // m^3, by contact of previous_
  std::vector<Touched> touched_;
  std::vector<Vec3> way_out_;                          // by tet, of that tet
  std::vector<std::array<std::uint32_t, 2>> tets_of_;  // by contact: places in way_out_
  DisjointSets patches_;                               // of contacts
  std::vector<std::array<double, 2>> patch_energy_;    // by contact that stands for a patch: kept and by the formula, J
  SpringBound spring_bound_;
  std::vector<double> fastest_;
};

}  // namespace sunder
