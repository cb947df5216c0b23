#include "app/cli/runs/interrupt.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>

#include "engine/core/base/error.h"

namespace paceline::cli {
namespace {

int pipeEnds[2] = {-1, -1};  // a handler can reach nothing else
struct sigaction before[3];
constexpr int kSignals[3] = {SIGINT, SIGTERM, SIGPIPE};  // a reader of our output that goes away must not take the run with it
constexpr char kEnd = 'e';

void onSignal(int) {
  const int saved = errno;
  const char byte = 's';
  [[maybe_unused]] const auto written = ::write(pipeEnds[1], &byte, 1);
  errno = saved;
}

void watch(std::stop_source source) {
  char byte = 0;
  for (;;) {
    const auto n = ::read(pipeEnds[0], &byte, 1);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0 || byte == kEnd) return;
    if (source.stop_requested()) ::_exit(130);
    source.request_stop();
  }
}

}  // namespace

Interrupt::Interrupt() {
  PACELINE_CHECK(pipeEnds[0] < 0, "one Interrupt at a time");
  if (::pipe2(pipeEnds, O_CLOEXEC) != 0) throw Error(Errc::kFile, "cannot make a pipe");
  struct sigaction action {};
  action.sa_handler = onSignal;
  action.sa_flags = SA_RESTART;
  ::sigemptyset(&action.sa_mask);
  for (int i = 0; i < 3; ++i) {
    if (kSignals[i] == SIGPIPE) action.sa_handler = SIG_IGN;
    ::sigaction(kSignals[i], &action, &before[i]);
  }
  thread_ = std::thread(watch, source_);
}

Interrupt::~Interrupt() {
  for (int i = 0; i < 3; ++i) ::sigaction(kSignals[i], &before[i], nullptr);
  [[maybe_unused]] const auto written = ::write(pipeEnds[1], &kEnd, 1);
  thread_.join();
  ::close(pipeEnds[0]);
  ::close(pipeEnds[1]);
  pipeEnds[0] = pipeEnds[1] = -1;
}

}  // namespace paceline::cli
