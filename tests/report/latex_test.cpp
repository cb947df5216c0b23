// LaTeX: escaped text, booktabs, pgfplots with their data; set by pdflatex where there is one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <regex>

#include "app/figures/parts/latex_text.h"
#include "tests/report/made_store.h"

namespace paceline::tests {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Latex, NoSignMeansAnythingButItself) {
  EXPECT_EQ(latexText("50 % & $5 #1 a_b {c} ~^\\ <>"), "50 \\% \\& \\$5 \\#1 a\\_b \\{c\\} \\textasciitilde{}\\textasciicircum{}\\textbackslash{} \\textless{}\\textgreater{}");
  EXPECT_EQ(latexText("[a] *b*"), "{[}a] *b*");
  EXPECT_EQ(latexText("*b* [a]"), "{*}b* [a]");
  EXPECT_EQ(latexText("é ± ≥ 3 − σ"), "é ± $\\geq$ 3 $-$ $\\sigma$");
}

TEST(Latex, WritesTextTablesAndFooter) {
  ReportStore store;
  const std::string tex = report::toLatex(store.made(strCat(kHead, "## What & why\n\n**50 %** of `a--b_c` \"so\" [x](https://a.org/b_c?d=1%20e)\n\n- one\n- two\n\n{{results columns=all}}\n\n{{differences}}\n")));
  EXPECT_THAT(tex, HasSubstr("\\title{Who waits}"));
  EXPECT_THAT(tex, HasSubstr("\\section*{What \\& why}"));
  EXPECT_THAT(tex, HasSubstr("\\textbf{50 \\%} of \\texttt{a-{}-b\\_c} ``so'' \\href{https://a.org/b\\_c?d=1\\%20e}{x}"));
  EXPECT_THAT(tex, HasSubstr("\\begin{itemize}\n\\item one\n\\item two\n\\end{itemize}"));
  EXPECT_THAT(tex, HasSubstr("\\toprule\nConfiguration & Model & Runs & \\shortstack[r]{Best accuracy\\\\(\\%)}"));
  EXPECT_THAT(tex, HasSubstr("ESync & LeNet & 2 & \\textbf{94.50 ± 0.71}"));
  EXPECT_THAT(tex, HasSubstr("\\texttt{/algorithm/id} & esync & ssgd \\\\"));
  EXPECT_THAT(tex, HasSubstr("\\texttt{paceline report waits.report.md -o waits.pdf}"));
  EXPECT_THAT(tex, HasSubstr("demo ssgd seed 1 & 1 & \\texttt{hash of ssgd1} & \\texttt{ssgd1} & finished \\\\"));
}

report::Report withTable(int rows) {
  report::Report report;
  report::Piece piece{.kind = report::PieceKind::kTable, .table = {.header = {"Name", "Runs"}, .right = {false, true}}, .caption = "Many"};
  for (int i = 0; i < rows; ++i) piece.table.rows.push_back({{.text = strCat("[", i, "] run")}, {.text = "1"}});
  report.pieces.push_back(piece);
  return report;
}

TEST(Latex, ALongTableGoesOverPages) {
  const std::string few = report::toLatex(withTable(30)), many = report::toLatex(withTable(31));
  EXPECT_THAT(few, HasSubstr("\\begin{tabular}"));
  EXPECT_THAT(many, HasSubstr("\\begin{longtable}{@{}lr@{}}\n\\caption{Many}"));
  EXPECT_THAT(many, HasSubstr("\\midrule\n\\endhead\n{[}0] run & 1 \\\\\n"));
}

TEST(Latex, CodeKeepsItsSpacesAndItemsTheirBrackets) {
  ReportStore store;
  const std::string tex = report::toLatex(store.made("- [ ] to do\n\n```\n  a   b\n```\n"));
  EXPECT_THAT(tex, HasSubstr("\\item {[} ] to do\n"));
  EXPECT_THAT(tex, HasSubstr("\\texttt{\\ \\ a\\ \\ \\ b}\n"));
}

TEST(Latex, FiguresHaveTheirDataInline) {
  ReportStore store;
  const std::string tex = report::toLatex(store.made(strCat(kHead, "{{figure accuracy x=rounds ssgd}}\n")));
  const Figure figure = *store.made(strCat(kHead, "{{figure accuracy x=rounds ssgd}}\n")).pieces.at(0).picture.figure;
  ASSERT_EQ(figure.lines.size(), 1u);
  std::smatch found;
  ASSERT_TRUE(std::regex_search(tex, found, std::regex(R"(coordinates \{([^}]*)\})")));
  const std::string data = found[1];
  std::vector<std::pair<double, double>> points;
  const std::regex point(R"(\(([^,]*),([^)]*)\))");
  for (std::sregex_iterator each(data.begin(), data.end(), point), end; each != end; ++each) points.emplace_back(std::stod((*each)[1]), std::stod((*each)[2]));
  ASSERT_EQ(points.size(), figure.lines[0].x.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_NEAR(points[i].first, figure.lines[0].x[i], 1e-6 * std::abs(figure.lines[0].x[i]));
    EXPECT_NEAR(points[i].second, figure.lines[0].y[i], 1e-6 * std::abs(figure.lines[0].y[i]));
  }
  EXPECT_THAT(tex, HasSubstr("\\definecolor{pac0}{HTML}{0072B2}"));
}

report::Report withFigure(Figure figure) {
  report::Report report{.title = "t", .author = "", .pieces = {}, .footer = {}, .problems = {}};
  report.pieces.push_back({.kind = report::PieceKind::kPicture, .picture = {.figure = std::make_shared<const Figure>(std::move(figure))}, .caption = "c"});
  return report;
}

Figure longLine() {
  Figure figure{.id = "f", .title = "F", .x = {.title = "time (s)"}, .y = {.title = "50 %"}};
  Line line{.label = "a_b", .series = 1};
  for (int i = 0; i < 5000; ++i) line.x.push_back(i), line.y.push_back(i == 2500 ? 7 : std::sin(i / 100.0));
  line.y[100] = std::nan("");
  figure.lines = {line, Line{.label = "other", .series = 3, .x = {0, 5000}, .y = {0, 1}}};
  figure.bands = {{.label = "a_b ± std", .series = 1, .x = {0, 1, 2, 3}, .lower = {0, 0, std::nan(""), 0}, .upper = {1, 1, 1, 1}}};
  figure.references = {{.label = "stand-alone", .value = 0.5}};
  return figure;
}

TEST(Latex, LongCurvesKeepTheirExtremesAndSaySo) {
  const std::string tex = report::toLatex(withFigure(longLine()));
  EXPECT_THAT(tex, HasSubstr("% 600 of 5000 points"));
  EXPECT_THAT(tex, HasSubstr("(2500,7)"));
  EXPECT_THAT(tex, HasSubstr("\\addlegendentry{a\\_b}"));
  EXPECT_THAT(tex, HasSubstr("\\addlegendentry{± std}"));
  EXPECT_THAT(tex, HasSubstr("axis cs:0,0.5"));
  EXPECT_EQ(tex.find("-- cycle"), tex.rfind("-- cycle"));  // one part: behind the gap there is a single point
}

Figure bars() {
  Figure figure{.id = "b", .title = "B", .x = {.title = "", .categories = {"a, b", "c_d"}}, .y = {.title = "samples/s"}};
  figure.bars = {{.label = "one", .series = 0, .values = {3, std::nan("")}, .texts = {"3", "not reached"}}, {.label = "two", .series = 1, .values = {1, 2}}};
  return figure;
}

TEST(Latex, BarsHaveTheirWordsWhereThereIsNone) {
  const std::string tex = report::toLatex(withFigure(bars()));
  EXPECT_THAT(tex, HasSubstr("xticklabels={{a, b},{c\\_d}}"));
  EXPECT_THAT(tex, HasSubstr("{not reached};"));
  EXPECT_THAT(tex, Not(HasSubstr("nan")));
}

Figure marked() {
  Figure figure = bars();
  figure.published = {{.label = "one, published", .series = 0, .x = 0, .y = 2.5, .low = 2, .high = 3, .bars = "one"}};
  return figure;
}

TEST(Latex, PublishedValuesAreHollowMarksWithTheirBand) {
  const std::string tex = report::toLatex(withFigure(marked()));
  EXPECT_THAT(tex, HasSubstr("\\addlegendentry{one, published}"));
  EXPECT_THAT(tex, HasSubstr("fill=white"));
  EXPECT_THAT(tex, ::testing::ContainsRegex(R"(axis cs:-0\.[0-9]+,2\) -- \(axis cs:-0\.[0-9]+,3\))"));  // over the bar of its set, left of the category's middle
}

Figure parallel() {
  Figure figure{.id = "parallel", .title = "P"};
  figure.axes = {{.title = "learning rate", .log = true}, {.title = "algorithm", .categories = {"ESync", "S_SGD"}}, {.title = "accuracy (%)"}};
  figure.lines = {{.label = "a", .x = {0, 1, 2}, .y = {0.1, 0, 80}}, {.label = "b", .x = {0, 1, 2}, .y = {0.01, 1, 60}}, {.label = "c", .x = {0, 1, 2}, .y = {0.0316227766, 1, std::nan("")}}};
  figure.shadedBy = 2;
  return figure;
}

TEST(Latex, ParallelAxesHaveTheirOwnRanges) {
  const std::string tex = report::toLatex(withFigure(parallel()));
  EXPECT_THAT(tex, HasSubstr("pac0!100,line width=0.5pt,mark=none] coordinates { (0,1) (1,0) (2,1)}"));
  EXPECT_THAT(tex, HasSubstr("pac0!25,line width=0.5pt,mark=none] coordinates { (0,0) (1,1) (2,0)}"));
  EXPECT_THAT(tex, HasSubstr("black!15,line width=0.5pt,mark=none] coordinates { (0,0.5) (1,1) (2,nan)}"));
  EXPECT_THAT(tex, HasSubstr("xticklabels={{learning rate},{algorithm},{accuracy (\\%)}}"));
  EXPECT_THAT(tex, HasSubstr("{S\\_SGD};"));
}

Figure lanes(int spans) {
  Figure figure{.id = "timeline", .title = "T", .x = {.title = "time (s)", .min = 0, .max = 100}, .y = {.title = "", .categories = {"w0", "w1"}}};
  SpanSet compute{.label = "compute", .series = 0}, wait{.label = "wait", .series = 0, .quiet = true};
  for (int i = 0; i < spans; ++i) {
    const double begin = 100.0 * i / spans, middle = begin + 80.0 / spans, end = 100.0 * (i + 1) / spans;
    for (std::size_t row = 0; row < 2; ++row) {
      compute.rows.push_back(row), compute.begin.push_back(begin), compute.end.push_back(middle), compute.strength.push_back(1);
      wait.rows.push_back(row), wait.begin.push_back(middle), wait.end.push_back(end), wait.strength.push_back(1);
    }
  }
  figure.spans = {compute, wait};
  return figure;
}

std::size_t boxes(const std::string& tex) {
  std::size_t count = 0;
  for (std::size_t at = tex.find(") rectangle ("); at != std::string::npos; at = tex.find(") rectangle (", at + 1)) ++count;
  return count;
}

TEST(Latex, LanesAreWrittenSpanBySpanOrByColumns) {
  EXPECT_EQ(boxes(report::toLatex(withFigure(lanes(10)))), 40u);
  const std::string many = report::toLatex(withFigure(lanes(50'000)));
  EXPECT_THAT(many, HasSubstr("% 200000 spans: each of 400 columns shows what there is most of"));
  EXPECT_EQ(boxes(many), 2u);  // all columns compute most of their time
  const std::string coarse = report::toLatex(withFigure(lanes(400)));  // exactly a span of each a column, of which compute has more
  EXPECT_LE(boxes(coarse), 4u);
}

TEST(Latex, IsSetByPdflatex) {
  if (std::system("command -v pdflatex > /dev/null 2>&1") != 0) GTEST_SKIP() << "no pdflatex here";
  if (std::system("kpsewhich pgfplots.sty booktabs.sty > /dev/null 2>&1") != 0) GTEST_SKIP() << "pdflatex here has no pgfplots or booktabs";
  ReportStore store;
  report::Report report = store.made(strCat(kHead, "# 100 % & more\n\nText with `a--b` and \"quotes\" ≥ 3.\n\n```\n  code {x} \\y\n```\n\n- [x] done\n- *so* it is\n\n{{results}}\n\n{{differences}}\n\n{{figure accuracy}}\n\n{{figure throughput}}\n\n{{figure speedup}}\n\n{{lanes esync}}\n"));
  ASSERT_TRUE(report.problems.empty()) << report.problems.front().text();
  report.pieces.push_back(withTable(60).pieces.front());
  for (Figure figure : {longLine(), bars(), marked(), parallel(), lanes(10), lanes(5000)}) report.pieces.push_back(withFigure(std::move(figure)).pieces.front());
  const std::filesystem::path folder = ownFolder();
  std::ofstream(folder / "report.tex") << report::toLatex(report);
  const std::string command = strCat("cd ", folder.string(), " && pdflatex -interaction=nonstopmode -halt-on-error report.tex > said.txt 2>&1");
  std::ifstream said;
  const int code = std::system(command.c_str());
  said.open(folder / "said.txt");
  EXPECT_EQ(code, 0) << std::string(std::istreambuf_iterator<char>(said), {});
  EXPECT_TRUE(std::filesystem::exists(folder / "report.pdf"));
}

}  // namespace
}  // namespace paceline::tests
