// Text for LaTeX. Any thread.
#pragma once

#include <string>

namespace paceline {

// No character of it means anything to LaTeX but itself. UTF-8 stays; of signs that pdflatex has no letter for, those that we write ("≥", "−") become mathematics.
std::string latexText(const std::string& text);

}  // namespace paceline
