/*
 * For loops that the compiler makes vector loops of: WIDEST before a function gives it a copy for
 * each kind of CPU, and INLINE puts what it calls into every copy. Sanitizers would take minutes to
 * compile them all.
 */
#pragma once

#define INLINE static inline __attribute__((always_inline))
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
#define WIDEST __attribute__((target_clones("avx512f", "fma", "default")))
#else
#define WIDEST
#endif
