#pragma once
// How a scene looks in pictures: paints, sky, lights, cameras. The simulation never sees it.

#include <filesystem>
#include <optional>
#include <string>
#include <variant>

#include "core/vec.h"

namespace sunder {

// Colours are sRGB numbers from 0 to 1, as colour pickers show them.
struct AutoPaint {};  // what fits the material
struct DiffusePaint {
  Vec3 color = Vec3(0.75, 0.72, 0.68);
  std::filesystem::path texture;  // times the colour; empty: none
  double texture_size = 0.3;      // m
  bool texture_uv = false;        // laid on by the model's texture coordinates, where it has some
  double mottle = 0, grit = 0;    // unevenness of colour, and of the shading
  double mottle_size = 0.1;       // m
};
struct GlossyPaint {
  Vec3 color = Vec3(0.75, 0.35, 0.2);
  double roughness = 0.3;
  std::filesystem::path texture;
  double texture_size = 0.3;
  bool texture_uv = false;
};
struct CeramicPaint {
  Vec3 color = Vec3(0.92, 0.9, 0.86);
  double roughness = 0.06;
  std::filesystem::path texture;
  double texture_size = 0.3;
  bool texture_uv = false;
};
struct MetalPaint {
  Vec3 color = Vec3(0.9, 0.88, 0.85);
  double roughness = 0.2;
};
struct GlassPaint {
  Vec3 color = Vec3(0.9, 0.97, 0.94);
  double depth = 0.05;  // m that dye white light with the colour
  double roughness = 0;
  double index = 1.5;
};
using PaintSpec = std::variant<AutoPaint, DiffusePaint, GlossyPaint, CeramicPaint, MetalPaint, GlassPaint>;

struct PaintedSpec {
  std::string on;  // name of a body, a collider or a material
  PaintSpec outside, inside;
};

struct CameraSpec {
  std::string name;  // "camera-1", ... unless given
  Vec3 position = Vec3(0, 1, 3), target = Vec3::Zero();
  double fov = 30;  // degrees, of the picture's height
};

struct PanelLight {
  Vec3 target = Vec3::Zero();
  double width = 1, height = 1;  // m
};
struct SphereLight {
  double radius = 0.1;  // m
};
using LightShape = std::variant<PanelLight, SphereLight>;

struct LightSpec {
  LightShape shape = PanelLight{};
  Vec3 position = Vec3(0, 2, 0);
  Vec3 color = Vec3::Ones();
  double radiance = 10;  // W / (m^2 sr), where a sunlit white wall has about 1
};

enum class LatticeLook { octants, cells };

enum class SkyKind { studio, day, overcast, dark };

struct LookSpec {
  SkyKind sky = SkyKind::studio;
  Vec3 sun = Vec3(0.48, 0.8, 0.36);  // towards it
  double exposure = 0;               // stops
  double azimuth = 30;               // degrees, of the camera that frames the scene by itself
  double elevation = 18;             // degrees
  double shutter = 0.15;             // share of a frame's time that it is open
  double crack_lines = 0;            // m, width
  LatticeLook lattice = LatticeLook::octants;
};

}  // namespace sunder
