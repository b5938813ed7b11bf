#include "sim/check_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <sstream>
#include <unordered_set>

#include "cache/checkpoint_store.h"
#include "cache/frame_vtu.h"
#include "cache/json_number.h"
#include "cache/run_folder.h"
#include "core/disjoint_sets.h"
#include "core/error.h"
#include "core/files.h"
#include "core/printable.h"
#include "frame/lattice_surface.h"
#include "mesh/fragments.h"
#include "mesh/validate.h"
#include "scene/read_scene.h"
#include "sim/checkpoint.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

struct StatsRow {
  double time = 0;
  std::size_t nodes = 0, elements = 0, fragments = 0;
};

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
  return cells;
}

bool is_finite_number(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return !text.empty() && *end == '\0' && std::isfinite(value);
}

bool is_hash(const std::string& text) {
  return text.size() == 16 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

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
    check_series(stats);
    check_forces();
    check_json_lines("rigid.jsonl");
    check_json_lines("cracks.jsonl");
    check_json_lines("debris.jsonl");
    check_checkpoints();
    return std::move(report_);
  }

 private:
  template <class... Args>
  void problem(fmt::format_string<Args...> text, Args&&... args) {
    report_.problems.push_back(printable(fmt::format(text, std::forward<Args>(args)...)));
  }

  // The text of a file that every run has; "" if it cannot be read, which is a problem.
  std::string text_of(const std::string& file) {
    try {
      return read_file(folder_ / file);
    } catch (const FileError& error) {
      problem("{}", error.what());
      return "";
    }
  }

  void check_record() {
    const Json record = Json::parse(text_of("run.json"), nullptr, false);
    try {
      name_ = record.at("name").get<std::string>();
      report_.status = record.at("status").get<std::string>();
      recorded_ = whole_number(record.at("totals").at("frames"));
      if (report_.status == "failed") problem("the run failed: {}", record.at("message").get<std::string>());
    } catch (const Json::exception&) {
      problem("run.json is damaged");
    }
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

  // The rows of a table whose line has the columns of `header`; those of `text_columns` hold words, all others finite
  // numbers. Rows of another length are named and left out.
  std::vector<std::vector<std::string>> read_table(const std::string& file, const std::string& header,
                                                   const std::set<std::string>& text_columns) {
    const std::vector<std::string> columns = cells_of(header);
    std::vector<std::vector<std::string>> rows;
    std::istringstream in(text_of(file));
    std::string line;
    if (!std::getline(in, line) || line != header) problem("{} does not start with the expected header", file);
    for (int number = 2; std::getline(in, line); ++number) {
      std::vector<std::string> cells = cells_of(line);
      if (cells.size() != columns.size()) {
        problem("{}:{}: {} fields instead of {}", file, number, cells.size(), columns.size());
        continue;
      }
      for (std::size_t i = 0; i < cells.size(); ++i) {
        if (text_columns.contains(columns[i]) || is_finite_number(cells[i])) continue;
        problem("{}:{}: {} is not a finite number", file, number, columns[i]);
      }
      rows.push_back(std::move(cells));
    }
    return rows;
  }

  std::map<int, StatsRow> read_stats() {
    std::map<int, StatsRow> rows;
    for (const auto& fields : read_table("stats.csv", kStatsHeader, {"state_hash"})) {
      const int frame = std::atoi(fields[0].c_str());
      if (frame != static_cast<int>(rows.size()) + 1) problem("stats.csv: frame {} is out of order", fields[0]);
      if (!is_hash(fields[17])) problem("stats.csv: state_hash of frame {} is damaged", frame);
      rows[frame] = {std::strtod(fields[1].c_str(), nullptr), std::strtoull(fields[4].c_str(), nullptr, 10),
                     std::strtoull(fields[5].c_str(), nullptr, 10), std::strtoull(fields[6].c_str(), nullptr, 10)};
    }
    return rows;
  }

  void check_forces() {
    int last = 0;
    for (const auto& fields : read_table("forces.csv", kForcesHeader, {"region", "kind"})) {
      const int frame = std::atoi(fields[0].c_str());
      if (frame < last || frame > report_.frames) problem("forces.csv: frame {} is out of order", fields[0]);
      last = frame;
    }
  }

  void check_frames(const std::map<int, StatsRow>& stats) {
    std::map<int, fs::path> files;
    std::error_code failure;
    for (fs::directory_iterator i(folder_ / "frames", failure), end; !failure && i != end; i.increment(failure)) {
      const int number = frame_number(i->path(), name_);
      if (number > 0) files[number] = i->path();
    }
    if (failure) problem("frames/ cannot be read ({})", failure.message());
    report_.frames = static_cast<int>(files.size());
    for (int expected = 1; expected <= report_.frames; ++expected) {
      if (!files.contains(expected)) problem("frame {} is missing", expected);
    }
    for (const auto& [number, row] : stats) {
      if (!files.contains(number)) problem("stats.csv has frame {}, frames/ does not", number);
    }
    if (report_.frames < recorded_) {  // a run that was killed has more
      problem("run.json counts {} frames, frames/ holds {}", recorded_, report_.frames);
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
    report_.elements = {frame.tets.size(), frame.triangles.size(), frame.hexes.size()};
    if (frame.number != number) problem("{}: says it is frame {}", name, frame.number);
    const auto require_finite = [&](const char* array, std::span<const double> values) {
      const bool finite = std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
      if (!finite) problem("{}: a {} is not finite", name, array);
    };
    require_finite("position", flat(frame.position));
    require_finite("velocity", flat(frame.velocity));
    require_finite("stress", frame.stress);
    require_finite("plastic strain", frame.plastic_strain);
    const auto row = stats.find(number);
    if (row == stats.end()) {
      problem("{}: has no row in stats.csv", name);
    } else {
      if (row->second.time != frame.time) problem("{}: its time differs from stats.csv", name);
      if (row->second.nodes != frame.rest.size() || row->second.elements != report_.elements.count()) {
        problem("{}: node or element count differs from stats.csv", name);
      }
      std::set<std::uint32_t> fragments = fragments_of_tets(frame);
      fragments.merge(fragments_of_lattices(frame));
      if (row->second.fragments != fragments.size()) problem("{}: fragment count differs from stats.csv", name);
    }
    // Most frames share their topology with the one before: check it once.
    if (frame.tets != last_.tets || frame.triangles != last_.triangles || frame.hexes != last_.hexes ||
        frame.broken_edges != last_.broken_edges || frame.node_fragment != last_.node_fragment ||
        frame.rest != last_.rest || frame.fragment != last_.fragment || frame.crack_faces != last_.crack_faces ||
        frame.tet_uid != last_.tet_uid || frame.node_uid != last_.node_uid) {
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
    if (!frame.triangles.empty()) {
      check_surface(frame, name);
      return;
    }
    const std::vector<char> in_lattice = nodes_of_lattices(frame);
    if (!frame.tets.empty()) check_tets(frame, in_lattice, name);
    if (!frame.hexes.empty()) check_lattices(frame, in_lattice, name);
  }

  // By node: whether it is a corner of a hexahedron.
  static std::vector<char> nodes_of_lattices(const Frame& frame) {
    std::vector<char> is_corner(frame.rest.size(), 0);
    for (const auto& cell : frame.hexes) {
      for (const std::uint32_t n : cell) is_corner[n] = 1;
    }
    return is_corner;
  }

  static std::set<std::uint32_t> fragments_of_tets(const Frame& frame) {  // or of triangles
    return {frame.fragment.begin(), frame.fragment.end() - static_cast<std::ptrdiff_t>(frame.hexes.size())};
  }
  static std::set<std::uint32_t> fragments_of_lattices(const Frame& frame) {
    std::set<std::uint32_t> fragments;
    for (const auto& cell : frame.hexes) {
      for (const std::uint32_t n : cell) fragments.insert(frame.node_fragment[n]);
    }
    return fragments;
  }

  void check_tets(const Frame& frame, const std::vector<char>& in_lattice, const std::string& name) {
    TetSoup soup;
    std::vector<std::uint32_t> place(frame.rest.size());
    for (std::size_t n = 0; n < frame.rest.size(); ++n) {
      place[n] = static_cast<std::uint32_t>(soup.points.size());
      if (in_lattice[n] == 0) soup.points.push_back(frame.rest[n]);
    }
    for (auto tet : frame.tets) {
      for (std::uint32_t& n : tet) {
        if (in_lattice[n] != 0) {
          problem("{}: node {} is of a tetrahedron and of a hexahedron", name, n);
          return;
        }
        n = place[n];
      }
      soup.tets.push_back(tet);
    }
    TetMesh mesh;
    mesh.append(soup, {});
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
    FragmentTracker pieces;
    pieces.update(mesh);
    const std::size_t labels = fragments_of_tets(frame).size();
    if (pieces.count() != labels) {
      problem("{}: {} separate pieces have {} different fragment ids", name, pieces.count(), labels);
    }
  }

  void check_surface(const Frame& frame, const std::string& name) {
    if (!frame.tets.empty()) problem("{}: it holds tetrahedra and triangles", name);
    const TriMesh mesh(frame.rest, frame.triangles);
    for (const std::string& violated : mesh.problems()) problem("{}: {}", name, violated);
    if (mesh.node_count() != frame.rest.size()) problem("{}: pieces hang together in a node only", name);
    for (const TriangleId t : id_range<TriangleId>(mesh.triangle_count())) {
      for (int i = 0; i < 3; ++i) {
        const TriangleId other = mesh.neighbour({t, i});
        if (!other.valid()) continue;
        if ((frame.crack_faces[t.index] >> i & 1) != 0) {
          problem("{}: triangles {} and {} are joined across a crack", name, t.index, other.index);
          return;
        }
        if (frame.fragment[t.index] != frame.fragment[other.index]) {
          problem("{}: elements {} and {} share an edge but not a fragment", name, t.index, other.index);
          return;
        }
      }
    }
    SurfaceFragments pieces;
    pieces.update(mesh);
    const std::size_t labels = std::set<std::uint32_t>(frame.fragment.begin(), frame.fragment.end()).size();
    if (pieces.count() != labels) {
      problem("{}: {} separate pieces have {} different fragment ids", name, pieces.count(), labels);
    }
  }

  void check_lattices(const Frame& frame, const std::vector<char>& in_lattice, const std::string& name) {
    std::map<std::array<std::uint32_t, 2>, bool> broken;  // by the ends of an edge
    DisjointSets pieces(frame.rest.size());
    for (std::size_t c = 0; c < frame.hexes.size(); ++c) {
      const std::array<std::uint32_t, 8>& cell = frame.hexes[c];
      if (std::set<std::uint32_t>(cell.begin(), cell.end()).size() != 8) {
        problem("{}: cell {} has a corner twice", name, c);
        return;
      }
      for (std::size_t e = 0; e < 12; ++e) {
        const std::uint32_t a = cell[kHexEdges[e][0]], b = cell[kHexEdges[e][1]];
        const bool is_broken = (frame.broken_edges[c] >> e & 1) != 0;
        const auto [known, is_new] = broken.try_emplace({std::min(a, b), std::max(a, b)}, is_broken);
        if (!is_new && known->second != is_broken) {
          problem("{}: cells do not agree whether the bond from node {} to node {} is broken", name, a, b);
          return;
        }
        if (!is_broken) pieces.join(a, b);
      }
    }
    std::set<std::uint32_t> roots;
    for (std::uint32_t n = 0; n < frame.rest.size(); ++n) {
      if (in_lattice[n] == 0) continue;
      roots.insert(pieces.root(n));
      if (frame.node_fragment[n] == frame.node_fragment[pieces.root(n)]) continue;
      problem("{}: node {} hangs on node {}, but is of another fragment", name, n, pieces.root(n));
      return;
    }
    const std::size_t labels = fragments_of_lattices(frame).size();
    if (roots.size() != labels) {
      problem("{}: {} separate pieces have {} different fragment ids", name, roots.size(), labels);
    }
  }

  void check_series(const std::map<int, StatsRow>& stats) {
    const fs::path file = folder_ / (name_ + ".pvd");
    std::error_code failure;  // a damaged name may be too long for a file
    if (!fs::exists(file, failure)) {
      problem("{}.pvd is missing", name_);
      return;
    }
    const std::string text = read_file(file);
    for (const auto& [number, row] : stats) {
      const std::string entry =
          fmt::format("timestep=\"{}\" part=\"0\" file=\"frames/{}.{:04d}.vtu\"", row.time, name_, number);
      if (text.find(entry) == std::string::npos) problem("{}.pvd does not list frame {} at its time", name_, number);
    }
  }

  void check_json_lines(const char* file) {
    std::istringstream in(text_of(file));
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
      if (!Json::accept(line)) problem("{}:{}: not a JSON line", file, number);
    }
  }

  void check_checkpoints() {
    std::string newest_good;
    std::vector<std::string> damaged;
    for (const StoredCheckpoint& stored : CheckpointStore(folder_, name_).newest_first()) {
      try {
        const Checkpoint checkpoint = read_checkpoint(stored.file);
        ++report_.checkpoints;
        if (newest_good.empty())
          newest_good = fmt::format("{} (frame {})", stored.file.filename().string(), checkpoint.loop.frame);
        if (checkpoint.loop.frame != stored.mark.frame || checkpoint.loop.frame_steps != stored.mark.steps) {
          damaged.push_back(
              fmt::format("{} is a checkpoint of another moment than its name says", stored.file.string()));
        }
      } catch (const Error& error) {
        damaged.push_back(error.what());
      }
    }
    for (const std::string& what : damaged) {
      problem("{}; {}", what,
              newest_good.empty() ? "no checkpoint is left to resume from" : "--resume can go on from " + newest_good);
    }
  }

  fs::path folder_;
  std::string name_;
  int recorded_ = 0;  // frames, by run.json
  Frame last_;
  CheckReport report_;
};

}  // namespace

CheckReport check_run(const fs::path& folder) { return Checker(folder).check(); }

}  // namespace sunder
