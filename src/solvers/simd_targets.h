#pragma once
// Which instruction sets kernels are compiled for. To be included before Highway, in every file that knows it: of the
// many x86 targets three are enough, AVX-512, AVX2, and what the compiler assumes of every machine.

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4)
