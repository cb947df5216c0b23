// PACELINE_CLONES before a loop's function: the same arithmetic, compiled for wider registers too and chosen when the program starts.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__) && \
    !defined(__SANITIZE_ADDRESS__)
#define PACELINE_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define PACELINE_CLONES
#endif
