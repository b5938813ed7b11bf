#include <Eigen/Geometry>
#include <algorithm>

#include "render/color_maps.h"
#include "render/frame_surface.h"

namespace sunder::render {

// Rectangles from the lips of cracks in surfaces down to where the two sides meet (Iben & O'Brien 2006, section 5).
void FrameSurface::add_walls(const Frame& frame, const SurfaceView& view, const Placed& placed,
                             const std::vector<BodyPaint>& paints, SurfaceMesh& mesh) const {
  for (std::size_t i = 0; i < frame.triangles.size(); ++i) {
    const std::size_t element = frame.tets.size() + i;
    const Vec3 offset = placed.offset[frame.fragment[element]] + Vec3(0, placed.lift, 0);
    for (std::size_t k = 0; k < 3; ++k) {
      if ((frame.crack_faces[element] >> k & 1) == 0) continue;
      const std::uint32_t a = frame.triangles[i][(k + 1) % 3], b = frame.triangles[i][(k + 2) % 3];
      const std::array<Vec3, 4> corners = {frame.position[b], frame.position[a], frame.rest[a] + frame.wall[a],
                                           frame.rest[b] + frame.wall[b]};
      const auto first = static_cast<std::uint32_t>(mesh.open.size());
      for (const Vec3& corner : corners) {
        mesh.open.push_back((corner + offset).cast<float>());
        if (!mesh.close.empty()) mesh.close.push_back(mesh.open.back());
      }
      const Vec3f normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).stableNormalized().cast<float>();
      const BodyPaint& paint = paints[std::min<std::size_t>(frame.body[element], paints.size() - 1)];
      for (const std::array<std::size_t, 3>& t : {std::array<std::size_t, 3>{0, 1, 2}, {0, 2, 3}}) {
        mesh.triangles.push_back({first + static_cast<std::uint32_t>(t[0]), first + static_cast<std::uint32_t>(t[1]),
                                  first + static_cast<std::uint32_t>(t[2])});
        mesh.paint.push_back(paint.inside);
        mesh.normals.push_back({normal, normal, normal});
        mesh.material.push_back(
            {corners[t[0]].cast<float>(), corners[t[1]].cast<float>(), corners[t[2]].cast<float>()});
        if (!mesh.uv.empty()) mesh.uv.push_back({Vec2f::Zero(), Vec2f::Zero(), Vec2f::Zero()});
        if (view.tint == Tint::none) continue;
        const double age = (frame.time - frame.crack_time[i][k]) / view.age_scale;
        mesh.tint.emplace_back();
        mesh.tint.back().fill(view.tint == Tint::age        ? age_color(age)
                              : view.tint == Tint::fragment ? fragment_color(frame.fragment[element])
                                                            : stress_color(0));
      }
    }
  }
}

}  // namespace sunder::render
