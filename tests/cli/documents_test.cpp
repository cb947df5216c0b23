#include "app/cli/results/documents.h"

#include <gtest/gtest.h>

namespace paceline::tests {
namespace {

TEST(Differences, NameEveryPointerThatDiffers) {
  const auto found = cli::differences(R"({"seed": 1, "stop": {"rounds": 5}, "nodes": [{"id": "a"}], "same": true})",
                                 R"({"seed": 2, "stop": {"rounds": 5, "seconds": 1.5}, "nodes": [{"id": "b"}], "same": true})");
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].pointer, "/nodes/0/id");
  EXPECT_EQ(found[0].left, "\"a\"");
  EXPECT_EQ(found[1].pointer, "/seed");
  EXPECT_EQ(found[1].right, "2");
  EXPECT_EQ(found[2].pointer, "/stop/seconds");
  EXPECT_EQ(found[2].left, "");
}

TEST(Differences, OfEqualDocumentsAreNone) { EXPECT_TRUE(cli::differences(R"({"a": [1, 2]})", R"({"a": [1, 2]})").empty()); }

}  // namespace
}  // namespace paceline::tests
