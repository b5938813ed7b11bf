#include "render/drawing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

namespace sunder::render {
namespace {

// Strokes of each letter: points "xy" on a grid where x counts twelfths and y sixths of the capitals' height; the
// baseline is y = 2, capitals reach 8, small letters 6, tails 0. A bar starts a new stroke.
struct Glyph {
  char letter;
  std::string_view strokes;
};
constexpr std::array kGlyphs = {Glyph{'A', "02 48 82|14 74"},
                                Glyph{'B', "02 08 58 77 76 55 05|55 65 84 83 62 02"},
                                Glyph{'C', "87 68 28 07 03 22 62 83"},
                                Glyph{'D', "02 08 58 86 84 52 02"},
                                Glyph{'E', "82 02 08 88|05 65"},
                                Glyph{'F', "02 08 88|05 65"},
                                Glyph{'G', "87 68 28 07 03 22 62 83 85 55"},
                                Glyph{'H', "02 08|82 88|05 85"},
                                Glyph{'I', "02 42|08 48|22 28"},
                                Glyph{'J', "68 63 52 22 03"},
                                Glyph{'K', "02 08|88 05 82"},
                                Glyph{'L', "08 02 72"},
                                Glyph{'M', "02 08 45 88 82"},
                                Glyph{'N', "02 08 82 88"},
                                Glyph{'O', "28 07 03 22 62 83 87 68 28"},
                                Glyph{'P', "02 08 68 87 86 65 05"},
                                Glyph{'Q', "28 07 03 22 62 83 87 68 28|54 82"},
                                Glyph{'R', "02 08 68 87 86 65 05|45 82"},
                                Glyph{'S', "87 68 28 07 06 25 65 84 83 62 22 03"},
                                Glyph{'T', "08 88|48 42"},
                                Glyph{'U', "08 03 22 62 83 88"},
                                Glyph{'V', "08 42 88"},
                                Glyph{'W', "08 22 47 62 88"},
                                Glyph{'X', "02 88|08 82"},
                                Glyph{'Y', "08 45 88|45 42"},
                                Glyph{'Z', "08 88 02 82"},
                                Glyph{'0', "28 07 03 22 52 73 77 58 28"},
                                Glyph{'1', "06 38 32"},
                                Glyph{'2', "07 28 58 77 76 02 72"},
                                Glyph{'3', "07 28 58 77 76 55 35|55 74 73 52 22 03"},
                                Glyph{'4', "52 58 04 74"},
                                Glyph{'5', "78 08 05 55 74 73 52 22 03"},
                                Glyph{'6', "77 58 28 07 03 22 52 73 74 55 25 04"},
                                Glyph{'7', "08 78 22"},
                                Glyph{'8', "25 06 07 28 58 77 76 55 25 04 03 22 52 73 74 55"},
                                Glyph{'9', "03 22 52 73 77 58 28 07 06 25 55 76"},
                                Glyph{'a', "65 46 26 05 03 22 42 63|66 62"},
                                Glyph{'b', "08 02|05 26 46 65 63 42 22 03"},
                                Glyph{'c', "65 46 26 05 03 22 42 63"},
                                Glyph{'d', "68 62|65 46 26 05 03 22 42 63"},
                                Glyph{'e', "04 64 65 46 26 05 03 22 42 63"},
                                Glyph{'f', "48 38 27 22|06 46"},
                                Glyph{'g', "66 61 40 20 01|65 46 26 05 03 22 42 63"},
                                Glyph{'h', "08 02|05 26 46 65 62"},
                                Glyph{'i', "16 12|18 18"},
                                Glyph{'j', "26 21 10 00|28 28"},
                                Glyph{'k', "08 02|56 04|25 62"},
                                Glyph{'l', "18 13 22"},
                                Glyph{'m', "02 06|05 16 36 45 42|45 56 76 85 82"},
                                Glyph{'n', "02 06|05 26 46 65 62"},
                                Glyph{'o', "26 05 03 22 42 63 65 46 26"},
                                Glyph{'p', "06 00|05 26 46 65 63 42 22 03"},
                                Glyph{'q', "66 60|65 46 26 05 03 22 42 63"},
                                Glyph{'r', "02 06|04 16 26 46"},
                                Glyph{'s', "65 46 26 05 14 54 63 42 22 03"},
                                Glyph{'t', "28 23 32 42|06 46"},
                                Glyph{'u', "06 03 22 42 63|66 62"},
                                Glyph{'v', "06 32 66"},
                                Glyph{'w', "06 22 45 62 86"},
                                Glyph{'x', "06 62|02 66"},
                                Glyph{'y', "06 32|66 20 00"},
                                Glyph{'z', "06 66 02 62"},
                                Glyph{'.', "12 12"},
                                Glyph{',', "12 01"},
                                Glyph{':', "12 12|16 16"},
                                Glyph{'-', "05 45"},
                                Glyph{'_', "01 81"},
                                Glyph{'=', "04 64|06 66"},
                                Glyph{'+', "05 65|33 37"},
                                Glyph{'/', "01 69"},
                                Glyph{'(', "29 07 03 21"},
                                Glyph{')', "09 27 23 01"},
                                Glyph{'%', "02 88|08 28 27 07 08|62 82 83 63 62"},
                                Glyph{'^', "06 38 66"},
                                Glyph{'\'', "18 16"},
                                Glyph{'<', "66 04 62"},
                                Glyph{'>', "06 64 02"},
                                Glyph{'|', "19 11"},
                                Glyph{'*', "05 65|23 47|27 43"},
                                Glyph{' ', ""}};
constexpr std::string_view kUnknown = "02 08 68 62 02";

std::string_view strokes_of(char letter) {
  for (const Glyph& glyph : kGlyphs) {
    if (glyph.letter == letter) return glyph.strokes;
  }
  return kUnknown;
}

double units(char digit) { return digit - '0'; }

// Twelfths of the height from the start of a letter to the start of the next.
double advance(char letter) {
  if (letter == ' ') return 6;
  double widest = 0;
  const std::string_view strokes = strokes_of(letter);
  for (std::size_t i = 0; i + 1 < strokes.size(); i += 3) widest = std::max(widest, units(strokes[i]));
  return widest + 3.5;
}

double distance_to(double px, double py, double x0, double y0, double x1, double y1) {
  const double dx = x1 - x0, dy = y1 - y0, length2 = dx * dx + dy * dy;
  const double t = length2 > 0 ? std::clamp(((px - x0) * dx + (py - y0) * dy) / length2, 0.0, 1.0) : 0;
  return std::hypot(px - x0 - t * dx, py - y0 - t * dy);
}

void blend(Image& image, int x, int y, double cover, Ink ink) {
  std::uint8_t* p = image.at(x, y);
  const std::array<std::uint8_t, 3> c = {ink.red, ink.green, ink.blue};
  for (std::size_t k = 0; k < 3; ++k) p[k] = static_cast<std::uint8_t>(std::lround(p[k] + cover * (c[k] - p[k])));
}

// Strokes of one shape, drawn at once so that joints are not darker.
void draw_strokes(Image& image, const std::vector<std::array<double, 4>>& segments, double width, Ink ink) {
  double left = std::numeric_limits<double>::infinity(), top = left, right = -left, bottom = -left;
  for (const auto& [x0, y0, x1, y1] : segments) {
    left = std::min({left, x0, x1}), right = std::max({right, x0, x1});
    top = std::min({top, y0, y1}), bottom = std::max({bottom, y0, y1});
  }
  const double reach = width / 2 + 1;
  const auto pixel = [](double v, int size) { return static_cast<int>(std::clamp(v, -1.0, size + 1.0)); };
  const int x_end = std::min(image.width - 1, pixel(right + reach, image.width));
  const int y_end = std::min(image.height - 1, pixel(bottom + reach, image.height));
  for (int y = std::max(0, pixel(top - reach, image.height)); y <= y_end; ++y) {
    for (int x = std::max(0, pixel(left - reach, image.width)); x <= x_end; ++x) {
      double d = reach;
      for (const auto& [x0, y0, x1, y1] : segments) d = std::min(d, distance_to(x + 0.5, y + 0.5, x0, y0, x1, y1));
      const double cover = std::clamp(width / 2 + 0.5 - d, 0.0, 1.0);
      if (cover > 0) blend(image, x, y, cover, ink);
    }
  }
}

template <class Place>
void write_text(Image& image, double height, const std::string& text, Ink ink, const Place& place) {
  const double unit = height / 12;
  double start = 0;
  for (const char letter : text) {
    std::vector<std::array<double, 4>> segments;
    const std::string_view strokes = strokes_of(letter);
    for (std::size_t i = 0; i + 4 < strokes.size(); i += 3) {
      if (strokes[i + 2] == '|') continue;
      const auto [x0, y0] = place(start + unit * units(strokes[i]), unit * 2 * (units(strokes[i + 1]) - 2));
      const auto [x1, y1] = place(start + unit * units(strokes[i + 3]), unit * 2 * (units(strokes[i + 4]) - 2));
      segments.push_back({x0, y0, x1, y1});
    }
    if (!segments.empty()) draw_strokes(image, segments, std::max(1.1, height / 8), ink);
    start += unit * advance(letter);
  }
}

}  // namespace

void draw_line(Image& image, double x0, double y0, double x1, double y1, double width, Ink ink) {
  draw_strokes(image, {{x0, y0, x1, y1}}, width, ink);
}

void draw_polyline(Image& image, const std::vector<std::pair<double, double>>& points, double width, Ink ink) {
  for (std::size_t i = 1; i < points.size(); ++i) {
    draw_line(image, points[i - 1].first, points[i - 1].second, points[i].first, points[i].second, width, ink);
  }
}

void fill_box(Image& image, double x0, double y0, double x1, double y1, Ink ink) {
  const int left = std::max(0, static_cast<int>(std::lround(x0))), top = std::max(0, static_cast<int>(std::lround(y0)));
  const int right = std::min(image.width, static_cast<int>(std::lround(x1)));
  const int bottom = std::min(image.height, static_cast<int>(std::lround(y1)));
  for (int y = top; y < bottom; ++y) {
    for (int x = left; x < right; ++x) blend(image, x, y, 1, ink);
  }
}

void draw_text(Image& image, double x, double y, double height, const std::string& text, Ink ink) {
  write_text(image, height, text, ink, [&](double along, double up) { return std::pair(x + along, y - up); });
}

void draw_text_upwards(Image& image, double x, double y, double height, const std::string& text, Ink ink) {
  write_text(image, height, text, ink, [&](double along, double up) { return std::pair(x - up, y - along); });
}

double text_width(double height, const std::string& text) {
  double sum = 0;
  for (const char letter : text) sum += advance(letter);
  return std::max(0.0, sum - 3.5) * height / 12;
}

void paste(Image& onto, const Image& picture, int x, int y) {
  for (int row = 0; row < picture.height; ++row) {
    if (y + row < 0 || y + row >= onto.height) continue;
    const int from = std::max(0, -x), to = std::min(picture.width, onto.width - x);
    if (from < to)
      std::copy(picture.at(from, row), picture.at(from, row) + 3 * (to - from), onto.at(x + from, y + row));
  }
}

}  // namespace sunder::render
