#include "sim/build.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "collision/closed_surface.h"
#include "core/hash.h"
#include "core/random.h"
#include "core/rotation.h"
#include "mesh/validate.h"
#include "meshfile/read_surface.h"
#include "meshing/cell_tets.h"
#include "meshing/lattice_cells.h"
#include "meshing/mesh_file.h"
#include "meshing/mesh_notes.h"
#include "meshing/mesh_shape.h"
#include "meshing/renumber.h"
#include "meshing/repair_surface.h"
#include "scene/method_scenes.h"
#include "sim/build_lattice.h"
#include "sim/build_surface.h"
#include "sim/memory.h"
#include "sim/select.h"
#include "sim/start_warnings.h"
#include "sim/toughness_of_scene.h"

namespace sunder {
namespace {

using tet_oh99::TetSetup;

tet_oh99::Scheme scheme(Integrator integrator) {
  switch (integrator) {
    case Integrator::forward_euler:
      return tet_oh99::Scheme::forward_euler;
    case Integrator::taylor2:
      return tet_oh99::Scheme::taylor2;
    case Integrator::symplectic_euler:
      return tet_oh99::Scheme::symplectic_euler;
  }
  return tet_oh99::Scheme::symplectic_euler;
}

Vec3 centre_of_mass(const TetSoup& soup) {
  Vec3 moment = Vec3::Zero();
  double volume = 0;
  for (const auto& t : soup.tets) {
    const TetCorners x = {soup.points[t[0]], soup.points[t[1]], soup.points[t[2]], soup.points[t[3]]};
    const double v = signed_volume(x);
    moment += v * (x[0] + x[1] + x[2] + x[3]) / 4;
    volume += v;
  }
  return moment / volume;
}

TetSoup tets_of_cells(const BodySpec& body, std::vector<std::string>& warnings) {
  std::vector<std::string> notes;
  const HexSoup cells = lattice_cells(body.shape, {.edge = body.edge, .layers = body.layers}, notes);
  for (const std::string& note : notes) warnings.push_back(fmt::format("body \"{}\": {}", body.name, note));
  TetSoup soup = cell_tets(cells);
  require_valid_soup(soup, body.name);
  return soup;
}

// A shape may be possible and yet not at its edge length: the message names the body's place.
TetSoup meshed(const Scene& scene, std::size_t index, std::vector<std::string>& warnings) {
  const BodySpec& body = scene.bodies[index];
  const std::uint64_t seed = random_bits(scene.seed, index);
  const auto* file = std::get_if<FileShape>(&body.shape);
  if (file != nullptr && !body.cells) {  // an error names the file itself
    const FileMesh mesh = mesh_file(*file, body.edge, seed);
    if (mesh.surface) {
      for (const std::string& note : mesh_notes(*mesh.surface)) {
        warnings.push_back(fmt::format("body \"{}\": {}", body.name, note));
      }
    }
    return renumbered(mesh.soup);
  }
  try {
    if (body.cells) return renumbered(tets_of_cells(body, warnings));
    return mesh_shape(body.shape, MeshOptions{body.edge, body.layers, seed});
  } catch (const InputError& error) {
    throw error.at(scene.place(fmt::format("body[{}].edge", index)));
  }
}

// Meshes a body where the scene puts it: material positions are the placed ones, so that the reassembled bodies look
// like the scene at the start. Density is uniform, so the centre of volume is the centre of mass.
void add_body(const Scene& scene, std::size_t index, TetSetup& setup, std::vector<std::string>& warnings) {
  const BodySpec& body = scene.bodies[index];
  TetSoup soup = meshed(scene, index, warnings);
  const Mat3 rotation = rotation_matrix(body.rotation);
  for (Vec3& point : soup.points) point = rotation * point + body.position;
  for (SkinFace& face : soup.skin) {
    for (Vec3& normal : face.skin.normals) normal = rotation * normal;
  }
  const auto number = static_cast<std::uint32_t>(index);
  setup.mesh.append(soup, {.body = number, .material = number});
  const Vec3 centre = centre_of_mass(soup);
  for (const Vec3& point : soup.points) {
    setup.state.position.push_back(point);
    setup.state.velocity.push_back(body.velocity + body.spin.cross(point - centre));
  }
}

tet_oh99::FractureParameters fracture_parameters(const FractureSpec& spec) {
  tet_oh99::FractureParameters p;
  p.on = spec.on;
  p.compression = spec.compression == CompressionRule::printed ? Compression::printed : Compression::negative_part;
  p.rules.crack_speed = spec.crack_speed;
  p.rules.tip_share = spec.tip_share;
  p.rules.tip_length = spec.tip_length;
  p.rules.residual = spec.residual;
  p.split.snap_distance = spec.snap_distance;
  p.split.snap_angle = spec.snap_angle;
  p.split.bend_at_tips = spec.bend_at_tips;
  p.split.altitude_floor = spec.altitude_floor;
  p.split.quality_floor = spec.quality_floor;
  p.split.least_altitude = spec.smallest;
  return p;
}

// Beyond that many nothing splits any more: dust that no picture shows, and no memory holds. Set by the scene, not by
// the machine, so that all machines agree.
std::size_t most_tets(std::size_t at_start) {
  constexpr std::size_t kMost = 50'000'000;
  return std::min(kMost, 1'000'000 + 30 * at_start);
}

// By body: those of the first table that names it, or all bodies.
std::vector<DustRules> dust_rules(const Scene& scene) {
  std::vector<DustRules> rules;
  for (const BodySpec& body : scene.bodies) {
    const auto spec = std::find_if(scene.dust.begin(), scene.dust.end(),
                                   [&](const DustSpec& d) { return d.body.empty() || d.body == body.name; });
    rules.push_back(spec == scene.dust.end() ? DustRules{} : spec->rules);
    rules.back().seed = random_bits(scene.seed, rules.back().seed, 5);
  }
  return rules;
}

// The surface of a mesh collider: cleaned as those that are filled with tets, but it must be closed.
std::shared_ptr<const ClosedSurface> closed_surface(const MeshCollider& mesh) {
  const std::string file = mesh.path.string();
  const RepairedSurface surface = repair_surface(read_surface(mesh.path), file);
  if (surface.open_edges > 0) {
    throw InputError({file},
                     fmt::format("the surface is not closed: {} edges have one triangle only", surface.open_edges),
                     "a collider needs a surface without holes: close them, or take a shape such as box or capsule");
  }
  std::vector<Vec3> points;
  for (const Vec3& p : surface.points) points.push_back(mesh.scale * (surface.centre + surface.scale * p));
  if (!(surface.volume > 1e-9)) {
    throw InputError({file}, "the surface encloses nothing", "a collider needs the surface of a solid");
  }
  return std::make_shared<const ClosedSurface>(std::move(points), surface.triangles);
}

}  // namespace

Collider make_collider(const ColliderSpec& spec) {
  Collider collider;
  collider.name = spec.name;
  collider.shape = spec.shape;
  collider.position = spec.position;
  collider.rotation = rotation_matrix(spec.rotation);
  collider.friction = spec.friction;
  collider.damping = spec.damping;
  collider.stiffness = spec.stiffness;
  collider.motion = spec.motion;
  collider.mass = spec.mass, collider.density = spec.density;
  collider.velocity = spec.velocity, collider.spin = spec.spin;
  for (const KeyframeSpec& k : spec.keyframes) {
    collider.keyframes.push_back({k.time, k.position, Eigen::Quaterniond(rotation_matrix(k.rotation)).normalized()});
  }
  collider.rope = spec.rope;
  if (const auto* mesh = std::get_if<MeshCollider>(&spec.shape)) collider.surface = closed_surface(*mesh);
  return collider;
}

namespace {

std::uint64_t fingerprint(const TetMesh& mesh) {
  Hash64 hash;
  for (const NodeId n : id_range<NodeId>(mesh.node_slots())) {
    hash.add(std::span<const double>(mesh.material_position(n).data(), 3));
  }
  for (const TetId t : id_range<TetId>(mesh.tet_slots())) {
    hash.add(mesh.tags(t).body);
    for (const NodeId n : mesh.corners(t)) hash.add(n.index);
  }
  return hash.value();
}

void build_tets(const Scene& scene, BuiltRun& run) {
  TetSetup setup;
  const double memory = available_memory();
  double tets = 0;
  for (const BodySpec& body : scene.bodies) tets += estimated_tets(body.shape, body.edge);  // 0 for files
  require_memory(scene, tets, memory);
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const BodySpec& body = scene.bodies[b];
    add_body(scene, b, setup, run.warnings);
    setup.body_names.push_back(body.name);
    setup.materials.push_back(tet_oh99::material_of_body(body.material, rotation_matrix(body.rotation),
                                                         scene.crushing == CrushingRule::barrier));
  }
  if (setup.mesh.tet_count() == 0) throw InputError(scene.place("body"), "the bodies hold no tetrahedra");
  require_memory(scene, static_cast<double>(setup.mesh.tet_count()), memory);
  setup.toughness = toughness_fields(scene, setup.mesh);
  run.mesh_fingerprint = fingerprint(setup.mesh);
  run.parts = setup.mesh.part_names();
  if (!scene.regions.empty()) {
    const Selectable all = selectable(setup.mesh, setup.state.position);
    for (std::size_t r = 0; r < scene.regions.size(); ++r) setup.regions.push_back(resolve_region(scene, r, all));
  }
  for (const ColliderSpec& spec : scene.colliders) setup.colliders.push_back(make_collider(spec));
  warn_about_start(scene, setup, run.warnings);
  setup.parameters.gravity = scene.gravity;
  setup.parameters.scheme = scheme(scene.integrator);
  setup.parameters.dt = scene.dt;
  setup.parameters.safety = scene.safety;
  setup.parameters.damping.capped = scene.damping == DampingRule::capped;
  setup.parameters.damping.largest_ratio = scene.damping_cap;
  setup.parameters.fracture = fracture_parameters(scene.fracture);
  setup.parameters.contact = scene.contact;
  setup.parameters.debris = scene.debris;
  setup.parameters.dust = dust_rules(scene);
  setup.parameters.fracture.most_tets = most_tets(setup.mesh.tet_count());
  run.solver = std::make_unique<tet_oh99::TetSolver>(std::move(setup));
}

void build_method(const Scene& scene, BuiltRun& run) {
  if (scene.bodies[0].is_surface()) {
    build_surfaces(scene, run);
  } else if (scene.bodies[0].is_lattice()) {
    build_lattices(scene, run);
  } else {
    build_tets(scene, run);
  }
}

// Each method builds its own bodies, and one solver steps them all.
void build_mixed(const Scene& scene, BuiltRun& run) {
  std::vector<mixed::Part> parts;
  Hash64 fingerprint;
  for (const MethodScene& method : method_scenes(scene)) {
    build_method(method.scene, run);
    fingerprint.add(run.mesh_fingerprint);
    SharedSolver* const solver = method.solver == kLatticeSolver ? static_cast<SharedSolver*>(run.lattice.get())
                                                                 : static_cast<SharedSolver*>(run.solver.get());
    parts.push_back({solver, method.bodies});
  }
  run.mesh_fingerprint = fingerprint.value();
  const mixed::BallContactRules rules{.on = scene.contact.on,
                                      .stiffness = 0.5 * scene.contact.stiffness,
                                      .damping = scene.contact.damping,
                                      .friction = scene.contact.friction};
  run.mixed = std::make_unique<mixed::MixedSolver>(std::move(parts), rules, !scene.dt);
}

}  // namespace

BuiltRun build_run(const Scene& scene) {
  BuiltRun run;
  for (const BodySpec& body : scene.bodies) {
    run.bodies.push_back(body.name);
    run.materials.push_back(body.material_name);
  }
  for (const ColliderSpec& collider : scene.colliders) run.colliders.push_back(collider.name);
  warn_about_unheeded_keys(scene, run.warnings);
  scene.is_mixed() ? build_mixed(scene, run) : build_method(scene, run);
  return run;
}

}  // namespace sunder
