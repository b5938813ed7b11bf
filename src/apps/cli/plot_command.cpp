#include <fmt/format.h>

#include <filesystem>

#include "apps/cli/commands.h"
#include "apps/cli/output_folder.h"
#include "core/files.h"
#include "render/image_file.h"
#include "sim/plot_run.h"

namespace sunder::cli {

// One name for both: plots.svg for papers, plots.png for a quick look.
ExitCode plot_command(const PlotOptions& options) {
  namespace fs = std::filesystem;
  const fs::path output = options.output.empty() ? fs::path(options.folder) / "plots.svg" : fs::path(options.output);
  if (output.extension() != ".svg" && output.extension() != ".png") {
    throw UsageError(fmt::format("-o {}: the ending must be .svg or .png", output.string()));
  }
  if (!fs::is_directory(options.folder)) throw FileError(options.folder, "is not a folder; `sunder run` makes one");
  const render::ChartSheet sheet = render::chart_sheet(charts_of_run(options.folder));
  const auto write = [&](const fs::path& file) {
    if (file.extension() == ".svg") {
      write_file_atomically(file, render::chart_svg(sheet));
    } else {
      render::write_png(file, render::chart_image(sheet, 2));
    }
    fmt::print("{}\n", file.string());
  };
  make_folder_of(output);
  write(output);
  if (options.output.empty()) write(fs::path(output).replace_extension(".png"));
  return ExitCode::fine;
}

}  // namespace sunder::cli
