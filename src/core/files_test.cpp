#include "core/files.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "core/error.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  Files() : folder(fs::temp_directory_path() / ("sunder_files_test_" + std::to_string(::getpid()))) {
    fs::create_directories(folder);
  }
  ~Files() override { fs::remove_all(folder); }

  std::size_t count() const {
    std::size_t n = 0;
    for (const auto& entry : fs::directory_iterator(folder)) n += entry.path().empty() ? 0 : 1;
    return n;
  }
  // The message of the FileError that `action` throws, or "" if it throws none.
  template <class Action>
  static std::string failure(Action&& action) {
    try {
      action();
    } catch (const FileError& error) {
      EXPECT_EQ(error.code(), ExitCode::files);
      return error.what();
    }
    return "";
  }

  fs::path folder;
};

TEST_F(Files, WhatIsWrittenIsRead) {
  std::string content("a\0b\r\n\xff", 6);
  for (int i = 0; i < 18; ++i) content += content;  // 1.5 MB, more than one block
  write_file_atomically(folder / "x", content);
  EXPECT_TRUE(read_file(folder / "x") == content);
  write_file_atomically(folder / "x", "short");
  EXPECT_EQ(read_file(folder / "x"), "short");
  write_file_atomically(folder / "x", "");
  EXPECT_EQ(read_file(folder / "x"), "");
}

TEST_F(Files, WritingLeavesNoPartBehind) {
  write_file_atomically(folder / "x", "content");
  EXPECT_EQ(count(), 1u);
  EXPECT_FALSE(fs::exists(folder / ("x" + std::string(kTemporaryEnding))));
}

TEST_F(Files, APartLeftByADeadProcessIsNoObstacle) {
  write_file_atomically(folder / "x.part", "half of it");
  write_file_atomically(folder / "x", "all of it");
  EXPECT_EQ(read_file(folder / "x"), "all of it");
  EXPECT_EQ(count(), 1u);
}

TEST_F(Files, WritingIntoAMissingFolderFails) {
  const fs::path path = folder / "missing" / "x";
  const std::string what = failure([&] { write_file_atomically(path, "content"); });
  EXPECT_NE(what.find(path.string()), std::string::npos) << what;
  EXPECT_NE(what.find("No such file or directory"), std::string::npos) << what;
}

TEST_F(Files, AFullDiskLeavesTheOldFileAlone) {
  if (!fs::exists("/dev/full")) GTEST_SKIP();
  write_file_atomically(folder / "x", "old");
  fs::create_symlink("/dev/full", folder / "x.part");  // every write to it says that the disk is full
  const std::string what = failure([&] { write_file_atomically(folder / "x", "new"); });
  EXPECT_NE(what.find("No space left"), std::string::npos) << what;
  EXPECT_EQ(read_file(folder / "x"), "old");
  EXPECT_EQ(count(), 1u);
}

TEST_F(Files, AFolderInTheWayIsReported) {
  fs::create_directories(folder / "x" / "y");
  EXPECT_NE(failure([&] { write_file_atomically(folder / "x", "new"); }), "");
  EXPECT_FALSE(fs::exists(folder / "x.part"));
  EXPECT_NE(failure([&] { read_file(folder / "x"); }).find("is a folder"), std::string::npos);
}

TEST_F(Files, ReadingWhatIsNotThereFails) {
  const std::string what = failure([&] { read_file(folder / "nothing"); });
  EXPECT_NE(what.find("cannot be opened (No such file or directory)"), std::string::npos) << what;
}

TEST_F(Files, AnErrorWhileReadingIsNotTakenForTheEnd) {
  const fs::path unreadable = "/proc/self/mem";  // opens, but its first page cannot be read
  if (!fs::exists(unreadable)) GTEST_SKIP();
  const std::string what = failure([&] { read_file(unreadable); });
  EXPECT_NE(what.find("cannot be read (Input/output error)"), std::string::npos) << what;
}

}  // namespace
}  // namespace sunder
