#pragma once
// The program's commands, free of how their options were parsed. Each returns the exit code.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "frame/frame.h"
#include "shapes/shape.h"
#include "sim/break_scene.h"

namespace sunder::cli {

struct GalleryOptions {
  bool json = false;
};
ExitCode gallery_command(const GalleryOptions& options);

enum class ProgressStyle { automatic, json, none };

struct RunCommandOptions {
  std::string scene;   // a .toml file or a gallery name
  std::string text;    // not empty: of the scene, which is written to its file when the run has begun
  std::string folder;  // empty: out/<name>
  std::vector<std::string> overrides;
  std::optional<int> frames;
  int threads = 0;  // 0: all of them
  bool resume = false;
  std::optional<int> from;    // with resume: branch off at this frame
  std::string branch_folder;  // empty: beside the run, with -from-FRAME added
  double checkpoint_seconds = 60;
  int checkpoint_frames = 12;
  bool allow_outside = false;
  bool render = false;  // film.mp4 and still.png when it is done
  ProgressStyle progress = ProgressStyle::automatic;
};
ExitCode run_command(const RunCommandOptions& options);

struct RenderCommandOptions {
  std::vector<std::string> runs;  // folders
  std::string output;
  bool sheet = false;
  std::optional<int> frame;
  std::string frames;  // as frame_list takes them; empty: all
  std::string size;    // empty: by quality
  int samples = 0;     // 0: by quality
  std::string quality = "final";
  std::string look = "normal";
  std::string camera;
  int slow = 1;
  std::optional<double> explode;
  bool raw = false;  // not denoised
  int threads = 0;
  ProgressStyle progress = ProgressStyle::automatic;
};
ExitCode render_command(const RenderCommandOptions& options);

// run --render: film.mp4 and still.png in the run's folder.
ExitCode render_after_run(const std::string& folder, int threads, ProgressStyle progress);

struct PlotOptions {
  std::string folder;
  std::string output;  // empty: plots.svg and plots.png in the folder
};
ExitCode plot_command(const PlotOptions& options);

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
  std::string output;  // .vtu or .mesh, or a surface for the boundary
  double edge = 0;     // m; 0: one that gives a few thousand tets
  double unit = 1;     // of a file, m
  UpAxis up = UpAxis::y;
  FillOptions fill{};  // of a surface
  int layers = 0;      // 0: as many as suit the edge
  std::uint64_t seed = 1;
  bool hexahedra = false;
  bool quiet = false;  // no progress
  bool json = false;
};
ExitCode mesh_command(const MeshCommandOptions& options);

struct ExportCommandOptions {
  std::string run;     // folder
  std::string output;  // its ending is the format
  std::optional<int> frame;
  bool lines = false;  // of a surface as .obj: the cracks alone
  int size = 0;        // pixels, of a mask; 0: the default
  double width = 0;    // m, of lines; 0: by the mesh
  // Of solids.
  std::string frames;      // as frame_list takes them; empty: all
  double fps = 0;          // frames that play in a second; 0: the scene's
  double scale = 1;        // units of the other program in a metre
  UpAxis up = UpAxis::y;   // of the other program
  bool deforming = false;  // of .glb: morph targets
  bool hulls = false;      // of .glb
  bool changing = false;   // of .usda: the topology
  bool cracks = false;     // crack faces alone
  bool grains = false;     // of .ply: dust alone
};
ExitCode export_command(const ExportCommandOptions& options);
void export_frame(const Frame& frame, const std::string& file, bool lines, int size, double width);

// On a surface, before its coat dries.
struct Blow {
  Vec3 point = Vec3::Zero();  // m
  double radius = 0;          // m
};

struct CrackCommandOptions {
  std::string model;  // a surface file, a kind of shape or a shape in TOML
  std::string folder;
  std::string material = "glaze";
  double unit = 1;                              // of a file, m
  double edge = 0;                              // m; 0: of a file, its own, or as remeshing finds it
  bool remesh = false, keep_triangles = false;  // neither: a file is remeshed if it needs it
  double length = 0;                            // m; 0: five edges
  double load = 0;                              // 0: the coat's
  double depth = -1;                            // m; below 0: the coat's
  std::string part, painted, painted_once;
  std::vector<Blow> blows;
  std::uint64_t seed = 1;
  int size = 2048;  // pixels, of the mask
  int threads = 0;
  bool render = false;
  ProgressStyle progress = ProgressStyle::automatic;
};
ExitCode crack_command(const CrackCommandOptions& options);

// What `sunder drop` and `sunder hit` have in common.
struct BreakCommandOptions {
  std::string model;    // a file, a kind of shape or a shape in TOML
  std::string command;  // as it was given, for the scene's first line
  std::string folder;   // empty: out/drop-<model>
  std::string material = "ceramic";
  Pieces pieces = Pieces::some;
  Vec3 tilt = Vec3::Zero();  // degrees
  double edge = 0;           // m; 0: some thousand tets
  double unit = 1;           // of a file, m
  UpAxis up = UpAxis::y;
  double seconds = 0;  // 0: until the pieces lie
  std::uint64_t seed = 1;
  int threads = 0;
  bool film = true;
  ProgressStyle progress = ProgressStyle::automatic;
};
struct DropOptions {
  std::string height = "1";  // as read_measure takes it, in sizes of the model
  Vec3 spin = Vec3::Zero();  // turns in a fall of one size
  Onto onto = Onto::ground;
};
struct HitOptions {
  Striker with = Striker::ball;
  std::string speed = "2", mass = "1", width = "0.3", at = "0.6";  // as read_measure takes them
};
ExitCode drop_command(const BreakCommandOptions& options, const DropOptions& drop);
ExitCode hit_command(const BreakCommandOptions& options, const HitOptions& hit);

ExitCode reference_command();

// Parses the command line and runs the command; errors become messages and exit codes.
int main_program(int argc, char** argv);

}  // namespace sunder::cli
