#include "core/files.h"

#include <fcntl.h>
#include <sys/stat.h>
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

// False, with the reason in errno, if not all of it could be written.
bool write_all(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// Makes a rename lasting, should the machine lose power. Some file systems cannot, and the file is whole either way.
void sync_folder(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

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
  Temporary temporary{path.string() + std::string(kTemporaryEnding)};
  temporary.descriptor = ::open(temporary.path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (temporary.descriptor < 0) fail(path, "cannot be created");
  if (!write_all(temporary.descriptor, content)) fail(path, "cannot be written");
  if (::fsync(temporary.descriptor) != 0) fail(path, "cannot be written to disk");
  if (::close(std::exchange(temporary.descriptor, -1)) != 0) fail(path, "cannot be written");
  if (::rename(temporary.path.c_str(), path.c_str()) != 0) fail(path, "cannot be put in place");
  temporary.complete = true;
  sync_folder(path.parent_path());
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
