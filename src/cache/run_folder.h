#pragma once
// The folder a run leaves behind, as interface.md lays it out.
//
// Whole files (frames, scene.toml, run.json, the .pvd) appear under their names only when complete. The tables and
// logs grow by whole lines, one write for all lines of a frame.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "frame/crack_log.h"
#include "frame/debris_log.h"
#include "frame/frame.h"
#include "frame/totals.h"

namespace sunder {

// The run that a branch began in.
struct ParentRun {
  std::filesystem::path folder;
  int frame = 1;            // that the branch goes on from
  std::uint64_t steps = 0;  // after that frame
};

// What run.json says.
struct RunRecord {
  std::string name;
  std::string version;
  std::string status = "starting";  // starting, running, complete, interrupted, failed
  std::string message;              // of a failed run
  int threads = 1;
  std::uint64_t seed = 0;
  std::vector<std::string> overrides;                            // --set
  std::optional<ParentRun> parent;                               // of a branch
  std::vector<std::string> bodies, materials, colliders, parts;  // what the numbers in the frames mean
  int frames = 0;
  int frames_planned = 0;
  std::uint64_t steps = 0;
  std::size_t nodes = 0, elements = 0, fragments = 0;
  std::size_t largest_inverted = 0;                                       // tets that were inside out at once, at worst
  std::uint64_t splits = 0, refused_splits = 0, hard_snapped_splits = 0;  // of nodes
  double crack_area = 0;                                                  // m^2, both sides counted once
  double plastic_work = 0;                                                // J
  std::uint64_t removed_pieces = 0, frozen_pieces = 0;                    // as debris
  double removed_mass = 0;                                                // kg
  std::uint64_t grains = 0;                                               // of dust
  double dust_mass = 0;                                                   // kg
  double smallest_dt = 0;                                                 // s
  double simulated_seconds = 0, wall_seconds = 0;
  std::map<std::string, double> phase_seconds;
};

struct FrameStats {
  int frame = 1;
  double time = 0;
  std::uint64_t steps = 0;  // since the last frame
  double dt_min = 0;        // s, of those steps; 0 if there were none
  Totals totals;
  std::uint64_t state_hash = 0;
  double wall_s = 0;  // since the start of the run
};

class RunFolder {
 public:
  RunFolder(std::filesystem::path folder, std::string name);

  // Makes the folder ready for a new run; an earlier run in it is removed. A folder with other things in it is
  // refused (FileError), so that a wrong -o destroys nothing. `record` is how run.json begins.
  void start(const RunRecord& record, const std::string& scene_text);

  // Starts as a copy of the frames and lines of `parent` up to `frame`.
  void start_branch(const RunRecord& record, const std::string& scene_text, const RunFolder& parent, int frame);

  // Renames the folder; nothing may be in its new place.
  void move_to(const std::filesystem::path& folder);

  // Goes back to how things stood at `frame`: later frames and lines are removed, and unfinished files.
  void cut_back_to(int frame, const std::string& scene_text);

  void add_frame(const Frame& frame);
  void add_stats(const FrameStats& stats);
  void add_reactions(const FrameStats& stats, const std::vector<Reaction>& reactions, double seconds_since_last);
  void add_poses(const FrameStats& stats, const std::vector<RigidPose>& poses);
  void add_cracks(const FrameStats& stats, const CrackLog& cracks);
  void add_debris(const FrameStats& stats, const DebrisLog& debris);
  void write_record(const RunRecord& record);

  std::filesystem::path frame_file(int number) const;
  const std::filesystem::path& path() const { return folder_; }

 private:
  void write_series() const;
  void find_series(int last);

  std::filesystem::path folder_;
  std::string name_;
  std::vector<std::pair<int, double>> series_;  // frames written, and their times
};

// A run that was started in a folder, as its run.json has it.
struct RunOnDisk {
  std::string status = "starting";  // also if it was killed before it wrote anything
  std::vector<std::string> overrides;
};
std::optional<RunOnDisk> find_run(const std::filesystem::path& folder);

// FileError if a run must not begin there: a file, or a folder with other things than a run.
void require_run_or_nothing(const std::filesystem::path& folder);

// Number in a frame file's name (NAME.0001.vtu), or 0 if it is none.
int frame_number(const std::filesystem::path& file, const std::string& name);

inline constexpr const char* kStatsHeader =
    "frame,time,steps,dt_min,nodes,elements,fragments,crack_area,mass,momentum_x,momentum_y,momentum_z,kinetic,elastic,"
    "gravity,contact,dissipated,state_hash,wall_s";
inline constexpr const char* kForcesHeader =
    "frame,time,region,kind,force_x,force_y,force_z,mean_x,mean_y,mean_z,peak,work";

}  // namespace sunder
