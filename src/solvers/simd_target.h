#pragma once
// The instruction set that all kernels use.

namespace sunder {

// As Highway names it: "AVX3" (AVX-512), "AVX2", "SSE2", ...
//
// It is the best that the machine has, unless the environment variable SUNDER_SIMD, read once, names one: "avx512",
// "avx2", or "portable" for what the compiler assumes everywhere. One that the machine lacks is ignored. AVX-512 and
// AVX2 give the same bits; portable code has no fused multiply-add and differs in rounding.
const char* simd_target();

// The same by hand, for tests and benchmarks; "" for the best. False if the machine lacks it. No kernel may be at work.
bool force_simd_target(const char* name);

// To be called before a kernel is: sees to it that the environment has had its say.
void choose_simd_target();

}  // namespace sunder
