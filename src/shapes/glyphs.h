#pragma once
// Letters, digits and signs as outlines: a bold sans serif drawn for sunder.

#include <optional>
#include <string_view>
#include <vector>

#include "core/vec.h"
#include "shapes/mapping.h"

namespace sunder {

// One glyph in units of the height of a capital; (0, 0) is its left end on the base line.
struct Glyph {
  // Each solid is an outline followed by its holes; most glyphs have one, `!` and `?` have two, the space none.
  std::vector<std::vector<PolygonDomain::Loop>> solids;
  double width = 0;
};

std::optional<Glyph> glyph(char character);  // small letters look like capitals; none if it is not drawn
std::string_view drawn_characters();

}  // namespace sunder
