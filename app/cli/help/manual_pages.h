// The chapters of the manual (resources/manual, Markdown) as manual pages of section 7. Main thread.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace paceline::cli {

// "paceline-tutorial.7" of "01-tutorial.md"; index.md is "paceline-manual.7". `others`: the pages that it names at its end.
std::string manualPageName(const std::string& file);
std::string manualPage(const std::string& file, const std::string& markdown, const std::vector<std::string>& others);

std::map<std::string, std::string> manualPages(const std::string& folder);  // by file name; Error{kFile}

}  // namespace paceline::cli
