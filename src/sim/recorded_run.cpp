#include "sim/recorded_run.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cache/frame_vtu.h"
#include "cache/json_number.h"
#include "cache/run_folder.h"
#include "core/error.h"
#include "core/files.h"
#include "frame/lattice_surface.h"
#include "scene/read_scene.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

// The number in NAME.0001.vtu whatever the name is, or 0.
int number_of(const fs::path& file) {
  const std::string stem = file.stem().string();
  const std::size_t dot = stem.rfind('.');
  return dot == std::string::npos ? 0 : frame_number(file, stem.substr(0, dot));
}

}  // namespace

RecordedRun::RecordedRun(const fs::path& folder) : folder_(folder) {
  std::error_code failure;
  if (!fs::is_directory(folder, failure)) {
    throw FileError(folder.string(), "is not a folder; `sunder run SCENE` makes one");
  }
  if (!fs::exists(folder / "scene.toml", failure)) {
    throw FileError(folder.string(), "has no scene.toml: not a sunder run");
  }
  // It names its mesh files by absolute path; drawing reads textures only, and says so itself if one is gone.
  scene_ = read_scene(scene_source(folder / "scene.toml"),
                      {.overrides = {}, .allow_outside = true, .files_may_be_gone = true});
  for (fs::directory_iterator i(folder / "frames", failure), end; !failure && i != end; i.increment(failure)) {
    if (const int number = number_of(i->path()); number > 0) files_[number] = i->path();
  }
  if (files_.empty()) throw FileError((folder / "frames").string(), "holds no frames");
  for (const auto& [number, file] : files_) numbers_.push_back(number);
  read_poses();
}

void RecordedRun::read_poses() {
  const fs::path file = folder_ / "rigid.jsonl";
  if (!fs::exists(file)) return;
  std::istringstream in(read_file(file));
  std::string line;
  for (int count = 1; std::getline(in, line); ++count) {
    try {
      const Json pose = Json::parse(line);
      const auto vector = [&](const char* key) {
        const Json& v = pose.at(key);
        return Vec3(v.at(0).get<double>(), v.at(1).get<double>(), v.at(2).get<double>());
      };
      const Json& q = pose.at("rotation");
      const Eigen::Quaterniond turn(q.at(0).get<double>(), q.at(1).get<double>(), q.at(2).get<double>(),
                                    q.at(3).get<double>());
      poses_[whole_number(pose.at("frame"))].push_back({.name = pose.at("name").get<std::string>(),
                                                        .kind = pose.at("kind").get<std::string>(),
                                                        .position = vector("position"),
                                                        .rotation = turn.normalized().toRotationMatrix(),
                                                        .velocity = vector("velocity"),
                                                        .spin = vector("spin")});
    } catch (const Json::exception&) {
      throw InputError({file.string(), count}, "not a pose", "`sunder check` says what else is damaged");
    }
  }
}

Frame RecordedRun::frame(int number) const {
  const auto found = files_.find(number);
  if (found == files_.end()) {
    throw UsageError(fmt::format("{} has no frame {}; it has {} to {}", folder_.string(), number, numbers_.front(),
                                 numbers_.back()));
  }
  const bool cells = scene().look.lattice == LatticeLook::cells;
  return lattice_as_tets(read_frame(found->second), cells ? LatticeSurface::cells : LatticeSurface::octants);
}

const std::vector<RigidPose>& RecordedRun::poses(int number) const {
  static const std::vector<RigidPose> none;
  const auto found = poses_.find(number);
  return found == poses_.end() ? none : found->second;
}

}  // namespace sunder
