#include "solvers/regions.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <utility>

#include "solvers/records.h"

namespace sunder {
namespace {

// Force of unit pressure on one corner of a face: a third of the inward area vector.
Vec3 unit_pressure(const std::array<NodeId, 3>& f, const Column<NodeId, Vec3>& x) {
  return -(x[f[1]] - x[f[0]]).cross(x[f[2]] - x[f[0]]) / 6;
}

}  // namespace

const char* kind_name(Region::Kind kind) {
  switch (kind) {
    case Region::Kind::hold:
      return "hold";
    case Region::Kind::move:
      return "move";
    case Region::Kind::force:
      return "force";
    case Region::Kind::pressure:
      return "pressure";
  }
  return "";
}

Regions::Regions(std::vector<Region> regions) : regions_(std::move(regions)) {}

void Regions::start_supports(Column<NodeId, Vec3>& velocity) const {
  for (const Region& region : regions_) {
    if (!region.supports() || !region.active(0)) continue;
    for (const NodeId n : region.nodes) {
      for (int a = 0; a < 3; ++a) {
        if (region.axes[static_cast<std::size_t>(a)]) velocity[n][a] = region.velocity[a];
      }
    }
  }
}

void Regions::add_loads(double time, const Column<NodeId, Vec3>& position, const Column<NodeId, Vec3>& velocity,
                        Column<NodeId, Vec3>& force) {
  applied_.clear();
  const auto apply = [&](std::size_t region, NodeId node, const Vec3& f) {
    force[node] += f;
    applied_.push_back({region, node, f, velocity[node]});
  };
  for (std::size_t r = 0; r < regions_.size(); ++r) {
    const Region& region = regions_[r];
    if (!region.active(time)) continue;
    if (region.kind == Region::Kind::force) {
      for (std::size_t i = 0; i < region.nodes.size(); ++i) apply(r, region.nodes[i], region.share[i] * region.force);
    } else if (region.kind == Region::Kind::pressure) {
      for (const auto& face : region.faces) {
        const Vec3 f = region.pressure * unit_pressure(face, position);
        for (const NodeId n : face) apply(r, n, f);
      }
    }
  }
}

void Regions::add_load_rates(double time, const Column<NodeId, Vec3>& x, const Column<NodeId, Vec3>& v,
                             Column<NodeId, Vec3>& force_rate) const {
  for (const Region& region : regions_) {
    if (region.kind != Region::Kind::pressure || !region.active(time)) continue;
    for (const auto& f : region.faces) {
      const Vec3 e1 = x[f[1]] - x[f[0]], e2 = x[f[2]] - x[f[0]];
      const Vec3 d1 = v[f[1]] - v[f[0]], d2 = v[f[2]] - v[f[0]];
      const Vec3 rate = -region.pressure * (d1.cross(e2) + e1.cross(d2)) / 6;
      for (const NodeId n : f) force_rate[n] += rate;
    }
  }
}

void Regions::constrain(double time, double dt, const Column<NodeId, double>& mass, const Vec3& gravity,
                        const Column<NodeId, Vec3>& velocity, Column<NodeId, Vec3>& force) {
  for (std::size_t r = 0; r < regions_.size(); ++r) {
    const Region& region = regions_[r];
    if (!region.supports() || !region.active(time)) continue;
    for (const NodeId n : region.nodes) {
      Vec3 needed = force[n];
      for (int a = 0; a < 3; ++a) {
        if (!region.axes[static_cast<std::size_t>(a)]) continue;
        needed[a] = mass[n] * ((region.velocity[a] - velocity[n][a]) / dt - gravity[a]);
      }
      applied_.push_back({r, n, needed - force[n], velocity[n]});
      force[n] = needed;
    }
  }
}

void Regions::constrain_jerk(double time, Column<NodeId, Vec3>& jerk) const {
  for (const Region& region : regions_) {
    if (!region.supports() || !region.active(time)) continue;
    for (const NodeId n : region.nodes) {
      for (int a = 0; a < 3; ++a) {
        if (region.axes[static_cast<std::size_t>(a)]) jerk[n][a] = 0;
      }
    }
  }
}

void Regions::press(std::size_t region, std::vector<std::array<NodeId, 3>> faces) {
  regions_[region].faces = std::move(faces);
}

void Regions::account(double dt, const Column<NodeId, Vec3>& velocity, std::vector<Reaction>& reactions) {
  region_force_.assign(regions_.size(), Vec3::Zero());
  region_work_.assign(regions_.size(), 0.0);
  for (const Applied& a : applied_) {
    region_force_[a.region] += a.force;
    region_work_[a.region] += dt * a.force.dot(0.5 * (a.velocity_before + velocity[a.node]));
  }
  for (std::size_t r = 0; r < regions_.size(); ++r) book(reactions[r], region_force_[r], region_work_[r], dt);
}

}  // namespace sunder
