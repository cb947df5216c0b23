// A fiber's first turn is one by ucontext, which alone can begin on a stack of its own; from then on _setjmp and _longjmp switch, because swapcontext asks the kernel
// for the signal mask at each. As QEMU's coroutines do.
#undef _FORTIFY_SOURCE  // its longjmp takes a jump to another stack for an error

#include <cstring>
#include <utility>
#include <vector>

#include <csetjmp>
#include <cxxabi.h>
#include <ucontext.h>

#include "engine/comm/sim/fibers.h"
#include "engine/comm/sim/stacks.h"
#include "engine/core/base/error.h"

namespace paceline::sim {
namespace {

// What the C++ runtime knows of exceptions being thrown and caught is a thread's, but belongs to the body: __cxa_eh_globals of the Itanium ABI.
struct ExceptionState {
  void* caught = nullptr;
  unsigned int uncaught = 0;
};

ExceptionState exchangeExceptionState(const ExceptionState& state) {
  void* const globals = abi::__cxa_get_globals();
  ExceptionState before;
  std::memcpy(static_cast<void*>(&before), globals, sizeof before);
  std::memcpy(globals, &state, sizeof state);
  return before;
}

// Where somebody has stopped.
struct Place {
  std::jmp_buf registers;
  ExceptionState exceptions;
};

}  // namespace

struct Fibers::Impl {
  struct Body {
    std::function<std::size_t()> run;
    Stack stack;
    bool begun = false;
    Place place = {};
  };

  explicit Impl(std::size_t stackBytes) : stacks(stackBytes) {}
  Place& placeOf(std::size_t who) { return who == kMaker ? maker : bodies.at(who)->place; }

  // The first frame of a body's stack. makecontext passes integers: the object comes in two halves.
  static void enter(unsigned int high, unsigned int low) {
    auto* const impl = reinterpret_cast<Impl*>(static_cast<std::uintptr_t>(high) << 32 | low);
    exchangeExceptionState({});
    const std::size_t next = impl->bodies[impl->current]->run();
    impl->leave();
    impl->current = next;
    impl->go(next);
  }

  void leave() const {
    if (current != kMaker) PACELINE_CHECK(!bodies[current]->stack.overrun(), strCat("fiber ", current, " runs over its stack of ", stacks.bytes(), " bytes"));
  }

  [[noreturn]] void go(std::size_t to) {
    if (to == kMaker || bodies[to]->begun) ::_longjmp(placeOf(to).registers, 1);
    Body& body = *bodies[to];
    body.begun = true;
    ucontext_t context{};
    ::getcontext(&context);
    context.uc_stack.ss_sp = body.stack.begin;
    context.uc_stack.ss_size = stacks.bytes();
    const auto address = reinterpret_cast<std::uintptr_t>(this);
    ::makecontext(&context, reinterpret_cast<void (*)()>(&Impl::enter), 2, static_cast<unsigned int>(address >> 32),
                  static_cast<unsigned int>(address & 0xffffffffU));
    ::setcontext(&context);
    std::abort();  // it has not begun: the context is ours and sound
  }

  Stacks stacks;
  std::vector<std::unique_ptr<Body>> bodies;
  Place maker{};
  std::size_t current = kMaker;
};

Fibers::Fibers(std::size_t stackBytes) : impl_(std::make_unique<Impl>(stackBytes)) {}
Fibers::~Fibers() = default;

void Fibers::add(std::function<std::size_t()> run) {
  impl_->bodies.push_back(std::make_unique<Impl::Body>(Impl::Body{.run = std::move(run), .stack = impl_->stacks.take()}));
}

void Fibers::pass(std::size_t to) {
  impl_->leave();
  Place& own = impl_->placeOf(std::exchange(impl_->current, to));
  own.exceptions = exchangeExceptionState({});
  if (::_setjmp(own.registers) == 0) impl_->go(to);
  exchangeExceptionState(impl_->placeOf(impl_->current).exceptions);  // the turn is back
}

}  // namespace paceline::sim
