#include "cache/run_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cerrno>
#include <cstring>
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
  static const std::vector<std::string> entries = {"scene.toml", "stats.csv",   "cracks.jsonl", "rigid.jsonl",
                                                   "forces.csv", "checkpoints", "frames"};
  return entries;
}

void create_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw FileError(folder.string(), "cannot be created (" + error.message() + ")");
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

Json json(const Vec3& v) { return Json::array({v.x(), v.y(), v.z()}); }

// Keeps the header and the lines whose frame, as `frame_of` reads it, is not after the last.
template <class FrameOf>
void cut_lines(const fs::path& file, int last, FrameOf&& frame_of) {
  if (!fs::exists(file)) return;
  std::istringstream in(read_file(file));
  std::string kept, line;
  while (std::getline(in, line)) {
    if (in.eof()) break;  // a line without an end was being written when the run died
    if (frame_of(line) <= last) kept += line + "\n";
  }
  write_file_atomically(file, kept);
}

int csv_frame(const std::string& line) { return std::atoi(line.c_str()); }  // 0 for the header

int json_frame(const std::string& line) {
  const Json parsed = Json::parse(line, nullptr, false);
  return parsed.is_object() ? parsed.value("frame", 0) : 0;
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

void RunFolder::start(const std::string& scene_text) {
  std::error_code error;
  if (fs::exists(folder_, error) && !fs::is_directory(folder_, error)) {
    throw FileError(folder_.string(), "is a file; choose another folder with -o");
  }
  if (fs::exists(folder_, error) && !fs::is_empty(folder_, error) && !holds_run(folder_)) {
    throw FileError(folder_.string(), "holds files that are not a sunder run; choose another folder with -o");
  }
  create_folder(folder_);
  write_record({.name = name_});  // first: it marks the folder as ours, even if the run dies at once
  for (const std::string& entry : run_entries()) remove_tree(folder_ / entry);
  for (const fs::path& entry : list_folder(folder_)) {
    if (entry.extension() == ".pvd") remove_tree(entry);
  }
  create_folder(folder_ / "frames");
  create_folder(folder_ / "checkpoints");
  write_file_atomically(folder_ / "scene.toml", scene_text);
  write_file_atomically(folder_ / "stats.csv", std::string(kStatsHeader) + "\n");
  write_file_atomically(folder_ / "forces.csv", std::string(kForcesHeader) + "\n");
  write_file_atomically(folder_ / "cracks.jsonl", "");
  write_file_atomically(folder_ / "rigid.jsonl", "");
  series_.clear();
}

void RunFolder::cut_back_to(int frame) {
  series_.clear();
  for (const fs::path& entry : list_folder(folder_ / "frames")) {
    const int number = frame_number(entry, name_);
    if (number == 0 || number > frame) {
      remove_tree(entry);
    } else {
      series_.emplace_back(number, read_frame(entry).time);
    }
  }
  std::sort(series_.begin(), series_.end());
  cut_lines(folder_ / "stats.csv", frame, csv_frame);
  cut_lines(folder_ / "forces.csv", frame, csv_frame);
  cut_lines(folder_ / "rigid.jsonl", frame, json_frame);
  write_series();
}

void RunFolder::append(const char* file, const std::string& lines) const {
  const fs::path path = folder_ / file;
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  const auto fail = [&](int reason) {
    throw FileError(path.string(), std::string("cannot be written (") + std::strerror(reason) + ")");
  };
  if (descriptor < 0) fail(errno);
  std::size_t done = 0;
  int reason = 0;
  while (done < lines.size() && reason == 0) {
    const ssize_t written = ::write(descriptor, lines.data() + done, lines.size() - done);
    if (written >= 0) {
      done += static_cast<std::size_t>(written);
    } else if (errno != EINTR) {
      reason = errno;
    }
  }
  if (::close(descriptor) != 0 && reason == 0) reason = errno;
  if (reason != 0) fail(reason);
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
  append("stats.csv",
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
  if (!lines.empty()) append("forces.csv", lines);
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
  if (!lines.empty()) append("rigid.jsonl", lines);
}

void RunFolder::write_record(const RunRecord& r) {
  const Json record = {{"program", "sunder"},
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
                         {"simulated_seconds", r.simulated_seconds},
                         {"wall_seconds", r.wall_seconds}}},
                       {"seconds", r.phase_seconds}};
  write_file_atomically(folder_ / "run.json", record.dump(2) + "\n");
}

void RunFolder::write_checkpoint(std::string_view bytes) { write_file_atomically(checkpoint_file(), bytes); }

}  // namespace sunder
