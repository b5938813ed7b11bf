#include "sim/render_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/suggest.h"
#include "render/denoise.h"
#include "render/drawing.h"
#include "render/film.h"
#include "render/frame_between.h"
#include "render/tonemap.h"
#include "render/trace.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;

constexpr int kSurveyed = 24;                 // frames that are looked at for framing and scales
constexpr std::size_t kFramedPoints = 60000;  // points that framing goes by
constexpr double kViewAngle = 28;             // degrees: little distortion
constexpr double kMargin = 0.12;
constexpr double kDefaultExplode = 0.45;

// Corners of things that bodies bounce off, if they are not much larger than the action; where they were in the frames
// that were looked at, if they move.
void add_collider_corners(const Scene& scene, const std::vector<RigidPose>& poses, double reach, const Vec3& center,
                          std::vector<Vec3>& points) {
  for (const ColliderSpec& collider : scene.colliders) {
    if (collider.hidden) continue;
    double half = 0;
    if (const auto* sphere = std::get_if<SphereCollider>(&collider.shape)) half = sphere->radius;
    if (const auto* box = std::get_if<BoxCollider>(&collider.shape)) half = box->size.norm() / 2;
    if (const auto* capsule = std::get_if<CapsuleCollider>(&collider.shape)) half = capsule->height / 2;
    const bool moves = collider.motion != ColliderMotion::fixed;
    const bool mesh = std::holds_alternative<MeshCollider>(collider.shape);  // its size is not known: its middle counts
    if ((half == 0 && !mesh) || std::sqrt(3.0) * half > 2 * reach) continue;
    std::vector<Vec3> places;
    for (const RigidPose& pose : poses) {
      if (moves && pose.name == collider.name) places.push_back(pose.position);
    }
    if (places.empty()) places.push_back(collider.position);
    for (const Vec3& place : places) {
      if (!place.allFinite() || (place - center).norm() > 2 * reach) continue;
      for (int corner = 0; corner < 8; ++corner) {
        const Vec3 sign(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1);
        points.push_back(place + 0.8 * half * sign);
      }
    }
  }
}

// The spot of the floor below the action, where its shadow lies, if it is near.
void add_floor_below(const Scene& scene, const Setting& setting, std::vector<Vec3>& points) {
  for (const ColliderSpec& collider : scene.colliders) {
    const auto* ground = std::get_if<GroundCollider>(&collider.shape);
    if (ground == nullptr || setting.lowest - ground->height > 2 * setting.radius) continue;
    const double half = 0.6 * setting.radius;
    for (const double side : {-half, half}) {
      points.emplace_back(setting.center.x() + side, ground->height, setting.center.z());
      points.emplace_back(setting.center.x(), ground->height, setting.center.z() + side);
    }
  }
}

double high_quantile(std::vector<double>& values) {
  if (values.empty()) return 1;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(0.98 * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at > 0 ? *at : 1;
}

}  // namespace

RunPainter::RunPainter(const RecordedRun& run, PictureOptions options)
    : run_(run), options_(std::move(options)), maker_(run.scene()) {
  const bool apart = options_.look == Look::exploded;
  stage_options_ = {.look = options_.look, .explode = options_.explode.value_or(apart ? kDefaultExplode : 0)};
  survey();
  choose_camera();
}

// What all pictures of the run have in common: what they show, and which numbers are large.
void RunPainter::survey() {
  const bool every = options_.look == Look::age;  // births are dated to the frame
  const std::vector<int>& numbers = options_.framed.empty() || every ? run_.frames() : options_.framed;
  const std::size_t step = every ? 1 : std::max<std::size_t>(1, numbers.size() / kSurveyed);
  std::vector<double> stress;
  std::vector<RigidPose> poses;
  std::size_t looked_at = 0;
  double first_birth = -1, last_time = 0;
  for (std::size_t i = 0; i < numbers.size(); i += step) {
    const Frame frame = run_.frame(numbers[i]);
    const std::vector<RigidPose>& placed = run_.poses(numbers[i]);
    poses.insert(poses.end(), placed.begin(), placed.end());
    const std::vector<Vec3>& x = is_reassembled(options_.look) ? frame.rest : frame.position;
    const std::size_t stride = 1 + x.size() * (numbers.size() / step + 1) / kFramedPoints;
    for (std::size_t n = 0; n < x.size(); n += stride) {
      if (x[n].allFinite()) seen_.push_back(x[n]);
    }
    for (std::size_t t = 0; t < frame.stress.size(); t += stride) stress.push_back(std::abs(frame.stress[t]));
    if (options_.look == Look::age) {
      for (const Uid uid : frame.node_uid) {
        if (born_.try_emplace(uid, frame.time).second && looked_at > 0 && first_birth < 0) first_birth = frame.time;
      }
    }
    last_time = frame.time;
    ++looked_at;
  }
  if (seen_.empty()) throw InputError({(run_.folder() / "frames").string()}, "the frames hold no nodes");
  seen_ = render::without_runaways(seen_);
  setting_.lowest = std::numeric_limits<double>::infinity();
  for (const Vec3& p : seen_) setting_.lowest = std::min(setting_.lowest, p.y());
  if (stage_options_.explode > 0) {
    Vec3 middle = Vec3::Zero();
    for (const Vec3& p : seen_) middle += p / static_cast<double>(seen_.size());
    for (Vec3& p : seen_) p += 0.9 * stage_options_.explode * (p - middle);
  }
  Vec3 low = seen_[0], high = seen_[0];
  for (const Vec3& p : seen_) low = low.cwiseMin(p), high = high.cwiseMax(p);
  setting_.center = (low + high) / 2;
  setting_.radius = std::max((high - low).norm() / 2, 1e-6);
  if (!is_reassembled(options_.look)) {
    add_collider_corners(run_.scene(), poses, setting_.radius, setting_.center, seen_);
    add_floor_below(run_.scene(), setting_, seen_);
  }
  stage_options_.stress_scale = high_quantile(stress);
  stage_options_.born = &born_;
  stage_options_.age_scale = first_birth >= 0 ? std::max(last_time - first_birth, 1e-9) : 1;
}

void RunPainter::choose_camera() {
  const Scene& scene = run_.scene();
  const double aspect = static_cast<double>(options_.width) / options_.height;
  std::vector<std::string> names = {"auto", "front", "side", "top"};
  for (const CameraSpec& camera : scene.cameras) names.push_back(camera.name);
  std::string name = options_.camera;
  if (name.empty()) name = scene.cameras.empty() || is_reassembled(options_.look) ? "auto" : scene.cameras[0].name;
  const auto given = std::find_if(scene.cameras.begin(), scene.cameras.end(),
                                  [&](const CameraSpec& camera) { return camera.name == name; });
  if (given != scene.cameras.end()) {
    camera_ = {.position = given->position, .target = given->target, .view_angle = given->fov, .aspect = aspect};
  } else if (std::find(names.begin(), names.end(), name) != names.end()) {
    const Vec3 view = name == "front"  ? render::view_direction(0, 5)
                      : name == "side" ? render::view_direction(90, 5)
                      : name == "top"  ? render::view_direction(0, 89)
                                       : render::view_direction(scene.look.azimuth, scene.look.elevation);
    camera_ = render::frame_points(seen_, view, kViewAngle, aspect, kMargin);
  } else {
    throw UsageError(fmt::format("the scene has no camera `{}`: {}", name, suggestion(name, names)));
  }
  setting_.view = (camera_.target - camera_.position).normalized();
}

render::Image RunPainter::draw(const Frame& frame, const std::vector<RigidPose>& poses, double slow) {
  stage_options_.shutter = run_.scene().look.shutter / (run_.scene().fps * slow);
  const render::Stage stage = maker_.stage(frame, poses, setting_, stage_options_);
  const render::RayScene rays(stage);
  render::Picture picture = render::trace(rays, camera_,
                                          {.width = options_.width,
                                           .height = options_.height,
                                           .samples = options_.samples,
                                           .bounces = options_.bounces,
                                           .progress = options_.progress});
  if (options_.denoise) render::denoise(picture);
  return render::tonemap(picture, static_cast<float>(run_.scene().look.exposure));
}

render::Image RunPainter::picture(int frame) { return draw(run_.frame(frame), run_.poses(frame), 1); }

render::Image RunPainter::picture_between(int number, double share, double slow) {
  const std::vector<int>& numbers = run_.frames();
  const auto next = std::upper_bound(numbers.begin(), numbers.end(), number);
  if (share <= 0 || next == numbers.end()) return draw(run_.frame(number), run_.poses(number), slow);
  return draw(render::frame_between(run_.frame(number), run_.frame(*next), share),
              poses_between(run_.poses(number), run_.poses(*next), share), slow);
}

bool is_pattern(const fs::path& path) { return path.filename().string().find('%') != std::string::npos; }

fs::path numbered(const fs::path& pattern, int number) {
  const std::string text = pattern.filename().string();
  const std::size_t begin = text.find('%');
  std::size_t end = begin + 1;
  while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
  const bool good =
      end < text.size() && text[end] == 'd' && end - begin <= 3 && text.find('%', end) == std::string::npos;
  if (!good) throw UsageError(fmt::format("`{}` must have one number such as %04d in it, and no other %", text));
  const std::string digits = text.substr(begin + 1, end - begin - 1);
  const int width = digits.empty() ? 1 : std::stoi(digits);
  return pattern.parent_path() / fmt::format("{}{:0{}d}{}", text.substr(0, begin), number, width, text.substr(end + 1));
}

void make_film(const RecordedRun& run, const PictureOptions& options, const FilmOptions& film) {
  const bool pictures = is_pattern(film.output);
  if (pictures) numbered(film.output, 1);  // a bad pattern should not cost a picture
  // Faster than an eye can follow, frames are shown one by one: slow motion by itself.
  const double fps = run.scene().fps <= 60 ? run.scene().fps : 30;
  std::optional<render::FilmWriter> writer;
  if (!pictures) writer.emplace(film.output, options.width, options.height, fps);
  RunPainter painter(run, options);
  const int steps = std::max(1, film.slow);
  const int all = (static_cast<int>(film.frames.size()) - 1) * steps + 1;
  for (int i = 0; i < all; ++i) {
    const int frame = film.frames[static_cast<std::size_t>(i / steps)];
    const render::Image image = painter.picture_between(frame, static_cast<double>(i % steps) / steps, steps);
    if (pictures) {
      render::write_png(numbered(film.output, i + 1), image);
    } else {
      writer->add(image);
    }
    if (film.progress) film.progress(i + 1, all);
  }
  if (writer) writer->finish();
}

render::Image contact_sheet(const std::vector<fs::path>& runs, const std::vector<int>& frames,
                            const PictureOptions& options, const std::function<void(int, int)>& progress) {
  const auto run_count = static_cast<int>(runs.size()), frame_count = static_cast<int>(frames.size());
  const int cells = run_count * frame_count;
  // One list makes a block, two make a table.
  const bool table = run_count > 1 && frame_count > 1;
  const int square = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(cells))));
  const int columns = table ? frame_count : cells <= 3 ? cells : square;  // three are a row: low, middle, high
  const int rows = (cells + columns - 1) / columns;
  const int letters = std::max(9, options.height / 24), gap = std::max(4, options.width / 40), caption = 3 * letters;
  const std::int64_t width = std::int64_t{columns} * (options.width + gap) + gap;
  const std::int64_t height = std::int64_t{rows} * (options.height + caption) + gap;
  if (width > 16384 || height > 16384) {
    throw UsageError(
        fmt::format("the sheet would have {} x {} pixels; 16384 a side are possible. Ask for a smaller "
                    "--size or fewer frames",
                    width, height));
  }
  render::Image sheet(static_cast<int>(width), static_cast<int>(height));
  int cell = 0;
  for (const fs::path& folder : runs) {
    const RecordedRun run(folder);
    PictureOptions of_run = options;
    for (const int frame : frames) of_run.framed.push_back(frame > 0 ? frame : run.frames().back());
    RunPainter painter(run, of_run);
    for (const int number : of_run.framed) {
      const render::Image picture = painter.picture(number);
      const int x = gap + cell % columns * (options.width + gap), y = gap + cell / columns * (options.height + caption);
      render::paste(sheet, picture, x, y);
      const double time = (number - 1) / run.scene().fps;
      render::draw_text(sheet, x, y + options.height + 1.7 * letters, letters,
                        fmt::format("{}   t = {:.3f} s", run.scene().name, time), {60, 60, 64});
      if (progress)
        progress(++cell, cells);
      else
        ++cell;
    }
  }
  return sheet;
}

}  // namespace sunder
