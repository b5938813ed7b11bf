#include "cache/run_folder.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cache/frame_vtu.h"
#include "core/error.h"
#include "core/files.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// Everything a run may leave beside run.json; only these are ever removed. run.json is overwritten, so that the folder
// is known as ours all the time.
const std::vector<std::string>& run_entries() {
  static const std::vector<std::string> entries = {"scene.toml",   "stats.csv",  "cracks.jsonl", "rigid.jsonl",
                                                   "debris.jsonl", "forces.csv", "checkpoints",  "frames"};
  return entries;
}

void remove_tree(const fs::path& path) {
  std::error_code error;
  fs::remove_all(path, error);
  if (error) throw FileError(path.string(), "cannot be removed (" + error.message() + ")");
}

std::vector<fs::path> list_folder(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> entries;
  for (fs::directory_iterator i(folder, error), end; !error && i != end; i.increment(error))
    entries.push_back(i->path());
  if (error) throw FileError(folder.string(), "cannot be read (" + error.message() + ")");
  return entries;
}

// Whether the folder's run.json is one of ours: other programs write files of that name, too.
bool holds_run(const fs::path& folder) {
  std::error_code error;
  const fs::path file = folder / "run.json";
  if (!fs::is_regular_file(file, error)) return false;
  const Json record = Json::parse(read_file(file), nullptr, false);
  return record.is_object() && record.contains("program") && record["program"] == "sunder";
}

bool is_temporary(const fs::path& file) { return file.string().ends_with(kTemporaryEnding); }

// Whether there is nothing in the folder but what a run that died while it began may have left.
bool is_fresh(const fs::path& folder) {
  const std::vector<fs::path> entries = list_folder(folder);
  return std::all_of(entries.begin(), entries.end(), [](const fs::path& entry) {
    return entry.filename() == "run.json" + std::string(kTemporaryEnding);
  });
}

Json json(const Vec3& v) { return Json::array({v.x(), v.y(), v.z()}); }

// The header and the lines whose frame, as `frame_of` reads it, is not after the last.
template <class FrameOf>
std::string lines_until(const fs::path& file, int last, FrameOf&& frame_of) {
  std::istringstream in(read_file(file));
  std::string kept, line;
  while (std::getline(in, line)) {
    if (in.eof()) break;  // a line without an end was being written when the run died
    if (frame_of(line) <= last) kept += line + "\n";
  }
  return kept;
}

long csv_frame(const std::string& line) { return std::strtol(line.c_str(), nullptr, 10); }  // 0 for the header

// 0 if the line does not say.
long json_frame(const std::string& line) {
  const Json parsed = Json::parse(line, nullptr, false);
  if (!parsed.is_object()) return 0;
  const auto frame = parsed.find("frame");
  return frame != parsed.end() && frame->is_number_integer() ? frame->get<long>() : 0;
}

// The tables and logs of a run as they were at a frame, taken from one folder and put into another (or the same).
void copy_lines(const fs::path& from, const fs::path& to, int last) {
  for (const char* table : {"stats.csv", "forces.csv"}) {
    write_file_atomically(to / table, lines_until(from / table, last, csv_frame));
  }
  for (const char* log : {"rigid.jsonl", "cracks.jsonl", "debris.jsonl"}) {
    write_file_atomically(to / log, lines_until(from / log, last, json_frame));
  }
}

// A second name for the file if the file system has such, else a copy. Frames are never written to, only replaced.
void link_or_copy(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::create_hard_link(from, to, error);
  if (error) write_file_atomically(to, read_file(from));
}

}  // namespace

int frame_number(const fs::path& file, const std::string& name) {
  const std::string text = file.filename().string();
  const std::string prefix = name + ".", ending = ".vtu";
  if (text.size() < prefix.size() + 4 + ending.size() || text.compare(0, prefix.size(), prefix) != 0 ||
      file.extension() != ending) {
    return 0;
  }
  const std::string digits = text.substr(prefix.size(), text.size() - prefix.size() - ending.size());
  if (digits.size() > 9 || digits.find_first_not_of("0123456789") != std::string::npos) return 0;
  return std::atoi(digits.c_str());
}

RunFolder::RunFolder(fs::path folder, std::string name) : folder_(std::move(folder)), name_(std::move(name)) {}

fs::path RunFolder::frame_file(int number) const {
  return folder_ / "frames" / fmt::format("{}.{:04d}.vtu", name_, number);
}

void require_run_or_nothing(const fs::path& folder) {
  std::error_code error;
  if (fs::exists(folder, error) && !fs::is_directory(folder, error)) {
    throw FileError(folder.string(), "is a file; choose another folder with -o");
  }
  if (fs::exists(folder, error) && !is_fresh(folder) && !holds_run(folder)) {
    throw FileError(folder.string(), "holds files that are not a sunder run; choose another folder with -o");
  }
}

void RunFolder::start(const RunRecord& record, const std::string& scene_text) {
  require_run_or_nothing(folder_);
  create_folder(folder_);
  write_record(record);  // first: it marks the folder as ours, even if the run dies at once
  for (const std::string& entry : run_entries()) remove_tree(folder_ / entry);
  for (const fs::path& entry : list_folder(folder_)) {
    if (entry.extension() == ".pvd" || is_temporary(entry)) remove_tree(entry);
  }
  create_folder(folder_ / "frames");
  create_folder(folder_ / "checkpoints");
  write_file_atomically(folder_ / "scene.toml", scene_text);
  write_file_atomically(folder_ / "stats.csv", std::string(kStatsHeader) + "\n");
  write_file_atomically(folder_ / "forces.csv", std::string(kForcesHeader) + "\n");
  write_file_atomically(folder_ / "cracks.jsonl", "");
  write_file_atomically(folder_ / "debris.jsonl", "");
  write_file_atomically(folder_ / "rigid.jsonl", "");
  series_.clear();
}

void RunFolder::start_branch(const RunRecord& record, const std::string& scene_text, const RunFolder& parent,
                             int frame) {
  start(record, scene_text);
  for (int n = 1; n <= frame; ++n) link_or_copy(parent.frame_file(n), frame_file(n));
  copy_lines(parent.folder_, folder_, frame);
  find_series(frame);
}

void RunFolder::move_to(const fs::path& folder) {
  std::error_code error;
  fs::rename(folder_, folder, error);
  if (error) throw FileError(folder.string(), "cannot be created (" + error.message() + ")");
  folder_ = folder;
}

void RunFolder::cut_back_to(int frame, const std::string& scene_text) {
  for (const char* folder : {"", "frames", "checkpoints"}) {
    for (const fs::path& entry : list_folder(folder_ / folder)) {
      if (is_temporary(entry) || frame_number(entry, name_) > frame) remove_tree(entry);
    }
  }
  write_file_atomically(folder_ / "scene.toml", scene_text);
  copy_lines(folder_, folder_, frame);
  find_series(frame);
}

// The frames up to the last and their times, which stats.csv has.
void RunFolder::find_series(int last) {
  series_.clear();
  std::istringstream in(read_file(folder_ / "stats.csv"));
  for (std::string line; std::getline(in, line);) {
    const int number = csv_frame(line);
    if (number < 1 || number > last || !fs::exists(frame_file(number))) continue;
    series_.emplace_back(number, std::strtod(line.c_str() + line.find(',') + 1, nullptr));
  }
  write_series();
}

void RunFolder::write_series() const {
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n  "
      "<Collection>\n";
  for (const auto& [number, time] : series_) {
    text +=
        fmt::format("    <DataSet timestep=\"{}\" part=\"0\" file=\"frames/{}.{:04d}.vtu\"/>\n", time, name_, number);
  }
  text += "  </Collection>\n</VTKFile>\n";
  write_file_atomically(folder_ / (name_ + ".pvd"), text);
}

void RunFolder::add_frame(const Frame& frame) {
  write_file_atomically(frame_file(frame.number), frame_text(frame));
  series_.emplace_back(frame.number, frame.time);
  write_series();
}

void RunFolder::add_stats(const FrameStats& s) {
  const Totals& t = s.totals;
  append_to_file(
      folder_ / "stats.csv",
      fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{:016x},{:.3f}\n", s.frame, s.time, s.steps,
                  s.dt_min, t.nodes, t.elements, t.fragments, t.crack_area, t.mass, t.momentum.x(), t.momentum.y(),
                  t.momentum.z(), t.kinetic, t.elastic, t.gravity, t.contact, t.dissipated, s.state_hash, s.wall_s));
}

void RunFolder::add_reactions(const FrameStats& stats, const std::vector<Reaction>& reactions, double seconds) {
  std::string lines;
  for (const Reaction& r : reactions) {
    const Vec3 mean = seconds > 0 ? Vec3(r.impulse / seconds) : r.force;
    lines += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", stats.frame, stats.time, r.name, r.kind, r.force.x(),
                         r.force.y(), r.force.z(), mean.x(), mean.y(), mean.z(), r.peak, r.work);
  }
  if (!lines.empty()) append_to_file(folder_ / "forces.csv", lines);
}

void RunFolder::add_poses(const FrameStats& stats, const std::vector<RigidPose>& poses) {
  std::string lines;
  for (const RigidPose& pose : poses) {
    const Eigen::Quaterniond q(pose.rotation);
    const Json line = {{"frame", stats.frame},
                       {"time", stats.time},
                       {"name", pose.name},
                       {"kind", pose.kind},
                       {"position", json(pose.position)},
                       {"rotation", {q.w(), q.x(), q.y(), q.z()}},
                       {"velocity", json(pose.velocity)},
                       {"spin", json(pose.spin)}};
    lines += line.dump() + "\n";
  }
  if (!lines.empty()) append_to_file(folder_ / "rigid.jsonl", lines);
}

void RunFolder::add_cracks(const FrameStats& stats, const CrackLog& log) {
  std::string lines;
  for (const CrackEvent& e : log.cracks) {
    Json line = {{"frame", stats.frame},
                 {"time", e.time},
                 {"event", "crack"},
                 {"node", e.node},
                 {"eigenvalue", e.eigenvalue},
                 {"toughness", e.toughness},
                 {"normal", json(e.normal)},
                 {"position", json(e.position)},
                 {"rest", json(e.rest)},
                 {"tets_before", e.tets_before},
                 {"tets_after", e.tets_after},
                 {"crack_faces", e.crack_faces},
                 {"area", e.area},
                 {"snapped", e.snapped_nodes},
                 {"hard_snapped", e.hard_snaps}};
    if (e.grains > 0) line["grains"] = e.grains, line["dust_mass"] = e.dust_mass;
    lines += line.dump() + "\n";
  }
  for (const FragmentEvent& e : log.fragments) {
    const Json line = {
        {"frame", stats.frame}, {"time", stats.time}, {"event", "fragment"}, {"fragment", e.id}, {"parent", e.parent}};
    lines += line.dump() + "\n";
  }
  if (!lines.empty()) append_to_file(folder_ / "cracks.jsonl", lines);
}

void RunFolder::add_debris(const FrameStats& stats, const DebrisLog& debris) {
  std::string lines;
  for (const DebrisEvent& e : debris) {
    Json line = {{"frame", stats.frame}, {"time", e.time}};
    if (e.kind == DebrisEvent::Kind::shed) {
      line["event"] = "shed", line["grains"] = e.grains;
    } else {
      line["event"] = e.kind == DebrisEvent::Kind::removed ? "removed" : "frozen";
      line["reason"] = e.reason == DebrisEvent::Reason::outside ? "outside" : "small";
      line["fragment"] = e.fragment;
    }
    line["body"] = e.body;
    line["volume"] = e.volume;
    line["mass"] = e.mass;
    line["position"] = json(e.position);
    line["velocity"] = json(e.velocity);
    lines += line.dump() + "\n";
  }
  if (!lines.empty()) append_to_file(folder_ / "debris.jsonl", lines);
}

void RunFolder::write_record(const RunRecord& r) {
  Json record = {{"program", "sunder"},
                 {"version", r.version},
                 {"name", r.name},
                 {"status", r.status},
                 {"message", r.message},
                 {"options", {{"threads", r.threads}, {"set", r.overrides}}},
                 {"seed", r.seed},
                 {"bodies", r.bodies},
                 {"materials", r.materials},
                 {"parts", r.parts},
                 {"colliders", r.colliders},
                 {"totals",
                  {{"frames", r.frames},
                   {"frames_planned", r.frames_planned},
                   {"steps", r.steps},
                   {"nodes", r.nodes},
                   {"elements", r.elements},
                   {"fragments", r.fragments},
                   {"largest_inverted", r.largest_inverted},
                   {"splits", r.splits},
                   {"refused_splits", r.refused_splits},
                   {"hard_snapped_splits", r.hard_snapped_splits},
                   {"crack_area", r.crack_area},
                   {"plastic_work", r.plastic_work},
                   {"removed_pieces", r.removed_pieces},
                   {"removed_mass", r.removed_mass},
                   {"frozen_pieces", r.frozen_pieces},
                   {"grains", r.grains},
                   {"dust_mass", r.dust_mass},
                   {"smallest_dt", r.smallest_dt},
                   {"simulated_seconds", r.simulated_seconds},
                   {"wall_seconds", r.wall_seconds}}},
                 {"seconds", r.phase_seconds}};
  if (r.parent) {
    record["parent"] = {{"folder", r.parent->folder.string()}, {"frame", r.parent->frame}, {"steps", r.parent->steps}};
  }
  write_file_atomically(folder_ / "run.json", record.dump(2) + "\n");
}

std::optional<RunOnDisk> find_run(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) return std::nullopt;
  if (is_fresh(folder)) return RunOnDisk{};
  if (!fs::exists(folder / "run.json", error)) return std::nullopt;
  const Json record = Json::parse(read_file(folder / "run.json"), nullptr, false);
  if (record.is_object() && record.value("program", Json()) != "sunder") return std::nullopt;
  try {
    return RunOnDisk{record.at("status").get<std::string>(),
                     record.at("options").at("set").get<std::vector<std::string>>()};
  } catch (const Json::exception&) {
    throw FileError((folder / "run.json").string(), "is damaged; run without --resume to start anew");
  }
}

}  // namespace sunder
