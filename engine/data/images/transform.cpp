#include "engine/data/images/transform.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "engine/core/base/error.h"

// Before a loop's function: the same arithmetic, compiled for wider registers too and chosen when the program starts.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(PACELINE_SANITIZED)
#define PACELINE_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define PACELINE_CLONES
#endif

namespace paceline::images {
namespace {

// A quarter of a logistic regression's step is made of this loop.
PACELINE_CLONES void scaled(const std::uint8_t* bytes, std::size_t count, float* out) {
  for (std::size_t p = 0; p < count; ++p) out[p] = static_cast<float>(bytes[p]) / 255.0F;
}

PACELINE_CLONES void normalised(float mean, float deviation, std::size_t count, float* values) {
  for (std::size_t p = 0; p < count; ++p) values[p] = (values[p] - mean) / deviation;
}

PACELINE_CLONES void interleavedRgb(const float* planes, std::size_t area, float* out) {
  for (std::size_t p = 0; p < area; ++p) {
    out[3 * p] = planes[p];
    out[3 * p + 1] = planes[area + p];
    out[3 * p + 2] = planes[2 * area + p];
  }
}

PACELINE_CLONES void luma(const float* planes, std::size_t area, float* out) {  // ITU-R BT.601
  for (std::size_t p = 0; p < area; ++p) out[p] = 0.299F * planes[p] + 0.587F * planes[area + p] + 0.114F * planes[2 * area + p];
}

std::size_t areaOf(const Shape& shape) { return static_cast<std::size_t>(shape.height) * static_cast<std::size_t>(shape.width); }

struct Place {
  int top = 0, left = 0;
};

// A rectangle of a picture's bytes, and which part of its enlargement is wanted.
struct View {
  const std::uint8_t* pixels = nullptr;
  std::size_t rowStride = 0, planeStride = 0;
  int height = 0, width = 0;
  int fullHeight = 0, fullWidth = 0;  // it is enlarged or reduced to this; the output is the part at `offset`
  Place offset;
  bool mirrored = false;

  bool exact(const Shape& output) const {
    return height == fullHeight && width == fullWidth && height == output.height && width == output.width;
  }
};

View whole(const Shape& shape, const std::uint8_t* pixels, const Shape& output) {
  return {.pixels = pixels,
          .rowStride = static_cast<std::size_t>(shape.width),
          .planeStride = areaOf(shape),
          .height = shape.height,
          .width = shape.width,
          .fullHeight = output.height,
          .fullWidth = output.width,
          .offset = {},
          .mirrored = false};
}

int drawn(Rng& rng, int bound) { return static_cast<int>(rng.below(static_cast<std::uint64_t>(bound))); }

struct Box {
  Place at;
  int height = 0, width = 0;
};

// As ImageNet's trainings draw it: ten tries, then the largest middle part with an aspect that is allowed.
Box randomPart(int height, int width, double areaLeast, Rng& rng) {
  constexpr double kAspectLeast = 3.0 / 4.0, kAspectMost = 4.0 / 3.0;
  const double area = static_cast<double>(height) * width;
  for (int attempt = 0; attempt < 10; ++attempt) {
    const double wanted = area * rng.uniform(areaLeast, 1);
    const double aspect = std::exp(rng.uniform(std::log(kAspectLeast), std::log(kAspectMost)));
    const int w = static_cast<int>(std::lround(std::sqrt(wanted * aspect)));
    const int h = static_cast<int>(std::lround(std::sqrt(wanted / aspect)));
    if (w < 1 || h < 1 || w > width || h > height) continue;
    const int top = drawn(rng, height - h + 1), left = drawn(rng, width - w + 1);
    return {.at = {.top = top, .left = left}, .height = h, .width = w};
  }
  const double aspect = static_cast<double>(width) / height;
  Box box{.at = {}, .height = height, .width = width};
  if (aspect < kAspectLeast) box.height = std::max(1, static_cast<int>(std::lround(width / kAspectLeast)));
  if (aspect > kAspectMost) box.width = std::max(1, static_cast<int>(std::lround(height * kAspectMost)));
  box.at = {.top = (height - box.height) / 2, .left = (width - box.width) / 2};
  return box;
}

void toPart(View& view, const Box& box) {
  view.pixels += static_cast<std::size_t>(box.at.top) * view.rowStride + static_cast<std::size_t>(box.at.left);
  view.height = box.height;
  view.width = box.width;
}

void toMiddle(View& view, int shorterSide, const Shape& output) {
  const int shorter = std::min(view.height, view.width);
  const auto along = [&](int side) { return static_cast<int>(static_cast<std::int64_t>(side) * shorterSide / shorter); };
  view.fullHeight = std::max(along(view.height), output.height);
  view.fullWidth = std::max(along(view.width), output.width);
  view.offset = {.top = (view.fullHeight - output.height) / 2, .left = (view.fullWidth - output.width) / 2};
}

int reflected(int at, int size) {  // ... 2 1 0 1 2 ... size-1 size-2 ...
  if (size == 1) return 0;
  const int period = 2 * (size - 1);
  const int within = ((at % period) + period) % period;
  return std::min(within, period - within);
}

constexpr int kOutside = -1;

// Which column (or row) of the picture each one of the window shows.
std::vector<int> windowMap(int size, int from, Padding padding, bool mirror) {
  std::vector<int> map(static_cast<std::size_t>(size));
  for (int i = 0; i < size; ++i) {
    const int at = from + i;
    const bool inside = at >= 0 && at < size;
    map[static_cast<std::size_t>(mirror ? size - 1 - i : i)] =
        inside ? at : padding == Padding::kReflect ? reflected(at, size) : kOutside;
  }
  return map;
}

// The window at `at` of the picture, mirrored where asked, into bytes of its own.
void copyWindow(const Shape& shape, const std::uint8_t* pixels, Place at, Padding padding, bool mirror, std::vector<std::uint8_t>& into) {
  const std::vector<int> rows = windowMap(shape.height, at.top, padding, false), columns = windowMap(shape.width, at.left, padding, mirror);
  const std::uint8_t fill = padding == Padding::kGrey ? 127 : 0;
  into.resize(static_cast<std::size_t>(shape.channels) * areaOf(shape));
  std::uint8_t* to = into.data();
  for (int c = 0; c < shape.channels; ++c, pixels += areaOf(shape)) {
    for (const int row : rows) {
      if (row == kOutside) {
        std::memset(to, fill, columns.size());
      } else {
        const std::uint8_t* from = pixels + static_cast<std::size_t>(row) * columns.size();
        for (std::size_t x = 0; x < columns.size(); ++x) to[x] = columns[x] == kOutside ? fill : from[columns[x]];
      }
      to += columns.size();
    }
  }
}

struct Scratch {
  std::vector<std::uint8_t> bytes;  // a copied window
  std::vector<float> planes;
};

View viewOf(const Transform& how, const Shape& shape, const Shape& output, const std::uint8_t* pixels, Rng& rng, Scratch& scratch) {
  View view = whole(shape, pixels, output);
  Place window;
  if (how.crop == Crop::kPadded) {
    window.top = drawn(rng, 2 * how.pad + 1) - how.pad;
    window.left = drawn(rng, 2 * how.pad + 1) - how.pad;
  }
  if (how.crop == Crop::kResized) toPart(view, randomPart(shape.height, shape.width, how.areaLeast, rng));
  if (how.crop == Crop::kCentre) toMiddle(view, how.shorterSide, output);
  view.mirrored = how.flip && (rng.next() >> 63) != 0;
  if (how.crop == Crop::kPadded || (view.mirrored && how.crop == Crop::kNone)) {
    copyWindow(shape, pixels, window, how.padding, view.mirrored, scratch.bytes);
    view.pixels = scratch.bytes.data();
    view.mirrored = false;
  }
  return view;
}

// Bilinear interpolation with half-pixel centres and without antialiasing, one plane at a time: the same floats on every machine (compiled without
// fused multiply-add). Where each output coordinate lies between two input coordinates: value = in[low] + part * (in[low + 1] - in[low]).
struct Taps {
  std::vector<int> low;
  std::vector<float> part;
  int step = 1;  // to the second one; 0 where the input is one pixel wide
};

// Output i of `count` is pixel `offset + i` of the input enlarged or reduced from `in` to `full` pixels; edges repeat.
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

// Of a plane whose rows are `stride` bytes apart; out: rows.low.size() x columns.low.size() values in [0, 1] (interpolated bytes / 255).
void resample(const std::uint8_t* plane, std::size_t stride, const Taps& rows, const Taps& columns, float* out) {
  const std::size_t width = columns.low.size();
  std::vector<float> top(width), bottom(width);
  int have = -1;  // `top` is row have, `bottom` the one after it
  for (std::size_t y = 0; y < rows.low.size(); ++y) {
    const int low = rows.low[y];
    const auto row = [&](int index) { return plane + static_cast<std::size_t>(index) * stride; };
    if (low != have) {
      if (have >= 0 && low == have + 1) std::swap(top, bottom);
      else alongRow(row(low), columns, top.data());
      alongRow(row(low + rows.step), columns, bottom.data());
      have = low;
    }
    between(top.data(), bottom.data(), rows.part[y], width, out + y * width);
  }
}

// All planes of the view in the output's size, one after another, values in [0, 1].
void planesOf(const View& view, int channels, const Shape& output, float* planes) {
  const std::size_t area = areaOf(output);
  const bool exact = view.exact(output) && !view.mirrored;
  if (exact && view.rowStride == static_cast<std::size_t>(view.width) && view.planeStride == area)
    return scaled(view.pixels, static_cast<std::size_t>(channels) * area, planes);
  const Taps rows = bilinearTaps(view.height, view.fullHeight, view.offset.top, output.height);
  Taps columns = bilinearTaps(view.width, view.fullWidth, view.offset.left, output.width);
  if (view.mirrored) columns = mirrored(std::move(columns));
  for (std::size_t c = 0; c < static_cast<std::size_t>(channels); ++c)
    resample(view.pixels + c * view.planeStride, view.rowStride, rows, columns, planes + c * area);
}

void interleaved(const float* planes, std::size_t channels, std::size_t area, float* out) {
  if (channels == 3) return interleavedRgb(planes, area, out);
  for (std::size_t c = 0; c < channels; ++c)
    for (std::size_t p = 0; p < area; ++p) out[p * channels + c] = planes[c * area + p];
}

// From `have` channels to `want`, in place; room for the larger number.
void recoloured(int have, int want, std::size_t area, float* planes) {
  if (have == want) return;
  PACELINE_CHECK((have == 1 && want == 3) || (have == 3 && want == 1), strCat(have, " channels cannot become ", want));
  if (want == 1) return luma(planes, area, planes);
  for (std::size_t c = 1; c < 3; ++c) std::copy_n(planes, area, planes + c * area);
}

}  // namespace

void transform(const Transform& how, const Shape& shape, const std::uint8_t* pixels, Rng rng, bool channelsLast, float* out) {
  static thread_local Scratch scratch;  // grows to the largest picture of its thread
  const Shape output = how.output.channels == 0 ? shape : how.output;
  const std::size_t area = areaOf(output), channels = static_cast<std::size_t>(output.channels);
  PACELINE_CHECK(shape.channels > 0 && areaOf(shape) > 0 && area > 0, "a picture without pixels");
  const View view = viewOf(how, shape, output, pixels, rng, scratch);
  const bool inPlace = shape.channels <= output.channels && (!channelsLast || channels == 1);
  if (!inPlace) scratch.planes.resize(static_cast<std::size_t>(std::max(shape.channels, output.channels)) * area);
  float* planes = inPlace ? out : scratch.planes.data();
  planesOf(view, shape.channels, output, planes);
  recoloured(shape.channels, output.channels, area, planes);
  if (!how.mean.empty()) {
    PACELINE_CHECK(how.mean.size() == channels && how.deviation.size() == channels, "statistics per channel");
    for (std::size_t c = 0; c < channels; ++c) normalised(how.mean[c], how.deviation[c], area, planes + c * area);
  }
  if (inPlace) return;
  if (channelsLast) interleaved(planes, channels, area, out);
  else std::copy_n(planes, channels * area, out);
}

}  // namespace paceline::images
