// Words of manual pages. Any thread.
#pragma once

#include <string>

#include "engine/core/base/error.h"

namespace paceline::cli::roff {

// A line that begins with a dot or an apostrophe would be a request; a backslash begins an escape, a bare '-' is a hyphen.
inline std::string escaped(const std::string& text) {
  std::string safe;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if ((c == '.' || c == '\'') && (i == 0 || text[i - 1] == '\n')) safe += "\\&";
    if (c == '\\') safe += "\\e";
    else if (c == '-') safe += "\\-";
    else safe += c;
  }
  return safe;
}

inline std::string bold(const std::string& text) { return "\\fB" + escaped(text) + "\\fR"; }
inline std::string italic(const std::string& text) { return "\\fI" + escaped(text) + "\\fR"; }
inline std::string section(const std::string& title) { return ".SH " + escaped(title) + "\n"; }
inline std::string capitals(std::string text) {  // of ASCII letters
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return text;
}
inline std::string head(const std::string& page, int part, const std::string& summary) {
  return strCat(".TH \"", escaped(capitals(page)), "\" ", part, " \"\" \"Paceline ", PACELINE_VERSION, "\" \"Paceline\"\n", section("NAME"), escaped(page), " \\- ", escaped(summary), "\n");
}

std::string wrapped(const std::string& page);  // lines of text have at most 80 bytes, which programs that check pages want

}  // namespace paceline::cli::roff
