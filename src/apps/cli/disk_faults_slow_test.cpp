// Disks that fail or fill up under a running simulation: it must end with code 5, the path and the reason, leave no
// half file under a final name, and go on when the fault is gone.

#include <sys/mount.h>

#include <cstring>

#include "apps/cli/program_testing.h"
#include "cache/frame_vtu.h"
#include "core/error.h"
#include "sim/checkpoint.h"

namespace sunder::cli {
namespace {

class DiskFaults : public ProgramTest {
 protected:
  DiskFaults() {
    const Outcome o = finish(start(command(top_ / "whole"), counting("calls.txt")));
    EXPECT_EQ(o.code, 0) << o.err;
    whole_ = hashes("whole");
  }

  std::vector<std::string> command(const fs::path& folder, bool resume = false) const {
    std::vector<std::string> words = {
        SUNDER_PROGRAM, "run", (top_ / "tiny.toml").string(), "-o", folder.string(), "--checkpoint-frames", "2",
        "--threads",    "1"};
    if (resume) words.push_back("--resume");
    return words;
  }
  std::vector<std::string> counting(const std::string& file) const {
    return {"LD_PRELOAD=" SUNDER_FILE_FAULTS, "SUNDER_FAULT_FOLDER=" + (top_ / "whole").string(),
            "SUNDER_FAULT_COUNT=" + (top_ / file).string()};
  }
  std::vector<std::string> fault(const std::string& plan, const fs::path& folder) const {
    return {"LD_PRELOAD=" SUNDER_FILE_FAULTS, "SUNDER_FAULT=" + plan, "SUNDER_FAULT_FOLDER=" + folder.string()};
  }

  // What stands under a final name is whole.
  static void expect_whole_files(const fs::path& folder) {
    if (!fs::exists(folder)) return;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      const fs::path& file = entry.path();
      if (file.extension() == ".vtu") {
        EXPECT_NO_THROW(read_frame(file)) << file;
      }
      if (file.extension() == ".checkpoint") {
        EXPECT_NO_THROW(read_checkpoint(file)) << file;
      }
      if (file.filename() == "run.json") {
        EXPECT_TRUE(Json::accept(read_file(file)));
      }
      if (file.extension() == ".csv" || file.extension() == ".jsonl") {
        const std::string text = read_file(file);
        EXPECT_TRUE(text.empty() || text.back() == '\n') << file << " ends in half a line";
      }
    }
  }

  void expect_recovery(const fs::path& folder) {
    Outcome resumed = finish(start(command(folder, true)));
    if (resumed.code == 5) {  // there was nothing yet to resume
      EXPECT_NE(resumed.err.find("holds no run"), std::string::npos) << resumed.err;
      resumed = finish(start(command(folder)));
    }
    ASSERT_EQ(resumed.code, 0) << resumed.err;
    ASSERT_EQ(hashes_in(folder), whole_);
    const Outcome check = sunder({"check", folder.string()});
    ASSERT_EQ(check.code, 0) << check.err;
  }
  std::vector<std::string> hashes_in(const fs::path& folder) const {
    return hashes(fs::relative(folder, top_).string());
  }

  std::vector<std::string> whole_;
};

TEST_F(DiskFaults, EveryWriteCanFail) {
  const int calls = std::atoi(read("calls.txt").c_str());
  ASSERT_GT(calls, 100);
  int failed = 0;
  for (int k = 1; k <= calls; ++k) {
    for (const char* kind : {"fail", "full"}) {
      SCOPED_TRACE(fmt::format("{} {} of {}", kind, k, calls));
      const fs::path folder = top_ / "run";
      const Outcome o = finish(start(command(folder), fault(fmt::format("{} {}", kind, k), folder)));
      ASSERT_TRUE(o.code == 5 || o.code == 0) << o.code << o.err;
      if (o.code == 5) {
        ++failed;
        EXPECT_NE(o.err.find(folder.string()), std::string::npos) << o.err;
        EXPECT_NE(o.err.find(std::strerror(ENOSPC)), std::string::npos) << o.err;
      }
      expect_whole_files(folder);
      ASSERT_NO_FATAL_FAILURE(expect_recovery(folder));
      fs::remove_all(folder);
    }
  }
  EXPECT_GT(failed, calls) << "hardly any fault was noticed";
}

TEST_F(DiskFaults, AFolderThatVanishes) {
  const pid_t child = start({SUNDER_PROGRAM, "run", "tiny.toml", "-o", "gone", "--frames", "3000"});
  wait_for(child, top_ / "gone/frames/tiny.0003.vtu");
  fs::rename(top_ / "gone", top_ / "elsewhere");
  const Outcome o = finish(child);
  EXPECT_EQ(o.code, 5) << o.err;
  EXPECT_NE(o.err.find("gone/"), std::string::npos) << o.err;
  EXPECT_NE(o.err.find(std::strerror(ENOENT)), std::string::npos) << o.err;
  fs::rename(top_ / "elsewhere", top_ / "gone");
  ASSERT_EQ(sunder({"run", "tiny.toml", "-o", "gone", "--frames", "40", "--resume"}).code, 0);
  EXPECT_EQ(sunder({"check", "gone"}).code, 0);
}

// A limit on the size of files is one of the few ways to run out of room that need no rights.
TEST_F(DiskFaults, ALimitOnFileSizes) {
  const Outcome o = shell("ulimit -f 8; exec sunder run tiny.toml -o limited --set body.0.edge=0.02");
  EXPECT_EQ(o.code, 5) << o.err;
  EXPECT_NE(o.err.find("limited/"), std::string::npos) << o.err;
  EXPECT_NE(o.err.find(std::strerror(EFBIG)), std::string::npos) << o.err;
  expect_whole_files(top_ / "limited");
}

class SmallDisk : public DiskFaults {
 protected:
  SmallDisk() : disk_(top_ / "disk") { fs::create_directories(disk_); }
  ~SmallDisk() override {
    if (mounted_) ::umount(disk_.c_str());
  }
  bool mount(const char* size, unsigned long flags = 0) {
    const std::string option = std::string("size=") + size;
    const bool done = ::mount("tmpfs", disk_.c_str(), "tmpfs", flags, option.c_str()) == 0;
    mounted_ = mounted_ || done;
    return done;
  }
  fs::path disk_;
  bool mounted_ = false;
};

TEST_F(SmallDisk, FillsUpAndIsEnlarged) {
  if (!mount("44k")) GTEST_SKIP() << "mounting needs root; EveryWriteCanFail covers the same by interposition";
  const Outcome o = finish(start(command(disk_ / "run")));
  EXPECT_EQ(o.code, 5) << o.err;
  EXPECT_NE(o.err.find((disk_ / "run").string()), std::string::npos) << o.err;
  EXPECT_NE(o.err.find(std::strerror(ENOSPC)), std::string::npos) << o.err;
  EXPECT_NE(o.err.find("--resume"), std::string::npos) << o.err;
  expect_whole_files(disk_ / "run");
  ASSERT_TRUE(mount("20m", MS_REMOUNT));
  ASSERT_NO_FATAL_FAILURE(expect_recovery(disk_ / "run"));
}

TEST_F(SmallDisk, BecomesReadOnly) {
  if (!mount("20m")) GTEST_SKIP() << "mounting needs root";
  ASSERT_EQ(finish(start(command(disk_ / "run"))).code, 0);
  ASSERT_TRUE(mount("20m", MS_REMOUNT | MS_RDONLY));
  const Outcome o = finish(start(command(disk_ / "run")));
  EXPECT_EQ(o.code, 5) << o.err;
  EXPECT_NE(o.err.find((disk_ / "run").string()), std::string::npos) << o.err;
  EXPECT_NE(o.err.find(std::strerror(EROFS)), std::string::npos) << o.err;
  EXPECT_EQ(hashes_in(disk_ / "run"), whole_) << "what was there stays";
}

}  // namespace
}  // namespace sunder::cli
