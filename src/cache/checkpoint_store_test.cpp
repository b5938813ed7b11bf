#include "cache/checkpoint_store.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <set>

#include "core/error.h"
#include "core/files.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;

class CheckpointStoreTest : public testing::Test {
 protected:
  CheckpointStoreTest() : top_(fs::temp_directory_path() / ("sunder_checkpoints_" + std::to_string(::getpid()))) {
    fs::create_directories(top_ / "checkpoints");
  }
  ~CheckpointStoreTest() override { fs::remove_all(top_); }

  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const StoredCheckpoint& c : store_.newest_first()) names.push_back(c.file.filename().string());
    return names;
  }
  using Names = std::vector<std::string>;

  fs::path top_;
  CheckpointStore store_{top_, "cup"};
};

TEST_F(CheckpointStoreTest, NamesTellWhenACheckpointWasTaken) {
  EXPECT_EQ(store_.file({13, 0, true}).filename(), "cup.0013.checkpoint");
  EXPECT_EQ(store_.file({13, 421, false}).filename(), "cup.0013+421.checkpoint");
  EXPECT_EQ(store_.file({12345, 0, false}).filename(), "cup.12345+0.checkpoint");
}

TEST_F(CheckpointStoreTest, NewestFirst) {
  for (const char* name : {"cup.0013.checkpoint", "cup.0002+100.checkpoint", "cup.0013+9.checkpoint",
                           "cup.0013+10.checkpoint", "cup.10000.checkpoint", "cup.9999.checkpoint"}) {
    write_file_atomically(top_ / "checkpoints" / name, name);
  }
  EXPECT_EQ(files(), (Names{"cup.10000.checkpoint", "cup.9999.checkpoint", "cup.0013+10.checkpoint",
                            "cup.0013+9.checkpoint", "cup.0013.checkpoint", "cup.0002+100.checkpoint"}));
}

TEST_F(CheckpointStoreTest, OtherFilesAreNoCheckpoints) {
  for (const char* name :
       {"cup.checkpoint", "cup..checkpoint", "cup.0013.checkpoint.part", "cap.0013.checkpoint", "cup.00x3.checkpoint",
        "cup.0013+.checkpoint", "cup.+3.checkpoint", "cup.0013+1+2.checkpoint", "cup.-001.checkpoint",
        "cup.0000.checkpoint", "cup.99999999999999999999.checkpoint", "cup.1+99999999999999999999.checkpoint"}) {
    write_file_atomically(top_ / "checkpoints" / name, name);
  }
  EXPECT_EQ(files(), Names{});
  fs::remove_all(top_ / "checkpoints");
  EXPECT_EQ(files(), Names{});
}

TEST_F(CheckpointStoreTest, ThePreviousOneStaysAndOlderOnesGo) {
  store_.write({1, 0, true}, "a");
  store_.write({1, 50, false}, "b");
  store_.write({1, 90, false}, "c");
  EXPECT_EQ(files(), (Names{"cup.0001+90.checkpoint", "cup.0001+50.checkpoint", "cup.0001.checkpoint"}));
  store_.write({2, 30, false}, "d");
  EXPECT_EQ(files(), (Names{"cup.0002+30.checkpoint", "cup.0001+90.checkpoint", "cup.0001.checkpoint"}));
  store_.write({3, 0, true}, "e");
  store_.write({5, 0, true}, "f");
  EXPECT_EQ(files(), (Names{"cup.0005.checkpoint", "cup.0003.checkpoint", "cup.0001.checkpoint"}));
  EXPECT_EQ(read_file(store_.file({5, 0, true})), "f");
}

TEST_F(CheckpointStoreTest, ARunThatGoesBackForgetsWhatWasNewer) {
  for (const CheckpointMark& mark : {CheckpointMark{1, 0, true}, {5, 0, true}, {9, 0, true}, {9, 7, false}}) {
    store_.write(mark, "state");
  }
  store_.remove_newer_than({5, 0, true});
  EXPECT_EQ(files(), (Names{"cup.0005.checkpoint", "cup.0001.checkpoint"}));
}

TEST_F(CheckpointStoreTest, AFailedWriteTouchesNothing) {
  store_.write({1, 10, false}, "a");
  store_.write({1, 20, false}, "b");
  fs::create_directories(store_.file({1, 30, false}));  // in the way
  EXPECT_THROW(store_.write({1, 30, false}, "c"), FileError);
  EXPECT_EQ(read_file(store_.file({1, 10, false})), "a");
  EXPECT_EQ(read_file(store_.file({1, 20, false})), "b");
}

}  // namespace
}  // namespace sunder
