#include "core/files.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>
#include <utility>

#include "core/error.h"

namespace sunder {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const char* action) {
  const int reason = errno;
  throw FileError(path.string(), std::string(action) + " (" + std::strerror(reason) + ")");
}

// Closes the descriptor and removes the temporary file unless the write was completed.
struct Temporary {
  std::filesystem::path path;
  int descriptor = -1;
  bool complete = false;

  ~Temporary() {
    if (descriptor >= 0) ::close(descriptor);
    if (!complete) ::unlink(path.c_str());
  }
};

}  // namespace

std::string read_file(const std::filesystem::path& path) {
  std::error_code ignored;  // what cannot be looked at cannot be opened either, and that is reported below
  if (std::filesystem::is_directory(path, ignored)) throw FileError(path.string(), "is a folder, a file is needed");
  std::ifstream in(path, std::ios::binary);
  if (!in) fail(path, "cannot be opened");
  std::string content;
  std::array<char, 1 << 16> block;
  // Through read(), which reports errors in the state of the stream; operator<< of its buffer would swallow them.
  while (in.read(block.data(), block.size()) || in.gcount() > 0) {
    content.append(block.data(), static_cast<std::size_t>(in.gcount()));
  }
  if (in.bad()) fail(path, "cannot be read");
  return content;
}

void write_file_atomically(const std::filesystem::path& path, std::string_view content) {
  Temporary temporary{path.string() + std::string(kTemporaryEnding)};
  temporary.descriptor = ::open(temporary.path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (temporary.descriptor < 0) fail(path, "cannot be created");
  const char* next = content.data();
  std::size_t left = content.size();
  while (left > 0) {
    const ssize_t written = ::write(temporary.descriptor, next, left);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(path, "cannot be written");
    next += written;
    left -= static_cast<std::size_t>(written);
  }
  if (::fsync(temporary.descriptor) != 0) fail(path, "cannot be written to disk");
  if (::close(std::exchange(temporary.descriptor, -1)) != 0) fail(path, "cannot be written");
  if (::rename(temporary.path.c_str(), path.c_str()) != 0) fail(path, "cannot be put in place");
  temporary.complete = true;
}

}  // namespace sunder
