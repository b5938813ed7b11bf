#pragma once
// Films: pictures go through a pipe to ffmpeg, which packs them.

#include <sys/types.h>

#include <filesystem>
#include <string>

#include "render/image_file.h"

namespace sunder::render {

class FilmWriter {
 public:
  // The file's ending says how it is packed: .mp4 or .gif. FileError if there is no ffmpeg.
  FilmWriter(const std::filesystem::path& file, int width, int height, double fps);
  ~FilmWriter();  // a film that was not finished is removed
  FilmWriter(const FilmWriter&) = delete;
  FilmWriter& operator=(const FilmWriter&) = delete;

  void add(const Image& image);
  void finish();  // the film appears under its name; FileError with ffmpeg's words if it failed

 private:
  [[noreturn]] void fail(int code);
  int wait();
  std::string complaints();

  std::filesystem::path file_, part_, log_;
  pid_t process_ = -1;
  int pipe_ = -1;
};

bool is_film(const std::filesystem::path& file);  // by its ending

}  // namespace sunder::render
