#include "render/trace.h"

#include <algorithm>
#include <atomic>

#include "core/parallel.h"
#include "render/bsdf.h"
#include "render/ggx.h"
#include "render/lights.h"
#include "render/sampler.h"

namespace sunder::render {
namespace {

constexpr int kTile = 16;             // pixels a side
constexpr int kGlassBounces = 8;      // more than elsewhere: a path that ends inside glass is a black spot
constexpr int kGlassSurfaces = 24;    // that a shadow ray passes at most
constexpr float kBrightestSeen = 40;  // light that comes straight into the camera, or by mirrors and glass

// What a path saw first; the denoiser keeps edges between different ones.
struct FirstSight {
  Color albedo = Color::Ones();
  Vec3f normal = Vec3f::Zero();
  float depth = 0;
};

float away_from_surface(const Vec3f& point, float distance) {
  return 4e-6f * (point.cwiseAbs().maxCoeff() + distance) + 1e-7f;  // some round-offs of the hit
}

Vec3f lifted(const Vec3f& point, const Vec3f& facet, const Vec3f& direction, float distance) {
  const float step = away_from_surface(point, distance);
  return point + (direction.dot(facet) >= 0 ? step : -step) * facet;
}

// Balances the two ways to find a light: aiming at it, and meeting it by chance.
float balance(float mine, float other) { return mine * mine / (mine * mine + other * other); }

Color cut(const Color& light, float most) {
  const float l = luminance(light);
  return l > most ? Color(light * (most / l)) : light;
}

// What is left of light after `length` of a dyed glass, by Beer's law.
Color glass_filter(const Paint& paint, const Color& color, float length) {
  return color.max(1e-4f).min(1.0f).pow(length / paint.clear_depth);
}

class Tracer {
 public:
  Tracer(const RayScene& scene, const TraceSettings& settings)
      : scene_(scene), stage_(scene.stage()), lights_(stage_), settings_(settings) {
    for (const Paint& paint : stage_.paints) {
      bsdfs_.emplace_back(paint);
      some_glass_ = some_glass_ || paint.kind == PaintKind::glass;
    }
  }

  Color path(Ray ray, Sampler& sampler, FirstSight& sight) const {
    Color light = Color::Zero(), throughput = Color::Ones();
    bool aimed = false;          // the last surface that aimed at lights is behind us
    bool through_glass = false;  // and glass since then, which aiming has looked through
    float last_pdf = 0;
    int surfaces = 0, glass_surfaces = 0;
    for (int bounce = 0;; ++bounce) {
      Hit hit;
      const bool met = scene_.nearest(ray, 0, kFar, hit);
      const LightSample lamp = lights_.met(ray, met ? hit.distance : kFar, bounce == 0);
      if (lamp.pdf > 0) {
        const float weight = !aimed ? 1 : through_glass ? 0 : balance(last_pdf, lamp.pdf);
        light += cut(throughput * lamp.radiance * weight, aimed ? settings_.brightest : kBrightestSeen);
        if (lamp.distance != kFar) break;
      }
      if (!met) {
        light += throughput * dome(stage_.sky, ray.direction);
        break;
      }
      if (hit.ground) throughput *= fade(ray, hit, throughput, light);
      if (is_black(throughput)) break;

      const Bsdf& bsdf = bsdfs_[hit.paint];
      const Vec3f out = -ray.direction;
      if (bsdf.is_glass()) {
        if (out.dot(hit.facet) < 0) throughput *= glass_filter(bsdf.paint(), hit.color, hit.distance);
      } else if (out.dot(hit.facet) < 0) {  // opaque things have two good sides
        hit.facet = -hit.facet;
        hit.normal = -hit.normal;
      }
      if (out.dot(hit.normal) * out.dot(hit.facet) <= 0) hit.normal = hit.facet;
      if (bounce == 0) {
        sight.albedo = bsdf.is_glass() ? Color(Color::Ones()) : hit.color;
        sight.normal = hit.normal;
        sight.depth = hit.distance;
      }
      if (bsdf.is_glass() ? ++glass_surfaces > settings_.bounces + kGlassBounces : ++surfaces > settings_.bounces)
        break;

      const Axes axes(hit.normal);
      const Vec3f local_out = axes.to_local(out);
      const float light_choice = sampler.next();
      const Vec2f light_u = sampler.next2();
      if (bsdf.has_density() && lights_.any()) {
        const Color direct = throughput * aim(hit, bsdf, axes, local_out, ray.time, light_choice, light_u);
        light += bounce == 0 ? direct : cut(direct, settings_.brightest);
      }
      const float choice = sampler.next();
      const auto next = bsdf.sample(local_out, hit.color, choice, sampler.next2());
      if (!next) break;
      throughput *= next->weight;
      Vec3f direction = axes.to_world(next->direction).normalized();
      // Smooth normals can send light to the wrong side of the triangle: mirror it back.
      const bool same_side = direction.dot(hit.facet) * out.dot(hit.facet) > 0;
      if (same_side == next->transmitted) direction -= 2 * direction.dot(hit.facet) * hit.facet;
      if (next->certain) {
        through_glass = through_glass || next->transmitted;
      } else {
        aimed = true;
        through_glass = false;
        last_pdf = next->pdf;
      }
      if (bounce >= 3) {  // Russian roulette
        const float stay = std::clamp(throughput.maxCoeff(), 0.05f, 0.98f);
        if (sampler.next() >= stay) break;
        throughput /= stay;
      }
      const Vec3f& start = next->transmitted ? hit.point : hit.smooth_point;
      ray = {lifted(start, hit.facet, direction, hit.distance), direction, ray.time};
    }
    return light.isFinite().all() ? light : Color(Color::Zero());
  }

 private:
  // The ground goes over into the sky far out: adds the sky's part and returns the ground's.
  float fade(const Ray& ray, const Hit& hit, const Color& throughput, Color& light) const {
    const Ground& ground = stage_.ground;
    const float r = (hit.point - ground.center).norm();
    const float s = std::clamp((r - ground.fade_from) / (ground.fade_to - ground.fade_from), 0.0f, 1.0f);
    if (!(s > 0)) return 1;
    const float sky = s * s * (3 - 2 * s);
    light += throughput * sky * dome(stage_.sky, ray.direction);
    return 1 - sky;
  }

  // Light that comes straight from a lamp, panel or the sun to a surface and leaves it along `out`.
  Color aim(const Hit& hit, const Bsdf& bsdf, const Axes& axes, const Vec3f& out, float time, float choice,
            const Vec2f& u) const {
    const LightSample lamp = lights_.sample(hit.point, choice, u);
    if (!(lamp.pdf > 0)) return Color::Zero();
    const Scattering s = bsdf.evaluate(out, axes.to_local(lamp.direction), hit.color);
    if (!(s.pdf > 0) || is_black(s.value)) return Color::Zero();
    const Vec3f& start = lamp.direction.dot(hit.facet) > 0 ? hit.smooth_point : hit.point;
    const Ray ray{lifted(start, hit.facet, lamp.direction, hit.distance), lamp.direction, time};
    const Color clear = way_is_clear(ray, lamp.distance * 0.9999f);
    return clear * s.value * lamp.radiance * (balance(lamp.pdf, s.pdf) / lamp.pdf);
  }

  // Share of light that passes between two points. Glass lets it through in a straight line, less what it reflects and
  // absorbs: not where it truly goes, but a glass would else stand in a black shadow.
  Color way_is_clear(Ray ray, float far) const {
    if (!scene_.blocked(ray, 0, far)) return Color::Ones();
    if (!some_glass_) return Color::Zero();
    Color share = Color::Ones();
    for (int i = 0; i < kGlassSurfaces; ++i) {
      Hit hit;
      if (!scene_.nearest(ray, 0, far, hit)) return share;
      const Bsdf& bsdf = bsdfs_[hit.paint];
      if (!bsdf.is_glass()) return Color::Zero();
      const float cosine = ray.direction.dot(hit.normal);
      share *= 1 - fresnel_dielectric(cosine, bsdf.paint().index);  // the same both ways, as for a plate
      if (ray.direction.dot(hit.facet) > 0) share *= glass_filter(bsdf.paint(), hit.color, hit.distance);
      if (share.maxCoeff() < 1e-3f) return Color::Zero();
      ray.origin = lifted(hit.point, hit.facet, ray.direction, hit.distance);
      far -= hit.distance;
    }
    return Color::Zero();
  }

  const RayScene& scene_;
  const Stage& stage_;
  Lights lights_;
  const TraceSettings& settings_;
  std::vector<Bsdf> bsdfs_;
  bool some_glass_ = false;
};

// Where in a pixel a sample falls: a tent of two pixels' width softens edges better than a box.
float tent(float u) { return u < 0.5f ? std::sqrt(2 * u) - 1 : 1 - std::sqrt(2 - 2 * u); }

}  // namespace

Picture trace(const RayScene& scene, const Camera& camera, const TraceSettings& settings) {
  Picture picture(settings.width, settings.height);
  const Tracer tracer(scene, settings);
  const Lens lens(camera);
  const auto trace_pixel = [&](int x, int y) {
    const auto pixel =
        static_cast<std::size_t>(y) * static_cast<std::size_t>(settings.width) + static_cast<std::size_t>(x);
    double sum = 0, squares = 0;
    Color light = Color::Zero();
    FirstSight mean{Color::Zero(), Vec3f::Zero(), 0};
    for (int s = 0; s < settings.samples; ++s) {
      Sampler sampler(settings.seed, pixel, static_cast<std::uint32_t>(s));
      const Vec2f u = sampler.next2();
      const float px = (static_cast<float>(x) + 0.5f + tent(u.x())) / static_cast<float>(settings.width);
      const float py = (static_cast<float>(y) + 0.5f + tent(u.y())) / static_cast<float>(settings.height);
      FirstSight sight;
      const Color sample = tracer.path(lens.ray(px, py, sampler.next()), sampler, sight);
      light += sample;
      mean.albedo += sight.albedo;
      mean.normal += sight.normal;
      mean.depth += sight.depth;
      const double l = static_cast<double>(luminance(sample));
      sum += l;
      squares += l * l;
    }
    const auto n = static_cast<float>(settings.samples);
    picture.light[pixel] = light / n;
    picture.albedo[pixel] = mean.albedo / n;
    picture.normal[pixel] = mean.normal / n;
    picture.depth[pixel] = mean.depth / n;
    const double count = settings.samples;
    const double variance = settings.samples > 1 ? (squares - sum * sum / count) / (count * (count - 1)) : sum * sum;
    picture.variance[pixel] = static_cast<float>(std::max(variance, 0.0));
  };

  const int columns = (settings.width + kTile - 1) / kTile, rows = (settings.height + kTile - 1) / kTile;
  const auto tiles = static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows);
  std::atomic<std::size_t> done{0};
  parallel_chunks(tiles, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t tile = begin; tile < end; ++tile) {
      const int x0 = static_cast<int>(tile) % columns * kTile, y0 = static_cast<int>(tile) / columns * kTile;
      for (int y = y0; y < std::min(y0 + kTile, settings.height); ++y) {
        for (int x = x0; x < std::min(x0 + kTile, settings.width); ++x) trace_pixel(x, y);
      }
      const std::size_t count = ++done;
      if (settings.progress && count % 32 == 0)
        settings.progress(static_cast<double>(count) / static_cast<double>(tiles));
    }
  });
  return picture;
}

}  // namespace sunder::render
