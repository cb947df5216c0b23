#include "app/cluster/hosts/host.h"

#include "engine/core/base/clock.h"
#include "engine/core/base/error.h"
#include "engine/core/base/text.h"

namespace paceline::hosts {

std::string CommandResult::text() const {
  std::string all;
  for (const std::string& line : lines) all.append(&line == lines.data() ? "" : "\n").append(line);
  return all;
}

std::string CommandResult::said() const {
  const std::string last = lastLine(end.errors);
  return last.empty() ? strCat("exit code ", end.code) : last;
}

CommandResult runOn(Host& host, const std::vector<std::string>& command, const CommandOptions& options) {
  constexpr double kStopLatencySeconds = 0.2;
  const auto process = host.start(command);
  CommandResult result;
  try {
    if (options.input != nullptr) process->write(*options.input);
    process->closeInput();
  } catch (const Error&) {  // it has ended early: its errors say why
  }
  for (double heard = steadySeconds(); !process->ended();) {
    if (auto line = process->readLine(kStopLatencySeconds)) {
      result.lines.push_back(std::move(*line));
      if (options.onLine) options.onLine(result.lines.back());
      heard = steadySeconds();
    }
    if (options.stop.stop_requested()) throw Error(Errc::kStopped, strCat(host.name(), ": stopped as asked"));
    if (steadySeconds() - heard > options.silenceSeconds)
      throw Error(Errc::kHost, strCat(host.name(), ": ", command.at(0), " did not answer within ", options.silenceSeconds, " s"));
  }
  result.end = process->wait();
  return result;
}

// Single quotes keep everything but themselves. A backslash (fish) and an exclamation mark (csh) are special within them elsewhere, so
// those three stand between quotes, each after a backslash.
std::string shellQuote(std::string_view word) {
  if (word.find('\0') != std::string_view::npos) throw Error(Errc::kUsage, "an argument of a command holds a NUL byte; no program can take one");
  constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./:,@+";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos) return std::string(word);
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'' || c == '\\' || c == '!') quoted.append("'\\").append(1, c).append("'");
    else quoted += c;
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

}  // namespace paceline::hosts
