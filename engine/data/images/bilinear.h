// Bilinear interpolation with half-pixel centres and without antialiasing, one plane at a time. Pure functions, any thread; the same
// floats on every machine (compiled without fused multiply-add).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace paceline::images {

// Where each output coordinate lies between two input coordinates: value = in[low] + part * (in[low + 1] - in[low]).
struct Taps {
  std::vector<int> low;
  std::vector<float> part;
  int step = 1;  // to the second one; 0 where the input is one pixel wide
};

// Output i of `count` is pixel `offset + i` of the input enlarged or reduced from `in` to `full` pixels; edges repeat.
Taps bilinearTaps(int in, int full, int offset, int count);
Taps mirrored(Taps taps);

struct Plane {
  const std::uint8_t* pixels = nullptr;
  std::size_t stride = 0;  // from row to row
};

// out: rows.low.size() x columns.low.size() values in [0, 1] (interpolated bytes / 255).
void resample(const Plane& plane, const Taps& rows, const Taps& columns, float* out);

}  // namespace paceline::images
