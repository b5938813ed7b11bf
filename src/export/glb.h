#pragma once
// A scene of moving pieces as binary glTF 2.0, whatever made it: nodes with meshes, tracks, morph targets and notes.

#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/vec.h"
#include "export/picture_file.h"

namespace sunder {

using GlbNote = std::variant<double, std::string, std::vector<double>>;
using GlbNotes = std::vector<std::pair<std::string, GlbNote>>;  // extras

struct GlbPrimitive {
  std::vector<Eigen::Vector3f> positions, normals;  // in the node's axes
  std::vector<Eigen::Vector2f> uvs;                 // v downwards, as glTF has it; empty: none
  std::vector<std::array<std::uint32_t, 3>> triangles;
  std::uint32_t material = 0;
};

// What moves away from the node's own motion at one moment; only vertices that do are named.
struct GlbMorph {
  struct Deltas {
    std::vector<std::uint32_t> vertices;  // ascending
    std::vector<Eigen::Vector3f> values;
  };
  std::size_t moment = 0;                             // index into the times
  std::vector<std::pair<Deltas, Deltas>> primitives;  // positions and normals, for each primitive
};

struct GlbNode {
  std::string name;
  std::vector<GlbPrimitive> primitives;      // may be empty
  std::vector<Eigen::Vector3f> translation;  // at every time, or once
  std::vector<Eigen::Quaternionf> rotation;  // likewise
  std::size_t moments = ~std::size_t{0};     // that it is there, from the first; then it is gone
  std::vector<GlbMorph> morphs;              // ascending by moment
  std::vector<GlbNode> children;             // without motion of their own
  GlbNotes notes;
};

struct GlbMaterial {
  std::string name;
  std::array<double, 3> color;  // linear
  double roughness = 0.6;
  bool unseen = false;                         // cut out of pictures: for what only programs look at
  std::shared_ptr<const PictureFile> picture;  // laid on by uvs, times the colour; null: none
};

struct GlbScene {
  std::string name;
  std::vector<float> times;  // s, ascending
  std::vector<GlbMaterial> materials;
  std::vector<GlbNode> nodes;
  GlbNotes notes;
};

// FileError if it cannot be written or would be larger than glTF allows, 4 GB.
void write_glb(const std::filesystem::path& path, const GlbScene& scene);
std::string glb_bytes(const GlbScene& scene);

}  // namespace sunder
