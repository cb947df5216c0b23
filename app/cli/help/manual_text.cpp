#include "app/cli/help/manual_text.h"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "app/cli/console.h"
#include "engine/core/base/error.h"

namespace paceline::cli {
namespace {

using Kind = ManualBlock::Kind;

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(' '), end = text.find_last_not_of(' ');
  return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

int headingLevel(const std::string& line) {  // 0: none
  const std::size_t level = line.find_first_not_of('#');
  return level != std::string::npos && line[level] == ' ' ? static_cast<int>(level) : 0;
}

void takeLine(std::vector<ManualBlock>& blocks, const std::string& line, bool& apart) {
  const bool goesOn = !apart && !blocks.empty();
  apart = false;
  if (line.starts_with('|')) {
    if (!goesOn || blocks.back().kind != Kind::kTable) blocks.push_back({.kind = Kind::kTable});
    if (line.find_first_not_of("|-: ") != std::string::npos) blocks.back().lines.push_back(line);
  } else if (line.starts_with("* ") || line.starts_with("- ")) {
    blocks.push_back({.kind = Kind::kItem, .lines = {line.substr(2)}});
  } else if (goesOn && (blocks.back().kind == Kind::kParagraph || blocks.back().kind == Kind::kItem)) {
    blocks.back().lines.back() += " " + line;
  } else {
    blocks.push_back({.lines = {line}});
  }
}

}  // namespace

const std::string& ManualChapter::title() const {
  const auto headed = std::ranges::find_if(sections, [](const ManualSection& each) { return !each.title.empty(); });
  return headed == sections.end() ? file : headed->title;
}

ManualChapter readChapter(const std::string& file, const std::string& markdown) {
  ManualChapter chapter{.file = file, .sections = {{}}};
  std::istringstream lines(markdown);
  bool fenced = false, apart = true;  // apart: what comes begins a block
  for (std::string line; std::getline(lines, line);) {
    std::vector<ManualBlock>& blocks = chapter.sections.back().blocks;
    if (line.starts_with("```")) {
      fenced = !fenced;
      apart = true;
      if (fenced) blocks.push_back({.kind = Kind::kCode, .language = trimmed(line.substr(3))});
    } else if (fenced) {
      blocks.back().lines.push_back(line);
    } else if (const int level = headingLevel(line); level > 0) {
      chapter.sections.push_back({.title = trimmed(line.substr(static_cast<std::size_t>(level))), .level = level});
      apart = true;
    } else if (const std::string text = trimmed(line); text.empty()) {
      apart = true;
    } else {
      takeLine(blocks, text, apart);
    }
  }
  return chapter;
}

std::vector<ManualChapter> readManual(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (entry.path().extension() == ".md") files.push_back(entry.path().filename().string());
  if (error) throw Error(Errc::kFile, strCat(folder, ": ", error.message()));
  std::ranges::sort(files);
  std::vector<ManualChapter> chapters;
  for (const std::string& file : files) chapters.push_back(readChapter(file, readTextFile(folder + "/" + file)));
  return chapters;
}

std::vector<std::string> cellsOf(const std::string& row) {
  std::vector<std::string> cells;
  std::string cell;
  bool code = false;
  for (std::size_t i = 1; i < row.size(); ++i) {
    if (row[i] == '`') code = !code;
    if (row[i] == '|' && !code && row[i - 1] != '\\') {
      cells.push_back(trimmed(cell));
      cell.clear();
    } else {
      cell += row[i];
    }
  }
  return cells;
}

std::vector<std::string> codeSpansOf(const std::string& text) {
  std::vector<std::string> spans;
  for (std::size_t begin = text.find('`'); begin != std::string::npos;) {
    const std::size_t end = text.find('`', begin + 1);
    if (end == std::string::npos) break;
    spans.push_back(text.substr(begin + 1, end - begin - 1));
    begin = text.find('`', end + 1);
  }
  return spans;
}

}  // namespace paceline::cli
