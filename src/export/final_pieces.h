#pragma once
// The material of a run in the pieces that it ends up in, so that files of fixed topology can carry all of it.

#include <vector>

#include "export/solid_run.h"

namespace sunder {

struct FinalPiece {
  std::uint32_t fragment = 0, body = 0;
  int born = 0;                      // the first frame that has a fragment of this number
  int last = 0;                      // the last frame that has its material: pieces may be removed as debris
  double mass = 0, volume = 0;       // kg, m^3
  Vec3 centre = Vec3::Zero();        // of mass, in the material, m
  Mat3 inertia = Mat3::Zero();       // about the centre, along the axes of the material, kg m^2
  std::vector<std::uint32_t> nodes;  // of the frame, ascending
  std::vector<double> node_mass;     // kg, a quarter of each tet's at its corners
  std::uint32_t tet = 0;             // one of its tets: the largest
};

struct FinalPieces {
  // The last frame, and behind it the pieces that were removed before it, as they were last seen. Without grains.
  Frame frame;
  std::vector<FinalPiece> pieces;  // ascending by fragment
};

// Reads every frame of the run, from the last to the first.
FinalPieces find_final_pieces(const SolidRun& run);

}  // namespace sunder
