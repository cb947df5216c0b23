#include "app/cli/console.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <iostream>
#include <map>
#include <unistd.h>

#include "app/cluster/hosts/host.h"
#include "engine/core/base/error.h"
#include "engine/core/base/fd.h"
#include "engine/core/base/file_text.h"
#include "engine/core/base/replace_file.h"
#include "engine/core/base/user_folders.h"

namespace paceline::cli {

namespace {

[[noreturn]] void refuse(const std::string& what, const std::string& path, int code) {
  throw Error(code == ENOSPC ? Errc::kNoSpace : Errc::kFile, strCat("cannot ", what, " ", path, ": ", std::strerror(code)));
}

// U+0080 to U+009F are two bytes in UTF-8: the first one waits for the second.
class ControlFilter final : public std::streambuf {
 public:
  explicit ControlFilter(std::streambuf& to) : to_(to) {}

 private:
  int_type overflow(int_type given) override {
    if (traits_type::eq_int_type(given, traits_type::eof())) return traits_type::not_eof(given);
    const char c = traits_type::to_char_type(given);
    return xsputn(&c, 1) == 1 ? given : traits_type::eof();
  }
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    std::string out;
    for (std::streamsize i = 0; i < size; ++i) {
      const char c = text[i];
      const auto byte = static_cast<unsigned char>(c);
      const bool control = (byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7f || (lead_ && byte >= 0x80 && byte < 0xa0);
      if (lead_ && !(byte >= 0x80 && byte < 0xa0)) out += kLead;
      lead_ = c == kLead;
      if (!lead_) out += control ? '?' : c;
    }
    const auto length = static_cast<std::streamsize>(out.size());
    return to_.sputn(out.data(), length) == length ? size : 0;
  }
  int sync() override { return to_.pubsync(); }

  static constexpr char kLead = '\xc2';
  std::streambuf& to_;
  bool lead_ = false;
};

std::size_t widthOf(const std::string& text) {  // code points, enough for what we print
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

// "812", "-", "0.31..0.98"; not ids or dates, which begin with a digit too.
bool looksNumeric(const std::string& cell) { return cell.find_first_not_of("0123456789.-+e") == std::string::npos; }

std::string rowText(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths,
                    const std::vector<bool>& right) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string padding(widths[i] - widthOf(cells[i]), ' ');
    if (i > 0) line += "  ";
    line += right[i] ? padding + cells[i] : cells[i] + padding;
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

}  // namespace

std::unique_ptr<std::streambuf> withoutControls(std::streambuf& to) { return std::make_unique<ControlFilter>(to); }

void guardTerminal() {  // the filters live until the program ends: other threads may still print
  std::cerr.rdbuf(withoutControls(*std::cerr.rdbuf()).release());
  if (isTerminal(STDOUT_FILENO)) std::cout.rdbuf(withoutControls(*std::cout.rdbuf()).release());
}

void eraseLine() {
  std::cerr << std::flush;
  writeAll(STDERR_FILENO, "\r\x1b[K");
}

bool isTerminal(int descriptor) { return ::isatty(descriptor) == 1; }

std::string readTextFile(const std::string& path) {
  const bool piped = path == "-";
  if (auto text = piped ? restOf(stdin) : fileText(path)) return std::move(*text);
  const std::string named = piped ? "standard input" : path;
  if (errno == EFBIG) throw Error(Errc::kFile, strCat("cannot read ", named, ": it has more than ", bytesText(kMaxTextBytes), ", too much for a document"));
  refuse("read", named, errno);
}

void writeOutput(const std::string& path, const std::string& text) {
  writeOutput(path, [&text](const PieceWriter& write) { write(text); });
}

void writeOutput(const std::string& path, const std::function<void(const PieceWriter& write)>& source) {
  if (!path.empty() && path != "-") return replaceFile(path, source);
  source([](std::string_view piece) {
    std::cout << piece << std::flush;
    if (!std::cout) refuse("write", "standard output", errno);
  });
}

void makeFolder(const std::string& path) {
  std::error_code code;
  std::filesystem::create_directories(path, code);
  if (code) refuse("make folder", path, code.value());
  if (!std::filesystem::is_directory(path)) refuse("make folder", path, ENOTDIR);
}

std::string tableText(const std::vector<std::string>& header, std::vector<std::vector<std::string>> rows) {
  for (std::vector<std::string>& row : rows)
    for (std::string& cell : row) cell = quotable(cell, std::string::npos);  // a table is for people, wherever it goes
  std::vector<std::size_t> widths;
  std::vector<bool> right;
  for (std::size_t i = 0; i < header.size(); ++i) {
    widths.push_back(widthOf(header[i]));
    right.push_back(!rows.empty());
    for (const std::vector<std::string>& row : rows) {
      widths[i] = std::max(widths[i], widthOf(row[i]));
      right[i] = right[i] && (looksNumeric(row[i]) || row[i] == "not reached");
    }
  }
  std::string text = rowText(header, widths, right);
  for (const std::vector<std::string>& row : rows) text += rowText(row, widths, right);
  return text;
}

std::string durationText(double seconds) {
  if (!std::isfinite(seconds)) return "?";
  if (seconds < 59.95) return (seconds < 1 ? significant(seconds, 2) : decimals(seconds, 1)) + " s";
  const auto whole = static_cast<std::int64_t>(std::llround(seconds));
  char text[48];
  if (whole < 3600)
    std::snprintf(text, sizeof text, "%d:%02d", static_cast<int>(whole / 60), static_cast<int>(whole % 60));
  else
    std::snprintf(text, sizeof text, "%lld:%02d:%02d", static_cast<long long>(whole / 3600), static_cast<int>(whole / 60 % 60),
                  static_cast<int>(whole % 60));
  return text;
}

std::string decimals(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return std::isfinite(value) ? text : "NaN";
}

std::string significant(double value, int digits) {
  if (!std::isfinite(value)) return "NaN";
  char text[64];
  const bool whole = std::abs(value) >= std::pow(10.0, digits - 1);
  std::snprintf(text, sizeof text, whole ? "%.*f" : "%.*g", whole ? 0 : digits, value);
  return text;
}

std::string workbenchPath() {
  const hosts::Installation here = hosts::localInstallation();
  const std::string path = here.program("paceline-workbench");
  if (::access(path.c_str(), X_OK) == 0) return path;
  throw Error(Errc::kHost, strCat("paceline-workbench is not in ", here.folder,
                                  ": it was not built; csv and json figures need no window"));
}

void runWorkbench(const std::vector<std::string>& arguments) {
  std::vector<std::string> command{workbenchPath()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  std::map<std::string, std::string> env;
  const bool display = !environment("DISPLAY").empty() || !environment("WAYLAND_DISPLAY").empty();
  if (!display && environment("QT_QPA_PLATFORM").empty()) env["QT_QPA_PLATFORM"] = "offscreen";
  const hosts::CommandResult result = hosts::runOn(*hosts::localHost("local", env), command, {.silenceSeconds = 600});
  if (result.end.code != 0) throw Error(Errc::kHost, strCat("paceline-workbench ", arguments.at(0), ": ", result.said()));
}

}  // namespace paceline::cli
