#include "app/cluster/hosts/command.h"

#include <chrono>

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

}  // namespace paceline::hosts
