#include "core/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include "core/atomic_file.h"
#include "core/error.h"

namespace sunder {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const char* action) {
  const int reason = errno;
  throw FileError(path.string(), std::string(action) + " (" + std::strerror(reason) + ")");
}

}  // namespace

void create_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw FileError(folder.string(), "cannot be created (" + error.message() + ")");
}

std::string ending_of(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  for (char& c : ending) {  // the locale must not matter
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return ending;
}

std::string read_file(const std::filesystem::path& path) {
  std::error_code ignored;  // what cannot be looked at cannot be opened either, and that is reported below
  if (std::filesystem::is_directory(path, ignored)) throw FileError(path.string(), "is a folder, a file is needed");
  if (std::filesystem::is_character_file(path, ignored)) {  // /dev/zero has no end
    throw FileError(path.string(), "is a device, a file is needed");
  }
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
  AtomicFile file(path);
  file.write(content);
  file.commit();
}

void append_to_file(const std::filesystem::path& path, std::string_view content) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (descriptor < 0) fail(path, "cannot be opened for writing");
  struct stat before {};
  const bool written = ::fstat(descriptor, &before) == 0 && write_all(descriptor, content);
  int reason = errno;
  if (!written && ::ftruncate(descriptor, before.st_size) != 0) reason = errno;
  const bool closed = ::close(descriptor) == 0;
  if (written && closed) return;
  if (written) reason = errno;
  throw FileError(path.string(), std::string("cannot be written (") + std::strerror(reason) + ")");
}

}  // namespace sunder
