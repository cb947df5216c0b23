#include "app/cli/help/roff.h"

#include <sstream>

namespace paceline::cli::roff {
namespace {

constexpr std::size_t kWidth = 80;
constexpr std::size_t kOther = 8;  // bytes of a character beyond ASCII as programs read it: "\\[u2265]"

// Where a line of kWidth bytes ends.
std::size_t endOf(const std::string& line, std::size_t room) {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const auto c = static_cast<unsigned char>(line[i]);
    bytes += c < 0x80 ? 1 : c >= 0xC0 ? kOther : 0;  // the bytes that a character goes on with count nothing
    if (bytes > room) return i;
  }
  return std::string::npos;
}

// `seam` ends all lines but the last: "\\" where what is cut must be one line to roff.
std::string cut(std::string line, const std::string& seam) {
  std::string out;
  while (endOf(line, kWidth) != std::string::npos) {
    const std::size_t end = endOf(line, kWidth - seam.size());
    std::size_t at = line.rfind(' ', end - seam.size());
    if (at == std::string::npos || at == 0) at = line.find(' ', end);
    if (at == std::string::npos) break;
    const std::size_t next = line.find_first_not_of(' ', at);
    if (next == std::string::npos) break;
    out += seam.empty() ? line.substr(0, at) : line.substr(0, at + 1) + seam;
    out += "\n";
    line = line.substr(next);
    if (line.starts_with('.') || line.starts_with('\'')) line = "\\&" + line;
  }
  return out + line + "\n";
}

}  // namespace

std::string wrapped(const std::string& page) {
  std::istringstream lines(page);
  std::string out;
  bool filled = true, tag = false;
  for (std::string line; std::getline(lines, line);) {
    if (line == ".nf") filled = false;
    if (line == ".fi") filled = true;
    out += !filled || line.starts_with('.') ? line + "\n" : cut(line, tag ? "\\" : "");
    tag = line == ".TP";
  }
  return out;
}

}  // namespace paceline::cli::roff
