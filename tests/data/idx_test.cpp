#include "engine/data/formats/readers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "engine/core/base/error.h"
#include "tests/data/idx_files.h"

namespace paceline::tests {
namespace {

// Code and message of the Error that `call` throws; the folder's name is cut out of the message.
std::string refusal(const TempFolder& folder, Errc code, const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(static_cast<int>(error.code()), static_cast<int>(code));
    std::string text = error.what();
    for (std::size_t at = text.find(folder.path()); at != std::string::npos; at = text.find(folder.path()))
      text.erase(at, folder.path().size());
    return text;
  }
  return "nothing thrown";
}

TEST(Idx, ReadsPlainAndGzipAlikeWhateverTheName) {
  const TempFolder folder{};
  const Bytes pixels = somePixels(5);
  writePlain(folder / "plain.gz", idxBytes({5, 28, 28}, pixels));
  writeGzip(folder / "packed", idxBytes({5, 28, 28}, pixels));
  for (const char* name : {"plain.gz", "packed"}) {
    const formats::IdxArray array = formats::readIdx(folder / name, 3);
    EXPECT_EQ(array.dimensions, (std::vector<std::uint32_t>{5, 28, 28}));
    EXPECT_EQ(array.bytes, pixels);
  }
}

TEST(Idx, ReadsMoreThanOneChunk) {
  const TempFolder folder{};
  const Bytes pixels = somePixels(4000);  // 3.1 MB
  writeGzip(folder / "big.gz", idxBytes({4000, 28, 28}, pixels));
  EXPECT_EQ(formats::readIdx(folder / "big.gz", 3).bytes, pixels);
}

TEST(Idx, NamesAMissingFile) {
  const TempFolder folder{};
  EXPECT_EQ(refusal(folder, Errc::kFile, [&] { formats::readIdx(folder / "none", 3); }),
            "/none: cannot be opened: No such file or directory");
}

TEST(Idx, RefusesATruncatedGzip) {
  const TempFolder folder{};
  writeGzip(folder / "cut.gz", idxBytes({50, 28, 28}, somePixels(50)));
  Bytes packed = readAll(folder / "cut.gz");
  packed.resize(packed.size() / 2);
  writePlain(folder / "cut.gz", packed);
  EXPECT_THAT(refusal(folder, Errc::kFormat, [&] { formats::readIdx(folder / "cut.gz", 3); }),
              ::testing::MatchesRegex("/cut.gz: the gzip stream is truncated: it ends after [0-9]+ bytes of content"));
}

TEST(Idx, RefusesAGzipWithoutItsLastByte) {
  const TempFolder folder{};
  writeGzip(folder / "cut.gz", idxBytes({50, 28, 28}, somePixels(50)));
  Bytes packed = readAll(folder / "cut.gz");
  packed.pop_back();
  writePlain(folder / "cut.gz", packed);
  EXPECT_EQ(refusal(folder, Errc::kFormat, [&] { formats::readIdx(folder / "cut.gz", 3); }),
            "/cut.gz: the gzip stream is truncated: it ends after 39216 bytes of content");
}

TEST(Idx, RefusesADamagedGzip) {
  const TempFolder folder{};
  writeGzip(folder / "bad.gz", idxBytes({50, 28, 28}, somePixels(50)));
  Bytes packed = readAll(folder / "bad.gz");
  packed[packed.size() - 6] ^= 0xff;  // the checksum
  writePlain(folder / "bad.gz", packed);
  EXPECT_EQ(refusal(folder, Errc::kFormat, [&] { formats::readIdx(folder / "bad.gz", 3); }),
            "/bad.gz: the gzip stream is damaged: incorrect data check");
}

TEST(Idx, RefusesAWrongMagic) {
  const TempFolder folder{};
  writeGzip(folder / "labels", idxBytes({3}, {1, 2, 3}));
  EXPECT_EQ(refusal(folder, Errc::kFormat, [&] { formats::readIdx(folder / "labels", 3); }),
            "/labels: the magic number is 0x00000801, expected 0x00000803 (IDX, unsigned bytes, 3 dimensions)");
  writePlain(folder / "text", {'h', 'e', 'l', 'l', 'o'});
  EXPECT_EQ(refusal(folder, Errc::kFormat, [&] { formats::readIdx(folder / "text", 1); }),
            "/text: the magic number is 0x68656c6c, expected 0x00000801 (IDX, unsigned bytes, 1 dimension)");
}

TEST(Idx, RefusesAHeaderThatEnds) {
  const TempFolder folder{};
  writePlain(folder / "short", {0, 0, 8, 3, 0, 0});
  EXPECT_EQ(refusal(folder, Errc::kFormat, [&] { formats::readIdx(folder / "short", 3); }),
            "/short: ends inside the IDX header, after 6 of 16 bytes");
  writePlain(folder / "empty", {});
  EXPECT_EQ(refusal(folder, Errc::kFormat, [&] { formats::readIdx(folder / "empty", 3); }),
            "/empty: ends inside the IDX header, after 0 of 16 bytes");
}

TEST(Idx, RefusesTooFewAndTooManyBytes) {
  const TempFolder folder{};
  writePlain(folder / "few", idxBytes({5}, {1, 2, 3}));
  EXPECT_EQ(refusal(folder, Errc::kFormat, [&] { formats::readIdx(folder / "few", 1); }),
            "/few: the header promises 5 = 5 bytes, the file has 3");
  writePlain(folder / "many", idxBytes({2}, {1, 2, 3}));
  EXPECT_EQ(refusal(folder, Errc::kFormat, [&] { formats::readIdx(folder / "many", 1); }),
            "/many: bytes follow the 2 = 2 that the header promises");
}

TEST(Idx, TakesNoMemoryForAPromise) {
  const TempFolder folder{};
  writePlain(folder / "huge", idxBytes({0xffffffffU, 28, 28}, {}));
  EXPECT_EQ(refusal(folder, Errc::kFormat, [&] { formats::readIdx(folder / "huge", 3); }),
            "/huge: the header promises 4294967295 bytes or more, the limit is 1073741824");
  writePlain(folder / "large", idxBytes({1000000, 28, 28}, {7}));  // 0.8 GB promised, one byte there
  EXPECT_EQ(refusal(folder, Errc::kFormat, [&] { formats::readIdx(folder / "large", 3); }),
            "/large: the header promises 1000000x28x28 = 784000000 bytes, the file has 1");
}

TEST(IdxImages, PairsImagesWithLabels) {
  const TempFolder folder{};
  const Bytes pixels = somePixels(3);
  writeGzip(folder / "i", idxBytes({3, 28, 28}, pixels));
  writePlain(folder / "l", idxBytes({3}, {9, 0, 4}));
  const datasets::Images images = formats::readIdxImages(folder / "i", folder / "l", Shape{}, 10);
  EXPECT_EQ(images.count(), 3U);
  EXPECT_EQ(images.pixels, pixels);
  EXPECT_EQ(images.labels, (std::vector<std::uint16_t>{9, 0, 4}));
}

TEST(IdxImages, RefusesWhatDoesNotFitTogether) {
  const TempFolder folder{};
  writePlain(folder / "i", idxBytes({3, 28, 28}, somePixels(3)));
  writePlain(folder / "small", idxBytes({3, 14, 14}, somePixels(3, 14)));
  writePlain(folder / "two", idxBytes({2}, {1, 2}));
  writePlain(folder / "ten", idxBytes({3}, {1, 10, 2}));
  EXPECT_EQ(refusal(folder, Errc::kFormat, [&] { formats::readIdxImages(folder / "i", folder / "two", Shape{}, 10); }),
            "/two: has 2 labels, but /i has 3 images");
  EXPECT_EQ(refusal(folder, Errc::kFormat, [&] { formats::readIdxImages(folder / "i", folder / "ten", Shape{}, 10); }),
            "/ten: label 10 at position 1 is out of range, must be < 10");
  EXPECT_EQ(refusal(folder, Errc::kFormat, [&] { formats::readIdxImages(folder / "small", folder / "ten", Shape{}, 10); }),
            "/small: the images are 14x14, expected 28x28");
  // What does not fit is refused before it is unpacked: of either there is only one byte.
  writePlain(folder / "wide", idxBytes({1, 30000, 30000}, {7}));
  EXPECT_EQ(refusal(folder, Errc::kFormat, [&] { formats::readIdxImages(folder / "wide", folder / "ten", Shape{}, 10); }),
            "/wide: the images are 30000x30000, expected 28x28");
  writePlain(folder / "many", idxBytes({1000000000}, {7}));
  EXPECT_EQ(refusal(folder, Errc::kFormat, [&] { formats::readIdxImages(folder / "i", folder / "many", Shape{}, 10); }),
            "/many: has 1000000000 labels, but /i has 3 images");
}

}  // namespace
}  // namespace paceline::tests
