#pragma once
// Where -o points to a folder that is not there, every command makes it.

#include <filesystem>

#include "core/files.h"

namespace sunder::cli {

inline void make_folder_of(const std::filesystem::path& file) {
  if (file.has_parent_path()) create_folder(file.parent_path());
}

}  // namespace sunder::cli
