#include "sim/plot_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include "core/error.h"
#include "core/files.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;
using render::Chart;
using render::Series;

// A CSV file by columns, found by their names.
class Table {
 public:
  explicit Table(const fs::path& file) : file_(file) {
    std::istringstream in(read_file(file));
    std::string line;
    if (std::getline(in, line)) names_ = cells(line);
    for (int number = 2; std::getline(in, line); ++number) {
      rows_.push_back(cells(line));
      if (rows_.back().size() == names_.size()) continue;
      throw InputError({file.string(), number}, "the row has another number of fields than the header",
                       "`sunder check` says what else is damaged");
    }
  }
  std::size_t rows() const { return rows_.size(); }
  const std::string& text(std::size_t row, const std::string& name) const { return rows_[row][column(name)]; }
  double number(std::size_t row, const std::string& name) const {
    return std::strtod(text(row, name).c_str(), nullptr);
  }
  std::vector<double> numbers(const std::string& name) const {
    std::vector<double> result;
    for (std::size_t row = 0; row < rows_.size(); ++row) result.push_back(number(row, name));
    return result;
  }

 private:
  static std::vector<std::string> cells(const std::string& line) {
    std::vector<std::string> result;
    std::istringstream in(line);
    for (std::string cell; std::getline(in, cell, ',');) result.push_back(cell);
    return result;
  }
  std::size_t column(const std::string& name) const {
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found == names_.end()) throw InputError({file_.string(), 1}, fmt::format("there is no column `{}`", name));
    return static_cast<std::size_t>(found - names_.begin());
  }

  fs::path file_;
  std::vector<std::string> names_;
  std::vector<std::vector<std::string>> rows_;
};

Chart energy_chart(const Table& stats, const std::vector<double>& time) {
  Chart chart{.title = "energy", .x_label = "time (s)", .y_label = "energy (J)"};
  std::vector<double> total(time.size(), 0);
  for (const char* name : {"kinetic", "elastic", "gravity", "contact", "dissipated"}) {
    chart.series.push_back({name, time, stats.numbers(name)});
    for (std::size_t i = 0; i < total.size(); ++i) total[i] += chart.series.back().y[i];
  }
  chart.series.push_back({"sum", time, total});
  return chart;
}

Chart force_chart(const Table& forces) {
  Chart chart{.title = "reactions, mean over each frame", .x_label = "time (s)", .y_label = "force (N)"};
  std::map<std::string, Series> by_name;
  std::vector<std::string> order;
  for (std::size_t row = 0; row < forces.rows(); ++row) {
    const std::string& name = forces.text(row, "region");
    if (!by_name.contains(name)) order.push_back(name);
    Series& s = by_name[name];
    s.name = name;
    s.x.push_back(forces.number(row, "time"));
    s.y.push_back(std::hypot(forces.number(row, "mean_x"), forces.number(row, "mean_y"), forces.number(row, "mean_z")));
  }
  for (const std::string& name : order) chart.series.push_back(by_name[name]);
  return chart;
}

}  // namespace

std::vector<Chart> charts_of_run(const fs::path& folder) {
  const Table stats(folder / "stats.csv"), forces(folder / "forces.csv");
  if (stats.rows() == 0) throw InputError({(folder / "stats.csv").string()}, "there are no frames to plot yet");
  const std::vector<double> time = stats.numbers("time");
  std::vector<Chart> charts = {energy_chart(stats, time), force_chart(forces)};
  charts.push_back({"fragments", "time (s)", "number", {{"fragments", time, stats.numbers("fragments")}}, true});
  charts.push_back({"crack area", "time (s)", "area (m^2)", {{"crack area", time, stats.numbers("crack_area")}}});
  return charts;
}

}  // namespace sunder
