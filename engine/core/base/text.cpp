#include "engine/core/base/text.h"

#include <algorithm>
#include <charconv>

#include "engine/core/base/error.h"

namespace paceline {
namespace {

// Bytes of the well-formed UTF-8 character at the front of `text`; 0: none.
std::size_t characterLength(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  if (first == 0xc2 && byte(1) < 0xa0) return 0;  // U+0080 to U+009F: controls, too
  const bool overlong = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90);
  const bool noCharacter = (first == 0xed && byte(1) > 0x9f) || (first == 0xf4 && byte(1) > 0x8f);
  return overlong || noCharacter ? 0 : length;
}

}  // namespace

std::string pointerTo(const std::string& parent, std::string_view token) {
  std::string pointer = parent + "/";
  for (const char c : token) {
    if (c == '~') pointer += "~0";
    else if (c == '/') pointer += "~1";
    else pointer += c;
  }
  return pointer;
}

std::string quotable(std::string_view text, std::size_t limit) {
  std::string line;
  while (!text.empty()) {
    const std::size_t length = characterLength(text);
    if (line.size() + std::max<std::size_t>(length, 1) > limit) return line + "...";
    if (length == 0) line += '?';
    else line += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return line;
}

std::string listed(const std::vector<std::string>& items) {
  constexpr std::size_t kMost = 64;
  std::string text;
  for (std::size_t i = 0; i < std::min(items.size(), kMost); ++i) text += (i == 0 ? "" : ", ") + items[i];
  if (items.size() > kMost) text += strCat(" and ", items.size() - kMost, " more");
  return items.empty() ? "none" : text;
}

std::string lowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

std::string trimmedEnd(std::string_view text) { return std::string(text.substr(0, text.find_last_not_of(" \t\r\n") + 1)); }

std::string lastLine(std::string_view text) {
  const std::string trimmed = trimmedEnd(text);
  return trimmed.substr(trimmed.find_last_of('\n') + 1);
}

std::string boundText(double bound) {
  std::string text;
  for (const int digits : {7, 15, 16, 17}) {  // the fewest that say it exactly
    char shown[32];
    text.assign(shown, std::to_chars(shown, shown + sizeof shown, bound, std::chars_format::general, digits).ptr);
    double read = 0;
    std::from_chars(text.data(), text.data() + text.size(), read);
    if (read == bound) break;
  }
  if (const std::size_t at = text.find('e'); at != std::string::npos) {  // "1e+09", "1e-06"
    const std::size_t sign = at + (text[at + 1] == '-' ? 2 : 1);
    text.erase(sign, text.find_first_not_of("+-0", sign) - sign);
  }
  return text;
}

std::vector<std::int64_t> countsFromText(std::string_view text) {
  std::vector<std::int64_t> counts;
  while (true) {
    const std::size_t comma = text.find(',');
    std::string_view item = text.substr(0, comma);
    while (item.starts_with(' ')) item.remove_prefix(1);
    while (item.ends_with(' ')) item.remove_suffix(1);
    std::int64_t count = 0;
    const auto [end, error] = std::from_chars(item.data(), item.data() + item.size(), count);
    if (error != std::errc{} || end != item.data() + item.size() || count < 1 || count > 1'000'000'000'000'000)
      throw Error(Errc::kSpec, strCat("must be whole numbers from 1 to 1e15 with commas between them, got \"", quotable(item), "\""));
    if (!counts.empty() && count <= counts.back())
      throw Error(Errc::kSpec, strCat("must grow, got ", count, " after ", counts.back()));
    counts.push_back(count);
    if (comma == std::string_view::npos) return counts;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace paceline
