#include "engine/core/json/comments.h"

#include <algorithm>

namespace paceline {

std::string withoutComments(std::string_view text) {
  std::string plain(text);
  for (std::size_t at = 0; at < plain.size(); ++at) {
    if (plain[at] == '"') {
      for (++at; at < plain.size() && plain[at] != '"'; ++at)
        if (plain[at] == '\\') ++at;
      continue;
    }
    if (plain[at] != '/' || at + 1 == plain.size()) continue;
    std::size_t end = at;
    if (plain[at + 1] == '/') {
      end = std::min(plain.find('\n', at), plain.size());
    } else if (plain[at + 1] == '*') {
      end = plain.find("*/", at + 2);
      if (end == std::string::npos) break;
      end += 2;
    }
    if (end == at) continue;
    std::replace_if(plain.begin() + static_cast<std::ptrdiff_t>(at), plain.begin() + static_cast<std::ptrdiff_t>(end), [](char c) { return c != '\n' && c != '\r'; }, ' ');
    at = end - 1;
  }
  return plain;
}

}  // namespace paceline
