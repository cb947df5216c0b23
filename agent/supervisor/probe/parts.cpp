#include "agent/supervisor/probe/parts.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>

#include "agent/supervisor/fd.h"
#include "engine/core/base/error.h"

namespace paceline::probe {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMaxAnswer = 1 << 20;
constexpr int kThrown = 1, kAnswered = 0;

struct Asked {
  const ProbePart* part;
  Fd pipe;
  pid_t pid = -1;
  Clock::time_point deadline;
  std::string text;
  PartAnswer answer;
};

void writeAll(int fd, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t wrote = ::write(fd, text.data() + done, text.size() - done);
    if (wrote < 0 && errno != EINTR) return;
    if (wrote > 0) done += static_cast<std::size_t>(wrote);
  }
}

[[noreturn]] void beChild(const ProbePart& part, int answer) {
  ::setpgid(0, 0);
  const int nothing = ::open("/dev/null", O_RDWR);
  for (const int fd : {0, 1, 2}) ::dup2(nothing, fd);
  int code = kAnswered;
  std::string text;
  try {
    text = part.answer();
  } catch (const std::exception& error) {
    text = error.what();
    code = kThrown;
  }
  writeAll(answer, text.substr(0, kMaxAnswer));
  ::_exit(code);
}

Asked ask(const ProbePart& part) {
  const auto time = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(part.seconds));
  Asked asked{.part = &part, .pipe = {}, .deadline = Clock::now() + time, .text = {}, .answer = {}};
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    asked.answer.problem = strCat("no pipe: ", std::strerror(errno));
    return asked;
  }
  asked.pipe = Fd(ends[0]);
  const Fd writing(ends[1]);
  asked.pid = ::fork();
  if (asked.pid == 0) beChild(part, writing.get());
  if (asked.pid < 0) {
    asked.answer.problem = strCat("no process: ", std::strerror(errno));
    asked.pipe.close();
  } else {
    ::setpgid(asked.pid, asked.pid);  // by both, so that neither has to wait for the other
  }
  return asked;
}

void endGroup(Asked& asked) {
  ::kill(-asked.pid, SIGKILL);
  ::kill(asked.pid, SIGKILL);
}

void finish(Asked& asked) {  // its pipe is closed: it has ended, or is about to
  asked.pipe.close();
  int status = 0;
  while (::waitpid(asked.pid, &status, 0) < 0 && errno == EINTR) continue;
  ::kill(-asked.pid, SIGKILL);  // what it may have left
  if (WIFSIGNALED(status))
    asked.answer.problem = strCat("killed by signal ", WTERMSIG(status));
  else if (WEXITSTATUS(status) != kAnswered)
    asked.answer.problem = asked.text.empty() ? strCat("ended with code ", WEXITSTATUS(status)) : asked.text;
  else
    asked.answer.text = asked.text;
}

void giveUp(Asked& asked) {
  asked.answer.problem = strCat("no answer within ", asked.part->seconds, " s");
  asked.pipe.close();
  endGroup(asked);
  ::waitpid(asked.pid, nullptr, WNOHANG);
}

void readFrom(Asked& asked) {
  char buffer[16 << 10];
  const ssize_t got = ::read(asked.pipe.get(), buffer, sizeof buffer);
  if (got < 0 && errno == EINTR) return;
  if (got <= 0) return finish(asked);
  if (asked.text.size() < kMaxAnswer) asked.text.append(buffer, static_cast<std::size_t>(got));
}

}  // namespace

std::map<std::string, PartAnswer> askParts(const std::vector<ProbePart>& parts) {
  std::vector<Asked> all;
  for (const ProbePart& part : parts) all.push_back(ask(part));
  while (true) {
    std::vector<pollfd> waiting;
    std::vector<Asked*> owners;
    double wait = 1e9;
    const auto now = Clock::now();
    for (Asked& asked : all) {
      if (asked.pipe && asked.deadline <= now) giveUp(asked);
      if (!asked.pipe) continue;
      waiting.push_back({asked.pipe.get(), POLLIN, 0});
      owners.push_back(&asked);
      wait = std::min(wait, std::chrono::duration<double, std::milli>(asked.deadline - now).count());
    }
    if (waiting.empty()) break;
    ::poll(waiting.data(), waiting.size(), static_cast<int>(std::ceil(wait)));
    for (std::size_t i = 0; i < waiting.size(); ++i)
      if (waiting[i].revents != 0) readFrom(*owners[i]);
  }
  std::map<std::string, PartAnswer> answers;
  for (Asked& asked : all) answers[asked.part->name] = std::move(asked.answer);
  return answers;
}

}  // namespace paceline::probe
