// A run and its store. A store that takes nothing now (a full disk, a file that was deleted or replaced) does not end the run: its hosts keep what
// it records, the writer lets some of it wait, and what is more than that is read from the hosts again. Nothing is forgotten there before.
#include "app/cluster/run/run_session.h"
#include "engine/core/base/clock.h"

namespace paceline::run {
namespace {

constexpr double kCheckSeconds = 1;

}  // namespace

void RunSession::record(const std::string& host, const StampedEvent& event) {
  if (lacks_ || unread_.contains(host)) return;  // it comes again, behind what comes before it
  const auto* notice = std::get_if<NoticeRecord>(&event.event);
  // The copies first: who picks the run up goes on behind this event.
  if (notice != nullptr && notice->reason == "resumed" && !resumed_.empty() && !copyRecords(event.node, notice->code)) return;
  means_.records.append(event);
}

// What the store refuses for good ends the run, for nobody would see what it does.
void RunSession::checkStore() {
  if (steadySeconds() < nextStoreCheck_) return;
  nextStoreCheck_ = steadySeconds() + kCheckSeconds;
  recorded();
  if (!storeError_.empty() && !endAsked_) endNodes(kFailureGraceSeconds, "failure");
}

bool RunSession::recorded() {
  try {
    means_.records.flush(outcome_.run);
    waitForStore("");
    lacks_ = means_.records.missed(outcome_.run) || lacks_;
    if (lacks_) readAgain();
    return behind_.empty();
  } catch (const store::Unavailable& error) {
    waitForStore(error.what());
  } catch (const std::exception& error) {
    if (storeError_.empty()) storeError_ = error.what();
  }
  return false;
}

// Without hosts, or when all is over there.
bool RunSession::settle() {
  using Kind = HostMessage::Kind;
  for (std::optional<HostMessage> message;; message = next()) {
    if (message) {
      const Kind kind = message->kind;
      if (kind == Kind::kEvent || kind == Kind::kAgain || kind == Kind::kEnded) take(*message);
      if (kind == Kind::kLost) tell(strCat("waits for what ", message->host, " recorded: ", message->text));
      if (kind == Kind::kBack) tell("");
      if (kind == Kind::kGivenUp || kind == Kind::kRefused) leave(message->text);
      if (kind == Kind::kGone) storeError_ = strCat(message->host, ": what the store could not take is not there any more: ", message->text);
      if (storeError_.empty() && !left_ && steadySeconds() < nextStoreCheck_) continue;
    }
    nextStoreCheck_ = steadySeconds() + kCheckSeconds;
    if (!storeError_.empty() || !mayGoOn()) return false;
    if (recorded()) return true;
    if (!storeError_.empty()) return false;
  }
}

bool RunSession::insist(const std::function<void(store::StoreWriter&)>& work) {
  for (;;) {
    try {
      means_.records.withWriter(work);
      waitForStore("");
      return true;
    } catch (const store::Unavailable& error) {
      waitForStore(error.what());
    }
    if (!mayGoOn()) return false;
    queue_.pop(kStorePauseSeconds);
  }
}

void RunSession::waitForStore(const std::string& why) {
  if (std::exchange(storeWaits_, why) == why) return;
  tell(why.empty() ? lostText() : "");
}

// From the last that the store has: everything behind it was dropped.
void RunSession::readAgain() {
  const auto known = knownSeqs();
  lacks_ = false;
  const std::string mark = std::to_string(++readings_);
  unread_.clear();
  for (const auto& [host, link] : hosts_)
    if (link->readAgain(known, mark)) unread_.insert(host);
  behind_ = unread_;
}

std::map<std::string, std::int64_t> RunSession::knownSeqs() {
  return means_.records.withWriter([this](store::StoreWriter& store) {
    std::map<std::string, std::int64_t> known;
    for (const NodeSpec& node : spec_.nodes) known[node.id] = store.lastSeq(outcome_.run, node.id);
    for (const std::string& host : spec_.hosts()) known[host] = store.lastSeq(outcome_.run, host);
    return known;
  });
}

}  // namespace paceline::run
