// A run whose recorder went away: followed again where it was, told to start again, or begun again.
#include "app/cluster/run/run_session.h"
#include "engine/core/base/error.h"

namespace paceline::run {

// From the beginning, under the same id: nothing that counts has happened. What is left of it at its hosts goes when it is launched there.
void RunSession::again() {
  hosts_.reset();
  recorder_.flush(run_);
  recorder_.withWriter([this](store::StoreWriter& store) { store.beginAgain(run_); });
  ending_ = RunEnding(spec_);
  outcome_.state = store::RunState::kChecking;
  endpoints_.clear(), lastSeq_.clear(), unknown_.clear();
  workersGoneSince_ = onlyLostSince_ = 0;
  endAsked_ = stopAsked_ = failed_ = false;
  go();
}

RunOutcome RunSession::pickUp(bool ran, const std::string& resumed) {
  resumed_ = resumed;
  return guarded([this, ran] {
    loadKnown();
    try {
      open();
      if (mayGoOn()) hosts_->follow(lastSeq_);
      while (!hosts_->allLaunched() && mayGoOn()) step();
    } catch (const Error& error) {
      return leave(error.what());
    }
    if (left_) return;
    if (!unknown_.empty() && !ran && !ending_.anyStarted()) return again();
    if (!unknown_.empty()) throw Error(Errc::kHost, strCat("its desktop went away, and its end is not known: ", unknown_));
    while (!hosts_->allOver() && !left_ && !caughtUp()) step();
    if (left_) return;
    if (!ending_.anyStarted() && !endAsked_ && !stopWanted() && !ending_.somethingFailed()) {  // some nodes may have been told to start
      if (hosts_->allOver() || endpoints_.size() < spec_.nodes.size()) return again();
      hosts_->start(spec_, startLine(spec_, endpoints_));
    }
    if (outcome_.state == store::RunState::kStale && !hosts_->anyLost()) go(RunEvent::kHostBack);
    follow();
    conclude();
  });
}

bool RunSession::caughtUp() const {
  for (const std::string& host : spec_.hosts())
    for (const AgentNode& node : hosts_->there(host).nodes) {
      const auto found = lastSeq_.find(node.id);
      if ((found == lastSeq_.end() ? 0 : found->second) < node.lastSeq) return false;
    }
  return true;
}

void RunSession::loadKnown() {
  recorder_.flush(run_);
  const store::StoreReader reader(recorder_.path());
  for (const store::NoticeRow& row : reader.notices(run_)) {
    ending_.observe(row.node, row.record);
    if (row.record.kind == "listening") endpoints_[row.node] = row.record.text;
    if (row.record.reason == "shared") shared_[row.node].insert(row.record.text);
  }
  recorder_.withWriter([this](store::StoreWriter& store) {
    for (const NodeSpec& node : spec_.nodes) lastSeq_[node.id] = store.lastSeq(run_, node.id);
    for (const std::string& host : spec_.hosts()) lastSeq_[host] = store.lastSeq(run_, host);
  });
}

}  // namespace paceline::run
