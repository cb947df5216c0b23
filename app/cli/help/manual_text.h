// The manual's chapters (resources/manual, Markdown) as headings with what stands below them. What run_commands.py of tests/manual accepts is read; nothing is refused. Any thread.
#pragma once

#include <string>
#include <vector>

namespace paceline::cli {

struct ManualBlock {
  enum class Kind { kParagraph, kItem, kTable, kCode };
  Kind kind = Kind::kParagraph;
  std::string language = {};            // of code: "console", "text", "json"
  std::vector<std::string> lines = {};  // of a paragraph and an item one, of a table its rows without the line below the head
};

struct ManualSection {
  std::string title;  // "": what stands before the first heading
  int level = 1;      // 1: the chapter's title
  std::vector<ManualBlock> blocks = {};
};

struct ManualChapter {
  std::string file;  // "05-suites.md"
  std::vector<ManualSection> sections;

  const std::string& title() const;  // its first heading; without one its file
};

ManualChapter readChapter(const std::string& file, const std::string& markdown);
std::vector<ManualChapter> readManual(const std::string& folder);  // by file name; Error{kFile}

std::vector<std::string> cellsOf(const std::string& row);       // of a table
std::vector<std::string> codeSpansOf(const std::string& text);  // what stands in backticks

}  // namespace paceline::cli
