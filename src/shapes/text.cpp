// Extruded text.

#include <fmt/format.h>

#include "core/error.h"
#include "shapes/glyphs.h"
#include "shapes/mapped_shapes.h"
#include "shapes/prism.h"

namespace sunder {

std::vector<Mapping> map_shape(const TextShape& text) {
  constexpr double gap = 0.14;     // between letters, of the height
  constexpr double stroke = 0.17;  // about the narrowest, of the height
  constexpr std::size_t longest = 200;
  if (text.text.size() > longest) {
    throw InputError({}, fmt::format("the text has {} characters, the limit is {}", text.text.size(), longest));
  }
  std::vector<std::vector<PolygonDomain::Loop>> solids;
  std::vector<Vec2> all;
  double x = 0;
  for (const char character : text.text) {
    auto drawn = glyph(character);
    if (!drawn) {
      const bool plain = character > ' ' && character < 0x7f;
      throw InputError({},
                       plain ? fmt::format("there is no letter for `{}`", character)
                             : "the text holds a character that is not drawn",
                       fmt::format("use {}", drawn_characters()));
    }
    for (auto& solid : drawn->solids) {
      for (auto& loop : solid) {
        for (Vec2& p : loop.points) {
          p = text.height * (p + Vec2(x, 0));
          all.push_back(p);
        }
      }
      solids.push_back(std::move(solid));
    }
    x += drawn->width + gap;
  }
  if (solids.empty()) throw InputError({}, "the text is empty", "give it at least one letter");
  std::vector<Mapping> letters;
  for (auto& solid : solids) {
    letters.push_back(extruded(std::move(solid), text.depth, frame_of(all)));
    letters.back().largest_edge = stroke * text.height;
  }
  return letters;
}

}  // namespace sunder
