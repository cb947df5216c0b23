// Which entries of a vector are the largest: the k of largest absolute value, of equal ones those in front, never a zero. The answer is
// one set, the same by every method and on every CPU.
//
// Exact: a histogram of the numbers' upper bits says from where on there are k, one pass collects those, a radix selection among them
// cuts to k. Sampled: the bound comes from a sample instead of a pass (Lin et al. 2018, "Deep Gradient Compression"), a little too low on
// purpose; where it was too high after all, the exact one is taken. DGC keeps all entries above the sample's threshold; here exactly k are
// kept. AVX2 where the CPU has it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "engine/core/base/vec.h"

namespace paceline::codecs {

enum class SelectMethod { kAuto, kExact, kSampled };

// max(1, floor(fraction * size)), at most size. The fraction means its decimal: 0.29 of 100 is 29, though the double is a little less.
std::size_t keptOf(std::size_t size, double fraction);

// The places of the k largest, found on another device (CUDA): as largest() promises, but infinity and NaN count as the largest and are no
// error.
using SelectElsewhere = std::function<void(const Real* values, std::size_t size, std::size_t k, std::vector<std::uint32_t>& places)>;

// From now on every Selector of this process with SelectMethod::kAuto leaves vectors of at least `from` values to it; empty: to none.
// Before other threads select.
void selectElsewhere(SelectElsewhere select, std::size_t from);

// Keeps its buffers between calls. Used by one thread.
class Selector {
 public:
  explicit Selector(SelectMethod method = SelectMethod::kAuto, CpuPath path = CpuPath::kBest) : method_(method), path_(path) {}

  // Appends `begin` + place of the k largest, ascending; fewer where the others are zero. Throws Error{kData} that names `what` when
  // a value is infinite or NaN.
  void largest(std::span<const Real> values, std::size_t k, std::size_t begin, std::string_view what, std::vector<std::uint32_t>& into);

 private:
  // Absolute values as integers order like numbers; above those of the largest finite number there are infinity and the NaNs.
  using Key = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;
  struct Threshold {
    Key key = 0;            // the k-th largest
    std::size_t ties = 0;   // how many of that key are among the k
  };

  // False where one of the values is infinite or NaN.
  bool largestElsewhere(std::span<const Real> values, std::size_t k, std::size_t begin, std::vector<std::uint32_t>& into);
  Key boundByHistogram(std::span<const Real> values, std::size_t k);
  Key boundBySample(std::span<const Real> values, std::size_t k);  // 1: no use
  std::size_t collect(std::span<const Real> values, Key least);    // into places_; how many
  Threshold thresholdOf(std::vector<Key>& keys, std::size_t k);                // reorders keys

  SelectMethod method_;
  CpuPath path_;
  std::unique_ptr<std::uint32_t[]> places_;  // of the values that passed a bound
  std::size_t room_ = 0;
  std::vector<Key> keys_, scratch_;
};

}  // namespace paceline::codecs
