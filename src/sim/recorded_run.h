#pragma once
// A run folder, read back: its scene, its frames, and where its rigid things stood.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "frame/frame.h"
#include "frame/totals.h"
#include "scene/scene.h"

namespace sunder {

class RecordedRun {
 public:
  // FileError or InputError if the folder holds no run.
  explicit RecordedRun(const std::filesystem::path& folder);

  const std::filesystem::path& folder() const { return folder_; }
  const Scene& scene() const { return scene_; }
  const std::vector<int>& frames() const { return numbers_; }  // ascending; at least one
  Frame frame(int number) const;                               // UsageError if there is none of that number
  const std::vector<RigidPose>& poses(int number) const;       // empty if none were recorded

 private:
  void read_poses();

  std::filesystem::path folder_;
  Scene scene_;
  std::vector<int> numbers_;
  std::map<int, std::filesystem::path> files_;
  std::map<int, std::vector<RigidPose>> poses_;
};

}  // namespace sunder
