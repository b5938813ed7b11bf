// The force kernel. Highway compiles this file again for every instruction set and picks one at run time; this and
// simd_target() are the only places that know Highway.

#include "solvers/tet_oh99/fast_forces_kernel.h"

// Of the many x86 targets three are enough: AVX-512, AVX2, and what the compiler assumes of every machine.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/tet_oh99/fast_forces_kernel.cpp"
#include <hwy/foreach_target.h>
// Highway wants its own header after that.
#include <hwy/highway.h>

#include "solvers/tet_oh99/fast_forces_kernel-inl.h"

#if HWY_ONCE
#include <cstdlib>
#include <cstring>

namespace sunder::tet_oh99 {
namespace {

HWY_EXPORT(block_forces_simd);
HWY_EXPORT(add_up_slots_simd);
HWY_EXPORT(kick_and_drift_simd);

int64_t targets_named(const char* name) {
  if (std::strcmp(name, "avx512") == 0) return HWY_AVX3;
  if (std::strcmp(name, "avx2") == 0) return HWY_AVX2;
  if (std::strcmp(name, "portable") == 0) return HWY_STATIC_TARGET;
  return 0;
}

// Highway's choice, after the environment had its say, once.
void choose_target() {
  static const bool chosen = [] {
    const char* name = std::getenv("SUNDER_SIMD");
    return force_simd_target(name == nullptr ? "" : name);
  }();
  static_cast<void>(chosen);
}

}  // namespace

bool force_simd_target(const char* name) {
  hwy::SetSupportedTargetsForTest(0);
  const int64_t available = hwy::SupportedTargets() & HWY_TARGETS;
  const int64_t wanted = *name == '\0' ? available : targets_named(name) & available;
  hwy::GetChosenTarget().Update(wanted != 0 ? wanted : available);
  return wanted != 0;
}

const char* simd_target() {
  choose_target();
  const int64_t all = HWY_TARGETS;
  for (int64_t rest = all; rest != 0; rest &= rest - 1) {  // better targets have lower bits
    const int64_t target = rest & -rest;
    hwy::ChosenTarget one;
    one.Update(target);
    if (one.GetIndex() == hwy::GetChosenTarget().GetIndex()) return hwy::TargetName(target);
  }
  return "unknown";
}

void block_forces(const KernelTask& task, std::size_t begin, std::size_t end) {
  choose_target();
  HWY_DYNAMIC_DISPATCH(block_forces_simd)(task, begin, end);
}

void add_up_slots(const SlotSumTask& task, std::size_t begin, std::size_t end) {
  choose_target();
  HWY_DYNAMIC_DISPATCH(add_up_slots_simd)(task, begin, end);
}

void kick_and_drift(const KickDriftTask& task, std::size_t begin, std::size_t end) {
  choose_target();
  HWY_DYNAMIC_DISPATCH(kick_and_drift_simd)(task, begin, end);
}

}  // namespace sunder::tet_oh99
#endif  // HWY_ONCE
