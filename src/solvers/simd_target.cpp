#include "solvers/simd_target.h"

#include "solvers/simd_targets.h"
// Highway wants to know them first.
#include <hwy/highway.h>

#include <cstdlib>
#include <cstring>

namespace sunder {
namespace {

int64_t targets_named(const char* name) {
  if (std::strcmp(name, "avx512") == 0) return HWY_AVX3;
  if (std::strcmp(name, "avx2") == 0) return HWY_AVX2;
  if (std::strcmp(name, "portable") == 0) return HWY_STATIC_TARGET;
  return 0;
}

}  // namespace

bool force_simd_target(const char* name) {
  hwy::SetSupportedTargetsForTest(0);
  const int64_t available = hwy::SupportedTargets() & HWY_TARGETS;
  const int64_t wanted = *name == '\0' ? available : targets_named(name) & available;
  hwy::GetChosenTarget().Update(wanted != 0 ? wanted : available);
  return wanted != 0;
}

void choose_simd_target() {
  static const bool chosen = [] {
    const char* name = std::getenv("SUNDER_SIMD");
    return force_simd_target(name == nullptr ? "" : name);
  }();
  static_cast<void>(chosen);
}

const char* simd_target() {
  choose_simd_target();
  const int64_t all = HWY_TARGETS;
  for (int64_t rest = all; rest != 0; rest &= rest - 1) {  // better targets have lower bits
    const int64_t target = rest & -rest;
    hwy::ChosenTarget one;
    one.Update(target);
    if (one.GetIndex() == hwy::GetChosenTarget().GetIndex()) return hwy::TargetName(target);
  }
  return "unknown";
}

}  // namespace sunder
