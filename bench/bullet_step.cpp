#include "bench/bullet_step.h"

#include <BulletSoftBody/btDeformableNeoHookeanForce.h>
#include <BulletSoftBody/btSoftBody.h>

#include <vector>

namespace sunder::bench {
namespace {

std::vector<btVector3> points(const TetSoup& soup) {
  std::vector<btVector3> result;
  for (const Vec3& p : soup.points) result.emplace_back(p.x(), p.y(), p.z());
  return result;
}

}  // namespace

struct BulletStep::Impl {
  Impl(const TetSoup& soup, double lambda, double mu, double density)
      : force(mu, lambda, 0.01), body(&world, static_cast<int>(soup.points.size()), points(soup).data(), nullptr) {
    for (const auto& t : soup.tets) {
      body.appendTetra(static_cast<int>(t[0]), static_cast<int>(t[1]), static_cast<int>(t[2]), static_cast<int>(t[3]));
    }
    for (int i = 0; i < body.m_nodes.size(); ++i) body.m_nodes[i].index = i;
    body.setVolumeDensity(density);
    body.initializeDmInverse();
    body.m_tetraScratches.resize(body.m_tetras.size());
    force.addSoftBody(&body);
    sum.resize(body.m_nodes.size());
  }
  btSoftBodyWorldInfo world;
  btDeformableNeoHookeanForce force;
  btSoftBody body;
  btAlignedObjectArray<btVector3> sum;
};

BulletStep::BulletStep(const TetSoup& soup, double lambda, double mu, double density)
    : impl_(std::make_unique<Impl>(soup, lambda, mu, density)) {}
BulletStep::~BulletStep() = default;

void BulletStep::step(double dt) {
  btSoftBody& body = impl_->body;
  for (int i = 0; i < impl_->sum.size(); ++i) impl_->sum[i].setZero();
  body.updateDeformation();
  impl_->force.addScaledElasticForce(1, impl_->sum);
  impl_->force.addScaledDampingForce(1, impl_->sum);
  for (int i = 0; i < body.m_nodes.size(); ++i) {
    btSoftBody::Node& n = body.m_nodes[i];
    n.m_v += dt * (n.m_im * impl_->sum[i] + btVector3(0, -9.81, 0));
    n.m_x += dt * n.m_v;
    n.m_q = n.m_x;
  }
}

}  // namespace sunder::bench
