#include "render/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

namespace sunder::render {
namespace {

constexpr double kWidth = 460, kHeight = 300;  // of one chart
constexpr double kLeft = 78, kRight = 18, kTop = 40, kBottom = 54;
constexpr Ink kGrid{226, 226, 224}, kFrame{120, 120, 124};
constexpr std::array<Ink, 6> kInks{
    {{196, 72, 44}, {38, 110, 146}, {214, 160, 40}, {96, 132, 66}, {124, 80, 128}, {70, 70, 74}}};

struct Extent {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void add(double v) {
    if (std::isfinite(v)) low = std::min(low, v), high = std::max(high, v);
  }
  void settle() {
    if (!(low <= high)) low = 0, high = 1;
    if (high - low <= 1e-12 * std::max(std::abs(low), std::abs(high))) {  // a constant is seen against nothing
      if (high == 0) high = 1;
      low < 0 ? high = 0 : low = 0;
    }
  }
};

std::string number_text(double v) { return std::abs(v) < 1e-300 ? "0" : fmt::format("{:.4g}", v); }

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else
      result += c;
  }
  return result;
}

// As many points as can be told apart.
std::vector<std::pair<double, double>> thinned(const std::vector<std::pair<double, double>>& points) {
  constexpr std::size_t most = 2000;
  if (points.size() <= most) return points;
  std::vector<std::pair<double, double>> result;
  for (std::size_t i = 0; i < most; ++i) result.push_back(points[i * (points.size() - 1) / (most - 1)]);
  return result;
}

void add_chart(ChartSheet& sheet, const Chart& chart, double x0, double y0) {
  Extent x, y;
  for (const Series& s : chart.series) {
    for (const double v : s.x) x.add(v);
    for (const double v : s.y) y.add(v);
  }
  if (y.low > 0 && y.low < 0.6 * y.high) y.low = 0;  // amounts start at nothing where there is room for it
  x.settle(), y.settle();
  const double pad = 0.05 * (y.high - y.low);
  if (y.low != 0) y.low -= pad;
  y.high += pad;
  const double left = x0 + kLeft, right = x0 + kWidth - kRight, top = y0 + kTop, bottom = y0 + kHeight - kBottom;
  const auto px = [&](double v) { return left + (v - x.low) / (x.high - x.low) * (right - left); };
  const auto py = [&](double v) { return bottom - (v - y.low) / (y.high - y.low) * (bottom - top); };
  for (const double v : ticks(x.low, x.high, 6)) {
    sheet.lines.push_back({{{px(v), top}, {px(v), bottom}}, 0.8, kGrid});
    sheet.words.push_back({px(v), bottom + 17, 9, number_text(v), 0.5});
  }
  for (const double v : ticks(y.low, y.high, 5)) {
    if (chart.whole_numbers && v != std::round(v)) continue;
    sheet.lines.push_back({{{left, py(v)}, {right, py(v)}}, 0.8, kGrid});
    sheet.words.push_back({left - 8, py(v) + 4, 9, number_text(v), 1});
  }
  sheet.lines.push_back({{{left, top}, {left, bottom}, {right, bottom}}, 1.2, kFrame});
  sheet.words.push_back({left, y0 + 18, 11, chart.title, 0});
  sheet.words.push_back({(left + right) / 2, bottom + 38, 9.5, chart.x_label, 0.5});
  sheet.words.push_back({x0 + 18, (top + bottom) / 2, 9.5, chart.y_label, 0.5, true});
  double legend = right;
  for (std::size_t i = chart.series.size(); i-- > 0;) {
    const Series& s = chart.series[i];
    const Ink ink = kInks[i % kInks.size()];
    std::vector<std::pair<double, double>> points;
    for (std::size_t k = 0; k < std::min(s.x.size(), s.y.size()); ++k) {
      if (std::isfinite(s.x[k]) && std::isfinite(s.y[k])) points.emplace_back(px(s.x[k]), py(s.y[k]));
    }
    sheet.lines.push_back({thinned(points), 1.8, ink});
    if (s.name == chart.title) continue;  // it says so already
    sheet.words.push_back({legend, y0 + 33, 8.5, s.name, 1, false, ink});
    legend -= text_width(8.5, s.name) + 12;
  }
}

}  // namespace

std::vector<double> ticks(double low, double high, int count) {
  std::vector<double> result;
  const double rough = (high - low) / count;
  if (!(rough > 0) || !std::isfinite(rough)) return result;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  const double step = power * (rough / power < 1.5 ? 1 : rough / power < 3.5 ? 2 : rough / power < 7.5 ? 5 : 10);
  if (!(step > 0) || std::abs(low / step) > 1e9) return result;  // below the numbers' resolution
  const double first = std::ceil(low / step - 1e-9), last = std::floor(high / step + 1e-9);
  for (std::int64_t k = 0; static_cast<double>(k) <= last - first; ++k) {
    result.push_back((first + static_cast<double>(k)) * step);
  }
  return result;
}

ChartSheet chart_sheet(const std::vector<Chart>& charts) {
  ChartSheet sheet;
  const std::size_t rows = (charts.size() + 1) / 2;
  sheet.width = kWidth * static_cast<double>(std::min<std::size_t>(charts.size(), 2));
  sheet.height = kHeight * static_cast<double>(rows);
  for (std::size_t i = 0; i < charts.size(); ++i) {
    const std::size_t column = i % 2, row = i / 2;
    add_chart(sheet, charts[i], kWidth * static_cast<double>(column), kHeight * static_cast<double>(row));
  }
  return sheet;
}

std::string chart_svg(const ChartSheet& sheet) {
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"Helvetica, Arial, sans-serif\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
      sheet.width, sheet.height);
  const auto color = [](Ink ink) { return fmt::format("#{:02x}{:02x}{:02x}", ink.red, ink.green, ink.blue); };
  for (const ChartSheet::Line& line : sheet.lines) {
    std::string points;
    for (const auto& [x, y] : line.points) points += fmt::format("{:.2f},{:.2f} ", x, y);
    svg += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"/>\n", points,
                       color(line.ink), line.width);
  }
  for (const ChartSheet::Words& w : sheet.words) {
    const char* anchor = w.anchor < 0.25 ? "start" : w.anchor < 0.75 ? "middle" : "end";
    const std::string turn = w.upwards ? fmt::format(" transform=\"rotate(-90 {:.2f} {:.2f})\"", w.x, w.y) : "";
    svg +=
        fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" font-size=\"{:.1f}\" text-anchor=\"{}\" fill=\"{}\"{}>{}</text>\n",
                    w.x, w.y, 1.35 * w.size, anchor, color(w.ink), turn, escaped(w.text));
  }
  return svg + "</svg>\n";
}

Image chart_image(const ChartSheet& sheet, double scale) {
  Image image(static_cast<int>(std::ceil(sheet.width * scale)), static_cast<int>(std::ceil(sheet.height * scale)));
  for (const ChartSheet::Line& line : sheet.lines) {
    std::vector<std::pair<double, double>> points;
    for (const auto& [x, y] : line.points) points.emplace_back(x * scale, y * scale);
    draw_polyline(image, points, line.width * scale, line.ink);
  }
  for (const ChartSheet::Words& w : sheet.words) {
    const double before = w.anchor * text_width(w.size * scale, w.text);
    if (w.upwards) {
      draw_text_upwards(image, w.x * scale, w.y * scale + before, w.size * scale, w.text, w.ink);
    } else {
      draw_text(image, w.x * scale - before, w.y * scale, w.size * scale, w.text, w.ink);
    }
  }
  return image;
}

}  // namespace sunder::render
