#include "core/atomic_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/files.h"

namespace sunder {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const char* action) {
  const int reason = errno;
  throw FileError(path.string(), std::string(action) + " (" + std::strerror(reason) + ")");
}

// Makes a rename lasting, should the machine lose power. Some file systems cannot, and the file is whole either way.
void sync_folder(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

bool write_all(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

AtomicFile::AtomicFile(std::filesystem::path path)
    : path_(std::move(path)), temporary_(path_.string() + std::string(kTemporaryEnding)) {
  descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (descriptor_ < 0) fail(path_, "cannot be created");
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!complete_) ::unlink(temporary_.c_str());
}

void AtomicFile::write(std::string_view content) {
  if (!write_all(descriptor_, content)) fail(path_, "cannot be written");
}

void AtomicFile::commit() {
  if (::fsync(descriptor_) != 0) fail(path_, "cannot be written to disk");
  if (::close(std::exchange(descriptor_, -1)) != 0) fail(path_, "cannot be written");
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail(path_, "cannot be put in place");
  complete_ = true;
  sync_folder(path_.parent_path());
}

}  // namespace sunder
