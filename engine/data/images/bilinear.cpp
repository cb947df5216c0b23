#include "engine/data/images/bilinear.h"

#include <algorithm>
#include <utility>

#include "engine/data/images/clones.h"

namespace paceline::images {
namespace {

void alongRow(const std::uint8_t* row, const Taps& columns, float* out) {
  const std::size_t count = columns.low.size();
  for (std::size_t x = 0; x < count; ++x) {
    const std::uint8_t* at = row + columns.low[x];
    const auto left = static_cast<float>(at[0]), right = static_cast<float>(at[columns.step]);
    out[x] = left + columns.part[x] * (right - left);
  }
}

PACELINE_CLONES void between(const float* top, const float* bottom, float part, std::size_t count, float* out) {
  for (std::size_t x = 0; x < count; ++x) out[x] = (top[x] + part * (bottom[x] - top[x])) / 255.0F;
}

}  // namespace

Taps bilinearTaps(int in, int full, int offset, int count) {
  Taps taps{.low = std::vector<int>(static_cast<std::size_t>(count)),
            .part = std::vector<float>(static_cast<std::size_t>(count)),
            .step = in > 1 ? 1 : 0};
  for (std::size_t i = 0; i < taps.low.size(); ++i) {
    const double centre = (offset + static_cast<double>(i) + 0.5) * in / full - 0.5;
    const double at = std::clamp(centre, 0.0, in - 1.0);
    taps.low[i] = std::min(static_cast<int>(at), std::max(in - 2, 0));
    taps.part[i] = static_cast<float>(at - taps.low[i]);
  }
  return taps;
}

Taps mirrored(Taps taps) {
  std::reverse(taps.low.begin(), taps.low.end());
  std::reverse(taps.part.begin(), taps.part.end());
  return taps;
}

void resample(const Plane& plane, const Taps& rows, const Taps& columns, float* out) {
  const std::size_t width = columns.low.size();
  std::vector<float> top(width), bottom(width);
  int have = -1;  // `top` is row have, `bottom` the one after it
  for (std::size_t y = 0; y < rows.low.size(); ++y) {
    const int low = rows.low[y];
    const auto row = [&](int index) { return plane.pixels + static_cast<std::size_t>(index) * plane.stride; };
    if (low != have) {
      if (have >= 0 && low == have + 1) std::swap(top, bottom);
      else alongRow(row(low), columns, top.data());
      alongRow(row(low + rows.step), columns, bottom.data());
      have = low;
    }
    between(top.data(), bottom.data(), rows.part[y], width, out + y * width);
  }
}

}  // namespace paceline::images
