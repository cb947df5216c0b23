#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include <cxxabi.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "engine/comm/sim/fibers.h"
#include "engine/core/base/error.h"

namespace paceline::sim {
namespace {

constexpr std::size_t kStackBytes = std::size_t{8} << 20;  // as a thread has; memory is taken where it is used

// A stack whose lowest page is out of bounds: what runs over it dies at once, and spoils nobody else's.
class Stack {
 public:
  Stack() : memory_(::mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0)) {
    if (memory_ == MAP_FAILED) throw Error(Errc::kHost, strCat("cannot take a stack: ", std::strerror(errno)));
    (void)::mprotect(memory_, static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)), PROT_NONE);
  }
  ~Stack() { ::munmap(memory_, kStackBytes); }
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;
  void* begin() const { return memory_; }

 private:
  void* memory_;
};

// What the C++ runtime knows of exceptions being thrown and caught is a thread's, but belongs to the body: __cxa_eh_globals of the Itanium ABI.
struct ExceptionState {
  void* caught = nullptr;
  unsigned int uncaught = 0;
};

ExceptionState exchangeExceptionState(const ExceptionState& state) {
  ExceptionState before;
  std::memcpy(static_cast<void*>(&before), abi::__cxa_get_globals(), sizeof before);
  std::memcpy(static_cast<void*>(abi::__cxa_get_globals()), &state, sizeof state);
  return before;
}

}  // namespace

struct Fibers::Impl {
  struct Body {
    std::function<std::size_t()> run;
    Stack stack;
    ucontext_t context{};
  };

  ucontext_t& contextOf(std::size_t who) { return who == kMaker ? maker : bodies.at(who)->context; }

  // The first frame of a body's stack. makecontext passes integers: the object comes in two halves.
  static void enter(unsigned int high, unsigned int low) {
    auto* const impl = reinterpret_cast<Impl*>(static_cast<std::uintptr_t>(high) << 32 | low);
    exchangeExceptionState({});
    const std::size_t next = impl->bodies[impl->current]->run();
    impl->current = next;
    ::setcontext(&impl->contextOf(next));
  }

  std::vector<std::unique_ptr<Body>> bodies;
  ucontext_t maker{};
  std::size_t current = kMaker;
};

Fibers::Fibers() : impl_(std::make_unique<Impl>()) {}
Fibers::~Fibers() = default;

void Fibers::add(std::function<std::size_t()> run) {
  auto body = std::make_unique<Impl::Body>();
  body->run = std::move(run);
  ::getcontext(&body->context);
  body->context.uc_stack.ss_sp = body->stack.begin();
  body->context.uc_stack.ss_size = kStackBytes;
  const auto address = reinterpret_cast<std::uintptr_t>(impl_.get());
  ::makecontext(&body->context, reinterpret_cast<void (*)()>(&Impl::enter), 2, static_cast<unsigned int>(address >> 32),
                static_cast<unsigned int>(address & 0xffffffffU));
  impl_->bodies.push_back(std::move(body));
}

void Fibers::pass(std::size_t to) {
  const std::size_t from = std::exchange(impl_->current, to);
  const ExceptionState own = exchangeExceptionState({});
  ::swapcontext(&impl_->contextOf(from), &impl_->contextOf(to));
  exchangeExceptionState(own);
}

}  // namespace paceline::sim
