#include "app/cluster/run/agent_link.h"

#include <algorithm>
#include <chrono>

#include "app/cluster/run/run_keys.h"
#include "engine/core/base/error.h"
#include "engine/core/base/clock.h"

namespace paceline::run {
namespace {

constexpr double kBusySeconds = 1;        // between two questions whether a host is free
constexpr double kClearSeconds = 30;      // for what an earlier attempt left
constexpr double kListenSeconds = 0.05;  // to the supervisor, before looking for posted work again

std::chrono::duration<double> seconds(double value) { return std::chrono::duration<double>(value); }
}  // namespace

void LinkQueue::push(LinkMessage message, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, stop, [this] { return messages_.size() < kMost; });
  messages_.push_back(std::move(message));
  changed_.notify_all();
}

std::optional<LinkMessage> LinkQueue::pop(double timeoutSeconds) {
  std::unique_lock lock(mutex_);
  if (!changed_.wait_for(lock, seconds(timeoutSeconds), [this] { return !messages_.empty(); })) return std::nullopt;
  LinkMessage message = std::move(messages_.front());
  messages_.pop_front();
  if (messages_.size() + 1 == kMost) changed_.notify_all();
  return message;
}

AgentLink::AgentLink(std::string host, std::string run, hosts::HostOpener opener, hosts::HostNeeds needs, LinkTimes times, LinkQueue& out)
    : host_(std::move(host)), run_(std::move(run)), opener_(std::move(opener)), needs_(std::move(needs)), times_(times), out_(out),
      pauseSeconds_(times.firstRetrySeconds), newsAt_(steadySeconds()) {
  thread_ = std::jthread([this](const std::stop_token& stop) { loop(stop); });
}

AgentLink::~AgentLink() {
  thread_.request_stop();
  thread_.join();
}

void AgentLink::post(Step step, std::function<void()> act) {
  const std::lock_guard lock(mutex_);
  work_.push_back({.step = step, .act = std::move(act)});
  changed_.notify_all();
}

void AgentLink::launch(Launch launch) {
  auto shared = std::make_shared<Launch>(std::move(launch));
  post(Step::kBegin, [this, shared] { launchNow(shared); });
}

void AgentLink::follow(std::map<std::string, std::int64_t> from) {
  post(Step::kBegin, [this, from = std::move(from)] {
    known_ = from;
    connect(AgentClient::Other::kAccept);
    AgentRun there;
    try {
      there = agent_->follow(run_, known_);
    } catch (const Error& error) {
      if (agent_->lost()) throw;
      return say(LinkMessage::Kind::kGone, thread_.get_stop_token(), error.what());
    }
    following_ = true;
    out_.push({.kind = LinkMessage::Kind::kFollowing, .host = host_, .there = std::move(there), .version = agent_->version()}, thread_.get_stop_token());
  });
}

// A node reads one start; should the answer to the first have been lost, it gets another that it does not look at.
void AgentLink::start(std::vector<std::string> nodes, std::string order) {
  post(Step::kOrder, [this, nodes = std::move(nodes), order = std::move(order)] {
    if (agent_)
      for (const std::string& node : nodes) agent_->input(run_, node, order);
    say(LinkMessage::Kind::kStarted, thread_.get_stop_token());
  });
}

void AgentLink::end(double graceSeconds, std::string why) {
  post(Step::kOrder, [this, graceSeconds, why = std::move(why)] {
    if (waiting_) {
      waiting_ = false, given_ = true;
      return say(LinkMessage::Kind::kEnded, thread_.get_stop_token());
    }
    if (agent_) agent_->end(run_, graceSeconds, why);
  });
}

void AgentLink::forget() {
  post(Step::kForget, [this] {
    if (agent_) agent_->forget(run_);
  });
}

void AgentLink::connect(AgentClient::Other other) {
  agent_.reset();
  agent_ = std::make_unique<AgentClient>(*ready_.host, ready_.installation, other, times_.leaseSeconds);
}

void AgentLink::launchNow(const std::shared_ptr<Launch>& wanted) {
  if (given_) return;
  Launch& launch = *wanted;
  connect(AgentClient::Other::kReplace);
  for (const AgentRun& known : agent_->list()) {
    if (known.run == run_) {
      clearAway(known);
      continue;
    }
    if (known.active || !launch.isRecorded || !launch.isRecorded(known.run)) continue;
    try {
      agent_->forget(known.run);
    } catch (const Error&) {  // another desktop was faster
    }
  }
  try {
    agent_->launch(run_, launch.plan, launch.folder, launch.endAloneSeconds, launch.title, launch.beside);
  } catch (const HostBusy& busy) {
    return launchLater(wanted, busy.by);
  } catch (const Error&) {
    if (!agent_->lost())
      for (const AgentRun& known : agent_->list())
        if (known.run == run_) refuseSecondName(known);
    throw;
  }
  agent_->follow(run_, known_);
  waiting_ = false;
  following_ = true;
  newsAt_ = steadySeconds();
  out_.push({.kind = LinkMessage::Kind::kLaunched, .host = host_, .version = agent_->version()}, thread_.get_stop_token());
}

// Behind whatever else is asked meanwhile.
void AgentLink::launchLater(const std::shared_ptr<Launch>& launch, const std::string& busy) {
  waiting_ = true;
  say(LinkMessage::Kind::kBusy, thread_.get_stop_token(), busy);
  {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, thread_.get_stop_token(), seconds(kBusySeconds), [this] { return !work_.empty(); });
  }
  post(Step::kBegin, [this, launch] { launchNow(launch); });
}

void AgentLink::refuseSecondName(const AgentRun& there) const {
  if (there.host != host_)
    throw Error(Errc::kHost, strCat(host_, " and ", there.host, " are one computer with one supervisor; name it the same in all nodes of a run"));
}

// Of an attempt whose recorder went away before the nodes were told to start.
void AgentLink::clearAway(const AgentRun& left) {
  refuseSecondName(left);
  agent_->end(run_, 0, "asked");
  for (const double until = steadySeconds() + kClearSeconds; steadySeconds() < until;) {
    const auto runs = agent_->list();
    const auto there = std::find_if(runs.begin(), runs.end(), [this](const AgentRun& known) { return known.run == run_; });
    if (there == runs.end()) return;
    if (!there->active) return agent_->forget(run_);
    agent_->next(kListenSeconds);
  }
  throw Error(Errc::kHost, strCat(host_, ": what an earlier attempt of this run left there does not end"));
}

hosts::HostNeeds AgentLink::needsFor(const std::stop_token& stop) const {
  hosts::HostNeeds needs = needs_;
  needs.stop = stop;
  needs.onProgress = [this, stop](const std::string& text, double fraction) {
    out_.push({.kind = LinkMessage::Kind::kProgress, .host = host_, .text = text, .fraction = fraction}, stop);
  };
  return needs;
}

void AgentLink::say(LinkMessage::Kind kind, const std::stop_token& stop, std::string text) {
  out_.push({.kind = kind, .host = host_, .text = std::move(text)}, stop);
}

void AgentLink::loop(const std::stop_token& stop) {
  try {
    if (!open(stop)) return;
    while (!stop.stop_requested()) {
      if (auto work = takeWork(stop)) perform(std::move(*work), stop);
      if (following_) read(stop);
    }
  } catch (const std::exception& error) {  // a bug of ours, or no memory
    say(LinkMessage::Kind::kRefused, stop, strCat(host_, ": ", error.what()));
  }
}

bool AgentLink::open(const std::stop_token& stop) {
  try {
    ready_ = opener_(host_, needsFor(stop));
    out_.push({.kind = LinkMessage::Kind::kReady, .host = host_, .site = {.installation = ready_.installation, .dataAddress = ready_.dataAddress}}, stop);
    return true;
  } catch (const std::exception& error) {
    say(LinkMessage::Kind::kRefused, stop, error.what());
    return false;
  }
}

std::optional<AgentLink::Work> AgentLink::takeWork(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  if (!following_) changed_.wait(lock, stop, [this] { return !work_.empty(); });
  if (work_.empty()) return std::nullopt;
  Work work = std::move(work_.front());
  work_.pop_front();
  return work;
}

void AgentLink::perform(Work work, const std::stop_token& stop) {
  using Kind = LinkMessage::Kind;
  try {
    work.act();
  } catch (const Error& error) {
    const bool lost = agent_ == nullptr || agent_->lost();
    if (work.step == Step::kBegin) return say(Kind::kRefused, stop, error.what());
    if (work.step == Step::kOrder && lost && following_) {
      const std::lock_guard lock(mutex_);
      work_.push_front(std::move(work));
    }  // what a living supervisor refuses is of a node that has just ended: its event says more
    if (lost && following_) recover(error.what(), stop);
  }
  if (work.step == Step::kForget) say(Kind::kForgotten, stop);
}

void AgentLink::read(const std::stop_token& stop) {
  using Kind = LinkMessage::Kind;
  AgentMessage message = agent_->next(kListenSeconds);
  if (message.kind == AgentMessage::Kind::kLost) return recover(message.text, stop);
  if (message.kind == AgentMessage::Kind::kEnded && message.text == run_) {
    following_ = false;
    return say(Kind::kEnded, stop);
  }
  if (message.kind != AgentMessage::Kind::kEvent || message.event.run != run_) return;
  std::int64_t& last = known_[message.event.node];
  if (message.event.seq <= last) return;  // again
  last = message.event.seq;
  pauseSeconds_ = times_.firstRetrySeconds;
  newsAt_ = steadySeconds();
  out_.push({.kind = Kind::kEvent, .host = host_, .event = std::move(message.event)}, stop);
}

// Until the supervisor answers again, no longer knows the run, or the time is up.
void AgentLink::recover(std::string why, const std::stop_token& stop) {
  using Kind = LinkMessage::Kind;
  while (!stop.stop_requested()) {
    agent_.reset();
    ready_ = {};
    say(Kind::kLost, stop, why);
    {
      std::unique_lock lock(mutex_);
      std::condition_variable_any pause;
      pause.wait_for(lock, stop, seconds(pauseSeconds_), [] { return false; });
    }
    pauseSeconds_ = std::min(2 * pauseSeconds_, times_.longestRetrySeconds);
    if (stop.stop_requested()) return;
    try {
      ready_ = opener_(host_, needsFor(stop));
      connect(AgentClient::Other::kAccept);
      agent_->follow(run_, known_);
      return say(Kind::kBack, stop);
    } catch (const Error& error) {
      why = error.what();
      const bool answered = agent_ != nullptr && !agent_->lost();
      if (!answered && steadySeconds() - newsAt_ < times_.giveUpSeconds) continue;
      following_ = false;
      return say(answered ? Kind::kGone : Kind::kGivenUp, stop, why);
    }
  }
}

}  // namespace paceline::run
