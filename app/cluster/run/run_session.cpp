#include "app/cluster/run/run_session.h"

#include <filesystem>

#include "app/cluster/run/run_keys.h"
#include "engine/core/base/error.h"
#include "engine/core/base/clock.h"
#include "storage/store/store.h"

namespace paceline::run {
namespace {

constexpr double kStepSeconds = 0.2;
constexpr double kListenSeconds = 300;       // for loading the libraries and the data, many nodes on few cores
constexpr double kStopGraceSeconds = 15;
constexpr double kFailureGraceSeconds = 1;   // for the others of a run that failed: long enough to say what they saw
constexpr double kServerGraceSeconds = 30;   // for servers when all workers have gone
constexpr double kForgetSeconds = 10;
constexpr double kLeastPatienceSeconds = 5;  // with hosts that are busy while others wait for ours
constexpr double kTurnSeconds = 3;           // for those who wait for what was given back: they ask once a second

}  // namespace

RunSession::RunSession(const Means& means, std::string run, const RunSpec& spec, store::RunState state, std::stop_token stop)
    : recorder_(means.recorder), callbacks_(means.callbacks), opener_(means.opener), times_(means.times), task_(means.task), run_(std::move(run)), spec_(spec),
      stop_(std::move(stop)), ending_(spec) {
  outcome_ = {.run = run_, .name = spec.name, .state = state, .error = "", .reason = ""};
}

void RunSession::go(RunEvent event, const std::string& error, const std::string& reason) {
  const auto then = run::next(outcome_.state, event);
  PACELINE_CHECK(then, strCat("run event ", static_cast<int>(event), " cannot happen in state ", store::stateName(outcome_.state)));
  outcome_.state = *then;
  outcome_.error = error;
  if (!reason.empty()) outcome_.reason = reason;
  recorder_.setState(run_, *then, error, reason);
  if (callbacks_.onState) callbacks_.onState(run_, *then, error);
}

void RunSession::tell(const std::string& text) const {
  if (callbacks_.onState) callbacks_.onState(run_, outcome_.state, text);
}

// The state is failed whether or not the store can still be told.
void RunSession::fail(const std::string& error) {
  if (store::isEnded(outcome_.state)) return;
  try {
    go(RunEvent::kFailure, error, "failure");
  } catch (const std::exception&) {
    outcome_.state = store::RunState::kFailed;
    outcome_.error = error;
    outcome_.reason = "failure";
    tell(error);
  }
}

RunOutcome RunSession::guarded(const std::function<void()>& work) {
  try {
    work();
  } catch (const std::exception& error) {
    const std::string why = error.what();
    try {
      failed_ = true;
      endNodes(kFailureGraceSeconds, "failure");
      follow();
    } catch (const std::exception&) {  // the first error is the one that counts
    }
    fail(why);
    forgetSpools();
  }
  hosts_.reset();
  return outcome_;
}

RunOutcome RunSession::start(const std::string& resumed) {
  resumed_ = resumed;
  return guarded([this] { go(); });
}

void RunSession::go() {
  if (callbacks_.onState) callbacks_.onState(run_, outcome_.state, "");
  go(RunEvent::kChecked);
  if (!stop_.stop_requested()) open();
  if (!stop_.stop_requested() && mayGoOn()) {
    go(RunEvent::kDeployed);
    if (!launch()) return again();
    begin();
    follow();
  }
  conclude();
}

// All at once; the slowest decides.
void RunSession::open() {
  hosts_ = std::make_unique<RunHosts>(run_, spec_, opener_, times_);
  for (std::string told; !hosts_->allReady() && !stop_.stop_requested() && mayGoOn();) {
    if (const auto message = hosts_->next(kStepSeconds)) take(*message);
    if (const std::string text = hosts_->openingText(); !hosts_->allReady() && text != told) tell(told = text);
  }
}

// False: what it has is what others wait for who have what it waits for.
bool RunSession::launch() {
  auto sites = hosts_->sites();
  const auto binds = bindAddresses(protectionOf(spec_), sites);
  if (const auto local = sites.find("local"); local != sites.end()) {
    const auto variables = task_.variables.empty() ? inheritedVariables() : task_.variables;
    local->second.installation.env.insert(variables.begin(), variables.end());
  }
  auto keys = makeKeys(spec_);
  auto plan = planLaunch(run_, spec_, sites, binds, keys, resumed_);
  wipeKeys(keys);
  std::error_code ignored;
  const AgentLink::Launch how{.plan = {},
                              .folder = task_.folder.empty() ? std::filesystem::current_path(ignored).string() : task_.folder,
                              .endAloneSeconds = spec_.stopWithoutDesktopSeconds,
                              .title = spec_.name.empty() ? run_ : spec_.name,
                              .beside = task_.beside,
                              .isRecorded = [path = recorder_.path()](const std::string& run) {
                                const auto row = store::StoreReader(path).find(run);
                                return row && row->id == run && store::isEnded(row->state);
                              }};
  hosts_->launch(std::move(plan), how);
  const double patience = kLeastPatienceSeconds * (1 + std::uniform_real_distribution<double>()(chance_));
  for (double since = 0; !hosts_->allLaunched() && !left_;) {
    step();
    if (!hosts_->keepsOthersWaiting() || endAsked_) since = 0;
    else if (since == 0) since = steadySeconds();
    else if (steadySeconds() - since > patience) return giveBack(), false;
  }
  changeVersions([this](const std::string& versions) { return withInstallations(versions, hosts_->installed()); });
  return true;
}

void RunSession::changeVersions(const std::function<std::string(const std::string&)>& change) {
  recorder_.withWriter([&](store::StoreWriter& store) {
    const auto row = store::StoreReader(store.path()).find(run_);
    if (row) store.setVersions(run_, change(row->versions));
  });
}

// What was launched is ended and forgotten, so that others get their turn.
void RunSession::giveBack() {
  hosts_->end(0, "asked");
  while (!hosts_->allOver() && mayGoOn()) hosts_->next(kStepSeconds);
  hosts_->forget();
  for (const double began = steadySeconds(); !hosts_->allForgotten() && steadySeconds() - began < kForgetSeconds;) hosts_->next(kStepSeconds);
  for (const double began = steadySeconds(); steadySeconds() - began < kTurnSeconds && !stop_.stop_requested() && mayGoOn();) hosts_->next(kStepSeconds);
}

void RunSession::begin() {
  const double deadline = steadySeconds() + kListenSeconds;
  while (!hosts_->allOver() && !endAsked_ && !left_ && endpoints_.size() < spec_.nodes.size()) {
    step();
    if (steadySeconds() < deadline || endpoints_.size() == spec_.nodes.size() || hosts_->anyLost()) continue;
    for (const NodeSpec& node : spec_.nodes)
      if (!endpoints_.contains(node.id)) throw Error(Errc::kHost, strCat(node.id, " did not say that it listens within ", kListenSeconds, " s"));
  }
  if (hosts_->allOver() || endAsked_ || left_) return;
  hosts_->start(spec_, startLine(spec_, endpoints_));
  // "Running" promises that another desktop can pick the run up.
  while (!hosts_->allStarted() && !endAsked_ && !left_) step();
  if (endAsked_ || left_) return;
  if (outcome_.state == store::RunState::kStarting) go(RunEvent::kAllListening);  // it may have been lost and found meanwhile
}

void RunSession::follow() {
  while (hosts_ && !hosts_->allOver() && !left_) step();
}

void RunSession::step() {
  if (const auto message = hosts_->next(kStepSeconds)) take(*message);
  if (hosts_->allOver() || left_ || !mayGoOn()) return;
  takeStop();
  takeFailure();
  takeLoss();
  checkStore();
}

void RunSession::take(const LinkMessage& message) {
  using Kind = LinkMessage::Kind;
  switch (message.kind) {
    case Kind::kEvent:
      return takeEvent(message.event);
    case Kind::kProgress:
      if (callbacks_.onProgress) callbacks_.onProgress(message.host, message.text, message.fraction);
      return;
    case Kind::kLost:
      return go(RunEvent::kHostLost, hosts_->lostText());
    case Kind::kBack:
      stopAsked_ = false;  // says it again
      if (outcome_.state == store::RunState::kStale) go(hosts_->anyLost() ? RunEvent::kHostLost : RunEvent::kHostBack, hosts_->lostText());
      return;
    case Kind::kBusy:
      return tell(hosts_->busyText());
    case Kind::kGone:
      unknown_ = message.text;
      return ending_.hostGone(message.host, "it was reached again, but its supervisor is gone");
    case Kind::kRefused:
      if (!failed_ && !stop_.stop_requested()) throw Error(Errc::kHost, message.text);  // a stop ends questions, and with them the opening
      return;
    case Kind::kGivenUp:
      return leave(strCat(message.host, " was not reached for ", times_.giveUpSeconds, " s: ", message.text));
    case Kind::kReady:
    case Kind::kLaunched:
    case Kind::kFollowing:
    case Kind::kStarted:
    case Kind::kEnded:
    case Kind::kForgotten:
      return;
  }
}

void RunSession::takeEvent(const StampedEvent& event) {
  lastSeq_[event.node] = std::max(lastSeq_[event.node], event.seq);
  if (const auto* notice = std::get_if<NoticeRecord>(&event.event)) {
    ending_.observe(event.node, *notice);
    if (notice->reason == "shared") shared_[event.node].insert(notice->text);
    if (notice->kind == "listening" && spec_.nodeIndex(event.node) >= 0) endpoints_[event.node] = notice->text;
  }
  // The copies first: who picks the run up goes on behind this event.
  if (const auto* notice = std::get_if<NoticeRecord>(&event.event); notice && notice->reason == "resumed" && !resumed_.empty()) copyRecords(event.node, notice->code);
  recorder_.append(event);
  if (callbacks_.onEvent) callbacks_.onEvent(event);
}

// With the evaluating worker's records go those of the evaluator, which count that worker's rounds.
void RunSession::copyRecords(const std::string& node, std::int64_t rounds) {
  std::set<std::string> nodes = {node};
  if (const int evaluating = spec_.evaluatorNode(); evaluating >= 0 && spec_.nodes[static_cast<std::size_t>(evaluating)].id == node)
    for (const int evaluator : spec_.evaluators()) nodes.insert(spec_.nodes[static_cast<std::size_t>(evaluator)].id);
  for (const StampedEvent& event : store::recordsUpTo(store::StoreReader(recorder_.path()), resumed_, nodes, rounds)) {
    StampedEvent copy = event;
    copy.run = run_;
    recorder_.append(copy);
    if (callbacks_.onEvent) callbacks_.onEvent(copy);
  }
}

// A run that is to end does not wait for long when all that is missing is a host that cannot be reached.
void RunSession::takeLoss() {
  if (!hosts_->onlyLostLeft() || !(endAsked_ || ending_.somethingFailed())) return static_cast<void>(onlyLostSince_ = 0);
  if (onlyLostSince_ == 0) onlyLostSince_ = steadySeconds();
  if (steadySeconds() - onlyLostSince_ < times_.endGraceSeconds) return;
  if (!failed_) return leave(hosts_->lostText());
  for (const std::string& host : hosts_->lostHosts()) {
    ending_.hostGone(host, strCat("it cannot be reached: ", hosts_->lostWhy(host)));
    hosts_->leave(host);
  }
}

// What cannot be reached may go on there, and its spool keeps what happens.
void RunSession::leave(const std::string& why) {
  left_ = true;
  outcome_.error = strCat(why, "; paceline attach ", run_, " goes on when it can be reached");
  tell(outcome_.error);
}

bool RunSession::mayGoOn() {
  left_ = left_ || task_.leave.stop_requested();
  return !left_;
}

bool RunSession::stopWanted() const { return stop_.stop_requested() || ending_.asked() || outcome_.state == store::RunState::kStopping; }

void RunSession::takeStop() {
  if (!stopWanted() || stopAsked_ || failed_) return;
  stopAsked_ = true;
  if (outcome_.state != store::RunState::kStopping) go(RunEvent::kStopAsked);
  endNodes(kStopGraceSeconds, "asked");
}

void RunSession::takeFailure() {
  if (endAsked_ || stopAsked_) return;
  if (ending_.somethingFailed()) {
    failed_ = true;
    return endNodes(kFailureGraceSeconds, "failure");
  }
  if (!ending_.workersExited()) return;
  if (workersGoneSince_ == 0) workersGoneSince_ = steadySeconds();
  if (steadySeconds() - workersGoneSince_ > kServerGraceSeconds && !hosts_->anyLost())
    throw Error(Errc::kHost, strCat("a server did not end within ", kServerGraceSeconds, " s after the workers"));
}

void RunSession::endNodes(double graceSeconds, const std::string& why) {
  endAsked_ = true;
  if (hosts_) hosts_->end(graceSeconds, why);
}

// Once a second: a store that cannot take the records ends the run, for nobody would see what it does.
void RunSession::checkStore() {
  if (steadySeconds() < nextStoreCheck_) return;
  nextStoreCheck_ = steadySeconds() + 1;
  try {
    recorder_.flush(run_);
  } catch (const std::exception& error) {
    if (storeError_.empty()) storeError_ = error.what();
    if (!endAsked_) endNodes(kFailureGraceSeconds, "failure");
  }
}

void RunSession::conclude() {
  if (left_) return;
  if (storeError_.empty()) {
    try {
      recorder_.flush(run_);
    } catch (const std::exception& error) {
      storeError_ = error.what();
    }
  }
  if (storeError_.empty() && ending_.allExited())
    recorder_.withWriter([this](store::StoreWriter& store) { store.setTimes(run_, ending_.startedUtc(), ending_.endedUtc()); });
  if (storeError_.empty() && !shared_.empty()) changeVersions([this](const std::string& versions) { return withShared(versions, shared_); });
  if (const std::string problem = whatWentWrong(); !problem.empty()) {
    fail(problem);
  } else if (stopWanted() || ending_.reason() == "asked") {
    if (outcome_.state != store::RunState::kStopping) go(RunEvent::kStopAsked);
    go(RunEvent::kAllEnded, ending_.losses(), "asked");
  } else {
    go(RunEvent::kAllEnded, ending_.losses(), ending_.reason());
  }
  forgetSpools();
}

std::string RunSession::whatWentWrong() const {
  if (!storeError_.empty()) return storeError_;
  if (stopWanted() && !failed_) return "";
  if (const std::string cause = ending_.rootCause(); !cause.empty()) return cause;
  if (ending_.endedWhy() == "shutdown") return strCat("the supervisor on ", ending_.endedOn(), " was told to shut down");
  if (ending_.endedWhy() == "desktop_lost") return "no desktop was attached, so the supervisor ended it";
  if (ending_.endedWhy() == "failure") return "its desktop ended it because of a failure that it could not record";
  if (!ending_.allExited() || outcome_.state != store::RunState::kRunning) return "the run ended, but not every node said how";
  return "";
}

// Only when everything is in the store. Failing to do so costs a little disk on the host, nothing else.
void RunSession::forgetSpools() {
  if (!hosts_ || !storeError_.empty()) return;
  try {
    recorder_.flush(run_);
  } catch (const std::exception&) {
    return;
  }
  hosts_->forget();
  for (const double began = steadySeconds(); !hosts_->allForgotten() && steadySeconds() - began < kForgetSeconds;) hosts_->next(kStepSeconds);
}

}  // namespace paceline::run
