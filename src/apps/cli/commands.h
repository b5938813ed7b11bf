#pragma once
// The program's commands, free of how their options were parsed. Each returns the exit code.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"

namespace sunder::cli {

struct GalleryOptions {
  bool json = false;
};
ExitCode gallery_command(const GalleryOptions& options);

enum class ProgressStyle { automatic, json, none };

struct RunCommandOptions {
  std::string scene;   // a .toml file or a gallery name
  std::string folder;  // empty: out/<name>
  std::vector<std::string> overrides;
  std::optional<int> frames;
  int threads = 0;  // 0: all of them
  bool resume = false;
  bool allow_outside = false;
  ProgressStyle progress = ProgressStyle::automatic;
};
ExitCode run_command(const RunCommandOptions& options);

struct NewOptions {
  std::string name;
};
ExitCode new_command(const NewOptions& options);

struct InfoOptions {
  std::string what;
  bool json = false;
};
ExitCode info_command(const InfoOptions& options);

struct CheckOptions {
  std::string what;
};
ExitCode check_command(const CheckOptions& options);

struct MeshCommandOptions {
  std::string what;    // a kind of shape, a shape in TOML, or a mesh file
  std::string output;  // .vtu or .mesh
  double edge = 0;     // m; 0: one that gives a few thousand tets
  int layers = 0;      // 0: as many as suit the edge
  std::uint64_t seed = 1;
  bool hexahedra = false;
  bool json = false;
};
ExitCode mesh_command(const MeshCommandOptions& options);

ExitCode reference_command();

// Parses the command line and runs the command; errors become messages and exit codes.
int main_program(int argc, char** argv);

}  // namespace sunder::cli
