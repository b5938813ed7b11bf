#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "apps/cli/commands.h"
#include "mesh/validate.h"
#include "meshfile/read_tets.h"
#include "sim/check_run.h"

namespace sunder::cli {
namespace {

ExitCode say(const std::string& what, const std::vector<std::string>& problems, const std::string& fine) {
  if (problems.empty()) {
    fmt::print("{}: {}\n", what, fine);
    return ExitCode::fine;
  }
  for (const std::string& problem : problems) fmt::print(stderr, "{}: {}\n", what, problem);
  fmt::print(stderr, "{}: {} problem{}\n", what, problems.size(), problems.size() == 1 ? "" : "s");
  return ExitCode::input;
}

// Such as "300 tets and 20 cells".
std::string elements_text(const ElementCounts& elements) {
  std::string text;
  for (const auto& [count, what] :
       {std::pair{elements.tets, "tets"}, {elements.triangles, "triangles"}, {elements.cells, "cells"}}) {
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : " and ", count, what);
  }
  return text.empty() ? "nothing" : text;
}

}  // namespace

ExitCode check_command(const CheckOptions& options) {
  if (std::filesystem::is_directory(options.what)) {
    const CheckReport report = check_run(options.what);
    return say(options.what, report.problems,
               fmt::format("fine ({}, {} frames, {} in the last, every mesh invariant holds)", report.status,
                           report.frames, elements_text(report.elements)));
  }
  const TetSoup soup = read_tets(options.what);
  require_valid_soup(soup, options.what);
  TetMesh mesh;
  mesh.append(soup, {});
  return say(options.what, validate(mesh, {.allow_hinges = true}),
             fmt::format("fine ({} nodes, {} tets, every mesh invariant holds)", mesh.node_count(), mesh.tet_count()));
}

}  // namespace sunder::cli
