#include "render/film.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "core/error.h"
#include "core/files.h"

namespace sunder::render {
namespace {

constexpr int kNoProgram = 127;  // what a shell says, too

std::vector<std::string> ffmpeg_command(const std::filesystem::path& to, bool gif, int width, int height, double fps) {
  std::vector<std::string> words = {"ffmpeg",
                                    "-hide_banner",
                                    "-loglevel",
                                    "error",
                                    "-y",
                                    "-f",
                                    "rawvideo",
                                    "-pix_fmt",
                                    "rgb24",
                                    "-s",
                                    fmt::format("{}x{}", width, height),
                                    "-r",
                                    fmt::format("{}", fps),
                                    "-i",
                                    "-"};
  const std::vector<std::string> packing =
      gif ? std::vector<
                std::string>{"-vf",
                             "split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse=dither=bayer:bayer_scale=4",
                             "-f", "gif"}  // x264 wants even sides; every player takes yuv420p.
          : std::vector<std::string>{"-vf",       "pad=ceil(iw/2)*2:ceil(ih/2)*2",
                                     "-c:v",      "libx264",
                                     "-pix_fmt",  "yuv420p",
                                     "-crf",      "17",
                                     "-preset",   "medium",
                                     "-movflags", "+faststart",
                                     "-f",        "mp4"};
  words.insert(words.end(), packing.begin(), packing.end());
  words.push_back(to.string());
  return words;
}

// Writing to a process that has gone gives an error instead of a signal.
class NoPipeSignal {
 public:
  NoPipeSignal() {
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    ::sigaction(SIGPIPE, &ignore, &before_);
  }
  ~NoPipeSignal() { ::sigaction(SIGPIPE, &before_, nullptr); }
  NoPipeSignal(const NoPipeSignal&) = delete;
  NoPipeSignal& operator=(const NoPipeSignal&) = delete;

 private:
  struct sigaction before_ {};
};

}  // namespace

bool is_film(const std::filesystem::path& file) { return file.extension() == ".mp4" || file.extension() == ".gif"; }

FilmWriter::FilmWriter(const std::filesystem::path& file, int width, int height, double fps)
    : file_(file),
      part_(file.string() + std::string(kTemporaryEnding)),
      log_(file.string() + ".log" + std::string(kTemporaryEnding)) {
  std::vector<std::string> words = ffmpeg_command(part_, file.extension() == ".gif", width, height, fps);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const int log = ::open(log_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (log < 0) throw FileError(file.string(), fmt::format("cannot be written ({})", std::strerror(errno)));
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    ::close(log);
    throw FileError(file.string(), fmt::format("no pipe to ffmpeg ({})", std::strerror(errno)));
  }
  process_ = ::fork();
  if (process_ == 0) {
    ::dup2(ends[0], STDIN_FILENO);
    ::dup2(log, STDOUT_FILENO);
    ::dup2(log, STDERR_FILENO);
    ::execvp(argv[0], argv.data());
    ::_exit(kNoProgram);
  }
  ::close(ends[0]);
  ::close(log);
  pipe_ = ends[1];
  if (process_ < 0) throw FileError(file.string(), "ffmpeg cannot be started");
}

FilmWriter::~FilmWriter() {
  if (process_ > 0) wait();
  std::error_code ignored;
  std::filesystem::remove(part_, ignored);
  std::filesystem::remove(log_, ignored);
}

int FilmWriter::wait() {
  if (pipe_ >= 0) ::close(pipe_);
  pipe_ = -1;
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string FilmWriter::complaints() {
  try {
    return read_file(log_).substr(0, 2000);
  } catch (const Error&) {
    return "";
  }
}

void FilmWriter::fail(int code) {
  if (code == kNoProgram) {
    throw FileError(file_.string(),
                    "films need the program ffmpeg, which is not installed\n  install it (apt install ffmpeg), or ask "
                    "for numbered pictures: -o 'film-%04d.png'");
  }
  throw FileError(file_.string(), "ffmpeg failed: " + complaints());
}

void FilmWriter::add(const Image& image) {
  const NoPipeSignal quiet;
  const std::uint8_t* data = image.rgb.data();
  std::size_t left = image.rgb.size();
  while (left > 0) {
    const ssize_t written = ::write(pipe_, data, left);
    if (written > 0) {
      data += written;
      left -= static_cast<std::size_t>(written);
    } else if (errno != EINTR) {
      fail(wait());
    }
  }
}

void FilmWriter::finish() {
  const int code = wait();
  if (code != 0) fail(code);
  std::error_code error;
  std::filesystem::rename(part_, file_, error);
  if (error) throw FileError(file_.string(), fmt::format("cannot be written ({})", error.message()));
}

}  // namespace sunder::render
