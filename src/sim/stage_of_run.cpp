#include "sim/stage_of_run.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/error.h"
#include "core/rotation.h"
#include "meshfile/read_surface.h"
#include "render/color_maps.h"
#include "render/texture.h"
#include "sim/auto_paint.h"
#include "sim/build.h"

namespace sunder {
namespace {

constexpr double kHairline = 5;  // widths of the line: cracks that gape more show by themselves

using render::BodyPaint;
using render::Color;
using render::from_srgb;
using render::Paint;
using render::PaintKind;
using render::Panel;
using render::Stage;
using render::SurfaceMesh;
using render::Vec3f;
using render::Wires;

Paint matte(const Color& color) { return {.kind = PaintKind::diffuse, .color = color}; }

// For bodies whose colours mean something: dull enough not to be mistaken.
Paint chart_paint() { return {.kind = PaintKind::coated, .color = Color::Constant(0.6f), .roughness = 0.5f}; }

// Nearly invisible: a breath of light at the rim shows where the body ends.
Paint ghost_paint() {
  return {.kind = PaintKind::glass, .color = from_srgb(0.93f, 0.95f, 0.97f), .index = 1.04f, .clear_depth = 0.2f};
}

SurfaceMesh box_surface(const Vec3& size, const Vec3& position, const Mat3& rotation, render::PaintId paint) {
  SurfaceMesh mesh;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 sign(corner & 1 ? 0.5 : -0.5, corner & 2 ? 0.5 : -0.5, corner & 4 ? 0.5 : -0.5);
    mesh.open.push_back((position + rotation * sign.cwiseProduct(size)).cast<float>());
  }
  constexpr std::array<std::array<std::uint32_t, 4>, 6> sides = {
      {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}};
  for (const auto& s : sides) {
    mesh.triangles.push_back({s[0], s[1], s[2]});
    mesh.triangles.push_back({s[0], s[2], s[3]});
  }
  mesh.paint.assign(mesh.triangles.size(), paint);
  return mesh;
}

// Rings of a surface of revolution about y, with smooth normals.
SurfaceMesh capsule_surface(const CapsuleCollider& capsule, const Vec3& position, const Mat3& rotation,
                            render::PaintId paint) {
  constexpr std::uint32_t kRound = 48, kCap = 12;  // corners of a ring, rings of an end
  SurfaceMesh mesh;
  std::vector<Vec3f> normals;
  for (std::uint32_t ring = 0; ring <= 2 * kCap + 1; ++ring) {
    const bool upper = ring > kCap;
    const double latitude = std::numbers::pi / 2 * (static_cast<double>(upper ? ring - 1 : ring) / kCap - 1);
    for (std::uint32_t i = 0; i < kRound; ++i) {
      const double longitude = 2 * std::numbers::pi * i / kRound;
      const Vec3 out(std::cos(latitude) * std::cos(longitude), std::sin(latitude),
                     std::cos(latitude) * std::sin(longitude));
      const Vec3 middle(0, upper ? capsule.half_axis() : -capsule.half_axis(), 0);
      mesh.open.push_back((position + rotation * (middle + capsule.radius * out)).cast<float>());
      normals.push_back((rotation * out).cast<float>());
    }
  }
  const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    mesh.triangles.push_back({a, b, c});
    mesh.normals.push_back({normals[a], normals[b], normals[c]});
  };
  for (std::uint32_t ring = 0; ring < 2 * kCap + 1; ++ring) {
    for (std::uint32_t i = 0; i < kRound; ++i) {
      const std::uint32_t a = ring * kRound + i, b = ring * kRound + (i + 1) % kRound, c = a + kRound, d = b + kRound;
      if (ring > 0) add(a, d, b);
      if (ring < 2 * kCap) add(a, c, d);
    }
  }
  mesh.paint.assign(mesh.triangles.size(), paint);
  return mesh;
}

SurfaceMesh model_surface(const TriangleMesh& model, const Vec3& position, const Mat3& rotation,
                          render::PaintId paint) {
  SurfaceMesh mesh;
  for (const Vec3& p : model.points) mesh.open.push_back((position + rotation * p).cast<float>());
  mesh.triangles = model.triangles;
  for (const auto& corners : model.normals) {
    auto& turned = mesh.normals.emplace_back();
    for (std::size_t i = 0; i < 3; ++i) turned[i] = (rotation * corners[i]).cast<float>();
  }
  mesh.paint.assign(mesh.triangles.size(), paint);
  return mesh;
}

// A square of the plane round the middle of the setting, large enough to have no end in the picture.
SurfaceMesh plane_surface(const Vec3& normal, const Vec3& position, const Setting& setting, render::PaintId paint) {
  const Vec3 middle = setting.center - normal * normal.dot(setting.center - position);
  const Vec3 u = 4 * setting.radius * normal.unitOrthogonal(), v = normal.cross(u);
  SurfaceMesh mesh;
  for (const Vec3& corner : {Vec3(middle - u - v), Vec3(middle + u - v), Vec3(middle + u + v), Vec3(middle - u + v)}) {
    mesh.open.push_back(corner.cast<float>());
  }
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
  mesh.paint.assign(2, paint);
  return mesh;
}

// Leaves the triangles of one paint.
void keep_paint(SurfaceMesh& mesh, render::PaintId paint) {
  SurfaceMesh kept = mesh;
  kept.triangles.clear(), kept.paint.clear(), kept.normals.clear(), kept.material.clear();
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    if (mesh.paint[i] != paint) continue;
    kept.triangles.push_back(mesh.triangles[i]);
    kept.paint.push_back(paint);
    kept.normals.push_back(mesh.normals[i]);
    kept.material.push_back(mesh.material[i]);
  }
  mesh = std::move(kept);
}

void add_floor(Stage& stage, const Setting& setting, double height, render::PaintId paint) {
  stage.ground = {.shown = true,
                  .height = static_cast<float>(height),
                  .paint = paint,
                  .center = setting.center.cast<float>(),
                  .fade_from = static_cast<float>(2 * setting.radius),
                  .fade_to = static_cast<float>(8 * setting.radius)};
}

Panel panel(const Vec3& center, const Vec3& target, double width, double height, const Color& radiance) {
  const Vec3 out = (target - center).stableNormalized();
  const Vec3 helper = std::abs(out.y()) > 0.99 ? Vec3(Vec3::UnitX()) : Vec3(Vec3::UnitY());
  const Vec3 u = helper.cross(out).normalized(), v = out.cross(u);  // u x v = out
  return {center.cast<float>(), (u * width / 2).cast<float>(), (v * height / 2).cast<float>(), radiance};
}

}  // namespace

bool is_reassembled(Look look) {
  return look == Look::reassembled || look == Look::cracks || look == Look::exploded || look == Look::mesh;
}

StageMaker::StageMaker(const Scene& scene) : scene_(scene) {
  for (const ColliderSpec& collider : scene.colliders) {
    const auto* mesh = std::get_if<MeshCollider>(&collider.shape);
    if (mesh == nullptr) continue;
    TriangleMesh& model = collider_meshes_[collider.name] = read_surface(mesh->path);
    for (Vec3& p : model.points) p *= mesh->scale;
    const auto known = [](const std::array<Vec3, 3>& corners) {  // zeros stand for none
      return std::none_of(corners.begin(), corners.end(), [](const Vec3& n) { return n.isZero(); });
    };
    if (!std::all_of(model.normals.begin(), model.normals.end(), known)) model.normals.clear();
  }
}

std::vector<RigidPose> poses_between(const std::vector<RigidPose>& from, const std::vector<RigidPose>& to,
                                     double share) {
  std::vector<RigidPose> poses = from;
  for (RigidPose& pose : poses) {
    const auto next = std::find_if(to.begin(), to.end(), [&](const RigidPose& p) { return p.name == pose.name; });
    if (next == to.end()) continue;
    pose.position += share * (next->position - pose.position);
    const Eigen::Quaterniond turn(pose.rotation), end(next->rotation);
    pose.rotation = (rotation_by(share * turn_between(turn, end)) * turn).toRotationMatrix();
  }
  return poses;
}

Stage StageMaker::stage(const Frame& frame, const std::vector<RigidPose>& poses, const Setting& setting,
                        const StageOptions& options) {
  Stage stage;
  stage.ground.center = setting.center.cast<float>();
  add_bodies(stage, frame, setting, options);
  if (!is_reassembled(options.look)) {
    add_colliders(stage, poses, setting);
  } else if (options.look != Look::cracks) {
    add_floor(stage, setting, setting.lowest, stage.add(matte(from_srgb(0.80f, 0.79f, 0.77f))));
  }
  add_lights(stage, setting);
  return stage;
}

void StageMaker::add_bodies(Stage& stage, const Frame& frame, const Setting& setting, const StageOptions& options) {
  surface_.look_at(frame);
  render::SurfaceView view{.reassembled = is_reassembled(options.look),
                           .explode = options.explode,
                           .shutter = options.shutter,
                           .stress_scale = options.stress_scale,
                           .born = options.born,
                           .age_scale = options.age_scale};
  const auto radius = static_cast<float>(setting.radius);
  const auto add_wires = [&](Wires which, double thickness, const Color& color) {
    render::WireMesh wires = surface_.wires(frame, view, which);
    wires.radius = static_cast<float>(thickness) * radius;
    wires.paint = stage.add(matte(color));
    stage.wires.push_back(std::move(wires));
  };
  const auto add_surface = [&](const std::vector<BodyPaint>& paints) {
    stage.surfaces.push_back(surface_.surface(frame, view, paints));
  };
  const auto add_grains = [&](const std::vector<BodyPaint>& paints) {  // where they are now, not where they came from
    if (view.reassembled) return;
    for (const FrameGrain& g : frame.grains) {
      const BodyPaint& paint = paints[std::min<std::size_t>(g.body, paints.size() - 1)];
      stage.balls.push_back({g.position.cast<float>(), static_cast<float>(g.radius), paint.inside});
    }
  };
  const auto add_tinted = [&](render::Tint tint) {
    view.tint = tint;
    const render::PaintId paint = stage.add(chart_paint());
    add_surface({{paint, paint}});
    add_grains({{paint, paint}});
  };
  const Color ink = from_srgb(0.08f, 0.08f, 0.10f);

  switch (options.look) {
    case Look::fragments:
      add_tinted(render::Tint::fragment);
      return;
    case Look::stress:
      add_tinted(render::Tint::stress);
      return;
    case Look::age:
      add_tinted(render::Tint::age);
      return;
    case Look::cracks: {
      const render::PaintId ghost = stage.add(ghost_paint()), unseen = stage.add(ghost_paint());
      SurfaceMesh outside = surface_.surface(frame, view, {{ghost, unseen}});
      keep_paint(outside, ghost);
      stage.surfaces.push_back(std::move(outside));
      add_wires(Wires::crack_faces, 0.0022, from_srgb(0.75f, 0.16f, 0.12f));
      add_wires(Wires::creases, 0.0018, from_srgb(0.45f, 0.47f, 0.50f));
      return;
    }
    case Look::wire:
    case Look::mesh: {
      const render::PaintId pale = stage.add(matte(from_srgb(0.86f, 0.86f, 0.84f)));
      const render::PaintId broken = stage.add(matte(from_srgb(0.85f, 0.55f, 0.40f)));
      add_surface({{pale, broken}});
      add_wires(Wires::surface, 0.0016, ink);
      return;
    }
    case Look::tets:
      add_wires(Wires::tets, 0.0014, from_srgb(0.20f, 0.28f, 0.42f));
      return;
    case Look::normal:
    case Look::reassembled:
    case Look::exploded:
      break;
  }
  std::vector<BodyPaint> paints;
  for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
    const BodyLook look = body_look(scene_, i, textures_);
    paints.push_back({stage.add(look.outside), stage.add(look.inside)});
  }
  add_surface(paints);
  add_grains(paints);
  if (options.look == Look::reassembled) {
    add_wires(Wires::crack_lines, 0.0030, ink);
  } else if (scene_.look.crack_lines > 0) {
    view.hairline = kHairline * scene_.look.crack_lines;
    add_wires(Wires::hairlines, scene_.look.crack_lines / 2 / setting.radius, ink);
  }
  if (options.look == Look::normal) add_lines_of_coats(stage, frame, view);
}

// Cracks of coats that are drawn rather than open: dark in a glaze, bright in glass. The widest counts.
void StageMaker::add_lines_of_coats(Stage& stage, const Frame& frame, const render::SurfaceView& view) const {
  double width = 0;
  bool glass = false;
  for (const BodySpec& body : scene_.bodies) {
    if (!body.is_surface()) continue;
    width = std::max(width, spec_of(body.coat).line);
    glass = glass || std::holds_alternative<GlassCoat>(body.coat);
  }
  if (!(width > 0)) return;
  render::WireMesh wires = surface_.wires(frame, view, Wires::crack_lines);
  wires.radius = static_cast<float>(width / 2);
  wires.paint = stage.add(matte(glass ? from_srgb(0.92f, 0.95f, 0.96f) : from_srgb(0.16f, 0.11f, 0.08f)));
  stage.wires.push_back(std::move(wires));
}

void StageMaker::add_colliders(Stage& stage, const std::vector<RigidPose>& poses, const Setting& setting) const {
  for (std::size_t i = 0; i < scene_.colliders.size(); ++i) {
    const ColliderSpec& collider = scene_.colliders[i];
    if (collider.hidden) continue;
    Vec3 position = collider.position;
    Mat3 rotation = rotation_matrix(collider.rotation);
    const auto pose =
        std::find_if(poses.begin(), poses.end(), [&](const RigidPose& p) { return p.name == collider.name; });
    if (pose != poses.end() && !std::holds_alternative<GroundCollider>(collider.shape)) {
      position = pose->position;
      rotation = pose->rotation;
    }
    const render::PaintId paint = stage.add(collider_look(scene_, i));
    if (const auto* ground = std::get_if<GroundCollider>(&collider.shape)) {
      add_floor(stage, setting, ground->height, paint);
    } else if (const auto* plane = std::get_if<PlaneCollider>(&collider.shape)) {
      stage.surfaces.push_back(plane_surface(rotation * plane->normal, position, setting, paint));
    } else if (const auto* sphere = std::get_if<SphereCollider>(&collider.shape)) {
      stage.balls.push_back({position.cast<float>(), static_cast<float>(sphere->radius), paint});
    } else if (const auto* box = std::get_if<BoxCollider>(&collider.shape)) {
      stage.surfaces.push_back(box_surface(box->size, position, rotation, paint));
    } else if (const auto* capsule = std::get_if<CapsuleCollider>(&collider.shape)) {
      stage.surfaces.push_back(capsule_surface(*capsule, position, rotation, paint));
    } else if (const auto mesh = collider_meshes_.find(collider.name); mesh != collider_meshes_.end()) {
      stage.surfaces.push_back(model_surface(mesh->second, position, rotation, paint));
    }
    if (collider.rope) {
      render::WireMesh wire;
      wire.open = {collider.rope->point.cast<float>(), (position + rotation * collider.rope->attach).cast<float>()};
      wire.segments = {{0, 1}};
      wire.radius = static_cast<float>(0.006 * setting.radius);
      wire.paint = stage.add(matte(from_srgb(0.24f, 0.20f, 0.16f)));
      stage.wires.push_back(std::move(wire));
    }
  }
}

void StageMaker::add_lights(Stage& stage, const Setting& setting) const {
  const LookSpec& look = scene_.look;
  switch (look.sky) {
    case SkyKind::studio:
      stage.sky = render::studio_sky();
      break;
    case SkyKind::day:
      stage.sky = render::day_sky(look.sun.cast<float>());
      break;
    case SkyKind::overcast:
      stage.sky = render::overcast_sky();
      break;
    case SkyKind::dark:
      stage.sky = render::dark_sky();
      break;
  }
  for (const LightSpec& light : scene_.lights) {
    const Color radiance = render::from_srgb(static_cast<float>(light.color.x()), static_cast<float>(light.color.y()),
                                             static_cast<float>(light.color.z())) *
                           static_cast<float>(light.radiance);
    if (const auto* flat = std::get_if<PanelLight>(&light.shape)) {
      stage.panels.push_back(panel(light.position, flat->target, flat->width, flat->height, radiance));
    } else {
      stage.lamps.push_back(
          {light.position.cast<float>(), static_cast<float>(std::get<SphereLight>(light.shape).radius), radiance});
    }
  }
  const bool lit_by_hand = !scene_.lights.empty();
  if (lit_by_hand || (look.sky != SkyKind::studio && look.sky != SkyKind::dark)) return;
  // A photographer's table: a large soft key light from the left and above, a narrow one from behind for the edges.
  const double r = setting.radius;
  const Vec3 back = -Vec3(setting.view.x(), 0, setting.view.z()).stableNormalized();  // towards the camera
  const Vec3 right = Vec3::UnitY().cross(back);
  const Vec3& c = setting.center;
  stage.panels.push_back(panel(c - 4.6 * r * right + 6.0 * r * Vec3::UnitY() + 1.2 * r * back, c, 3.6 * r, 3.6 * r,
                               Color(1.0f, 0.96f, 0.90f) * 11.5f));
  stage.panels.push_back(panel(c + 4.0 * r * right + 3.4 * r * Vec3::UnitY() - 4.4 * r * back, c, 1.4 * r, 4.0 * r,
                               Color(0.86f, 0.93f, 1.0f) * 6.0f));
}

}  // namespace sunder
