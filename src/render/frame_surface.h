#pragma once
// A frame as surfaces and wires to draw: outside faces of solids and the triangles of surfaces with the normals of the
// model they were made from, or smooth up to their creases; crack faces flat.

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "frame/frame.h"
#include "render/stage.h"

namespace sunder::render {

struct BodyPaint {
  PaintId outside = 0, inside = 0;
};

enum class Tint { none, fragment, stress, age };

// How the bodies are shown.
struct SurfaceView {
  bool reassembled = false;  // in material coordinates
  double explode = 0;        // fragments move this share of their distance from the body's middle outwards
  double shutter = 0;        // s that it is open, about the frame's time
  Tint tint = Tint::none;
  double stress_scale = 1;                                // Pa that shows as full colour
  const std::unordered_map<Uid, double>* born = nullptr;  // s at which each node appeared, for ages
  double age_scale = 1;                                   // s that shows as old
  double hairline = 0;                                    // m: cracks that gape less are hairlines
};

enum class Wires {
  crack_lines,  // where cracks meet the outside
  hairlines,    // and are still closed
  crack_faces,  // every edge of every crack face
  surface,      // every edge of the surface
  tets,         // every edge of every tet
  creases,      // sharp edges of the outside
};

class FrameSurface {
 public:
  struct Face {
    std::uint32_t element;  // of the frame: tets, then triangles
    bool crack;
    bool painted;                         // the normals are the model's own
    std::array<std::uint32_t, 3> nodes;   // counter-clockwise seen from outside
    std::array<Vec3f, 3> normal;          // in material coordinates
    std::array<std::uint32_t, 3> shared;  // corners with the same number get one normal
    std::array<Vec2f, 3> uv;              // all zero: none
  };

  // Finds faces, creases and normals; cheap if only positions have changed since the last call. Frames of one run: the
  // skin of the same tets is taken to be the same.
  void look_at(const Frame& frame);

  // Of the frame that was looked at last. `paints` by body; a body beyond the end takes the last.
  SurfaceMesh surface(const Frame& frame, const SurfaceView& view, const std::vector<BodyPaint>& paints) const;
  WireMesh wires(const Frame& frame, const SurfaceView& view, Wires which) const;
  // m, by node: how far from the nearest of those that a crack has parted it from; 0 if from none.
  static std::vector<double> find_gaps(const Frame& frame);

  // In the order of elements; the first triangles of surface() are these.
  const std::vector<Face>& faces() const { return faces_; }
  std::size_t face_count() const { return faces_.size(); }

 private:
  struct Placed {
    std::vector<Vec3> offset;  // by fragment
    double lift = 0;           // m, of everything
  };

  void find_faces(const Frame& frame);
  static void take_painted_normals(const std::array<float, 36>& of_tet, std::size_t corner, Face& face);
  void find_normals(const Frame& frame);
  void add_walls(const Frame& frame, const SurfaceView& view, const Placed& placed,
                 const std::vector<BodyPaint>& paints, SurfaceMesh& mesh) const;
  Placed place_fragments(const Frame& frame, const SurfaceView& view) const;

  std::vector<Face> faces_;
  std::uint32_t shared_count_ = 0;
  // What the faces were made of.
  std::vector<std::array<std::uint32_t, 4>> tets_;
  std::vector<std::array<std::uint32_t, 3>> triangles_;
  std::vector<std::uint8_t> crack_faces_;
  std::vector<std::uint32_t> fragment_;
  std::vector<Vec3> rest_;
};

}  // namespace sunder::render
