#include <algorithm>
#include <array>
#include <cstdio>

#include "tests/data/data_sets.h"

namespace paceline::tests {
namespace {

constexpr std::size_t kPixels = 3072;

Bytes records(const std::vector<Bytes>& labels, std::uint32_t seed = 1) {
  Bytes bytes;
  std::uint32_t state = seed;
  for (const Bytes& label : labels) {
    bytes.insert(bytes.end(), label.begin(), label.end());
    for (std::size_t i = 0; i < kPixels; ++i) bytes.push_back(static_cast<std::uint8_t>((state = state * 1664525U + 1013904223U) >> 24));
  }
  return bytes;
}

using Members = std::vector<std::pair<std::string, Bytes>>;

Members cifar10Members() {
  Members members;
  for (int i = 1; i <= 5; ++i)
    members.emplace_back("data_batch_" + std::to_string(i) + ".bin", records({{static_cast<std::uint8_t>(i)}, {9}}, static_cast<std::uint32_t>(i)));
  members.emplace_back("test_batch.bin", records({{0}, {7}, {9}}, 6));
  return members;
}

void writeFolder(const TempFolder& folder, const Members& members) {
  for (const auto& [name, bytes] : members) writePlain(folder / name, bytes);
}

// A ustar archive (POSIX.1-1988) of regular files, packed with gzip.
void writeTar(const std::string& path, const Members& members, const std::string& inside) {
  Bytes tar;
  for (const auto& [name, bytes] : members) {
    std::array<char, 512> header{};
    std::snprintf(header.data(), 100, "%s/%s", inside.c_str(), name.c_str());
    std::snprintf(header.data() + 100, 8, "0000644");
    std::snprintf(header.data() + 124, 12, "%011zo", bytes.size());
    std::snprintf(header.data() + 136, 12, "%011o", 0);
    header[156] = '0';
    std::snprintf(header.data() + 257, 8, "ustar");
    std::copy_n("00", 2, header.data() + 263);
    std::fill_n(header.data() + 148, 8, ' ');
    unsigned sum = 0;
    for (const char c : header) sum += static_cast<unsigned char>(c);
    std::snprintf(header.data() + 148, 8, "%06o", sum);
    tar.insert(tar.end(), header.begin(), header.end());
    tar.insert(tar.end(), bytes.begin(), bytes.end());
    tar.resize((tar.size() + 511) / 512 * 512);
  }
  tar.resize(tar.size() + 1024);
  writeGzip(path, tar);
}

datasets::Dataset load(const std::string& id, const std::string& path, bool anyCount = true) {
  const datasets::DatasetDef& def = *datasets::findDataset(id);
  return def.load(paramsFor(def, {{"path", path}, {"any_count", anyCount}}), 1);
}

TEST(Cifar, ReadsTheFilesInTheirOrder) {
  const TempFolder folder{};
  const Members members = cifar10Members();
  writeFolder(folder, members);
  const datasets::Dataset data = load("cifar10", folder.path());
  EXPECT_EQ(data.train.labels, (std::vector<std::uint16_t>{1, 9, 2, 9, 3, 9, 4, 9, 5, 9}));
  EXPECT_EQ(data.test.labels, (std::vector<std::uint16_t>{0, 7, 9}));
  EXPECT_EQ(data.stored, (Shape{.channels = 3, .height = 32, .width = 32}));
  const Bytes& second = members[1].second;  // its first record is the set's third
  EXPECT_TRUE(std::equal(second.begin() + 1, second.begin() + 1 + kPixels, data.train.pixels.begin() + 2 * kPixels));
}

TEST(Cifar, TheArchiveGivesWhatItsFolderGives) {
  const TempFolder folder, packed;
  writeFolder(folder, cifar10Members());
  writeTar(packed / "cifar-10-binary.tar.gz", cifar10Members(), "cifar-10-batches-bin");
  const datasets::Dataset unpacked = load("cifar10", folder.path());
  for (const std::string& path : {packed / "cifar-10-binary.tar.gz", packed.path()}) {
    const datasets::Dataset data = load("cifar10", path);
    EXPECT_EQ(data.train.pixels, unpacked.train.pixels);
    EXPECT_EQ(data.test.labels, unpacked.test.labels);
  }
}

TEST(Cifar100, TakesTheFineLabel) {
  const TempFolder folder{};
  writePlain(folder / "train.bin", records({{3, 77}, {19, 99}}));
  writePlain(folder / "test.bin", records({{0, 12}}));
  const datasets::Dataset data = load("cifar100", folder.path());
  EXPECT_EQ(data.classes, 100);
  EXPECT_EQ(data.train.labels, (std::vector<std::uint16_t>{77, 99}));
  EXPECT_EQ(data.test.pixels.size(), kPixels);
}

TEST(Cifar, RefusesACountThatWasNotPublished) {
  const TempFolder folder{};
  writeFolder(folder, cifar10Members());
  EXPECT_EQ(refusal(folder, [&] { load("cifar10", folder.path(), false); }),
            "dataset \"cifar10\":  has 10 images to train, the published set has 50000; get it again, or set /dataset/params/any_count to true for a subset");
}

TEST(Cifar, NamesWhatIsOff) {
  const TempFolder folder{};
  Members members = cifar10Members();
  members[2].second.pop_back();
  writeFolder(folder, members);
  EXPECT_EQ(refusal(folder, [&] { load("cifar10", folder.path()); }), "/data_batch_3.bin: has 6145 bytes, which is no whole number of records of 3073");
  members[2].second = records({{4}, {10}});
  writeFolder(folder, members);
  EXPECT_EQ(refusal(folder, [&] { load("cifar10", folder.path()); }), "/data_batch_3.bin: label 10 of record 1 is out of range, must be < 10");
  std::filesystem::remove(folder / "data_batch_3.bin");
  EXPECT_EQ(refusal(folder, [&] { load("cifar10", folder.path()); }), ": has no data_batch_3.bin");
  EXPECT_EQ(refusal(folder, [&] { load("cifar100", folder.path()); }),
            "data set \"cifar100\" is not on " + hostName() + ": there is no train.bin or cifar-100-binary.tar.gz in ; get it with paceline data download cifar100, or name its folder as the data set's path");
}

TEST(Cifar, AnArchiveMustBeWhole) {
  const TempFolder folder{};
  Members members = cifar10Members();
  const std::string path = folder / "cifar-10-binary.tar.gz";
  writeTar(path, members, "cifar-10-batches-bin");
  const Bytes whole = readAll(path);
  Bytes cut = whole;
  cut.resize(cut.size() / 2);
  writePlain(path, cut);
  EXPECT_THAT(refusal(folder, [&] { load("cifar10", path); }), ::testing::MatchesRegex("/cifar-10-binary.tar.gz: the gzip stream is truncated: it ends after [0-9]+ bytes of content"));
  Bytes flipped = whole;
  flipped[flipped.size() - 6] ^= 0xff;  // the checksum of the content
  writePlain(path, flipped);
  EXPECT_EQ(refusal(folder, [&] { load("cifar10", path); }), "/cifar-10-binary.tar.gz: the gzip stream is damaged: incorrect data check");
  writePlain(path, somePixels(3));
  EXPECT_THAT(refusal(folder, [&] { load("cifar10", path); }), ::testing::StartsWith("/cifar-10-binary.tar.gz: is no whole tar archive: "));
  members.erase(members.begin());
  writeTar(path, members, "cifar-10-batches-bin");
  EXPECT_EQ(refusal(folder, [&] { load("cifar10", path); }), "/cifar-10-binary.tar.gz: has no data_batch_1.bin");
  members = cifar10Members();
  members.push_back(members.front());
  writeTar(path, members, "x");
  EXPECT_EQ(refusal(folder, [&] { load("cifar10", path); }), "/cifar-10-binary.tar.gz: has data_batch_1.bin twice");
}

TEST(Cifar, BrokenArchivesNeverCrash) {
  const TempFolder folder{};
  const std::string path = folder / "cifar-10-binary.tar.gz";
  writeTar(path, cifar10Members(), "cifar-10-batches-bin");
  breakAndRead(path, readAll(path), 300, [&] { load("cifar10", path); });
  writeTar(path, cifar10Members(), "cifar-10-batches-bin");
  Bytes plain(1 << 18);  // the same without gzip: changes reach the tar headers
  gzFile file = gzopen(path.c_str(), "rb");
  plain.resize(static_cast<std::size_t>(gzread(file, plain.data(), static_cast<unsigned>(plain.size()))));
  gzclose(file);
  breakAndRead(path, plain, 700, [&] { load("cifar10", path); });
}

TEST(Cifar, AFileIsNoFolder) {
  const TempFolder folder{};
  std::filesystem::create_directory(folder / "data_batch_1.bin");
  EXPECT_THAT(refusal(folder, [&] { load("cifar10", folder.path()); }), ::testing::StartsWith("data set \"cifar10\" is not on "));
}

}  // namespace
}  // namespace paceline::tests
