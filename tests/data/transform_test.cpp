#include "engine/data/images/transform.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>
#include <thread>

#include "engine/core/base/error.h"

namespace paceline::tests {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Floats = std::vector<float>;

Floats transformed(const images::Transform& how, const Shape& shape, const Bytes& pixels, std::uint64_t seed = 1, bool channelsLast = false) {
  const Shape output = how.output.channels == 0 ? shape : how.output;
  Floats out(static_cast<std::size_t>(output.channels * output.height * output.width), -7);
  images::transform(how, shape, pixels.data(), Rng(seed), channelsLast, out.data());
  return out;
}

Floats times255(Floats values) {
  for (float& value : values) value *= 255;
  return values;
}

auto near(const Floats& expected) { return ::testing::Pointwise(::testing::FloatNear(1e-4F), expected); }

Bytes counted(std::size_t size) {  // all different below 251
  Bytes bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(1 + i * 7 % 251);
  return bytes;
}

TEST(Transform, WithoutAnythingIsBytesOver255) {
  Bytes all(256);
  for (std::size_t i = 0; i < 256; ++i) all[i] = static_cast<std::uint8_t>(i);
  const Floats got = transformed({}, {1, 16, 16}, all);
  for (std::size_t i = 0; i < 256; ++i) ASSERT_EQ(got[i], static_cast<float>(i) / 255.0F) << i;
}

TEST(Transform, PutsChannelsLastWhenAsked) {
  const Bytes pixels{0, 255, 255, 0, 0, 0};  // 3 channels of 1x2
  EXPECT_EQ(transformed({}, {3, 1, 2}, pixels), (Floats{0, 1, 1, 0, 0, 0}));
  EXPECT_EQ(transformed({}, {3, 1, 2}, pixels, 1, true), (Floats{0, 1, 0, 1, 0, 0}));
  EXPECT_EQ(transformed({}, {2, 1, 3}, pixels, 1, true), (Floats{0, 0, 1, 0, 1, 0}));
}

// Output pixel i lies at (i + 0.5) / 2 - 0.5 = -0.25, 0.25, 0.75, 1.25: edges repeat.
TEST(Resize, TwoByTwoToFourByFourIsAsByHand) {
  const Floats got = times255(transformed({.output = {1, 4, 4}}, {1, 2, 2}, {0, 100, 200, 40}));
  EXPECT_THAT(got, near({0,   25,  75,  100,  //
                         50,  58.75F, 76.25F, 85,  // 3/4 of the first row, 1/4 of the last: (0,25,75,100), (200,160,80,40)
                         150, 126.25F, 78.75F, 55,  //
                         200, 160, 80,  40}));
}

// Output pixel i lies at (i + 0.5) * 1.5 - 0.5 = 0.25, 1.75.
TEST(Resize, ThreeByThreeToTwoByTwoIsAsByHand) {
  const Floats got = times255(transformed({.output = {1, 2, 2}}, {1, 3, 3}, {0, 40, 80, 120, 160, 200, 240, 20, 60}));
  // Rows at columns 0.25 and 1.75: (10, 70), (130, 190), (185, 50); then rows 0.25 and 1.75.
  EXPECT_THAT(got, near({40, 100, 171.25F, 85}));
}

TEST(Resize, TwoByThreeToOneByOneIsTheMiddle) {
  EXPECT_THAT(times255(transformed({.output = {1, 1, 1}}, {1, 2, 3}, {0, 10, 0, 0, 30, 0})), near({20}));
}

TEST(Resize, AOnePixelPictureFillsTheOutput) {
  EXPECT_THAT(times255(transformed({.output = {1, 3, 2}}, {1, 1, 1}, {51})), near({51, 51, 51, 51, 51, 51}));
}

TEST(Resize, ToTheSameSizeIsTheIdentity) {
  const Bytes pixels = counted(3 * 5 * 4);
  EXPECT_EQ(transformed({.output = {3, 5, 4}}, {3, 5, 4}, pixels), transformed({}, {3, 5, 4}, pixels));
}

TEST(Resize, KeepsAConstantPictureExactly) {
  for (const int side : {1, 9, 13, 224})
    for (const float value : transformed({.output = {1, side, side}}, {1, 10, 10}, Bytes(100, 77))) ASSERT_EQ(value, 77 / 255.0F);
}

TEST(Normalise, IsMinusMeanOverDeviationByChannel) {
  const images::Transform how{.mean = {0.5F, 0.25F, 0}, .deviation = {0.5F, 2, 0.1F}};
  EXPECT_EQ(transformed(how, {3, 1, 1}, {255, 0, 51}), (Floats{1, -0.125F, (51 / 255.0F) / 0.1F}));
}

TEST(Recolour, GreyBecomesThreeEqualChannels) {
  EXPECT_EQ(transformed({.output = {3, 1, 2}}, {1, 1, 2}, {51, 255}), (Floats{0.2F, 1, 0.2F, 1, 0.2F, 1}));
  EXPECT_EQ(transformed({.output = {3, 1, 2}}, {1, 1, 2}, {51, 255}, 1, true), (Floats{0.2F, 0.2F, 0.2F, 1, 1, 1}));
}

TEST(Recolour, ColoursBecomeTheirLuma) {
  EXPECT_THAT(transformed({.output = {1, 1, 4}}, {3, 1, 4}, {255, 0, 0, 51, 0, 255, 0, 51, 0, 0, 255, 51}),
              near({0.299F, 0.587F, 0.114F, 0.2F}));
}

TEST(Recolour, RefusesOtherNumbersOfChannels) {
  EXPECT_THROW(transformed({.output = {3, 1, 1}}, {2, 1, 1}, {1, 2}), InvariantError);
}

TEST(Flip, MirrorsLeftToRightEverySecondPicture) {
  const Bytes pixels{1, 2, 3, 4, 5, 6};
  const Floats straight = transformed({}, {1, 2, 3}, pixels), mirrored = transformed({}, {1, 2, 3}, {3, 2, 1, 6, 5, 4});
  int flips = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Floats got = transformed({.flip = true}, {1, 2, 3}, pixels, seed);
    ASSERT_TRUE(got == straight || got == mirrored) << seed;
    flips += got == mirrored ? 1 : 0;
  }
  EXPECT_NEAR(flips, 1000, 3 * 22.4);  // three standard deviations of 2000 fair coins
}

TEST(Flip, TwiceIsTheIdentityAlsoThroughAResize) {
  const Shape shape{3, 6, 5};
  const Bytes pixels = counted(3 * 6 * 5);
  Bytes mirrored(pixels.size());
  for (std::size_t row = 0; row < 18; ++row)
    for (std::size_t x = 0; x < 5; ++x) mirrored[row * 5 + x] = pixels[row * 5 + 4 - x];
  std::uint64_t flipping = 0;
  while ((Rng(flipping).next() >> 63) == 0) ++flipping;
  for (const Shape& output : {shape, Shape{3, 11, 9}, Shape{3, 4, 3}}) {
    const Floats twice = transformed({.output = output, .flip = true}, shape, mirrored, flipping);
    EXPECT_THAT(twice, ::testing::Pointwise(::testing::FloatNear(1e-6F), transformed({.output = output}, shape, pixels)));
  }
}

// What the rows and columns of a 4x4 picture padded by two show; kNothing: the padding.
constexpr int kNothing = -1;
using Edge = std::array<int, 8>;
constexpr Edge kConstantEdge{kNothing, kNothing, 0, 1, 2, 3, kNothing, kNothing}, kMirroredEdge{2, 1, 0, 1, 2, 3, 2, 1};

void expectEveryWindowEquallyOften(images::Padding padding, const Edge& edge, int fill) {
  const Bytes pixels = counted(16);
  const auto window = [&](std::size_t top, std::size_t left) {
    Floats out;
    for (std::size_t y = top; y < top + 4; ++y)
      for (std::size_t x = left; x < left + 4; ++x)
        out.push_back(static_cast<float>(edge[y] < 0 || edge[x] < 0 ? fill : pixels[static_cast<std::size_t>(edge[y] * 4 + edge[x])]) / 255.0F);
    return out;
  };
  std::map<Floats, int> seen;
  constexpr double kDraws = 5000;
  for (std::uint64_t seed = 0; seed < kDraws; ++seed) ++seen[transformed({.crop = images::Crop::kPadded, .padding = padding, .pad = 2}, {1, 4, 4}, pixels, seed)];
  ASSERT_EQ(seen.size(), 25U);
  double chiSquared = 0;
  for (std::size_t top = 0; top < 5; ++top) {
    for (std::size_t left = 0; left < 5; ++left) {
      const auto found = seen.find(window(top, left));
      ASSERT_NE(found, seen.end()) << "no window at " << top << ", " << left;
      chiSquared += (found->second - kDraws / 25) * (found->second - kDraws / 25) / (kDraws / 25);
    }
  }
  EXPECT_LT(chiSquared, 51.2);  // 24 degrees of freedom: above in 1 of 1000 seeds
}

TEST(PaddedCrop, ShowsEveryWindowOfTheZeroPaddedPictureEquallyOften) { expectEveryWindowEquallyOften(images::Padding::kZero, kConstantEdge, 0); }
TEST(PaddedCrop, MirrorsWithoutTheEdgeWhenItReflects) { expectEveryWindowEquallyOften(images::Padding::kReflect, kMirroredEdge, 0); }
TEST(PaddedCrop, PadsGreyWith127) { expectEveryWindowEquallyOften(images::Padding::kGrey, kConstantEdge, 127); }

TEST(PaddedCrop, ReflectsOverPicturesSmallerThanThePadding) {
  const images::Transform how{.crop = images::Crop::kPadded, .padding = images::Padding::kReflect, .pad = 4};
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    EXPECT_EQ(transformed(how, {1, 1, 1}, {51}, seed), Floats{0.2F});
    for (const float value : transformed(how, {1, 2, 2}, {51, 51, 51, 51}, seed)) ASSERT_EQ(value, 0.2F);
  }
}

TEST(PaddedCrop, MovesAllChannelsTogether) {
  const Bytes plane = counted(64);
  Bytes pixels = plane;
  pixels.insert(pixels.end(), plane.begin(), plane.end());
  pixels.insert(pixels.end(), plane.begin(), plane.end());
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Floats got = transformed({.crop = images::Crop::kPadded, .flip = true}, {3, 8, 8}, pixels, seed);
    const Floats one = transformed({.crop = images::Crop::kPadded, .flip = true}, {1, 8, 8}, plane, seed);
    for (std::size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], one[i % 64]) << seed << " " << i;
  }
}

// A picture whose value is its column (or row) shows which part was taken: slope = part / output, first value = where it begins.
TEST(ResizedCrop, TakesPartsOfTheAskedAreasAndAspects) {
  constexpr int kHeight = 120, kWidth = 200, kOut = 20;
  Bytes columns, rows;
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      columns.push_back(static_cast<std::uint8_t>(x));
      rows.push_back(static_cast<std::uint8_t>(y));
    }
  }
  const images::Transform how{.output = {1, kOut, kOut}, .crop = images::Crop::kResized};
  double least = 1e9, most = 0, meanArea = 0;
  std::set<int> lefts;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const Floats across = times255(transformed(how, {1, kHeight, kWidth}, columns, seed)), down = times255(transformed(how, {1, kHeight, kWidth}, rows, seed));
    const double width = (across[10] - across[9]) * kOut, height = (down[10 * kOut] - down[9 * kOut]) * kOut;
    const double left = across[10] - 10.5 * width / kOut + 0.5, top = down[10 * kOut] - 10.5 * height / kOut + 0.5;
    ASSERT_GE(left, -0.01);
    ASSERT_GE(top, -0.01);
    ASSERT_LE(left + width, kWidth + 0.01);
    ASSERT_LE(top + height, kHeight + 0.01);
    const double area = width * height / (kHeight * kWidth), aspect = width / height;
    ASSERT_GT(area, 0.08 * 0.97);  // sides are whole pixels
    ASSERT_GT(aspect, 0.75 * 0.97);
    ASSERT_LT(aspect, 4.0 / 3 * 1.03);
    least = std::min(least, area);
    most = std::max(most, area);
    meanArea += area / 1000;
    lefts.insert(static_cast<int>(left + 0.5));
  }
  EXPECT_LT(least, 0.1);
  EXPECT_GT(most, 0.75);  // a part as high as the picture and 4/3 as wide: 0.8
  // a in U(0.08, 1), its aspect r with log r in U(log 3/4, log 4/3), kept where the part is no higher than the picture: a <= 0.6 r.
  EXPECT_NEAR(meanArea, 0.3538, 0.02);
  EXPECT_GT(lefts.size(), 80U);
}

TEST(ResizedCrop, OfALongPictureEndsWithItsMiddle) {
  Bytes pixels;
  for (int x = 0; x < 90; ++x) pixels.push_back(static_cast<std::uint8_t>(x));
  // 1 x 90: no part of 8 % of the area is nearly square, so the middle pixel is taken.
  EXPECT_THAT(times255(transformed({.output = {1, 1, 1}, .crop = images::Crop::kResized}, {1, 1, 90}, pixels)), near({44}));
}

TEST(CentreCrop, IsTheMiddleOfThePictureWithItsShorterSideResized) {
  const Bytes pixels = counted(6 * 10);
  const Floats enlarged = transformed({.output = {1, 12, 20}}, {1, 6, 10}, pixels);
  const Floats got = transformed({.output = {1, 8, 8}, .crop = images::Crop::kCentre, .shorterSide = 12}, {1, 6, 10}, pixels);
  for (std::size_t y = 0; y < 8; ++y)
    for (std::size_t x = 0; x < 8; ++x) ASSERT_EQ(got[y * 8 + x], enlarged[(y + 2) * 20 + x + 6]) << y << " " << x;
}

TEST(CentreCrop, OfThePicturesOwnSizeCutsOnly) {
  const Bytes pixels = counted(4 * 6);
  const Floats whole = transformed({}, {1, 4, 6}, pixels);
  const Floats got = transformed({.output = {1, 2, 2}, .crop = images::Crop::kCentre, .shorterSide = 4}, {1, 4, 6}, pixels);
  EXPECT_EQ(got, (Floats{whole[8], whole[9], whole[14], whole[15]}));
}

const images::Transform kEverything{.output = {3, 9, 7}, .crop = images::Crop::kPadded, .padding = images::Padding::kReflect, .flip = true,
                            .mean = {0.1F, 0.2F, 0.3F}, .deviation = {1.1F, 1.2F, 1.3F}};

TEST(Transform, GivesTheSameFloatsInBothLayouts) {
  const Bytes pixels = counted(3 * 8 * 8);
  for (images::Transform how : {kEverything, images::Transform{.output = {3, 5, 5}, .crop = images::Crop::kResized, .flip = true}, images::Transform{.flip = true}}) {
    const Shape output = how.output.channels == 0 ? Shape{3, 8, 8} : how.output;
    const auto area = static_cast<std::size_t>(output.height * output.width);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const Floats planar = transformed(how, {3, 8, 8}, pixels, seed), last = transformed(how, {3, 8, 8}, pixels, seed, true);
      for (std::size_t i = 0; i < planar.size(); ++i) ASSERT_EQ(planar[i], last[i % area * 3 + i / area]) << seed << " " << i;
    }
  }
}

TEST(Transform, IsAFunctionOfItsArgumentsInEveryThread) {
  const Bytes pixels = counted(3 * 8 * 8);
  std::vector<Floats> here, there(40);
  for (std::uint64_t seed = 0; seed < 40; ++seed) here.push_back(transformed(kEverything, {3, 8, 8}, pixels, seed));
  {
    std::jthread other([&] {
      for (std::uint64_t seed = 40; seed-- > 0;) there[seed] = transformed(kEverything, {3, 8, 8}, pixels, seed);
    });
  }
  EXPECT_EQ(here, there);
}

TEST(Transform, DrawsOnlyWhereSomethingIsRandom) {
  EXPECT_FALSE((images::Transform{.output = {1, 9, 9}, .crop = images::Crop::kCentre, .mean = {0}, .deviation = {1}}.draws()));
  EXPECT_TRUE(images::Transform{.flip = true}.draws());
  EXPECT_TRUE(images::Transform{.crop = images::Crop::kPadded}.draws());
  EXPECT_TRUE(images::Transform{.crop = images::Crop::kResized}.draws());
}

}  // namespace
}  // namespace paceline::tests
