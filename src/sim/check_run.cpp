#include "sim/check_run.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <unordered_set>

#include "cache/frame_vtu.h"
#include "cache/run_folder.h"
#include "core/error.h"
#include "core/files.h"
#include "mesh/validate.h"
#include "scene/read_scene.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

struct StatsRow {
  double time = 0;
  std::size_t nodes = 0, elements = 0, fragments = 0;
};

class Checker {
 public:
  explicit Checker(const fs::path& folder) : folder_(folder) {}

  CheckReport check() {
    if (!fs::is_directory(folder_)) throw FileError(folder_.string(), "is not a folder");
    if (!fs::exists(folder_ / "run.json")) throw FileError(folder_.string(), "has no run.json: not a sunder run");
    check_record();
    check_scene();
    check_left_overs();
    const std::map<int, StatsRow> stats = read_stats();
    check_frames(stats);
    check_series();
    check_json_lines("rigid.jsonl");
    check_json_lines("cracks.jsonl");
    return std::move(report_);
  }

 private:
  template <class... Args>
  void problem(fmt::format_string<Args...> text, Args&&... args) {
    report_.problems.push_back(fmt::format(text, std::forward<Args>(args)...));
  }

  void check_record() {
    const Json record = Json::parse(read_file(folder_ / "run.json"), nullptr, false);
    if (!record.is_object() || !record.contains("name") || !record["name"].is_string()) {
      problem("run.json is damaged");
      return;
    }
    name_ = record["name"].get<std::string>();
    report_.status = record.value("status", "unknown");
    if (report_.status == "failed") problem("the run failed: {}", record.value("message", ""));
    if (record.contains("totals") && record["totals"].is_object()) planned_ = record["totals"].value("frames", 0);
  }

  void check_scene() {
    try {
      read_scene(scene_source(folder_ / "scene.toml"), {.overrides = {}, .allow_outside = true});
    } catch (const Error& error) {
      problem("scene.toml: {}", error.what());
    }
  }

  void check_left_overs() {
    for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
      if (entry.path().string().ends_with(kTemporaryEnding)) {
        problem("{} was never completed; it can be deleted", entry.path().string());
      }
    }
  }

  std::map<int, StatsRow> read_stats() {
    std::map<int, StatsRow> rows;
    std::istringstream in(read_file(folder_ / "stats.csv"));
    std::string line;
    if (!std::getline(in, line) || line != kStatsHeader) problem("stats.csv does not start with the expected header");
    for (int number = 2; std::getline(in, line); ++number) {
      std::vector<std::string> fields;
      std::istringstream cells(line);
      for (std::string cell; std::getline(cells, cell, ',');) fields.push_back(cell);
      if (fields.size() != 19) {
        problem("stats.csv:{}: {} fields instead of 19", number, fields.size());
        continue;
      }
      const int frame = std::atoi(fields[0].c_str());
      if (frame != static_cast<int>(rows.size()) + 1) problem("stats.csv:{}: frame {} is out of order", number, fields[0]);
      for (std::size_t i = 0; i < fields.size(); ++i) {
        if (i != 17 && !std::isfinite(std::strtod(fields[i].c_str(), nullptr))) {
          problem("stats.csv:{}: field {} is not a finite number", number, i + 1);
        }
      }
      rows[frame] = {std::strtod(fields[1].c_str(), nullptr), std::strtoull(fields[4].c_str(), nullptr, 10),
                     std::strtoull(fields[5].c_str(), nullptr, 10), std::strtoull(fields[6].c_str(), nullptr, 10)};
    }
    return rows;
  }

  void check_frames(const std::map<int, StatsRow>& stats) {
    std::map<int, fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder_ / "frames")) {
      const int number = frame_number(entry.path(), name_);
      if (number > 0) files[number] = entry.path();
    }
    report_.frames = static_cast<int>(files.size());
    for (int expected = 1; expected <= report_.frames; ++expected) {
      if (!files.contains(expected)) problem("frame {} is missing", expected);
    }
    for (const auto& [number, row] : stats) {
      if (!files.contains(number)) problem("stats.csv has frame {}, frames/ does not", number);
    }
    if (report_.status == "complete" && report_.frames < planned_) {
      problem("run.json counts {} frames, frames/ holds {}", planned_, report_.frames);
    }
    for (const auto& [number, file] : files) {
      try {
        check_frame(number, file, stats);
      } catch (const Error& error) {
        problem("{}", error.what());
      }
    }
  }

  void check_frame(int number, const fs::path& file, const std::map<int, StatsRow>& stats) {
    Frame frame = read_frame(file);
    const std::string name = file.filename().string();
    report_.elements = frame.tets.size();
    if (frame.number != number) problem("{}: says it is frame {}", name, frame.number);
    for (const auto* column : {&frame.position, &frame.velocity}) {
      for (const double x : flat(*column)) {
        if (std::isfinite(x)) continue;
        problem("{}: a position or velocity is not finite", name);
        break;
      }
    }
    const auto row = stats.find(number);
    if (row == stats.end()) {
      problem("{}: has no row in stats.csv", name);
    } else {
      if (row->second.time != frame.time) problem("{}: its time differs from stats.csv", name);
      if (row->second.nodes != frame.rest.size() || row->second.elements != frame.tets.size()) {
        problem("{}: node or element count differs from stats.csv", name);
      }
      const std::set<std::uint32_t> fragments(frame.fragment.begin(), frame.fragment.end());
      if (row->second.fragments != fragments.size()) problem("{}: fragment count differs from stats.csv", name);
    }
    // Most frames share their topology with the one before: check it once.
    if (frame.tets != last_.tets || frame.rest != last_.rest || frame.fragment != last_.fragment ||
        frame.crack_faces != last_.crack_faces || frame.tet_uid != last_.tet_uid || frame.node_uid != last_.node_uid) {
      check_topology(frame, name);
    }
    last_ = std::move(frame);
  }

  void check_topology(const Frame& frame, const std::string& name) {
    if (std::unordered_set<Uid>(frame.node_uid.begin(), frame.node_uid.end()).size() != frame.node_uid.size()) {
      problem("{}: two nodes share a uid", name);
    }
    if (std::unordered_set<Uid>(frame.tet_uid.begin(), frame.tet_uid.end()).size() != frame.tet_uid.size()) {
      problem("{}: two elements share a uid", name);
    }
    TetMesh mesh;
    mesh.append({frame.rest, frame.tets}, {});
    for (const TetId t : id_range<TetId>(mesh.tet_slots())) {
      for (int i = 0; i < 4; ++i) {
        if ((frame.crack_faces[t.index] >> i & 1) != 0) mesh.set_crack_face({t, i});
      }
    }
    for (const std::string& violated : validate(mesh, {.allow_hinges = true})) problem("{}: {}", name, violated);
    for (const TetId t : id_range<TetId>(mesh.tet_slots())) {
      for (int i = 0; i < 4; ++i) {
        const TetId other = mesh.neighbour({t, i});
        if (other.valid() && frame.fragment[t.index] != frame.fragment[other.index]) {
          problem("{}: elements {} and {} share a face but not a fragment", name, t.index, other.index);
          return;
        }
      }
    }
  }

  void check_series() {
    const fs::path file = folder_ / (name_ + ".pvd");
    if (!fs::exists(file)) {
      problem("{}.pvd is missing", name_);
      return;
    }
    const std::string text = read_file(file);
    for (int number = 1; number <= report_.frames; ++number) {
      if (text.find(fmt::format("file=\"frames/{}.{:04d}.vtu\"", name_, number)) == std::string::npos) {
        problem("{}.pvd does not list frame {}", name_, number);
      }
    }
  }

  void check_json_lines(const char* file) {
    std::istringstream in(read_file(folder_ / file));
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
      if (!Json::accept(line)) problem("{}:{}: not a JSON line", file, number);
    }
  }

  fs::path folder_;
  std::string name_;
  int planned_ = 0;
  Frame last_;
  CheckReport report_;
};

}  // namespace

CheckReport check_run(const fs::path& folder) { return Checker(folder).check(); }

}  // namespace sunder
