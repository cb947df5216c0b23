#include <algorithm>

#include "engine/data/formats/readers.h"
#include "tests/data/data_sets.h"
#include "tests/data/picture_files.h"

namespace paceline::tests {
namespace {

datasets::Picture decoded(const std::string& path) {
  datasets::Picture picture;
  formats::decodePicture(path, picture);
  return picture;
}

// Every pixel is `colour`, to within `tolerance`.
void expectPlain(const datasets::Picture& picture, int width, int height, const std::array<int, 3>& colour, int tolerance) {
  EXPECT_EQ(picture.shape, (Shape{.channels = 3, .height = height, .width = width}));
  const std::size_t area = static_cast<std::size_t>(width * height);
  ASSERT_EQ(picture.pixels.size(), 3 * area);
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t p = 0; p < area; ++p) ASSERT_NEAR(picture.pixels[c * area + p], colour[c], tolerance) << "channel " << c << " pixel " << p;
}

TEST(PictureFile, JpegOfEveryColourSpaceIsRgb) {
  const TempFolder folder{};
  writePlain(folder / "rgb", jpegBytes(plainPixels(20, 12, {200, 30, 90}), 20, 12, TJPF_RGB));
  expectPlain(decoded(folder / "rgb"), 20, 12, {200, 30, 90}, 3);
  writePlain(folder / "grey", jpegBytes(plainPixels(7, 9, {77}), 7, 9, TJPF_GRAY));
  expectPlain(decoded(folder / "grey"), 7, 9, {77, 77, 77}, 2);
  // libjpeg writes YCCK with the Adobe marker: the inks are inverted, so a stored 255 is none.
  writePlain(folder / "cmyk", jpegBytes(plainPixels(16, 16, {255, 128, 0, 255}), 16, 16, TJPF_CMYK));
  expectPlain(decoded(folder / "cmyk"), 16, 16, {255, 128, 0}, 4);
  writePlain(folder / "black", jpegBytes(plainPixels(16, 16, {255, 255, 255, 128}), 16, 16, TJPF_CMYK));
  expectPlain(decoded(folder / "black"), 16, 16, {128, 128, 128}, 4);
}

TEST(PictureFile, PngOfEveryKindIsRgb) {
  const TempFolder folder{};
  writePng(folder / "rgb", plainPixels(5, 4, {1, 2, 3}), 5, 4, PNG_FORMAT_RGB);
  expectPlain(decoded(folder / "rgb"), 5, 4, {1, 2, 3}, 0);
  writePng(folder / "grey", plainPixels(5, 4, {99}), 5, 4, PNG_FORMAT_GRAY);
  expectPlain(decoded(folder / "grey"), 5, 4, {99, 99, 99}, 0);
  writePng(folder / "alpha", plainPixels(5, 4, {10, 20, 30, 128}), 5, 4, PNG_FORMAT_RGBA);
  expectPlain(decoded(folder / "alpha"), 5, 4, {10, 20, 30}, 0);
  writePng(folder / "deep", plainPixels(5, 4, {0xff, 0xff}), 5, 4, PNG_FORMAT_LINEAR_Y);
  expectPlain(decoded(folder / "deep"), 5, 4, {255, 255, 255}, 0);
}

TEST(PictureFile, KeepsRowsAndColumns) {
  const TempFolder folder{};
  Bytes pixels;
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 5; ++x) pixels.insert(pixels.end(), {static_cast<std::uint8_t>(10 * y + x), static_cast<std::uint8_t>(100 + y), static_cast<std::uint8_t>(200 + x)});
  writePng(folder / "p", pixels, 5, 3, PNG_FORMAT_RGB);
  const datasets::Picture picture = decoded(folder / "p");
  for (std::size_t y = 0; y < 3; ++y)
    for (std::size_t x = 0; x < 5; ++x) {
      EXPECT_EQ(picture.pixels[y * 5 + x], 10 * y + x);
      EXPECT_EQ(picture.pixels[15 + y * 5 + x], 100 + y);
      EXPECT_EQ(picture.pixels[30 + y * 5 + x], 200 + x);
    }
}

TEST(PictureFile, NamesWhatIsOff) {
  const TempFolder folder{};
  const Bytes jpeg = jpegBytes(somePixels(3, 64), 64, 64, TJPF_RGB);
  const auto read = [&](Bytes bytes) {
    writePlain(folder / "p", bytes);
    return refusal(folder, [&] { decoded(folder / "p"); });
  };
  EXPECT_EQ(refusal(folder, [&] { decoded(folder / "none"); }), "/none: cannot be opened: No such file or directory");
  EXPECT_EQ(refusal(folder, [&] { decoded(folder.path()); }), ": cannot be read: Is a directory");
  EXPECT_EQ(read({}), "/p: is neither JPEG nor PNG: it is empty");
  EXPECT_EQ(read({'G', 'I', 'F', '8', '9', 'a'}), "/p: is neither JPEG nor PNG: it begins with 47 49 46 38");
  EXPECT_THAT(read(Bytes(jpeg.begin(), jpeg.begin() + static_cast<std::ptrdiff_t>(jpeg.size() / 2))), ::testing::MatchesRegex("/p: is a damaged JPEG: .*remature end.*"));
  EXPECT_EQ(read(Bytes(jpeg.begin(), jpeg.begin() + 40)), "/p: has 0x0 pixels, must have 1 to 67108864");
  writePng(folder / "p", somePixels(3, 64), 64, 64, PNG_FORMAT_RGB);
  Bytes png = readAll(folder / "p");
  EXPECT_THAT(read(Bytes(png.begin(), png.begin() + static_cast<std::ptrdiff_t>(png.size() / 2))), ::testing::StartsWith("/p: is a damaged PNG: "));
  png[png.size() / 2] ^= 0xff;
  EXPECT_THAT(read(png), ::testing::StartsWith("/p: is a damaged PNG: "));
}

TEST(PictureFile, BrokenFilesNeverCrash) {
  const TempFolder folder{};
  breakAndRead(folder / "p", jpegBytes(somePixels(3, 32), 32, 32, TJPF_RGB), 800, [&] { decoded(folder / "p"); });
  breakAndRead(folder / "p", jpegBytes(somePixels(4, 32), 32, 32, TJPF_CMYK), 300, [&] { decoded(folder / "p"); });
  writePng(folder / "q", somePixels(3, 32), 32, 32, PNG_FORMAT_RGB);
  breakAndRead(folder / "p", readAll(folder / "q"), 800, [&] { decoded(folder / "p"); });
}

class ImageFolder : public ::testing::Test {
 protected:
  // Plain pictures of `value`, so that a pixel says which one it is.
  void picture(const std::string& name, std::uint8_t value) {
    std::filesystem::create_directories(std::filesystem::path(folder_ / name).parent_path());
    writePng(folder_ / name, plainPixels(30, 20, {value, value, value}), 30, 20, PNG_FORMAT_RGB);
  }
  datasets::Dataset load(std::map<std::string, ParamValue> given = {}) {
    const datasets::DatasetDef& def = *datasets::findDataset("image_folder");
    given["path"] = folder_.path();
    return def.load(paramsFor(def, given), 1);
  }
  std::string refused() {
    return refusal(folder_, [&] { load(); });
  }
  void small() {
    picture("train/dog/b.PNG", 4);
    picture("train/dog/a.png", 3);
    picture("train/cat/images/z.jpeg", 1);
    picture("train/cat/y.png", 2);
    picture("val/cat/v.png", 5);
    picture("val/dog/w.png", 6);
    writePlain(folder_ / "train/dog/list.txt", {'x'});
  }
  const TempFolder folder_{};
};

TEST_F(ImageFolder, ClassesAreFoldersInOrderOfTheirNames) {
  small();
  const datasets::Dataset data = load();
  EXPECT_EQ(data.classes, 2);
  EXPECT_EQ(data.train.labels, (std::vector<std::uint16_t>{0, 0, 1, 1}));
  EXPECT_EQ(data.test.labels, (std::vector<std::uint16_t>{0, 1}));
  EXPECT_EQ(data.shape, (Shape{.channels = 3, .height = 224, .width = 224}));
  datasets::Picture picture;
  const std::array<int, 4> order{1, 2, 3, 4};
  for (std::size_t i = 0; i < 4; ++i) {
    data.train.files->decode(i, picture);
    EXPECT_EQ(picture.pixels[0], order[i]);
  }
  data.test.files->decode(1, picture);
  EXPECT_EQ(picture.pixels[0], 6);
}

TEST_F(ImageFolder, HasTheAskedSizeAndSkipsOnlyWhenAsked) {
  small();
  EXPECT_EQ(load({{"resize", std::int64_t{64}}}).shape, (Shape{.channels = 3, .height = 64, .width = 64}));
  EXPECT_FALSE(load().skipBroken);
  EXPECT_TRUE(load({{"skip_broken", true}}).skipBroken);
}

TEST_F(ImageFolder, TestStandsInForVal) {
  small();
  std::filesystem::rename(folder_ / "val", folder_ / "test");
  EXPECT_EQ(load().test.count(), 2U);
  std::filesystem::remove_all(folder_ / "test");
  EXPECT_EQ(refused(), "dataset \"image_folder\":  has neither val nor test");
}

TEST_F(ImageFolder, NamesWhatIsOff) {
  EXPECT_EQ(refused(), "data set \"image_folder\" is not on " + hostName() + ": there is no train/ in ; name a folder that has train and val as the data set's path");
  small();
  std::filesystem::create_directory(folder_ / "train/eel");
  EXPECT_EQ(refused(), "/val: has 2 classes, /train has 3; it lacks eel");
  picture("val/eel/e.png", 1);
  EXPECT_EQ(refused(), "/train/eel: has no pictures (.jpg, .jpeg, .png)");
  picture("train/eel/e.png", 1);
  picture("val/fox/f.png", 1);
  EXPECT_EQ(refused(), "/val: has 4 classes, /train has 3; it has besides fox");
  std::filesystem::remove_all(folder_ / "val");
  std::filesystem::create_directory(folder_ / "val");
  EXPECT_EQ(refused(), "/val: has no class folders");
}

TEST(Synthetic, HasAnyShape) {
  const datasets::DatasetDef& def = *datasets::findDataset("synthetic");
  const datasets::Dataset data = def.load(paramsFor(def, {{"channels", std::int64_t{3}}, {"height", std::int64_t{10}}, {"width", std::int64_t{33}}, {"train_count", std::int64_t{20}},
                                                {"test_count", std::int64_t{5}}, {"classes", std::int64_t{300}}}), 1);
  EXPECT_EQ(data.shape, (Shape{.channels = 3, .height = 10, .width = 33}));
  EXPECT_EQ(data.train.pixels.size(), 20U * 990U);
  EXPECT_EQ(*std::max_element(data.train.labels.begin(), data.train.labels.end()), 19);
  const TempFolder folder{};
  const Params huge = paramsFor(def, {{"channels", std::int64_t{16}}, {"height", std::int64_t{1024}}, {"width", std::int64_t{1024}}, {"train_count", std::int64_t{1000000}}});
  EXPECT_EQ(refusal(folder, [&] { def.load(huge, 1); }), "dataset \"synthetic\": 1001000 pictures of 16x1024x1024 take 16793 GB, the limit is 16");
}

// Runs of earlier versions are compared with runs of this one.
TEST(Synthetic, GivesTheSameBytesAsEver) {
  const datasets::DatasetDef& def = *datasets::findDataset("synthetic");
  const datasets::Dataset data = def.load(paramsFor(def, {{"train_count", std::int64_t{500}}, {"test_count", std::int64_t{100}}}), 7);
  std::uint64_t hash = 1469598103934665603U;  // FNV-1a
  for (const datasets::Images* images : {&data.train, &data.test})
    for (const std::uint8_t byte : images->pixels) hash = (hash ^ byte) * 1099511628211U;
  EXPECT_EQ(hash, 9929408979290785140U);
}

}  // namespace
}  // namespace paceline::tests
