#pragma once
// Line charts, as SVG text and as pictures.

#include <string>
#include <vector>

#include "render/drawing.h"

namespace sunder::render {

struct Series {
  std::string name;
  std::vector<double> x, y;
};

struct Chart {
  std::string title, x_label, y_label;  // labels with units
  std::vector<Series> series;
  bool whole_numbers = false;  // of y
};

// Lines and words in one coordinate system, in points, y downwards.
struct ChartSheet {
  struct Line {
    std::vector<std::pair<double, double>> points;
    double width;
    Ink ink;
  };
  struct Words {
    double x, y, size;
    std::string text;
    double anchor;  // share of the text's width that lies before x
    bool upwards = false;
    Ink ink{40, 40, 44};
  };
  double width = 0, height = 0;
  std::vector<Line> lines;
  std::vector<Words> words;
};

// Charts in rows of two.
ChartSheet chart_sheet(const std::vector<Chart>& charts);
std::string chart_svg(const ChartSheet& sheet);
Image chart_image(const ChartSheet& sheet, double scale);  // pixels a point

// Round steps of 1, 2 or 5 times a power of ten that cut a range into about `count` parts; the values inside it.
std::vector<double> ticks(double low, double high, int count);

}  // namespace sunder::render
