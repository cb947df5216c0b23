// What this computer's processor can do.
#pragma once

#if defined(__aarch64__)
#include <sys/auxv.h>
#endif

namespace paceline {

// AES-GCM is faster than every cipher in software then. Any thread.
inline bool hasAesInstructions() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("aes") && __builtin_cpu_supports("pclmul");
#elif defined(__aarch64__)
  constexpr unsigned long kAes = 1UL << 3, kPolynomialMultiply = 1UL << 4;
  return (getauxval(AT_HWCAP) & (kAes | kPolynomialMultiply)) == (kAes | kPolynomialMultiply);
#else
  return false;
#endif
}

}  // namespace paceline
