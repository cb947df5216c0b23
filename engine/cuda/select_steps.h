// The arithmetic of the device's selection, apart from threads: what every kernel of select.cu decides about one value, one histogram, one
// tile. Plain functions for both sides, so that a test can walk through the tiles on the CPU.
//
// Radix selection from the highest digit: a histogram of one digit over the values whose higher digits are those of the k-th largest says
// what its next digit is. After three digits the cut is known: the k-th largest key, and how many of that key are among the k. Then tiles
// count what they keep, a prefix sum gives each its place in the output, and they write: ascending, whatever the order tiles run in.
#pragma once

#include <cstdint>
#include <cstring>

#if defined(__CUDACC__)
#define PACELINE_BOTH __host__ __device__
#else
#define PACELINE_BOTH
#endif

namespace paceline::select_steps {

constexpr int kDigits = 3;
constexpr int kDigitBits = 11;  // 11 + 11 + 9 of the 31 bits that are not the sign
constexpr std::uint32_t kBuckets = 1U << kDigitBits;

PACELINE_BOTH constexpr int shiftOf(int digit) { return digit == 0 ? 20 : digit == 1 ? 9 : 0; }
PACELINE_BOTH constexpr std::uint32_t bucketsOf(int digit) { return digit == 2 ? 512U : kBuckets; }

// Absolute values as integers order like numbers; infinity and the NaNs are above all others.
PACELINE_BOTH inline std::uint32_t keyOf(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits & 0x7fffffffU;
}

// What is known of the k-th largest key.
struct Cut {
  std::uint32_t key;   // its digits so far, the others 0
  std::uint32_t left;  // it is the left-th largest of those that share these digits; at the end: how many of `key` are kept
};

PACELINE_BOTH inline bool counts(std::uint32_t key, const Cut& cut, int digit) {  // in the histogram of `digit`
  return digit == 0 || key >> shiftOf(digit - 1) == cut.key >> shiftOf(digit - 1);
}
PACELINE_BOTH inline std::uint32_t bucketOf(std::uint32_t key, int digit) { return key >> shiftOf(digit) & (bucketsOf(digit) - 1); }

// The k-th largest lies in the highest bucket b with counts[b] + counts above it >= left. suffix[b]: counts of b and all above it.
PACELINE_BOTH inline bool isNextDigit(std::uint32_t suffixHere, std::uint32_t suffixAbove, const Cut& cut) {
  return suffixHere >= cut.left && suffixAbove < cut.left;
}
PACELINE_BOTH inline Cut withDigit(const Cut& cut, int digit, std::uint32_t bucket, std::uint32_t suffixAbove) {
  return {cut.key | bucket << shiftOf(digit), cut.left - suffixAbove};
}

// A zero is never kept: where fewer than k are not zero, all of those are.
PACELINE_BOTH inline Cut withoutZeros(const Cut& cut) { return cut.key == 0 ? Cut{0, 0} : cut; }

// What a tile has, or what all tiles before it have.
struct Counts {
  std::uint32_t above;  // keys over the cut's
  std::uint32_t ties;   // keys equal to it
};
PACELINE_BOTH inline Counts of(std::uint32_t key, const Cut& cut) { return {key > cut.key ? 1U : 0U, key == cut.key ? 1U : 0U}; }
PACELINE_BOTH inline Counts plus(const Counts& a, const Counts& b) { return {a.above + b.above, a.ties + b.ties}; }

// Of the ties those in front are kept. `before`: of all values in front of this one.
PACELINE_BOTH inline bool keeps(const Counts& self, const Counts& before, const Cut& cut) {
  return self.above != 0 || (self.ties != 0 && before.ties < cut.left);
}
PACELINE_BOTH inline std::uint32_t placeInOutput(const Counts& before, const Cut& cut) {
  return before.above + (before.ties < cut.left ? before.ties : cut.left);
}

}  // namespace paceline::select_steps
