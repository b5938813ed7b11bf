#pragma once
// The plain description of a run, as read from TOML. Nothing here knows how it is simulated.

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "collision/collider.h"
#include "collision/contact_rules.h"
#include "collision/debris_rules.h"
#include "collision/dust_rules.h"
#include "core/error.h"
#include "core/vec.h"
#include "materials/material.h"
#include "scene/coat.h"
#include "scene/lattice_spec.h"
#include "scene/look.h"
#include "scene/selection.h"
#include "scene/toughness_spec.h"
#include "shapes/shape.h"

namespace sunder {

enum class Integrator { forward_euler, taylor2, symplectic_euler };
enum class DampingRule { capped, literal };
enum class CrushingRule { barrier, literal };
enum class CompressionRule { hinders, printed };

// How bodies break; their toughness is the material's. Lengths are shares of a tet's mean edge in the start mesh.
struct FractureSpec {
  bool on = true;
  CompressionRule compression = CompressionRule::hinders;
  double crack_speed = 0;  // m/s; 0: no limit
  double tip_share = 1;    // of the toughness, at the tips of cracks
  double tip_length = 0;   // m; 0: none
  double residual = 0;     // alpha of residual propagation
  bool bend_at_tips = false;
  double snap_distance = 0.25;
  double snap_angle = 0.25;  // radians
  double altitude_floor = 0.2;
  double quality_floor = 0.15;
  double smallest = 0;  // m
};

inline constexpr std::string_view kTetSolver = "tet_oh99", kSurfaceSolver = "surface_iben06",
                                  kLatticeSolver = "lattice_norton91";

struct BodySpec {
  std::string name;  // "body-1", "body-2", ... unless given
  std::string solver = std::string(kTetSolver);
  Shape shape = BoxShape{};
  double edge = 0;           // m; set from default_edge() if the scene does not say
  std::uint32_t layers = 0;  // through the thickness; 0: as many as suit the edge
  bool cells = false;        // tetrahedra are cut from the cells that a lattice would have
  Vec3 position = Vec3::Zero();
  Vec3 rotation = Vec3::Zero();  // degrees about world x, then y, then z
  Vec3 velocity = Vec3::Zero();  // m/s
  Vec3 spin = Vec3::Zero();      // rad/s about the centre of mass
  Material material;
  std::string material_name;  // of the preset it came from, or "custom"; of a coat its kind
  Coat coat;                  // of a surface
  LatticeSpec lattice;        // of a lattice
  std::string part;           // of the shape's surface; "" is all of it
  bool remesh = false;        // the surface, evenly
  bool is_surface() const { return solver == kSurfaceSolver; }
  bool is_lattice() const { return solver == kLatticeSolver; }
  Vec3 copies = Vec3::Ones();   // along x, y, z; read_scene() leaves one of each (scene/copies.h)
  Vec3 spacing = Vec3::Zero();  // m
  Vec3 scatter = Vec3::Zero();  // m
  bool tumble = false;
};

// Where a kinematic collider is at a time.
struct KeyframeSpec {
  double time = 0;  // s
  Vec3 position = Vec3::Zero();
  Vec3 rotation = Vec3::Zero();  // degrees
};

struct ColliderSpec {
  std::string name;  // "ground", "sphere-2", ... (kind, and number in the list beyond the first) unless given
  ColliderShape shape = GroundCollider{};
  ColliderMotion motion = ColliderMotion::fixed;
  Vec3 position = Vec3::Zero();  // at the start
  Vec3 rotation = Vec3::Zero();  // degrees
  std::vector<KeyframeSpec> keyframes;
  std::optional<double> mass, density;  // kg, kg/m^3
  Vec3 velocity = Vec3::Zero();         // m/s
  Vec3 spin = Vec3::Zero();             // rad/s about the centre of mass
  std::optional<Rope> rope;
  double friction = 0.4;
  double damping = 0.2;
  std::optional<double> stiffness;  // N/m; unset: automatic
  bool hidden = false;              // in pictures
};

enum class RegionAction { hold, move, force, pressure };

struct RegionSpec {
  std::string name;                  // "region-1", ... unless given
  std::string body;                  // only nodes of this body; "" means all bodies
  Selection where = BoxSelection{};  // in the world, evaluated once at the start on the placed bodies
  RegionAction action = RegionAction::hold;
  std::string axes = "xyz";      // which axes hold and move constrain
  Vec3 velocity = Vec3::Zero();  // m/s, for move
  Vec3 force = Vec3::Zero();     // N in total, for force
  double pressure = 0;           // Pa, pushes inwards on the selected boundary faces, for pressure
  double start = 0;              // s
  std::optional<double> end;     // s; unset: to the end of the run
};

// What crack faces of a body shed.
struct DustSpec {
  std::string body;  // "" means all bodies
  DustRules rules;
};

struct Scene {
  std::string name;
  std::string about;    // one line for the gallery
  double duration = 1;  // s
  double fps = 24;      // frames per second
  Vec3 gravity = Vec3(0, -9.81, 0);
  Integrator integrator = Integrator::symplectic_euler;
  std::optional<double> dt;  // s; unset: automatic
  double safety = 0.8;       // share of the stability limit that the automatic step takes
  DampingRule damping = DampingRule::capped;
  double damping_cap = 1;  // largest damping ratio of an element, for capped
  CrushingRule crushing = CrushingRule::barrier;
  FractureSpec fracture;
  ContactRules contact;
  DebrisRules debris;
  LatticesSpec lattices;
  std::vector<DustSpec> dust;
  std::uint64_t seed = 1;
  std::vector<BodySpec> bodies;
  std::vector<ColliderSpec> colliders;
  std::vector<RegionSpec> regions;
  std::vector<ToughnessSpec> toughness;
  LookSpec look;  // of pictures
  std::vector<PaintedSpec> paints;
  std::vector<CameraSpec> cameras;
  std::vector<LightSpec> lights;

  // Where each key stands: "body[0].edge" -> file:line:column. Keys the scene does not mention have the place of the
  // nearest table around them.
  std::map<std::string, Place> places;
  Place place(const std::string& key) const;

  bool has_lattices() const;
  bool is_mixed() const;  // bodies are of several methods
};

// Keys of a list of the scene, under other indices: what was said of `old_path` in `from` holds for `new_path` in `to`.
void copy_places(const std::map<std::string, Place>& from, const std::string& old_path, const std::string& new_path,
                 std::map<std::string, Place>& to);

}  // namespace sunder
