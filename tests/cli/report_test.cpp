// paceline report: begun, written out, refused with one sentence.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/cli/program.h"

namespace paceline::tests {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class ReportCommand : public Desk {
 protected:
  ReportCommand() { EXPECT_EQ(paceline({"simulate", writeSpec("tiny.json")}).code, 0); }
  static std::string textOf(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  bool workbench() const { return ::access((std::string(PACELINE_BIN_DIR) + "/paceline-workbench").c_str(), X_OK) == 0; }
};

TEST_F(ReportCommand, BeginsAReportThatCanBeWrittenOut) {
  const Outcome begun = paceline({"report", "--new", "tiny", "-o", path("tiny.report.md")});
  ASSERT_EQ(begun.code, 0) << begun.err;
  EXPECT_THAT(textOf(path("tiny.report.md")), HasSubstr("{{ssgd.algorithm}} trains {{ssgd.model}}"));
  const Outcome written = paceline({"report", path("tiny.report.md"), "-o", path("tiny.tex")});
  ASSERT_EQ(written.code, 0) << written.err;
  EXPECT_EQ(written.out, path("tiny.tex") + "\n");
  const std::string tex = textOf(path("tiny.tex"));
  EXPECT_THAT(tex, HasSubstr("\\begin{axis}"));
  EXPECT_THAT(tex, HasSubstr("paceline report tiny.report.md -o tiny.tex"));
  EXPECT_THAT(tex, HasSubstr("finished, simulated"));
  EXPECT_EQ(tex.find(path("")), std::string::npos);  // no folder of this computer
}

TEST_F(ReportCommand, PdfAndHtmlArePaintedByTheWorkbench) {
  if (!workbench()) GTEST_SKIP() << "built without the workbench";
  ASSERT_EQ(paceline({"report", "--new", "tiny", "-o", path("tiny.report.md")}).code, 0);
  const Outcome pdf = paceline({"report", path("tiny.report.md"), "-o", path("tiny.pdf")});
  EXPECT_EQ(pdf.code, 0) << pdf.err;
  EXPECT_THAT(textOf(path("tiny.pdf")), StartsWith("%PDF"));
  const Outcome html = paceline({"report", path("tiny.report.md")});  // beside it
  EXPECT_EQ(html.code, 0) << html.err;
  EXPECT_EQ(html.out, path("tiny.html") + "\n");
  EXPECT_THAT(textOf(path("tiny.html")), HasSubstr("data:image/svg+xml;base64,"));
}

TEST_F(ReportCommand, TheSpecOfARunRunsAgain) {
  const Outcome spec = paceline({"show", "tiny", "--spec"});
  ASSERT_EQ(spec.code, 0) << spec.err;
  const std::string again = write("again.json", spec.out);
  EXPECT_EQ(paceline({"simulate", again, "--name", "again"}).code, 0);
  EXPECT_THAT(paceline({"diff", "tiny", "again"}).out, ::testing::Not(HasSubstr("/batch_size")));
}

TEST_F(ReportCommand, RefusesInOneSentence) {
  const std::string report = write("bad.md", "One.\n\n{{tiny.acuracy}}\n");
  const Outcome unknown = paceline({"report", report, "-o", path("bad.tex")});
  EXPECT_EQ(unknown.code, 1);
  EXPECT_THAT(unknown.err, StartsWith("paceline: " + report + ": line 3: number \"acuracy\" is not known of a run; have best_accuracy, "));
  EXPECT_FALSE(std::filesystem::exists(path("bad.tex")));
  expectRefusal({"report", write("bad2.md", "{{nobody.rounds}}"), "-o", path("x.tex")}, path("bad2.md") + ": line 1: no run \"nobody\" in store store.db; `paceline runs` lists what is there");
  expectRefusal({"report", path("gone.md")}, "cannot read " + path("gone.md") + ": No such file or directory");
  expectRefusal({"report", "--new", "nobody"}, "no run \"nobody\" in " + store() + "; `paceline runs` lists what is there");
  EXPECT_EQ(paceline({"report", report, "-o", path("x.docx")}).code, 2);
  EXPECT_EQ(paceline({"report"}).code, 2);
  expectRefusal({"report", "--new", "tiny", "-o", report}, report + ": is there already, and is not replaced by a new report");
}

TEST_F(ReportCommand, TellsHowOneIsWritten) { EXPECT_THAT(paceline({"report", "--syntax"}).out, HasSubstr("best_accuracy")); }

}  // namespace
}  // namespace paceline::tests
