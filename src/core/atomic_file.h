#pragma once
// A file that is written piece by piece and appears under its name only when it is complete and on disk.

#include <filesystem>
#include <string_view>

namespace sunder {

class AtomicFile {
 public:
  // FileError if it cannot be created.
  explicit AtomicFile(std::filesystem::path path);
  // What was not committed is removed.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view content);  // FileError if it does not fit
  void commit();                         // to disk, then under its name

 private:
  std::filesystem::path path_, temporary_;
  int descriptor_ = -1;
  bool complete_ = false;
};

// False, with the reason in errno, if not all of it could be written.
bool write_all(int descriptor, std::string_view content);

}  // namespace sunder
