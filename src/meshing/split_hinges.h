#pragma once
// Stuffing can leave points or edges at which parts of a mesh touch without sharing a face. Such a hinge has no
// stiffness and no side, so each part gets a point of its own there.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mesh/tet_soup.h"

namespace sunder {

// Adds points to the soup; the returned list gives, for each new one, the old one at whose place it is.
std::vector<std::uint32_t> split_hinges(TetSoup& soup);

// For every tet the piece it belongs to, counted from 0 in the order of their first tets: what hangs together by faces.
std::vector<std::uint32_t> soup_pieces(const TetSoup& soup, std::size_t& count);

}  // namespace sunder
