// A cut from a file of lists: exactly those, and each mistake in a sentence with its place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "engine/core/base/error.h"
#include "engine/core/base/hash.h"
#include "engine/core/spec/pinned_file.h"
#include "engine/data/partitioners/partitioner.h"
#include "tests/support/own_folder.h"

namespace paceline::tests {
namespace {

const std::vector<std::uint16_t> kLabels(10);

struct Written {
  std::string path, text;
};
Written written(const std::string& text) {
  Written made{.path = (ownFolder() / "lists.json").string(), .text = text};
  std::ofstream(made.path) << text;
  return made;
}

partitioners::Partition split(const std::string& named, int world, bool shuffle = true) {
  Params params;
  params.set("path", named);
  params.set("shuffle", shuffle);
  return partitioners::findPartitioner("indices")->split({.labels = kLabels, .world = world, .params = params});
}

std::string refusal(const std::string& text, int world) {
  const Written file = written(text);
  try {
    split(file.path, world);
  } catch (const Error& error) {
    std::string said = error.what();
    const std::size_t at = said.find(file.path);
    return at == std::string::npos ? said : said.replace(at, file.path.size(), "FILE");
  }
  return "nothing thrown";
}

TEST(Indices, AreTheListsOfTheFile) {
  const Written file = written("[[9, 0, 3], [4]]");
  const partitioners::Partition partition = split(file.path, 2);
  EXPECT_EQ(partition.indices, (std::vector<std::vector<std::uint32_t>>{{9, 0, 3}, {4}}));
  EXPECT_TRUE(partition.shuffled);
  EXPECT_FALSE(split(file.path, 2, false).shuffled);
}

TEST(Indices, EachMistakeIsOneSentenceWithItsPlace) {
  EXPECT_EQ(refusal("[[0, 10]]", 1), "partition \"indices\": FILE, at /0/1: there is no sample 10: the training set has 0 to 9");
  EXPECT_EQ(refusal("[[0], [-1]]", 2), "partition \"indices\": FILE, at /1/0: there is no sample -1: the training set has 0 to 9");
  EXPECT_EQ(refusal("[[0, 1.5]]", 1), "partition \"indices\": FILE, at /0/1: the number of a sample is expected, not 1.5");
  EXPECT_EQ(refusal("[[0], [\"a\"]]", 2), "partition \"indices\": FILE, at /1/0: the number of a sample is expected, not \"a\"");
  EXPECT_EQ(refusal("[[0, 1], [2, 1]]", 2), "partition \"indices\": FILE, at /1/1: worker 0 already has sample 1");
  EXPECT_EQ(refusal("[[0, 1, 0]]", 1), "partition \"indices\": FILE, at /0/2: worker 0 has sample 0 twice");
  EXPECT_EQ(refusal("[[0, 1]]", 2), "partition \"indices\": FILE: it has lists for 1 workers, the document has 2");
  EXPECT_EQ(refusal("[[0], [1], [2]]", 2), "partition \"indices\": FILE: it has lists for 3 workers, the document has 2");
  EXPECT_EQ(refusal("[[0, 1], []]", 2), "partition \"indices\": FILE, at /1: worker 1 gets no sample");
  EXPECT_EQ(refusal("[0, 1]", 2), "partition \"indices\": FILE, at /0: a list of samples is expected, not 0");
  EXPECT_EQ(refusal("{\"w0\": [0]}", 1), "partition \"indices\": FILE: a list of lists of samples is expected, not an object");
  EXPECT_THAT(refusal("[[0, 1], [2,", 2), ::testing::StartsWith("FILE: is not JSON: line 1"));
}

TEST(Indices, OfAFileThatHasChangedAreRefused) {
  const Written file = written("[[0]]");
  const std::string pinned = textOf({.path = file.path, .sha256 = sha256Hex(file.text)});
  EXPECT_EQ(split(pinned, 1).indices, (std::vector<std::vector<std::uint32_t>>{{0}}));
  std::ofstream(file.path) << "[[1]]";
  try {
    split(pinned, 1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Errc::kData);
    EXPECT_THAT(error.what(), ::testing::HasSubstr("lists.json has changed: its SHA-256 is "));
  }
}

TEST(Indices, NeedAFile) {
  try {
    split("", 1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "/partition/params/path: must name a JSON file of lists, list i the samples of worker i");
  }
}

}  // namespace
}  // namespace paceline::tests
