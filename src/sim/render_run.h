#pragma once
// Pictures and films of runs.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "render/camera.h"
#include "render/image_file.h"
#include "sim/recorded_run.h"
#include "sim/stage_of_run.h"

namespace sunder {

struct PictureOptions {
  int width = 1280, height = 720;
  int samples = 64;
  int bounces = 8;
  bool denoise = true;
  Look look = Look::normal;
  std::optional<double> explode;  // unset: what suits the look
  std::vector<int> framed;        // frames that the camera should see in whole; empty: all of the run
  std::string camera;             // a camera of the scene, `auto`, `front`, `side`, `top`; empty: the scene's first
  std::function<void(double)> progress;  // share of one picture
};

// Draws frames of one run, all with the same framing, light and scales.
class RunPainter {
 public:
  RunPainter(const RecordedRun& run, PictureOptions options);  // the run must outlive it
  render::Image picture(int frame);

  // `share` of the way to the next frame; the shutter follows the film's pace.
  render::Image picture_between(int frame, double share, double slow);

  const render::Camera& camera() const { return camera_; }

 private:
  void survey();
  void choose_camera();
  render::Image draw(const Frame& frame, const std::vector<RigidPose>& poses, double slow);

  const RecordedRun& run_;
  PictureOptions options_;
  StageMaker maker_;
  Setting setting_;
  StageOptions stage_options_;
  render::Camera camera_;
  std::vector<Vec3> seen_;  // points that the camera should see
  std::unordered_map<Uid, double> born_;
};

struct FilmOptions {
  std::filesystem::path output;                     // .mp4, .gif, or .png with %d (%04d ...) for the number
  std::vector<int> frames;                          // of the run
  int slow = 1;                                     // times slower
  std::function<void(int done, int all)> progress;  // pictures
};
void make_film(const RecordedRun& run, const PictureOptions& picture, const FilmOptions& film);

// Runs down, frames across (or, with one frame, runs in a square), captions below.
render::Image contact_sheet(const std::vector<std::filesystem::path>& runs, const std::vector<int>& frames,
                            const PictureOptions& picture, const std::function<void(int done, int all)>& progress);

// "frames-%04d.png" and 7 -> "frames-0007.png"; UsageError if the pattern is not one %d.
std::filesystem::path numbered(const std::filesystem::path& pattern, int number);
bool is_pattern(const std::filesystem::path& path);

}  // namespace sunder
