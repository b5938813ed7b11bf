#include "sim/auto_paint.h"

#include <array>
#include <string_view>
#include <system_error>

#include "core/error.h"
#include "render/color_maps.h"
#include "render/texture.h"

namespace sunder {
namespace {

using render::Color;
using render::from_srgb;
using render::Paint;
using render::PaintKind;

Paint diffuse(const Color& color) { return {.kind = PaintKind::diffuse, .color = color}; }
Paint coated(const Color& color, float roughness) {
  return {.kind = PaintKind::coated, .color = color, .roughness = roughness};
}
Paint metal(const Color& color, float roughness) {
  return {.kind = PaintKind::metal, .color = color, .roughness = roughness};
}
Paint glass(const Color& color, float depth, float roughness, float index) {
  return {.kind = PaintKind::glass, .color = color, .roughness = roughness, .index = index, .clear_depth = depth};
}

// Bodies of a material without a look of its own, or soft ones: neighbours in the list differ.
Color palette(std::size_t body) {
  static const std::array<Color, 6> colors = {from_srgb(0.86f, 0.33f, 0.20f), from_srgb(0.16f, 0.48f, 0.60f),
                                              from_srgb(0.93f, 0.70f, 0.25f), from_srgb(0.45f, 0.58f, 0.34f),
                                              from_srgb(0.55f, 0.36f, 0.55f), from_srgb(0.80f, 0.77f, 0.72f)};
  return colors[body % colors.size()];
}

BodyLook look_of_material(std::string_view name, std::size_t body) {
  const auto is = [&](std::string_view word) { return name.find(word) != std::string_view::npos; };
  if (is("glass")) {
    return {glass(from_srgb(0.80f, 0.93f, 0.88f), 0.06f, 0, 1.5f),
            glass(from_srgb(0.72f, 0.92f, 0.85f), 0.03f, 0.12f, 1.5f)};
  }
  if (is("ice")) {
    return {glass(from_srgb(0.80f, 0.91f, 0.96f), 0.10f, 0.08f, 1.31f),
            glass(from_srgb(0.90f, 0.96f, 0.98f), 0.05f, 0.4f, 1.31f)};
  }
  if (is("ceramic")) return {coated(from_srgb(0.20f, 0.42f, 0.58f), 0.06f), diffuse(from_srgb(0.86f, 0.62f, 0.46f))};
  if (is("porcelain")) return {coated(from_srgb(0.93f, 0.92f, 0.89f), 0.05f), diffuse(from_srgb(0.88f, 0.84f, 0.78f))};
  if (is("the-end")) return {coated(from_srgb(0.85f, 0.65f, 0.25f), 0.2f), diffuse(from_srgb(0.55f, 0.30f, 0.18f))};
  if (is("concrete")) return {diffuse(from_srgb(0.62f, 0.61f, 0.59f)), diffuse(from_srgb(0.48f, 0.46f, 0.43f))};
  if (is("brick")) return {diffuse(from_srgb(0.66f, 0.31f, 0.22f)), diffuse(from_srgb(0.78f, 0.45f, 0.33f))};
  if (is("adobe")) return {diffuse(from_srgb(0.74f, 0.55f, 0.38f)), diffuse(from_srgb(0.56f, 0.37f, 0.24f))};
  if (is("plaster")) return {diffuse(from_srgb(0.92f, 0.90f, 0.86f)), diffuse(from_srgb(0.76f, 0.73f, 0.68f))};
  if (is("granite")) return {coated(from_srgb(0.50f, 0.47f, 0.46f), 0.25f), diffuse(from_srgb(0.66f, 0.63f, 0.61f))};
  if (is("marble")) return {coated(from_srgb(0.90f, 0.89f, 0.87f), 0.12f), diffuse(from_srgb(0.93f, 0.92f, 0.90f))};
  if (is("sandstone")) return {diffuse(from_srgb(0.80f, 0.66f, 0.46f)), diffuse(from_srgb(0.88f, 0.76f, 0.57f))};
  if (is("wood") || is("pine"))
    return {coated(from_srgb(0.60f, 0.40f, 0.22f), 0.4f), diffuse(from_srgb(0.85f, 0.70f, 0.48f))};
  if (is("steel")) return {metal(from_srgb(0.77f, 0.78f, 0.80f), 0.25f), metal(from_srgb(0.60f, 0.60f, 0.62f), 0.5f)};
  if (is("tin")) return {metal(from_srgb(0.86f, 0.86f, 0.85f), 0.22f), metal(from_srgb(0.72f, 0.72f, 0.72f), 0.45f)};
  if (is("copper")) return {metal(from_srgb(0.93f, 0.62f, 0.48f), 0.2f), metal(from_srgb(0.90f, 0.55f, 0.42f), 0.45f)};
  if (is("lead")) return {metal(from_srgb(0.52f, 0.54f, 0.58f), 0.45f), metal(from_srgb(0.66f, 0.68f, 0.71f), 0.35f)};
  if (is("aluminium"))
    return {metal(from_srgb(0.91f, 0.92f, 0.93f), 0.3f), metal(from_srgb(0.75f, 0.76f, 0.78f), 0.5f)};
  if (is("mud")) {
    BodyLook look = {diffuse(from_srgb(0.68f, 0.58f, 0.47f)), diffuse(from_srgb(0.40f, 0.31f, 0.23f))};
    look.outside.weathering = {.mottle = 0.28f, .grit = 0.18f, .size = 0.15f};
    look.inside.weathering = {.mottle = 0.4f, .grit = 0.4f, .size = 0.05f};
    return look;
  }
  if (is("glaze")) return {coated(from_srgb(0.80f, 0.86f, 0.80f), 0.06f), diffuse(from_srgb(0.30f, 0.24f, 0.20f))};
  if (is("clay")) return {diffuse(from_srgb(0.68f, 0.45f, 0.33f)), diffuse(from_srgb(0.52f, 0.30f, 0.21f))};
  if (is("chocolate")) return {coated(from_srgb(0.28f, 0.15f, 0.09f), 0.3f), diffuse(from_srgb(0.38f, 0.22f, 0.14f))};
  if (is("wax")) return {coated(from_srgb(0.94f, 0.88f, 0.74f), 0.35f), diffuse(from_srgb(0.96f, 0.92f, 0.82f))};
  const Color own = palette(body);
  return {coated(own, 0.28f), diffuse(0.35f * own + 0.45f)};
}

// The paint a scene gives; nothing for `auto`. Without a cache its picture is left out.
bool given(const PaintSpec& spec, Paint& paint, TextureCache* textures) {
  const auto srgb = [](const Vec3& c) {
    return from_srgb(static_cast<float>(c.x()), static_cast<float>(c.y()), static_cast<float>(c.z()));
  };
  const auto textured = [&](const auto& from) {
    if (textures == nullptr || from.texture.empty()) return;
    auto& texture = (*textures)[from.texture.string() + '\n' + std::to_string(from.texture_size)];
    std::error_code failure;
    if (texture == nullptr && !std::filesystem::exists(from.texture, failure)) {
      throw FileError(from.texture.string(),
                      "is gone; put it back there, or name another picture in the scene, [[paint]], texture");
    }
    if (texture == nullptr) texture = render::read_texture(from.texture, static_cast<float>(from.texture_size));
    paint.texture = texture;
    paint.texture_uv = from.texture_uv;
  };
  if (const auto* d = std::get_if<DiffusePaint>(&spec)) {
    paint = diffuse(srgb(d->color));
    textured(*d);
    paint.weathering = {static_cast<float>(d->mottle), static_cast<float>(d->grit), static_cast<float>(d->mottle_size)};
  } else if (const auto* g = std::get_if<GlossyPaint>(&spec)) {
    paint = coated(srgb(g->color), static_cast<float>(g->roughness));
    textured(*g);
  } else if (const auto* c = std::get_if<CeramicPaint>(&spec)) {
    paint = coated(srgb(c->color), static_cast<float>(c->roughness));
    textured(*c);
  } else if (const auto* m = std::get_if<MetalPaint>(&spec)) {
    paint = metal(srgb(m->color), static_cast<float>(m->roughness));
  } else if (const auto* clear = std::get_if<GlassPaint>(&spec)) {
    paint = glass(srgb(clear->color), static_cast<float>(clear->depth), static_cast<float>(clear->roughness),
                  static_cast<float>(clear->index));
  } else {
    return false;
  }
  return true;
}

// What a scene says of a body, one after the other: the last one counts.
template <class Take>
void each_paint(const Scene& scene, std::size_t body, const Take& take) {
  for (const std::string& name : {scene.bodies[body].material_name, scene.bodies[body].name}) {
    for (const PaintedSpec& painted : scene.paints) {
      if (painted.on == name) take(painted);
    }
  }
}

BodyLook look_of_body(const Scene& scene, std::size_t body, TextureCache* textures) {
  BodyLook look = look_of_material(scene.bodies[body].material_name, body);
  each_paint(scene, body, [&](const PaintedSpec& painted) {
    given(painted.outside, look.outside, textures);
    given(painted.inside, look.inside, textures);
  });
  return look;
}

// `auto` leaves what was there; any other paint takes its place.
void lay_on(const PaintSpec& spec, LaidPicture& picture) {
  if (std::holds_alternative<AutoPaint>(spec)) return;
  picture = std::visit(
      [](const auto& paint) -> LaidPicture {
        if constexpr (requires { paint.texture; }) return {paint.texture, paint.texture_uv};
        return {};
      },
      spec);
}

}  // namespace

BodyLook body_look(const Scene& scene, std::size_t body, TextureCache& textures) {
  return look_of_body(scene, body, &textures);
}

BodyLook plain_look(const Scene& scene, std::size_t body) { return look_of_body(scene, body, nullptr); }

BodyPictures body_pictures(const Scene& scene, std::size_t body) {
  BodyPictures pictures;
  each_paint(scene, body, [&](const PaintedSpec& painted) {
    lay_on(painted.outside, pictures.outside);
    lay_on(painted.inside, pictures.inside);
  });
  return pictures;
}

Paint collider_look(const Scene& scene, std::size_t index) {
  const ColliderSpec& collider = scene.colliders[index];
  const bool ground = std::holds_alternative<GroundCollider>(collider.shape);
  Paint paint = ground ? diffuse(scene.look.sky == SkyKind::dark ? from_srgb(0.30f, 0.30f, 0.32f)
                                                                 : from_srgb(0.80f, 0.79f, 0.77f))
                       : coated(from_srgb(0.50f, 0.52f, 0.55f), 0.35f);
  TextureCache textures;
  for (const PaintedSpec& painted : scene.paints) {
    if (painted.on == collider.name) given(painted.outside, paint, &textures);
  }
  return paint;
}

}  // namespace sunder
