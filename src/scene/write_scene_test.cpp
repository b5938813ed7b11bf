#include "scene/write_scene.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <fstream>
#include <limits>

#include "core/random.h"
#include "scene/read_scene.h"

namespace sunder {
namespace {

// Every bit of every field, written by hand so that a key forgotten by the schema shows.
std::string bits(double x) { return fmt::format("{:016x} ", std::bit_cast<std::uint64_t>(x)); }
std::string bits(const std::optional<double>& x) { return x ? bits(*x) : "unset "; }
std::string bits(const Vec3& v) { return bits(v.x()) + bits(v.y()) + bits(v.z()); }
std::string bits(const BoxShape& s) { return "box " + bits(s.size); }
std::string bits(const SphereShape& s) { return "sphere " + bits(s.radius); }
std::string bits(const Vec2& v) { return bits(v.x()) + bits(v.y()); }
std::string bits(const KeyframeSpec& k) { return "key " + bits(k.time) + bits(k.position) + bits(k.rotation); }
std::string bits(const UnionPart& p);
template <class T>
std::string bits(const std::vector<T>& list) {
  std::string all = fmt::format("{}: ", list.size());
  for (const T& element : list) all += bits(element);
  return all;
}
std::string bits(const SlabShape& s) { return "slab " + bits(s.size); }
std::string bits(const EllipsoidShape& s) { return "ellipsoid " + bits(s.radii); }
std::string bits(const CylinderShape& s) { return "cylinder " + bits(s.radius) + bits(s.height); }
std::string bits(const CapsuleShape& s) { return "capsule " + bits(s.radius) + bits(s.height); }
std::string bits(const TorusShape& s) { return "torus " + bits(s.radius) + bits(s.tube); }
std::string bits(const BowlShape& s) { return "bowl " + bits(s.radius) + bits(s.depth) + bits(s.wall); }
std::string bits(const CupShape& s) { return "cup " + bits(s.radius) + bits(s.height) + bits(s.wall); }
std::string bits(const VaseShape& s) { return "vase " + bits(s.radius) + bits(s.height) + bits(s.wall); }
std::string bits(const PlateShape& s) { return "plate " + bits(s.radius) + bits(s.wall); }
std::string bits(const RevolveShape& s) {
  return fmt::format("revolve {} {} {}{}", static_cast<int>(s.curve), s.closed, bits(s.profile), bits(s.wall));
}
std::string bits(const PatchShape& s) { return "patch " + bits(s.points) + bits(s.wall); }
std::string bits(const TubeShape& s) {
  return fmt::format("tube {} {}{}{}", s.closed, bits(s.path), bits(s.radius), bits(s.wall)) + bits(s.end_radius);
}
std::string bits(const PolygonShape& s) { return "polygon " + bits(s.points) + bits(s.holes) + bits(s.depth); }
std::string bits(const TextShape& s) { return "text " + s.text + bits(s.height) + bits(s.depth); }
std::string bits(const FileShape& s) {
  std::string all = "file " + s.path.string() + bits(s.scale) + bits(s.fill.inside) + bits(s.fill.sharp) +
                    bits(s.fill.walls) + bits(s.fill.stretch);
  for (const FineRegion& r : s.fill.finer) all += bits(r.centre) + bits(r.radius) + bits(r.edge);
  return all;
}
std::string bits(const UnionPart& p) {
  return "part " + p.name + std::visit([](const auto& shape) { return bits(shape); }, p.shape) + bits(p.position) +
         bits(p.rotation);
}
std::string bits(const UnionShape& s) { return "union " + bits(s.parts); }
std::string bits(const GobletShape& s) { return "goblet " + bits(s.radius) + bits(s.height) + bits(s.wall); }
std::string bits(const TeapotShape& s) {
  return fmt::format("teapot {} {} {}{}", s.lid, s.pot, bits(s.radius), bits(s.wall));
}
std::string bits(const DiscShape& s) { return "disc " + bits(s.radius); }
std::string bits(const GroundCollider& s) { return "ground " + bits(s.height); }
std::string bits(const PlaneCollider& s) { return "plane " + bits(s.normal); }
std::string bits(const SphereCollider& s) { return "sphere " + bits(s.radius); }
std::string bits(const BoxCollider& s) { return "box " + bits(s.size); }
std::string bits(const CapsuleCollider& s) { return "capsule " + bits(s.radius) + bits(s.height); }
std::string bits(const MeshCollider& s) { return "mesh " + s.path.string() + bits(s.scale); }
std::string bits(const Rope& r) { return "rope " + bits(r.point) + bits(r.attach) + bits(r.length); }
std::string bits(const BoxSelection& s) { return "box " + bits(s.min) + bits(s.max); }
std::string bits(const SphereSelection& s) { return "sphere " + bits(s.center) + bits(s.radius); }
std::string bits(const EverywhereSelection&) { return "everywhere "; }
std::string bits(const HalfSpaceSelection& s) { return "half " + bits(s.point) + bits(s.normal); }

std::string bits(const Scene& s) {
  const auto any = [](const auto& record) { return bits(record); };
  std::string all =
      fmt::format("{} {} {}{}{}{} {}{}{} {}{}\n", s.name, s.about, bits(s.duration), bits(s.fps), bits(s.gravity),
                  static_cast<int>(s.integrator), bits(s.dt), bits(s.safety), static_cast<int>(s.damping),
                  bits(s.damping_cap) + std::to_string(static_cast<int>(s.crushing)), s.seed);
  const FractureSpec& f = s.fracture;
  all += fmt::format("{} {} {} ", f.on, static_cast<int>(f.compression), f.bend_at_tips) + bits(f.crack_speed) +
         bits(f.tip_share) + bits(f.tip_length) + bits(f.residual) + bits(f.snap_distance) + bits(f.snap_angle) +
         bits(f.altitude_floor) + bits(f.quality_floor) + bits(f.smallest) + '\n';
  const ContactRules& touch = s.contact;
  all += fmt::format("{} {} {} ", touch.on, static_cast<int>(touch.criterion), touch.sleep.on) + bits(touch.friction) +
         bits(touch.damping) + bits(touch.stiffness) + bits(touch.gap) + bits(touch.play) + bits(touch.sleep.speed) +
         bits(touch.sleep.after) + '\n';
  const DebrisRules& d = s.debris;
  all += fmt::format("{} {} ", static_cast<int>(d.outside), static_cast<int>(d.small)) + bits(d.lowest) +
         bits(d.farthest) + bits(d.smallest) + '\n';
  for (const DustSpec& dust : s.dust) {
    const DustRules& r = dust.rules;
    all += fmt::format("{} {} {} ", dust.body, r.most, r.seed) + bits(r.thickness) + bits(r.smallest) +
           bits(r.largest) + bits(r.speed) + bits(r.angle) + '\n';
  }
  for (const BodySpec& b : s.bodies) {
    const Material& m = b.material;
    all += b.name + ' ' + b.solver + ' ' + std::visit(any, b.shape) + bits(b.edge) + fmt::format("{} ", b.layers) +
           bits(b.position) + bits(b.rotation) + bits(b.velocity) + bits(b.spin) + b.material_name + ' ' +
           bits(m.lambda) + bits(m.mu) + bits(m.phi) + bits(m.psi) + bits(m.density) + bits(m.toughness) +
           bits(m.strength) + bits(m.toughness_spread) + bits(m.toughness_grain) + bits(m.yield_stress) +
           bits(m.hardening) + bits(m.plastic_limit) + '\n';
    if (m.anisotropy) {
      for (const double c : m.anisotropy->stiffness) all += bits(c);
      all += bits(m.anisotropy->axes) + '\n';
    }
  }
  for (const ColliderSpec& c : s.colliders) {
    all += c.name + ' ' + std::visit(any, c.shape) + bits(c.position) + bits(c.rotation) + bits(c.friction) +
           bits(c.damping) + bits(c.stiffness) + std::to_string(static_cast<int>(c.motion)) + bits(c.mass) +
           bits(c.density) + bits(c.velocity) + bits(c.spin) + bits(c.keyframes) +
           (c.rope ? bits(*c.rope) : "no rope") + '\n';
  }
  for (const RegionSpec& r : s.regions) {
    all += r.name + ' ' + r.body + ' ' + std::visit(any, r.where) +
           fmt::format("{} {} ", static_cast<int>(r.action), r.axes) + bits(r.velocity) + bits(r.force) +
           bits(r.pressure) + bits(r.start) + bits(r.end) + '\n';
  }
  const LookSpec& l = s.look;
  all += fmt::format("{} ", static_cast<int>(l.sky)) + bits(l.sun) + bits(l.exposure) + bits(l.azimuth) +
         bits(l.elevation) + bits(l.shutter) + bits(l.crack_lines) + '\n';
  for (const CameraSpec& c : s.cameras) all += c.name + ' ' + bits(c.position) + bits(c.target) + bits(c.fov) + '\n';
  return all;
}

class RandomScene {
 public:
  RandomScene(std::uint64_t seed, std::filesystem::path mesh) : seed_(seed), mesh_(std::move(mesh)) {}

  Scene make() {
    Scene s;
    s.name = fmt::format("random-{}", seed_);
    s.about = below(2) == 0 ? "" : "quotes \" and \\ and # and \xc3\xa9";
    s.duration = between(1e-3, 10);
    s.fps = between(1, 100);
    s.gravity = any_vector();
    s.integrator = static_cast<Integrator>(below(3));
    if (below(2) == 0) s.dt = between(1e-9, 1e-3);
    s.safety = between(0.1, 1);
    s.damping = static_cast<DampingRule>(below(2));
    s.damping_cap = between(0, 3);
    s.crushing = static_cast<CrushingRule>(below(2));
    s.fracture.on = below(2) == 0;
    s.fracture.compression = static_cast<CompressionRule>(below(2));
    s.fracture.crack_speed = between(0, 100);
    s.fracture.tip_share = between(0.1, 1);
    s.fracture.tip_length = between(0, 0.1);
    s.fracture.snap_angle = between(0, 1);
    s.fracture.residual = between(0, 1);
    s.fracture.bend_at_tips = below(2) == 0;
    s.fracture.smallest = between(0, 0.01);
    s.contact.friction = between(0, 1);
    s.contact.criterion = static_cast<ContactCriterion>(below(2));
    if (below(2) == 0) s.contact.sleep.speed = between(1e-6, 1);
    s.contact.sleep.after = between(0, 1);
    if (below(2) == 0) s.debris.lowest = between(-5, 5), s.debris.outside = static_cast<DebrisAction>(below(3));
    if (below(2) == 0) s.debris.farthest = between(1, 50);
    if (below(2) == 0) s.debris.smallest = between(1e-3, 1), s.debris.small = static_cast<DebrisAction>(below(3));
    s.seed = random_bits(seed_, 1) >> (1 + below(63));
    for (std::size_t i = 0, count = 1 + below(3); i < count; ++i) s.bodies.push_back(body(i));
    for (std::size_t i = 0, count = below(3); i < count; ++i) {
      DustSpec dust;
      if (below(2) == 0) dust.body = s.bodies[below(s.bodies.size())].name;
      dust.rules = {.thickness = between(1e-6, 1e-2),
                    .smallest = between(1e-5, 1e-3),
                    .largest = between(1e-3, 1e-2),
                    .speed = between(0, 10),
                    .angle = between(0, 90),
                    .most = static_cast<std::uint32_t>(below(3) * 1000),
                    .seed = below(100)};
      s.dust.push_back(dust);
    }
    for (std::size_t i = 0, count = below(4); i < count; ++i) s.colliders.push_back(collider(i));
    for (std::size_t i = 0, count = below(5); i < count; ++i) s.regions.push_back(region(i, s));
    return s;
  }

 private:
  double unit() { return random_unit(seed_, 0, draw_++); }
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(unit() * static_cast<double>(n)); }
  double between(double low, double high) { return low + (high - low) * unit(); }

  double any() {
    switch (below(6)) {
      case 0:
        return -0.0;
      case 1:
        return std::numeric_limits<double>::denorm_min() * std::floor(between(-5, 5));
      case 2:
        return std::floor(between(-1e6, 1e6));
      case 3:
        return std::ldexp(between(-1, 1), static_cast<int>(below(1000)) - 961);
      default:
        return between(-10, 10);
    }
  }
  Vec3 any_vector() { return {any(), any(), any()}; }
  Vec3 size() { return {between(0.5, 2), between(0.5, 2), between(0.5, 2)}; }
  Vec3 direction() { return Vec3(between(-1, 1), between(-1, 1), between(0.01, 1)).normalized(); }

  BodySpec body(std::size_t i) {
    BodySpec b;
    b.name = fmt::format("part_{}-{}", i, below(100));
    b.edge = between(0.05, 0.5);
    switch (below(12)) {
      case 0:
        b.shape = BoxShape{size()};
        break;
      case 3:
        b.shape = BowlShape{between(0.5, 1), between(0.5, 1), between(0.01, 0.1)};
        b.layers = static_cast<std::uint32_t>(below(4));
        break;
      case 4:
        b.shape = RevolveShape{{{between(1, 2), between(-1, 0)}, {between(1, 2), between(1, 2)}},
                               CurveKind::polyline,
                               false,
                               between(0.01, 0.1)};
        break;
      case 5:
        b.shape = TubeShape{{Vec3(between(-2, -1), 0, 0), Vec3(0, between(-0.1, 0.1), 0), Vec3(between(1, 2), 0, 0)},
                            between(0.1, 0.2),
                            between(0, 0.05),
                            false,
                            below(2) == 0 ? std::optional<double>() : between(0.1, 0.2)};
        break;
      case 9:
        b.shape = UnionShape{{{"a", SphereShape{between(0.1, 1)}, any_vector(), any_vector()},
                              {"b", TubeShape{}, any_vector(), any_vector()}}};
        break;
      case 10:
        b.shape = GobletShape{between(0.4, 0.5), between(1.1, 2), between(0.03, 0.08)};
        break;
      case 11:
        b.shape = TeapotShape{between(0.5, 1), between(0.04, 0.07), below(2) == 0, true};
        break;
      case 6:
        b.shape = PolygonShape{{{0, 0}, {between(2, 3), 0}, {3, between(2, 3)}, {0, 3}},
                               {{{0.5, 0.5}, {0.5, between(0.6, 1)}, {1, 0.5}}},
                               between(0.5, 1)};
        break;
      case 7:
        b.shape = TextShape{"A & B", between(0.5, 1), between(0.5, 1)};
        break;
      case 8:
        b.shape = PatchShape{};
        break;
      case 1:
        b.shape = SphereShape{between(0.1, 1)};
        break;
      default:
        b.shape = FileShape{mesh_, between(0.001, 10)};
        b.edge = default_edge(b.shape);
    }
    b.position = any_vector();
    b.rotation = any_vector();
    b.velocity = any_vector();
    b.spin = any_vector();
    const auto presets = material_presets();
    const MaterialPreset& preset = presets[below(presets.size())];
    b.material = preset.material;
    b.material_name = below(2) == 0 ? preset.name : "custom";
    if (b.material.anisotropy) {
      b.material.anisotropy->axes = any_vector();
    } else {
      if (below(2) == 0) b.material.mu *= between(1, 3);
      if (below(2) == 0) b.material.lambda *= between(1, 3);
      if (below(2) == 0) b.material.yield_stress = between(1, 1e6);
    }
    if (b.material.flows() && below(2) == 0) b.material.hardening = between(0, 1e6);
    if (b.material.flows() && below(2) == 0) b.material.plastic_limit = between(0.01, 3);
    if (below(2) == 0) b.material.density = between(1e-3, 1e5);
    if (below(2) == 0) b.material.phi = between(0, 1e5);
    if (below(2) == 0) b.material.toughness = between(0, 1e5);
    if (below(4) == 0) b.material.toughness = 0, b.material.strength = between(1, 1e8);
    if (below(2) == 0) b.material.toughness_spread = between(0, 0.9);
    return b;
  }

  ColliderSpec collider(std::size_t i) {
    ColliderSpec c;
    c.name = fmt::format("c{}", i);
    switch (below(6)) {
      case 0:
        c.shape = GroundCollider{any()};
        break;
      case 1:
        c.shape = PlaneCollider{direction()};
        break;
      case 3:
        c.shape = CapsuleCollider{between(0.1, 0.2), between(0.4, 1)};
        break;
      case 4:
        c.shape = MeshCollider{mesh_, between(0.001, 10)};
        break;
      case 2:
        c.shape = SphereCollider{between(0.1, 1)};
        break;
      default:
        c.shape = BoxCollider{size()};
    }
    if (!std::holds_alternative<GroundCollider>(c.shape)) {
      c.position = any_vector();
      c.rotation = any_vector();
      c.motion = static_cast<ColliderMotion>(below(3));
      if (std::holds_alternative<PlaneCollider>(c.shape)) c.motion = ColliderMotion::kinematic;
    }
    if (c.motion == ColliderMotion::dynamic) {
      (below(2) == 0 ? c.mass : c.density) = between(0.1, 100);
      c.velocity = any_vector();
      c.spin = any_vector();
      if (below(2) == 0) c.rope = Rope{any_vector(), any_vector(), {}};
      if (c.rope && below(2) == 0) c.rope->length = between(9e11, 1e12);
    }
    if (c.motion == ColliderMotion::kinematic) {
      c.keyframes = {{between(-1, 0), c.position, c.rotation}, {between(0, 1), any_vector(), any_vector()}};
    }
    c.friction = between(0, 2);
    c.damping = between(0, 2);
    if (below(2) == 0) c.stiffness = between(1, 1e9);
    return c;
  }

  RegionSpec region(std::size_t i, const Scene& s) {
    RegionSpec r;
    r.name = fmt::format("r{}", i);
    if (below(2) == 0) r.body = s.bodies[below(s.bodies.size())].name;
    switch (below(4)) {
      case 3:
        r.where = EverywhereSelection{};
        break;
      case 0: {
        const Vec3 low = any_vector();
        r.where = BoxSelection{low, low + size()};
        break;
      }
      case 1:
        r.where = SphereSelection{any_vector(), between(0.1, 1)};
        break;
      default:
        r.where = HalfSpaceSelection{any_vector(), direction()};
    }
    r.action = static_cast<RegionAction>(below(4));
    if (r.action == RegionAction::hold || r.action == RegionAction::move) r.axes = below(2) == 0 ? "zx" : "y";
    if (r.action == RegionAction::move) r.velocity = any_vector();
    if (r.action == RegionAction::force) r.force = any_vector();
    if (r.action == RegionAction::pressure) r.pressure = any();
    r.start = between(0, 1);
    if (below(2) == 0) r.end = r.start + between(0.1, 1);
    return r;
  }

  std::uint64_t seed_;
  std::uint64_t draw_ = 0;
  std::filesystem::path mesh_;
};

TEST(WriteScene, RandomScenesReadBackBitForBit) {
  const auto mesh = std::filesystem::canonical(std::filesystem::temp_directory_path()) /
                    fmt::format("sunder mesh's \"odd\" name {}.vtu", getpid());
  std::ofstream(mesh) << "x";
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Scene scene = RandomScene(seed, mesh).make();
    const std::string text = scene_text(scene);
    const Scene again = read_scene({text, "again.toml", "/", "other"}, {{}, true});
    ASSERT_EQ(bits(again), bits(scene)) << "seed " << seed << '\n' << text;
    ASSERT_EQ(scene_text(again), text) << "seed " << seed;
  }
  std::filesystem::remove(mesh);
}

TEST(WriteScene, SceneThatWasReadReadsBackBitForBit) {
  const Scene scene = read_scene({R"(
[[body]]
shape = { kind = "sphere", radius = 0.1 }
material = { preset = "glass", young = 1e9 }
[[collider]]
shape = { kind = "plane", normal = [1, 2, 3] }
)",
                                  "f", "", "f"});
  EXPECT_EQ(bits(read_scene({scene_text(scene), "g", "", "g"})), bits(scene));
}

TEST(WriteScene, WritesEveryValueWithItsUnit) {
  const Scene scene =
      read_scene({"[[body]]\nshape = { kind = \"box\" }\nmaterial = \"paper-glass\"\n[[collider]]\n"
                  "shape = { kind = \"ground\" }\n",
                  "f", "", "cube"});
  const std::string text = scene_text(scene);
  constexpr const char* material =
      "preset = \"paper-glass\", lambda = 104000000.0, mu = 104000000.0, phi = 0.0, psi = 6760.0, density = 2588.0, "
      "toughness = 10140.0, strength = 0.0, toughness_spread = 0.0, toughness_grain = 0.0, yield_stress = 0.0, "
      "hardening = 0.0 }";
  for (const char* line : {"\nname = \"cube\"\n", "\nduration = 1.0  # s\n", "\ngravity = [0.0, -9.81, 0.0]  # m/s^2\n",
                           "\ndt = \"auto\"  # s\n", "\nseed = 1\n", "\n[[body]]\nname = \"body-1\"\n",
                           "\nshape = { kind = \"box\", size = [1.0, 1.0, 1.0] }  # size in m\n", material,
                           "\n[fracture]\non = true\ncompression = \"hinders\"\ncrack_speed = 0.0  # m/s\n",
                           "\nstiffness = \"auto\"  # N/m\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << "not in\n" << text;
  }
  EXPECT_EQ(text.find("--allow-outside"), std::string::npos);
}

TEST(WriteScene, SceneWithMeshFilesSaysWhatReadingItTakes) {
  Scene scene;
  scene.name = "x";
  scene.bodies.emplace_back().shape = FileShape{"/tmp/a.vtu"};
  EXPECT_NE(scene_text(scene).find("--allow-outside"), std::string::npos);
  EXPECT_NE(scene_text(scene).find("path = \"/tmp/a.vtu\""), std::string::npos);
}

TEST(WriteScene, NumbersAreShortestAndAlwaysFloats) {
  EXPECT_EQ(toml_number(1), "1.0");
  EXPECT_EQ(toml_number(-0.0), "-0.0");
  EXPECT_EQ(toml_number(0.1), "0.1");
  EXPECT_EQ(toml_number(5e-324), "5e-324");
  EXPECT_EQ(toml_number(1e300), "1e+300");
}

}  // namespace
}  // namespace sunder
