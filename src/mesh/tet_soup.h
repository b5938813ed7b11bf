#pragma once
// Tetrahedra as files and meshers give them: points and corner indices, and what is known of the boundary. A TetMesh is
// made of one.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/vec.h"

namespace sunder {

// What a boundary face knows of the shape it came from. Texture coordinates belong to corners of faces, not to points:
// at a seam or a rim two faces see one point differently. Who splits a tet interpolates them linearly over the face
// and gives the pieces the same part; faces that a crack opens have no entry.
struct SkinFace {
  std::uint32_t tet = 0;
  std::uint32_t face = 0;    // opposite this corner of the tet
  std::uint32_t part = 0;    // index into the names of the parts
  std::array<Vec2, 3> uv{};  // at the corners of the face, in the order of kTetFaces
  friend bool operator==(const SkinFace&, const SkinFace&) = default;
};

struct TetSoup {
  std::vector<Vec3> points;
  std::vector<std::array<std::uint32_t, 4>> tets;
  std::vector<SkinFace> skin;           // of some boundary faces, each at most once; files bring none
  std::vector<std::string> part_names;  // "outside", "rim", ...
};

}  // namespace sunder
