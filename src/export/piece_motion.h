#pragma once
// How every final piece moves: its material followed through the frames, and the rigid motion that fits it best.

#include <functional>
#include <vector>

#include "export/final_pieces.h"
#include "export/material_tracker.h"
#include "geometry/rigid_fit.h"

namespace sunder {

// One frame as the final pieces see it.
struct PieceMoment {
  std::size_t index = 0;           // into run.frames
  std::vector<Vec3> position;      // of the nodes of the final frame, m
  std::vector<Vec3> velocity;      // m/s
  const MaterialTracker* tracker;  // who has what, and where
  const Frame* frame;              // as it was read
};

// visit() for every frame, from the first to the last; one frame is in memory at a time. Pieces that were removed stay
// where they were last seen.
void follow_pieces(const SolidRun& run, const FinalPieces& final, const std::function<void(const PieceMoment&)>& visit);

// The motion from the material to the world, weighted by mass.
RigidFit fit_piece(const FinalPiece& piece, const Frame& final, const std::vector<Vec3>& position);

}  // namespace sunder
