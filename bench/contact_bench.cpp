// What contact between bodies costs a step, against the number of boundary faces: for boxes that lie on each other, and
// for boxes that fly about.
//   sunder_contact_bench             prints two tables, the second of what boxes cost that have fallen asleep
//   sunder_contact_bench sleep       only the second
//
// Processor time, not wall time, and medians of interleaved rounds: other programs may run beside it. Cost of contact
// is the time of a step less that of the same step without contact.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "core/parallel.h"
#include "core/random.h"
#include "mesh/boundary.h"
#include "meshing/box_mesh.h"
#include "solvers/tet_oh99/tet_solver.h"

namespace sunder::bench {
namespace {

using namespace tet_oh99;

constexpr int kRounds = 7;
constexpr int kStepsAtOnce = 100;
constexpr double kSize = 0.2;  // m

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// side x side columns of three boxes each, on the ground; or as many boxes apart from each other, with speeds of up to
// 2 m/s. Drowsy ones sleep from the first frame on.
std::unique_ptr<TetSolver> boxes(int side, bool flying, bool contact, bool drowsy = false) {
  TetSetup setup;
  Material m;
  m.lambda = m.mu = 4e6, m.density = 1000, m.phi = m.psi = 3000;
  for (int i = 0; i < 3 * side * side; ++i) {
    const auto number = static_cast<std::uint32_t>(i);
    const TetSoup soup = box_mesh(Vec3::Constant(kSize), kSize / 3, number + 1);
    const double spacing = flying ? 1.6 : 1.3;
    Vec3 at(spacing * (i / 3 % side), flying ? spacing * (i % 3) : i % 3, spacing * (i / 3 / side));
    at = kSize * (at + Vec3(0.03 * (i % 3), 0.5, 0.02 * (i % 3)));
    const auto random = [&](std::uint64_t draw) { return random_unit(1, number, draw) - 0.5; };
    const Vec3 velocity = flying ? Vec3(4 * random(0), 4 * random(1), 4 * random(2)) : Vec3::Zero();
    setup.mesh.append(soup, {number, number});
    setup.body_names.emplace_back("box");
    setup.materials.push_back(isotropic_material(m));
    for (const Vec3& p : soup.points) {
      setup.state.position.push_back(p + at);
      setup.state.velocity.push_back(velocity);
    }
  }
  if (flying) {
    setup.parameters.gravity.setZero();
  } else {
    setup.colliders.push_back({.shape = GroundCollider{0}});
  }
  setup.parameters.contact.on = contact;
  setup.parameters.contact.sleep.on = drowsy;
  if (drowsy) setup.parameters.contact.sleep = {.speed = 1, .after = 0};  // asleep at the next frame
  return std::make_unique<TetSolver>(std::move(setup));
}

// s, of one step.
double time_of_step(TetSolver& solver, double dt) {
  const double start = processor_seconds();
  for (int i = 0; i < kStepsAtOnce; ++i) solver.step(dt);
  return (processor_seconds() - start) / kStepsAtOnce;
}

void measure(int side, bool flying) {
  const auto with = boxes(side, flying, true), without = boxes(side, flying, false);
  const double dt = 0.5 * std::min(with->stable_dt(), without->stable_dt());
  for (int i = 0; i < 300; ++i) with->step(dt), without->step(dt);  // they settle
  std::vector<double> cost, share;
  std::vector<double> step;
  for (int round = 0; round < kRounds; ++round) {
    const double a = time_of_step(*with, dt), b = time_of_step(*without, dt);
    step.push_back(a), cost.push_back(a - b), share.push_back((a - b) / a);
  }
  const auto faces = static_cast<double>(boundary_faces(with->mesh()).size());
  fmt::print("| {} | {} | {:.0f} | {} | {} | {:.0f} | {:.0f} | {:.1f} | {:.0f} |\n", flying ? "flying" : "resting",
             3 * side * side, faces, with->mesh().tet_count(), with->body_contacts().touching(), 1e6 * median(step),
             1e6 * median(cost), 1e9 * median(cost) / faces, 100 * median(share));
  std::fflush(stdout);
}

// All asleep, over all awake: the same boxes at rest.
void measure_sleep(int side) {
  const auto awake = boxes(side, false, true), asleep = boxes(side, false, true, true);
  const double dt = 0.5 * awake->stable_dt();
  for (int i = 0; i < 300; ++i) awake->step(dt), asleep->step(dt);
  asleep->prepare_frame();
  if (asleep->asleep().count != asleep->mesh().node_count()) throw std::logic_error("not all sleep");
  std::vector<double> up, down;
  for (int round = 0; round < kRounds; ++round) {
    up.push_back(time_of_step(*awake, dt)), down.push_back(time_of_step(*asleep, dt));
  }
  fmt::print("| {} | {} | {:.0f} | {:.1f} | {:.2f} |\n", 3 * side * side, awake->mesh().tet_count(), 1e6 * median(up),
             1e6 * median(down), 100 * median(down) / median(up));
  std::fflush(stdout);
}

void print_contact() {
  fmt::print(
      "| boxes are | boxes | faces | tets | contacts | step, us | contact, us | ns a face | share, % |\n"
      "|---|---|---|---|---|---|---|---|---|\n");
  for (const bool flying : {false, true}) {
    for (const int side : {2, 5, 12, 24}) measure(side, flying);
  }
}

void print_sleep() {
  fmt::print("| boxes | tets | awake, us a step | asleep, us a step | % |\n|---|---|---|---|---|\n");
  for (const int side : {2, 5, 12, 24}) measure_sleep(side);
}

}  // namespace
}  // namespace sunder::bench

int main(int count, char** arguments) {
  const bool only_sleep = count > 1 && std::string_view(arguments[1]) == "sleep";
  sunder::Threads(1).run([&] {
    if (!only_sleep) sunder::bench::print_contact(), fmt::print("\n");
    sunder::bench::print_sleep();
  });
  return 0;
}
