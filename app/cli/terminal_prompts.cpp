#include "app/cli/terminal_prompts.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>

#include "app/cluster/hosts/local_process.h"
#include "engine/core/base/fd.h"
#include "engine/core/base/secret.h"
#include "engine/core/base/clock.h"
#include "engine/core/base/text.h"

namespace paceline::cli {
namespace {

constexpr double kAskAgainSeconds = 20;  // the same question within this time: the last answer was refused
constexpr double kAskpassSeconds = 600;
constexpr std::size_t kMaxAnswer = 4096;

// Signals that would end the program wait while this lives, wake who polls, and come when it goes. One at a time.
class HeldSignals {
 public:
  HeldSignals() {
    wake = pipe_.write.get();
    struct sigaction action{};
    action.sa_handler = [](int signal) {
      const int before = errno;
      const char number = static_cast<char>(signal);
      [[maybe_unused]] const auto written = ::write(wake, &number, 1);
      errno = before;
    };
    for (std::size_t i = 0; i < kSignals.size(); ++i)
      if (::sigaction(kSignals[i], nullptr, &before_[i]) == 0 && before_[i].sa_handler != SIG_IGN) ::sigaction(kSignals[i], &action, nullptr);
  }
  ~HeldSignals() {
    for (std::size_t i = 0; i < kSignals.size(); ++i) ::sigaction(kSignals[i], &before_[i], nullptr);
    pollfd came{pipe_.read.get(), POLLIN, 0};
    char number = 0;
    if (::poll(&came, 1, 0) == 1 && ::read(pipe_.read.get(), &number, 1) == 1) ::kill(::getpid(), number);
  }
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

  int descriptor() const { return pipe_.read.get(); }  // readable: one has come

 private:
  static constexpr std::array kSignals{SIGTERM, SIGINT, SIGHUP, SIGQUIT};
  static inline std::atomic<int> wake = -1;
  Pipe pipe_;
  std::array<struct sigaction, kSignals.size()> before_{};
};

// The terminal, letter by letter and, unless `echo`, unseen; as it was when this goes away, before a signal ends the program.
class Terminal {
 public:
  explicit Terminal(bool echo) : device_(::open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)), echo_(echo) {
    if (!device_ || ::tcgetattr(device_.get(), &before_) != 0) return;
    termios quiet = before_;
    quiet.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | ISIG);  // Ctrl-C is ours, so that the echo comes back whatever happens
    quiet.c_cc[VMIN] = 1;
    quiet.c_cc[VTIME] = 0;
    changed_ = ::tcsetattr(device_.get(), TCSAFLUSH, &quiet) == 0;
  }
  ~Terminal() {
    if (changed_) ::tcsetattr(device_.get(), TCSAFLUSH, &before_);
  }

  bool there() const { return changed_; }
  void write(const std::string& text) { [[maybe_unused]] const auto written = ::write(device_.get(), text.data(), text.size()); }

  // nullopt: Ctrl-C, Ctrl-D, a signal, or the terminal went away.
  std::optional<std::string> readLine() {
    std::string line;
    line.reserve(kMaxAnswer);  // never moved, so nothing of it is left behind
    for (char c = 0;;) {
      pollfd polled[] = {{device_.get(), POLLIN, 0}, {signals_.descriptor(), POLLIN, 0}};
      if (::poll(polled, 2, -1) < 0 && errno == EINTR) continue;
      if (polled[1].revents != 0) {
        wipe(line);
        return std::nullopt;
      }
      const auto got = ::read(device_.get(), &c, 1);
      if (got < 0 && errno == EINTR) continue;
      const bool interrupted = got == 1 && static_cast<cc_t>(c) == before_.c_cc[VINTR];
      if (got <= 0 || interrupted || static_cast<cc_t>(c) == before_.c_cc[VEOF]) {
        wipe(line);
        if (interrupted) ::kill(::getpid(), SIGINT);
        return std::nullopt;
      }
      if (c == '\n' || c == '\r') return line;
      take(c, line);
    }
  }

 private:
  void take(char c, std::string& line) {
    if (static_cast<cc_t>(c) == before_.c_cc[VERASE] || c == '\b') {
      if (!line.empty() && echo_) write("\b \b");
      while (!line.empty() && (static_cast<unsigned char>(line.back()) & 0xC0) == 0x80) line.pop_back();  // a letter's further bytes
      if (!line.empty()) line.pop_back();
    } else if (static_cast<cc_t>(c) == before_.c_cc[VKILL]) {
      wipe(line);
      if (echo_) write(" (begun again) ");
    } else if (line.size() < kMaxAnswer) {
      line += c;
      if (echo_) write(std::string(1, c));
    }
  }

  HeldSignals signals_;  // goes last
  Fd device_;
  bool echo_, changed_ = false;
  termios before_{};
};

std::optional<std::string> askProgram(const std::string& program, const std::string& question) {
  hosts::LocalProcess process({program, question});
  process.closeInput();
  auto answer = process.readLine(kAskpassSeconds);
  if (process.wait().code == 0 && answer) return answer;
  if (answer) wipe(*answer);
  return std::nullopt;
}

}  // namespace

TerminalPrompts::TerminalPrompts(std::stop_token stop, std::function<void(const std::string&)> tell) : stop_(std::move(stop)), tell_(std::move(tell)) {}

TerminalPrompts::~TerminalPrompts() {
  for (auto& [question, answer] : answers_) wipe(answer.text);
}

std::optional<std::string> TerminalPrompts::ask(const std::string& question, bool echo) {
  if (const char* program = std::getenv("PACELINE_ASKPASS"); program != nullptr && *program != '\0') return askProgram(program, question);
  static std::mutex one;
  const std::lock_guard alone(one);
  Terminal terminal(echo);
  if (!terminal.there()) return std::nullopt;
  terminal.write("\r\033[K" + question);  // over a progress line
  auto answer = terminal.readLine();
  terminal.write("\n");
  return answer;
}

// What a host asks goes to the terminal as one printable line.
std::optional<std::string> TerminalPrompts::secret(const std::string& host, const std::string& prompt, bool echo) {
  const std::lock_guard lock(mutex_);
  const auto self = std::this_thread::get_id();
  const auto known = answers_.find({host, prompt});
  if (known != answers_.end()) {
    double& given = known->second.given.try_emplace(self, -kAskAgainSeconds).first->second;
    if (steadySeconds() - given > kAskAgainSeconds) {
      given = steadySeconds();
      return known->second.text;
    }
    wipe(known->second.text);
    answers_.erase(known);
  }
  const std::size_t end = prompt.find_last_not_of(" \n\t:");
  auto answer = ask(strCat(host, ": ", quotable(prompt.substr(0, end + 1), 200), ": "), echo);
  if (answer) answers_[{host, prompt}] = {.text = *answer, .given = {{self, steadySeconds()}}};
  return answer;
}

bool TerminalPrompts::acceptKey(const hosts::HostKeyPrompt& question) {
  const std::lock_guard lock(mutex_);
  const auto answer = ask(strCat("The key of ", question.host, " (", quotable(question.address, 200), ") is not known:\n  ", question.type, "  ", question.fingerprint,
                                 "\nType \"yes\" to trust it from now on: "),
                          true);
  return answer == "yes";
}

bool TerminalPrompts::mayWait(const std::string& host, const std::string& why) {
  const std::lock_guard lock(mutex_);
  if (told_[host] != why && tell_) tell_(strCat(host, ": ", why));
  told_[host] = why;
  return !stop_.stop_requested();
}

}  // namespace paceline::cli
