#include "frame/pieces.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>

namespace sunder {

std::vector<Piece> find_pieces(const Frame& frame) {
  std::map<std::uint32_t, Piece> found;
  double all = 0;
  for (std::size_t t = 0; t < frame.tets.size(); ++t) {
    const auto& n = frame.tets[t];
    const Vec3& a = frame.rest[n[0]];
    const Vec3 b = frame.rest[n[1]] - a, c = frame.rest[n[2]] - a, d = frame.rest[n[3]] - a;
    const double of_tet = std::abs(b.cross(c).dot(d)) / 6;
    Vec3 moved = Vec3::Zero();
    for (const std::uint32_t i : n) moved += (frame.position[i] - frame.rest[i]) / 4;
    Piece& piece = found[frame.fragment[t]];
    piece.volume += of_tet;
    piece.moved += of_tet * moved.norm();
    all += of_tet;
  }
  std::vector<Piece> pieces;
  for (auto& [fragment, piece] : found) {
    piece.fragment = fragment;
    piece.share = piece.volume / all;
    piece.moved /= piece.volume;
    pieces.push_back(piece);
  }
  std::stable_sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) { return a.volume > b.volume; });
  return pieces;
}

}  // namespace sunder
