#pragma once
// The pieces that bodies have broken into, by size.

#include <cstdint>
#include <vector>

#include "frame/frame.h"

namespace sunder {

struct Piece {
  std::uint32_t fragment = 0;
  double volume = 0;  // m^3, of the material
  double share = 0;   // of all
  double moved = 0;   // m, from where it was made: the mean over its material
};

inline constexpr double kBigPiece = 0.01;  // share from which a piece counts as big

// Largest first; among equals the one with the lower number.
std::vector<Piece> find_pieces(const Frame& frame);

}  // namespace sunder
