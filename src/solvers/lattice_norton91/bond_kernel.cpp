// The kernel of bonds. Highway compiles this file again for every instruction set and picks one at run time.

#include "solvers/lattice_norton91/bond_kernel.h"

#include "solvers/simd_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/lattice_norton91/bond_kernel.cpp"
#include <hwy/foreach_target.h>
// Highway wants its own header after that.
#include <hwy/highway.h>

#include "solvers/lattice_norton91/bond_kernel-inl.h"

#if HWY_ONCE
#include "solvers/simd_target.h"

namespace sunder::lattice_norton91 {
namespace {

HWY_EXPORT(bond_forces_simd);
HWY_EXPORT(add_up_bond_forces_simd);

}  // namespace

void bond_forces(const BondTask& task, std::size_t begin, std::size_t end) {
  choose_simd_target();
  HWY_DYNAMIC_DISPATCH(bond_forces_simd)(task, begin, end);
}

void add_up_bond_forces(const BondSumTask& task, std::size_t begin, std::size_t end) {
  choose_simd_target();
  HWY_DYNAMIC_DISPATCH(add_up_bond_forces_simd)(task, begin, end);
}

}  // namespace sunder::lattice_norton91
#endif  // HWY_ONCE
