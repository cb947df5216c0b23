#include <algorithm>

#include "app/report/report.h"
#include "engine/core/base/error.h"

namespace paceline::report {
namespace {

constexpr const char* kStyle = R"(
body { margin: 0; background: #fff; color: #1b1f24; font: 16px/1.5 "Inter", "Noto Sans", "DejaVu Sans", sans-serif; }
main { max-width: 780px; margin: 0 auto; padding: 40px 24px; }
h1 { font-size: 28px; line-height: 1.25; margin: 0 0 4px; }
h2 { font-size: 20px; margin: 32px 0 8px; }
h3 { font-size: 17px; margin: 24px 0 6px; }
h4 { font-size: 16px; margin: 20px 0 4px; }
p, ul, ol { margin: 8px 0; }
.author, .notes, footer { color: #57606a; font-size: 13px; }
.live { font-variant-numeric: tabular-nums; }
code, pre { font-family: "JetBrains Mono", "DejaVu Sans Mono", monospace; font-size: 0.88em; }
pre { background: #f6f8fa; padding: 12px; overflow-x: auto; }
figure { margin: 20px 0; break-inside: avoid; }
figure img { width: 100%; height: auto; display: block; }
figcaption, caption { font-size: 14px; text-align: left; padding: 6px 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; border-top: 1.5px solid #1b1f24; border-bottom: 1.5px solid #1b1f24; }
th { font-weight: 600; text-align: left; border-bottom: 1px solid #1b1f24; vertical-align: bottom; }
th, td { padding: 3px 9px 3px 0; }
th.right, td.right { text-align: right; }
td.right { white-space: nowrap; }
footer { margin-top: 48px; padding-top: 8px; border-top: 1px solid #d0d7de; }
footer table { font-size: 12px; border-color: #d0d7de; }
footer th { border-color: #d0d7de; }
.problem { color: #b3261e; }
)";

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') out += "&amp;";
    else if (c == '<') out += "&lt;";
    else if (c == '>') out += "&gt;";
    else if (c == '"') out += "&quot;";
    else if (c == '\'') out += "&#39;";
    else out += c;
  }
  return out;
}

std::string base64(const std::string& bytes) {
  static constexpr char kLetters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    unsigned whole = 0;
    for (std::size_t k = 0; k < 3; ++k) whole = whole << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k) out += k <= count ? kLetters[whole >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

std::string wordsHtml(const std::vector<Word>& words) {
  std::string out;
  for (const Word& word : words) {
    std::string inner = escaped(word.text);
    if (word.code) inner = strCat("<code>", inner, "</code>");
    if (word.bad) inner = strCat("<span class=\"problem\">", inner, "</span>");
    else if (word.live) inner = strCat("<span class=\"live\" title=\"", escaped(word.source), "\">", inner, "</span>");
    if (word.emphasis) inner = strCat("<em>", inner, "</em>");
    if (word.bold) inner = strCat("<strong>", inner, "</strong>");
    if (!word.link.empty()) inner = strCat("<a href=\"", escaped(word.link), "\">", inner, "</a>");
    out += inner;
  }
  return out;
}

std::string notesHtml(const std::vector<std::string>& notes) {
  std::string out;
  for (const std::string& note : notes) out += strCat("<div class=\"notes\">", escaped(note), "</div>\n");
  return out;
}

std::string tableHtml(const Table& table, const std::string& caption) {
  std::string out = "<div class=\"scroll\"><table>\n";
  if (!caption.empty()) out += strCat("<caption>", escaped(caption), "</caption>\n");
  const auto open = [&](const char* tag, std::size_t column) { return strCat("<", tag, table.right[column] ? " class=\"right\">" : ">"); };
  out += "<thead><tr>";
  for (std::size_t i = 0; i < table.header.size(); ++i) out += open("th", i) + escaped(table.header[i]) + "</th>";
  out += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    out += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      std::string inner = escaped(row[i].text);
      if (table.code && i == 0) inner = strCat("<code>", inner, "</code>");
      if (row[i].bold) inner = strCat("<strong>", inner, "</strong>");
      out += open("td", i) + inner + "</td>";
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string headingHtml(const Piece& piece) {
  const int level = piece.level <= 2 ? 2 : piece.level;
  return strCat("<h", level, ">", wordsHtml(piece.words), "</h", level, ">\n");
}

std::string pieceHtml(const Piece& piece, const std::function<std::string(const Picture&)>& svg) {
  switch (piece.kind) {
    case PieceKind::kHeading: return headingHtml(piece);
    case PieceKind::kParagraph: return strCat("<p>", wordsHtml(piece.words), "</p>\n");
    case PieceKind::kBullet: return strCat("<li>", wordsHtml(piece.words), "</li>\n");
    case PieceKind::kNumbered: return strCat("<li value=\"", piece.level, "\">", wordsHtml(piece.words), "</li>\n");
    case PieceKind::kCode: return strCat("<pre>", escaped(piece.text), "</pre>\n");
    case PieceKind::kTable: return tableHtml(piece.table, piece.caption) + notesHtml(piece.notes);
    case PieceKind::kPicture:
      return strCat("<figure><img alt=\"", escaped(piece.caption), "\" src=\"data:image/svg+xml;base64,", base64(svg(piece.picture)), "\">\n<figcaption>", escaped(piece.caption), "</figcaption>\n",
                    notesHtml(piece.notes), "</figure>\n");
    case PieceKind::kProblem: break;
  }
  return strCat("<p class=\"problem\">", escaped(piece.text), "</p>\n");
}

std::string footerHtml(const Footer& footer) {
  std::string out = strCat("<footer>\n<h4>How this report is made again</h4>\n<p><code>", escaped(footer.command), "</code><br>\n", escaped(footer.version), ", store ", escaped(footer.store),
                           footer.made.empty() ? "" : strCat(", made ", escaped(footer.made)), "</p>\n");
  if (!footer.runs.empty()) {
    out += strCat("<p>A run again: <code>", escaped(kAgain), "</code></p>\n");
    Table table{.header = {"Run", "Seed", "Configuration", "Id", "State"}, .right = {false, true, false, false, false}};
    for (const FooterRun& run : footer.runs)
      table.rows.push_back({{.text = run.name}, {.text = std::to_string(run.seed)}, {.text = run.configuration}, {.text = run.id}, {.text = run.simulated ? run.state + ", simulated" : run.state}});
    out += tableHtml(table, "");
  }
  return out + "</footer>\n";
}

}  // namespace

std::string toHtml(const Report& report, const std::function<std::string(const Picture&)>& svg) {
  std::string out = strCat("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
                           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\">\n<meta name=\"generator\" content=\"", escaped(report.footer.version),
                           "\">\n<title>", escaped(report.title.empty() ? "Report" : report.title), "</title>\n<style>", kStyle, "</style>\n</head>\n<body>\n<main>\n");
  if (!report.title.empty()) out += strCat("<h1>", escaped(report.title), "</h1>\n");
  if (!report.author.empty()) out += strCat("<div class=\"author\">", escaped(report.author), "</div>\n");
  const auto listOf = [](PieceKind kind) { return kind == PieceKind::kBullet ? "ul" : kind == PieceKind::kNumbered ? "ol" : ""; };
  std::string open;
  for (const Piece& piece : report.pieces) {
    const std::string list = listOf(piece.kind);
    if (list != open && !open.empty()) out += strCat("</", open, ">\n");
    if (list != open && !list.empty()) out += strCat("<", list, ">\n");
    open = list;
    out += pieceHtml(piece, svg);
  }
  if (!open.empty()) out += strCat("</", open, ">\n");
  return out + footerHtml(report.footer) + "</main>\n</body>\n</html>\n";
}

}  // namespace paceline::report
