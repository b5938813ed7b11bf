#include <fmt/format.h>

#include "apps/cli/commands.h"
#include "apps/cli/export_solids.h"
#include "apps/cli/output_folder.h"
#include "core/files.h"
#include "export/crack_net.h"
#include "export/cracked_surface.h"
#include "meshfile/write_surface.h"
#include "sim/recorded_run.h"

namespace sunder::cli {

void export_frame(const Frame& frame, const std::string& file, bool lines, int size, double width) {
  const std::string ending = ending_of(file);
  const double line = width > 0 ? width : 0.12 * mean_edge_of(frame);
  if (ending == ".svg") {
    write_file_atomically(file, crack_lines_svg(frame, line));
  } else if (ending == ".png") {
    write_file_atomically(file, render::png_bytes(crack_mask(frame, size, line)));
  } else if (ending == ".obj" && lines) {
    write_file_atomically(file, crack_lines_obj(frame));
  } else if (ending == ".ply") {
    write_file_atomically(file, cracked_ply(frame));
  } else if (can_write_surface(file)) {
    write_surface(file, surface_with_walls(frame));
  } else {
    throw UsageError(fmt::format("{}: write .ply, .obj, .stl, .off, .svg or .png", file));
  }
}

ExitCode export_command(const ExportCommandOptions& options) {
  const RecordedRun run(options.run);
  if (!run.scene().bodies[0].is_surface()) return export_solids(run, options);
  if (!options.frames.empty() || options.scale != 1 || options.fps > 0 || options.up != UpAxis::y ||
      options.deforming || options.hulls || options.changing || options.cracks || options.grains) {
    throw UsageError(
        "this is a run of surfaces: --frames, --fps, --scale, --up, --deforming, --hulls, --changing, --cracks and "
        "--grains "
        "are "
        "for solids");
  }
  const std::string ending = ending_of(options.output);
  const OptionsOf needs{options.output};
  needs(options.size > 0, "--size", ending == ".png", ".png");
  needs(options.width > 0, "--width", ending == ".svg" || ending == ".png", ".svg and .png");
  needs(options.lines, "--lines", ending == ".obj", ".obj");
  const Frame frame = run.frame(options.frame.value_or(run.frames().back()));
  constexpr int kMaskSize = 2048;
  make_folder_of(options.output);
  export_frame(frame, options.output, options.lines, options.size > 0 ? options.size : kMaskSize, options.width);
  fmt::print("{}: written\n", options.output);
  return ExitCode::fine;
}

}  // namespace sunder::cli
