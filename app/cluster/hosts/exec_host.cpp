#include "app/cluster/hosts/exec_host.h"

#include <arpa/inet.h>

#include <algorithm>

#include "app/cluster/hosts/local_process.h"
#include "engine/core/base/clock.h"
#include "engine/core/base/error.h"
#include "engine/core/base/text.h"

namespace paceline::hosts {
namespace {

constexpr double kAnswerSeconds = 60;
constexpr const char* kAnswer = "paceline-shell-answers";

// The first address that is none of the machine's own loopback.
constexpr const char* kAddresses = "hostname -I 2>/dev/null; getent ahosts \"$(hostname)\" 2>/dev/null";

class ExecHost final : public Host {
 public:
  explicit ExecHost(const HostEntry& entry) : entry_(entry) {}

  std::string name() const override { return entry_.name; }

  // The shell reads what to run from its stdin, so that no word passes through another shell's hands. It may read ahead: what is for the command comes after its answer.
  std::unique_ptr<Process> start(const std::vector<std::string>& command) override {
    // In a shell of its own, which becomes the command; this one lives on to say how it ended.
    const std::string script = strCat("echo ", kAnswer, "; sh -c ", shellQuote(shellCommand(command, entry_.env)), "; exit $?\n");
    auto process = std::make_unique<LocalProcess>(std::vector<std::string>{"/bin/sh", "-c", strCat("exec ", entry_.command, " /bin/sh")}, std::map<std::string, std::string>{}, entry_.name);
    try {
      process->write(script);
    } catch (const Error&) {
      refuse(*process);
    }
    for (const double until = steadySeconds() + kAnswerSeconds;;) {
      const double left = until - steadySeconds();
      const std::optional<std::string> line = process->readLine(std::max(0.0, left));
      if (line == kAnswer) return process;
      if (line) continue;  // what the machine greets with
      if (process->ended()) refuse(*process);
      if (left <= 0) throw Error(Errc::kHost, strCat(entry_.name, ": no shell answered within ", kAnswerSeconds, " s: ", quotable(entry_.command, 200)));
    }
  }

 private:
  [[noreturn]] void refuse(LocalProcess& process) const {
    const ProcessEnd end = process.wait();
    std::string last = end.errors;
    while (!last.empty() && last.back() == '\n') last.pop_back();
    last = last.substr(last.rfind('\n') == std::string::npos ? 0 : last.rfind('\n') + 1);
    throw Error(Errc::kHost, strCat(entry_.name, ": gives no shell: ", last.empty() ? strCat("\"", quotable(entry_.command, 200), " /bin/sh\" ended with ", end.code) : quotable(last, 300)));
  }

  const HostEntry entry_;
};

}  // namespace

std::unique_ptr<Host> execHost(const HostEntry& entry) { return std::make_unique<ExecHost>(entry); }

std::string execDataAddress(Host& host) {
  const CommandResult result = runOn(host, {"sh", "-c", kAddresses}, {.silenceSeconds = kAnswerSeconds});
  std::string text = result.text();
  std::ranges::replace(text, '\n', ' ');
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    begin = end + 1;
    unsigned char bytes[16] = {};
    const bool four = ::inet_pton(AF_INET, word.c_str(), bytes) == 1;
    if (four && bytes[0] != 127 && bytes[0] != 0) return word;
  }
  return "";
}

}  // namespace paceline::hosts
