#include "solvers/mixed/ball_contacts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/bounds.h"
#include "geometry/triangle.h"
#include "solvers/pair_push.h"
#include "spatial/box_tree.h"

namespace sunder::mixed {
namespace {

constexpr double kMargin = 0.6;   // of the mean radius: faces so much farther away than a ball's radius are watched
constexpr double kEdge = 1e-9;    // a weight that is less is none: the point is on an edge or a corner
constexpr double kSlack = 1.1;    // times what all has moved is what a distance may shrink by
constexpr double kLongest = 0.2;  // of a radius that a ball may go in a step, against a face that it is near to

TriangleCorners corners_of(const Touchable& faces, std::uint32_t face) {
  const auto& [a, b, c] = faces.faces[face];
  return {faces.position[a], faces.position[b], faces.position[c]};
}

Vec3 velocity_of(const Touchable& faces, const std::array<NodeId, 3>& corners, const Vec3& weights) {
  return weights[0] * faces.velocity[corners[0]] + weights[1] * faces.velocity[corners[1]] +
         weights[2] * faces.velocity[corners[2]];
}

// Whether any of the points has gone further than a quarter of the margin: two come nearer by half of it then.
template <class Now>
bool any_beyond(const std::vector<Vec3>& then, double margin, Now&& now) {
  const double most = margin * margin / 16;
  for (std::size_t i = 0; i < then.size(); ++i) {
    if (!((now(i) - then[i]).squaredNorm() < most)) return true;
  }
  return false;
}

}  // namespace

bool BallContacts::has_moved(const Touchable& balls, const Touchable& faces) const {
  return any_beyond(balls_then_, margin_, [&](std::size_t i) { return balls.position[NodeId(i)]; }) ||
         any_beyond(corners_then_, margin_, [&](std::size_t i) { return faces.position[corner_nodes_[i]]; });
}

void BallContacts::look(const Touchable& balls, const Touchable& faces) {
  const std::size_t count = balls.radius.size();
  double sum = 0;
  for (const double r : balls.radius) sum += r;
  margin_ = kMargin * sum / static_cast<double>(std::max<std::size_t>(1, count));
  balls_then_.assign(balls.position.begin(), balls.position.end());
  corner_nodes_.clear();
  for (const auto& face : faces.faces) corner_nodes_.insert(corner_nodes_.end(), face.begin(), face.end());
  std::sort(corner_nodes_.begin(), corner_nodes_.end());
  corner_nodes_.erase(std::unique(corner_nodes_.begin(), corner_nodes_.end()), corner_nodes_.end());
  corners_then_.clear();
  for (const NodeId n : corner_nodes_) corners_then_.push_back(faces.position[n]);

  std::vector<std::uint32_t> items(faces.faces.size());
  std::vector<Bounds> boxes(items.size());
  Bounds all;
  for (std::uint32_t f = 0; f < items.size(); ++f) {
    items[f] = f;
    for (const Vec3& x : corners_of(faces, f)) boxes[f].add(x), all.add(x);
  }
  BoxTree tree;
  tree.build(items, boxes);
  near_.clear();
  for (std::uint32_t b = 0; b < count; ++b) {
    const Vec3 reach = Vec3::Constant(balls.radius[b] + margin_);
    Bounds box;
    box.add(balls.position[NodeId(b)] - reach), box.add(balls.position[NodeId(b)] + reach);
    if (!all.meets(box)) continue;
    const std::size_t first = near_.size();
    tree.for_each_meeting(box, [&](std::uint32_t f) { near_.push_back({b, f}); });
    std::sort(near_.begin() + static_cast<std::ptrdiff_t>(first), near_.end(),
              [](const Near& x, const Near& y) { return x.face < y.face; });
  }
  natural_.resize(count, std::numeric_limits<double>::infinity()), distance_.resize(count, 0);
  std::vector<std::uint8_t> listed(count, 0);
  for (const Near& n : near_) listed[n.ball] = 1;
  for (std::uint32_t b = 0; b < count; ++b) {
    if (listed[b] == 0) leave(b, balls);
  }
  version_ = faces.version;
  looked_ = true;
}

// Nothing is near to it any more: from now on all that is known is the side that it went away on.
void BallContacts::leave(std::uint32_t ball, const Touchable& balls) {
  distance_[ball] = std::copysign(reach(balls.radius[ball]), distance_[ball]);
}

BallContacts::Place BallContacts::nearest(const Touchable& balls, const Touchable& faces,
                                          std::span<const Near> near) const {
  const NodeId ball(near.front().ball);
  const Vec3& x = balls.position[ball];
  // Faces that come no nearer than this may be missing from the list, and what shares their corners, too.
  const double reach = this->reach(balls.radius[ball.index]);
  Place best;
  double least = std::numeric_limits<double>::infinity();
  Vec3 point = Vec3::Zero();
  for (const Near& n : near) {
    const TrianglePoint at = closest_point(corners_of(faces, n.face), x);
    const double distance = (x - at.point).norm();
    if (!(distance < reach)) continue;
    for (const NodeId c : faces.faces[n.face])
      best.fastest = std::max(best.fastest, (balls.velocity[ball] - faces.velocity[c]).norm());
    if (distance < least) least = distance, point = at.point, best.weights = at.weights, best.face = n.face;
  }
  best.distance = least;
  if (!std::isfinite(least)) return best;
  // Whether it is inside is told by all faces about the edge or corner, in the proportion of their angles there: at a
  // sharp corner single faces would tell wrong. Other corners may be at the same place, across a crack: not they.
  std::array<NodeId, 3> shared;
  std::size_t sharing = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    if (best.weights[static_cast<int>(i)] > kEdge) shared[sharing++] = faces.faces[best.face][i];
  }
  Vec3 outwards = Vec3::Zero();
  for (const Near& n : near) {
    const auto& face = faces.faces[n.face];
    const auto has = [&](NodeId c) { return std::find(face.begin(), face.end(), c) != face.end(); };
    if (!std::all_of(shared.begin(), shared.begin() + static_cast<std::ptrdiff_t>(sharing), has)) continue;
    const TriangleCorners corners = corners_of(faces, n.face);
    double angle = 1;
    if (sharing == 1) {
      const auto at = static_cast<std::size_t>(std::find(face.begin(), face.end(), shared[0]) - face.begin());
      const Vec3 a = corners[(at + 1) % 3] - corners[at], b = corners[(at + 2) % 3] - corners[at];
      angle = std::atan2(a.cross(b).norm(), a.dot(b));
    }
    outwards += angle * area_vector(corners).normalized();
  }
  const Vec3 away = x - point;
  const double side = outwards.dot(away) < 0 ? -1 : 1;
  best.distance = side * least;
  best.normal = least > 0 ? Vec3(side / least * away) : area_vector(corners_of(faces, best.face)).normalized();
  return best;
}

// visit(ball, its faces) for every ball that is near to any.
template <class Visit>
void BallContacts::for_each_ball(Visit&& visit) const {
  for (std::size_t begin = 0, end = 0; begin < near_.size(); begin = end) {
    while (end < near_.size() && near_[end].ball == near_[begin].ball) ++end;
    visit(near_[begin].ball, std::span(near_).subspan(begin, end - begin));
  }
}

void BallContacts::find(const Touchable& balls, const Touchable& faces) {
  for (const NodeId n : touched_faces_) served_[n.index] = 0;
  contacts_.clear(), touched_balls_.clear(), touched_faces_.clear();
  balls_load_ = faces_load_ = 0;
  longest_ = std::numeric_limits<double>::infinity();
  if (!rules_.on || balls.radius.empty() || faces.faces.empty()) return;
  if (!looked_ || version_ != faces.version || has_moved(balls, faces)) look(balls, faces);
  corner_load_.resize(faces.position.size(), 0), served_.resize(faces.position.size(), 0);
  for_each_ball([&](std::uint32_t ball, std::span<const Near> near) {
    const Place place = nearest(balls, faces, near);
    if (!std::isfinite(place.distance)) return leave(ball, balls);
    const NodeId b(ball);
    const auto& corners = faces.faces[place.face];
    const double speed = (balls.velocity[b] - velocity_of(faces, corners, place.weights)).norm();
    if (speed > 0) longest_ = std::min(longest_, kLongest * balls.radius[ball] / speed);
    double& natural = natural_[ball];
    const double jump = distance_[ball] - place.distance - kSlack * moved_for_ * place.fastest;
    if (std::isfinite(natural) && jump > 0) natural -= jump;
    distance_[ball] = place.distance;
    natural = std::min(balls.radius[ball], std::isfinite(natural) ? std::max(natural, place.distance) : place.distance);
    if (!(place.distance < natural)) return;
    double stiffness = 0;
    for (int i = 0; i < 3; ++i) stiffness += place.weights[i] * faces.stiffness[corners[static_cast<std::size_t>(i)]];
    stiffness = rules_.stiffness * std::min(balls.softer * balls.stiffness[b], faces.softer * stiffness);
    contacts_.push_back({b, corners, place.weights, place.normal, natural - place.distance, stiffness});
    touched_balls_.push_back(b);
    touched_faces_.insert(touched_faces_.end(), corners.begin(), corners.end());
    balls_load_ = std::max(balls_load_, 2 * stiffness / balls.mass[b]);
    for (std::size_t i = 0; i < 3; ++i) {
      const NodeId n = corners[i];
      corner_load_[n.index] += place.weights[static_cast<int>(i)] * stiffness;
      ++served_[n.index];
      faces_load_ = std::max(faces_load_, 2 * corner_load_[n.index] / faces.mass[n]);
    }
  });
  for (const NodeId n : touched_faces_) corner_load_[n.index] = 0;
  moved_for_ = 0;
}

void BallContacts::add_forces(const Touchable& balls, const Touchable& faces, const Kick& kick) {
  for (Contact& c : contacts_) {
    const Vec3 v = balls.velocity[c.ball] - velocity_of(faces, c.corners, c.weights);
    // If each corner serves all its contacts alike.
    double mobility = 1 / balls.mass[c.ball];
    for (std::size_t i = 0; i < 3; ++i) {
      const double weight = c.weights[static_cast<int>(i)];
      mobility += weight * weight * served_[c.corners[i].index] / faces.mass[c.corners[i]];
    }
    const auto [force, loss] =
        pair_push({c.normal, v, c.depth, c.stiffness, 1 / mobility}, rules_.damping, rules_.friction, kick.balls);
    balls.force[c.ball] += force;
    for (std::size_t i = 0; i < 3; ++i)
      faces.force[c.corners[i]] -= kick.balls / kick.faces * c.weights[static_cast<int>(i)] * force;
    c.loss = loss;
    c.velocity = v;
  }
}

// A force F takes t F.(V + V')/2, exactly, from what V' is the velocity of after the step.
void BallContacts::account(const Touchable& balls, const Touchable& faces, double dt, const Kick& kick) {
  moved_for_ = dt;
  for (const Contact& c : contacts_) {
    const Vec3 after = balls.velocity[c.ball] - velocity_of(faces, c.corners, c.weights);
    dissipated_ -= 0.5 * kick.balls * c.loss.dot(c.velocity + after);
  }
}

double BallContacts::energy(const Touchable& balls, const Touchable& faces) const {
  double sum = 0;
  for (const Contact& c : contacts_) {
    Vec3 at = Vec3::Zero();
    for (std::size_t i = 0; i < 3; ++i) at += c.weights[static_cast<int>(i)] * faces.position[c.corners[i]];
    const double depth = natural_[c.ball.index] - c.normal.dot(balls.position[c.ball] - at);
    if (depth > 0) sum += 0.5 * c.stiffness * depth * depth;
  }
  return sum;
}

void BallContacts::forget() {
  looked_ = false;
  contacts_.clear(), touched_balls_.clear(), touched_faces_.clear(), served_.clear();
}

void BallContacts::save(Writer& out) const {
  out.put_all(std::span<const double>(natural_));
  out.put_all(std::span<const double>(distance_));
  out.put(moved_for_);
}

void BallContacts::load(Reader& in, std::size_t balls) {
  forget();
  natural_ = in.get_all<double>();
  distance_ = in.get_all<double>();
  if ((!natural_.empty() && natural_.size() != balls) || distance_.size() != natural_.size()) in.fail();
  moved_for_ = in.get<double>();
}

}  // namespace sunder::mixed
