#include "app/cluster/run/host_link.h"

#include <algorithm>

#include "engine/core/base/clock.h"

namespace paceline::run {
namespace {

using Kind = HostMessage::Kind;

constexpr double kBusySeconds = 1;       // between two questions whether a host is free
constexpr double kClearSeconds = 30;     // for what an earlier attempt left
constexpr double kListenSeconds = 0.05;   // to the supervisor, before looking for posted work again
constexpr double kStartSeconds = 0.002;   // the same while all nodes wait for their start order

std::chrono::duration<double> seconds(double value) { return std::chrono::duration<double>(value); }

}  // namespace

HostLink::HostLink(std::string host, std::string run, std::set<std::string> nodes, hosts::HostOpener opener, hosts::HostNeeds needs, LinkTimes times, HostQueue& out, double patienceSeconds)
    : host_(std::move(host)), run_(std::move(run)), nodes_(std::move(nodes)), opener_(std::move(opener)), needs_(std::move(needs)), times_(times), patienceSeconds_(patienceSeconds), out_(out),
      pauseSeconds_(times.firstRetrySeconds), newsAt_(steadySeconds()) {
  needs_.stop = stop_.get_token();
  needs_.onProgress = [this](const std::string& text) { say({.kind = Kind::kProgress, .text = text}); };
  thread_ = std::jthread([this] { loop(); });
}

void HostLink::take(const HostMessage& message) {
  switch (message.kind) {
    case Kind::kReady:
      state_.stage = std::max(state_.stage, Stage::kReady);
      state_.site = message.site;
      return;
    case Kind::kBusy:
      state_.busy = message.text;
      return;
    case Kind::kLaunched:
      state_.stage = Stage::kLaunched;
      state_.launched = true;
      state_.busy.clear();
      state_.version = message.version;
      state_.there = message.there;
      return;
    case Kind::kStarted:
      if (state_.stage == Stage::kLaunched) state_.stage = Stage::kStarted;
      return;
    case Kind::kLost:
      state_.lost = message.text;
      return;
    case Kind::kBack: return state_.lost.clear();
    case Kind::kGone:
      state_.lost.clear();
      return leave();
    case Kind::kEnded:
    case Kind::kRefused:
    case Kind::kGivenUp: return leave();
    case Kind::kForgotten:
      state_.stage = Stage::kForgotten;
      return;
    case Kind::kProgress:
    case Kind::kEvent:
    case Kind::kAgain:
      return;
  }
}

void HostLink::launch(HostLaunch launch) {
  state_.stage = Stage::kAsked;
  post([this, shared = std::make_shared<HostLaunch>(std::move(launch))] { launchNow(shared); });
}

void HostLink::follow(std::map<std::string, std::int64_t> from) {
  state_.stage = Stage::kAsked;
  post([this, from = std::move(from)] {
    known_ = from;
    followNow();
  });
}

// A node reads one start; should the answer to the first have been lost, it gets another that it does not look at.
void HostLink::start(std::vector<std::string> nodes, std::string order) {
  post([this, nodes = std::move(nodes), order = std::move(order)] {
    if (agent_) agent_->input(run_, nodes, order);
    unstarted_ = false;
    say({.kind = Kind::kStarted});
  });
}

void HostLink::end(double graceSeconds, std::string why) {
  if (state_.stage < Stage::kAsked) leave();
  if (state_.stage >= Stage::kOver) return;
  post([this, graceSeconds, why = std::move(why)] {
    if (waiting_) {
      waiting_ = false, given_ = true;
      return say({.kind = Kind::kEnded});
    }
    if (agent_) agent_->end(run_, graceSeconds, why);
  });
}

// Over a new connection: on the old one is more of what was sent before.
bool HostLink::readAgain(std::map<std::string, std::int64_t> from, std::string mark) {
  if (!state_.launched || state_.givenUp) return false;
  post([this, from = std::move(from), mark = std::move(mark)] {
    known_ = from;
    following_ = true;
    newsAt_ = steadySeconds();  // of a run that has ended there nothing new was heard for as long as the store took nothing
    if (!ready_.host) throw Error(Errc::kHost, strCat(host_, " is not reached"));  // perform() goes on when it is
    connect(AgentClient::Other::kAccept);
    try {
      agent_->follow(run_, known_);
    } catch (const Error& error) {
      if (agent_->lost()) throw;
      following_ = false;
      return say({.kind = Kind::kGone, .text = error.what()});
    }
    say({.kind = Kind::kAgain, .text = mark});
  });
  return true;
}

void HostLink::forget() {
  if (!state_.launched || state_.stage != Stage::kOver || !state_.lost.empty()) return;
  state_.stage = Stage::kForgetting;
  post([this] {
    try {
      forgetNow();
    } catch (const Error&) {  // it costs a little disk there
    }
    say({.kind = Kind::kForgotten});
  });
}

// Nothing was said over the connection since the run ended there, for as long as its store took nothing: it may be closed.
void HostLink::forgetNow() {
  if (!agent_) return;
  try {
    agent_->forget(run_);
  } catch (const Error&) {
    if (!agent_->lost()) throw;
    connect(AgentClient::Other::kAccept);
    agent_->forget(run_);
  }
}

void HostLink::post(std::function<void()> work) {
  const std::lock_guard lock(mutex_);
  work_.push_back(std::move(work));
  changed_.notify_all();
}

// The beginning is not tried again: the run cannot do without it. False: refused.
bool HostLink::attempt(const std::function<void()>& beginning) {
  try {
    beginning();
    return true;
  } catch (const std::exception& error) {
    say({.kind = Kind::kRefused, .text = error.what()});
    return false;
  }
}

void HostLink::connect(AgentClient::Other other) {
  agent_.reset();
  agent_ = std::make_unique<AgentClient>(*ready_.host, ready_.installation, other, times_.leaseSeconds);
}

void HostLink::reopen() {
  agent_.reset();
  ready_ = {};
  ready_ = opener_(host_, needs_);
  connect(AgentClient::Other::kAccept);
}

void HostLink::launchNow(const std::shared_ptr<HostLaunch>& launch) {
  if (given_) return;
  attempt([&] {
    connect(AgentClient::Other::kReplace);
    for (const AgentRun& known : agent_->list()) {
      if (known.run == run_) {
        clearAway(known);
        continue;
      }
      const auto& knows = known.active ? launch->isOver : launch->isRecorded;
      if (!knows || !knows(known.run)) continue;
      try {
        if (known.active) endThere(known.run, "failure");  // this host was away when the run was ended
        else agent_->forget(known.run);
      } catch (const Error&) {  // another desktop was faster
      }
    }
    try {
      agent_->launch(run_, *launch);
    } catch (const HostBusy& busy) {
      return launchLater(launch, busy.by);
    } catch (const Error&) {
      if (agent_->lost()) takeBack();
      else if (const auto known = agent_->find(run_)) refuseSecondName(*known);
      throw;
    }
    AgentRun there = followLaunched();
    waiting_ = false;
    following_ = unstarted_ = true;
    newsAt_ = steadySeconds();
    say({.kind = Kind::kLaunched, .there = std::move(there), .version = agent_->version()});
  });
}

// What was launched is there, should the connection break before it is followed.
AgentRun HostLink::followLaunched() {
  try {
    return agent_->follow(run_, known_);
  } catch (const Error&) {
    if (!agent_->lost()) throw;
    reopen();
    return agent_->follow(run_, known_);
  }
}

// The connection broke while it was launched: nodes that nobody will start would keep the host busy until their supervisor gives them up.
void HostLink::takeBack() {
  try {
    reopen();
    if (const auto known = agent_->find(run_)) clearAway(*known);
  } catch (const Error&) {  // it is not reached: its supervisor ends them
  }
}

// Behind whatever else is asked meanwhile.
void HostLink::launchLater(const std::shared_ptr<HostLaunch>& launch, const std::string& busy) {
  waiting_ = true;
  say({.kind = Kind::kBusy, .text = busy});
  {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, stop_.get_token(), seconds(kBusySeconds), [this] { return !work_.empty(); });
  }
  post([this, launch] { launchNow(launch); });
}

void HostLink::followNow() {
  attempt([this] {
    connect(AgentClient::Other::kAccept);
    AgentRun there;
    try {
      there = agent_->follow(run_, known_);
    } catch (const Error& error) {
      if (agent_->lost()) throw;
      return say({.kind = Kind::kGone, .text = error.what()});
    }
    following_ = true;
    say({.kind = Kind::kLaunched, .there = std::move(there), .version = agent_->version()});
  });
}

void HostLink::refuseSecondName(const AgentRun& there) const {
  if (there.host != host_)
    throw Error(Errc::kHost, strCat(host_, " and ", there.host, " are one computer with one supervisor; name it the same in all nodes of a run"));
}

// Of an attempt whose recorder went away before the nodes were told to start.
void HostLink::clearAway(const AgentRun& left) {
  refuseSecondName(left);
  endThere(run_, kBeginsAgain);
}

void HostLink::endThere(const std::string& run, const std::string& why) {
  agent_->end(run, 0, why);
  for (const double until = steadySeconds() + kClearSeconds; steadySeconds() < until && !stop_.stop_requested();) {
    const auto there = agent_->find(run);
    if (!there) return;
    if (!there->active) return agent_->forget(run);
    agent_->next(kListenSeconds);
  }
  throw Error(Errc::kHost, strCat(host_, ": what ", run == run_ ? "an earlier attempt of this run" : strCat("run ", run), " left there does not end"));
}

void HostLink::say(HostMessage message) {
  message.host = host_;
  out_.push(std::move(message), stop_.get_token());
}

void HostLink::loop() {
  try {
    const bool opened = attempt([this] { open(); });
    while (opened && !stop_.stop_requested()) {
      if (const auto work = takeWork()) perform(*work);
      if (following_ && !stop_.stop_requested()) read();  // one who was told to stop while it had lost its supervisor has none
    }
  } catch (const std::exception& error) {  // a bug of ours, or no memory
    say({.kind = Kind::kRefused, .text = strCat(host_, ": ", error.what())});
  }
}

void HostLink::open() {
  for (const double until = steadySeconds() + patienceSeconds_;;) {
    try {
      ready_ = opener_(host_, needs_);
      break;
    } catch (const hosts::NotReached& error) {
      if (steadySeconds() >= until) throw;
      say({.kind = Kind::kProgress, .text = strCat("waits until it is back: ", error.what())});
      if (!sleep(pauseSeconds_)) throw;
      pauseSeconds_ = std::min(2 * pauseSeconds_, times_.longestRetrySeconds);
    }
  }
  pauseSeconds_ = times_.firstRetrySeconds;
  say({.kind = Kind::kReady, .site = {.installation = ready_.installation, .dataAddress = ready_.dataAddress, .scheduled = ready_.scheduled}});
}

bool HostLink::sleep(double pause) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, stop_.get_token(), seconds(pause), [] { return false; });
  return !stop_.stop_requested();
}

std::optional<std::function<void()>> HostLink::takeWork() {
  std::unique_lock lock(mutex_);
  if (!following_) changed_.wait(lock, stop_.get_token(), [this] { return !work_.empty(); });
  if (work_.empty()) return std::nullopt;
  std::function<void()> work = std::move(work_.front());
  work_.pop_front();
  return work;
}

// Done again when the connection broke. What a living supervisor refuses is of a node that has just ended: its event says more.
void HostLink::perform(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    if (!following_ || (agent_ && !agent_->lost())) return;
    {
      const std::lock_guard lock(mutex_);
      work_.push_front(work);
    }
    recover(error.what());
  }
}

void HostLink::read() {
  std::optional<HostMessage> message;
  try {
    message = agent_->next(unstarted_ ? kStartSeconds : kListenSeconds);
  } catch (const Error& error) {
    return recover(error.what());
  }
  if (!message) return;
  if (message->kind == Kind::kEnded && message->text == run_) {
    following_ = false;
    say(std::move(*message));
  } else if (message->kind == Kind::kEvent && message->event.run == run_) {
    const std::string& node = message->event.node;
    if (!nodes_.contains(node) && node != host_) return say({.kind = Kind::kRefused, .text = strCat(host_, ": its supervisor tells of node \"", quotable(node), "\", which is not there")});
    std::int64_t& last = known_[node];
    if (message->event.seq <= last) return;  // again
    last = message->event.seq;
    pauseSeconds_ = times_.firstRetrySeconds;
    newsAt_ = steadySeconds();
    say(std::move(*message));
  }
}

// Until the supervisor answers again, no longer knows the run, or the time is up.
void HostLink::recover(std::string why) {
  const std::stop_token stop = stop_.get_token();
  while (!stop.stop_requested()) {
    agent_.reset();
    ready_ = {};
    say({.kind = Kind::kLost, .text = why});
    sleep(pauseSeconds_);
    pauseSeconds_ = std::min(2 * pauseSeconds_, times_.longestRetrySeconds);
    if (stop.stop_requested()) return;
    try {
      reopen();
      agent_->follow(run_, known_);
      return say({.kind = Kind::kBack});
    } catch (const Error& error) {
      why = error.what();
      const bool answered = agent_ != nullptr && !agent_->lost();
      if (!answered && steadySeconds() - newsAt_ < times_.giveUpSeconds) continue;
      following_ = false;
      return say({.kind = answered ? Kind::kGone : Kind::kGivenUp, .text = why});
    }
  }
}

}  // namespace paceline::run
