#pragma once
// A PNG or JPEG file as it is, to be handed on to other programs.

#include <filesystem>
#include <string>

namespace sunder {

struct PictureFile {
  std::string bytes;
  std::string ending;  // ".png" or ".jpg"
  std::string mime;    // "image/png" or "image/jpeg"
};

// What it is, its first bytes tell, not its name. FileError if it cannot be read or is neither.
PictureFile read_picture_file(const std::filesystem::path& file);

}  // namespace sunder
