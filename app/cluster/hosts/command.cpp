#include "app/cluster/hosts/command.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "engine/core/base/error.h"
#include "engine/core/base/text.h"

namespace paceline::hosts {

std::string CommandResult::said() const {
  const std::string last = lastLine(end.errors);
  return last.empty() ? strCat("exit code ", end.code) : last;
}

CommandResult runOn(Host& host, const std::vector<std::string>& command, const CommandOptions& options) {
  using Clock = std::chrono::steady_clock;
  constexpr double kStopLatencySeconds = 0.2;
  const auto process = host.start(command);
  CommandResult result;
  try {
    if (options.input != nullptr) process->write(*options.input);
    process->closeInput();
  } catch (const Error&) {  // it has ended early: its errors say why
  }
  for (auto heard = Clock::now(); !process->ended();) {
    if (auto line = process->readLine(kStopLatencySeconds)) {
      result.lines.push_back(std::move(*line));
      heard = Clock::now();
    }
    if (options.stop.stop_requested()) throw Error(Errc::kStopped, strCat(host.name(), ": stopped as asked"));
    if (std::chrono::duration<double>(Clock::now() - heard).count() > options.silenceSeconds)
      throw Error(Errc::kHost, strCat(host.name(), ": ", command.at(0), " did not answer within ", options.silenceSeconds, " s"));
  }
  result.end = process->wait();
  return result;
}

namespace {

constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./:,@+";

std::string everyByte() {
  std::string bytes = "paceline ";
  for (int byte = 1; byte < 256; ++byte) bytes += static_cast<char>(byte);
  return bytes;
}

}  // namespace

// Single quotes keep everything but themselves. A backslash (fish) and an exclamation mark (csh) are special within them elsewhere, so
// those three stand between quotes, each after a backslash.
std::string shellQuote(std::string_view word) {
  if (word.find('\0') != std::string_view::npos) throw Error(Errc::kUsage, "an argument of a command holds a NUL byte; no program can take one");
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos) return std::string(word);
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'' || c == '\\' || c == '!')
      quoted.append("'\\").append(1, c).append("'");
    else
      quoted += c;
  }
  return quoted + "'";
}

std::string shellCommand(const std::vector<std::string>& command, const std::map<std::string, std::string>& env) {
  std::string line = "exec";
  if (!env.empty()) line += " env";
  for (const auto& [name, value] : env) line.append(" ").append(shellQuote(name + "=" + value));
  for (const std::string& word : command) line.append(" ").append(shellQuote(word));
  return line;
}

std::string quotingProblem(Host& host) {
  const std::string sent = everyByte();
  const auto process = host.start({"printf", "%s\\n", sent});
  process->closeInput();
  std::string got;
  while (const auto line = process->readLine(30)) got += *line + "\n";
  const ProcessEnd end = process->wait();
  if (!got.empty()) got.pop_back();
  if (got == sent) return "";
  const std::string what = "the login shell there does not pass arguments on as they are";
  if (end.code != 0) {
    std::string said = end.errors.substr(0, end.errors.find('\n'));
    return strCat(what, " (a test command ended with ", end.code, said.empty() ? "" : ": ", said, "); set a POSIX shell for this user: chsh -s /bin/sh");
  }
  const auto first = std::mismatch(sent.begin(), sent.end(), got.begin(), got.end()).first;
  char byte[8];
  std::snprintf(byte, sizeof byte, "0x%02x", first == sent.end() ? 0 : static_cast<unsigned char>(*first));
  return strCat(what, " (first wrong byte: ", byte, "); it must print nothing of its own and be a POSIX shell: chsh -s /bin/sh");
}

}  // namespace paceline::hosts
