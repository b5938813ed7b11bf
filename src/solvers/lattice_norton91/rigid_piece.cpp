#include "solvers/lattice_norton91/rigid_piece.h"

#include <algorithm>
#include <cmath>

#include "collision/free_turn.h"
#include "core/rotation.h"
#include "geometry/symmetric_eigen.h"

namespace sunder::lattice_norton91 {
namespace {

constexpr double kTurn = 0.02;     // rad, of a step of the turn
constexpr double kNoWidth = 1e-9;  // of the largest moment of inertia: nodes in a line

// Three steps of the midpoint rule, the middle one backwards: right to fourth order (Yoshida 1990).
Eigen::Quaterniond turned(const Mat3& inverse_inertia, const Vec3& momentum, Eigen::Quaterniond turn, double dt) {
  static const double kOuter = 1 / (2 - std::cbrt(2.0));
  for (const double share : {kOuter, 1 - 2 * kOuter, kOuter}) {
    turn = rotation_by(share * dt * mean_spin(inverse_inertia, momentum, turn, share * dt)) * turn;
  }
  return turn.normalized();
}

}  // namespace

RigidPiece::RigidPiece(const Lattice& lattice, std::span<const Index> nodes, const Column<NodeId, Vec3>& position,
                       const Column<NodeId, Vec3>& velocity)
    : nodes_(nodes.begin(), nodes.end()) {
  const Vec3 from = position[NodeId(nodes_[0])];
  Vec3 first = Vec3::Zero(), carried = Vec3::Zero();
  for (const Index n : nodes_) {
    const double m = lattice.mass[NodeId(n)];
    mass_ += m;
    first += m * (position[NodeId(n)] - from);
    carried += m * velocity[NodeId(n)];
  }
  centre_ = from + first / mass_;
  velocity_ = carried / mass_;
  for (const Index n : nodes_) {
    arms_.push_back(position[NodeId(n)] - centre_);
    momentum_ += lattice.mass[NodeId(n)] * arms_.back().cross(velocity[NodeId(n)] - velocity_);
  }
  find_inertia(lattice);
  const Vec3 spin = spin_of(inverse_inertia_, momentum_, turn_);
  turning_energy_ = 0.5 * momentum_.dot(spin);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    paused_.push_back(velocity[NodeId(nodes_[i])] - velocity_ - spin.cross(arms_[i]));
    vibration_ += 0.5 * lattice.mass[NodeId(nodes_[i])] * paused_.back().squaredNorm();
  }
  find_tip_speed();
}

void RigidPiece::find_inertia(const Lattice& lattice) {
  Mat3 inertia = Mat3::Zero();
  reach_ = 0;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Vec3& r = arms_[i];
    inertia += lattice.mass[NodeId(nodes_[i])] * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
    reach_ = std::max(reach_, r.norm());
  }
  inverse_inertia_.setZero();
  const SymmetricEigen eigen = symmetric_eigen(inertia);
  const double largest = eigen.values[0];
  double least = largest;
  for (int i = 0; i < 3; ++i) {
    if (!(eigen.values[i] > kNoWidth * largest)) continue;
    least = eigen.values[i];
    inverse_inertia_ += eigen.vectors.col(i) * eigen.vectors.col(i).transpose() / least;
  }
  // dw/dt = I^-1 (I w x w), so |dw| <= (largest / least) |w| times the angle
  unsteady_ = largest > 0 ? 1 + kTurn * largest / least : 1;
}

void RigidPiece::find_tip_speed() {
  tip_speed_ = unsteady_ * reach_ * spin_of(inverse_inertia_, momentum_, turn_).norm();
}

double RigidPiece::kinetic_energy() const {
  return 0.5 * mass_ * velocity_.squaredNorm() + turning_energy_ + vibration_;
}

Eigen::Quaterniond RigidPiece::turn_now() const {
  return since_ > 0 ? turned(inverse_inertia_, momentum_, turn_, since_) : turn_;
}

void RigidPiece::advance(double dt, const Vec3& gravity, bool forward) {
  const Vec3 before = velocity_;
  velocity_ += dt * gravity;
  centre_ += dt * (forward ? before : velocity_);
  if (tip_speed_ == 0) return;  // it does not turn
  since_ += dt;
  if (since_ * tip_speed_ < kTurn * unsteady_ * reach_) return;
  turn_ = turn_now();
  since_ = 0;
  find_tip_speed();
}

void RigidPiece::place(Column<NodeId, Vec3>& position, Column<NodeId, Vec3>& velocity) const {
  const Eigen::Quaterniond turn = turn_now();
  const Mat3 r = turn.toRotationMatrix();
  const Vec3 spin = spin_of(inverse_inertia_, momentum_, turn);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Vec3 arm = r * arms_[i];
    position[NodeId(nodes_[i])] = centre_ + arm;
    velocity[NodeId(nodes_[i])] = velocity_ + spin.cross(arm) + r * paused_[i];
  }
}

void RigidPiece::save(Writer& out) const {
  out.put_all(std::span<const Index>(nodes_));
  out.put_all(std::span<const Vec3>(arms_)), out.put_all(std::span<const Vec3>(paused_));
  out.put(centre_), out.put(velocity_), out.put(momentum_), out.put(turning_energy_), out.put(vibration_);
  for (int i = 0; i < 4; ++i) out.put(turn_.coeffs()[i]);
  out.put(since_);
}

void RigidPiece::load(Reader& in, const Lattice& lattice) {
  nodes_ = in.get_all<Index>();
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i] >= lattice.node_count() || (i > 0 && nodes_[i] <= nodes_[i - 1])) in.fail();
  }
  if (nodes_.empty()) in.fail();
  arms_.resize(nodes_.size()), paused_.resize(nodes_.size());
  in.get_into(std::span(arms_)), in.get_into(std::span(paused_));
  centre_ = in.get_vec3(), velocity_ = in.get_vec3(), momentum_ = in.get_vec3(), turning_energy_ = in.get<double>(),
  vibration_ = in.get<double>();
  for (int i = 0; i < 4; ++i) turn_.coeffs()[i] = in.get<double>();
  since_ = in.get<double>();
  mass_ = 0;
  for (const Index n : nodes_) mass_ += lattice.mass[NodeId(n)];
  find_inertia(lattice);
  find_tip_speed();
}

}  // namespace sunder::lattice_norton91
