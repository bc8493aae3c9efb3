/*
 * For loops that the compiler makes vector loops of: WIDEST before a function gives it a copy for
 * each kind of CPU, and INLINE puts what it calls into every copy. Sanitizers would take minutes to
 * compile them all.
 */
#pragma once

#define INLINE static inline __attribute__((always_inline))
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
#define WIDEST      __attribute__((target_clones("avx512f", "fma", "default")))
#define WITH_AVX512 __attribute__((target("avx512f"))) /* to be called where HAS_AVX512 */
#define HAS_AVX512  __builtin_cpu_supports("avx512f")
#else
#define WIDEST
#define WITH_AVX512
#define HAS_AVX512 0
#endif
