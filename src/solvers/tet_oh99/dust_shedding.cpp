#include "solvers/tet_oh99/dust_shedding.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/random.h"

namespace sunder::tet_oh99 {
namespace {

// Draws of a face, and of a grain.
enum Draw : std::uint64_t { kCount, kSize, kAlong, kAcross, kSpeed, kTilt, kTurn };

double sphere_volume(double diameter) { return std::numbers::pi / 6 * diameter * diameter * diameter; }

// Mean volume of grains whose diameters have the density 1 / d between the smallest and the largest, m^3:
//   pi/6 (b^3 - a^3) / (3 ln(b / a))
double mean_grain_volume(const DustRules& rules) {
  const double octaves = std::log(rules.largest / rules.smallest);
  if (octaves < 1e-6) return sphere_volume(rules.largest);
  return (sphere_volume(rules.largest) - sphere_volume(rules.smallest)) / (3 * octaves);
}

// A point of a triangle, any as likely as any other.
Vec3 point_of(const std::array<Vec3, 3>& corners, double along, double across) {
  const double r = std::sqrt(along);
  return (1 - r) * corners[0] + r * (1 - across) * corners[1] + r * across * corners[2];
}

// A direction within an angle of the normal, any as likely as any other.
Vec3 tilted(const Vec3& normal, double angle, double tilt, double turn) {
  const double cosine = 1 - tilt * (1 - std::cos(angle)), sine = std::sqrt(std::max(0.0, 1 - cosine * cosine));
  const Vec3 u = normal.unitOrthogonal(), v = normal.cross(u);
  const double phi = 2 * std::numbers::pi * turn;
  return cosine * normal + sine * (std::cos(phi) * u + std::sin(phi) * v);
}

}  // namespace

DustShedding::DustShedding(std::vector<DustRules> rules, const std::vector<TetMaterial>& materials, const TetMesh& mesh)
    : rules_(std::move(rules)), faces_(rules_.size(), 0), born_(rules_.size(), 0) {
  for (const TetMaterial& m : materials) density_.push_back(m.constants.density);
  on_ = std::any_of(rules_.begin(), rules_.end(), [](const DustRules& r) { return r.on(); });
  if (on_) kept_.assign(mesh.tet_slots(), 1);
}

DustShedding::Shed DustShedding::after_split(const SplitResult& result, const TetMesh& mesh,
                                             const ElementConstants& elements, const NodeState& state,
                                             const Vec3& gravity, double half_dt, Dust& dust) {
  Shed shed;
  if (kept_.size() == 0) return shed;
  carry_to_new_tets(result, mesh, kept_);
  if (!on_) return shed;
  for (const auto& pair : result.crack_faces) {
    for (const Corner face : {pair.plus, pair.minus}) {
      shed_from(face, mesh, elements, state, gravity, half_dt, dust, shed);
    }
  }
  return shed;
}

void DustShedding::shed_from(Corner face, const TetMesh& mesh, const ElementConstants& elements, const NodeState& state,
                             const Vec3& gravity, double half_dt, Dust& dust, Shed& shed) {
  const std::uint32_t body = mesh.tags(face.tet).body;
  const DustRules& rules = rules_[body];
  if (!rules.on()) return;
  std::array<Vec3, 3> world, rest, velocity;
  const std::array<NodeId, 3> nodes = mesh.face_nodes(face);
  for (std::size_t i = 0; i < 3; ++i) {
    world[i] = state.position[nodes[i]], velocity[i] = state.velocity[nodes[i]];
    rest[i] = mesh.material_position(nodes[i]);
  }
  Vec3 out = (world[1] - world[0]).cross(world[2] - world[0]).stableNormalized();
  if (out.dot(state.position[mesh.node(face)] - world[0]) > 0) out = -out;  // away from the material
  const double area = 0.5 * (rest[1] - rest[0]).cross(rest[2] - rest[0]).norm();

  Vec3 middle = Vec3::Zero(), mean_velocity = Vec3::Zero();  // of the tet
  for (const NodeId n : mesh.corners(face.tet)) {
    middle += state.position[n] / 4, mean_velocity += state.velocity[n] / 4;
  }
  const double volume = elements.volume[face.tet];
  const std::uint64_t seed = random_bits(rules.seed, body), face_key = ~faces_[body]++;
  const double expected = rules.thickness * area / mean_grain_volume(rules) + random_unit(seed, face_key, kCount);
  const std::uint64_t most = rules.most > 0 ? rules.most : DustRules::kMostGrains;
  Vec3 impulse = Vec3::Zero();
  for (std::uint64_t i = 0; i + 1 <= expected && born_[body] < most; ++i) {
    const auto draw = [&, key = born_[body]](Draw what) { return random_unit(seed, key, what); };
    const double diameter = rules.smallest * std::pow(rules.largest / rules.smallest, draw(kSize));
    const double share = sphere_volume(diameter) / volume;
    if (kept_[face.tet] - share < kLeastKept) break;
    kept_[face.tet] -= share;
    ++born_[body];
    Grain grain;
    grain.position = point_of(world, draw(kAlong), draw(kAcross));
    grain.rest = point_of(rest, draw(kAlong), draw(kAcross));
    grain.velocity =
        point_of(velocity, draw(kAlong), draw(kAcross)) +
        draw(kSpeed) * rules.speed * tilted(out, rules.angle * std::numbers::pi / 180, draw(kTilt), draw(kTurn));
    grain.radius = diameter / 2;
    grain.mass = density_[mesh.tags(face.tet).material] * sphere_volume(diameter);
    grain.body = body;
    dust.add(grain);
    impulse += grain.mass * (mean_velocity - grain.velocity);
    ++shed.grains;
    shed.mass += grain.mass;
    shed.gained += energy(grain, gravity, half_dt) + grain.mass * gravity.dot(middle - half_dt * mean_velocity);
  }
  if (!impulse.isZero()) pushes_.push_back({mesh.corners(face.tet), impulse});
}

double DustShedding::recoil(const Column<NodeId, double>& inverse_mass, Column<NodeId, Vec3>& velocity) {
  double gained = 0;
  for (const Push& push : pushes_) {
    const Vec3 quarter = push.impulse / 4;
    for (const NodeId n : push.nodes) {
      gained += quarter.dot(velocity[n]) + 0.5 * inverse_mass[n] * quarter.squaredNorm();
      velocity[n] += inverse_mass[n] * quarter;
    }
  }
  pushes_.clear();
  return gained;
}

std::vector<DebrisEvent> DustShedding::news(const Dust& dust, const std::vector<std::string>& body_names, double time) {
  std::vector<DebrisEvent> by_body(body_names.size());
  for (; told_ < dust.grains().size(); ++told_) {
    const Grain& g = dust.grains()[told_];
    DebrisEvent& event = by_body[g.body];
    ++event.grains;
    event.volume += sphere_volume(2 * g.radius);
    event.mass += g.mass;
    event.position += g.mass * g.position, event.velocity += g.mass * g.velocity;
  }
  for (std::size_t b = 0; b < by_body.size(); ++b) {
    DebrisEvent& event = by_body[b];
    event.time = time, event.kind = DebrisEvent::Kind::shed, event.body = body_names[b];
    if (event.grains > 0) event.position /= event.mass, event.velocity /= event.mass;
  }
  std::erase_if(by_body, [](const DebrisEvent& event) { return event.grains == 0; });
  return by_body;
}

void DustShedding::renumber_tets(const std::vector<TetId>& tet, std::size_t slots) {
  if (kept_.size() == 0) return;
  Column<TetId, double> kept(slots, 1);
  for (std::size_t t = 0; t < tet.size(); ++t) {
    if (tet[t].valid()) kept[tet[t]] = kept_[TetId(t)];
  }
  kept_ = std::move(kept);
}

void DustShedding::save(Writer& out) const {
  out.put_all(kept_.span());
  out.put_all(std::span<const std::uint64_t>(faces_)), out.put_all(std::span<const std::uint64_t>(born_));
  out.put(told_);
}

void DustShedding::load(Reader& in, const TetMesh& mesh) {
  const std::vector<double> kept = in.get_all<double>();
  if (!kept.empty() && kept.size() != mesh.tet_slots()) in.fail();
  kept_.assign(kept.empty() && !on_ ? 0 : mesh.tet_slots(), 1);
  for (std::size_t t = 0; t < kept.size(); ++t) {
    if (mesh.alive(TetId(t)) && !(kept[t] >= 0.99 * kLeastKept && kept[t] <= 1)) in.fail();
    kept_[TetId(t)] = kept[t];
  }
  in.get_into(std::span<std::uint64_t>(faces_)), in.get_into(std::span<std::uint64_t>(born_));
  told_ = in.get<std::uint64_t>();
}

}  // namespace sunder::tet_oh99
