#include "core/atomic_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "core/error.h"
#include "core/files.h"

namespace sunder {
namespace {

TEST(AtomicFile, AppearsWhenItIsCompleteAndOnlyThen) {
  const auto path = std::filesystem::temp_directory_path() / ("sunder_atomic_file_" + std::to_string(::getpid()));
  std::filesystem::path part = path;
  part += kTemporaryEnding;
  {
    AtomicFile file(path);
    file.write("one ");
    EXPECT_FALSE(std::filesystem::exists(path));
    EXPECT_TRUE(std::filesystem::exists(part));
    file.write("two");
    file.commit();
    EXPECT_EQ(read_file(path), "one two");
  }
  EXPECT_EQ(read_file(path), "one two");
  {
    AtomicFile file(path);
    file.write("three");
  }
  EXPECT_EQ(read_file(path), "one two") << "what was not committed leaves nothing";
  EXPECT_FALSE(std::filesystem::exists(part));
  std::filesystem::remove(path);
  EXPECT_THROW(AtomicFile("/no/such/folder/file"), FileError);
}

}  // namespace
}  // namespace sunder
