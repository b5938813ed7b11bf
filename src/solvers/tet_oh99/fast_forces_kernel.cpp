// The force kernel. Highway compiles this file again for every instruction set and picks one at run time.

#include "solvers/tet_oh99/fast_forces_kernel.h"

#include "solvers/simd_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/tet_oh99/fast_forces_kernel.cpp"
#include <hwy/foreach_target.h>
// Highway wants its own header after that.
#include <hwy/highway.h>

#include "solvers/tet_oh99/fast_forces_kernel-inl.h"

#if HWY_ONCE
#include "solvers/simd_target.h"

namespace sunder::tet_oh99 {
namespace {

HWY_EXPORT(block_forces_simd);
HWY_EXPORT(add_up_slots_simd);
HWY_EXPORT(kick_and_drift_simd);

}  // namespace

void block_forces(const KernelTask& task, std::size_t begin, std::size_t end) {
  choose_simd_target();
  HWY_DYNAMIC_DISPATCH(block_forces_simd)(task, begin, end);
}

void add_up_slots(const SlotSumTask& task, std::size_t begin, std::size_t end) {
  choose_simd_target();
  HWY_DYNAMIC_DISPATCH(add_up_slots_simd)(task, begin, end);
}

void kick_and_drift(const KickDriftTask& task, std::size_t begin, std::size_t end) {
  choose_simd_target();
  HWY_DYNAMIC_DISPATCH(kick_and_drift_simd)(task, begin, end);
}

}  // namespace sunder::tet_oh99
#endif  // HWY_ONCE
