// Every flipped bit and every missing end in frames and checkpoints is found, and the file named.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "cache/frame_vtu.h"
#include "core/error.h"
#include "core/files.h"
#include "core/random.h"
#include "scene/read_scene.h"
#include "sim/check_run.h"
#include "sim/checkpoint.h"
#include "sim/run.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;

constexpr const char* kBlock = R"(name = "block"
duration = 0.21
[[body]]
shape = { kind = "box", size = [0.4, 0.2, 0.3] }
edge = 0.1
position = [0, 0.2, 0]
material = "jelly"
[[collider]]
shape = { kind = "ground" }
)";

class Damage : public testing::Test {
 protected:
  Damage() : top_(fs::temp_directory_path() / ("sunder_damage_" + std::to_string(::getpid()))) {
    RunOptions options;
    options.folder = top_;
    options.checkpoint_frames = 1;
    run_scene(read_scene({.text = kBlock, .file_name = "block.toml"}), options);
    for (const char* folder : {"frames", "checkpoints"}) {
      for (const auto& entry : fs::directory_iterator(top_ / folder)) files_.push_back(entry.path());
    }
    std::sort(files_.begin(), files_.end());
  }
  ~Damage() override { fs::remove_all(top_); }

  // What the reader of this kind of file says about these bytes; "" if it takes them.
  static std::string complaint(const fs::path& file, const std::string& bytes) {
    try {
      if (file.extension() == ".vtu") {
        parse_frame(bytes, file.string());
      } else {
        parse_checkpoint(bytes, file.string());
      }
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  // Both the reader and `sunder check` must name the file.
  void expect_named(const fs::path& file, const std::string& bytes, bool check_too, const std::string& what) const {
    const std::string said = complaint(file, bytes);
    ASSERT_NE(said.find(file.string()), std::string::npos) << what << ": " << said;
    if (!check_too) return;
    const std::string good = read_file(file);
    write_file_atomically(file, bytes);
    const CheckReport report = check_run(top_);
    write_file_atomically(file, good);
    std::string all;
    for (const std::string& problem : report.problems) all += problem + "\n";
    ASSERT_NE(all.find(file.filename().string()), std::string::npos) << what << ": " << all;
    if (file.extension() == ".checkpoint") {
      ASSERT_NE(all.find("--resume can go on from"), std::string::npos) << all;
    }
  }

  fs::path top_;
  std::vector<fs::path> files_;
};

TEST_F(Damage, AThousandFlippedBitsAreFound) {
  ASSERT_GE(files_.size(), 12u);
  for (std::uint64_t trial = 0; trial < 1000; ++trial) {
    const fs::path& file = files_[trial % files_.size()];
    std::string bytes = read_file(file);
    const std::size_t bit = random_bits(1, trial) % (8 * bytes.size());
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
    ASSERT_NO_FATAL_FAILURE(
        expect_named(file, bytes, trial % 20 == 0, fmt::format("bit {} of {}", bit, file.filename().string())));
  }
}

TEST_F(Damage, TwoHundredTruncationsAreFound) {
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    const fs::path& file = files_[trial % files_.size()];
    const std::string bytes = read_file(file);
    // Half of them near the end, where little is missing.
    const std::size_t lost = 1 + random_bits(2, trial) % (trial % 2 == 0 ? bytes.size() : 40);
    ASSERT_NO_FATAL_FAILURE(expect_named(file, bytes.substr(0, bytes.size() - lost), trial % 20 == 0,
                                         fmt::format("{} without its last {} bytes", file.filename().string(), lost)));
  }
}

TEST_F(Damage, AWholeRunIsFine) {
  const CheckReport report = check_run(top_);
  EXPECT_EQ(report.problems, std::vector<std::string>{});
  EXPECT_EQ(report.checkpoints, 6);
  for (const fs::path& file : files_) EXPECT_EQ(complaint(file, read_file(file)), "") << file;
}

}  // namespace
}  // namespace sunder
