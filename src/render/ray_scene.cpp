#include "render/ray_scene.h"

#include <embree3/rtcore.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/error.h"
#include "render/texture.h"
#include "render/weathering.h"

namespace sunder::render {
namespace {

bool has_uv(const SurfaceMesh& mesh, std::size_t triangle) {
  if (mesh.uv.empty()) return false;
  const auto& uv = mesh.uv[triangle];
  return std::any_of(uv.begin(), uv.end(), [](const Vec2f& corner) { return !corner.isZero(0); });
}

enum class Kind { surface, wire, balls };
struct Owner {
  Kind kind;
  std::size_t index;
};

// Copies points into an Embree vertex buffer of a time step; with a radius as fourth component if there are some.
void fill_vertices(RTCGeometry geometry, unsigned step, const std::vector<Vec3f>& points) {
  auto* to = static_cast<float*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, step, RTC_FORMAT_FLOAT3,
                                                         3 * sizeof(float), points.size()));
  for (const Vec3f& p : points) {
    std::memcpy(to, p.data(), 3 * sizeof(float));
    to += 3;
  }
}
// `radii` has one for each pair of points.
void fill_vertices(RTCGeometry geometry, unsigned step, const std::vector<Vec3f>& points,
                   const std::vector<float>& radii) {
  auto* to = static_cast<float*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, step, RTC_FORMAT_FLOAT4,
                                                         4 * sizeof(float), points.size()));
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::memcpy(to, points[i].data(), 3 * sizeof(float));
    to[3] = radii[i / 2];
    to += 4;
  }
}

RTCRay embree_ray(const Ray& ray, float near, float far) {
  RTCRay r{};
  r.org_x = ray.origin.x(), r.org_y = ray.origin.y(), r.org_z = ray.origin.z();
  r.dir_x = ray.direction.x(), r.dir_y = ray.direction.y(), r.dir_z = ray.direction.z();
  r.tnear = near, r.tfar = far, r.time = ray.time;
  r.mask = 0xffffffffu;
  return r;
}

// A point of a triangle moved to the curved surface that its corner normals stand for: the mean of its projections on
// the corners' tangent planes, where those lie above it. Shadows then end smoothly on coarse meshes (Hanika 2021).
Vec3f on_smooth_surface(const SurfaceMesh& mesh, std::size_t triangle, float time, const Vec3f& weights,
                        const Vec3f& point) {
  Vec3f lift = Vec3f::Zero();
  for (std::size_t k = 0; k < 3; ++k) {
    const std::uint32_t vertex = mesh.triangles[triangle][k];
    Vec3f corner = mesh.open[vertex];
    if (!mesh.close.empty()) corner += time * (mesh.close[vertex] - corner);
    const Vec3f& n = mesh.normals[triangle][k];
    lift -= weights[static_cast<int>(k)] * std::min(0.0f, (point - corner).dot(n)) * n;
  }
  return point + lift;
}

}  // namespace

struct RayScene::Embree {
  RTCDevice device = nullptr;
  RTCScene scene = nullptr;
  std::vector<Owner> owners;  // by geometry id

  // Building with one thread gives the same tree every time; rays that meet two triangles at once then always take
  // the same one.
  Embree() : device(rtcNewDevice("threads=1,set_affinity=0")) {
    if (device == nullptr) {
      throw Error(ExitCode::files,
                  fmt::format("Embree does not start (error {})", static_cast<int>(rtcGetDeviceError(nullptr))));
    }
    scene = rtcNewScene(device);
    rtcSetSceneFlags(scene, RTC_SCENE_FLAG_ROBUST);
  }
  ~Embree() {
    rtcReleaseScene(scene);
    rtcReleaseDevice(device);
  }
  Embree(const Embree&) = delete;
  Embree& operator=(const Embree&) = delete;

  void attach(RTCGeometry geometry, Owner owner) {
    rtcCommitGeometry(geometry);
    rtcAttachGeometryByID(scene, geometry, static_cast<unsigned>(owners.size()));
    rtcReleaseGeometry(geometry);
    owners.push_back(owner);
  }

  void add(const SurfaceMesh& mesh, std::size_t index) {
    if (mesh.triangles.empty()) return;
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    rtcSetGeometryTimeStepCount(geometry, mesh.close.empty() ? 1 : 2);
    fill_vertices(geometry, 0, mesh.open);
    if (!mesh.close.empty()) fill_vertices(geometry, 1, mesh.close);
    void* to = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(unsigned),
                                       mesh.triangles.size());
    std::memcpy(to, mesh.triangles.data(), mesh.triangles.size() * sizeof(mesh.triangles[0]));
    attach(geometry, {Kind::surface, index});
  }

  // Every segment has two vertices of its own, since Embree joins vertex i with i + 1.
  void add(const WireMesh& wires, std::size_t index) {
    if (wires.segments.empty()) return;
    const auto ends = [&](const std::vector<Vec3f>& points) {
      std::vector<Vec3f> list;
      list.reserve(2 * wires.segments.size());
      for (const auto& [a, b] : wires.segments) {
        list.push_back(points[a]);
        list.push_back(points[b]);
      }
      return list;
    };
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_ROUND_LINEAR_CURVE);
    rtcSetGeometryTimeStepCount(geometry, wires.close.empty() ? 1 : 2);
    std::vector<float> radii(wires.segments.size(), wires.radius);
    for (std::size_t i = 0; i < wires.share.size(); ++i) radii[i] *= wires.share[i];
    fill_vertices(geometry, 0, ends(wires.open), radii);
    if (!wires.close.empty()) fill_vertices(geometry, 1, ends(wires.close), radii);
    auto* to = static_cast<unsigned*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT,
                                                              sizeof(unsigned), wires.segments.size()));
    for (std::size_t i = 0; i < wires.segments.size(); ++i) to[i] = static_cast<unsigned>(2 * i);
    attach(geometry, {Kind::wire, index});
  }

  void add(const std::vector<Ball>& balls) {
    if (balls.empty()) return;
    RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_SPHERE_POINT);
    auto* to = static_cast<float*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT4,
                                                           4 * sizeof(float), balls.size()));
    for (const Ball& ball : balls) {
      std::memcpy(to, ball.center.data(), 3 * sizeof(float));
      to[3] = ball.radius;
      to += 4;
    }
    attach(geometry, {Kind::balls, 0});
  }
};

RayScene::RayScene(const Stage& stage) : stage_(stage), embree_(std::make_unique<Embree>()) {
  for (std::size_t i = 0; i < stage.surfaces.size(); ++i) embree_->add(stage.surfaces[i], i);
  for (std::size_t i = 0; i < stage.wires.size(); ++i) embree_->add(stage.wires[i], i);
  embree_->add(stage.balls);
  rtcCommitScene(embree_->scene);
  if (rtcGetDeviceError(embree_->device) != RTC_ERROR_NONE) {
    throw Error(ExitCode::files, "Embree cannot take the surfaces in; is there enough memory?");
  }
}

RayScene::~RayScene() = default;

bool RayScene::nearest(const Ray& ray, float near, float far, Hit& hit) const {
  RTCRayHit query{};
  query.ray = embree_ray(ray, near, far);
  query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  rtcIntersect1(embree_->scene, &context, &query);
  const bool met = query.hit.geomID != RTC_INVALID_GEOMETRY_ID;

  const Ground& ground = stage_.ground;
  if (ground.shown && ray.direction.y() != 0) {
    const float t = (ground.height - ray.origin.y()) / ray.direction.y();
    if (t > near && t < (met ? query.ray.tfar : far)) {
      hit.distance = t;
      hit.point = hit.smooth_point = ray.origin + t * ray.direction;
      hit.facet = hit.normal = Vec3f::UnitY();
      hit.paint = ground.paint;
      hit.ground = true;
      hit.color = painted_color(stage_.paints[hit.paint], hit.point, hit.normal);
      return true;
    }
  }
  if (!met) return false;

  hit.distance = query.ray.tfar;
  hit.point = hit.smooth_point = ray.origin + hit.distance * ray.direction;
  hit.facet = Vec3f(query.hit.Ng_x, query.hit.Ng_y, query.hit.Ng_z).normalized();
  hit.normal = hit.facet;
  hit.ground = false;
  const Owner owner = embree_->owners[query.hit.geomID];
  const std::size_t i = query.hit.primID;
  switch (owner.kind) {
    case Kind::balls:
      hit.paint = stage_.balls[i].paint;
      hit.color = stage_.paints[hit.paint].color;
      break;
    case Kind::wire:
      hit.paint = stage_.wires[owner.index].paint;
      hit.color = stage_.paints[hit.paint].color;
      break;
    case Kind::surface: {
      const SurfaceMesh& mesh = stage_.surfaces[owner.index];
      const float u = query.hit.u, v = query.hit.v, w = 1 - u - v;
      const auto blend = [&](const auto& corner) { return (w * corner[0] + u * corner[1] + v * corner[2]).eval(); };
      hit.paint = mesh.paint[i];
      if (!mesh.normals.empty()) {
        const Vec3f n = blend(mesh.normals[i]);
        if (n.squaredNorm() > 1e-8f && n.dot(hit.facet) > 0) {
          hit.normal = n.normalized();
          hit.smooth_point = on_smooth_surface(mesh, i, ray.time, {w, u, v}, hit.point);
        }
      }
      const Paint& paint = stage_.paints[hit.paint];
      if (!mesh.tint.empty()) {
        hit.color = blend(mesh.tint[i]);
      } else if (paint.texture != nullptr && paint.texture_uv && has_uv(mesh, i)) {
        hit.color = paint.color * texture_color(*paint.texture, blend(mesh.uv[i]));
      } else if (paint.texture != nullptr && !mesh.material.empty()) {
        const auto& m = mesh.material[i];
        hit.color = painted_color(paint, blend(m), (m[1] - m[0]).cross(m[2] - m[0]).normalized());
      } else {
        hit.color = paint.color;
      }
      if (paint.weathering.any() && mesh.tint.empty() && !mesh.material.empty()) {
        const Vec3f at = blend(mesh.material[i]);
        hit.color *= weathered_shade(paint.weathering, at);
        if (paint.weathering.grit > 0) hit.normal = weathered_normal(paint.weathering, at, hit.normal);
      }
      break;
    }
  }
  return true;
}

bool RayScene::blocked(const Ray& ray, float near, float far) const {
  const Ground& ground = stage_.ground;
  if (ground.shown && ray.direction.y() != 0) {
    const float t = (ground.height - ray.origin.y()) / ray.direction.y();
    if (t > near && t < far) return true;
  }
  RTCRay query = embree_ray(ray, near, far);
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  rtcOccluded1(embree_->scene, &context, &query);
  return query.tfar < 0;
}

}  // namespace sunder::render
