#include "app/cluster/run_session.h"

#include <chrono>
#include <filesystem>

#include "engine/core/error.h"

namespace paceline {
namespace {

constexpr double kStepSeconds = 0.2;
constexpr double kListenSeconds = 300;       // for loading the libraries and the data, many nodes on few cores
constexpr double kStopGraceSeconds = 15;
constexpr double kFailureGraceSeconds = 1;   // for the others of a run that failed: long enough to say what they saw
constexpr double kServerGraceSeconds = 30;   // for servers when all workers have gone
constexpr int kMaxReconnects = 3;

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace

RunSession::RunSession(Recorder& recorder, const RunCallbacks& callbacks, const HostOpener& opener, std::string run, const RunSpec& spec, RunState state,
                       std::stop_token stop)
    : recorder_(recorder), callbacks_(callbacks), opener_(opener), run_(std::move(run)), spec_(spec), stop_(std::move(stop)), ending_(spec) {
  outcome_ = {.run = run_, .name = spec.name, .state = state, .error = "", .reason = ""};
}

void RunSession::go(RunEvent event, const std::string& error, const std::string& reason) {
  const auto then = paceline::next(outcome_.state, event);
  PACELINE_CHECK(then, strCat("run event ", static_cast<int>(event), " cannot happen in state ", stateName(outcome_.state)));
  outcome_.state = *then;
  outcome_.error = error;
  if (!reason.empty()) outcome_.reason = reason;
  recorder_.withWriter([&](StoreWriter& store) { store.setState(run_, *then, error, reason); });
  if (callbacks_.onState) callbacks_.onState(run_, *then, error);
}

// The state is failed whether or not the store can still be told.
void RunSession::fail(const std::string& error) {
  if (isEnded(outcome_.state)) return;
  try {
    go(RunEvent::kFailure, error, "failure");
  } catch (const std::exception&) {
    outcome_.state = RunState::kFailed;
    outcome_.error = error;
    outcome_.reason = "failure";
    if (callbacks_.onState) callbacks_.onState(run_, outcome_.state, error);
  }
}

RunOutcome RunSession::guarded(const std::function<void()>& work) {
  try {
    work();
  } catch (const std::exception& error) {
    const std::string why = error.what();
    try {
      if (launched_ && !over_ && agent_) {
        endNodes(kFailureGraceSeconds, "failure");
        agent_->follow(run_, lastSeq_);
        follow();
      }
    } catch (const std::exception&) {  // the first error is the one that counts
    }
    fail(why);
    if (over_) forgetSpool();
  }
  return outcome_;
}

RunOutcome RunSession::start() {
  return guarded([this] {
    if (callbacks_.onState) callbacks_.onState(run_, outcome_.state, "");
    go(RunEvent::kChecked);
    open();
    go(RunEvent::kDeployed);
    if (!stop_.stop_requested()) {
      launch();
      begin();
      follow();
    }
    conclude();
  });
}

void RunSession::open() {
  for (const NodeSpec& node : spec_.nodes)
    if (node.host != spec_.nodes.front().host) throw Error(Errc::kUnsupported, strCat("node ", node.id, ": a run on several hosts is not supported yet"));
  ReadyHost ready = opener_(spec_.nodes.front().host, {.datasets = {spec_.dataset.id}, .stop = stop_, .onProgress = {}});
  host_ = std::move(ready.host);
  installation_ = std::move(ready.installation);
}

void RunSession::launch() {
  const auto plan = planLaunch(run_, spec_, [this](const std::string&, const std::string& name) { return installation_.program(name); }, inheritedVariables());
  agent_ = std::make_unique<AgentClient>(*host_, installation_);
  forgetOldSpools();
  std::error_code ignored;
  const std::string folder = std::filesystem::current_path(ignored).string();
  launched_ = true;
  for (const HostLaunch& launch : plan) agent_->launch(run_, launch, folder);
  agent_->follow(run_, lastSeq_);
}

void RunSession::begin() {
  const double deadline = now() + kListenSeconds;
  while (!over_ && !endAsked_ && endpoints_.size() < spec_.nodes.size()) {
    step();
    if (now() < deadline || endpoints_.size() == spec_.nodes.size()) continue;
    for (const NodeSpec& node : spec_.nodes)
      if (!endpoints_.contains(node.id)) throw Error(Errc::kHost, strCat(node.id, " did not say that it listens within ", kListenSeconds, " s"));
  }
  if (over_ || endAsked_) return;
  const std::string order = startLine(spec_, endpoints_);
  for (const NodeSpec& node : spec_.nodes) agent_->input(run_, node.id, order);
  if (outcome_.state == RunState::kStarting) go(RunEvent::kAllListening);  // it may have been lost and found meanwhile
}

void RunSession::follow() {
  while (!over_) step();
}

void RunSession::step() {
  const AgentMessage message = agent_->next(kStepSeconds);
  if (message.kind == AgentMessage::Kind::kEvent) take(message.event);
  if (message.kind == AgentMessage::Kind::kEnded && message.text == run_) over_ = true;
  if (message.kind == AgentMessage::Kind::kLost) reconnect(message.text);
  if (over_) return;
  takeStop();
  takeFailure();
  checkStore();
}

void RunSession::take(const StampedEvent& event) {
  if (event.run != run_) return;
  lastSeq_[event.node] = std::max(lastSeq_[event.node], event.seq);
  if (const auto* notice = std::get_if<NoticeRecord>(&event.event)) {
    ending_.observe(event.node, *notice);
    if (notice->kind == "listening" && spec_.nodeIndex(event.node) >= 0) endpoints_[event.node] = notice->text;
  }
  recorder_.append(event);
  if (callbacks_.onEvent) callbacks_.onEvent(event);
}

bool RunSession::stopWanted() const { return stop_.stop_requested() || ending_.asked() || outcome_.state == RunState::kStopping; }

void RunSession::takeStop() {
  if (!stopWanted() || stopAsked_ || failed_ || outcome_.state == RunState::kStale) return;
  stopAsked_ = true;
  if (outcome_.state != RunState::kStopping) go(RunEvent::kStopAsked);
  if (stop_.stop_requested()) endNodes(kStopGraceSeconds, "asked");
}

void RunSession::takeFailure() {
  if (endAsked_ || stopAsked_) return;
  if (ending_.somethingFailed()) {
    failed_ = true;
    return endNodes(kFailureGraceSeconds, "failure");
  }
  if (!ending_.workersExited()) return;
  if (workersGoneSince_ == 0) workersGoneSince_ = now();
  if (now() - workersGoneSince_ > kServerGraceSeconds)
    throw Error(Errc::kHost, strCat("a server did not end within ", kServerGraceSeconds, " s after the workers"));
}

void RunSession::endNodes(double graceSeconds, const std::string& why) {
  endAsked_ = true;
  agent_->end(run_, graceSeconds, why);
}

// Once a second: a store that cannot take the records ends the run, for nobody would see what it does.
void RunSession::checkStore() {
  if (now() < nextStoreCheck_) return;
  nextStoreCheck_ = now() + 1;
  try {
    recorder_.flush();
  } catch (const std::exception& error) {
    if (storeError_.empty()) storeError_ = error.what();
    if (!endAsked_) endNodes(kFailureGraceSeconds, "failure");
  }
}

void RunSession::reconnect(const std::string& why) {
  go(RunEvent::kHostLost, strCat(host_->name(), ": ", why));
  try {
    if (++reconnects_ > kMaxReconnects) throw Error(Errc::kHost, why);
    agent_ = std::make_unique<AgentClient>(*host_, installation_);
    agent_->follow(run_, lastSeq_);
  } catch (const Error& error) {
    over_ = true;
    throw Error(Errc::kHost, strCat("lost the supervisor on ", host_->name(), ": ", error.what()));
  }
  go(RunEvent::kHostBack);
  stopAsked_ = false;  // says it again
}

void RunSession::conclude() {
  if (storeError_.empty()) {
    try {
      recorder_.flush();
    } catch (const std::exception& error) {
      storeError_ = error.what();
    }
  }
  if (const std::string problem = whatWentWrong(); !problem.empty()) {
    fail(problem);
  } else if (stopWanted() || ending_.reason() == "asked") {
    if (outcome_.state != RunState::kStopping) go(RunEvent::kStopAsked);
    go(RunEvent::kAllEnded, "", "asked");
  } else {
    go(RunEvent::kAllEnded, "", ending_.reason());
  }
  forgetSpool();
}

std::string RunSession::whatWentWrong() const {
  if (!storeError_.empty()) return storeError_;
  if (stopWanted() && !failed_) return "";
  if (const std::string cause = ending_.rootCause(); !cause.empty()) return cause;
  if (ending_.endedWhy() == "shutdown") return strCat("the supervisor on ", host_->name(), " was told to shut down");
  if (ending_.endedWhy() == "desktop_lost") return "no desktop was attached, so the supervisor ended it";
  if (ending_.endedWhy() == "failure") return "its desktop ended it because of a failure that it could not record";
  if (!ending_.allExited() || outcome_.state != RunState::kRunning) return "the run ended, but not every node said how";
  return "";
}

// Only when everything is in the store. Failing to do so costs a little disk on the host, nothing else.
void RunSession::forgetSpool() {
  if (!agent_ || !storeError_.empty()) return;
  try {
    recorder_.flush();
    agent_->forget(run_);
  } catch (const std::exception&) {
  }
}

// Of runs of this store that ended while their desktop could not say so.
void RunSession::forgetOldSpools() {
  const StoreReader reader(recorder_.path());
  for (const AgentRun& known : agent_->list()) {
    if (known.active) continue;
    const auto row = reader.find(known.run);
    if (!row || row->id != known.run || !isEnded(row->state)) continue;
    try {
      agent_->forget(known.run);
    } catch (const Error&) {  // another desktop was faster
    }
  }
}

RunOutcome RunSession::pickUp() {
  return guarded([this] {
    open();
    loadKnown();
    agent_ = std::make_unique<AgentClient>(*host_, installation_);
    AgentRun there;
    try {
      there = agent_->follow(run_, lastSeq_);
    } catch (const Error& error) {
      throw Error(Errc::kHost, strCat("its desktop went away, and its end is not known: ", error.what()));
    }
    launched_ = true;
    go(RunEvent::kHostBack);
    while (!over_ && !caughtUp(there)) step();
    if (!over_ && !endAsked_ && !ending_.anyStarted()) throw Error(Errc::kHost, "its desktop went away before the nodes were told to start");
    follow();
    conclude();
  });
}

bool RunSession::caughtUp(const AgentRun& there) const {
  for (const AgentNode& node : there.nodes) {
    const auto found = lastSeq_.find(node.id);
    if ((found == lastSeq_.end() ? 0 : found->second) < node.lastSeq) return false;
  }
  return true;
}

void RunSession::loadKnown() {
  recorder_.flush();
  const StoreReader reader(recorder_.path());
  for (const NoticeRow& row : reader.notices(run_)) {
    ending_.observe(row.node, row.record);
    if (row.record.kind == "listening") endpoints_[row.node] = row.record.text;
  }
  recorder_.withWriter([this](StoreWriter& store) {
    for (const NodeSpec& node : spec_.nodes) lastSeq_[node.id] = store.lastSeq(run_, node.id);
    lastSeq_[host_->name()] = store.lastSeq(run_, host_->name());
  });
}

}  // namespace paceline
