#include "app/cli/help/manual_pages.h"

#include <cctype>

#include "app/cli/help/roff.h"
#include "engine/core/base/error.h"

namespace paceline::cli {
namespace {

std::string letter(char c) { return c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c); }

std::string paragraph(const std::string& text) {  // no line of it is a request
  const std::string line = inlineRoff(text);
  return (line.starts_with('.') || line.starts_with('\'') ? "\\&" : "") + line + "\n";
}

// A row is a term with what stands beside it, behind the column's name where there are more than two.
std::string rowRoff(const std::vector<std::string>& heads, const std::vector<std::string>& cells) {
  if (cells.empty()) return "";
  std::string text = ".TP\n" + paragraph(cells[0].empty() ? "-" : cells[0]);
  std::string rest;
  for (std::size_t i = 1; i < cells.size(); ++i) {
    if (cells[i].empty()) continue;
    const bool named = cells.size() > 2 && i < heads.size() && !heads[i].empty();
    rest += (rest.empty() ? "" : "; ") + (named ? heads[i] + ": " : "") + cells[i];
  }
  return text + paragraph(rest.empty() ? "-" : rest);
}

}  // namespace

// "`code`" and "**words**" bold, "*words*" italic, a link as its words.
std::string inlineRoff(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto until = [&](const std::string& mark, std::size_t from) { return text.find(mark, from); };
    if (text[i] == '\\' && i + 1 < text.size() && std::ispunct(static_cast<unsigned char>(text[i + 1])) != 0) {
      out += letter(text[++i]);
    } else if (const std::size_t end = text[i] == '`' ? until("`", i + 1) : std::string::npos; end != std::string::npos) {
      out += roff::bold(text.substr(i + 1, end - i - 1)), i = end;
    } else if (const std::size_t stop = text.compare(i, 2, "**") == 0 ? until("**", i + 2) : std::string::npos; stop != std::string::npos) {
      out += roff::bold(text.substr(i + 2, stop - i - 2)), i = stop + 1;
    } else if (const std::size_t close = text[i] == '*' && i + 1 < text.size() && text[i + 1] != ' ' ? until("*", i + 1) : std::string::npos; close != std::string::npos) {
      out += roff::italic(text.substr(i + 1, close - i - 1)), i = close;
    } else if (const std::size_t words = text[i] == '[' ? until("](", i) : std::string::npos; words != std::string::npos && until(")", words) != std::string::npos) {
      out += inlineRoff(text.substr(i + 1, words - i - 1)), i = until(")", words);
    } else {
      out += letter(text[i]);
    }
  }
  return out;
}

std::string codeRoff(const std::vector<std::string>& lines) {
  std::string text = ".RS 4\n.nf\n";
  for (const std::string& line : lines) text += roff::escaped(line) + "\n";
  return text + ".fi\n.RE\n";
}

std::string pageReference(const std::string& page) {
  const std::size_t dot = page.rfind('.');
  return strCat(".BR ", roff::escaped(page.substr(0, dot)), " (", page.substr(dot + 1), ")");
}

std::string manualPageName(const std::string& file) {
  if (file == "index.md") return "paceline-manual.7";
  const std::size_t begin = file.find_first_not_of("0123456789-");
  return strCat("paceline-", file.substr(begin == std::string::npos ? 0 : begin, file.rfind('.') - (begin == std::string::npos ? 0 : begin)), ".7");
}

std::string blocksRoff(const std::vector<ManualBlock>& blocks) {
  std::string page;
  for (const ManualBlock& block : blocks) {
    const bool first = page.empty();  // a paragraph begins behind a heading by itself
    switch (block.kind) {
      case ManualBlock::Kind::kParagraph: page += (first ? "" : ".PP\n") + paragraph(block.lines.front()); break;
      case ManualBlock::Kind::kItem: page += ".IP \\(bu 2\n" + paragraph(block.lines.front()); break;
      case ManualBlock::Kind::kCode: page += (first ? "" : ".PP\n") + codeRoff(block.lines); break;
      case ManualBlock::Kind::kTable:
        for (std::size_t row = 1; row < block.lines.size(); ++row) page += rowRoff(cellsOf(block.lines.front()), cellsOf(block.lines[row]));
    }
  }
  return page;
}

std::string manualPage(const ManualChapter& chapter, const std::vector<std::string>& others) {
  std::string page;
  for (const ManualSection& section : chapter.sections) {
    if (section.level > 1) page += (section.level == 2 ? ".SH " : ".SS ") + inlineRoff(section.title) + "\n";
    page += blocksRoff(section.blocks);
  }
  const std::string name = manualPageName(chapter.file);
  std::string also;
  for (const std::string& other : others) also += ",\n" + pageReference(other);
  if (!page.starts_with(".SH")) page = roff::section("DESCRIPTION") + page;
  return roff::head(name.substr(0, name.rfind('.')), 7, chapter.title()) + page + roff::section("SEE ALSO") + ".BR paceline (1)" + also + "\n";
}

std::map<std::string, std::string> manualPages(const std::vector<ManualChapter>& chapters) {
  const std::string index = "index.md";
  std::map<std::string, std::string> pages;
  for (const ManualChapter& chapter : chapters) {
    std::vector<std::string> others;
    for (const ManualChapter& other : chapters)
      if (chapter.file == index && other.file != index) others.push_back(manualPageName(other.file));
    if (chapter.file != index) others.push_back(manualPageName(index));
    pages[manualPageName(chapter.file)] = roff::wrapped(manualPage(chapter, others));
  }
  return pages;
}

}  // namespace paceline::cli
