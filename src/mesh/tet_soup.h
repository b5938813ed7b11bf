#pragma once
// Tetrahedra as files and meshers give them: points and corner indices, and what is known of the boundary. A TetMesh is
// made of one.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/vec.h"
#include "mesh/face_skin.h"

namespace sunder {

struct SkinFace {
  std::uint32_t tet = 0;
  std::uint32_t face = 0;  // opposite this corner of the tet
  FaceSkin skin;
  friend bool operator==(const SkinFace&, const SkinFace&) = default;
};

struct TetSoup {
  std::vector<Vec3> points;
  std::vector<std::array<std::uint32_t, 4>> tets;
  std::vector<SkinFace> skin;           // of some boundary faces, each at most once
  std::vector<std::string> part_names;  // "outside", "rim", ...
};

}  // namespace sunder
