// What a person writes, as blocks; what is wrong, with its line.
#include "app/report/document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace paceline::tests {
namespace {

using report::BlockKind;
using report::Document;
using report::parse;
using ::testing::ElementsAre;

std::vector<std::string> problemsOf(const std::string& text) {
  std::vector<std::string> all;
  for (const report::Problem& problem : parse(text).problems) all.push_back(problem.text());
  return all;
}

TEST(Document, HasAHeadWithNamesForRuns) {
  const Document document = parse("---\n# a remark\ntitle: Who waits\nauthor: A. Person\ntarget: 85 %\nrun esync: 01m8, 01m9\nrun other: \"a, b\"\n---\nText.");
  EXPECT_EQ(document.title, "Who waits");
  EXPECT_EQ(document.author, "A. Person");
  EXPECT_EQ(document.target, 0.85);
  ASSERT_EQ(document.runs.size(), 2u);
  EXPECT_EQ(document.runs[0].name, "esync");
  EXPECT_THAT(document.runs[0].words, ElementsAre("01m8", "01m9"));
  EXPECT_THAT(document.runs[1].words, ElementsAre("a, b"));
  EXPECT_EQ(document.runs[1].line, 7);
  EXPECT_TRUE(document.problems.empty());
  EXPECT_EQ(document.blocks.at(0).line, 9);
}

TEST(Document, IsWithoutAHeadToo) {
  const Document document = parse("# One\n\nTwo\nlines.\r\n\n- a\n- b\n  goes on\n3. c\n\n```\ncode {{x}}\n```\n");
  std::vector<BlockKind> kinds;
  for (const report::Block& block : document.blocks) kinds.push_back(block.kind);
  EXPECT_THAT(kinds, ElementsAre(BlockKind::kHeading, BlockKind::kParagraph, BlockKind::kBullet, BlockKind::kBullet, BlockKind::kNumbered, BlockKind::kCode));
  EXPECT_EQ(document.blocks[1].spans.at(0).text, "Two lines.");
  EXPECT_EQ(document.blocks[3].spans.at(0).text, "b   goes on");
  EXPECT_EQ(document.blocks[4].level, 3);
  EXPECT_EQ(document.blocks[5].code, "code {{x}}\n");
  EXPECT_EQ(document.target, 0.8);
}

TEST(Document, SpansHaveTheirLooks) {
  const auto spans = parse("a **b** *c* `d_{{e}}` [f](https://g.org/h_i) 2 * 3 * 4 snake_case_name \\*plain\\* {{x.rounds}}").blocks.at(0).spans;
  std::string looks;
  for (const report::Span& span : spans) looks += (span.bold ? "B" : "") + std::string(span.emphasis ? "E" : "") + (span.code ? "C" : "") + (span.link.empty() ? "" : "L") + (span.live.term ? "N" : "") + "(" + span.text + ")";
  EXPECT_EQ(looks, "(a )B(b)( )E(c)( )C(d_{{e}})( )L(f)( 2 * 3 * 4 snake_case_name *plain* )N({{x.rounds}})");
  EXPECT_EQ(spans[7].link, "https://g.org/h_i");
}

TEST(Document, CommandsStandOnALineOfTheirOwn) {
  const Document document = parse("{{figure accuracy esync \"demo run\" x=rounds caption=\"Over rounds\"}}\ntext\n  {{results}}");
  ASSERT_EQ(document.blocks.size(), 3u);
  const report::Command& command = document.blocks[0].command;
  EXPECT_EQ(command.name, "figure");
  EXPECT_THAT(command.words, ElementsAre("accuracy", "esync", "demo run"));
  EXPECT_EQ(command.options.at("caption"), "Over rounds");
  EXPECT_EQ(document.blocks[2].command.name, "results");
}

TEST(Document, TellsEachMistakeWithItsLine) {
  EXPECT_THAT(problemsOf("---\ntitel: x\n---\n"), ElementsAre("line 2: \"titel\" is not known in the head; have title, author, target, run NAME"));
  EXPECT_THAT(problemsOf("---\ntarget: 800\n---\n"), ElementsAre("line 2: target must be an accuracy such as 80 % or 0.8; it is \"800\""));
  EXPECT_THAT(problemsOf("---\nrun a-b: x\n---\n"), ElementsAre("line 2: a name for runs has letters, digits and _ only; it is \"a-b\""));
  EXPECT_THAT(problemsOf("---\nrun a:\n---\n"), ElementsAre("line 2: run a names no run; write its id, the beginning of it, or its name"));
  EXPECT_THAT(problemsOf("---\nrun a: x\nrun a: y\n---\n"), ElementsAre("line 3: run a is there twice"));
  EXPECT_THAT(problemsOf("---\ntitle: x"), ElementsAre("line 1: the head that begins with --- does not end with ---"));
  EXPECT_THAT(problemsOf("one\ntwo {{a.b"), ElementsAre("line 2: \"{{a.b\" does not end with }}"));
  EXPECT_THAT(problemsOf("\nsee {{figure accuracy}} here"), ElementsAre("line 2: {{figure}} stands on a line of its own"));
  EXPECT_THAT(problemsOf("```\ncode"), ElementsAre("line 1: the lines of code that begin with ``` do not end with ```"));
  EXPECT_THAT(problemsOf("a\n\n{{figure accuracy x=\"time}}"), ElementsAre("line 3: a quote has no end in \"figure accuracy x=\"time\""));
  EXPECT_THAT(problemsOf("{{lanes a from=1 from=2}}"), ElementsAre("line 1: option from is there twice"));
  EXPECT_THAT(problemsOf("[x](javascript:alert)"), ElementsAre("line 1: the address of link \"x\" must begin with https://, http:// or mailto: and have no spaces; it is \"javascript:alert\""));
  EXPECT_THAT(problemsOf("fine\nbad \xff here"), ElementsAre("line 2: it is no UTF-8: \"bad ? here\""));
}

TEST(Document, RefusesWhatIsNoReport) {
  EXPECT_THAT(problemsOf(std::string(report::kMaxReportBytes + 1, 'a')), ElementsAre("line 1: a report has at most 1.0 MB; this one has 1.0 MB"));
  EXPECT_TRUE(parse("").blocks.empty());
  EXPECT_TRUE(parse(std::string(1000, '*')).problems.empty());  // ends, whatever it is
  std::string open;
  for (int i = 0; i < 200'000; ++i) open += "[](";
  EXPECT_EQ(parse(open).blocks.at(0).spans.at(0).text, open);
  EXPECT_EQ(parse(std::string(500'000, '[')).blocks.at(0).spans.size(), 1u);
}

TEST(Document, AHeadWithoutAnEndIsToldOnceAndEndsAtAnEmptyLine) {
  const Document document = parse("---\ntitle: x\n\nA text that is no head.\n\nAnother one.\n");
  ASSERT_EQ(document.problems.size(), 1u);
  EXPECT_EQ(document.title, "x");
  EXPECT_EQ(document.blocks.size(), 2u);
}

TEST(Document, HelpNamesEveryNumber) {
  const std::string help = report::syntaxHelp();
  for (const char* word : {"best_accuracy", "time_to_target", "algorithm", "local_steps", "{{differences", "smooth"}) EXPECT_NE(help.find(word), std::string::npos) << word;
}

}  // namespace
}  // namespace paceline::tests
