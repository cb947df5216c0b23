// From an image's bytes to the floats that a model sees. Pure functions: the same arguments give the same floats on every machine and
// in every thread. Any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/base/rng.h"
#include "engine/core/spec/catalog.h"

namespace paceline::images {

enum class Crop {
  kNone,
  kPadded,   // `pad` pixels on every side, then a random window of the image's own size
  kResized,  // a random part of the area (areaLeast .. 1, aspect 3/4 .. 4/3), bilinear to the output: ImageNet's training crop
  kCentre    // shorter side to `shorterSide`, then the middle of the output's size: ImageNet's evaluation crop
};
enum class Padding { kZero, kReflect, kGrey };  // 0; mirrored without the edge; 127, as MXNet-G's ResNets

// In this order: crop, flip, resize (bilinear, half-pixel centres, no antialiasing: OpenCV's and MXNet's INTER_LINEAR) where the size is not
// the output's, byte / 255, (value - mean) / deviation.
struct Transform {
  Shape output{.channels = 0, .height = 0, .width = 0};  // 0 channels: the stored shape
  Crop crop = Crop::kNone;
  Padding padding = Padding::kZero;
  int pad = 4;             // pixels
  int shorterSide = 256;   // pixels
  double areaLeast = 0.08;
  bool flip = false;       // mirrored left to right with probability 1/2
  std::vector<float> mean = {}, deviation = {};  // one per channel, of values in [0, 1]; empty: none

  bool draws() const { return flip || crop == Crop::kPadded || crop == Crop::kResized; }  // random numbers
};

// One image of `shape` into `out` (output.channels x height x width floats; channelsLast: height, width, channel).
// Grey images become three equal channels where the output has three, and the other way round their mean (Rec. 601 luma).
void transform(const Transform& how, const Shape& shape, const std::uint8_t* pixels, Rng rng, bool channelsLast, float* out);

}  // namespace paceline::images
