#include "engine/core/json/differences.h"

#include <gtest/gtest.h>

namespace paceline::tests {
namespace {

using Texts = std::vector<std::string>;

TEST(Differences, NameEveryPointerThatDiffers) {
  const auto found = differences({R"({"seed": 1, "stop": {"rounds": 5}, "nodes": [{"id": "a"}], "same": true})",
                                  R"({"seed": 2, "stop": {"rounds": 5, "seconds": 1.5}, "nodes": [{"id": "b"}], "same": true})"});
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].pointer, "/nodes/0/id");
  EXPECT_EQ(found[0].values, (Texts{"\"a\"", "\"b\""}));
  EXPECT_EQ(found[1].pointer, "/seed");
  EXPECT_EQ(found[1].values, (Texts{"1", "2"}));
  EXPECT_EQ(found[2].pointer, "/stop/seconds");
  EXPECT_EQ(found[2].values, (Texts{"", "1.5"}));
}

TEST(Differences, OfSeveralDocumentsHaveTheValueOfEach) {
  const auto found = differences({R"({"a": 1, "b": 2})", R"({"a": 1, "b": 2})", R"({"a": 1, "b": 3})"});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].values, (Texts{"2", "2", "3"}));
}

TEST(Differences, OfEqualDocumentsOrOneAreNone) {
  EXPECT_TRUE(differences({R"({"a": [1, 2]})", R"({"a": [1, 2]})"}).empty());
  EXPECT_TRUE(differences({R"({"a": 1})"}).empty());
  EXPECT_TRUE(differences({}).empty());
}

TEST(Differences, WhatIsNoJsonIsAnEmptyDocument) { EXPECT_EQ(differences({"nonsense", R"({"a": 1})"}).at(0).values, (Texts{"", "1"})); }

}  // namespace
}  // namespace paceline::tests
