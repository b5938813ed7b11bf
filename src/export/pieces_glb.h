#pragma once
// A broken body as glTF: a node for each final piece, which follows its material from the first frame on.

#include "export/glb.h"
#include "export/solid_run.h"

namespace sunder {

struct PiecesGlbOptions {
  double scale = 1;
  bool deforming = false;  // morph targets for what is not rigid motion
  bool hulls = false;      // a convex hull under each node
};

// How well rigid motion describes the run; lengths in metres.
struct RigidReport {
  std::size_t pieces = 0;
  double rms = 0;              // over all mass and all frames
  double largest = 0;          // of any node at any frame ...
  std::uint32_t fragment = 0;  // ... of this piece
  int frame = 0;               // ... at this frame
  std::size_t targets = 0;     // morph targets that were needed
};

GlbScene pieces_glb(const SolidRun& run, const PiecesGlbOptions& options, RigidReport& report);

}  // namespace sunder
