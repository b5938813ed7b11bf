#pragma once
// Plain descriptions of solids, centred at the origin (of their bounding boxes); `meshing` turns them into tetrahedra.
// One is a sheet without thickness, for methods that crack surfaces.

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/vec.h"

namespace sunder {

// --- solids

struct BoxShape {
  Vec3 size = Vec3::Ones();  // m
  friend bool operator==(const BoxShape&, const BoxShape&) = default;
};

// A box that is meshed through its thinnest direction in layers.
struct SlabShape {
  Vec3 size = Vec3(1, 0.7, 0.1);  // m
  friend bool operator==(const SlabShape&, const SlabShape&) = default;
};

struct SphereShape {
  double radius = 0.5;  // m
  friend bool operator==(const SphereShape&, const SphereShape&) = default;
};

struct EllipsoidShape {
  Vec3 radii = Vec3(0.3, 0.2, 0.2);  // m, along x, y, z
  friend bool operator==(const EllipsoidShape&, const EllipsoidShape&) = default;
};

struct CylinderShape {
  double radius = 0.1, height = 0.3;  // m, along y
  friend bool operator==(const CylinderShape&, const CylinderShape&) = default;
};

struct CapsuleShape {
  double radius = 0.1, height = 0.4;  // m, along y, both ends included
  friend bool operator==(const CapsuleShape&, const CapsuleShape&) = default;
};

struct TorusShape {
  double radius = 0.2;  // m, of the middle of the tube, round y
  double tube = 0.06;   // m, radius of the tube
  friend bool operator==(const TorusShape&, const TorusShape&) = default;
};

// --- walls of revolution round y

struct BowlShape {
  double radius = 0.15, depth = 0.09, wall = 0.01;  // m; half an ellipsoid, open above
  friend bool operator==(const BowlShape&, const BowlShape&) = default;
};

struct CupShape {
  double radius = 0.045, height = 0.1, wall = 0.006;  // m
  friend bool operator==(const CupShape&, const CupShape&) = default;
};

struct VaseShape {
  double radius = 0.09, height = 0.25, wall = 0.01;  // m; radius of the belly
  friend bool operator==(const VaseShape&, const VaseShape&) = default;
};

struct PlateShape {
  double radius = 0.13, wall = 0.007;  // m
  friend bool operator==(const PlateShape&, const PlateShape&) = default;
};

enum class CurveKind { polyline, bezier };

struct RevolveShape {
  std::vector<Vec2> profile = {{0.06, 0}, {0.1, 0.15}};  // (r, y), m
  CurveKind curve = CurveKind::polyline;
  bool closed = false;  // the profile is the outline of the cross-section, and there is no wall
  double wall = 0.01;   // m
  friend bool operator==(const RevolveShape&, const RevolveShape&) = default;
};

// --- other sheets and prisms

// A bicubic Bezier patch, thickened by half the wall to both sides.
struct PatchShape {
  std::vector<Vec3> points = arched();  // 4 rows of 4 control points, m
  double wall = 0.012;                  // m
  friend bool operator==(const PatchShape&, const PatchShape&) = default;
  static std::vector<Vec3> arched();  // a square that is arched one way and bent up at one corner
};

// A tube along a smooth curve through the points of a path.
struct TubeShape {
  std::vector<Vec3> path = {{0, -0.1, 0}, {0.08, -0.06, 0}, {0.08, 0.06, 0}, {0, 0.1, 0}};  // m
  double radius = 0.02;                                                                     // m, outside
  double wall = 0;                                                                          // m; 0 is solid
  bool closed = false;               // the path returns to its first point
  std::optional<double> end_radius;  // m, outside, at the path's end, unless it is the same
  friend bool operator==(const TubeShape&, const TubeShape&) = default;
};

struct PolygonShape {
  std::vector<Vec2> points = {{0, 0}, {0.3, 0}, {0.3, 0.1}, {0.1, 0.1}, {0.1, 0.3}, {0, 0.3}};  // m, either way round
  std::vector<std::vector<Vec2>> holes;
  double depth = 0.06;  // m, along z
  friend bool operator==(const PolygonShape&, const PolygonShape&) = default;
};

struct TextShape {
  std::string text = "THE END";
  double height = 0.2, depth = 0.05;  // m; height of a capital
  friend bool operator==(const TextShape&, const TextShape&) = default;
};

enum class UpAxis { x, y, z };

// Finer elements around a place, for instance where something will hit.
struct FineRegion {
  Vec3 centre = Vec3::Zero();  // m
  double radius = 0.1;         // m
  double edge = 0.01;          // m
  friend bool operator==(const FineRegion&, const FineRegion&) = default;
};

// Cells of the general mesher through a wall: two, with some slack, since halving cells costs eight times the tets.
inline constexpr double kCellsThroughWall = 1.8;

// How a surface is filled, beside the length of edges.
struct FillOptions {
  double inside = 2;  // away from the surface edges may grow to so many times the length; 1 for the same everywhere
  double sharp = 40;  // degrees: edges of the surface that turn by more are kept
  double walls = kCellsThroughWall;  // cells through thin walls, at least
  double stretch = 0;  // edges along thin walls may be so many times as long as those are thick; 0: as the cells are
  std::vector<FineRegion> finer;  // in metres, y up
  friend bool operator==(const FillOptions&, const FillOptions&) = default;
};

// A file of tetrahedra, or of a surface that is to be filled with them. Its own coordinates are kept, times `scale`
// and turned so that its up is our y.
struct FileShape {
  std::filesystem::path path;
  double scale = 1;  // metres per unit of the file
  UpAxis up = UpAxis::y;
  FillOptions fill{};  // of a surface

  // By the file's ending: .obj, .ply, .stl, .off, .gltf, .glb.
  bool is_surface() const;
  friend bool operator==(const FileShape&, const FileShape&) = default;
};

// --- several shapes in one

// What a union can be made of.
using PartShape =
    std::variant<BoxShape, SlabShape, SphereShape, EllipsoidShape, CylinderShape, CapsuleShape, TorusShape, BowlShape,
                 CupShape, VaseShape, PlateShape, RevolveShape, PatchShape, TubeShape, PolygonShape, TextShape>;

struct UnionPart {
  std::string name;
  PartShape shape;
  Vec3 position = Vec3::Zero();  // m, of its centre
  Vec3 rotation = Vec3::Zero();  // degrees, as bodies are turned
  friend bool operator==(const UnionPart&, const UnionPart&) = default;
};

// Overlapping shapes as one solid, in the coordinates of its parts.
struct UnionShape {
  std::vector<UnionPart> parts = cup_with_handle();
  friend bool operator==(const UnionShape&, const UnionShape&) = default;
  static std::vector<UnionPart> cup_with_handle();
};

// Foot, stem with a knop, and a bowl; round y, from the foot at -height / 2.
struct GobletShape {
  double radius = 0.05, height = 0.16, wall = 0.008;  // m; radius of the bowl, wall of bowl and foot
  friend bool operator==(const GobletShape&, const GobletShape&) = default;
};

// In the tradition of Newell's teapot of 1975: body, rim, handle, spout, and a lid with its knob that sits fast, unless
// it is a lattice's. Round y but for the spout, towards x, and the handle.
struct TeapotShape {
  double radius = 0.1, wall = 0.014;  // m; radius of the body
  bool lid = true;
  bool pot = true;  // false: the lid alone, where it is on the pot
  friend bool operator==(const TeapotShape&, const TeapotShape&) = default;
};

// --- sheets

// Flat and round, facing y.
struct DiscShape {
  double radius = 0.5;  // m
  friend bool operator==(const DiscShape&, const DiscShape&) = default;
};

using Shape = std::variant<BoxShape, SlabShape, SphereShape, EllipsoidShape, CylinderShape, CapsuleShape, TorusShape,
                           BowlShape, CupShape, VaseShape, PlateShape, RevolveShape, PatchShape, TubeShape,
                           PolygonShape, TextShape, FileShape, UnionShape, GobletShape, TeapotShape, DiscShape>;

// Whether there is a volume to fill; a disc is a sheet.
bool is_solid(const Shape& shape);

// InputError without a place for what is not.
void require_solid(const Shape& shape);

// An edge length that gives a few thousand tets, or triangles of a sheet, m; 0 for a file, which must be read first.
// InputError if the shape is impossible.
double default_edge(const Shape& shape);

// How many tets, or triangles, a shape will have at an edge length, as a double so that absurd requests do not
// overflow. `layers` is for shapes that are meshed in layers; 0 means as many as suit the edge.
double estimated_tets(const Shape& shape, double edge, std::uint32_t layers = 0);

// Of the exact solid, not of a mesh, m^3; unknown of files and of what is put together of parts that overlap; a sheet
// has none.
std::optional<double> exact_volume(const Shape& shape);

// Whether it is cut into tets by us, so that an edge length makes sense.
bool needs_edge(const Shape& shape);

// Whether it is put together of parts (shapes/assembly.h).
bool is_assembly(const Shape& shape);

// Whether it is always meshed in layers.
bool has_layers(const Shape& shape);

// Whether a box is so thin for its edge length that it is meshed in layers, like a slab.
bool is_thin(const BoxShape& box, double edge);

}  // namespace sunder
