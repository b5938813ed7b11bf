#include "bench/scalar_step.h"

#include <Eigen/LU>

namespace sunder::bench {

ScalarStep::ScalarStep(const TetSoup& soup, double lambda, double mu, double phi, double psi, double density)
    : lambda_(lambda), mu_(mu), phi_(phi), psi_(psi) {
  for (const Vec3& p : soup.points) nodes_.push_back({p, Vec3::Zero(), Vec3::Zero()});
  for (const auto& t : soup.tets) {
    Mat3 edges;
    for (int i = 0; i < 3; ++i) edges.col(i) = soup.points[t[static_cast<std::size_t>(i) + 1]] - soup.points[t[0]];
    const double volume = edges.determinant() / 6;
    tets_.push_back({t, edges.inverse(), volume});
    for (const auto n : t) nodes_[n].mass += density * volume / 4;
  }
}

void ScalarStep::step(double dt) {
  for (Node& n : nodes_) n.force.setZero();
  for (const Tet& t : tets_) {
    Node &n0 = nodes_[t.node[0]], &n1 = nodes_[t.node[1]], &n2 = nodes_[t.node[2]], &n3 = nodes_[t.node[3]];
    Mat3 edges, rates;
    edges << n1.position - n0.position, n2.position - n0.position, n3.position - n0.position;
    rates << n1.velocity - n0.velocity, n2.velocity - n0.velocity, n3.velocity - n0.velocity;
    const Mat3 f = edges * t.rest_inverse, g = rates * t.rest_inverse;
    const Mat3 strain = 0.5 * (f.transpose() * f - Mat3::Identity());
    const Mat3 mixed = f.transpose() * g;
    const Mat3 rate = 0.5 * (mixed + mixed.transpose());
    const Mat3 stress =
        (lambda_ * strain.trace() + phi_ * rate.trace()) * Mat3::Identity() + 2 * mu_ * strain + 2 * psi_ * rate;
    const Mat3 forces = -t.volume * f * stress * t.rest_inverse.transpose();
    n1.force += forces.col(0);
    n2.force += forces.col(1);
    n3.force += forces.col(2);
    n0.force -= forces.col(0) + forces.col(1) + forces.col(2);
  }
  for (Node& n : nodes_) {
    n.velocity += dt * (n.force / n.mass + Vec3(0, -9.81, 0));
    n.position += dt * n.velocity;
  }
}

}  // namespace sunder::bench
