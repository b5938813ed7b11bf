#include "sim/memory.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <string>

namespace sunder {
namespace {

// Measured: 770 bytes a tet at 100 thousand tets, 740 at 600 thousand; the program itself takes some ten megabytes.
constexpr double kBytesPerTet = 850, kBytesOfProgram = 30e6;

// The first number in the file, or in the line of it that begins with `key`; `otherwise` if there is none.
double number_in(const char* file, const std::string& key, double otherwise) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.rfind(key, 0) != 0) continue;
    char* end = nullptr;
    const char* begin = line.c_str() + key.size();
    const double value = std::strtod(begin, &end);
    return end == begin ? otherwise : value;
  }
  return otherwise;
}

std::string gigabytes(double bytes) { return fmt::format("{:.2g} GB", bytes / 1e9); }

}  // namespace

double estimated_memory(double tets) { return kBytesOfProgram + kBytesPerTet * tets; }

double available_memory() {
  constexpr double unlimited = std::numeric_limits<double>::infinity();
  double bytes = 1024 * number_in("/proc/meminfo", "MemAvailable:", unlimited);
  const double container = number_in("/sys/fs/cgroup/memory.max", "", unlimited);  // "max" if there is no limit
  bytes = std::min(bytes, container - number_in("/sys/fs/cgroup/memory.current", "", 0));
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    bytes = std::min(bytes, static_cast<double>(limit.rlim_cur));
  }
  return bytes;
}

void require_memory(const Scene& scene, double tets, double available) {
  const double needed = estimated_memory(tets);
  if (needed <= available) return;
  const double fitting = std::max(1.0, (available - kBytesOfProgram) / kBytesPerTet);
  throw InputError(scene.place("body[0].edge"),
                   fmt::format("the scene's {:.3g} million tets need about {} of memory, and {} are free", tets / 1e6,
                               gigabytes(needed), gigabytes(std::max(available, 0.0))),
                   fmt::format("make every edge {:.2g} times as long, or use a machine with more memory",
                               std::cbrt(tets / fitting) * 1.05));
}

}  // namespace sunder
