#include "export/picture_file.h"

#include "core/error.h"
#include "core/files.h"

namespace sunder {

PictureFile read_picture_file(const std::filesystem::path& file) {
  PictureFile picture{read_file(file), "", ""};
  if (picture.bytes.starts_with("\x89PNG\r\n\x1a\n")) {
    picture.ending = ".png", picture.mime = "image/png";
  } else if (picture.bytes.starts_with("\xff\xd8\xff")) {
    picture.ending = ".jpg", picture.mime = "image/jpeg";
  } else {
    throw FileError(file.string(), "is no PNG or JPEG picture");
  }
  return picture;
}

}  // namespace sunder
