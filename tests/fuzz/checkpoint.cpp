// Checkpoints. The state goes into a solver, which must refuse it or live with it.

#include "sim/checkpoint.h"

#include <cstdlib>
#include <filesystem>
#include <string>

#include "core/files.h"
#include "fuzz_target.h"
#include "meshing/box_mesh.h"
#include "sealed.h"
#include "solvers/tet_oh99/tet_solver.h"

namespace {

using namespace sunder;

// A block that stands on the ground, held at its top, between rigid bodies: every part of a state occurs.
tet_oh99::TetSolver make_solver() {
  tet_oh99::TetSetup setup;
  const TetSoup soup = box_mesh(Vec3(0.2, 0.1, 0.1), 0.1, 1);
  setup.mesh.append(soup, {});
  setup.body_names = {"block"};
  Material material;
  material.mu = material.lambda = 1e5;
  material.density = 1000;
  material.toughness = 0.5;  // its first blow cracks it: the mesh is part of the state
  setup.materials.push_back(tet_oh99::isotropic_material(material, true));
  setup.toughness = {{.base = {.value = material.toughness}}};
  Region top{.name = "top"};
  for (std::size_t i = 0; i < soup.points.size(); ++i) {
    setup.state.position.push_back(soup.points[i] + Vec3(0, 0.045, 0));
    setup.state.velocity.push_back(Vec3(0.1, -1, 0));
    if (soup.points[i].y() > 0.04) top.nodes.push_back(NodeId(i));
  }
  setup.regions = {top};
  setup.parameters.dust = {DustRules{.thickness = 1e-3, .smallest = 2e-3, .largest = 4e-3, .most = 20}, DustRules{}};
  // Two that lie on the ground beside it, one on the other, and sleep from the first frame on.
  setup.parameters.contact.sleep = {.speed = 0.5, .after = 0};
  setup.body_names.push_back("sleepers");
  for (const double height : {0.0499, 0.1497}) {
    const TetSoup sleeper = box_mesh(Vec3(0.1, 0.1, 0.1), 0.1, 1);
    setup.mesh.append(sleeper, {1, 0});
    for (const Vec3& p : sleeper.points) {
      setup.state.position.push_back(p + Vec3(0, height, 1));
      setup.state.velocity.push_back(Vec3::Zero());
    }
  }
  // A ball on a rope that lies on the ground and leans on the block, and a hammer that strikes it.
  Collider ball{.name = "ball", .shape = SphereCollider{0.05}, .position = Vec3(0.149, 0.0499, 0)};
  ball.motion = ColliderMotion::dynamic;
  ball.mass = 1;
  ball.rope = Rope{.point = Vec3(0.149, 0.5, 0)};
  Collider hammer{.name = "hammer", .shape = CapsuleCollider{0.05, 0.2}};
  hammer.motion = ColliderMotion::kinematic;
  hammer.keyframes = {{0, Vec3(-0.149, 0.1, 0)}, {1, Vec3(0, 0.1, 0)}};
  setup.colliders = {{.name = "ground", .shape = GroundCollider{}}, ball, hammer};
  return tet_oh99::TetSolver(std::move(setup));
}

std::string state_of(const Solver& solver) {
  Writer out;
  solver.save(out);
  return out.take();
}

void use(const Checkpoint& checkpoint, bool motion_only) {
  tet_oh99::TetSolver solver = make_solver();
  motion_only ? checkpoint.load_motion_into(solver) : checkpoint.load_into(solver);
  for (int i = 0; i < 3; ++i) solver.step(1e-5);
  solver.prepare_frame();
  solver.stable_dt();
  state_of(solver);
}

// The seeds, after the format has changed.
void write_seeds(const std::filesystem::path& folder) {
  tet_oh99::TetSolver solver = make_solver();
  LoopState loop;
  for (const std::uint64_t steps : {0u, 1u, 40u}) {
    for (; loop.steps < steps; ++loop.steps) loop.time += solver.step(solver.stable_dt()).dt;
    solver.prepare_frame();
    std::string bytes = checkpoint_bytes({1, 2}, loop, solver);
    bytes.resize(bytes.size() - sizeof(std::uint64_t));  // the checksum
    write_file_atomically(folder / ("after-" + std::to_string(steps) + "-steps"), bytes);
  }
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  if (const char* folder = std::getenv("SUNDER_WRITE_SEEDS")) {
    write_seeds(folder);
    std::exit(0);
  }
  return 0;
}

void sunder::fuzz::try_input(std::string_view input) {
  const std::string bytes = sealed_checkpoint(input);
  const Checkpoint checkpoint = parse_checkpoint(bytes, "checkpoint");
  use(checkpoint, true);
  use(checkpoint, false);
}
