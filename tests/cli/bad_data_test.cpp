// Data sets that break off: the run fails, says which file, and stays in the list.
#include <zlib.h>

#include <filesystem>
#include <fstream>

#include "tests/cli/program.h"

namespace paceline::tests {
namespace {

using ::testing::HasSubstr;

constexpr int kPictures = 50;

std::string header(unsigned char rank, const std::vector<unsigned>& dimensions) {
  std::string bytes = {'\0', '\0', '\x08', static_cast<char>(rank)};
  for (const unsigned d : dimensions)
    for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<char>(d >> shift & 0xFF));
  return bytes;
}

class BadData : public Desk {
 protected:
  BadData() {
    std::filesystem::create_directory(path("data"));
    for (const std::string part : {"train", "t10k"}) {
      std::string pixels = header(3, {kPictures, 28, 28}), labels = header(1, {kPictures});
      for (int i = 0; i < kPictures * 28 * 28; ++i) pixels.push_back(static_cast<char>(i * 7919 >> 3));
      for (int i = 0; i < kPictures; ++i) labels.push_back(static_cast<char>(i % 10));
      gzip(part + "-images-idx3-ubyte.gz", pixels);
      gzip(part + "-labels-idx1-ubyte.gz", labels);
    }
  }

  void gzip(const std::string& name, const std::string& bytes) {
    gzFile file = gzopen(path("data/" + name).c_str(), "wb");
    gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
    gzclose(file);
  }

  std::string spec() {
    return writeSpec(
        "bad.json",
        {{"dataset", {{"id", "mnist"}, {"params", {{"path", path("data")}, {"train_count", nullptr}, {"test_count", nullptr}}}}},
         {"batch_size", 5},
         {"stop", {{"rounds", 2}}}});
  }

  // Both ways to run a document end with the reason; the run is recorded as failed.
  void expectFailure(const std::string& command, const std::string& reason) {
    const Outcome outcome = paceline({command, spec(), "--json"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err, HasSubstr(reason));
    const auto document = nlohmann::json::parse(outcome.out);
    ASSERT_EQ(document["runs"].size(), 1u);
    EXPECT_EQ(document["runs"][0]["state"], "failed");
    EXPECT_THAT(document["runs"][0]["error"].get<std::string>(), HasSubstr(reason));
    EXPECT_EQ(json({"runs", "--json"})["runs"][0]["state"], "failed");
  }
};

TEST_F(BadData, WholeFilesTrain) { EXPECT_EQ(json({"simulate", spec(), "--json"})["runs"][0]["state"], "finished"); }

TEST_F(BadData, TruncatedGzip) {
  const std::string file = path("data/train-images-idx3-ubyte.gz");
  std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
  expectFailure("simulate", file + ": the gzip stream is truncated: it ends after ");
}

TEST_F(BadData, TruncatedGzipInARealRun) {
  const std::string file = path("data/train-images-idx3-ubyte.gz");
  std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
  expectFailure("run", file + ": the gzip stream is truncated: it ends after ");
}

TEST_F(BadData, WrongMagic) {
  gzip("train-labels-idx1-ubyte.gz", std::string(8 + kPictures, '\x07'));
  expectFailure("simulate", path("data/train-labels-idx1-ubyte.gz") + ": the magic number is 0x07070707, expected 0x00000801");
}

TEST_F(BadData, MissingFile) {
  std::filesystem::remove(path("data/t10k-labels-idx1-ubyte.gz"));
  expectFailure("simulate", path("data") + " has no t10k-labels-idx1-ubyte or t10k-labels-idx1-ubyte.gz");
}

}  // namespace
}  // namespace paceline::tests
