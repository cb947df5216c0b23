#include "app/cluster/run/replay_run.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <sstream>
#include <thread>

#include "app/cluster/hosts/local_process.h"
#include "app/cluster/run/run_session.h"
#include "app/cluster/worker/worker_answer.h"
#include "engine/core/base/text.h"
#include "engine/core/base/error.h"
#include "engine/core/json/json_text.h"
#include "engine/core/record/kernels.h"
#include "engine/core/record/reasons.h"

namespace paceline::run {
namespace {

RunSpec specOf(const store::RunRow& run) {
  ParsedSpec parsed = parseRunSpec(run.specText);
  if (hasErrors(parsed.findings)) throw Error(Errc::kUnsupported, strCat(run.id, " has no whole document, so it cannot be repeated"));
  return std::move(parsed.spec);
}

// Of a run, for the worker program: a line each.
class Records {
 public:
  // `last`: the coordinator's last round, which tells how far the run came.
  Records(const store::StoreReader& store, const std::string& run, const std::string& coordinator, const RoundRecord& last) : file_(::memfd_create("paceline replay", MFD_CLOEXEC)) {
    if (!file_) throw Error(Errc::kHost, "there is no memory for the run's records");
    std::string text = lineOf(coordinator, last);
    write(text);
    take<MetricRecord>(store, run), take<OrderRecord>(store, run), take<AnswerRecord>(store, run);
  }
  std::string path() const { return strCat("/proc/", ::getpid(), "/fd/", file_.get()); }

 private:
  static std::string lineOf(const std::string& node, const Event& event) { return strCat("{\"node\":\"", node, "\",", std::string_view(toLine(event)).substr(1), "\n"); }

  template <class Record>
  void take(const store::StoreReader& store, const std::string& run) {
    std::string text;
    for (const store::RecordRow<Record>& row : store.records<Record>(run)) {
      text += lineOf(row.node, row.record);
      if (text.size() > kPiece) write(text);
    }
    write(text);
  }
  void write(std::string& text) {
    for (std::size_t at = 0; at < text.size();) {
      const ssize_t written = ::write(file_.get(), text.data() + at, text.size() - at);
      if (written <= 0) throw Error(Errc::kHost, "there is no memory for the run's records");
      at += static_cast<std::size_t>(written);
    }
    text.clear();
  }

  static constexpr std::size_t kPiece = std::size_t{1} << 20;
  Fd file_;
};

bool sameBits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (a != a && b != b); }

class Comparison {
 public:
  Comparison(const store::StoreReader& store, const std::string& run, std::string coordinator, Replayed& result) : coordinator_(std::move(coordinator)), result_(result) {
    for (const store::RoundRow& row : store.rounds(run)) rounds_[row.node].emplace(row.record.round, row.record), ++result_.rounds;
    for (const store::EvaluationRow& row : store.records<EvaluationRecord>(run))
      if (row.node == coordinator_) evaluations_.emplace(row.record.round, row.record), ++result_.evaluations;
    for (const store::NoticeRow& row : store.notices(run))
      if (row.record.reason == kParametersReason) result_.recordedParameters = row.record.text;
  }

  void take(const std::string& node, const Event& event) {
    if (const auto* round = std::get_if<RoundRecord>(&event)) return takeRound(node, *round);
    if (const auto* evaluation = std::get_if<EvaluationRecord>(&event); evaluation && node == coordinator_) return takeEvaluation(*evaluation);
    if (const auto* notice = std::get_if<NoticeRecord>(&event); notice && notice->reason == kParametersReason) result_.parameters = notice->text;
  }

  RoundRecord lastOfCoordinator() const {
    const auto found = rounds_.find(coordinator_);
    if (found == rounds_.end()) throw Error(Errc::kUnsupported, strCat(coordinator_, ", which decides when the run ends, closed no round: there is nothing to repeat"));
    return found->second.rbegin()->second;
  }

  void finish() {
    for (const auto& [node, rounds] : rounds_) result_.missingRounds += static_cast<std::int64_t>(rounds.size());
  }

 private:
  void takeRound(const std::string& node, const RoundRecord& again) {
    auto& of = rounds_[node];
    const auto found = of.find(again.round);
    if (found == of.end()) return;  // the run's end discarded it
    const RoundRecord was = found->second;
    of.erase(found);
    const std::string where = strCat(node, ", round ", again.round);
    const bool same = expect(where, "loss", was.loss, again.loss) && expect(where, "samples", was.samples, again.samples) && expect(where, "local steps", was.localSteps, again.localSteps) &&
                      expect(where, "learning rate", was.learningRate, again.learningRate) && expect(where, "staleness", was.staleness, again.staleness);
    if (same) ++result_.sameRounds;
  }

  void takeEvaluation(const EvaluationRecord& again) {
    const auto found = evaluations_.find(again.round);
    if (found == evaluations_.end()) return;
    const EvaluationRecord was = found->second;
    evaluations_.erase(found);
    const std::string where = strCat(coordinator_, ", evaluation after round ", again.round);
    if (expect(where, "loss", was.loss, again.loss) && expect(where, "accuracy", was.accuracy, again.accuracy)) ++result_.sameEvaluations;
  }

  template <class Value>
  bool expect(const std::string& where, const char* what, Value was, Value again) {
    bool same = was == again;
    if constexpr (std::is_same_v<Value, double>) same = sameBits(was, again);
    if (!same && result_.firstDifference.empty()) result_.firstDifference = strCat(where, ": ", what, " ", Json(was).dump(), " recorded, ", Json(again).dump(), " repeated");
    return same;
  }

  std::string coordinator_;
  Replayed& result_;
  std::map<std::string, std::map<std::int64_t, RoundRecord>> rounds_;  // not yet repeated, by node
  std::map<std::int64_t, EvaluationRecord> evaluations_;               // the same
};

std::int64_t messagesIn(const std::string& nodes) {
  std::istringstream words(nodes);
  std::int64_t count = 0;
  for (std::string word; words >> word;) count += word.starts_with('-') || word.starts_with('+') ? 0 : 1;
  return count;
}

// As it can be computed here. Its files may have changed, or be code that nobody has confirmed.
RunSpec repeatable(const RunSpec& spec, const Catalog& catalog) {
  RunSpec here = spec;
  for (NodeSpec& node : here.nodes) node.host = "local", node.device = "cpu", node.threads = 1;
  ParsedSpec checked = worker::checkedSpec(here, catalog);
  for (const Finding& finding : checked.findings)
    if (finding.error) throw Error(Errc::kUnsupported, strCat(finding.pointer, finding.pointer.empty() ? "" : ": ", finding.message));
  return std::move(checked.spec);
}

std::string textOf(const Variables& variables) {
  std::string text;
  for (const auto& [name, value] : variables) text += strCat(text.empty() ? "" : " ", name, "=", value);
  return text.empty() ? "none told" : text;
}

// A repetition computes on this computer's CPU, each node with one thread, all with the kernels of the coordinator.
std::vector<std::string> differencesOf(const store::StoreReader& store, const store::RunRow& run, const RunSpec& spec, const Catalog& catalog, Variables& kernels) {
  std::vector<std::string> found;
  std::map<std::string, Variables> of;
  for (const store::NoticeRow& row : store.notices(run.id))
    if (row.record.kind == "note" && row.record.reason == "kernels") of[row.node] = kernelVariables(row.record.text);
  const std::string& coordinator = spec.nodes.at(static_cast<std::size_t>(spec.evaluatorNode())).id;
  kernels = of.contains(coordinator) ? of[coordinator] : kernelsFor(cpuFlags(), {});
  const Variables then = kernels;
  for (const auto& [name, value] : kernelsFor(cpuFlags(), then)) kernels[name] = value;  // never those that would end the process here
  if (kernels != then) found.push_back(strCat(coordinator, " computed with the kernels ", textOf(then), ", which this CPU does not have: here it is ", textOf(kernels)));
  for (const auto& [node, variables] : of)
    if (node != coordinator && variables != kernels) found.push_back(strCat(node, " computed with the kernels ", textOf(variables), ", here all do with ", textOf(kernels)));
  for (const NodeSpec& node : spec.nodes) {
    if (node.role == Role::kServer) continue;
    if (node.device != "cpu") found.push_back(strCat(node.id, " computed on ", node.device, ", here on the CPU"));
    if (node.threads > 1) found.push_back(strCat(node.id, " computed with ", node.threads, " threads, here with one"));
  }
  if (spec.aggregation.engine != "auto" && spec.aggregation.engine != "paceline") found.push_back(strCat("engine ", spec.aggregation.engine, " added up in an order of its own, here Paceline's does"));
  const Json versions = jsonOrNull(run.versions);
  const std::string torch = versions.is_object() ? versions.value("torch", "") : "";
  if (!torch.empty() && torch != catalog.torch) found.push_back(strCat("the run's LibTorch was ", torch, ", here it is ", catalog.torch));
  return found;
}

}  // namespace

std::string whyNoReplay(const store::StoreReader& store, const store::RunRow& run) {
  if (run.specText.empty()) return strCat(run.id, " has no document");
  if (!store::isEnded(run.state)) return strCat(run.id, " is still ", store::stateName(run.state), "; what has ended can be repeated");
  if (const std::string from = resumedFrom(run); !from.empty()) return strCat(run.id, " goes on from a checkpoint of ", from, "; only a run from its beginning can be repeated");
  const RunSpec spec = specOf(run);
  if (!spec.learn) return strCat(run.id, " did not learn, so there is nothing to repeat");
  const Catalog catalog = worker::describeLocal();
  const AlgorithmEntry* method = findEntry(catalog.algorithms, spec.algorithm.id);
  if (method == nullptr) return strCat("algorithm \"", spec.algorithm.id, "\" is not known here");
  const bool inStep = method->synchronous && !(spec.algorithm.params.has("exchange") && spec.algorithm.params.text("exchange") == "asynchronous");
  if (method->topology == Topology::kDecentralised && !inStep) return strCat("workers of ", method->title, " exchange with each other as they come, which no server recorded");
  std::set<std::string> returned;
  for (const store::NoticeRow& row : store.notices(run.id)) {
    if (row.record.reason == "neighbour_lost") return strCat("its workers lost a neighbour in the midst of an exchange, which no server recorded");
    if (row.record.reason == "rejoined" && spec.checkpointEveryRounds > 0) return strCat(row.node, " took part again as another process, whose data began where its own checkpoint was");
    if (row.record.reason == "rejoined") returned.insert(row.node);
  }
  for (const store::RecordRow<MetricRecord>& row : store.records<MetricRecord>(run.id))
    if (row.record.name.starts_with(kTakesPartAgain)) returned.erase(row.node);
  if (!returned.empty()) return strCat(*returned.begin(), " took part again as another process, which a run of an earlier version did not record");
  const bool waits = method->topology == Topology::kServer && run.source.empty();
  if (waits && store.records<OrderRecord>(run.id).empty()) return strCat("the order in which its servers applied messages was not recorded: it is of an earlier version, or ended too soon");
  return "";
}

Replayed replayRun(const store::StoreReader& store, const store::RunRow& run, const std::function<void(const StampedEvent&)>& told, std::stop_token stop) {
  if (const std::string why = whyNoReplay(store, run); !why.empty()) throw Error(Errc::kUnsupported, why);
  const RunSpec spec = specOf(run);
  const std::string coordinator = spec.nodes.at(static_cast<std::size_t>(spec.evaluatorNode())).id;
  const Catalog catalog = worker::describeLocal();
  Replayed result;
  Variables kernels;
  result.otherwise = differencesOf(store, run, spec, catalog, kernels);
  Comparison comparison(store, run.id, coordinator, result);
  const Records records(store, run.id, coordinator, comparison.lastOfCoordinator());
  const unsigned threads = std::max(1U, std::thread::hardware_concurrency());
  hosts::LocalProcess process({hosts::localProgram("paceline-worker"), "simulate", "-", "--threads", std::to_string(threads), "--replay", records.path()}, kernels);
  process.writeLine(toJsonText(repeatable(spec, catalog)));
  process.closeInput();
  std::map<std::string, std::int64_t> seq;
  while (!process.ended()) {
    if (stop.stop_requested()) throw Error(Errc::kStopped, "asked to stop");
    const auto line = process.readLine(0.2);
    if (!line) continue;
    const Json json = jsonOrNull(*line);
    if (!json.is_object() || !json.contains("node")) throw Error(Errc::kHost, strCat("the simulator said \"", quotable(*line), "\", which is no event"));
    StampedEvent event{.run = run.id, .node = json["node"], .seq = 0, .event = readEvent(json)};
    event.seq = ++seq[event.node];
    comparison.take(event.node, event.event);
    if (told) told(event);
  }
  comparison.finish();
  std::set<std::pair<std::string, std::int64_t>> counted;  // blocks: those of a server's first shard come before those of the others
  for (const store::RecordRow<OrderRecord>& row : store.records<OrderRecord>(run.id))
    if (counted.insert({row.node, row.record.place}).second) result.applied += messagesIn(row.record.nodes);
  const hosts::ProcessEnd end = process.wait();
  if (end.code != 0) {
    std::string text = trimmedEnd(end.errors);
    if (const std::string program = "paceline-worker: "; text.starts_with(program)) text.erase(0, program.size());
    result.error = text.empty() ? strCat("the simulator ended with exit code ", end.code) : text;
  }
  return result;
}

}  // namespace paceline::run
