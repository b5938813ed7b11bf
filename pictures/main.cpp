// Run folders of things broken by hand, to show the renderer before, and beside, what the solvers break.
// usage: sunder_broken_runs DIR

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <filesystem>

#include "cache/run_folder.h"
#include "core/error.h"
#include "core/files.h"
#include "meshfile/vtk_cells.h"
#include "meshfile/vtu.h"
#include "render/broken_bowl_testing.h"
#include "scene/read_scene.h"
#include "scene/write_scene.h"

namespace sunder {
namespace {

constexpr int kFrames = 25;
constexpr double kFps = 48;

// Where a piece is `time` after the break: it flies out, turns and slides to rest on the floor.
struct Flight {
  Vec3 middle, velocity, axis;
  double turn = 0;  // radians in the end
};

// Pieces fly apart; the first frame is the bowl in one place, and the stress is that of the blow.
void write_run(const std::filesystem::path& folder, const std::string& name, const std::string& scene_text,
               const render::BrokenBowl& bowl, double speed) {
  const Scene scene = read_scene({.text = scene_text, .file_name = name, .folder = {}, .default_name = name});
  RunFolder run(folder / name, name);
  run.start({.name = name, .version = "pictures"}, sunder::scene_text(scene));
  Frame frame = render::broken_bowl(bowl);
  std::vector<Flight> flights(static_cast<std::size_t>(bowl.pieces));
  std::vector<double> count(flights.size(), 0);
  for (Flight& flight : flights) flight.middle.setZero();
  for (std::size_t t = 0; t < frame.tets.size(); ++t) {
    for (const std::uint32_t n : frame.tets[t]) flights[frame.fragment[t]].middle += frame.rest[n];
    count[frame.fragment[t]] += 4;
  }
  std::vector<std::uint32_t> piece_of(frame.rest.size());
  for (std::size_t t = 0; t < frame.tets.size(); ++t) {
    for (const std::uint32_t n : frame.tets[t]) piece_of[n] = frame.fragment[t];
  }
  for (std::size_t f = 0; f < flights.size(); ++f) {
    Flight& flight = flights[f];
    flight.middle /= std::max(count[f], 1.0);
    const Vec3 out(flight.middle.x(), 0, flight.middle.z());
    flight.velocity = speed * (out / bowl.radius + Vec3(0, 0.5 * random_unit(bowl.seed, f, 7), 0));
    flight.axis = Vec3::UnitY().cross(out + Vec3(1e-3, 0, 0)).normalized();
    flight.turn = 0.15 + 0.5 * random_unit(bowl.seed, f, 8);
  }
  for (int number = 1; number <= kFrames; ++number) {
    frame.number = number;
    frame.time = (number - 1) / kFps;
    const double slide = 0.35 * (1 - std::exp(-frame.time / 0.35)), pace = std::exp(-frame.time / 0.35);
    std::vector<double> lowest(flights.size(), 1e300);
    for (std::size_t n = 0; n < frame.rest.size(); ++n) {
      const Flight& flight = flights[piece_of[n]];
      const double hop = std::max(0.0, flight.velocity.y() * frame.time - 4.9 * frame.time * frame.time);
      const Vec3 go = Vec3(flight.velocity.x(), 0, flight.velocity.z());
      const Mat3 turned = Eigen::AngleAxisd(flight.turn * slide / 0.35, flight.axis).toRotationMatrix();
      frame.position[n] = flight.middle + turned * (frame.rest[n] - flight.middle) + slide * go + Vec3(0, hop, 0);
      frame.velocity[n] = pace * go + (hop > 0 ? Vec3(0, flight.velocity.y() - 9.8 * frame.time, 0) : Vec3(0, 0, 0));
      lowest[piece_of[n]] = std::min(lowest[piece_of[n]], frame.position[n].y() - hop);
    }
    // What would sink into the floor lies on it; what lost its neighbours comes down.
    for (std::size_t n = 0; n < frame.rest.size(); ++n) {
      const double low = lowest[piece_of[n]];
      frame.position[n].y() -= low < 0 ? low : low * (1 - std::exp(-frame.time / 0.15));
    }
    for (std::size_t t = 0; t < frame.tets.size(); ++t) {
      const Vec3& x = frame.rest[frame.tets[t][0]];
      frame.stress[t] = 4e6 * std::cos(18 * x.norm() / bowl.radius - 9 * frame.time) * std::exp(-3 * frame.time);
    }
    run.add_frame(frame);
  }
  run.write_record({.name = name, .status = "complete", .bodies = {"bowl"}, .frames = kFrames});
  fmt::print("{}\n", (folder / name).string());
}

std::string scene(const std::string& shape, const std::string& material, const std::string& more) {
  return fmt::format(R"(duration = {}
fps = {}
[[body]]
name = "bowl"
shape = {}
material = "{}"
[[collider]]
shape = {{ kind = "ground" }}
{})",
                     (kFrames - 1) / kFps, kFps, shape, material, more);
}

// The whole bowl as a mesh file, for scenes in which it falls.
void write_bowl_mesh(const std::filesystem::path& folder) {
  const Frame frame = render::broken_bowl({.edge = 0.014, .pieces = 1});
  VtuGrid grid;
  grid.points = frame.rest;
  for (const auto& tet : frame.tets) {
    for (const std::uint32_t n : tet) grid.connectivity.push_back(n);
    grid.offsets.push_back(static_cast<std::int64_t>(grid.connectivity.size()));
  }
  grid.types.assign(frame.tets.size(), kVtkTetra);
  write_file_atomically(folder / "bowl.vtu", vtu_text(grid));
}

void make_all(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  const std::string box = "{ kind = \"box\", size = [0.3, 0.1, 0.3] }";  // stands for the shape: only frames are drawn
  write_run(folder, "broken-bowl", scene(box, "ceramic", "[look]\nelevation = 27.0\n"), {}, 0.45);
  write_run(folder, "broken-glass", scene(box, "glass", "[look]\nelevation = 24.0\n"), {.pieces = 18, .seed = 11}, 0.4);
  write_run(folder, "broken-plate", scene(box, "porcelain", "[look]\nelevation = 35.0\n"),
            {.depth = 0, .wall = 0.02, .pieces = 24, .seed = 5}, 0.3);
  write_bowl_mesh(folder);
}

}  // namespace
}  // namespace sunder

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: sunder_broken_runs DIR\n");
    return 2;
  }
  try {
    sunder::make_all(argv[1]);
  } catch (const std::exception& error) {
    fmt::print(stderr, "sunder_broken_runs: {}\n", error.what());
    return 5;
  }
  return 0;
}
