#include "sim/build_surface.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/hash.h"
#include "core/random.h"
#include "core/suggest.h"
#include "fracture/toughness.h"
#include "mesh/curvature.h"
#include "sim/surface_notes.h"
#include "sim/surface_of_body.h"
#include "solvers/surface_iben06/stress_sources.h"

namespace sunder {
namespace {

using namespace surface_iben06;

constexpr double kDegree = std::numbers::pi / 180;

Relaxation relaxation(RelaxWay way) {
  switch (way) {
    case RelaxWay::exact:
      return Relaxation::exact;
    case RelaxWay::paper:
      return Relaxation::paper;
    case RelaxWay::local:
      break;
  }
  return Relaxation::local;
}

CurvatureScale curvature_scale(CurvatureMeasure measure) {
  switch (measure) {
    case CurvatureMeasure::gaussian:
      return CurvatureScale::gaussian;
    case CurvatureMeasure::mean:
      return CurvatureScale::mean;
    case CurvatureMeasure::frobenius:
      return CurvatureScale::frobenius;
    case CurvatureMeasure::squares:
      return CurvatureScale::squares;
    case CurvatureMeasure::none:
      break;
  }
  return CurvatureScale::none;
}

// What the model has under a name: a value of each point or of each triangle; the other list is empty.
struct Painted {
  std::vector<double> points, faces;
};

Painted painted_values(const Scene& scene, std::size_t index, const BodySurface& surface, const std::string& name,
                       const char* key) {
  if (name.empty()) return {};
  const auto of_points = surface.attributes.find(name), of_faces = surface.face_attributes.find(name);
  Painted painted;
  if (of_points != surface.attributes.end()) {
    painted.points = of_points->second;
  } else if (of_faces != surface.face_attributes.end()) {
    painted.faces = of_faces->second;
  } else {
    std::vector<std::string> names;
    for (const auto* known : {&surface.attributes, &surface.face_attributes}) {
      for (const auto& [other, values] : *known) names.push_back(other);
    }
    throw InputError(scene.place(fmt::format("body[{}].coat.{}", index, key)),
                     fmt::format("points and faces of `{}` have no value `{}`", scene.bodies[index].name, name),
                     names.empty() ? "only models with values at points or faces have some: PLY, for instance"
                                   : suggestion(name, names));
  }
  return painted;
}

// Points whose value is above one half, and the corners of such faces.
std::vector<std::uint8_t> held_points(const Painted& painted, const TriMesh& mesh) {
  std::vector<std::uint8_t> held(mesh.node_count(), 0);
  for (const NodeId n : id_range<NodeId>(mesh.node_count())) {
    if (!painted.points.empty() && painted.points[mesh.source(n)] > 0.5) held[n.index] = 1;
  }
  for (const TriangleId t : id_range<TriangleId>(mesh.triangle_count())) {
    if (painted.faces.empty() || !(painted.faces[mesh.source(t)] > 0.5)) continue;
    for (const NodeId n : mesh.corners(t)) held[n.index] = 1;
  }
  return held;
}

double mean_edge(const TriMesh& mesh) {
  double sum = 0;
  for (const TriangleId t : id_range<TriangleId>(mesh.triangle_count())) {
    const TriangleCorners x = mesh.places(t);
    sum += (x[1] - x[0]).norm() + (x[2] - x[1]).norm() + (x[0] - x[2]).norm();
  }
  return sum / (3 * static_cast<double>(mesh.triangle_count()));
}

// `key` is where the scene has it; `length` what a range of noise of one is, m.
std::vector<Mat2> stress_of(const Scene& scene, std::size_t index, const BodySurface& surface, const Membrane& membrane,
                            const StressSpec& spec, const char* key, std::uint64_t noise_seed, double length) {
  StressSources sources;
  sources.tension = spec.tension;
  sources.curvature = spec.curvature;
  sources.noise = spec.noise;
  sources.noise_seed = noise_seed;
  sources.noise_range = spec.noise_range * length;
  for (const ImpactSpec& i : spec.impacts) sources.impacts.push_back({i.point, i.hoop, i.radial, i.radius, i.rings});
  Painted painted = painted_values(scene, index, surface, spec.painted, key);
  for (auto* values : {&painted.points, &painted.faces}) {
    for (double& value : *values) value *= spec.painted_factor;
  }
  sources.painted = std::move(painted.points);
  sources.painted_faces = std::move(painted.faces);
  return stress_pattern(membrane, sources);
}

CoatSetup coat_setup(const Scene& scene, std::size_t index, const BodySurface& surface) {
  const BodySpec& body = scene.bodies[index];
  const CoatSpec& spec = spec_of(body.coat);
  const std::uint64_t seed = random_bits(scene.seed, index, 1);
  const TriMesh mesh(surface.points, surface.triangles);

  MembraneRules rules;
  rules.length = !spec.substrate ? std::numeric_limits<double>::infinity()
                                 : spec.length.value_or(kEdgesOfLength * mean_edge(mesh));
  CoatSetup setup;
  setup.name = body.name;
  setup.membrane = Membrane(mesh, rules, node_normals(mesh));
  setup.uvs = surface.uvs;

  const double noise_length = spec.substrate ? rules.length : kEdgesOfLength * setup.membrane.mean_edge();
  const std::vector<Mat2> pattern =
      stress_of(scene, index, surface, setup.membrane, spec, "painted", random_bits(seed, 1), noise_length);
  const std::vector<Mat2> once =
      stress_of(scene, index, surface, setup.membrane, spec.once, "once.painted", random_bits(seed, 2), noise_length);
  for (const TriangleId t : id_range<TriangleId>(mesh.triangle_count())) {
    setup.membrane.set_pattern(t, pattern[t.index]);
    setup.membrane.set_once(t, once[t.index]);
  }
  const std::vector<double> scales =
      curvature_scales(mesh, curvature_scale(spec.curvature_scale), spec.curvature_share, spec.curvature_most);
  const Toughness toughness{.value = 1, .noise = Toughness::Noise::node, .spread = spec.toughness_spread, .seed = seed};
  const std::vector<std::uint8_t> held = held_points(painted_values(scene, index, surface, spec.held, "held"), mesh);
  for (const NodeId n : id_range<NodeId>(mesh.node_count())) {
    Joint& joint = setup.membrane.joint(n);
    joint.toughness = toughness_at(toughness, TriMesh::uid(n), mesh.position(n));
    joint.scale = scales[n.index];
    joint.fixed = (spec.border == BorderRule::fixed && mesh.fan(n).open) || held[n.index] != 0;
  }

  if (spec.border == BorderRule::continued) setup.membrane.continue_border();
  setup.cracking.split.crack_snap = spec.crack_snap * kDegree;
  setup.cracking.split.tip_snap = spec.tip_snap * kDegree;
  setup.cracking.split.edge_snap = spec.edge_snap * kDegree;
  setup.cracking.child_area = spec.child_area;
  setup.cracking.residual = spec.alpha;
  setup.cracking.tip_factor = spec.tip_factor;
  setup.cracking.border_factor = spec.border_factor;
  setup.cracking.most_triangles = 1'000'000 + 30 * mesh.triangle_count();
  setup.relax.method = relaxation(spec.relax);
  setup.relax.steps = spec.relax_steps;
  setup.relax.tolerance = spec.relax_tolerance;
  setup.rise = {spec.load_from, spec.load_to, spec.load_step, spec.load_seconds.value_or(scene.duration),
                spec.cracks_per_second};
  setup.display = {spec.gap, spec.gap_limit, spec.depth, spec.curl, spec.curl_width};
  return setup;
}

}  // namespace

void build_surfaces(const Scene& scene, BuiltRun& run) {
  std::vector<CoatSetup> coats;
  Hash64 fingerprint;
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const BodySurface surface = surface_of_body(scene, b, run.warnings);
    fingerprint.add(flat(surface.points));
    for (const auto& t : surface.triangles) fingerprint.add(std::span<const std::uint32_t>(t));
    coats.push_back(coat_setup(scene, b, surface));
    note_surface(scene, b, surface, coats.back().membrane, run.warnings);
  }
  run.mesh_fingerprint = fingerprint.value();
  run.surface = std::make_unique<SurfaceSolver>(std::move(coats));
}

}  // namespace sunder
