#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "engine/comm/sim/fibers.h"
#include "engine/core/base/error.h"

namespace paceline::sim {
namespace {

class Baton {
 public:
  void give() {
    {
      const std::lock_guard lock(mutex_);
      here_ = true;
    }
    arrived_.notify_one();
  }
  // False: it never comes.
  bool take() {
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [this] { return here_ || never_; });
    return std::exchange(here_, false);
  }
  void never() {
    {
      const std::lock_guard lock(mutex_);
      never_ = true;
    }
    arrived_.notify_one();
  }

 private:
  std::mutex mutex_;  // guards here_, never_
  std::condition_variable arrived_;
  bool here_ = false, never_ = false;
};

}  // namespace

struct Fibers::Impl {
  struct Body {
    Baton baton;
    std::jthread thread;
  };
  Baton& batonOf(std::size_t who) { return who == kMaker ? maker : bodies.at(who)->baton; }

  std::vector<std::unique_ptr<Body>> bodies;
  Baton maker;
  std::size_t current = kMaker;  // touched only by whoever has the turn
};

Fibers::Fibers(std::size_t) : impl_(std::make_unique<Impl>()) {}

Fibers::~Fibers() {
  for (const auto& body : impl_->bodies) body->baton.never();
  for (const auto& body : impl_->bodies) body->thread.join();  // all, before any baton goes: one that has ended may still be giving another's
}

void Fibers::add(std::function<std::size_t()> run) {
  auto body = std::make_unique<Impl::Body>();
  Baton& baton = body->baton;
  try {
    body->thread = std::jthread([impl = impl_.get(), &baton, run = std::move(run)] {
      if (!baton.take()) return;
      const std::size_t next = run();
      impl->current = next;
      impl->batonOf(next).give();
    });
  } catch (const std::system_error& error) {
    throw Error(Errc::kHost, strCat("cannot start a thread: ", error.what()));
  }
  impl_->bodies.push_back(std::move(body));
}

void Fibers::pass(std::size_t to) {
  const std::size_t from = std::exchange(impl_->current, to);
  impl_->batonOf(to).give();
  (void)impl_->batonOf(from).take();
}

}  // namespace paceline::sim
