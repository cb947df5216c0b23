// How epochs are cut into batches: whoever learns draws them, and whoever only counts counts the same.
#pragma once

#include <cstddef>

namespace paceline {

// After `given` of an epoch's samples: nothing is left, or less than the `minimum` of a batch, which is left out of that epoch unless it is all of it.
inline bool epochIsOver(std::size_t samples, std::size_t given, std::size_t minimum) {
  const std::size_t left = samples - given;
  return left == 0 || (given > 0 && left < minimum);
}

}  // namespace paceline
