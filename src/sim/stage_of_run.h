#pragma once
// A frame of a run as a stage to be traced: bodies in their paints, colliders, floor, sky and lights.

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "frame/frame.h"
#include "frame/totals.h"
#include "mesh/triangle_mesh.h"
#include "render/camera.h"
#include "render/frame_surface.h"
#include "render/stage.h"
#include "scene/scene.h"

namespace sunder {

enum class Look {
  normal,       // as it would be seen
  reassembled,  // in material coordinates, with cracks drawn as lines (OH99 figure 10 c)
  cracks,       // crack faces as wires in a ghost of the body (10 d)
  exploded,     // reassembled, and the fragments moved apart
  fragments,    // each fragment its own colour
  stress,       // blue pressure, red tension
  age,          // crack faces from new (yellow) to old (violet)
  wire,         // the surface with its edges
  mesh,         // the same in material coordinates (10 a, b)
  tets,         // the edges of all tetrahedra
};
struct LookName {
  std::string_view name;
  Look look;
};
inline constexpr std::array<LookName, 10> kLooks{{{"normal", Look::normal},
                                                  {"reassembled", Look::reassembled},
                                                  {"cracks", Look::cracks},
                                                  {"exploded", Look::exploded},
                                                  {"fragments", Look::fragments},
                                                  {"stress", Look::stress},
                                                  {"age", Look::age},
                                                  {"wire", Look::wire},
                                                  {"mesh", Look::mesh},
                                                  {"tets", Look::tets}}};

// In material coordinates, where nothing moves?
bool is_reassembled(Look look);

struct StageOptions {
  Look look = Look::normal;
  double explode = 0;
  double shutter = 0;  // s
  double stress_scale = 1;
  double age_scale = 1;
  const std::unordered_map<Uid, double>* born = nullptr;
};

// Halfway poses for slow motion: `share` of the way from one frame's to the next's.
std::vector<RigidPose> poses_between(const std::vector<RigidPose>& from, const std::vector<RigidPose>& to,
                                     double share);

// What stays the same from frame to frame: where the action is, and the light on it.
struct Setting {
  Vec3 center = Vec3::Zero();
  double radius = 1;  // m
  double lowest = 0;  // y, m
  Vec3 view = Vec3(0, 0, -1);
};

// Keeps the topology of the last frame, so that films are quick.
class StageMaker {
 public:
  explicit StageMaker(const Scene& scene);  // must outlive it
  render::Stage stage(const Frame& frame, const std::vector<RigidPose>& poses, const Setting& setting,
                      const StageOptions& options);

 private:
  void add_bodies(render::Stage& stage, const Frame& frame, const Setting& setting, const StageOptions& options);
  void add_lines_of_coats(render::Stage& stage, const Frame& frame, const render::SurfaceView& view) const;
  void add_colliders(render::Stage& stage, const std::vector<RigidPose>& poses, const Setting& setting) const;
  void add_lights(render::Stage& stage, const Setting& setting) const;

  const Scene& scene_;
  render::FrameSurface surface_;
  std::unordered_map<std::string, TriangleMesh> collider_meshes_;  // by the collider's name, in its own axes
  std::unordered_map<std::string, std::shared_ptr<const render::Texture>> textures_;
};

}  // namespace sunder
