#include "tests/support/socket_faults.h"

#include <dirent.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include <unwind.h>

#include <array>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace paceline::tests::socket_faults {
namespace {

enum class Call { kSocket, kSocketPair, kConnect, kOutcome, kAccept, kSend, kReceive };
constexpr std::array kNames = {"socket", "socketpair", "connect", "SO_ERROR", "accept", "send", "recv"};
constexpr std::array kReasons = {ECONNRESET, EPIPE, ETIMEDOUT, ENETUNREACH, EHOSTUNREACH, ECONNREFUSED, ENOBUFS, EMFILE, EINTR};
constexpr int kMostVisits = 64;  // 7 powers of two times 9 reasons are the bits of Site::done
constexpr std::size_t kFrames = 4, kSites = 8192, kHits = 32, kSpared = 256;

struct Site {
  std::atomic<std::uint64_t> key, done;  // key 0: free
  std::atomic<int> visits;               // in this action
};
struct Hit {
  int call, reason, visit, process;
  std::uintptr_t frames[kFrames];
};
// In shared memory; zeroes to begin with.
struct Table {
  char program[64];
  bool allThreads;
  int visits, faults;
  int spared[kSpared];
  std::atomic<bool> open;
  std::atomic<int> left;  // faults that this action may still have
  std::atomic<int> hits;
  Hit hit[kHits];
  Site site[kSites];
};

Table* mapped(const char* path, int flags) {
  const int file = path == nullptr || *path == '\0' ? -1 : ::open(path, flags | O_CLOEXEC, 0600);
  if (file >= 0 && (flags & O_CREAT) != 0 && ::ftruncate(file, sizeof(Table)) != 0) return nullptr;
  if (file < 0 && path != nullptr && *path != '\0') return nullptr;
  void* at = ::mmap(nullptr, sizeof(Table), PROT_READ | PROT_WRITE, MAP_SHARED | (file < 0 ? MAP_ANONYMOUS : 0), file, 0);
  if (file >= 0) ::close(file);
  return at == MAP_FAILED ? nullptr : static_cast<Table*>(at);
}

const char* ownName() {
  static char path[256] = {};
  static const ssize_t length = ::readlink("/proc/self/exe", path, sizeof path - 1);
  const char* slash = length > 0 ? std::strrchr(path, '/') : nullptr;
  return slash == nullptr ? path : slash + 1;
}

std::atomic<Table*> own = nullptr;  // made by this program

Table* table() {
  static Table* const given = [] {
    const char* path = std::getenv(kSocketFaultsVariable);
    Table* found = path == nullptr ? nullptr : mapped(path, O_RDWR);
    return found != nullptr && std::strcmp(found->program, ownName()) == 0 ? found : nullptr;
  }();
  Table* const made = own.load();
  return made != nullptr && made->program[0] == '\0' ? made : given;
}

struct Program {
  std::uintptr_t begin = 0, end = 0;
};

const Program& program() {  // where the executable itself is
  static const Program found = [] {
    Program range;
    ::dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* into) {
          auto& whole = *static_cast<Program*>(into);
          whole.begin = info->dlpi_addr;
          for (int i = 0; i < info->dlpi_phnum; ++i)
            if (info->dlpi_phdr[i].p_type == PT_LOAD) whole.end = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
          return 1;  // the first is the program
        },
        &range);
    return range;
  }();
  return found;
}

bool isOurs(const void* at) {
  const auto address = reinterpret_cast<std::uintptr_t>(at);
  return address >= program().begin && address < program().end;
}

bool isReady(Call call, int fd) {
  pollfd polled{fd, static_cast<short>(call == Call::kSend ? POLLOUT : POLLIN), 0};
  return ::poll(&polled, 1, 0) > 0;
}

struct Trace {
  std::uintptr_t from;  // the return address of the call
  bool began = false;
  std::size_t count = 0;
  std::uintptr_t frames[kFrames] = {};
};

_Unwind_Reason_Code step(_Unwind_Context* context, void* into) {
  auto& trace = *static_cast<Trace*>(into);
  const std::uintptr_t at = _Unwind_GetIP(context);
  trace.began = trace.began || at == trace.from;
  if (trace.began && isOurs(reinterpret_cast<const void*>(at))) trace.frames[trace.count++] = at - program().begin;
  return trace.count == kFrames ? _URC_END_OF_STACK : _URC_NO_REASON;
}

Site* siteOf(Table& all, Call call, const Trace& trace) {
  std::uint64_t key = 14695981039346656037U + static_cast<std::uint64_t>(call);
  for (const std::uintptr_t frame : trace.frames) key = (key ^ frame) * 1099511628211U;
  key |= 1;
  for (std::size_t i = 0; i < kSites; ++i) {
    Site& site = all.site[(key + i) % kSites];
    std::uint64_t there = 0;
    if (site.key.compare_exchange_strong(there, key) || there == key) return &site;
  }
  return nullptr;
}

bool isSpared(const Table& all) {
  if (all.allThreads || all.program[0] != '\0') return false;
  const auto self = static_cast<int>(::syscall(SYS_gettid));
  for (const int thread : all.spared)
    if (thread == self) return true;
  return false;
}

int optionOf(int fd, int option) {
  int value = 0;
  socklen_t size = sizeof value;
  return ::syscall(SYS_getsockopt, fd, SOL_SOCKET, option, &value, &size) == 0 ? value : -1;
}

// What the kernel can say to this call of this socket.
bool canBe(int reason, Call call, bool local, bool mayWait) {
  const bool made = call == Call::kSocket || call == Call::kSocketPair || call == Call::kAccept;
  const bool connects = call == Call::kConnect || call == Call::kOutcome;
  switch (reason) {
    case EMFILE: return made;
    case ENOBUFS: return call != Call::kOutcome && call != Call::kReceive;
    case EINTR: return mayWait;
    case ECONNREFUSED: return connects && !local;
    case EPIPE: return call == Call::kSend;
    case ECONNRESET: return !made && !(connects && local);
    default: return !made && !local;  // the network
  }
}

// The errno with which this call is to fail; 0: none.
int fault(Call call, int fd, bool mayWait, void* from) {
  Table* const all = table();
  if (isSpared(*all)) return 0;
  const int before = errno;
  Trace trace{.from = reinterpret_cast<std::uintptr_t>(from)};
  _Unwind_Backtrace(step, &trace);
  Site* const site = siteOf(*all, call, trace);
  errno = before;
  if (site == nullptr) return 0;
  const int visit = ++site->visits;
  if (visit > all->visits || !std::has_single_bit(static_cast<unsigned>(visit))) return 0;
  const bool local = fd >= 0 && optionOf(fd, SO_DOMAIN) == AF_UNIX;
  for (std::size_t i = 0; i < kReasons.size(); ++i) {
    const std::uint64_t bit = std::uint64_t{1} << (kReasons.size() * static_cast<std::size_t>(std::countr_zero(static_cast<unsigned>(visit))) + i);
    if (!canBe(kReasons[i], call, local, mayWait) || (site->done & bit) != 0) continue;
    if (all->left.fetch_sub(1) <= 0) return 0;  // another thread was faster
    if ((site->done.fetch_or(bit) & bit) != 0) {
      ++all->left;
      continue;
    }
    const int number = all->hits++;
    if (number < static_cast<int>(kHits)) {
      Hit& hit = all->hit[number];
      hit.call = static_cast<int>(call), hit.reason = kReasons[i], hit.visit = visit, hit.process = ::getpid();
      std::memcpy(hit.frames, trace.frames, sizeof hit.frames);
    }
    return kReasons[i];
  }
  return 0;
}

// As fault(), with what such a failure does to a connection. True: errno is set.
[[maybe_unused]] bool fails(Call call, int fd, int flags, void* from) {  // by builds with a sanitizer
  const Table* const all = table();
  if (all == nullptr || !all->open || all->left <= 0) return false;
  const int modes = fd < 0 ? 0 : static_cast<int>(::syscall(SYS_fcntl, fd, F_GETFL));
  const bool mayWait = fd >= 0 && call != Call::kOutcome && (modes & O_NONBLOCK) == 0 && (flags & MSG_DONTWAIT) == 0 && (isOurs(from) || !isReady(call, fd));
  const int reason = fault(call, fd, mayWait, from);
  if (reason == 0) return false;
  const bool carries = call == Call::kSend || call == Call::kReceive || call == Call::kOutcome;
  if (carries && reason != ENOBUFS && reason != EINTR) ::syscall(SYS_shutdown, fd, SHUT_RDWR);
  if (reason == EPIPE && (flags & MSG_NOSIGNAL) == 0) ::raise(SIGPIPE);
  errno = reason;
  return true;
}

[[maybe_unused]] bool isSocket(int fd) {
  const Table* const all = table();
  struct stat found {};
  return all != nullptr && all->open && ::fstat(fd, &found) == 0 && S_ISSOCK(found.st_mode);
}

}  // namespace

#if !defined(PACELINE_SANITIZED)

// Instead of the C library's.
#define PACELINE_TEST_CALL extern "C" __attribute__((visibility("default"), noinline))

PACELINE_TEST_CALL int socket(int domain, int type, int protocol) noexcept {
  return fails(Call::kSocket, -1, 0, __builtin_return_address(0)) ? -1 : static_cast<int>(::syscall(SYS_socket, domain, type, protocol));
}

PACELINE_TEST_CALL int socketpair(int domain, int type, int protocol, int* ends) noexcept {
  return fails(Call::kSocketPair, -1, 0, __builtin_return_address(0)) ? -1 : static_cast<int>(::syscall(SYS_socketpair, domain, type, protocol, ends));
}

PACELINE_TEST_CALL int connect(int fd, const sockaddr* to, socklen_t size) {
  if (!fails(Call::kConnect, fd, 0, __builtin_return_address(0))) return static_cast<int>(::syscall(SYS_connect, fd, to, size));
  if (errno == EINTR && to->sa_family != AF_UNIX) {
    const long code = ::syscall(SYS_connect, fd, to, size);
    if (code == 0) errno = EINTR;
  }
  return -1;
}

PACELINE_TEST_CALL int getsockopt(int fd, int level, int option, void* value, socklen_t* size) noexcept {
  const auto code = static_cast<int>(::syscall(SYS_getsockopt, fd, level, option, value, size));
  if (code == 0 && level == SOL_SOCKET && option == SO_ERROR && *size == sizeof(int) && *static_cast<int*>(value) == 0) {
    const int before = errno;
    if (fails(Call::kOutcome, fd, 0, __builtin_return_address(0))) *static_cast<int*>(value) = errno;
    errno = before;
  }
  return code;
}

PACELINE_TEST_CALL int accept4(int fd, sockaddr* from, socklen_t* size, int flags) {
  return fails(Call::kAccept, fd, 0, __builtin_return_address(0)) ? -1 : static_cast<int>(::syscall(SYS_accept4, fd, from, size, flags));
}

PACELINE_TEST_CALL int accept(int fd, sockaddr* from, socklen_t* size) {
  return fails(Call::kAccept, fd, 0, __builtin_return_address(0)) ? -1 : static_cast<int>(::syscall(SYS_accept4, fd, from, size, 0));
}

PACELINE_TEST_CALL ssize_t send(int fd, const void* bytes, std::size_t count, int flags) {
  return fails(Call::kSend, fd, flags, __builtin_return_address(0)) ? -1 : ::syscall(SYS_sendto, fd, bytes, count, flags, nullptr, 0);
}

PACELINE_TEST_CALL ssize_t sendto(int fd, const void* bytes, std::size_t count, int flags, const sockaddr* to, socklen_t size) {
  return fails(Call::kSend, fd, flags, __builtin_return_address(0)) ? -1 : ::syscall(SYS_sendto, fd, bytes, count, flags, to, size);
}

PACELINE_TEST_CALL ssize_t sendmsg(int fd, const msghdr* message, int flags) {
  return fails(Call::kSend, fd, flags, __builtin_return_address(0)) ? -1 : ::syscall(SYS_sendmsg, fd, message, flags);
}

PACELINE_TEST_CALL ssize_t recv(int fd, void* bytes, std::size_t count, int flags) {
  return fails(Call::kReceive, fd, flags, __builtin_return_address(0)) ? -1 : ::syscall(SYS_recvfrom, fd, bytes, count, flags, nullptr, nullptr);
}

PACELINE_TEST_CALL ssize_t recvfrom(int fd, void* bytes, std::size_t count, int flags, sockaddr* from, socklen_t* size) {
  return fails(Call::kReceive, fd, flags, __builtin_return_address(0)) ? -1 : ::syscall(SYS_recvfrom, fd, bytes, count, flags, from, size);
}

PACELINE_TEST_CALL ssize_t recvmsg(int fd, msghdr* message, int flags) {
  return fails(Call::kReceive, fd, flags, __builtin_return_address(0)) ? -1 : ::syscall(SYS_recvmsg, fd, message, flags);
}

PACELINE_TEST_CALL ssize_t read(int fd, void* bytes, std::size_t count) {
  return isSocket(fd) && fails(Call::kReceive, fd, 0, __builtin_return_address(0)) ? -1 : ::syscall(SYS_read, fd, bytes, count);
}

PACELINE_TEST_CALL ssize_t readv(int fd, const iovec* parts, int count) {
  return isSocket(fd) && fails(Call::kReceive, fd, 0, __builtin_return_address(0)) ? -1 : ::syscall(SYS_readv, fd, parts, count);
}

PACELINE_TEST_CALL ssize_t write(int fd, const void* bytes, std::size_t count) {
  return isSocket(fd) && fails(Call::kSend, fd, 0, __builtin_return_address(0)) ? -1 : ::syscall(SYS_write, fd, bytes, count);
}

PACELINE_TEST_CALL ssize_t writev(int fd, const iovec* parts, int count) {
  return isSocket(fd) && fails(Call::kSend, fd, 0, __builtin_return_address(0)) ? -1 : ::syscall(SYS_writev, fd, parts, count);
}

#endif

}  // namespace paceline::tests::socket_faults

namespace paceline::tests {

SocketFaults::SocketFaults(const SocketWalk& walk) {
  using namespace socket_faults;
  Table* const made = mapped(walk.path.c_str(), O_RDWR | O_CREAT);
  if (made == nullptr || own.load() != nullptr) std::abort();
  if (!walk.path.empty()) ::setenv(kSocketFaultsVariable, walk.path.c_str(), 1);
  std::snprintf(made->program, sizeof made->program, "%s", walk.program.c_str());
  made->allThreads = walk.allThreads, made->visits = walk.visits < kMostVisits ? walk.visits : kMostVisits, made->faults = walk.faults;
  DIR* const threads = ::opendir("/proc/self/task");
  std::size_t count = 0;
  for (const dirent* entry = nullptr; threads != nullptr && (entry = ::readdir(threads)) != nullptr && count < kSpared;)
    if (const int thread = std::atoi(entry->d_name); thread > 0 && thread != static_cast<int>(::syscall(SYS_gettid))) made->spared[count++] = thread;
  if (threads != nullptr) ::closedir(threads);
  own = made;
}

SocketFaults::~SocketFaults() {  // stays mapped: a thread may be looking at it
  using namespace socket_faults;
  own.load()->open = false;
  own = nullptr;
  ::unsetenv(kSocketFaultsVariable);
}

void SocketFaults::begin() {
  using namespace socket_faults;
  Table& all = *own.load();
  for (Site& site : all.site) site.visits = 0;
  all.hits = 0;
  all.left = all.faults;
  all.open = true;
}

std::vector<SocketFaultHit> SocketFaults::end() {
  using namespace socket_faults;
  Table& all = *own.load();
  all.open = false;
  std::vector<SocketFaultHit> found;
  for (int i = 0; i < all.hits && i < static_cast<int>(kHits); ++i) {
    const Hit& hit = all.hit[i];
    std::string where = all.program[0] != '\0' ? all.program : ownName();
    char text[32];
    for (const std::uintptr_t frame : hit.frames)
      if (frame != 0) std::snprintf(text, sizeof text, " +0x%lx", static_cast<unsigned long>(frame)), where += text;
    found.push_back({.call = kNames[static_cast<std::size_t>(hit.call)], .where = where + ", visit " + std::to_string(hit.visit), .reason = hit.reason, .process = hit.process});
  }
  return found;
}

bool SocketFaults::possible() {
#if defined(PACELINE_SANITIZED)
  return false;
#else
  return true;
#endif
}

}  // namespace paceline::tests
