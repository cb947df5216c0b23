// Pieces of messages: pointers, quotations, lists. Any thread.
#pragma once

#include <cstdint>
#include <cstdio>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

namespace paceline {

constexpr std::size_t kMaxTextBytes = std::size_t{64} << 20;  // of a document, a file of a program, a line between programs; who reads more says how much

// "/nodes" + "a/b" -> "/nodes/a~1b"
std::string pointerTo(const std::string& parent, std::string_view token);
inline std::string pointerTo(const std::string& parent, std::size_t index) { return parent + "/" + std::to_string(index); }

// At most `limit` bytes of text as one printable line: control characters and malformed UTF-8 become '?'.
std::string quotable(std::string_view text, std::size_t limit = 60);

std::string lowerCase(std::string_view text);   // of ASCII letters
std::string trimmedEnd(std::string_view text);  // without white space at its end
std::string lastLine(std::string_view text);    // that has more than white space; "": none

// "a, b, c"; "none" when there is nothing; of many the first: "a, b, ... and 12 more".
std::string listed(const std::vector<std::string>& items);

// Amounts of bytes for people: "812 bytes", "2.9 MB". Powers of 1000. Any thread.
inline std::string bytesText(std::int64_t bytes) {
  if (bytes < 1000) return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
  double value = static_cast<double>(bytes) / 1000;
  const char* units[] = {"kB", "MB", "GB", "TB", "PB"};
  int unit = 0;
  for (; value >= 999.5 && unit < 4; ++unit) value /= 1000;
  char text[32];
  std::snprintf(text, sizeof text, value < 9.95 ? "%.1f %s" : "%.0f %s", value, units[unit]);
  return text;
}

// A bound for people, exactly: "0.5", "1000000", "1e9", "1e-6", "4294967295".
std::string boundText(double bound);

// A list of counts as a text parameter holds it: "600000, 1200000", growing, at least one. Any thread.
// Throws Error{kSpec} that quotes the item that is no whole number from 1 to 1e15 or does not grow.
std::vector<std::int64_t> countsFromText(std::string_view text);

// Points in time for documents and people: "2025-03-01T12:00:00Z". Any thread.
inline std::string utcText(double unixSeconds) {  // "" for 0 and below: not known
  if (!(unixSeconds > 0)) return "";
  const auto whole = static_cast<std::time_t>(unixSeconds);
  std::tm parts{};
  ::gmtime_r(&whole, &parts);
  char text[40];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

}  // namespace paceline
