#include "apps/cli/export_solids.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/cli/export_materials.h"
#include "apps/cli/frame_list.h"
#include "apps/cli/output_folder.h"
#include "core/files.h"
#include "export/obj.h"
#include "export/piece_ply.h"
#include "export/pieces_glb.h"
#include "export/point_cache.h"
#include "export/usda.h"
#include "meshfile/write_surface.h"

namespace sunder::cli {
namespace {

namespace fs = std::filesystem;

// Which endings each option is for.
void check_options(const ExportCommandOptions& options, const std::string& ending) {
  const bool mesh = can_write_surface(options.output);
  const bool whole = ending == ".glb" || ending == ".usda" || ending == ".pc2" || ending == ".mdd";
  if (!mesh && !whole) {
    throw UsageError(fmt::format(
        "{}: solids are written as .glb, .usda, .pc2, .mdd, .ply, .obj, .stl or .off; their frames are .vtu already",
        options.output));
  }
  const OptionsOf needs{options.output};
  needs(options.deforming, "--deforming", ending == ".glb", ".glb");
  needs(options.hulls, "--hulls", ending == ".glb", ".glb");
  needs(options.changing, "--changing", ending == ".usda", ".usda");
  needs(options.cracks, "--cracks", mesh, ".ply, .obj, .stl and .off");
  needs(options.grains, "--grains", ending == ".ply", ".ply");
  needs(options.fps > 0, "--fps", ending == ".glb" || ending == ".usda" || ending == ".mdd", ".glb, .usda and .mdd");
  if (options.size > 0 || options.width > 0) throw UsageError("--size and --width are for runs of surfaces");
  if (options.lines) throw UsageError("--lines is for runs of surfaces; --cracks gives the crack faces of solids");
  if (options.cracks && options.grains) throw UsageError("--cracks and --grains: one at a time");
  if (options.frame && !options.frames.empty()) throw UsageError("--frame and --frames: one at a time");
  if (options.up == UpAxis::z && ending == ".glb") {
    throw UsageError("glTF has y up by definition, and programs with z up turn it themselves: leave --up z out");
  }
}

SolidRun solid_run(const RecordedRun& run, const ExportCommandOptions& options) {
  SolidRun solid;
  solid.name = run.scene().name;
  solid.fps = options.fps > 0 ? options.fps : run.scene().fps;
  solid.pace = solid.fps / run.scene().fps;
  solid.frames = run.frames();
  if (!options.frames.empty()) solid.frames = frame_list(options.frames, run.frames());
  if (options.frame) solid.frames = {*options.frame};
  std::sort(solid.frames.begin(), solid.frames.end());
  solid.frames.erase(std::unique(solid.frames.begin(), solid.frames.end()), solid.frames.end());
  solid.frame = [&run](int number) { return run.frame(number); };
  for (const BodySpec& body : run.scene().bodies) {  // every body has a material of its own, under its number
    solid.bodies.push_back(body.name);
    solid.density.push_back(body.material.density);
  }
  solid.materials = export_materials(run.scene(), [&] { return run.frame(solid.frames.front()); });
  return solid;
}

std::string counted(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}
std::string fragments(std::size_t count) { return counted(count, "fragment"); }
std::string frames(const SolidRun& run) { return counted(run.frames.size(), "frame"); }

// name.ply -> name.0012.ply
fs::path numbered(const fs::path& file, int frame) {
  return file.parent_path() / fmt::format("{}.{:04d}{}", file.stem().string(), frame, file.extension().string());
}

// Returns whether there was anything to write.
bool write_frame(const SolidRun& run, const Frame& frame, const fs::path& file, const Placement& placement,
                 const ExportCommandOptions& options) {
  const std::string ending = ending_of(file);
  if (options.grains) {
    write_file_atomically(file, grains_ply(frame, placement));
    return !frame.grains.empty();
  }
  std::vector<PieceSurface> pieces = piece_surfaces(frame, NormalsOf::world);
  if (options.cracks) {
    for (PieceSurface& piece : pieces) piece.sides[kOutside] = {};
  }
  if (ending == ".ply") {
    write_file_atomically(file, pieces_ply(frame, pieces, placement));
  } else if (ending == ".obj") {
    write_obj(file, frame, pieces, placement, run.materials);
  } else {
    write_surface(file, welded_surface(frame, pieces, placement));
  }
  return std::any_of(pieces.begin(), pieces.end(), [](const PieceSurface& piece) {
    return !piece.sides[kOutside].triangles.empty() || !piece.sides[kInside].triangles.empty();
  });
}

ExitCode write_series(const SolidRun& run, const Placement& placement, const ExportCommandOptions& options) {
  bool any = false;
  for (const int number : run.frames) {
    const fs::path file = options.frame ? fs::path(options.output) : numbered(options.output, number);
    any = write_frame(run, run.frame(number), file, placement, options) || any;
  }
  if (!any) {
    fmt::print(stderr, "sunder: note: {} here: what was written is empty\n",
               options.grains ? "there is no dust" : "nothing is broken");
  }
  if (options.frame) {
    fmt::print("{}: frame {} written\n", options.output, *options.frame);
  } else {
    fmt::print("{} to {}: {} written\n", numbered(options.output, run.frames.front()).string(),
               numbered(options.output, run.frames.back()).filename().string(), frames(run));
  }
  return ExitCode::fine;
}

ExitCode write_moving_pieces(const SolidRun& run, const ExportCommandOptions& options) {
  RigidReport report;
  write_glb(options.output, pieces_glb(run, {options.scale, options.deforming, options.hulls}, report));
  constexpr double kMillimetres = 1000;
  fmt::print("{}: {} over {} written\n", options.output, fragments(report.pieces), frames(run));
  fmt::print("rigid motion is off by {:.3g} mm (root mean square), at most {:.3g} mm (fragment {}, frame {}){}\n",
             kMillimetres * report.rms, kMillimetres * report.largest, report.fragment, report.frame,
             options.deforming ? fmt::format("; {} morph targets make up for it", report.targets) : "");
  return ExitCode::fine;
}

}  // namespace

void OptionsOf::operator()(bool given, const char* option, bool good, const char* endings) const {
  if (given && !good) throw UsageError(fmt::format("{} is for {}, not for {}", option, endings, output));
}

ExitCode export_solids(const RecordedRun& run, const ExportCommandOptions& options) {
  const std::string ending = ending_of(options.output);
  check_options(options, ending);
  const SolidRun solid = solid_run(run, options);
  make_folder_of(options.output);
  const Placement placement{options.scale, options.up == UpAxis::z};
  if (ending == ".glb") return write_moving_pieces(solid, options);
  if (ending == ".usda") {
    const UsdaReport report = options.changing ? write_changing_usda(solid, placement, options.output)
                                               : write_usda(solid, placement, options.output);
    fmt::print("{}: {} over {} written\n", options.output, fragments(report.pieces), frames(solid));
    return ExitCode::fine;
  }
  if (ending == ".pc2" || ending == ".mdd") {
    const PointCacheReport report = write_point_cache(solid, placement, options.output);
    fmt::print("{}: {} points of {} over {} written, for the mesh {}\n", options.output, report.points,
               fragments(report.pieces), frames(solid), report.mesh.string());
    return ExitCode::fine;
  }
  return write_series(solid, placement, options);
}

}  // namespace sunder::cli
