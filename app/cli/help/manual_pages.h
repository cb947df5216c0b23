// The chapters of the manual as manual pages of section 7, and their parts as roff, of which other pages are made, too. Any thread.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "app/cli/help/manual_text.h"

namespace paceline::cli {

// "paceline-tutorial.7" of "01-tutorial.md"; index.md is "paceline-manual.7". `others`: the pages that it names at its end.
std::string manualPageName(const std::string& file);
std::string manualPage(const ManualChapter& chapter, const std::vector<std::string>& others);
std::map<std::string, std::string> manualPages(const std::vector<ManualChapter>& chapters);  // by file name

std::string inlineRoff(const std::string& text);                         // of a paragraph's Markdown; without an end of line
std::string blocksRoff(const std::vector<ManualBlock>& blocks);          // as they follow a heading
std::string codeRoff(const std::vector<std::string>& lines);
std::string pageReference(const std::string& page);                      // ".BR paceline\-suites (7)" of "paceline-suites.7"; without an end of line

}  // namespace paceline::cli
