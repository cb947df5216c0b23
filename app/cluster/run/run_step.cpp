// One step of a run: what its hosts said, and what follows from it.
#include <algorithm>

#include "app/cluster/run/run_session.h"
#include "engine/core/base/clock.h"

namespace paceline::run {
namespace {

constexpr double kStepSeconds = 0.2;
constexpr double kServerGraceSeconds = 30;  // for servers when all workers have gone

// A link's reason may begin with its host's name; the sentences here write the name themselves.
std::string withoutName(const std::string& host, const std::string& why) { return why.starts_with(host + ": ") ? why.substr(host.size() + 2) : why; }

}  // namespace

std::optional<HostMessage> RunSession::next() {
  auto message = queue_.pop(kStepSeconds);
  if (!message) return std::nullopt;
  HostLink& link = *hosts_.at(message->host);
  if (link.state().givenUp) return std::nullopt;
  link.take(*message);
  return message;
}

void RunSession::step() {
  if (const auto message = next()) take(*message);
  if (all(Stage::kOver) || left_ || !mayGoOn()) return;
  takeStop();
  takeFailure();
  takeLoss();
  checkStore();
}

void RunSession::take(const HostMessage& message) {
  using Kind = HostMessage::Kind;
  switch (message.kind) {
    case Kind::kEvent: return takeEvent(message.host, message.event);
    case Kind::kProgress:
      if (means_.callbacks.onProgress) means_.callbacks.onProgress(message.host, message.text);
      return;
    case Kind::kLost: return go(RunEvent::kHostLost, lostText());
    case Kind::kBack:
      stopAsked_ = false;  // says it again
      if (outcome_.state == store::RunState::kStale) go(anyLost() ? RunEvent::kHostLost : RunEvent::kHostBack, lostText());
      return;
    case Kind::kAgain:
      if (message.text == std::to_string(readings_)) unread_.erase(message.host);
      return;
    case Kind::kBusy: return tell(busyText());
    case Kind::kEnded:
      if (!unread_.contains(message.host)) behind_.erase(message.host);  // else it ended before it was asked again
      return;
    case Kind::kGone:
      unknown_ = message.text;
      return giveUp(message.host, "it was reached again, but its supervisor is gone");
    case Kind::kRefused:
      if (!failed_ && !stop_.stop_requested()) throw Error(Errc::kHost, message.text);  // a stop ends questions, and with them the opening
      return;
    case Kind::kGivenUp: return leave(strCat(message.host, " was not reached for ", means_.times.giveUpSeconds, " s: ", withoutName(message.host, message.text)));
    case Kind::kReady:
    case Kind::kLaunched:
    case Kind::kStarted:
    case Kind::kForgotten:
      return;
  }
}

void RunSession::takeEvent(const std::string& host, const StampedEvent& event) {
  const bool first = event.seq > lastSeq_[event.node];
  if (first) {
    lastSeq_[event.node] = event.seq;
    if (const auto* notice = std::get_if<NoticeRecord>(&event.event)) takeNotice(event.node, *notice);
  }
  record(host, event);
  if (first && means_.callbacks.onEvent) means_.callbacks.onEvent(event);
}

void RunSession::takeNotice(const std::string& node, const NoticeRecord& notice) {
  const std::string silence = ending_.silence();
  ending_.observe(node, notice);
  if (ending_.silence() != silence && outcome_.state != store::RunState::kStale) tell("");
  if (notice.reason == "shared") shared_[node].insert(notice.text);
  if (notice.kind == "listening" && spec_.nodeIndex(node) >= 0) endpoints_[node] = notice.text;
}

void RunSession::takeStop() {
  if (!stopWanted() || stopAsked_ || failed_) return;
  stopAsked_ = true;
  if (outcome_.state != store::RunState::kStopping) go(RunEvent::kStopAsked);
  endNodes(kStopGraceSeconds, "asked");
}

bool RunSession::stopWanted() const { return stop_.stop_requested() || ending_.asked() || outcome_.state == store::RunState::kStopping; }

void RunSession::takeFailure() {
  if (endAsked_ || stopAsked_) return;
  if (ending_.somethingFailed()) {
    failed_ = true;
    return endNodes(kFailureGraceSeconds, "failure");
  }
  if (!ending_.workersExited()) return;
  if (workersGoneSince_ == 0) workersGoneSince_ = steadySeconds();
  if (steadySeconds() - workersGoneSince_ > kServerGraceSeconds && !anyLost())
    throw Error(Errc::kHost, strCat("a server did not end within ", kServerGraceSeconds, " s after the workers"));
}

void RunSession::endNodes(double graceSeconds, const std::string& why) {
  endAsked_ = true;
  for (const auto& [host, link] : hosts_) link->end(graceSeconds, why);
}

// A run that is to end does not wait for long when all that is missing is a host that cannot be reached.
void RunSession::takeLoss() {
  const bool onlyLostLeft = anyLost() && std::ranges::all_of(hosts_, [](const auto& entry) { return entry.second->isLost() || entry.second->state().stage >= Stage::kOver; });
  const bool without = onlyLostLeft && std::ranges::all_of(hosts_, [this](const auto& entry) { return !entry.second->isLost() || ending_.spares(entry.first); });
  if (!onlyLostLeft || !(endAsked_ || without || ending_.somethingFailed())) return static_cast<void>(onlyLostSince_ = 0);
  if (onlyLostSince_ == 0) onlyLostSince_ = steadySeconds();
  if (steadySeconds() - onlyLostSince_ < means_.times.endGraceSeconds) return;
  if (!failed_ && !without) return leave(lostText());
  for (const auto& [host, link] : hosts_) {
    if (!link->isLost()) continue;
    giveUp(host, strCat("it cannot be reached: ", withoutName(host, link->state().lost)));
    link->giveUp();
  }
  tell("");
}

// Its records are not waited for any more.
void RunSession::giveUp(const std::string& host, const std::string& why) {
  unread_.erase(host), behind_.erase(host);
  ending_.hostGone(host, why);
}

// What cannot be reached may go on there, and its spool keeps what happens.
void RunSession::leave(const std::string& why) {
  left_ = true;
  outcome_.error = strCat(why, "; paceline attach ", outcome_.run, " goes on when it can be reached");
  tell(outcome_.error);
}

bool RunSession::mayGoOn() {
  left_ = left_ || means_.leave.stop_requested();
  return !left_;
}

bool RunSession::anyLost() const {
  return std::ranges::any_of(hosts_, [](const auto& entry) { return entry.second->isLost(); });
}

std::string RunSession::lostText() const {
  std::string text;
  for (const auto& [host, link] : hosts_)
    if (link->isLost()) text += strCat(text.empty() ? "" : "; ", host, ": ", withoutName(host, link->state().lost));
  return text;
}

std::string RunSession::busyText() const {
  for (const auto& [host, link] : hosts_)
    if (!link->state().busy.empty() && link->state().stage < Stage::kLaunched) return strCat("waits for ", link->state().busy, " on ", host);
  return "";
}

}  // namespace paceline::run
