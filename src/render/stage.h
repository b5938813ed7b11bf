#pragma once
// Everything a picture shows, ready to be traced: surfaces, wires, balls, ground, lights and the paints they name.

#include <array>
#include <cstdint>
#include <vector>

#include "render/paint.h"
#include "render/sky.h"

namespace sunder::render {

using PaintId = std::uint32_t;  // place in Stage::paints

// Triangles, counter-clockwise seen from outside. Vertices move in straight lines while the shutter is open.
struct SurfaceMesh {
  std::vector<Vec3f> open, close;  // m; `close` is empty if nothing moves
  std::vector<std::array<std::uint32_t, 3>> triangles;
  std::vector<PaintId> paint;                  // one per triangle
  std::vector<std::array<Vec3f, 3>> normals;   // one per corner, outwards; empty: flat
  std::vector<std::array<Color, 3>> tint;      // one per corner, in the place of the paint's colour; empty: none
  std::vector<std::array<Vec3f, 3>> material;  // corners in material coordinates, for textures; may be empty
  std::vector<std::array<Vec2f, 3>> uv;        // texture coordinates of corners, all zero for none; may be empty
};

// Round wires.
struct WireMesh {
  std::vector<Vec3f> open, close;  // as above
  std::vector<std::array<std::uint32_t, 2>> segments;
  PaintId paint = 0;
  float radius = 0.001f;     // m
  std::vector<float> share;  // of the radius, for each segment; empty: all of it
};

struct Ball {
  Vec3f center = Vec3f::Zero();
  float radius = 1;
  PaintId paint = 0;
};

// An endless floor that fades into the sky, so that it has no horizon line.
struct Ground {
  bool shown = false;
  float height = 0;
  PaintId paint = 0;
  Vec3f center = Vec3f::Zero();            // of the part that is seen
  float fade_from = kFar, fade_to = kFar;  // m from the centre
};

// A rectangle that shines to the side of half_u x half_v; the camera does not see it, mirrors and glass do.
struct Panel {
  Vec3f center, half_u, half_v;
  Color radiance;
};

struct Lamp {
  Vec3f center;
  float radius;
  Color radiance;
};

struct Stage {
  std::vector<Paint> paints;
  std::vector<SurfaceMesh> surfaces;
  std::vector<WireMesh> wires;
  std::vector<Ball> balls;
  Ground ground;
  Sky sky;
  std::vector<Panel> panels;
  std::vector<Lamp> lamps;

  PaintId add(const Paint& paint) {
    paints.push_back(paint);
    return static_cast<PaintId>(paints.size() - 1);
  }
};

}  // namespace sunder::render
