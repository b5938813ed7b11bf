#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <mutex>

#include "apps/cli/commands.h"
#include "apps/cli/frame_list.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/output_folder.h"
#include "apps/cli/progress_display.h"
#include "apps/cli/shell_word.h"
#include "core/parallel.h"
#include "core/suggest.h"
#include "render/film.h"
#include "sim/render_run.h"

namespace sunder::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kLargestSide = 16384;  // pixels

struct Quality {
  int width, height, samples, bounces;
};
constexpr Quality kPreview{640, 360, 3, 3};
constexpr Quality kFinal{1280, 720, 96, 8};

int whole(const std::string& text) {
  return !text.empty() && text.size() <= 6 && text.find_first_not_of("0123456789") == std::string::npos
             ? std::stoi(text)
             : -1;
}

void read_size(const std::string& text, PictureOptions& picture) {
  const std::size_t cross = text.find('x');
  const int width = cross == std::string::npos ? -1 : whole(text.substr(0, cross));
  const int height = cross == std::string::npos ? -1 : whole(text.substr(cross + 1));
  if (width < 16 || height < 16 || width > kLargestSide || height > kLargestSide) {
    throw UsageError(
        fmt::format("--size {}: write WIDTHxHEIGHT with 16 to {} pixels a side, such as 1280x720", text, kLargestSide));
  }
  picture.width = width;
  picture.height = height;
}

Look look_named(const std::string& name) {
  std::vector<std::string> names;
  for (const LookName& known : kLooks) {
    if (known.name == name) return known.look;
    names.emplace_back(known.name);
  }
  throw UsageError(fmt::format("there is no look `{}`: {}", name, suggestion(name, names)));
}

PictureOptions picture_options(const RenderCommandOptions& options) {
  const bool preview = options.quality == "preview";
  const Quality quality = preview ? kPreview : kFinal;
  PictureOptions picture;
  picture.width = quality.width;
  picture.height = quality.height;
  picture.bounces = quality.bounces;
  picture.samples = options.samples > 0 ? options.samples : quality.samples;
  if (!options.size.empty()) read_size(options.size, picture);
  picture.look = look_named(options.look);
  picture.explode = options.explode;
  picture.camera = options.camera;
  picture.denoise = !options.raw;
  return picture;
}

// Ctrl-C while something is drawn.
struct DrawingInterrupted : Error {
  DrawingInterrupted() : Error(ExitCode::interrupted, "interrupted") {}
};

// How far the pictures are, as the runs show it; and the place where drawing ends when it is asked to.
class PictureProgress {
 public:
  PictureProgress(ProgressStyle style, const std::atomic<bool>& stop)
      : bar_(style), stop_(stop), start_(std::chrono::steady_clock::now()) {}
  ~PictureProgress() { bar_.finish(); }
  PictureProgress(const PictureProgress&) = delete;
  PictureProgress& operator=(const PictureProgress&) = delete;

  void pictures(int done, int all) {
    if (stop_) throw DrawingInterrupted();
    const std::scoped_lock lock(mutex_);
    done_ = done;
    all_ = all;
    show(0);
  }
  void part(double share) {
    if (stop_) throw DrawingInterrupted();
    const std::scoped_lock lock(mutex_);
    show(share);
  }

 private:
  void show(double share) {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    bar_.show_pictures({.done = done_, .all = all_, .share = (done_ + share) / all_, .wall_s = seconds});
  }

  std::mutex mutex_;
  ProgressDisplay bar_;
  const std::atomic<bool>& stop_;
  std::chrono::steady_clock::time_point start_;
  int done_ = 0, all_ = 1;
};

void check_output(const fs::path& output, bool film_allowed) {
  if (output.extension() == ".png" || (film_allowed && render::is_film(output))) return;
  throw UsageError(fmt::format("-o {}: the ending must be .png{}", output.string(),
                               film_allowed ? ", .mp4 or .gif" : " for a sheet"));
}

void render_sheet(const RenderCommandOptions& options, PictureOptions picture, PictureProgress& progress) {
  check_output(options.output, false);
  if (options.size.empty()) picture.width = 480, picture.height = 360;
  const std::vector<fs::path> runs(options.runs.begin(), options.runs.end());
  std::vector<int> frames = {0};  // 0: the last
  if (!options.frames.empty()) {
    const RecordedRun first(runs[0]);
    frames = frame_list(options.frames, first.frames());
  } else if (options.frame) {
    frames = {*options.frame};
  }
  const render::Image sheet =
      contact_sheet(runs, frames, picture, [&](int done, int all) { progress.pictures(done, all); });
  make_folder_of(options.output);
  render::write_png(options.output, sheet);
}

// A name for each camera's file: still.png -> still-close.png.
fs::path with_camera(const fs::path& output, const std::string& camera) {
  return output.parent_path() / (output.stem().string() + "-" + camera + output.extension().string());
}

void render_one(const RenderCommandOptions& options, const RecordedRun& run, PictureOptions picture,
                const fs::path& output, PictureProgress& progress) {
  if (render::is_film(output) || is_pattern(output)) {
    FilmOptions film{.output = output, .frames = run.frames(), .slow = options.slow};
    if (!options.frames.empty()) film.frames = frame_list(options.frames, run.frames());
    film.progress = [&](int done, int all) { progress.pictures(done, all); };
    picture.framed = film.frames;
    make_film(run, picture, film);
    return;
  }
  const int frame = options.frame.value_or(run.frames().back());
  picture.framed = {frame};
  RunPainter painter(run, picture);
  render::write_png(output, painter.picture(frame));
}

// Whether it was drawn to the end; if Ctrl-C ended it, nothing half-drawn is left.
bool draw(const RenderCommandOptions& options) {
  PictureOptions picture = picture_options(options);
  if (options.runs.size() > 1 && !options.sheet) {
    throw UsageError("one run a film; --sheet puts several side by side");
  }
  if (options.output.empty()) throw UsageError("say where to: -o film.mp4, -o still.png or -o frames-%04d.png");
  Threads threads(options.threads > 0 ? options.threads : hardware_threads());
  const InterruptGuard interrupt;
  try {
    PictureProgress progress(options.progress, interrupt.stop_requested());
    picture.progress = [&](double share) { progress.part(share); };
    threads.run([&] {
      if (options.sheet) {
        render_sheet(options, picture, progress);
        return;
      }
      check_output(options.output, true);
      const RecordedRun run(options.runs.at(0));
      make_folder_of(options.output);
      if (options.camera != "all" || run.scene().cameras.empty()) {
        if (options.camera == "all") picture.camera.clear();
        render_one(options, run, picture, options.output, progress);
        return;
      }
      for (const CameraSpec& camera : run.scene().cameras) {
        picture.camera = camera.name;
        render_one(options, run, picture, with_camera(options.output, camera.name), progress);
      }
    });
  } catch (const Error&) {  // a terminal's Ctrl-C reaches ffmpeg, too: then it is the film that cannot be written
    if (!interrupt.stop_requested()) throw;
    return false;
  }
  if (options.progress != ProgressStyle::none) {
    fmt::print(options.progress == ProgressStyle::json ? stderr : stdout, "{}\n", options.output);
  }
  return true;
}

}  // namespace

ExitCode render_command(const RenderCommandOptions& options) {
  if (draw(options)) return ExitCode::fine;
  fmt::print(stderr, "sunder: interrupted before {} was drawn; the same command begins anew\n", options.output);
  return ExitCode::interrupted;
}

ExitCode render_after_run(const std::string& folder, int threads, ProgressStyle progress) {
  // A minute or so in all; `sunder render` makes them again at any quality.
  const auto options_of = [&](const char* file, const char* size, int samples) {
    RenderCommandOptions options{.runs = {folder}, .threads = threads, .progress = progress};
    options.output = (fs::path(folder) / file).string();
    options.size = size;
    options.samples = samples;
    return options;
  };
  const std::vector<RenderCommandOptions> all = {options_of("still.png", "960x540", 32),
                                                 options_of("film.mp4", "640x360", 4)};
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (draw(all[i])) continue;
    fmt::print(stderr, "sunder: interrupted before {} was drawn; the run is complete, to draw it:\n", all[i].output);
    for (std::size_t left = i; left < all.size(); ++left) {
      fmt::print(stderr, "  sunder render {} -o {} --size {} --samples {}\n", shell_word(folder),
                 shell_word(all[left].output), all[left].size, all[left].samples);
    }
    return ExitCode::interrupted;
  }
  return ExitCode::fine;
}

}  // namespace sunder::cli
