#pragma once
// Lines, boxes and letters on finished pictures, with smooth edges. The letters are strokes of our own.

#include <string>
#include <utility>
#include <vector>

#include "render/image_file.h"

namespace sunder::render {

struct Ink {
  std::uint8_t red = 0, green = 0, blue = 0;
};

// Positions in pixels; (0, 0) is the upper left corner of the upper left pixel.
void draw_line(Image& image, double x0, double y0, double x1, double y1, double width, Ink ink);
void draw_polyline(Image& image, const std::vector<std::pair<double, double>>& points, double width, Ink ink);
void fill_box(Image& image, double x0, double y0, double x1, double y1, Ink ink);

// Height is that of capital letters; (x, y) is the left end of the baseline.
void draw_text(Image& image, double x, double y, double height, const std::string& text, Ink ink);
double text_width(double height, const std::string& text);

// The text upwards along a vertical baseline.
void draw_text_upwards(Image& image, double x, double y, double height, const std::string& text, Ink ink);

void paste(Image& onto, const Image& picture, int x, int y);

}  // namespace sunder::render
