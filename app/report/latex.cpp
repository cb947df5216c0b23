#include <algorithm>

#include "app/figures/parts/latex_text.h"
#include "app/report/latex_figure.h"
#include "engine/core/base/error.h"

namespace paceline::report {
namespace {

constexpr std::size_t kManyColumns = 7;  // of a table: smaller text
constexpr std::size_t kManyRows = 30;    // it goes over pages

constexpr const char* kPreamble = R"(\documentclass[11pt,a4paper]{article}
\usepackage{iftex}
\ifPDFTeX
\usepackage[utf8]{inputenc}
\usepackage[T1]{fontenc}
\usepackage{textcomp}
\IfFileExists{lmodern.sty}{\usepackage{lmodern}}{}
\else
\usepackage{fontspec}
\fi
\usepackage[margin=25mm]{geometry}
\usepackage{booktabs,longtable}
\usepackage{pgfplots}
\pgfplotsset{compat=1.15}
\usetikzlibrary{patterns}
\usepackage[hidelinks]{hyperref}
\setlength{\parindent}{0pt}
\setlength{\parskip}{6pt}
% A figure or table stands where it is written, with a caption.
\makeatletter\newenvironment{here}[1]{\par\medskip\noindent\begin{minipage}{\linewidth}\centering\def\@captype{#1}}{\end{minipage}\par\medskip}\makeatother
)";

// In the font of code "--" is no dash, and quotes stay straight.
std::string codeText(const std::string& text) {
  std::string plain = latexText(text), out;
  for (const char c : plain) {
    if (c == '-' && !out.empty() && out.back() == '-') out += "{}";
    if (c == '\'') out += "\\textquotesingle{}";
    else if (c == '"') out += "\\textquotedbl{}";
    else if (c == '`') out += "\\textasciigrave{}";
    else out += c;
  }
  return strCat("\\texttt{", out, "}");
}

// Straight quotes as they are set: LaTeX has no letter for an opening one.
std::string proseText(const std::string& text) {
  std::string out;
  bool open = false;
  for (const char c : latexText(text)) {
    if (c == '"') out += open ? "''" : "``", open = !open;
    else out += c;
  }
  return out;
}

std::string addressText(const std::string& address) {
  std::string out;
  for (const char c : address) {
    if (std::string_view("%#&_~^").find(c) != std::string_view::npos) out += '\\';
    if (std::string_view("\\{}").find(c) != std::string_view::npos) continue;
    out += c;
  }
  return out;
}

std::string wordsLatex(const std::vector<Word>& words) {
  std::string out;
  for (const Word& word : words) {
    std::string inner = word.code ? codeText(word.text) : proseText(word.text);
    if (word.emphasis) inner = strCat("\\emph{", inner, "}");
    if (word.bold) inner = strCat("\\textbf{", inner, "}");
    if (!word.link.empty()) inner = strCat("\\href{", addressText(word.link), "}{", inner, "}");
    out += inner;
  }
  return out;
}

std::string notesLatex(const std::vector<std::string>& notes) {
  std::string out;
  for (const std::string& note : notes) out += strCat("\\par{\\footnotesize ", proseText(note), "\\par}\n");
  return out;
}

// Long headings in lines of their words, so that a column is no wider than its numbers need.
std::string headingLatex(const std::string& text, bool right) {
  const std::size_t unit = text.find(" (");
  if (unit == std::string::npos) return proseText(text);
  return strCat("\\shortstack[", right ? 'r' : 'l', "]{", proseText(text.substr(0, unit)), "\\\\", proseText(text.substr(unit + 1)), "}");
}

std::string rowsLatex(const Table& table) {
  std::string out;
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      std::string inner = table.code && i == 0 ? codeText(row[i].text) : proseText(row[i].text);
      if (row[i].bold) inner = strCat("\\textbf{", inner, "}");
      out += (i == 0 ? "" : " & ") + inner;
    }
    out += " \\\\\n";
  }
  return out;
}

std::string headLatex(const Table& table) {
  std::string out;
  for (std::size_t i = 0; i < table.header.size(); ++i) out += (i == 0 ? "" : " & ") + headingLatex(table.header[i], table.right[i]);
  return out + " \\\\\n";
}

std::string alignment(const Table& table) {
  std::string out;
  for (const bool right : table.right) out += right ? 'r' : 'l';
  return out;
}

std::string longTableLatex(const Piece& piece) {
  const Table& table = piece.table;
  return strCat("{\\footnotesize\\setlength{\\tabcolsep}{4pt}\n\\begin{longtable}{@{}", alignment(table), "@{}}\n\\caption{", proseText(piece.caption), "}\\\\\n\\toprule\n", headLatex(table), "\\midrule\n\\endhead\n", rowsLatex(table),
                "\\bottomrule\n\\end{longtable}\n", notesLatex(piece.notes), "}\n");
}

std::string tableLatex(const Piece& piece) {
  const Table& table = piece.table;
  if (table.rows.size() > kManyRows) return longTableLatex(piece);
  const bool many = table.header.size() >= kManyColumns;
  return strCat("\\begin{here}{table}\n\\caption{", proseText(piece.caption), "}\n", many ? "\\footnotesize\\setlength{\\tabcolsep}{4pt}\n" : "\\small\n", "\\begin{tabular}{@{}", alignment(table),
                "@{}}\n\\toprule\n", headLatex(table), "\\midrule\n", rowsLatex(table), "\\bottomrule\n\\end{tabular}\n", notesLatex(piece.notes), "\\end{here}\n");
}

std::string pictureLatex(const Piece& piece) {
  return strCat("\\begin{here}{figure}\n", figureLatex(*piece.picture.figure, piece.picture.heightMm), "\\caption{", proseText(piece.caption), "}\n", notesLatex(piece.notes), "\\end{here}\n");
}

std::string codeLatex(const std::string& text) {
  std::string out = "\\begin{quote}\\small\n";
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string line;  // its spaces are kept
    for (const char c : codeText(text.substr(at, end - at))) line += c == ' ' ? std::string("\\ ") : std::string(1, c);
    out += line + "\\\\\n";
    at = end + 1;
  }
  if (out.ends_with("\\\\\n")) out.erase(out.size() - 3, 2);
  return out + "\\end{quote}\n";
}

std::string pieceLatex(const Piece& piece) {
  switch (piece.kind) {
    case PieceKind::kHeading: return strCat(piece.level <= 2 ? "\\section*{" : piece.level == 3 ? "\\subsection*{" : "\\paragraph*{", wordsLatex(piece.words), "}\n");
    case PieceKind::kParagraph: return wordsLatex(piece.words) + "\n\n";
    case PieceKind::kBullet: return strCat("\\item ", wordsLatex(piece.words), "\n");
    case PieceKind::kNumbered: return strCat("\\item[", piece.level, ".] ", wordsLatex(piece.words), "\n");
    case PieceKind::kCode: return codeLatex(piece.text);
    case PieceKind::kTable: return tableLatex(piece);
    case PieceKind::kPicture: return pictureLatex(piece);
    case PieceKind::kProblem: break;
  }
  return strCat("\\textbf{", proseText(piece.text), "}\n\n");
}

std::string footerLatex(const Footer& footer) {
  std::string out = strCat("\\clearpage\n\\section*{How this report is made again}\n{\\footnotesize ", codeText(footer.command), "\\\\\n", proseText(footer.version), ", store ", codeText(footer.store),
                           footer.made.empty() ? "" : strCat(", made ", proseText(footer.made)), ".\\\\\n");
  if (footer.runs.empty()) return out + "}\n";
  out += strCat("A run again: ", codeText(kAgain), "\n\n\\setlength{\\tabcolsep}{4pt}\n\\begin{longtable}{@{}lrlll@{}}\n\\toprule\nRun & Seed & Configuration & Id & State \\\\\n\\midrule\n\\endhead\n");
  for (const FooterRun& run : footer.runs)
    out += strCat(proseText(run.name), " & ", run.seed, " & ", codeText(run.configuration), " & ", codeText(run.id), " & ", proseText(run.simulated ? run.state + ", simulated" : run.state), " \\\\\n");
  return out + "\\bottomrule\n\\end{longtable}}\n";
}

}  // namespace

std::string toLatex(const Report& report) {
  std::string out = strCat("% ", report.footer.version, ": ", report.footer.command, "\n% pdflatex sets it, twice for the widths of the last table; letters beyond Latin need lualatex.\n", kPreamble, paletteLatex(), "\\title{",
                           proseText(report.title.empty() ? "Report" : report.title), "}\n\\author{", proseText(report.author), "}\n\\date{", proseText(report.footer.made), "}\n\\begin{document}\n\\maketitle\n");
  bool open = false;
  for (const Piece& piece : report.pieces) {
    const bool item = piece.kind == PieceKind::kBullet || piece.kind == PieceKind::kNumbered;
    if (item != open) out += item ? "\\begin{itemize}\n" : "\\end{itemize}\n";
    open = item;
    out += pieceLatex(piece);
  }
  if (open) out += "\\end{itemize}\n";
  return out + footerLatex(report.footer) + "\\end{document}\n";
}

}  // namespace paceline::report
