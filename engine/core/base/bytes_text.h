// Amounts of bytes for people: "812 bytes", "2.9 MB". Powers of 1000. Any thread.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

namespace paceline {

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

}  // namespace paceline
