// A report with its numbers read: what HTML, LaTeX and PDF are written from. Values; any thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/figures/figure.h"
#include "app/report/document.h"

namespace paceline::report {

struct Word {  // of a paragraph: what looks alike
  std::string text{};
  bool bold = false, emphasis = false, code = false;
  bool live = false;  // read from the store
  bool bad = false;   // could not be; `text` is as written
  std::string link{};
  std::string source{};  // of what is live: as written, "esync.best_accuracy"
};

struct Cell {
  std::string text{};
  bool bold = false;
};
struct Table {
  std::vector<std::string> header{};
  std::vector<bool> right{};  // one for each column: numbers
  bool code = false;          // the first column is in the font of code
  std::vector<std::vector<Cell>> rows{};
};

struct Picture {
  std::shared_ptr<const Figure> figure{};  // the same one as long as nothing that it draws changes
  double heightMm = 0;                     // 0: as it needs
};

enum class PieceKind { kHeading, kParagraph, kBullet, kNumbered, kCode, kTable, kPicture, kProblem };

struct Piece {
  PieceKind kind = PieceKind::kParagraph;
  int line = 0;                // of the report's text
  int level = 0;               // as Block has it
  std::vector<Word> words{};
  std::string text{};          // of code, of a problem
  Table table{};
  Picture picture{};
  std::string caption{};       // of a table and a picture
  std::vector<std::string> notes{};  // below it
};

struct FooterRun {
  std::string name, id, configuration, state;  // configuration: the beginning of its hash
  std::uint64_t seed = 0;
  bool simulated = false;
};
struct Footer {  // what makes the report again
  std::string command;   // "paceline report waits.report.md -o waits.pdf --store paceline.db"
  std::string version;   // "Paceline 0.1.0, commit 4a25478"
  std::string store;     // its name, without the folder
  std::string made;      // "2026-11-25 17:40 UTC"
  std::vector<FooterRun> runs{};  // that it reads, in that order
};
inline constexpr const char* kAgain = "paceline show ID --spec > run.json; paceline run run.json";  // repeats a run

struct Report {
  std::string title, author;
  std::vector<Piece> pieces{};
  Footer footer{};
  std::vector<Problem> problems{};  // by line; a report with some is shown and not exported
};

std::string programVersion();  // "Paceline 0.1.0, commit 4a25478"; without the commit where the sources had none

// One file of text each; the program's own CSS, no scripts, nothing from elsewhere. `svg`: of a picture.
std::string toHtml(const Report& report, const std::function<std::string(const Picture&)>& svg);
std::string toLatex(const Report& report);  // an article for pdflatex or lualatex; figures as pgfplots with their data

}  // namespace paceline::report
