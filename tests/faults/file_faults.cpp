// Makes the disk fail, or the program die, at a chosen moment: preloaded (LD_PRELOAD) into the program under test, it
// counts the calls that change files below a folder, and at a given one
//
//   SUNDER_FAULT="fail 17"   call 17 fails with ENOSPC (a write after half of it was written), later ones work
//   SUNDER_FAULT="full 17"   call 17 and all later ones fail: the disk is full
//   SUNDER_FAULT="kill 17"   the program dies (SIGKILL) in call 17, a write half done
//
// SUNDER_FAULT_FOLDER is the folder; SUNDER_FAULT_MATCH, if set, must be part of the file's name for a call to count.
// How many calls there were is kept in the file SUNDER_FAULT_COUNT.

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

enum class Fault { none, fail, full, kill };

struct Plan {
  Fault fault = Fault::none;
  long at = 0;
  const char* folder = std::getenv("SUNDER_FAULT_FOLDER");
  const char* match = std::getenv("SUNDER_FAULT_MATCH");
  int counter = -1;  // descriptor

  Plan() {
    if (const char* text = std::getenv("SUNDER_FAULT")) {
      std::array<char, 8> word{};
      if (std::sscanf(text, "%7s %ld", word.data(), &at) == 2) {
        if (std::strcmp(word.data(), "fail") == 0) fault = Fault::fail;
        if (std::strcmp(word.data(), "full") == 0) fault = Fault::full;
        if (std::strcmp(word.data(), "kill") == 0) fault = Fault::kill;
      }
    }
    if (const char* file = std::getenv("SUNDER_FAULT_COUNT")) {
      counter = static_cast<int>(::syscall(SYS_open, file, O_WRONLY | O_CREAT | O_TRUNC, 0644));
    }
  }
};

Plan& plan() {
  static Plan the_plan;
  return the_plan;
}

std::atomic<long> calls{0};
std::array<std::atomic<bool>, 1024> watched_descriptor{};

bool watched(const char* path) {
  const Plan& p = plan();
  if (p.folder == nullptr || std::strncmp(path, p.folder, std::strlen(p.folder)) != 0) return false;
  return p.match == nullptr || std::strstr(path, p.match) != nullptr;
}

bool watched(int descriptor) {
  return descriptor >= 0 && descriptor < 1024 && watched_descriptor[static_cast<std::size_t>(descriptor)];
}

// Counts a call; whether it is to be the faulty one.
bool strikes() {
  const long n = ++calls;
  const Plan& p = plan();
  if (p.counter >= 0) {
    std::array<char, 24> text{};
    const int length = std::snprintf(text.data(), text.size(), "%ld\n", n);
    ::syscall(SYS_pwrite64, p.counter, text.data(), length, 0);
  }
  return p.fault == Fault::full ? n >= p.at : p.fault != Fault::none && n == p.at;
}

// Dies if the plan says so; else the call is to return -1.
int give_up() {
  if (plan().fault == Fault::kill) ::kill(::getpid(), SIGKILL);
  errno = ENOSPC;
  return -1;
}

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

int open_file(const char* path, int flags, unsigned mode) {
  const bool counts = (flags & (O_WRONLY | O_RDWR | O_CREAT)) != 0 && watched(path);
  if (counts && strikes()) return give_up();
  const int descriptor = static_cast<int>(::syscall(SYS_openat, AT_FDCWD, path, flags, mode));
  if (descriptor >= 0 && descriptor < 1024) watched_descriptor[static_cast<std::size_t>(descriptor)] = counts;
  return descriptor;
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  std::va_list more;
  va_start(more, flags);
  const unsigned mode = va_arg(more, unsigned);
  va_end(more);
  return open_file(path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  std::va_list more;
  va_start(more, flags);
  const unsigned mode = va_arg(more, unsigned);
  va_end(more);
  return open_file(path, flags, mode);
}

ssize_t write(int descriptor, const void* bytes, std::size_t size) {
  if (watched(descriptor) && strikes()) {
    ::syscall(SYS_write, descriptor, bytes, size / 2);
    return give_up();
  }
  return ::syscall(SYS_write, descriptor, bytes, size);
}

int fsync(int descriptor) {
  if (watched(descriptor) && strikes()) return give_up();
  return static_cast<int>(::syscall(SYS_fsync, descriptor));
}

int rename(const char* from, const char* to) {
  if (watched(to) && strikes()) return give_up();
  return next<int(const char*, const char*)>("rename")(from, to);
}

int mkdir(const char* path, mode_t mode) {
  if (watched(path) && strikes()) return give_up();
  return next<int(const char*, mode_t)>("mkdir")(path, mode);
}

}  // extern "C"
