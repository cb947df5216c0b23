// A document and a store: figures, tables, lanes, the footer, problems.
#include "app/report/resolve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/figures/results.h"
#include "tests/report/made_store.h"

namespace paceline::tests {
namespace {

using report::PieceKind;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Resolved : ::testing::Test {
  report::Report made(const std::string& body) { return store.made(strCat(kHead, body)); }
  std::string problem(const std::string& body) {
    const report::Report report = made(body);
    EXPECT_EQ(report.problems.size(), 1u);
    return report.problems.empty() ? "" : report.problems.front().text();
  }
  ReportStore store;
};

TEST_F(Resolved, AFigureIsThatOfTheRegistry) {
  const report::Report report = made("{{figure accuracy x=rounds}}");
  ASSERT_EQ(report.pieces.at(0).kind, PieceKind::kPicture);
  FigureOptions options;
  options.x = XAxis::kRounds;
  options.titles = {{"lenet", "LeNet"}};
  const Figure own = findFigure("accuracy")->build({store.summaryOf("esync1"), store.summaryOf("esync2"), store.summaryOf("ssgd1")}, options);
  EXPECT_EQ(figureToJson(*report.pieces[0].picture.figure), figureToJson(own));
  EXPECT_EQ(report.pieces[0].caption, own.title);
  EXPECT_EQ(report.pieces[0].notes, own.notes);
}

TEST_F(Resolved, AFigureStaysTheSameObjectUntilMoreIsRecorded) {
  const auto pictureOf = [this](const std::string& body) { return made(body).pieces.at(0).picture.figure; };
  const auto first = pictureOf("{{figure accuracy}}");
  EXPECT_EQ(pictureOf("{{figure accuracy}}\n\nand a text"), first);
  EXPECT_NE(pictureOf("{{figure accuracy x=rounds}}"), first);
  store::StoreWriter writer(store.path());
  const std::vector<StampedEvent> event = {{"esync1", "w0", 900, EvaluationRecord{.round = 11, .t = 11, .accuracy = 0.99, .loss = 0, .samples = 700, .seconds = 0}}};
  writer.append(event);
  EXPECT_NE(pictureOf("{{figure accuracy}}"), first);
}

TEST_F(Resolved, TheResultsTableHasTheCellsOfTheWindow) {
  const report::Report report = made("{{results columns=all}}");
  const report::Table& table = report.pieces.at(0).table;
  const Results results = tabulate({store.summaryOf("esync1"), store.summaryOf("esync2"), store.summaryOf("ssgd1")}, {{"lenet", "LeNet"}});
  ASSERT_EQ(table.rows.size(), results.rows.size());
  for (std::size_t row = 0; row < results.rows.size(); ++row) {
    EXPECT_EQ(table.rows[row][0].text, results.rows[row].label);
    for (std::size_t cell = 0; cell < results.rows[row].cells.size(); ++cell) EXPECT_EQ(table.rows[row][cell + 3].text, results.rows[row].cells[cell].text);
  }
  EXPECT_THAT(report.pieces[0].notes, Contains(results.findings.front()));
}

TEST_F(Resolved, ATableSaysOnceWhatIsTheSameInEveryRow) {
  const report::Report report = made("{{results}}");
  const report::Piece& piece = report.pieces.at(0);
  EXPECT_THAT(piece.notes.front(), ::testing::StartsWith("the same in every row: Model LeNet"));
  EXPECT_THAT(piece.table.header, ::testing::Not(Contains("Model")));
  for (const auto& row : piece.table.rows) EXPECT_EQ(row.size(), piece.table.header.size());
}

TEST_F(Resolved, ATableOfEqualRowsKeepsItsColumns) {
  storeRun(store.path(), {.id = "twin", .algorithm = "asgd", .seed = 1, .slower = 4});
  const report::Table table = made("{{results ssgd twin}}").pieces.at(0).table;
  EXPECT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.header.size(), 10u);
}

TEST_F(Resolved, DifferencesAreThoseOfTheDocuments) {
  const report::Table table = made("{{differences}}").pieces.at(0).table;
  EXPECT_THAT(table.header, ElementsAre("Setting", "esync", "ssgd"));
  ASSERT_EQ(table.rows.size(), 1u);  // neither the name nor the seed of several
  EXPECT_EQ(table.rows[0][0].text, "/algorithm/id");
  EXPECT_EQ(table.rows[0][1].text, "esync");
  EXPECT_EQ(table.rows[0][2].text, "ssgd");
  EXPECT_EQ(textOf(made("{{differences ssgd ssgd1}}").pieces.at(0)), "The runs differ in no setting.");
}

TEST_F(Resolved, LanesAreCutToAPart) {
  const report::Report report = made("{{lanes esync from=2 to=5.5}}");
  const Figure& figure = *report.pieces.at(0).picture.figure;
  EXPECT_THAT(figure.y.categories, ElementsAre("w0", "w1"));
  EXPECT_EQ(figure.x.min, 2);
  EXPECT_EQ(figure.x.max, 5.5);
  std::size_t spans = 0;
  for (const SpanSet& set : figure.spans)
    for (std::size_t i = 0; i < set.rows.size(); ++i, ++spans) EXPECT_TRUE(set.begin[i] >= 2 && set.end[i] <= 5.5) << set.label;
  EXPECT_GT(spans, 6u);
  EXPECT_EQ(made("{{lanes esync}}").pieces.at(0).picture.figure->x.max, 10);
  EXPECT_EQ(textOf(made("{{lanes esync from=50}}").pieces.at(0)), "Timeline, esync1: nothing to draw, the run ends at 10 s.");
}

TEST_F(Resolved, LanesAreOfEachRunThatIsNamed) {
  const auto titles = [this](const std::string& command) {
    std::vector<std::string> all;
    for (const report::Piece& piece : made(command).pieces) all.push_back(piece.picture.figure ? piece.picture.figure->title : textOf(piece));
    return all;
  };
  EXPECT_THAT(titles("{{lanes esync2 and ssgd}}"), ElementsAre("Timeline, esync2", "Timeline, demo ssgd seed 1"));
  EXPECT_THAT(titles("{{lanes}}"), ElementsAre("Timeline, esync1", "Timeline, demo ssgd seed 1"));  // of all in the head
  EXPECT_THAT(made("{{lanes esync}}").pieces.at(0).notes, Contains("seed 1 is drawn, one of 2"));
}

TEST_F(Resolved, AFigureFollowsWhatItsReferenceMeans) {
  const auto title = [this](const std::string& base) {
    return store.made(strCat("---\nrun a: esync1\nrun b: ssgd1\nrun base: ", base, "\n---\n{{figure speedup a b over=base}}")).pieces.at(0).picture.figure;
  };
  const auto overSsgd = title("ssgd1"), overEsync = title("esync1");
  ASSERT_TRUE(overSsgd && overEsync);
  EXPECT_NE(overSsgd->y.title, overEsync->y.title);
}

TEST_F(Resolved, WhatHasNothingToDrawSaysWhy) { EXPECT_THAT(textOf(made("{{figure consensus}}").pieces.at(0)), HasSubstr("nothing to draw")); }

TEST_F(Resolved, TheFooterMakesItAgain) {
  const report::Footer footer = store.made(strCat(kHead, "{{esync.rounds}}"), {.file = "/home/someone/my report.md", .output = "/tmp/x/out.pdf", .madeUtc = 1.7e9, .store = "/home/someone/lab.db"}).footer;
  EXPECT_EQ(footer.command, "paceline report 'my report.md' -o out.pdf --store lab.db");
  EXPECT_THAT(footer.version, ::testing::StartsWith("Paceline 0."));
  EXPECT_EQ(footer.store, "lab.db");
  EXPECT_EQ(footer.made, "2023-11-14 22:13 UTC");
  ASSERT_EQ(footer.runs.size(), 3u);
  EXPECT_EQ(footer.runs[1].id, "esync2");
  EXPECT_EQ(footer.runs[1].seed, 2u);
  EXPECT_EQ(footer.runs[1].configuration, "hash of esync2");
  EXPECT_EQ(footer.runs[2].name, "demo ssgd seed 1");
  for (const std::string& text : {footer.command, footer.store, footer.version}) EXPECT_EQ(text.find("/home"), std::string::npos) << text;
}

TEST_F(Resolved, ProblemsStandWhereTheyAre) {
  const report::Report report = made("Fine.\n\n{{figure pie}}\n\nAlso {{esync.pie}}.");
  ASSERT_EQ(report.problems.size(), 2u);
  EXPECT_EQ(report.problems[0].line, 9);
  EXPECT_THAT(report.problems[0].sentence, ::testing::StartsWith("figure \"pie\" is not known; have accuracy, "));
  EXPECT_EQ(report.problems[1].line, 11);
  std::vector<PieceKind> kinds;
  for (const report::Piece& piece : report.pieces) kinds.push_back(piece.kind);
  EXPECT_THAT(kinds, ElementsAre(PieceKind::kParagraph, PieceKind::kProblem, PieceKind::kParagraph, PieceKind::kProblem));
  try {
    report::refuseProblems("waits.report.md", report);
    ADD_FAILURE() << "not refused";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), ::testing::MatchesRegex("waits.report.md: line 9: figure \"pie\" is not known; .*; and 1 more problem"));
  }
}

TEST_F(Resolved, CommandsRefuseWhatTheyDoNotKnow) {
  EXPECT_EQ(problem("{{figure accuracy smoth=3}}"), "line 7: figure: option \"smoth\" is not known; have x, log, smooth, style, seeds, standalone, over, cut, caption, notes, height");
  EXPECT_EQ(problem("{{figure accuracy x=tim}}"), "line 7: figure: x is \"tim\"; have bytes, epochs, rounds, samples, time");
  EXPECT_EQ(problem("{{figure accuracy smooth=0}}"), "line 7: figure: smooth must be a number from 1 to 100000; it is \"0\"");
  EXPECT_EQ(problem("{{figure accuracy cut=week}}").substr(0, 8), "line 7: ");
  EXPECT_THAT(problem("{{figure}}"), HasSubstr("which one is missing"));
  EXPECT_THAT(problem("{{figure accuracy nobody}}"), HasSubstr("no run \"nobody\" in store lab.db"));
  EXPECT_EQ(problem("{{lanes esync from=5 to=2}}"), "line 7: lanes: from must be before to; they are 5 and 2");
  EXPECT_EQ(problem("{{differences esync}}"), "line 7: differences: two runs at least are compared; name them behind it, or in the head");
  EXPECT_EQ(store.made("{{results}}").problems.at(0).text(), "line 1: results names no run: name one behind it, or runs in the head");
}

TEST_F(Resolved, ARunThatTheHeadNamesInVainIsToldOnce) {
  const report::Report report = store.made("---\nrun gone: nobody\n---\n{{gone.rounds}} {{gone.samples}}\n\n{{results}}\n\n{{figure accuracy}}");
  ASSERT_EQ(report.problems.size(), 1u);
  EXPECT_EQ(report.problems[0].text(), "line 2: no run \"nobody\" in store lab.db; `paceline runs` lists what is there");
}

TEST_F(Resolved, TheSameMistakeInALineIsToldOnce) { EXPECT_THAT(problem("{{esync.pie}} or {{esync.pie}}"), ::testing::StartsWith("line 7: number \"pie\" is not known")); }

TEST_F(Resolved, ATitleMayBeTheFirstHeading) {
  const report::Report report = store.made("# How fast\n\nText");
  EXPECT_EQ(report.title, "How fast");
  EXPECT_EQ(report.pieces.size(), 1u);
  const report::Report later = store.made("Before.\n\n# How fast\n\nText");
  EXPECT_EQ(later.title, "");
  EXPECT_EQ(later.pieces.size(), 3u);  // nothing is taken from where it stands
}

}  // namespace
}  // namespace paceline::tests
