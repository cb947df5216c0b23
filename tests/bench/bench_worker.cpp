// The training loop over bare LibTorch loops of the same model, batches and settings.
#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <stdlib.h>

#include "agent/supervisor/supervise/read_pace.h"
#include "app/cluster/run/run_session.h"
#include "app/cluster/worker/worker_answer.h"
#include "engine/comm/zmq/zmq_wire.h"
#include "engine/core/base/error.h"
#include "engine/core/base/fd.h"
#include "engine/core/base/freed_memory.h"
#include "engine/core/spec/suite.h"
#include "engine/nn/torch_objective.h"
#include "engine/runtime/node_loop.h"
#include "storage/summary/summary.h"
#include "tests/bench/bare_loop.h"
#include "tests/bench/bench.h"
#include "tests/bench/temp_folder.h"
#include "tests/bench/worker_loop.h"

namespace paceline::bench {
RunSpec specOf(const std::string& text) {
  const ParsedSpec parsed = parseRunSpec(text);
  const ParsedSpec checked = validate(parsed.spec, worker::describeLocal());
  for (const Finding& finding : checked.findings)
    if (finding.error) throw Error(Errc::kSpec, strCat("bench spec: ", finding.pointer, ": ", finding.message));
  return checked.spec;
}

namespace {

// A node without peers.
class NoWire final : public Wire {
 public:
  int self() const override { return 0; }
  void send(int, Message) override {}
  std::optional<Message> receive(double) override { return std::nullopt; }
};

// Where a node's events go: into a pipe that is read at the supervisor's pace.
class EventPipe {
 public:
  EventPipe() : reader_([this] { read(); }) {}
  ~EventPipe() { pipe_.write.close(); }  // which ends the reader
  EventPipe(const EventPipe&) = delete;
  EventPipe& operator=(const EventPipe&) = delete;

  void say(const Event& event) {
    std::string line = toLine(event);
    line += '\n';
    if (!writeAll(pipe_.write.get(), line)) throw Error(Errc::kFile, "the bench does not take the events of its worker");
  }

 private:
  void read() {
    supervise::ReadPace pace;
    char lines[64 << 10];
    for (ssize_t got = 0; (got = ::read(pipe_.read.get(), lines, sizeof lines)) > 0;)
      if (const double pause = pace.pause(static_cast<std::size_t>(got), steadySeconds()); pause > 0) std::this_thread::sleep_for(std::chrono::duration<double>(pause));
  }

  Pipe pipe_;
  std::jthread reader_;
};

}  // namespace

LoopRate workerLoop(const RunSpec& spec, const std::shared_ptr<const datasets::Dataset>& data, std::size_t warmRounds, const std::function<void(RoundRecord&)>& alter) {
  NoWire wire;
  const auto clock = steadyClock();
  const auto objective = makeTorchObjective(spec, 0, data);
  EventPipe pipe;
  std::vector<RoundRecord> rounds;
  double emitting = 0, emittedBefore = 0;
  const Emit emit = [&](Event event) {
    if (auto* round = std::get_if<RoundRecord>(&event); round != nullptr && alter) alter(*round);
    const double began = secondsNow();
    pipe.say(event);
    emitting += secondsNow() - began;
    if (const auto* round = std::get_if<RoundRecord>(&event)) {
      rounds.push_back(*round);
      if (rounds.size() == warmRounds) emittedBefore = emitting;
    }
  };
  runWorker({.spec = spec, .node = 0, .wire = wire, .clock = *clock, .emit = emit}, *objective);
  if (rounds.size() < 2 * warmRounds) throw Error(Errc::kData, strCat("the worker loop did only ", rounds.size(), " rounds"));
  LoopRate rate;
  std::int64_t samples = 0;
  for (std::size_t i = warmRounds; i < rounds.size(); ++i) samples += rounds[i].samples, rate.fetchFraction += rounds[i].fetch;
  const double seconds = rounds.back().t - rounds[warmRounds - 1].t;
  rate.samplesPerSecond = static_cast<double>(samples) / seconds;
  rate.emitFraction = (emitting - emittedBefore) / seconds;
  rate.fetchFraction /= seconds;
  return rate;
}

namespace {

double bareLoopsTogether(const std::string& program, double seconds) {
  const auto host = hosts::localHost();
  std::vector<std::unique_ptr<hosts::Process>> loops;
  for (int i = 0; i < 2; ++i) loops.push_back(host->start({program, "--part", "bare_loop", std::to_string(seconds)}));
  double sum = 0;
  for (auto& loop : loops) {
    const auto line = loop->readLine(seconds + 60);
    if (!line) throw Error(Errc::kData, "a bare loop printed nothing");
    sum += std::stod(*line);
  }
  return sum;
}

}  // namespace

double realRunSamplesPerSecond(const RunSpec& spec) {
  const TempFolder folder{};
  setenv("PACELINE_AGENT_DIR", (folder.path + "/agent").c_str(), 1);
  run::RecordWriter records(folder.path + "/bench.db");
  const run::RunOutcome outcome = run::RunSession({records}).run(spec);
  if (outcome.state != store::RunState::kFinished) throw Error(Errc::kData, strCat("the bench run ended ", store::stateName(outcome.state), ": ", outcome.error));
  records.flush();
  const store::StoreReader store(records.path());
  // The window in which both train: from the later first round to the earlier last one.
  const summary::RunData data = summary::loadRun(store, *store.find(outcome.run));
  double begin = 0, end = 1e300;
  std::int64_t samples = 0;
  for (const store::NodeRow& node : data.nodes) {
    double first = 1e300, last = 0;
    for (const store::RoundRow& row : data.rounds)
      if (row.node == node.id) first = std::min(first, row.record.t), last = std::max(last, row.record.t);
    if (node.role == "worker") begin = std::max(begin, first), end = std::min(end, last);
  }
  for (const store::RoundRow& row : data.rounds)
    if (row.record.t > begin && row.record.t <= end) samples += row.record.samples;
  if (samples == 0) throw Error(Errc::kData, "the workers of the bench run never trained at the same time");
  return static_cast<double>(samples) / (end - begin);
}

int bareLoopPart(double seconds) {
  keepFreedMemory();
  useThreads(1);
  const RunSpec spec = specOf(kStandalone);
  std::cout << bareLoopSamplesPerSecond(spec, loadDataset(spec), seconds) << std::endl;
  return 0;
}

Result workerLoopVsLibtorch() {
  keepFreedMemory();
  useThreads(1);
  const RunSpec spec = specOf(kStandalone);
  const auto data = loadDataset(spec);
  std::vector<double> ratios, ours, bare;
  for (int turn = 0; turn < 5; ++turn) {  // in turn: the machine drifts
    ours.push_back(workerLoop(spec, data).samplesPerSecond);
    bare.push_back(bareLoopSamplesPerSecond(spec, data, 3));
    ratios.push_back(ours.back() / bare.back());
  }
  return {.id = "worker_loop_vs_libtorch", .value = median(ratios), .target = 0.95,
          .note = "lenet, batch 64, one thread: samples/s of the whole worker loop (events formatted and written) over a bare LibTorch loop, median of 5 pairs of 3 s",
          .inputs = {{"worker_loop_samples_per_s", median(ours)}, {"libtorch_samples_per_s", median(bare)}}};
}

// What a worker that exchanges records besides: the stand-alone loop of the bench exchanges nothing.
void asExchanging(RoundRecord& round) {
  round.send = 0.00123456789, round.wait = 0.0234567891, round.receive = 0.00345678912, round.staleness = 1.25;
  round.bytesSent = round.bytesReceived = 1'724'320, round.messagesSent = round.messagesReceived = 12;
  round.longestWait = 0.0212345678, round.longestWaitFor = "w1";
  round.exchangeBegan = round.t - 0.0312345678, round.exchangeEnded = round.t - 0.00123456789;
}

Result recordingCost() {
  keepFreedMemory();
  useThreads(1);
  const RunSpec lenet = specOf(kStandalone);
  const RunSpec logistic = specOf(withOverride(kStandalone, "/model/id=logistic"));
  const LoopRate measured = workerLoop(lenet, loadDataset(lenet), kWarmRounds, asExchanging), small = workerLoop(logistic, loadDataset(logistic), kWarmRounds, asExchanging);
  return {.id = "recording_cost", .value = measured.emitFraction, .target = 0.01, .higherIsBetter = false,
          .note = "time in formatting and writing events, of a worker that exchanges, on the training thread over its whole time, lenet, batch 64",
          .inputs = {{"lenet_samples_per_s", measured.samplesPerSecond}, {"logistic_fraction", small.emitFraction}, {"logistic_samples_per_s", small.samplesPerSecond}}};
}

Result twoWorkersVsIndependent(const std::string& program) {
  const RunSpec spec = specOf(kTwoWorkers);
  std::vector<double> ratios, together, independent;
  for (int turn = 0; turn < 3; ++turn) {
    together.push_back(realRunSamplesPerSecond(spec));
    independent.push_back(bareLoopsTogether(program, 8));
    ratios.push_back(together.back() / independent.back());
  }
  return {.id = "two_workers_vs_independent", .value = median(ratios), .target = 0.9,
          .note = "asgd, lenet, batch 64: one server and two worker processes through supervisor and recorder over two bare loops at once, median of 3",
          .inputs = {{"two_workers_samples_per_s", median(together)}, {"two_bare_loops_samples_per_s", median(independent)}}};
}

// What it costs that a server may come back.
Result serverJournalCost() {
  const auto costs = [](const char* model, int turns) {
    std::vector<double> found;
    for (int turn = 0; turn < turns; ++turn) {
      double rates[2] = {};
      for (const int restarts : {turn % 2, 1 - turn % 2})  // who is first takes turns, too
        rates[restarts] = realRunSamplesPerSecond(specOf(withOverride(withOverride(kTwoWorkers, strCat("/model/id=", model)), strCat("/server_restarts=", restarts))));
      found.push_back(rates[0] / rates[1] - 1);
    }
    return found;
  };
  const std::vector<double> lenet = costs("lenet", 5), resnet = costs("resnet18_v1", 3);
  return {.id = "server_journal_cost", .value = median(lenet), .target = 0.02, .higherIsBetter = false,
          .note = "asgd, lenet, batch 64, one server and two workers on this host: samples/s without over with a journal for the server's next process, less 1; median of 5 pairs",
          .inputs = {{"lowest", std::ranges::min(lenet)}, {"highest", std::ranges::max(lenet)}, {"resnet18_v1", median(resnet)}, {"resnet18_v1_lowest", std::ranges::min(resnet)}, {"resnet18_v1_highest", std::ranges::max(resnet)}}};
}

}  // namespace paceline::bench
