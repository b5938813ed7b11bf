#pragma once
// Parts and texture coordinates for solids that are not meshed in layers.

#include "mesh/tet_soup.h"

namespace sunder {

// A box of this size round the origin: `left`, `right`, `bottom`, `top`, `back`, `front`, each with u and v from 0
// to 1.
void add_box_skin(TetSoup& soup, const Vec3& size);

// A round body about the y axis: `surface`, u round the axis and v from the lowest to the highest point.
void add_round_skin(TetSoup& soup);

}  // namespace sunder
