// The text of a paragraph: **bold**, *emphasis*, `code`, [link](address), {{live}}; a backslash takes the next character as it is. Private to report.
#pragma once

#include "app/report/document.h"

namespace paceline::report {

// `text` begins in that line of the report; what is wrong in it is added to the problems, and stays as written.
std::vector<Span> spansOf(const std::string& text, int line, std::vector<Problem>& problems);

}  // namespace paceline::report
