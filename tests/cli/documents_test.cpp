#include "app/cli/results/documents.h"
#include "app/cli/help/manual_pages.h"
#include "storage/summary/assumed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/json/json_text.h"

namespace paceline::tests {
namespace {

TEST(ShowDocument, HasEveryDescribedNumberOfEveryTypeOfRecord) {
  summary::RunData data;
  data.run.id = "r1", data.run.specText = "{}", data.run.versions = "{}";
  summary::eachList(data, []<class Record>(std::vector<store::RecordRow<Record>>& rows) { rows = {{.node = "w0", .seq = 1, .record = {}}}; });
  for (const double value : {2.0, 4.0}) data.metrics.push_back({.node = "w0", .seq = 2, .record = {.round = 1, .t = 1, .name = "drift", .value = value}});
  const Json recorded = Json::parse(cli::showDocument(data, summary::summarise(data)))["recorded"];
  summary::eachList(data, [&]<class Record>(const std::vector<store::RecordRow<Record>>&) {
    if (Record::kName.kind.empty()) return;  // notices are listed whole
    const Json& group = recorded.at(std::string(Record::kName.list)).at(0);
    EXPECT_EQ(group["node"], "w0");
    const Record fresh{};
    describe([&]<class Value>(const Field& field, const Value&) {
      const bool there = std::same_as<Value, std::optional<double>> || group.contains(field.key);
      EXPECT_TRUE(there) << Record::kName.list << "/" << field.key;
    }, fresh);
  });
  const Json& drift = recorded["metrics"][1];
  EXPECT_EQ(drift["name"], "drift");
  EXPECT_EQ(drift["rows"], 2);
  EXPECT_EQ(drift["value"], (Json{{"mean", 3.0}, {"last", 4.0}}));
}

TEST(Assumed, IsSaidOfWhatADocumentLeavesOpen) {
  RunSpec spec;
  spec.nodes.resize(3);
  for (std::size_t i = 0; i < 3; ++i) spec.nodes[i].id = std::vector{"s0", "w0", "w1"}[i];
  spec.nodes[0].role = Role::kServer;
  EXPECT_EQ(summary::assumedOf(spec), "a step of w0, w1 takes 0.1 s times its slowdown (no emulate.step_s); links of s0, w0, w1 carry any number of bytes at once (no emulate.bandwidth_mbps)");
  for (NodeSpec& node : spec.nodes) node.emulate.bandwidthMbps = 100;
  spec.nodes[1].emulate.stepSeconds = 0.2;
  EXPECT_EQ(summary::assumedOf(spec), "a step of w1 takes 0.1 s times its slowdown (no emulate.step_s)");
  spec.nodes[2].emulate.steps = {0.1, 0.2};
  EXPECT_EQ(summary::assumedOf(spec), "");
}

TEST(ManualPage, HasWhatItsChapterHas) {
  const std::string page = cli::manualPage(cli::readChapter("05-suites.md", "# Suites, searches\n\nMany *runs*, see [Figures](06-figures.md#x).\nA `/vary` **list**.\n\n## Queue\n\n| key | does | unit |\n|---|---|---|\n| `a` | adds | s |\n\n* one\n\n```console\n$ paceline runs\n.dot\n```\n"), {"paceline-manual.7"});
  EXPECT_THAT(page, ::testing::HasSubstr(".TH \"PACELINE\\-SUITES\" 7"));
  EXPECT_THAT(page, ::testing::HasSubstr("paceline\\-suites \\- Suites, searches\n"));
  EXPECT_THAT(page, ::testing::HasSubstr("Many \\fIruns\\fR, see Figures. A \\fB/vary\\fR \\fBlist\\fR.\n"));
  EXPECT_THAT(page, ::testing::HasSubstr(".SH Queue\n.TP\n\\fBa\\fR\ndoes: adds; unit: s\n.IP \\(bu 2\none\n"));
  EXPECT_THAT(page, ::testing::HasSubstr(".nf\n$ paceline runs\n\\&.dot\n.fi\n"));
  EXPECT_THAT(page, ::testing::HasSubstr(".BR paceline\\-manual (7)\n"));
}

}  // namespace
}  // namespace paceline::tests
