#pragma once
// Balls round the nodes of one solver's bodies touch the faces of another's.
//
// A ball feels the point of the surface that is nearest to its middle: a spring from there, as long as the ball's
// radius, or as what the distance was when they met if that was less, and then growing with it. So bodies that overlap
// at the start do not fly apart. The push on the ball is taken from the face's corners by the point's barycentric
// weights: net force and moment vanish. Among crack faces the distance can jump: what is nearest is suddenly another
// face. A distance that shrinks by more than anything has moved shortens the spring by as much: nothing was pushed.
// Damping and Coulomb friction as between the nodes of a lattice (lattice_norton91/node_contacts.h); neither ever turns
// a motion round.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/byte_stream.h"
#include "core/ids.h"
#include "core/vec.h"
#include "solvers/touchable.h"

namespace sunder::mixed {

struct BallContactRules {
  bool on = true;
  double stiffness = 0.5;  // over that of the softer side
  double damping = 0.3;    // ratio to critical
  double friction = 0.4;   // Coulomb's coefficient
};

class BallContacts {
 public:
  explicit BallContacts(const BallContactRules& rules = {}) : rules_(rules) {}

  // Who touches whom now.
  void find(const Touchable& balls, const Touchable& faces);

  bool outdated(const Touchable& faces) const { return version_ != faces.version; }  // other faces than in find()

  // Nodes of either side that are in touch.
  std::span<const NodeId> touched_balls() const { return touched_balls_; }
  std::span<const NodeId> touched_faces() const { return touched_faces_; }
  std::size_t touching() const { return contacts_.size(); }

  // How much contacts add to the square of the fastest vibration of either side, 1/s^2.
  double balls_load() const { return balls_load_; }
  double faces_load() const { return faces_load_; }
  // s: none that is near moves further in it than a share of its radius, so that nothing passes through unseen.
  double longest() const { return longest_; }

  // For how long forces act in the step, s: so that both sides get the same impulse.
  struct Kick {
    double balls, faces;
  };
  // Of the contacts that find() has found.
  void add_forces(const Touchable& balls, const Touchable& faces, const Kick& kick);
  // After that step of dt.
  void account(const Touchable& balls, const Touchable& faces, double dt, const Kick& kick);

  double energy(const Touchable& balls, const Touchable& faces) const;  // J, in the springs, at positions near find()'s
  double dissipated() const { return dissipated_; }                     // J, since the start
  void go_on_from(double dissipated) { dissipated_ = dissipated; }

  void forget();  // other bodies, or the same in another state; but for natural lengths and the books
  void save(Writer& out) const;
  void load(Reader& in, std::size_t balls);

 private:
  struct Near {
    std::uint32_t ball, face;
  };
  struct Contact {
    NodeId ball;
    std::array<NodeId, 3> corners;
    Vec3 weights, normal;                               // the normal points at the ball
    double depth = 0;                                   // m, of the spring's compression
    double stiffness = 0;                               // N/m
    Vec3 loss = Vec3::Zero(), velocity = Vec3::Zero();  // N on the ball, m/s against the face: of the step
  };
  void look(const Touchable& balls, const Touchable& faces);
  bool has_moved(const Touchable& balls, const Touchable& faces) const;
  // The place of the surface nearest to a ball, of all that is surely in `near`, which are its own.
  struct Place {
    double distance = 0;  // m, negative inside; infinite if there is none
    Vec3 normal = Vec3::UnitY(), weights = Vec3::Zero();
    std::uint32_t face = 0;
    double fastest = 0;  // m/s, of what is near against the ball
  };
  void leave(std::uint32_t ball, const Touchable& balls);
  double reach(double radius) const { return radius + margin_ / 2; }  // m, within which all faces are listed
  Place nearest(const Touchable& balls, const Touchable& faces, std::span<const Near> near) const;
  template <class Visit>
  void for_each_ball(Visit&& visit) const;

  BallContactRules rules_;
  std::vector<double> natural_;   // m, by ball; infinite until something is near
  std::vector<double> distance_;  // m, by ball, in the last step; reach() to either side beyond it
  double moved_for_ = 0;          // s, since then
  double dissipated_ = 0;

  bool looked_ = false;
  std::uint64_t version_ = 0;                    // of the faces
  double margin_ = 0;                            // m
  std::vector<Vec3> balls_then_, corners_then_;  // where they were at the last look
  std::vector<NodeId> corner_nodes_;             // of the faces
  std::vector<Near> near_;                       // by ball, then by face

  std::vector<Contact> contacts_;  // by ball
  std::vector<NodeId> touched_balls_, touched_faces_;
  std::vector<double> corner_load_;    // N/m, by node of the faces, scratch
  std::vector<std::uint32_t> served_;  // contacts, by node of the faces, scratch
  double balls_load_ = 0, faces_load_ = 0, longest_ = 0;
};

}  // namespace sunder::mixed
