#pragma once
// Texture coordinates anywhere on a surface, and beside it.

#include <array>
#include <cstdint>
#include <span>

#include "core/vec.h"

namespace sunder {

class SurfaceTexture {
 public:
  using Index = std::uint32_t;
  // `uvs` of the triangles' corners, or empty: then all coordinates are zero. All must outlive it.
  SurfaceTexture(std::span<const Vec3> points, std::span<const std::array<Index, 3>> triangles,
                 std::span<const std::array<Vec2, 3>> uvs)
      : points_(points), triangles_(triangles), uvs_(uvs) {}

  Vec2 at(Index t, const Vec3& weights) const;

  // The texture of a triangle goes on in its plane, over the foot of x.
  Vec2 going_on(Index home, const Vec3& x) const;

  // What was found at a corner of a face, unless it is too far from the texture of the face's home triangle: a chart
  // that goes round a body meets itself at its seam, and what lies behind is another lap. The home triangle's texture
  // goes on there instead.
  Vec2 beside(Index home, const Vec3& corner, const Vec2& found) const;

 private:
  std::span<const Vec3> points_;
  std::span<const std::array<Index, 3>> triangles_;
  std::span<const std::array<Vec2, 3>> uvs_;
};

}  // namespace sunder
