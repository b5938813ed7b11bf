// Kills real runs at random moments, some of them in the middle of a write, and takes them up again: nothing may be
// lost, doubled or different.

#include <cstdlib>
#include <map>

#include "apps/cli/program_testing.h"
#include "core/random.h"

namespace sunder::cli {
namespace {

// About half a second of work: contact and friction, some dozens of checkpoints.
constexpr std::uint64_t kFrames = 26;
constexpr const char* kTumbling = R"(name = "tumbling"
duration = 1.05
[[body]]
name = "block"
shape = { kind = "box", size = [0.3, 0.2, 0.2] }
edge = 0.04
position = [0, 0.25, 0]
rotation = [20, 0, 35]
velocity = [1, -2, 0]
spin = [0, 3, 1]
material = { preset = "jelly", young = 3e5, poisson = 0.35, phi = 60, psi = 60 }
[[collider]]
shape = { kind = "ground" }
[[region]]
name = "push"
where = { kind = "half-space", point = [0, 0.25, 0], normal = [0, 1, 0] }
action = "force"
force = [0, -20, 5]
start = 0.2
end = 0.5
)";

class Survival : public ProgramTest {
 protected:
  Survival() {
    write("tumbling.toml", kTumbling);
    const Outcome whole = finish(start(command("whole")));
    EXPECT_EQ(whole.code, 0) << whole.err;
    whole_ = lasting("whole");
    EXPECT_TRUE(whole_.contains(fmt::format("tumbling.{:04}.vtu", kFrames)));
  }

  std::vector<std::string> command(const std::string& folder, int threads = 2, bool resume = false) const {
    std::vector<std::string> words = {
        SUNDER_PROGRAM,         "run",  "tumbling.toml",       "-o", (top_ / folder).string(),
        "--checkpoint-seconds", "0.02", "--checkpoint-frames", "5",  "--threads",
        std::to_string(threads)};
    if (resume) words.push_back("--resume");
    return words;
  }

  // Everything a run leaves that must not depend on how it came about.
  std::map<std::string, std::string> lasting(const std::string& folder) const {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::directory_iterator(top_ / folder / "frames")) {
      files[entry.path().filename().string()] = read_file(entry.path());
    }
    for (const char* name :
         {"scene.toml", "forces.csv", "rigid.jsonl", "cracks.jsonl", "debris.jsonl", "tumbling.pvd"}) {
      files[name] = read(folder + "/" + name);
    }
    std::istringstream stats(read(folder + "/stats.csv"));
    for (std::string line; std::getline(stats, line);) files["stats.csv"] += line.substr(0, line.rfind(',')) + "\n";
    return files;
  }

  // Takes the run up until it is done; `folder` must then hold what the run that was never stopped left.
  void expect_recovery(const std::string& folder, int threads) {
    const Outcome resumed = finish(start(command(folder, threads, fs::exists(top_ / folder))));
    ASSERT_EQ(resumed.code, 0) << resumed.err;
    const auto left = lasting(folder);
    ASSERT_EQ(left.size(), whole_.size());
    for (const auto& [name, content] : whole_) ASSERT_TRUE(left.at(name) == content) << name;
    const Outcome check = sunder({"check", folder});
    ASSERT_EQ(check.code, 0) << check.err;
    fs::remove_all(top_ / folder);
  }

  // A random moment of the run, by what it has written and not by the clock: however busy the machine, the run is on
  // its way.
  void wait_for_a_moment(pid_t child, const std::string& folder, std::uint64_t trial) const {
    const auto frame = random_bits(4711, trial, 0) % kFrames;  // 0: before the first
    if (frame > 0) wait_for(child, top_ / folder / "frames" / fmt::format("tumbling.{:04}.vtu", frame));
    std::this_thread::sleep_for(std::chrono::duration<double>(0.02 * random_unit(4711, trial, 1)));
  }

  std::map<std::string, std::string> whole_;
};

TEST_F(Survival, KilledAtFiftyRandomMoments) {
  int killed = 0, inside_checkpoints = 0;
  for (std::uint64_t trial = 0; trial < 50; ++trial) {
    SCOPED_TRACE(trial);
    const std::string folder = "run";
    // Every third dies in the middle of writing a checkpoint, the others whenever the clock says so; some more than
    // once, during the resumed run.
    for (int times = trial % 5 == 0 ? 2 : 1; times > 0; --times) {
      const auto line = command(folder, 1 + static_cast<int>(trial % 3), fs::exists(top_ / folder));
      if (trial % 3 == 0) {
        const auto call = 1 + random_bits(13, trial, static_cast<std::uint64_t>(times)) % 40;
        const Outcome o =
            finish(start(line, {"LD_PRELOAD=" SUNDER_FILE_FAULTS, fmt::format("SUNDER_FAULT=kill {}", call),
                                "SUNDER_FAULT_FOLDER=" + top_.string(), "SUNDER_FAULT_MATCH=.checkpoint"}));
        killed += o.code == 137;
        inside_checkpoints += o.code == 137;
      } else {
        const pid_t child = start(line);
        wait_for_a_moment(child, folder, trial + 1000 * static_cast<std::uint64_t>(times));
        ::kill(child, SIGKILL);
        killed += finish(child).code == 137;
      }
    }
    ASSERT_NO_FATAL_FAILURE(expect_recovery(folder, 1 + static_cast<int>(trial % 2)));
  }
  EXPECT_GE(killed, 40) << "the runs were over too soon to be killed";
  EXPECT_GE(inside_checkpoints, 10);
}

TEST_F(Survival, TerminatedAtFiftyRandomMoments) {
  int stopped = 0;
  for (std::uint64_t trial = 0; trial < 50; ++trial) {
    SCOPED_TRACE(trial);
    const pid_t child = start(command("run", 1 + static_cast<int>(trial % 3)));
    wait_for_a_moment(child, "run", trial + 77);
    ::kill(child, SIGTERM);
    const Outcome o = finish(child);
    // A signal that comes before the program listens, or a run that is over, are no interruption.
    EXPECT_TRUE(o.code == 130 || o.code == 0 || o.code == 143) << o.code << o.err;
    if (o.code == 130) {
      ++stopped;
      EXPECT_NE(o.err.find("--resume"), std::string::npos) << o.err;
    }
    ASSERT_NO_FATAL_FAILURE(expect_recovery("run", 2));
  }
  EXPECT_GE(stopped, 30) << "the runs were over too soon to be stopped";
}

}  // namespace
}  // namespace sunder::cli
