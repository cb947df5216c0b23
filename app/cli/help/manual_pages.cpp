#include "app/cli/help/manual_pages.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <sstream>

#include "app/cli/console.h"
#include "app/cli/help/roff.h"
#include "engine/core/base/error.h"

namespace paceline::cli {
namespace {

std::string letter(char c) { return c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c); }

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

std::string paragraph(const std::string& text) {  // no line of it is a request
  const std::string line = inlineRoff(text);
  return (line.starts_with('.') || line.starts_with('\'') ? "\\&" : "") + line + "\n";
}

std::vector<std::string> cellsOf(const std::string& row) {
  std::vector<std::string> cells;
  std::string cell;
  bool code = false;
  for (std::size_t i = 1; i < row.size(); ++i) {
    if (row[i] == '`') code = !code;
    if (row[i] == '|' && !code && row[i - 1] != '\\') {
      const std::size_t begin = cell.find_first_not_of(' '), end = cell.find_last_not_of(' ');
      cells.push_back(begin == std::string::npos ? "" : cell.substr(begin, end - begin + 1));
      cell.clear();
    } else {
      cell += row[i];
    }
  }
  return cells;
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

std::string manualPageName(const std::string& file) {
  if (file == "index.md") return "paceline-manual.7";
  const std::size_t begin = file.find_first_not_of("0123456789-");
  return strCat("paceline-", file.substr(begin == std::string::npos ? 0 : begin, file.rfind('.') - (begin == std::string::npos ? 0 : begin)), ".7");
}

std::string manualPage(const std::string& file, const std::string& markdown, const std::vector<std::string>& others) {
  std::istringstream lines(markdown);
  std::string page, title = file;
  std::vector<std::string> heads;
  bool fenced = false, inTable = false, apart = true, headed = true;  // apart: a new paragraph has begun; headed: so far nothing but a heading
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      fenced = !fenced;
      page += fenced ? (headed ? ".RS 4\n.nf\n" : ".PP\n.RS 4\n.nf\n") : ".fi\n.RE\n";
      headed = false;
      apart = false;
      continue;
    }
    if (fenced) {
      page += roff::escaped(line) + "\n";
      continue;
    }
    const std::size_t level = line.find_first_not_of('#');
    if (!line.starts_with('|')) inTable = false;
    if (line.empty()) {
      apart = headed;
      continue;
    }
    headed = false;
    if (level > 0 && level != std::string::npos && line[level] == ' ') {
      if (level == 1) title = line.substr(2);
      else page += (level == 2 ? ".SH " : ".SS ") + inlineRoff(line.substr(level + 1)) + "\n";
      apart = headed = true;
    } else if (line.starts_with('|')) {
      const std::vector<std::string> cells = cellsOf(line);
      if (!inTable) heads = cells;
      else if (line.find_first_not_of("|-: ") != std::string::npos) page += rowRoff(heads, cells);
      inTable = true;
      apart = false;
    } else if (line.starts_with("* ") || line.starts_with("- ")) {
      page += ".IP \\(bu 2\n" + paragraph(line.substr(2));
      apart = true;
    } else {
      if (!apart) page += ".PP\n";
      page += paragraph(line);
      apart = true;
    }
  }
  const std::string name = manualPageName(file);
  std::string also;
  for (const std::string& other : others) also += strCat(also.empty() ? "" : ",\n", ".BR ", roff::escaped(other.substr(0, other.rfind('.'))), " (7)");
  if (!page.starts_with(".SH")) page = roff::section("DESCRIPTION") + page;
  return roff::head(name.substr(0, name.rfind('.')), 7, title) + page + roff::section("SEE ALSO") + ".BR paceline (1)" + (also.empty() ? "" : ",\n" + also) + "\n";
}

std::map<std::string, std::string> manualPages(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (entry.path().extension() == ".md") files.push_back(entry.path().filename().string());
  if (error) throw Error(Errc::kFile, strCat(folder, ": ", error.message()));
  std::ranges::sort(files);
  std::map<std::string, std::string> pages;
  for (const std::string& file : files) {
    std::vector<std::string> others;
    for (const std::string& other : files)
      if (file == "index.md" && other != file) others.push_back(manualPageName(other));
    if (file != "index.md") others.push_back(manualPageName("index.md"));
    pages[manualPageName(file)] = manualPage(file, readTextFile(folder + "/" + file), others);
  }
  return pages;
}

}  // namespace paceline::cli
