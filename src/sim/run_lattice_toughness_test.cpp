// Patterns of weakness in lattices, through the whole path.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "fracture/toughness_patterns.h"
#include "geometry/bounds.h"
#include "sim/gallery_testing.h"
#include "sim/run_testing.h"

namespace sunder {
namespace {

using RunLatticeToughness = RunScene;

// 16 x 4 x 2 cells of 25 mm, turned and put elsewhere, of which every bond bears the same.
constexpr const char* kBlock = R"(name = "block"
duration = 0.1
[[body]]
solver = "lattice_norton91"
shape = { kind = "box", size = [0.4, 0.1, 0.05] }
edge = 0.025
position = [1, 2, 3]
rotation = [20, 30, 40]
material = { young = 1e7, poisson = 0.25, density = 1000, strength = 2e5 }
lattice = { scatter = 0 }
)";

constexpr double kThreshold = 0.02;

// Of every bond: its middle and its direction in the body's own axes, and its threshold over that of the material.
struct Bond {
  Vec3 middle, direction;
  double factor;
};
std::vector<Bond> bonds_of(const std::string& toughness) {
  const BuiltRun with = build_run(scene_of(kBlock + toughness));
  const BuiltRun placed = build_run(scene_of(kBlock, {"body.0.position=[0, 0, 0]", "body.0.rotation=[0, 0, 0]"}));
  const auto& lattice = placed.lattice->lattice();
  std::vector<Bond> bonds;
  for (std::size_t b = 0; b < lattice.bond_count(); ++b) {
    const Vec3 &x = lattice.rest[NodeId(lattice.ends[b][0])], &y = lattice.rest[NodeId(lattice.ends[b][1])];
    EXPECT_EQ(with.lattice->lattice().ends[b], lattice.ends[b]);
    bonds.push_back({(x + y) / 2, (y - x).normalized(), with.lattice->lattice().threshold[b] / kThreshold});
  }
  return bonds;
}

TEST_F(RunLatticeToughness, AFactorMultipliesTheThresholdsOfBondsWhoseMiddleLiesInThePattern) {
  std::size_t inside = 0;
  for (const Bond& bond : bonds_of("[[toughness]]\npattern = { kind = \"plane\", point = [0.0875, 0, 0], "
                                   "width = 0.02 }\npull = 0\nfactor = 0.3\n")) {
    const bool in = std::abs(bond.middle.x() - 0.0875) < 0.01;
    EXPECT_NEAR(bond.factor, in ? 0.3 : 1, 1e-9) << bond.middle.transpose();
    inside += in ? 1 : 0;
  }
  EXPECT_GT(inside, 30u);
}

TEST_F(RunLatticeToughness, PullIsForBondsAcrossThePlane) {
  for (const Bond& bond : bonds_of("[[toughness]]\npattern = { kind = \"layers\", direction = [0, 1, 0] }\n"
                                   "factor = 0.25\n")) {
    // n^T D n, with 0.25 across and 1 along the layers
    const double across = bond.direction.y() * bond.direction.y();
    EXPECT_NEAR(bond.factor, 0.25 * across + 1 - across, 1e-9);
  }
}

TEST_F(RunLatticeToughness, SomePartsCannotBreakAndFactorsMultiply) {
  for (const Bond& bond : bonds_of("[[toughness]]\npattern = { kind = \"uniform\" }\nfactor = \"unbreakable\"\n"
                                   "where = { kind = \"half-space\", point = [0.101, 0, 0], normal = [1, 0, 0] }\n"
                                   "[[toughness]]\npattern = { kind = \"uniform\" }\nfactor = 0.5\n"
                                   "[[toughness]]\npattern = { kind = \"uniform\" }\nfactor = 3\n")) {
    if (bond.middle.x() > 0.101) {
      EXPECT_EQ(bond.factor, std::numeric_limits<double>::infinity());
    } else {
      EXPECT_NEAR(bond.factor, 1.5, 1e-9);
    }
  }
}

TEST_F(RunLatticeToughness, NoiseIsDrawnForEachBondOnce) {
  const std::string noise = "[[toughness]]\npattern = { kind = \"noise\", length = 0 }\nfactor = 0.1\n";
  double sum = 0, least = 1, most = 0;
  const std::vector<Bond> bonds = bonds_of(noise), again = bonds_of(noise);
  for (std::size_t b = 0; b < bonds.size(); ++b) {
    EXPECT_EQ(bonds[b].factor, again[b].factor);
    const double weight = std::log(bonds[b].factor) / std::log(0.1);
    sum += weight, least = std::min(least, weight), most = std::max(most, weight);
  }
  EXPECT_NEAR(sum / static_cast<double>(bonds.size()), 0.5, 0.03);
  EXPECT_LT(least, 0.05);
  EXPECT_GT(most, 0.95);
}

// A bar whose ends are drawn apart; bonds scatter as usual.
constexpr const char* kBar = R"(name = "bar"
gravity = [0, 0, 0]
duration = 0.12
fps = 100
[[body]]
solver = "lattice_norton91"
shape = { kind = "box", size = [0.4, 0.05, 0.05] }
edge = 0.025
material = { young = 1e7, poisson = 0.25, density = 1000, strength = 2e5 }
[[region]]
name = "left"
where = { kind = "half-space", point = [-0.1999, 0, 0], normal = [-1, 0, 0] }
action = "move"
velocity = [-0.05, 0, 0]
axes = "x"
[[region]]
name = "right"
where = { kind = "half-space", point = [0.1999, 0, 0], normal = [1, 0, 0] }
action = "move"
velocity = [0.05, 0, 0]
axes = "x"
)";
// Through the middles of a layer of cells, whose bonds along the bar are weaker; their ends are not.
constexpr const char* kLine = R"([[toughness]]
pattern = { kind = "plane", point = [0.0875, 0, 0], normal = [1, 0, 0], width = 0.02 }
)";

// Middles along the bar of the cells that had broken when it first was in two.
std::vector<double> broken_at(const std::string& text, int seed) {
  const BuiltRun run = build_run(scene_of(text, {"seed=" + std::to_string(seed)}));
  double time = 0;
  while (time < 0.12 && run.lattice->components().count() < 2) time += run.any().step(run.any().stable_dt()).dt;
  EXPECT_LT(time, 0.12);
  const auto& lattice = run.lattice->lattice();
  std::vector<double> result;
  for (std::uint32_t c = 0; c < lattice.cell_count(); ++c) {
    if (!run.lattice->breakage().cell_broken(c)) continue;
    double x = 0;
    for (const std::uint32_t n : lattice.corners[c]) x += lattice.rest[NodeId(n)].x() / 8;
    result.push_back(x);
  }
  return result;
}

TEST_F(RunLatticeToughness, APulledBarBreaksAtItsWeakLineAndWithoutOneElsewhere) {
  constexpr double kLineAt = 0.0875, kCell = 0.025;
  int elsewhere = 0;
  for (int seed = 1; seed <= 4; ++seed) {
    for (const double x : broken_at(std::string(kBar) + kLine + "factor = 0.25\n", seed)) {
      EXPECT_NEAR(x, kLineAt, 1e-9) << "seed " << seed;
    }
    for (const double x : broken_at(kBar, seed)) {
      if (std::abs(x - kLineAt) > kCell) {
        ++elsewhere;
        break;
      }
    }
  }
  EXPECT_GE(elsewhere, 3) << "of 4";
}

TEST_F(RunLatticeToughness, ALineThatOpensLateBreaksThen) {
  const std::string opens = std::string(kBar) + kLine +
                            "keyframes = [{ time = 0.05, factor = 10 }, { time = 0.06, factor = 0.01 }]\n"
                            "[[toughness]]\npattern = { kind = \"uniform\" }\nfactor = 100\n"
                            "where = { kind = \"box\", min = [-1, -1, -1], max = [0.07, 1, 1] }\n";
  const BuiltRun run = build_run(scene_of(opens));
  double broke = 0;
  for (double time = 0; time < 0.12 && broke == 0;) {
    time += run.any().step(run.any().stable_dt()).dt;
    EXPECT_FALSE(run.lattice->flight().any());
    if (run.lattice->breakage().broken_cells() > 0) broke = time;
  }
  EXPECT_GT(broke, 0.05);
  EXPECT_LT(broke, 0.0605);
  expect_same_bits(scene_of(opens));
  EXPECT_GT(std::stoi(stats("one").back().at(6)), 1);
}

// A cube from a file that is painted: red above, black below.
TEST_F(RunLatticeToughness, PaintOnAModelsOwnFileCounts) {
  std::string ply =
      "ply\nformat ascii 1.0\nelement vertex 8\nproperty float x\nproperty float y\nproperty float z\n"
      "property float red\nelement face 12\nproperty list uchar int vertex_indices\nend_header\n";
  for (const char* corner : {"0 0 0 0", "1 0 0 0", "1 1 0 1", "0 1 0 1", "0 0 1 0", "1 0 1 0", "1 1 1 1", "0 1 1 1"}) {
    ply += std::string(corner) + "\n";
  }
  for (const char* face :
       {"0 2 1", "0 3 2", "4 5 6", "4 6 7", "0 1 5", "0 5 4", "3 7 6", "3 6 2", "0 4 7", "0 7 3", "1 2 6", "1 6 5"}) {
    ply += std::string("3 ") + face + "\n";
  }
  write_file_atomically(top_ / "cube.ply", ply);
  write_file_atomically(top_ / "cube.toml", R"(
[[body]]
solver = "lattice_norton91"
shape = { kind = "file", path = "cube.ply", scale = 0.1 }
edge = 0.02
rotation = [0, 0, 90]
material = { young = 1e7, poisson = 0.25, density = 1000, strength = 2e5 }
lattice = { scatter = 0 }
[[toughness]]
pattern = { kind = "painted", attribute = "red" }
factor = 0.1
)");
  const BuiltRun run = build_run(read_scene(scene_source(top_ / "cube.toml")));
  const auto& lattice = run.lattice->lattice();
  Bounds box;
  for (const Vec3& x : lattice.rest) box.add(x);
  double above = 1, below = 0;  // factors; y of the file is -x of the world
  for (std::size_t b = 0; b < lattice.bond_count(); ++b) {
    const Vec3 middle = (lattice.rest[NodeId(lattice.ends[b][0])] + lattice.rest[NodeId(lattice.ends[b][1])]) / 2;
    const double height = (box.upper.x() - middle.x()) / box.extent().x();
    if (height > 0.99) above = std::min(above, lattice.threshold[b] / kThreshold);
    if (height < 0.01) below = std::max(below, lattice.threshold[b] / kThreshold);
  }
  EXPECT_NEAR(above, 0.1, 0.02);
  EXPECT_NEAR(below, 1, 0.05);
}

// Share of the crack area in the joints, 40 ms after the ball has struck the wall.
double share_in_mortar(std::vector<std::string> changes) {
  const Scene scene = gallery_scene("lattice-wall", std::move(changes));
  const BuiltRun run = build_run(scene);
  for (double time = 0; time < 0.045;) time += run.any().step(run.any().stable_dt()).dt;
  const auto& bricks = std::get<BricksPattern>(scene.toughness[0].pattern);
  const Vec3 corner = -std::get<BoxShape>(scene.bodies[0].shape).size / 2;
  const ToughnessPattern mortar = brick_pattern(bricks.size, bricks.mortar, corner);
  double inside = 0, all = 0;
  for (const CrackEvent& crack : run.any().cracks().cracks) {
    all += crack.area;
    if (mortar(crack.rest - scene.bodies[0].position, 0).weight > 0) inside += crack.area;
  }
  EXPECT_GT(all, 0.1);  // m^2
  const auto& lattice = run.lattice->lattice();
  for (const NodeId n : id_range<NodeId>(lattice.node_count())) {
    if (lattice.rest[n].y() < 0.001) {
      EXPECT_LT((run.lattice->position()[n] - lattice.rest[n]).norm(), 1e-15) << "it is held there";
    }
  }
  return inside / all;
}

TEST_F(RunLatticeToughness, AWallFailsAlongItsMortarAboveItsFoot) {
  EXPECT_GT(share_in_mortar({"seed=1"}), 0.9);
  EXPECT_GT(share_in_mortar({"seed=2"}), 0.9);
  EXPECT_LT(share_in_mortar({"seed=1", "toughness.mortar.factor=0.999"}), 0.7);
}

}  // namespace
}  // namespace sunder
