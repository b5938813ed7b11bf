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

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "collision/near_tets.h"
#include "collision/overlap_contact.h"
#include "collision/spring_contacts.h"
#include "core/disjoint_sets.h"

namespace sunder {

class OverlapContacts final : public SpringContacts<OverlapContact> {
 public:
  OverlapContacts(const ContactRules& rules, double edge);

  std::optional<Journal::Mark> mark() const override { return near_.search().mark(); }

  double volume() const;  // m^3, of all overlaps

 private:
  struct Part {  // what one task found
    std::vector<OverlapContact> contacts;
    std::vector<NodeId> held_back;  // unarmed nodes that are in something, or not yet clear of a crack face
  };
  struct Touched {  // a tet of a contact
    Uid tet;
    std::uint32_t contact;
    friend auto operator<=>(const Touched&, const Touched&) = default;
  };

  std::span<const NodeId> find_contacts(const TouchingBodies& bodies, double last_dt) override;
  void search_again() override { near_.search_again(); }
  void forget_search() override { near_ = new_search(); }
  void look_at(const TouchingBodies& bodies, NearTets::Pair pair, Part& part) const;
  void hold_back(const TouchingBodies& bodies, TetId tet, TetId other, Part& part) const;
  bool has_unarmed_crack(const TetMesh& mesh, TetId tet, std::uint8_t faces) const;
  void arm(const TouchingBodies& bodies, std::size_t parts);
  void smooth_normals();
  void pool();
  static void list_touched(const std::vector<OverlapContact>& contacts, std::vector<Touched>& touched);
  void take_over(const TouchingBodies& bodies, double last_dt);
  void take_over_stretch(OverlapContact& contact, const OverlapContact& old, bool lasts, const Vec3& moved);
  std::uint32_t beside(const OverlapContact& contact) const;
  void begin(OverlapContact& contact, const TouchingBodies& bodies) const;
  NearTets new_search() const;

  NearTets near_;

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
};

}  // namespace sunder
