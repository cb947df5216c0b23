#include "engine/data/formats/readers.h"
#include "tests/data/data_sets.h"
#include "tests/data/mat_writer.h"

namespace paceline::tests {
namespace {

Bytes digitPixels(std::size_t count) {
  Bytes pixels(count * 3072);
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<std::uint8_t>(i * 2654435761U >> 13);
  return pixels;
}

datasets::Dataset load(const TempFolder& folder, bool anyCount = true) {
  const datasets::DatasetDef& def = *datasets::findDataset("svhn");
  return def.load(paramsFor(def, {{"path", folder.path()}, {"any_count", anyCount}}), 1);
}

TEST(MatFile, CompressedPlainShortAndWideNumbersReadAlike) {
  const TempFolder folder{};
  const Bytes values{1, 2, 3, 4, 5, 250};
  Bytes wide;
  for (const std::uint8_t value : values) {
    const double number = value;
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(&number);
    wide.insert(wide.end(), bytes, bytes + sizeof number);
  }
  const std::vector<Bytes> forms{matArray("values", {2, 3}, values), packed(matArray("values", {2, 3}, values)), packed(matArray("values", {2, 3}, wide, 6, 9))};
  for (const Bytes& form : forms) {
    writePlain(folder / "a.mat", matFile({packed(matArray("other", {1, 1}, {7})), form}));
    const formats::MatArray array = formats::readMat(folder / "a.mat", {"values"}).at("values");
    EXPECT_EQ(array.dimensions, (std::vector<std::uint32_t>{2, 3}));
    EXPECT_EQ(array.bytes, values);
  }
}

TEST(MatFile, NamesWhatIsOff) {
  const TempFolder folder{};
  const auto read = [&](const Bytes& file) {
    writePlain(folder / "a", file);
    return refusal(folder, [&] { formats::readMat(folder / "a", {"y"}); });
  };
  EXPECT_EQ(refusal(folder, [&] { formats::readMat(folder / "none", {"y"}); }), "/none: cannot be read: No such file or directory");
  EXPECT_EQ(read({1, 2, 3}), "/a: has 3 bytes, a MATLAB file begins with 128");
  EXPECT_EQ(read(Bytes(200, 'x')), "/a: is no MATLAB level 5 file");
  EXPECT_EQ(read(matFile({matArray("x", {1, 1}, {7})})), "/a: has no array y");
  EXPECT_EQ(read(matFile({matArray("y", {1, 3}, {7})})), "/a: the dimensions of array y promise 3 values of 1 bytes, it has 1 bytes");
  EXPECT_EQ(read(matFile({matArray("y", {65536, 65536, 4}, {7})})), "/a: array y promises more than 2147483648 values");
  EXPECT_EQ(read(matFile({matArray("y", {1, 1}, {7}, 4)})), "/a: array y is of class 4, expected real numbers");
  EXPECT_EQ(read(matFile({matArray("y", {1, 1}, {0, 0, 0, 0, 0, 0, 0xf8, 0x7f}, 6, 9)})), "/a: value nan at position 0 of array y is no whole number from 0 to 255");
  Bytes cut = matFile({packed(matArray("y", {64, 64}, somePixels(4, 32)))});
  cut.resize(cut.size() - 100);
  EXPECT_THAT(read(cut), ::testing::MatchesRegex("/a: is truncated: an element of [0-9]+ bytes begins at byte 136 of [0-9]+"));
  Bytes damaged = matFile({packed(matArray("y", {64, 64}, somePixels(4, 32)))});
  damaged.back() ^= 0xff;  // of the stream's checksum
  EXPECT_EQ(read(damaged), "/a: a compressed element is damaged: incorrect data check");
}

TEST(Svhn, ReadsColumnsAsRowsAndTenAsZero) {
  const TempFolder folder{};
  const Bytes pixels = digitPixels(2);
  writePlain(folder / "train_32x32.mat", digitsFile(pixels, {10, 3}));
  writePlain(folder / "test_32x32.mat", digitsFile(digitPixels(1), {9}));
  const datasets::Dataset data = load(folder);
  EXPECT_EQ(data.train.labels, (std::vector<std::uint16_t>{0, 3}));
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t c = 0; c < 3; ++c)
      for (std::size_t y = 0; y < 32; ++y)
        for (std::size_t x = 0; x < 32; ++x)
          ASSERT_EQ(data.train.pixels[((i * 3 + c) * 32 + y) * 32 + x], pixels[y + 32 * (x + 32 * (c + 3 * i))]);
}

TEST(Svhn, NamesWhatIsOff) {
  const TempFolder folder{};
  writePlain(folder / "train_32x32.mat", digitsFile(digitPixels(2), {1, 11}));
  EXPECT_EQ(refusal(folder, [&] { load(folder); }), "dataset \"svhn\":  has no test_32x32.mat");
  writePlain(folder / "test_32x32.mat", digitsFile(digitPixels(1), {9}));
  EXPECT_EQ(refusal(folder, [&] { load(folder); }), "/train_32x32.mat: label 11 at position 1 is out of range, must be 1 to 10");
  writePlain(folder / "train_32x32.mat", digitsFile(digitPixels(2), {1, 2}));
  EXPECT_THAT(refusal(folder, [&] { load(folder, false); }), ::testing::StartsWith("dataset \"svhn\":  has 2 images to train, the published set has 73257;"));
  writePlain(folder / "train_32x32.mat", matFile({matArray("X", {32, 32, 3, 2}, digitPixels(2)), matArray("y", {1, 1}, {1})}));
  EXPECT_EQ(refusal(folder, [&] { load(folder); }), "/train_32x32.mat: array y has 1 labels, but X has 2 images");
  writePlain(folder / "train_32x32.mat", matFile({matArray("X", {32, 96, 2}, digitPixels(2)), matArray("y", {1, 1}, {1})}));
  EXPECT_EQ(refusal(folder, [&] { load(folder); }), "/train_32x32.mat: array X is 32x96x2, expected 32x32x3xN");
}

TEST(Svhn, BrokenFilesNeverCrash) {
  const TempFolder folder{};
  writePlain(folder / "test_32x32.mat", digitsFile(digitPixels(1), {9}));
  const Bytes pixels = digitPixels(2);
  const std::vector<Bytes> wholes{digitsFile(pixels, {1, 2}), matFile({matArray("X", {32, 32, 3, 2}, pixels), matArray("y", {2, 1}, {1, 2})}),
                                  matFile({matArray("y", {2, 1}, {1, 2}), matArray("X", {32, 32, 3, 2}, pixels)})};
  for (const Bytes& whole : wholes) breakAndRead(folder / "train_32x32.mat", whole, 600, [&] { load(folder); });
}

}  // namespace
}  // namespace paceline::tests
