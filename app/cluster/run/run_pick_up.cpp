// A run that goes on: one whose recorder went away is followed again where it was, told to start again, or begun again; a new one has the records
// of the one that it goes on from.
#include "app/cluster/run/run_session.h"

#include <algorithm>

#include "storage/store/store.h"

namespace paceline::run {

RunOutcome RunSession::attach(const std::string& run, std::stop_token stop) {
  outcome_.run = run;
  bool ran = false;
  try {
    const auto row = store::StoreReader(means_.records.path()).find(run);
    if (!row) return failed(strCat("there is no run ", run));
    outcome_ = {.run = row->id, .name = row->name, .state = row->state};
    if (store::isEnded(row->state)) {
      outcome_.error = row->error, outcome_.reason = row->reason;
      return outcome_;
    }
    if (!row->source.empty()) {
      fail("the program that simulated it is gone");
      return outcome_;
    }
    const ParsedSpec parsed = parseRunSpec(row->specText);
    if (hasErrors(parsed.findings)) return failed(strCat("run ", row->id, ": its document cannot be read"));
    prepare(parsed.spec, resumedFrom(*row), std::move(stop));
    wasStopping_ = row->state == store::RunState::kStopping;
    outcome_.state = store::RunState::kStale;
    if (!insist([&](store::StoreWriter& store) { store.adopt(row->id); })) return outcome_;
    ran = row->startedUtc > 0;
  } catch (const std::exception& error) {
    return failed(error.what());
  }
  return guarded([&] { pickUp(ran); });
}

void RunSession::pickUp(bool ran) {
  loadKnown();
  try {
    openHosts();
    if (mayGoOn())
      for (const auto& [host, link] : hosts_) link->follow(lastSeq_);
    while (!all(Stage::kLaunched) && mayGoOn()) step();
  } catch (const Error& error) {
    return leave(error.what());
  }
  if (left_) return;
  if (!unknown_.empty() && !ran && !ending_.anyStarted()) return again();
  if (!unknown_.empty()) {
    takeByLoss();
    throw Error(Errc::kHost, strCat("its desktop went away, and its end is not known: ", unknown_));
  }
  while (!all(Stage::kOver) && !left_ && !caughtUp()) step();
  const auto ends = [](const auto& entry) { return !entry.second->state().there.active || entry.second->state().there.ending; };
  const auto saysWhy = [&](const auto& entry) { return ends(entry) && entry.second->state().stage < Stage::kOver; };
  while (!ending_.anyStarted() && !left_ && std::ranges::any_of(hosts_, saysWhy)) step();
  if (left_) return;
  if (!ending_.anyStarted() && !endAsked_ && !stopWanted() && !ending_.somethingFailed()) {  // some nodes may have been told to start
    if (std::ranges::any_of(hosts_, ends) || endpoints_.size() < spec_.nodes.size()) return again();
    orderStart();
  }
  if (outcome_.state == store::RunState::kStale && !anyLost()) go(RunEvent::kHostBack);
  follow();
  conclude();
}

// From the beginning, under the same id: nothing that counts has happened. What is left of it at its hosts goes when it is launched there.
void RunSession::again() {
  hosts_.clear();
  for (bool ended = false; !ended;) {
    if (!insist([this](store::StoreWriter& store) { store.beginAgain(outcome_.run); })) return;
    RunSession anew(means_);
    anew.prepare(spec_, resumed_, stop_);
    if (patience_.until > 0) anew.patience_.until = patience_.until;
    anew.outcome_ = {.run = outcome_.run, .name = outcome_.name, .state = store::RunState::kChecking};
    ended = true;
    outcome_ = anew.guarded([&] { ended = anew.workOrWait(); });
  }
}

bool RunSession::caughtUp() const {
  for (const auto& [host, link] : hosts_)
    for (const AgentNode& node : link->state().there.nodes) {
      const auto found = lastSeq_.find(node.id);
      if ((found == lastSeq_.end() ? 0 : found->second) < node.lastSeq) return false;
    }
  return true;
}

void RunSession::loadKnown() {
  const std::string& run = outcome_.run;
  if (!settle()) return;
  for (const store::NoticeRow& row : store::StoreReader(means_.records.path()).notices(run)) takeNotice(row.node, row.record);
  lastSeq_ = knownSeqs();
}

// With the coordinator's records go those of the evaluator, which count that worker's rounds.
bool RunSession::copyRecords(const std::string& node, std::int64_t rounds) {
  std::set<std::string> nodes = {node};
  if (const int evaluating = spec_.evaluatorNode(); evaluating >= 0 && spec_.nodes[static_cast<std::size_t>(evaluating)].id == node)
    for (const int evaluator : spec_.evaluators()) nodes.insert(spec_.nodes[static_cast<std::size_t>(evaluator)].id);
  try {
    means_.records.flush(outcome_.run);  // the store stands then: where none does, a reader finds nothing to copy
    for (StampedEvent event : store::recordsUpTo(store::StoreReader(means_.records.path()), resumed_, nodes, rounds)) {
      event.run = outcome_.run;
      means_.records.append(event);
      if (means_.callbacks.onEvent) means_.callbacks.onEvent(event);
    }
    return true;
  } catch (const store::Unavailable& error) {
    lacks_ = true;
    waitForStore(error.what());
  } catch (const std::exception& error) {
    if (storeError_.empty()) storeError_ = error.what();
  }
  return false;
}

}  // namespace paceline::run
