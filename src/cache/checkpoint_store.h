#pragma once
// The checkpoints of a run, as files. What is in them is sim's business (sim/checkpoint.h).
//
//   checkpoints/NAME.0013.checkpoint      kept for good: `--resume --from 13` restarts there
//   checkpoints/NAME.0013+421.checkpoint  421 steps after frame 13; only the newest two checkpoints of all are kept,
//                                         so that one is left should the newest be damaged
//
// Each is a file of its own, complete before it appears under its name: writing one never touches another.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace sunder {

// Where in a run a checkpoint stands.
struct CheckpointMark {
  int frame = 1;            // last frame written
  std::uint64_t steps = 0;  // since that frame
  bool keep = false;        // for good

  // By age; of two at the same moment, the one to keep counts as newer.
  friend auto operator<=>(const CheckpointMark&, const CheckpointMark&) = default;
};

struct StoredCheckpoint {
  CheckpointMark mark;
  std::filesystem::path file;
};

class CheckpointStore {
 public:
  // `folder` is the run's.
  CheckpointStore(const std::filesystem::path& folder, std::string name);

  std::vector<StoredCheckpoint> newest_first() const;

  // Removes older ones that need not be kept once this one is safe.
  void write(const CheckpointMark& mark, std::string_view bytes) const;

  // A resumed run goes on from `mark`: what is newer could not be used.
  void remove_newer_than(const CheckpointMark& mark) const;

  std::filesystem::path file(const CheckpointMark& mark) const;

 private:
  std::filesystem::path folder_;
  std::string name_;
};

}  // namespace sunder
