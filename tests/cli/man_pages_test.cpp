// What manual pages of commands take out of the manual's chapters.
#include "app/cli/help/man_pages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/cli/help/command_manual.h"
#include "app/cli/help/manual_pages.h"

namespace paceline::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const std::vector<ManualChapter>& chapters() {
  static const std::vector<ManualChapter> all = {
      readChapter("01-tutorial.md", "# First steps\n\nNow `paceline backup` is called.\n\n```console\n$ paceline backup first\n```\n"),
      readChapter("03-store.md", "# Store\n\nOthers speak here. Only `paceline backup` copies\nwhat is written. Nothing else does.\n\n"
                                 "## Copies\n\n`paceline backup DIR` makes a copy. It is checked.\n\n| option | does |\n|---|---|\n| `--keep` | keeps `so \\| many` |\n\n"
                                 "Copies of each day:\n\n```console\n$ paceline backup copies --keep 7\n/copies/one.db: 1 run\n$ paceline runs\n$ ! paceline backup nowhere\n$ while paceline backup x; do true; done\n```\n\n"
                                 "## Elsewhere\n\n* `backup` alone names nothing\n\n```text\nbuild/bin/paceline backups     # another command\n```\n"),
      readChapter("04-only.md", "# Only\n\n## Verify\n\nThis is said without its name.\n\n```console\n$ printf x > it\n$ paceline verify it\n```\n"),
      readChapter("05-terminal.md", "# Terminal\n\n| command | does |\n|---|---|\n| `paceline backup` | a checked copy |\n| `paceline runs` | a list |\n\n"
                                    "| variable | is | used by |\n|---|---|---|\n| `STORE` | the store | every command |\n| `HOOK` | a program | `runs` |\n\n"
                                    "| file | has | used by |\n|---|---|---|\n| `plan.json` | the plan | `runs`, `backup` |\n"),
  };
  return all;
}

std::vector<std::string> textOf(const CommandManual& manual) {
  std::vector<std::string> lines;
  for (const auto& told : manual.told)
    for (const ManualBlock& block : told.blocks)
      for (const std::string& line : block.lines) lines.push_back(told.title + ": " + line);
  return lines;
}

TEST(CommandManual, HasTheParagraphThatBeginsWithTheCommandAndElseTheSentence) {
  EXPECT_THAT(textOf(commandManual("backup", chapters())),
              ElementsAre("Store: Only `paceline backup` copies what is written.", "Copies: `paceline backup DIR` makes a copy. It is checked.", "Copies: | option | does |", "Copies: | `--keep` | keeps `so \\| many` |"));
}

TEST(CommandManual, HasAllOfASectionThatCallsNoOther) {
  const CommandManual verify = commandManual("verify", chapters());
  EXPECT_THAT(textOf(verify), ElementsAre("Verify: This is said without its name."));
  ASSERT_EQ(verify.examples.size(), 1U);
  EXPECT_THAT(verify.examples[0].commands, ElementsAre("printf x > it", "paceline verify it"));
}

TEST(CommandManual, ShowsWhatIsCalledAndSucceeds) {
  const CommandManual backup = commandManual("backup", chapters());
  ASSERT_EQ(backup.examples.size(), 1U);
  EXPECT_EQ(backup.examples[0].words, "Copies of each day:");
  EXPECT_THAT(backup.examples[0].commands, ElementsAre("paceline backup copies --keep 7"));
}

TEST(CommandManual, NamesChaptersVariablesAndFilesOfTheCommand) {
  const CommandManual backup = commandManual("backup", chapters());
  EXPECT_THAT(backup.chapters, ElementsAre("01-tutorial.md", "03-store.md", "05-terminal.md"));
  ASSERT_EQ(backup.variables.size(), 1U);
  EXPECT_EQ(backup.variables[0].name, "`STORE`");
  ASSERT_EQ(backup.files.size(), 1U);
  EXPECT_EQ(commandManual("", chapters()).variables.size(), 2U);
  EXPECT_THAT(commandManual("other", chapters()).chapters, IsEmpty());
}

TEST(ManPages, OfACommandHaveTheManualsWordsAndExamples) {
  CommandText program, backup;
  program.name = "paceline", program.help = "Experiments.", backup.name = "backup", backup.help = "Copies the store.";
  program.commands = {backup};
  const auto pages = manPages(program, Catalog(), chapters());
  const std::string& page = pages.at("paceline-backup.1");
  EXPECT_THAT(page, HasSubstr(".SH DESCRIPTION\nCopies the store.\n"));
  EXPECT_THAT(page, HasSubstr(".SH DISCUSSION\n.SS Store\nOnly \\fBpaceline backup\\fR copies what is written.\n.SS Copies\n"));
  EXPECT_THAT(page, HasSubstr(".SH ENVIRONMENT\n.TP\n\\fBSTORE\\fR\nthe store\n.SH FILES\n.TP\n\\fBplan.json\\fR\nthe plan\n.SH EXAMPLES\nCopies of each day:\n.PP\n.RS 4\n.nf\npaceline backup copies \\-\\-keep 7\n.fi\n.RE\n"));
  EXPECT_THAT(page, HasSubstr(".BR paceline\\-store (7),\n.BR paceline\\-terminal (7)\n"));
  EXPECT_THAT(pages.at("paceline.1"), HasSubstr("\\fBHOOK\\fR"));
  EXPECT_THAT(manPages(program, Catalog(), {}).at("paceline-backup.1"), Not(HasSubstr("DISCUSSION")));
}

TEST(ManPages, HaveLinesOf80BytesAndTagsInOneLine) {
  const std::string first = "words that go on and on, and further still, until the line has far more than", second = "there may be in one", words = first + " " + second;
  const ManualChapter chapter = readChapter("01-x.md", "# X\n\n" + words + "\n\n| a | b |\n|---|---|\n| " + words + " | c |\n\n```text\n" + words + "\n```\n");
  EXPECT_THAT(manualPage(chapter, {}), HasSubstr(words));
  const std::string wrapped = manualPages({chapter}).at("paceline-x.7");
  EXPECT_THAT(wrapped, HasSubstr(".SH DESCRIPTION\n" + first + "\n" + second + "\n"));
  EXPECT_THAT(wrapped, HasSubstr(".TP\n" + first + " \\\n" + second + "\nc\n"));
  EXPECT_THAT(wrapped, HasSubstr(".nf\n" + words + "\n.fi")) << "what is set as it stands";
}

}  // namespace
}  // namespace paceline::cli
