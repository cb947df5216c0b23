#include "engine/core/spec/catalog.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/base/error.h"
#include "engine/core/spec/distinct_ids.h"
#include "tests/core/sample.h"
#include "tests/support/failure.h"

namespace paceline::tests {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string catalogFailure(const std::string& text) { return failureOf([&] { parseCatalog(text); }, Errc::kFormat); }

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

void expectSame(const CatalogEntry& a, const CatalogEntry& b) {
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.title, b.title);
  EXPECT_EQ(a.summary, b.summary);
  EXPECT_EQ(a.reference, b.reference);
  ASSERT_EQ(a.params.size(), b.params.size());
  for (std::size_t i = 0; i < a.params.size(); ++i) {
    const ParamSpec &x = a.params[i], &y = b.params[i];
    EXPECT_EQ(x.name, y.name);
    EXPECT_EQ(x.type, y.type);
    EXPECT_EQ(x.fallback, y.fallback);
    EXPECT_EQ(x.min, y.min);
    EXPECT_EQ(x.max, y.max);
    EXPECT_EQ(x.choices, y.choices);
    EXPECT_EQ(x.help, y.help);
    EXPECT_EQ(x.unit, y.unit);
    EXPECT_EQ(x.atMost, y.atMost);
    EXPECT_EQ(x.counts, y.counts);
  }
}

TEST(Catalog, SurvivesItsText) {
  const Catalog catalog = sample::catalog();
  const Catalog back = parseCatalog(toJsonText(catalog));
  EXPECT_EQ(toJsonText(back), toJsonText(catalog));
  EXPECT_EQ(back.version, "0.1.0");
  EXPECT_EQ(back.torch, "1.13.1");
  EXPECT_EQ(back.devices, catalog.devices);
  ASSERT_EQ(back.algorithms.size(), catalog.algorithms.size());
  for (std::size_t i = 0; i < catalog.algorithms.size(); ++i) {
    expectSame(back.algorithms[i], catalog.algorithms[i]);
    EXPECT_EQ(back.algorithms[i].topology, catalog.algorithms[i].topology);
    EXPECT_EQ(back.algorithms[i].synchronous, catalog.algorithms[i].synchronous);
    EXPECT_EQ(back.algorithms[i].needsServer, catalog.algorithms[i].needsServer);
  }
  ASSERT_EQ(back.models.size(), 2u);
  EXPECT_EQ(back.models[1].inputs, catalog.models[1].inputs);
  EXPECT_EQ(back.models[1].parameterCount, 431080);
  ASSERT_EQ(back.datasets.size(), 3u);
  EXPECT_EQ(back.datasets[2].shape, (Shape{3, 32, 32}));
  EXPECT_EQ(back.datasets[0].trainCount, 1000);
  EXPECT_EQ(back.datasets[0].location, "built in");
  ASSERT_EQ(back.aggregations.size(), 2u);
  EXPECT_TRUE(back.aggregations[0].needsServer);
  EXPECT_FALSE(back.aggregations[1].needsServer);
  EXPECT_EQ(back.partitions.size(), 2u);
  EXPECT_EQ(back.schedules.size(), 1u);
}

// Older agents say nothing of layouts; where blocks begin follows from their sizes.
TEST(Catalog, HasTheLayoutsThatWereAskedFor) {
  Catalog catalog = sample::catalog();
  EXPECT_THAT(toJsonText(catalog), Not(HasSubstr("layouts")));
  EXPECT_TRUE(parseCatalog(toJsonText(catalog)).models[1].layouts.empty());
  Params params;
  params.set("hidden", std::int64_t{32});
  const std::string id = catalog.models[1].id;
  catalog.models[1].layouts = {{.input = {1, 28, 28}, .classes = 10, .params = params, .blocks = {{"a", 0, 30, true, true, 600}, {"b", 30, 4, false, false, 0}}}};
  const Catalog back = parseCatalog(toJsonText(catalog));
  const std::vector<Block>& blocks = blocksOf({.id = id, .params = params}, {1, 28, 28}, 10, back);
  ASSERT_EQ(blocks.size(), 2U);
  EXPECT_EQ(blocks[0].work, 600);
  EXPECT_TRUE(blocks[0].trainable && blocks[0].decays);
  EXPECT_FALSE(blocks[1].trainable || blocks[1].decays);
  EXPECT_EQ(blocks[1].offset, 30U);
  EXPECT_EQ(blocks[1].size, 4U);
  const std::string unknown = " images of 10 classes; \"paceline-worker describe SPEC\" prints one that does";
  EXPECT_EQ(failureOf([&] { blocksOf({.id = id, .params = params}, {3, 32, 32}, 10, back); }, Errc::kSpec),
            strCat("the catalogue does not say what model \"", id, "\" with these parameters is made of for 3x32x32", unknown));
  EXPECT_EQ(failureOf([&] { blocksOf({.id = id, .params = {}}, {1, 28, 28}, 10, back); }, Errc::kSpec),
            strCat("the catalogue does not say what model \"", id, "\" with these parameters is made of for 1x28x28", unknown));
}

TEST(Catalog, KeysOfANewerAgentArePassedOver) {
  EXPECT_EQ(catalogFailure(replaced(toJsonText(sample::catalog()), "{\"aggregations\"", "{\"colours\":[],\"aggregations\"")), kNoFailure);
}

TEST(Catalog, MistakesNameThePlace) {
  const std::string text = toJsonText(sample::catalog());
  EXPECT_THAT(catalogFailure("nothing"), testing::StartsWith("catalogue: is not JSON: line 1, column 2"));
  EXPECT_THAT(catalogFailure("{}"), testing::StartsWith("catalogue at /version: is required"));
  EXPECT_EQ(catalogFailure(replaced(text, "\"topology\":\"standalone\"", "\"topology\":\"moon\"")),
            "catalogue at /algorithms/0/topology: \"topology\" must be standalone, server, aggregated or decentralised; it is \"moon\".");
  EXPECT_EQ(catalogFailure(replaced(text, "\"type\":\"real\"", "\"type\":\"complex\"")),
            "catalogue at /algorithms/2/params/0/type: \"type\" must be boolean, integer, real, choice or text; it is \"complex\".");
  EXPECT_EQ(catalogFailure(replaced(text, "[[1,28,28]", "[[1,28]")), "catalogue at /models/1/inputs/0: must be [channels, height, width]");
}

TEST(Catalog, FindsEntriesById) {
  const Catalog catalog = sample::catalog();
  EXPECT_EQ(findEntry(catalog.models, "lenet"), &catalog.models[1]);
  EXPECT_EQ(findEntry(catalog.models, "vgg"), nullptr);
}

TEST(Catalog, OfTwoWithOneIdTheIdIsNamed) {
  std::vector<CatalogEntry> entries(2);
  entries[0].id = "mine", entries[1].id = "other";
  EXPECT_NO_THROW(requireDistinctIds("models", entries));
  entries[1].id = "mine";
  EXPECT_EQ(failureOf([&] { requireDistinctIds("models", entries); }, Errc::kSpec), "two models of this program are called \"mine\"; build it again with another id in the file that was added to it");
}

}  // namespace
}  // namespace paceline::tests
