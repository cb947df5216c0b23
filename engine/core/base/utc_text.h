// Points in time for documents and people: "2025-03-01T12:00:00Z". Any thread.
#pragma once

#include <ctime>
#include <string>

namespace paceline {

inline std::string utcText(double unixSeconds) {  // "" for 0 and below: not known
  if (!(unixSeconds > 0)) return "";
  const auto whole = static_cast<std::time_t>(unixSeconds);
  std::tm parts{};
  ::gmtime_r(&whole, &parts);
  char text[40];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

}  // namespace paceline
