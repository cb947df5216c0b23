#include "tests/support/stepped_clock.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <ctime>

namespace paceline::tests {
namespace {

std::atomic<std::int64_t> own = 0;

std::int64_t* mapped(const char* path, int flags) {  // nullptr: there is no such file
  const int file = path == nullptr ? -1 : ::open(path, flags | O_CLOEXEC, 0600);
  if (file < 0) return nullptr;
  const bool whole = (flags & O_CREAT) == 0 || ::ftruncate(file, sizeof(std::int64_t)) == 0;
  void* at = whole ? ::mmap(nullptr, sizeof(std::int64_t), (flags & O_CREAT) != 0 ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, file, 0) : MAP_FAILED;
  ::close(file);
  return at == MAP_FAILED ? nullptr : static_cast<std::int64_t*>(at);
}

std::int64_t step() {
  static const std::int64_t* const given = mapped(std::getenv(kClockStepVariable), O_RDONLY);
  return own.load() + (given == nullptr ? 0 : __atomic_load_n(given, __ATOMIC_SEQ_CST));
}

}  // namespace

ClockStep::ClockStep(std::string path) : path_(std::move(path)), seconds_(mapped(path_.c_str(), O_RDWR | O_CREAT)) {
  if (seconds_ == nullptr) std::abort();
}
ClockStep::~ClockStep() { ::munmap(seconds_, sizeof *seconds_); }
void ClockStep::set(std::int64_t seconds) { __atomic_store_n(seconds_, seconds, __ATOMIC_SEQ_CST); }

void stepOwnClock(std::int64_t seconds) { own = seconds; }

}  // namespace paceline::tests

// Instead of the C library's.
extern "C" __attribute__((visibility("default"))) int clock_gettime(clockid_t clock, timespec* now) noexcept {
  const auto code = static_cast<int>(::syscall(SYS_clock_gettime, clock, now));
  if (code == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += paceline::tests::step();
  return code;
}

extern "C" __attribute__((visibility("default"))) int gettimeofday(timeval* __restrict now, void* __restrict /*zone*/) noexcept {
  timespec exact{};
  const int code = ::clock_gettime(CLOCK_REALTIME, &exact);
  now->tv_sec = exact.tv_sec, now->tv_usec = exact.tv_nsec / 1000;
  return code;
}

extern "C" __attribute__((visibility("default"))) time_t time(time_t* where) noexcept {
  timespec exact{};
  ::clock_gettime(CLOCK_REALTIME, &exact);
  if (where != nullptr) *where = exact.tv_sec;
  return exact.tv_sec;
}
