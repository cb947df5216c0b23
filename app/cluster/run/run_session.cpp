#include "app/cluster/run/run_session.h"

#include <algorithm>
#include <filesystem>

#include "app/cluster/run/launch_plan.h"
#include "app/cluster/worker/worker_answer.h"
#include "engine/core/base/clock.h"
#include "engine/core/json/json_text.h"
#include "engine/core/spec/pinned_file.h"
#include "storage/summary/links.h"

namespace paceline::run {
namespace {

constexpr double kLoadSeconds = 300;         // for loading the libraries and the data, many nodes on few cores
constexpr double kForgetSeconds = 10;
constexpr double kLeastPatienceSeconds = 5;  // with hosts that are busy while others wait for ours
constexpr double kTurnSeconds = 3;           // for those who wait for what was given back: they ask once a second

}  // namespace

RunOutcome RunSession::run(const RunSpec& spec, std::stop_token stop) { return begin(spec, "", std::move(stop)); }

RunOutcome RunSession::resume(const store::RunRow& ended, const RunSpec& spec, std::stop_token stop) {
  outcome_.name = spec.name;
  if (!ended.source.empty()) return failed(strCat("run ", ended.id, " is ", ended.source, "; only real runs have checkpoints"));
  return begin(spec, ended.id, std::move(stop));
}

// The run's row is there even when its check fails right away: people look for it in the list.
RunOutcome RunSession::begin(const RunSpec& spec, const std::string& resumed, std::stop_token stop) {
  prepare(spec, resumed, std::move(stop));
  outcome_.name = spec.name;
  std::string problem;
  Catalog catalog;
  try {
    catalog = worker::describeLocal();
  } catch (const std::exception& error) {
    problem = error.what();
  }
  if (const AlgorithmEntry* method = findEntry(catalog.algorithms, spec_.algorithm.id)) workersReturn_ = whyNotAgain(spec_, *method, findEntry(catalog.aggregations, spec_.aggregation.id)).empty();
  try {
    store::RunRow row = newRunRow(spec_, means_.id, catalog, "", resumed_);
    Json versions = jsonOrNull(row.versions);
    if (Json predicted = jsonOrNull(means_.prediction); predicted.is_object()) versions["predicted"] = std::move(predicted);
    if (means_.goesOn) versions["instead_of"] = means_.goesOn->insteadOf, versions["resumes"] = means_.goesOn->count;
    row.versions = dumped(versions);
    outcome_ = {.run = row.id, .name = row.name, .state = row.state};
    if (!insist([&](store::StoreWriter& store) { store.createRun(row, nodeRows(row.id, spec_)); })) return outcome_;
  } catch (const std::exception& error) {
    return failed(error.what());
  }
  return guarded([&] {
    if (!problem.empty()) throw Error(Errc::kHost, problem);
    if (!workOrWait()) again();
  });
}

// Where the run takes another one's place, hosts may go once more before it has begun: it gives back what it has, waits a little, and is to begin again (false).
bool RunSession::workOrWait() {
  try {
    return work();
  } catch (const Error& error) {
    if (error.code() != Errc::kHost || outcome_.state != store::RunState::kStarting || ending_.anyStarted() || steadySeconds() >= patience_.until || stop_.stop_requested() || !mayGoOn()) throw;
    const std::string why = error.what();
    tell(strCat("begins again when it can: ", why));
    giveBack();
    for (const double began = steadySeconds(); steadySeconds() - began < means_.times.longestRetrySeconds && !stop_.stop_requested() && mayGoOn();) next();
    return false;
  }
}

void RunSession::prepare(const RunSpec& spec, std::string resumed, std::stop_token stop) {
  spec_ = spec;
  ending_ = RunEnding(spec);
  resumed_ = std::move(resumed);
  stop_ = std::move(stop);
  if (means_.goesOn) patience_ = {.forSeconds = means_.times.comesBackSeconds, .until = steadySeconds() + means_.times.comesBackSeconds};
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
  hosts_.clear();
  return outcome_;
}

RunOutcome RunSession::failed(const std::string& error) {
  outcome_.state = store::RunState::kFailed, outcome_.error = error, outcome_.reason = "failure";
  return outcome_;
}

void RunSession::fail(const std::string& error) {
  if (store::isEnded(outcome_.state)) return;
  try {
    go(RunEvent::kFailure, error, "failure");
  } catch (const std::exception& untold) {
    if (storeError_.empty()) storeError_ = untold.what();  // its end is not recorded: its hosts keep their spools
    failed(error);
    tell(error);
  }
}

void RunSession::go(RunEvent event, const std::string& error, const std::string& reason) {
  const auto then = run::next(outcome_.state, event);
  PACELINE_CHECK(then, strCat("run event ", static_cast<int>(event), " cannot happen in state ", store::stateName(outcome_.state)));
  outcome_.state = *then;
  outcome_.error = error;
  if (!reason.empty()) outcome_.reason = reason;
  means_.records.setState(outcome_.run, *then, error, reason);
  tell(error);
}

void RunSession::tell(const std::string& text) const {
  if (!means_.callbacks.onState) return;
  const bool atWork = outcome_.state == store::RunState::kStarting || outcome_.state == store::RunState::kRunning;
  const std::string waits = !storeWaits_.empty() ? storeWaitText(storeWaits_) : atWork ? ending_.silence() : "";
  means_.callbacks.onState(outcome_.run, outcome_.state, text.empty() ? waits : text);
}

bool RunSession::work() {
  tell("");
  go(RunEvent::kChecked);
  if (!stop_.stop_requested()) openHosts();
  if (!stop_.stop_requested() && mayGoOn()) {
    go(RunEvent::kDeployed);
    if (!launch()) return false;
    startNodes();
    follow();
  }
  conclude();
  return true;
}

// All at once; the slowest decides.
void RunSession::openHosts() {
  const auto* path = valueOf<std::string>(spec_.dataset.params, "path");  // on each host; nothing of it is sent
  hosts::HostNeeds needs;
  if (path == nullptr || path->empty()) needs.datasets = {spec_.dataset.id};
  needs.files = pinnedFiles(spec_);
  std::map<std::string, std::set<std::string>> nodes;
  for (const NodeSpec& node : spec_.nodes) nodes[node.host].insert(node.id);
  for (const std::string& host : spec_.hosts()) hosts_[host] = std::make_unique<HostLink>(host, outcome_.run, nodes[host], means_.opener, needs, means_.times, queue_, patience_.forSeconds);
  for (std::string told; !all(Stage::kReady) && !stop_.stop_requested() && mayGoOn();) {
    if (const auto message = next()) take(*message);
    if (const std::string text = openingText(); !all(Stage::kReady) && text != told) tell(told = text);
  }
}

// False: others perhaps wait for what it has while it waits for theirs; it gave everything back.
bool RunSession::launch() {
  std::map<std::string, HostSite> sites;
  for (const auto& [host, link] : hosts_) sites[host] = link->state().site;
  const std::string protection = protectionOf(spec_, sites);
  const auto binds = bindAddresses(protection, sites);
  if (const auto local = sites.find("local"); local != sites.end()) {
    const auto variables = means_.variables.empty() ? inheritedVariables() : means_.variables;
    local->second.installation.env.insert(variables.begin(), variables.end());
  }
  for (HostLaunch& part : planLaunch(outcome_.run, spec_, sites, binds, {.run = resumed_, .kernels = kernelsBefore()}, workersReturn_)) {
    HostLink& link = *hosts_.at(part.host);
    launchOn(link, std::move(part));
  }
  const double patience = kLeastPatienceSeconds * (1 + std::uniform_real_distribution<double>()(chance_));
  for (double since = 0; !all(Stage::kLaunched) && !left_;) {
    step();
    const bool keepsOthersWaiting = !busyText().empty() && any(Stage::kLaunched);
    if (!keepsOthersWaiting || endAsked_) since = 0;
    else if (since == 0) since = steadySeconds();
    else if (steadySeconds() - since > patience) return giveBack(), false;
  }
  Json installations = Json::object();
  for (const auto& [host, link] : hosts_) {
    const std::string id = host == "local" ? "" : std::filesystem::path(link->state().site.installation.folder).filename().string();
    installations[host] = {{"id", id}, {"agent", link->state().version}};
  }
  changeVersions({{"installations", installations}, {"protection", protection}});
  return true;
}

// Bit-identity holds under the same kernels only, so a resumed run asks for those that its nodes had.
std::map<std::string, Variables> RunSession::kernelsBefore() const {
  std::map<std::string, Variables> before;
  if (resumed_.empty()) return before;
  for (const store::NoticeRow& row : store::StoreReader(means_.records.path()).notices(resumed_))
    if (row.record.kind == "note" && row.record.reason == "kernels") before[row.node] = kernelVariables(row.record.text);
  return before;
}

void RunSession::launchOn(HostLink& link, HostLaunch launch) {
  std::error_code ignored;
  if (launch.host == "local") launch.folder = means_.folder.empty() ? std::filesystem::current_path(ignored).string() : means_.folder;
  launch.endAloneSeconds = spec_.stopWithoutDesktopSeconds;
  launch.nodeSilentSeconds = spec_.nodeSilentSeconds;
  launch.title = spec_.name.empty() ? outcome_.run : spec_.name;
  launch.beside = means_.beside;
  const auto ended = [path = means_.records.path()](bool here) {  // here: not another desktop's that was imported
    return [path, here](const std::string& run) {
      const auto row = store::StoreReader(path).find(run);
      return row && row->id == run && store::isEnded(row->state) && (!here || (row->source.empty() && row->state != store::RunState::kImported));
    };
  };
  launch.isRecorded = ended(false), launch.isOver = ended(true);
  link.launch(std::move(launch));
}

void RunSession::changeVersions(Json patch) {
  means_.records.write(outcome_.run, [run = outcome_.run, patch = std::move(patch)](store::StoreWriter& store) {
    store.changeVersions(run, [&patch](const std::string& text) {
      Json versions = jsonOrNull(text);
      if (!versions.is_object()) versions = Json::object();
      versions.merge_patch(patch);
      return dumped(versions);
    });
  });
}

// What was launched is ended and forgotten, so that others get their turn.
void RunSession::giveBack() {
  for (const auto& [host, link] : hosts_) link->end(0, kBeginsAgain);
  while (!all(Stage::kOver) && mayGoOn()) next();
  forgetSpools();
  for (const double began = steadySeconds(); steadySeconds() - began < kTurnSeconds && !stop_.stop_requested() && mayGoOn();) next();
}

void RunSession::startNodes() {
  const double deadline = steadySeconds() + kLoadSeconds;
  while (!all(Stage::kOver) && !endAsked_ && !left_ && endpoints_.size() < spec_.nodes.size()) {
    step();
    if (steadySeconds() < deadline || endpoints_.size() == spec_.nodes.size() || anyLost()) continue;
    for (const NodeSpec& node : spec_.nodes)
      if (!endpoints_.contains(node.id)) throw Error(Errc::kHost, strCat(node.id, " did not say that it listens within ", kLoadSeconds, " s"));
  }
  if (all(Stage::kOver) || endAsked_ || left_) return;
  orderStart();
  // "Running" promises that another desktop can pick the run up.
  while (!all(Stage::kStarted) && !endAsked_ && !left_) step();
  if (endAsked_ || left_) return;
  if (outcome_.state == store::RunState::kStarting) go(RunEvent::kAllListening);  // it may have been lost and found meanwhile
}

void RunSession::orderStart() {
  std::map<std::string, std::vector<std::string>> nodes;
  for (const NodeSpec& node : spec_.nodes) nodes[node.host].push_back(node.id);
  const std::string order = startLine(spec_, endpoints_);
  for (const auto& [host, link] : hosts_) link->start(nodes[host], order);
}

void RunSession::follow() {
  while (!all(Stage::kOver) && !left_) step();
}

void RunSession::conclude() {
  if (left_) return;
  if (storeError_.empty()) settle();
  if (left_) return;
  const std::string problem = whatWentWrong(), reason = ending_.reason();
  const bool ran = outcome_.state == store::RunState::kRunning || outcome_.state == store::RunState::kStopping;
  const bool stopped = problem.empty() && (reason == "asked" || (stopWanted() && (reason.empty() || !ran)));  // a stop that came too late stopped nothing
  if (stopped && outcome_.state != store::RunState::kStopping) go(RunEvent::kStopAsked);
  if (storeError_.empty() && ending_.allExited())  // after the last state that has no end
    means_.records.write(outcome_.run, [run = outcome_.run, began = ending_.startedUtc(), ended = ending_.endedUtc()](store::StoreWriter& store) { store.setTimes(run, began, ended); });
  if (storeError_.empty() && !shared_.empty()) changeVersions({{"shared", shared_}});
  if (!problem.empty() && storeError_.empty() && ending_.byLoss() && (ending_.anyStarted() || means_.goesOn)) takeByLoss();
  if (!problem.empty()) fail(problem);
  else if (stopped) go(RunEvent::kAllStopped, ending_.losses(), "asked");
  else go(RunEvent::kAllEnded, ending_.losses().empty() ? unevenTraffic() : ending_.losses(), reason);
  forgetSpools();
}

// A job of a scheduler that was cancelled, or whose time is over, is replaced by nobody but a person.
void RunSession::takeByLoss() {
  outcome_.byLoss = !stopWanted() && !wasStopping_ && std::ranges::none_of(hosts_, [](const auto& entry) { return entry.second->state().site.scheduled; });
  outcome_.checkpointed = ending_.checkpointed();
  if (outcome_.byLoss) changeVersions({{"lost", {{"checkpointed", outcome_.checkpointed}}}});
}

// Both ends of each link have counted: what was sent is what came, or it is said.
std::string RunSession::unevenTraffic() const {
  const store::StoreReader store(means_.records.path());
  const std::vector<store::NodeRow> nodes = store.nodes(outcome_.run);
  const std::vector<std::string> uneven = summary::unevenWays(summary::waysOf(store.records<LinkRecord>(outcome_.run)), nodes, summary::startedAgain(nodes, store.notices(outcome_.run)));
  return uneven.empty() ? "" : strCat(uneven.front(), uneven.size() > 1 ? strCat(", and ", uneven.size() - 1, " more links are uneven (paceline traffic)") : "");
}

std::string RunSession::whatWentWrong() const {
  if (!storeError_.empty()) return storeError_;
  if (stopWanted() && !failed_) return "";
  if (const std::string cause = ending_.rootCause(); !cause.empty()) return cause;
  if (ending_.endedWhy() == "shutdown") return strCat("the supervisor on ", ending_.endedOn(), " was told to shut down");
  if (ending_.endedWhy() == "desktop_lost") return "no desktop was attached, so the supervisor ended it";
  if (ending_.endedWhy() == "failure") return "its desktop ended it because of a failure that it could not record";
  const bool without = outcome_.state == store::RunState::kStale && !ending_.losses().empty();  // a host that the run went on without
  if (!ending_.allExited() || (outcome_.state != store::RunState::kRunning && !without)) return "the run ended, but not every node said how";
  return "";
}

// Only when everything is in the store. Failing to do so costs a little disk on the host, nothing else.
void RunSession::forgetSpools() {
  if (hosts_.empty() || !storeError_.empty() || !settle()) return;
  for (const auto& [host, link] : hosts_) link->forget();
  for (const double began = steadySeconds(); any(Stage::kForgetting) && steadySeconds() - began < kForgetSeconds;) next();
}

bool RunSession::all(Stage stage) const {
  return std::ranges::all_of(hosts_, [stage](const auto& entry) { return entry.second->state().stage >= stage; });
}

bool RunSession::any(Stage stage) const {
  return std::ranges::any_of(hosts_, [stage](const auto& entry) { return entry.second->state().stage == stage; });
}

std::string RunSession::openingText() const {
  std::string waiting;
  std::size_t ready = 0;
  for (const auto& [host, link] : hosts_) {
    if (link->state().stage != Stage::kOpening) ++ready;
    else waiting += strCat(waiting.empty() ? "opening " : ", ", host);
  }
  return hosts_.size() == 1 ? waiting : strCat(waiting, ": ", ready, " of ", hosts_.size(), " hosts are ready");
}

}  // namespace paceline::run
