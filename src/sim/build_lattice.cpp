#include "sim/build_lattice.h"

#include <fmt/format.h>

#include <cmath>

#include "core/hash.h"
#include "core/random.h"
#include "core/rotation.h"
#include "materials/preset_strength.h"
#include "meshing/lattice_cells.h"
#include "sim/select.h"
#include "sim/start_warnings.h"
#include "sim/toughness_of_scene.h"

namespace sunder {
namespace {

using namespace lattice_norton91;

BondPattern pattern_of(LatticeBonds bonds) {
  switch (bonds) {
    case LatticeBonds::edges_body:
      return BondPattern::edges_body;
    case LatticeBonds::edges_face:
      return BondPattern::edges_face;
    case LatticeBonds::edges_faces:
      return BondPattern::edges_faces;
    case LatticeBonds::full:
      break;
  }
  return BondPattern::full;
}

// Pa: a preset has one, which `toughness` given by hand puts out of force. What cannot break for want of one is told.
double strength_of(const BodySpec& body, std::vector<std::string>& warnings) {
  const Material& m = body.material;
  if (m.strength > 0 || m.toughness == 0) return m.strength;
  const MaterialPreset* preset = find_material_preset(body.material_name);
  const double strength = preset_strength(body.material_name);
  if (strength > 0 && m.toughness == preset->material.toughness) return strength;
  if (!body.lattice.threshold) {
    warnings.push_back(fmt::format(
        "body \"{}\" cannot break: its `toughness`, {:.4g} N, is a force on the nodes of tetrahedra; give its material "
        "a `strength` in its place ({:.2g} Pa is what that force amounts to at its `edge`, {:.3g} m), or its lattice a "
        "`threshold` (strain)",
        body.name, m.toughness, m.toughness / (body.edge * body.edge), body.edge));
  }
  return 0;
}

LatticeMaterial material_of(const Scene& scene, std::size_t index, std::vector<std::string>& warnings) {
  const BodySpec& body = scene.bodies[index];
  const Material& m = body.material;
  LatticeMaterial result;
  result.young = m.mu * (3 * m.lambda + 2 * m.mu) / (m.lambda + m.mu);
  result.density = m.density;
  result.scatter = body.lattice.scatter;
  result.damping = body.lattice.damping;
  result.seed = random_bits(scene.seed, index, 7);
  if (const auto& spring = body.lattice.spring) {
    result.springs = BondSprings{.edge = *spring,
                                 .face = body.lattice.spring_face.value_or(*spring),
                                 .body = body.lattice.spring_body.value_or(*spring),
                                 .damping = body.lattice.spring_damping};
  }
  const double poisson = m.lambda / (2 * (m.lambda + m.mu));
  constexpr double kCentral = 0.25, kClose = 0.02;
  if (!result.springs && std::abs(poisson - kCentral) > kClose) {
    warnings.push_back(
        fmt::format("body \"{}\": the bonds of a lattice allow no Poisson's ratio but 0.25; its {:.2g} is not heeded",
                    body.name, poisson));
  }
  if (m.anisotropy || m.flows()) {
    warnings.push_back(
        fmt::format("body \"{}\": a lattice is stiff alike in all directions and does not flow", body.name));
  }
  // Given in the scene: a preset brings viscosity along for whoever wants it.
  struct ForTets {
    const char* key;
    double value;
    const char* ours;
  };
  for (const auto& [key, value, ours] : {ForTets{"phi", m.phi, "damping"}, ForTets{"psi", m.psi, "damping"},
                                         ForTets{"toughness_spread", m.toughness_spread, "scatter"},
                                         ForTets{"toughness_grain", m.toughness_grain, "scatter"}}) {
    if (value == 0 || !scene.places.contains(fmt::format("body[{}].material.{}", index, key))) continue;
    warnings.push_back(
        fmt::format("body \"{}\": `{}` is for tetrahedra; its `lattice` has `{}`", body.name, key, ours));
  }
  if (!scene.fracture.on) return result;
  result.strength = strength_of(body, warnings);
  result.threshold = body.lattice.threshold.value_or(result.springs ? 0 : result.strength / result.young);
  return result;
}

}  // namespace

void build_lattices(const Scene& scene, BuiltRun& run) {
  LatticeSetup setup;
  Hash64 fingerprint;
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const BodySpec& spec = scene.bodies[b];
    LatticeBody body;
    body.name = spec.name;
    std::vector<std::string> notes;
    try {
      body.cells = lattice_cells(spec.shape, {.edge = spec.edge, .layers = spec.layers}, notes);
    } catch (const InputError& error) {
      throw error.at(scene.place(fmt::format("body[{}].edge", b)));
    }
    for (const std::string& note : notes) run.warnings.push_back(fmt::format("body \"{}\": {}", spec.name, note));
    const Mat3 rotation = rotation_matrix(spec.rotation);
    for (Vec3& point : body.cells.points) point = rotation * point + spec.position;
    body.material = material_of(scene, b, run.warnings);
    body.weakness = weakness_of_lattice(scene, b, body.cells.points);
    body.pattern = pattern_of(spec.lattice.bonds);
    body.velocity = spec.velocity, body.spin = spec.spin;
    fingerprint.add(flat(body.cells.points));
    for (const auto& cell : body.cells.cells) fingerprint.add(std::span<const std::uint32_t>(cell));
    setup.bodies.push_back(std::move(body));
  }
  if (!scene.regions.empty()) {
    const Selectable all = selectable(setup.bodies);
    for (std::size_t r = 0; r < scene.regions.size(); ++r) setup.regions.push_back(resolve_region(scene, r, all));
  }
  for (const ColliderSpec& spec : scene.colliders) setup.colliders.push_back(make_collider(spec));
  std::vector<Vec3> nodes;
  for (const LatticeBody& body : setup.bodies) {
    nodes.insert(nodes.end(), body.cells.points.begin(), body.cells.points.end());
  }
  warn_about_colliders(scene, nodes, setup.colliders, run.warnings);
  LatticeParameters& p = setup.parameters;
  p.gravity = scene.gravity;
  p.scheme = scene.integrator == Integrator::forward_euler ? Scheme::forward_euler : Scheme::symplectic_euler;
  p.dt = scene.dt;
  p.safety = scene.safety;
  p.keep = scene.lattices.keep;
  p.flight = scene.lattices.flight;
  p.sleep = scene.contact.sleep;
  // 1 is that of both sides one behind the other: half of either.
  p.contact = {.on = scene.contact.on,
               .stiffness = 0.5 * scene.contact.stiffness,
               .damping = scene.contact.damping,
               .friction = scene.contact.friction,
               .within = scene.lattices.within};
  for (const ControlSpec& c : scene.lattices.control) p.controls.push_back({c.time, c.gravity, c.stiffness, c.length});
  run.mesh_fingerprint = fingerprint.value();
  try {
    run.lattice = std::make_unique<LatticeSolver>(std::move(setup));
  } catch (const InputError& error) {
    throw error.at(scene.place("body[0].edge"));
  }
  const Lattice& lattice = run.lattice->lattice();
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    if (scene.bodies[b].lattice.spring) {
      run.warnings.push_back(
          fmt::format("body \"{}\": its springs amount to a Young's modulus of {:.3g} Pa; the material's is not heeded",
                      scene.bodies[b].name, lattice.mean_young[b]));
    }
    constexpr double kFarOff = 0.1;
    if (lattice.fit[b].mean > kFarOff) {
      run.warnings.push_back(fmt::format(
          "body \"{}\": its cells are too skew or flat to be stiff alike in all directions: off by {:.2g} of "
          "the stiffness on average, by {:.2g} in cell {}; a shorter `edge`, or one nearer to the wall's "
          "thickness, helps",
          scene.bodies[b].name, lattice.fit[b].mean, lattice.fit[b].worst, lattice.fit[b].worst_cell));
    }
  }
}

}  // namespace sunder
